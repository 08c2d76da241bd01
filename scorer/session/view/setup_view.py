"""Builds the SetupView of an open set-up."""

from __future__ import annotations

from scorer.session.values.game_draft import Draft
from scorer.session.values.keys import PlainKey
from scorer.session.values.record import Record
from scorer.session.values.setup_view import (
    AgreementView,
    ListView,
    MenuLine,
    SetupContent,
    SetupView,
)
from scorer.session.values.shown import SideView
from scorer.session.values.state import Session, Setup
from scorer.session.view.history import history_point


def setup_view(session: Session, setup: Setup) -> SetupView:
    """The view of set-up."""
    level = setup.level
    view = level.view(session)
    return view._replace(
        content=_with_moments(session.record, view.content),
        sides=() if level.draft is None else _sides(level.draft),
        is_first_run=setup.is_first_run,
    )


def _with_moments(record: Record, content: SetupContent) -> SetupContent:
    match content:
        case ListView():
            items = tuple(_with_moment(record, line) for line in content.items)
            return content._replace(items=items)
        case AgreementView():
            return content._replace(line=_with_moment(record, content.line))
        case _:
            return content


def _with_moment(record: Record, line: MenuLine) -> MenuLine:
    """A point of the game is described by its line of the history."""
    if line.key is not PlainKey.POINT:
        return line
    return line._replace(moment=history_point(record, line.number))


def _sides(draft: Draft) -> tuple[SideView, ...]:
    """The sides of the drafted game, which may differ from the current ones."""
    each = zip(draft.rules.scoring_sides, draft.names, strict=True)
    return tuple(SideView(name, side, 0, 0) for side, name in each)
