"""What every input, display, lamp and buzzer must do, whoever makes it.

This file knows no library and no chip, and must never know what a line is called for: a name here
is an opaque word. A port fails in one way only, with ``DeviceError``; after one, ``open()`` again
starts afresh. Time is in seconds of a clock that never goes back, and comes in as an argument.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from PIL.Image import Image

Phrase = Sequence[tuple[float, float]]
"""What a buzzer plays: pairs of seconds on and seconds off."""


class DeviceError(Exception):
    """A device is absent or failed; the text says what an owner should look at.

    ``kind`` is a word for what panels say of a device that is plugged in: "absent", "forbidden",
    "taken", "silent", "version"; "" where nobody asks.
    """

    def __init__(self, text: str, kind: str = "") -> None:
        super().__init__(text)
        self.kind = kind


class Edge(NamedTuple):
    """A line changed its level; or is down still, told again by a device that cannot be asked."""

    time: float  # seconds, monotonic
    line: str  # the name given in the options, opaque here
    down: bool  # True: pressed; that a pressed button reads 0 is dealt with in the driver


class Presence(NamedTuple):
    """An input has come or gone. Its lines begin anew: what was under way with them is void."""

    time: float  # seconds, monotonic
    name: str  # of the input, as its owner calls it
    levels: Mapping[str, bool]  # of the lines it brings; all up when it has gone
    kind: str = (
        ""  # DeviceError's word for what is wrong, "lost" where it has none; "": it is there
    )
    why: str = ""  # a sentence for whoever looks after the machine

    @property
    def is_present(self) -> bool:
        return not self.kind


class InputSource(Protocol):
    """Lines that people press."""

    def open(self, emit: Callable[[Edge], None]) -> None:
        """Start to report. ``emit`` may be called from a driver's thread, so it only puts.

        Raises DeviceError; ``close()`` is then still allowed and ``open()`` may be tried again.
        """

    def levels(self) -> Mapping[str, bool]:
        """Every line, read again now; True is down. Raises DeviceError when they cannot be read.

        A device that cannot be asked tells what it reported last.
        """

    def is_alive(self) -> bool:
        """Whether edges still arrive: opened, and no thread of the driver has died."""

    def close(self) -> None:
        """Stop to report. Allowed twice, half-open, and on a device that has gone."""


class InputOptions(Protocol):
    """What the frozen dataclass ``Options`` of every input driver has, besides its own fields."""

    @property
    def lines(self) -> tuple[str, ...] | Mapping[str, int]:
        """The names of the buttons; the type of the field says which of two forms is given.

        ``tuple[str, ...]``: in the device's own order, "" for a place without a button.
        ``Mapping[str, int]``: each name with its pin (BCM number).
        """

    @property
    def resource_id(self) -> str:
        """The device, as a word that no other input shares: a port, a path. Never empty."""

    @property
    def repeats_held_buttons(self) -> bool:
        """Whether a held button is reported again and again, for a device without ``levels``."""


class CreateInput(Protocol):
    """The function ``create`` of every input driver. Further seams are keywords with defaults."""

    def __call__(
        self, options: InputOptions, /, *, gone: Callable[[DeviceError], None] = ...
    ) -> InputSource:
        """A closed driver. It calls ``gone`` once, from any thread, when an open device is lost."""


def ignore_loss(error: DeviceError) -> None:
    """The default of ``gone``: the caller asks ``is_alive`` instead."""


class Display(Protocol):
    """A panel of one-bit pixels, or a television."""

    @property
    def mode(self) -> str:
        """What its pictures are made of, as Pillow calls it: "1" for one bit, "RGB" in colour."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels of the pictures it takes, its rotation included.

        Of a display that finds out by opening it, a guess until then.
        """

    def open(self) -> None:
        """Initialise the chip: on, black, with the contrast last asked for. Raises DeviceError."""

    def show(self, image: Image) -> None:
        """Put a picture on the glass, of ``mode`` and ``size`` (else ValueError).

        Raises DeviceError.

        After a DeviceError nothing is known about the glass until ``open()``.
        """

    def contrast(self, level: int) -> None:
        """Set the brightness, 0-255 (else ValueError). Raises DeviceError."""

    def dark(self, dark: bool) -> None:
        """Switch the glass off or on; the picture is kept. Raises DeviceError."""

    def close(self) -> None:
        """Leave the panel dark. Allowed twice, half-open, and on a panel that has gone."""


class Lamp(Protocol):
    """A light that is on or off."""

    def open(self) -> None:
        """Take the line, dark. Raises DeviceError."""

    def set(self, lit: bool) -> None:
        """Light it or not. Raises DeviceError."""

    def close(self) -> None:
        """Leave it dark. Allowed twice and half-open."""


class Buzzer(Protocol):
    """A sound that is on or off. It has no clock: who owns it calls ``tick`` when it is due."""

    def open(self) -> None:
        """Take the line, silent. Raises DeviceError."""

    def play(self, phrase: Phrase, now: float) -> float | None:
        """Begin a phrase at once, in place of the one being played; never blocks.

        Returns the moment ``tick`` is due, None when there is nothing to wait for. Raises
        DeviceError.
        """

    def tick(self, now: float) -> float | None:
        """Do what is due at ``now``. Returns the next moment, None when silent. Raises DeviceError.

        A late tick delays the rest of the phrase; no sound of it is left out.
        """

    def stop(self) -> None:
        """Be silent now. Raises DeviceError."""

    def close(self) -> None:
        """Leave it silent. Allowed twice and half-open."""
