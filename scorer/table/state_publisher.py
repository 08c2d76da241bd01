"""Publishes the state of a table to its observers (state.md#table-keys)."""

from __future__ import annotations

from typing import Any

from scorer.rules import state_document
from scorer.session.question import question_document
from scorer.session.state import Session
from scorer.table.observers import StateObserver


def table_document(session: Session, seq: int) -> dict[str, Any]:
    """The state document; ``seq`` is the newest row of the journal."""
    sides = session.rules.scoring_sides
    names = dict(zip(sides, session.names or ("",) * len(sides), strict=True))
    lamps = dict(zip("AB", session.settings.lamps, strict=True))
    return {**state_document(session.game), "seq": seq, "names": names, "lamps": lamps}


class StatePublisher:
    """Publishes each state once."""

    def __init__(self, observer: StateObserver) -> None:
        self._observer = observer
        self._published: tuple[object, ...] | None = None

    def publish(self, session: Session, seq: int) -> None:
        """Publishes the state if the journal, the game, the names or the question changed."""
        newest = (seq, session.game, session.question, session.names)
        if newest != self._published:
            self._published = newest
            document = {**table_document(session, seq), **_question_document(session)}
            self._observer.publish(document, seq)


def _question_document(session: Session) -> dict[str, Any]:
    """The pending question under its key, if there is one."""
    if session.question is None:
        return {}
    sides = session.rules.scoring_sides
    return {"question": question_document(session.question, sides)}
