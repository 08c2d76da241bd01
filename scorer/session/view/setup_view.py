"""Set-up -> SetupView: the lines around the selected one, numbers, letters, what to agree on.

It decides nothing.
"""

from __future__ import annotations

from scorer.session import seats
from scorer.session.play.interpret import standing
from scorer.session.setup import menu
from scorer.session.setup.game_draft import Draft
from scorer.session.setup.name_entry import Spelling
from scorer.session.setup.pages import (
    Act,
    Agreeing,
    Choosing,
    Correcting,
    Counting,
    Doing,
    Level,
    Line,
    Numbering,
    Pairing,
    Reading,
    Setup,
)
from scorer.session.state import Session
from scorer.session.view.history import point
from scorer.session.view.view import SetupItem, SetupView, SideView

_AROUND = 6  # lines of a list on either side of the selected one; a panel shows fewer


def setup_view(session: Session, setup: Setup) -> SetupView:
    """What set-up has to tell now."""
    level = menu.refreshed(session, setup.level)
    draft = _draft(level)
    sides = () if draft is None else _sides(draft)
    return _told(session, level)._replace(sides=sides, is_first_run=setup.is_first_run)


def _told(session: Session, level: Level) -> SetupView:
    game = session.game
    match level:
        case Choosing(title=title, lines=lines, at=at):
            first, end = max(0, at - _AROUND), min(len(lines), at + _AROUND + 1)
            items = tuple(_item(session, line) for line in lines[first:end])
            return SetupView(title, items, at - first, first, len(lines) - end)
        case Counting(title=title, side=side, value=value):
            return SetupView(title, values=(value,), side=seats.place(game, side))
        case Correcting(title=title, scores=scores, at=at):
            return SetupView(title, values=scores, side=at)
        case Numbering(title=title, value=value):
            return SetupView(title, values=(value,), option=title)
        case Spelling(title=title, text=text) as spelled:
            at = _seat(session, spelled)
            return SetupView(title, side=at, letters=spelled.letters_around, text=text)
        case Reading(title=title, pages=pages, at=at):
            return SetupView(title, card=pages[at])
        case Pairing(title=title, code=digits):
            return SetupView(title, code=digits, address=session.link.address)
        case Agreeing(title=title, line=line, confirmed=confirmed):
            # At the consoles are those who play the hand that comes, if this one is over.
            now = standing(game)
            asked = (side for side in game.rules.speaking_sides if side not in confirmed)
            missing = tuple(seats.place(now, side) for side in asked)
            return SetupView(title, (_item(session, line),), missing=missing)


def _seat(session: Session, spelled: Spelling) -> int:
    sides = (spelled.draft.rules if spelled.draft else session.rules).scoring_sides
    return sides.index(spelled.side)


def _draft(level: Level) -> Draft | None:
    match level:
        case Choosing(made_from=made):
            return None if made is None else made.draft
        case Correcting(draft=draft) | Numbering(draft=draft) | Spelling(draft=draft):
            return draft
        case _:
            return None


def _sides(draft: Draft) -> tuple[SideView, ...]:
    """The sides of the game to be, which may be others than those of this one."""
    each = zip(draft.rules.scoring_sides, draft.names, strict=True)
    return tuple(SideView(name, side, 0, 0, "") for side, name in each)


def _item(session: Session, line: Line) -> SetupItem:
    back = isinstance(line.leads_to, Act) and line.leads_to.action is Doing.BACK
    moment = point(session.record, line.number) if back else None
    return SetupItem(
        line.key,
        line.side,
        line.number,
        line.word,
        moment,
        line.text,
        line.value,
        line.figure,
        line.chosen_side,
        line.scores,
        line.marked,
    )
