"""Presses buttons on the virtual Pi, each as soon as the last one is displayed."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from tests.longrun.power_cuts.frame_watcher import Mark, states_in
from tests.longrun.power_cuts.player import Player
from tests.longrun.virtual_pi.box import Box

# Seconds of the guest's clock, which is slower than the host's on a busy machine.
QUIET = 0.25  # without a message on the bus: the picture is finished
GLANCE = 0.02  # between two looks at the socket's output
HOPE = 1.0  # for a press to be stored; a refused one never is
HURRY = 0.2  # share of the presses that are not waited for


class Playing:
    """Presses buttons, each when the last one is on the panels, or sooner."""

    def __init__(self, box: Box, told: Path, seed: int) -> None:
        self._box, self._told = box, told
        self._player, self._chance = Player(seed), Random(seed)
        self.presses = 0
        self.marks: list[Mark] = []
        self._since = 0  # presses since the last mark

    def play(self, presses: int) -> None:
        state = self._box.state()
        self._finish(state["seq"], still=True)
        while self.presses < presses:
            before = state["seq"]
            buttons = self._player.next(state)
            self._box.press(*buttons, held=0.04, apart=0.1)
            self.presses += len(buttons)
            self._since += len(buttons)
            if self._chance.random() > HURRY:
                state = self._finish(before)
        self._finish(before)

    def _finish(self, before: int, *, still: bool = False) -> Any:  # noqa: ANN401 - a document
        """Wait for a row after ``before`` or a timeout, and for a quiet bus."""
        guest = self._box.guest
        until = guest.now() + HOPE
        while not still and self._state()["seq"] <= before and guest.now(GLANCE) < until:
            continue
        state = self._box.state() if still else self._state()
        self._wait_for_quiet()
        # A picture newer than the row it is attributed to makes the check weaker, never wrong.
        size = self._box.guest.bus.stat().st_size
        self.marks.append(Mark(size, state["seq"], alone=self._since == 1))
        self._since = 0
        return state

    def _wait_for_quiet(self) -> None:
        guest, size = self._box.guest, -1
        while (now := guest.bus.stat().st_size) != size:
            size = now
            guest.now(QUIET)

    def _state(self) -> Any:  # noqa: ANN401 - a document
        """The newest published state."""
        lines = self._told.read_bytes().rpartition(b"\n")[0].split(b"\n")
        return next(states_in(reversed(lines)), None) or self._box.state()
