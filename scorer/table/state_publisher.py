"""Publishes the state of a table to its observers (state.md#table-keys)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final
from zlib import crc32

from scorer.rules import Side, state_document
from scorer.rules.rematches import BEST_OF
from scorer.session.values.question import question_document
from scorer.session.values.shown import series_game
from scorer.session.values.state import Session
from scorer.session.view.match_view import match_phase
from scorer.session.view.view import MatchPhase
from scorer.store.journal import Stamp
from scorer.table.observers import StateObserver

_STATES_OF_A_START: Final = 1 << 20  # numbers between two starts; a night has some thousands
_STARTS: Final = (1 << 30) - 1  # a number stays below 2**53, which every JSON reader knows


def first_number(stamp: Stamp) -> int:
    """The number of the first state of a table that starts at ``stamp``.

    Starts have different numbers, so that no client takes a state for one before a restart.
    """
    start = crc32(f"{stamp.boot} {stamp.monotonic_ms}".encode()) & _STARTS
    return start * _STATES_OF_A_START


def table_document(
    session: Session, seq: int, began: str | None = None, faults: Sequence[str] = ()
) -> dict[str, Any]:
    """The state document without its number; ``seq`` is the newest row of the journal.

    ``began``: UTC time of the first step of the game, if known; ``faults``: the marks of devices
    that are lost.
    """
    lamps = dict(zip("AB", session.settings.lamps, strict=True))
    rules = session.rules
    document = {
        **state_document(session.game),
        "seq": seq,
        "names": names_document(session),
        "lamps": lamps,
        "tally": session.settings.light.tally.points_a_shape(rules.target, rules.half),
    }
    if session.is_next_hand_shown:
        document["is_next_hand_shown"] = True
    # A rematch is listed only while it is offered.
    if (offered := series_game(session.rematches, BEST_OF)) is not None:
        document["next_game"] = offered.value
    if (change := change_document(session)) is not None:
        document["rule_change"] = change
    if faults:
        document["faults"] = list(faults)
    return {**document, "match": match_document(session, began)}


def change_document(session: Session) -> dict[str, Any] | None:
    """The change of rules that is chosen and not in force yet (state.md#table-keys)."""
    view, change = session.pending_change, session.game.change
    if view is None or change is None:
        return None
    return {
        "from": view.start,
        "target": view.target,
        "flor": view.has_flor,
        "variant": change.rules.variant.id,
        "options": dict(change.rules.chosen),
    }


def names_document(session: Session) -> dict[str, str]:
    """The names of the scoring sides, "" where none was chosen."""
    sides = session.rules.scoring_sides
    names = session.names or ("",) * len(sides)
    return {side.value: name for side, name in zip(sides, names, strict=True)}


def match_document(session: Session, began: str | None = None) -> dict[str, Any] | None:
    """The match in play, or the one that waits to be accepted (state.md#match)."""
    match, assigned = session.game.match, session.played_assignment
    agreed: tuple[Side, ...] = ()
    if session.offer is not None or (match is None and session.assignments):
        assigned, phase, began = session.assignments[-1], MatchPhase.OFFERED, None
        name = assigned.match.id
    elif match is not None:
        name, phase, agreed = match.id, match_phase(session), match.agreed
    else:
        return None
    return {
        "id": name,
        "rev": None if assigned is None else assigned.rev,
        "phase": phase,
        "agreed": list(agreed),
        "cap": None if assigned is None else assigned.cap_s,
        "tolerance": None if assigned is None else assigned.tolerance_s,
        "cap_start": None if assigned is None else assigned.cap_start,
        "began": began,
        **({} if assigned is None or not assigned.pages else {"pages": [*assigned.pages]}),
        **({"names": [*assigned.names]} if phase is MatchPhase.OFFERED and assigned else {}),
    }


class StatePublisher:
    """Publishes each state once, with a number of its own."""

    def __init__(self, observer: StateObserver, first: int) -> None:
        """``first``: the number before that of the first state."""
        self._observer, self.number = observer, first
        self._published: tuple[object, ...] | None = None

    def publish(
        self,
        session: Session,
        seq: int,
        began: str | None,
        wishes: Sequence[dict[str, Any]],
        faults: Sequence[str],
    ) -> None:
        """Publishes the state if anything in it changed."""
        newest = (
            *(seq, session.game, session.question, session.names, session.assignments, wishes),
            *(session.rematches, session.is_next_hand_shown, session.settings.light.tally, faults),
        )
        if newest != self._published:
            self._published, self.number = newest, self.number + 1
            document = table_document(session, seq, began, faults)
            if session.question is not None:
                sides = session.rules.scoring_sides
                document["question"] = question_document(session.question, sides, session.answerers)
            self._observer.set_wishes(wishes)
            self._observer.publish({**document, "number": self.number}, seq)
