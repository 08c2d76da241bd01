"""Builds the SetupView of an open set-up."""

from __future__ import annotations

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
    level, draft = setup.level, setup.level.draft
    view = level.view(session)
    named = () if draft is None else zip(draft.rules.scoring_sides, draft.names, strict=True)
    return view._replace(
        content=_with_moments(session.record, view.content),
        # Those of the drafted game, which may differ from the current ones.
        sides=tuple(SideView(name, side, 0, 0) for side, name in named),
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
