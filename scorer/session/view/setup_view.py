"""Builds the SetupView of an open set-up."""

from __future__ import annotations

from scorer.session.setup import menu
from scorer.session.values import seating
from scorer.session.values.game_draft import Draft
from scorer.session.values.game_queries import current_hand
from scorer.session.values.levels import (
    AgreementLevel,
    CardLevel,
    JoinLevel,
    Level,
    ListLevel,
    MenuLine,
    NameLevel,
    NumberLevel,
    PairingLevel,
    PointsLevel,
    ScoresLevel,
    Setup,
    SetupAction,
    SetupCommand,
)
from scorer.session.values.state import Session
from scorer.session.view.history import history_point
from scorer.session.view.view import SetupItem, SetupView, SideView

_LINES_AROUND = 6  # lines of a list on either side of the selected one; a panel shows fewer


def setup_view(session: Session, setup: Setup) -> SetupView:
    """The view of set-up."""
    level = menu.refresh_level(session, setup.level)
    draft = _draft(level)
    sides = () if draft is None else _sides(draft)
    return _level_view(session, level)._replace(sides=sides, is_first_run=setup.is_first_run)


def _level_view(session: Session, level: Level) -> SetupView:
    game = session.game
    match level:
        case ListLevel(title=title, lines=lines, at=at):
            first, end = max(0, at - _LINES_AROUND), min(len(lines), at + _LINES_AROUND + 1)
            items = tuple(_item(session, line) for line in lines[first:end])
            return SetupView(title, items, at - first, first, len(lines) - end)
        case PointsLevel(title=title, side=side, value=value):
            return SetupView(title, values=(value,), side=seating.view_index(game, side))
        case ScoresLevel(title=title, scores=scores, at=at):
            return SetupView(title, values=scores, side=at)
        case NumberLevel(title=title, value=value):
            return SetupView(title, values=(value,), option=title)
        case NameLevel(title=title, text=text) as spelled:
            at = _side_index(session, spelled)
            return SetupView(title, side=at, letters=spelled.letters_around, text=text)
        case CardLevel(title=title, pages=pages, at=at):
            return SetupView(title, card=pages[at])
        case PairingLevel(title=title, code=digits):
            return SetupView(title, code=digits, address=session.link.address)
        case JoinLevel(title=title, hall=name):
            return SetupView(title, code=session.hall.digits, hall=name)
        case AgreementLevel(title=title, line=line, confirmed=confirmed):
            # Once a hand is over, the consoles belong to the sides of the next one.
            now = current_hand(game)
            waiting = (side for side in game.rules.speaking_sides if side not in confirmed)
            missing = tuple(seating.view_index(now, side) for side in waiting)
            return SetupView(title, (_item(session, line),), missing=missing)


def _side_index(session: Session, spelled: NameLevel) -> int:
    sides = (spelled.draft.rules if spelled.draft else session.rules).scoring_sides
    return sides.index(spelled.side)


def _draft(level: Level) -> Draft | None:
    match level:
        case ListLevel() | ScoresLevel() | NumberLevel() | NameLevel():
            return level.draft
        case _:
            return None


def _sides(draft: Draft) -> tuple[SideView, ...]:
    """The sides of the drafted game, which may differ from the current ones."""
    each = zip(draft.rules.scoring_sides, draft.names, strict=True)
    return tuple(SideView(name, side, 0, 0) for side, name in each)


def _item(session: Session, line: MenuLine) -> SetupItem:
    back = isinstance(line.leads_to, SetupCommand) and line.leads_to.action is SetupAction.BACK
    moment = history_point(session.record, line.number) if back else None
    return SetupItem(
        key=line.key,
        side=line.side,
        number=line.number,
        word=line.word,
        moment=moment,
        text=line.text,
        value=line.value,
        figure=line.figure,
        chosen_side=line.chosen_side,
        scores=line.scores,
        marked=line.marked,
    )
