"""An active buzzer on a pin: it sounds while the pin is on.

Passive buzzers are not supported: tones generated in software jitter and cost CPU time.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import NamedTuple

from scorer.hw.outputs.player import PhrasePlayer
from scorer.hw.outputs.switch import Switch, pin_problems
from scorer.hw.ports import DeviceError, Phrase
from scorer.plain_values import Found


class Options(NamedTuple):
    """``pin``: BCM number; ``active_high``: a high level sounds."""

    pin: int
    active_high: bool = True

    def find_problems(self) -> Iterator[Found]:
        return pin_problems(self.pin)


def create(options: Options, *, pin_factory: object = None) -> GpioBuzzer:
    """Create a closed driver; ``pin_factory`` replaces the Pi's own pins."""
    return GpioBuzzer(options, pin_factory)


class GpioBuzzer:
    """A Buzzer on one pin."""

    def __init__(self, options: Options, pin_factory: object) -> None:
        self._switch = Switch("the buzzer", options.pin, options.active_high, pin_factory)
        self._player = PhrasePlayer(self._switch.set)

    def open(self) -> None:
        self._switch.open()

    def play(self, phrase: Phrase, now: float) -> float | None:
        return self._player.play(phrase, now)

    def tick(self, now: float) -> float | None:
        return self._player.tick(now)

    def stop(self) -> None:
        self._player.stop()

    def close(self) -> None:
        # The rest of a phrase must not sound after the pin is claimed again.
        with contextlib.suppress(DeviceError):
            self._player.stop()
        self._switch.close()
