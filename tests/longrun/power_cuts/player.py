"""A player that presses without end: the next buttons, from the state and a seed."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

Document = Mapping[str, Any]
Buttons = tuple[str, ...]  # tapped one after the other

_RIVAL = {"A": "B", "B": "A"}
_LADDER = ("truco", "retruco", "vale_cuatro")


class Player:
    """Plays both teams of the Argentine game. The same seed plays the same way."""

    def __init__(self, seed: int) -> None:
        self._chance = Random(seed)
        self._seq = -1

    def next(self, state: Document) -> Buttons:
        """The buttons pressed next, one or two."""
        stuck, self._seq = state["seq"] == self._seq, state["seq"]
        if stuck and self._chance.random() < 0.5:
            # The last press had no effect: a question is pending, or it was refused.
            return (self._either("quiero"),)
        if self._chance.random() < 0.1:
            return ("undo",)
        return self._by_phase(str(state["phase"]), state)

    def _by_phase(self, phase: str, state: Document) -> Buttons:
        if phase in ("game_over", "match_over"):
            return ("A.quiero", "B.quiero")
        if phase.startswith("pending"):
            return self._answer(_RIVAL[state["pending"]["by"]])
        if phase.startswith("awaiting"):
            return (self._either("tantos"),)
        return self._call(state)

    def _answer(self, team: str) -> Buttons:
        says = ("quiero", "quiero", "no_quiero", "truco", "envido", "tantos")
        return (f"{team}.{self._chance.choice(says)}",)

    def _call(self, state: Document) -> Buttons:
        legal = [(team, act) for team, act in state["legal"] if team in _RIVAL]
        calls = [f"{team}.envido" for team, act in legal if act == "envido"]
        calls += [f"{team}.truco" for team, act in legal if act in _LADDER]
        calls += ["A.tantos", "B.tantos"]
        first = self._chance.choice(calls)
        if first.endswith("truco") and self._chance.random() < 0.3:
            # Call and acceptance at once: two commits close together.
            return (first, f"{_RIVAL[first[0]]}.quiero")
        return (first,)

    def _either(self, word: str) -> str:
        return f"{self._chance.choice('AB')}.{word}"
