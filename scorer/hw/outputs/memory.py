"""Fakes of the outputs that record.

A lamp, a buzzer and a light with colours for simulation and tests.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

from scorer.hw.outputs.player import PhrasePlayer
from scorer.hw.ports import DeviceError, Phrase

if TYPE_CHECKING:
    from scorer.hw.outputs.colour_light import Colour

T = TypeVar("T")
MAX_REMEMBERED = 1000  # entries of each, the newest: a simulator may run for weeks


class MemorySwitch:
    """An output that is on or off. ``absent`` makes it fail like an unavailable pin."""

    def __init__(self) -> None:
        self.on = False
        self.history: deque[bool] = deque(maxlen=MAX_REMEMBERED)
        self.absent = False
        self._is_open = False

    def open(self) -> None:
        self.close()
        if self.absent:
            raise DeviceError("the remembered output is not there")
        self._is_open = True

    def set(self, on: bool) -> None:
        if not self._is_open:
            raise DeviceError("the remembered output is not open", "closed")
        if self.absent:
            raise DeviceError("the remembered output is not there")
        self.on = on
        self.history.append(on)

    def close(self) -> None:
        self.on = False
        self._is_open = False


class MemoryLamp(MemorySwitch):
    """A Lamp: ``on`` is its state, ``history`` all states set."""


class MemoryBuzzer:
    """A Buzzer: its state is in ``switch``, the phrases to play in ``phrases``."""

    def __init__(self) -> None:
        self.switch = MemorySwitch()
        self.phrases: deque[tuple[float, tuple[tuple[float, float], ...]]]
        self.phrases = deque(maxlen=MAX_REMEMBERED)
        self._player = PhrasePlayer(self.switch.set)

    def open(self) -> None:
        self.switch.open()

    def play(self, phrase: Phrase, now: float) -> float | None:
        due = self._player.play(phrase, now)
        self.phrases.append((now, tuple(phrase)))
        return due

    def tick(self, now: float) -> float | None:
        return self._player.tick(now)

    def stop(self) -> None:
        self._player.stop()

    def close(self) -> None:
        self.switch.close()
        self._player = PhrasePlayer(self.switch.set)


class MemoryOutputs:
    """The lamps and the buzzer of a simulated table."""

    def __init__(self, lamps: Iterable[str]) -> None:
        self.lamp_drivers = {name: MemoryLamp() for name in lamps}
        self.buzzer = MemoryBuzzer()

    def lamps(self) -> dict[str, bool]:
        """Whether each lamp is lit."""
        return {name: lamp.on for name, lamp in self.lamp_drivers.items()}

    def take_sounds(self) -> list[tuple[float, tuple[tuple[float, float], ...]]]:
        """The phrases begun since the last call, each with its start in seconds."""
        taken = list(self.buzzer.phrases)
        self.buzzer.phrases.clear()
        return taken


class MemoryValues(Generic[T]):
    """A device that follows the newest values; ``on_put`` is called after each write."""

    def __init__(self, on_put: Callable[[], object] = lambda: None) -> None:
        self.value: tuple[T, ...] = ()
        self.writes, self.fault, self._on_put = 0, "", on_put

    def put(self, value: tuple[T, ...]) -> None:
        self.value = value
        self.writes += 1
        self._on_put()


MemoryLevels = MemoryValues[int]  # the lamps of a chip of lit buttons


class MemoryLight:
    """A ColourLight: ``frame`` is its state; ``absent`` makes it fail."""

    def __init__(self, pixel_count: int) -> None:
        self.pixel_count = pixel_count
        self.absent = False
        self.writes = 0
        self.frame: tuple[Colour, ...] = ((0, 0, 0),) * pixel_count
        self._is_open = False

    def open(self) -> None:
        self.close()
        if self.absent:
            raise DeviceError("the remembered light is not there")
        self._is_open = True

    def show(self, frame: Sequence[Colour]) -> None:
        if not self._is_open or self.absent:
            raise DeviceError("the remembered light is not open")
        self.writes += 1
        self.frame = tuple(frame)

    def close(self) -> None:
        self.frame = ((0, 0, 0),) * self.pixel_count
        self._is_open = False
