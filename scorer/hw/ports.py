"""Protocols of inputs, displays, lamps and buzzers.

Line names are opaque. The only exception is ``DeviceError``; after one, ``open()`` again resets the
device. Times are seconds of a monotonic clock, passed as arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

if TYPE_CHECKING:
    from PIL.Image import Image

Phrase = Sequence[tuple[float, float]]
"""What a buzzer plays: pairs of seconds on and seconds off."""


class Wire(NamedTuple):
    """A wire of a device on a pin of the header (BCM number).

    ``name``: in messages; wires of one bus, which devices share, have one name. ``keys``: of the
    options that put it there; the first that the owner has written, else the last, is to blame.
    ``rests_high``: the level of an output that is off; None for a wire of a bus.
    """

    pin: int
    name: str
    keys: tuple[str, ...]
    rests_high: bool | None = None


class DeviceError(Exception):
    """A device is absent or failed; the text tells the owner what to check.

    ``kind`` selects what panels show for a hotplug device: "absent", "forbidden", "taken",
    "silent", "version". Of an output on a pin it is "closed" while it was not opened, "no_pins" if
    the machine has no pins at all; "" otherwise.
    """

    def __init__(self, text: str, kind: str = "") -> None:
        super().__init__(text)
        self.kind = kind


class Edge(NamedTuple):
    """A line changed its level, or a repeat from a device that cannot report levels."""

    time: float  # seconds, monotonic
    line: str  # the name given in the options, opaque here
    down: bool  # True: pressed; drivers invert active-low pins


class InputPresence(NamedTuple):
    """An input was connected or lost, or its battery is low or charged.

    Pending gestures on the lines in ``levels`` are void.
    """

    time: float  # seconds, monotonic
    name: str  # configured name of the input
    levels: Mapping[str, bool]  # of its lines; all up if it is lost
    kind: str = ""  # DeviceError.kind, "lost" if that is empty; "" while present
    why: str = ""  # a sentence for the operator
    low_battery: int | None = None  # its percent, if it has to be charged

    @property
    def is_present(self) -> bool:
        return not self.kind


class InputSource(Protocol):
    """Button lines."""

    def open(self, emit: Callable[[Edge], None]) -> None:
        """Start to report. ``emit`` may be called from a driver thread.

        It must only enqueue. Raises DeviceError; ``close()`` is then still allowed and ``open()``
        may be tried again.
        """

    def levels(self) -> Mapping[str, bool]:
        """The current level of every line; True is down. Raises DeviceError.

        A device whose lines cannot be read returns the levels it reported last.
        """

    def is_alive(self) -> bool:
        """Whether edges still arrive: it is open, and no thread of the driver has died."""

    def close(self) -> None:
        """Stop to report. Idempotent; allowed after a failed open and on a lost device."""


@runtime_checkable
class BatteryInput(Protocol):
    """An InputSource that may have a battery."""

    def watch_battery(self, report: Callable[[int | None], None]) -> None:
        """Report its percent when it is low, and None when it is charged again.

        ``report`` may be called from a driver thread, also within ``open``.
        """


class InputOptions(Protocol):
    """Common members of ``Options`` of every input driver."""

    @property
    def lines(self) -> tuple[str, ...] | Mapping[str, int]:
        """The names of the buttons, in the form that the field's type selects.

        ``tuple[str, ...]``: in the device's own order, "" for a position without a button.
        ``Mapping[str, int]``: each name with its pin (BCM number).
        """

    @property
    def resource_id(self) -> str:
        """The device, as a word that no other input shares: a port, a path. Never empty."""

    @property
    def repeats_held_buttons(self) -> bool:
        """Whether held buttons are repeated, because the device cannot report levels."""


class InputDriver(Protocol):
    """What the module of every input driver has, besides ``Options``."""

    def create(
        self, options: InputOptions, /, *, gone: Callable[[DeviceError], None], **seams: object
    ) -> InputSource:
        """Create a closed driver, which calls ``gone`` once, from any thread, on a loss.

        ``gone`` and the seams, which are keywords of the driver's own, have defaults.
        """


def ignore_loss(error: DeviceError) -> None:
    """Ignore the loss: the caller polls ``is_alive`` instead."""


class Display(Protocol):
    """A panel of one-bit pixels, or a television."""

    @property
    def mode(self) -> str:
        """The Pillow mode of its pictures: "1" for one bit, "RGB" for colour."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels of its pictures, after rotation.

        An estimate before ``open()`` if the display is measured by opening it.
        """

    def open(self) -> None:
        """Initialise the chip: on, black, with the last contrast set. Raises DeviceError."""

    def show(self, image: Image) -> None:
        """Display a picture of ``mode`` and ``size`` (else ValueError).

        Raises DeviceError. After a DeviceError the content of the panel is unknown until
        ``open()``.
        """

    def contrast(self, level: int) -> None:
        """Set the brightness, 0-255 (else ValueError). Raises DeviceError."""

    def dark(self, dark: bool) -> None:
        """Switch the panel off or on; the picture is kept. Raises DeviceError.

        Switched on, it shows the picture even if its controller has lost its memory meanwhile.
        """

    def has_memory(self) -> bool | None:
        """Whether its controller kept its memory; None if it cannot tell.

        Raises DeviceError.
        """

    def refresh(self) -> None:
        """Send settings and picture again, with no visible change if they were right.

        Raises DeviceError.
        """

    def close(self) -> None:
        """Leave the panel dark.

        Idempotent; allowed after a failed open and on a lost panel.
        """


class Lamp(Protocol):
    """A light that is on or off."""

    def open(self) -> None:
        """Claim the line, dark. Raises DeviceError."""

    def set(self, lit: bool) -> None:
        """Switch it on or off. Raises DeviceError."""

    def close(self) -> None:
        """Leave it dark. Idempotent; allowed after a failed open."""


class Buzzer(Protocol):
    """A sound that is on or off. It has no clock: the caller calls ``tick`` when due."""

    def open(self) -> None:
        """Claim the line, silent. Raises DeviceError."""

    def play(self, phrase: Phrase, now: float) -> float | None:
        """Begin a phrase at once, replacing the current one; never blocks.

        Returns the time at which ``tick`` is due, None if there is nothing to wait for. Raises
        DeviceError.
        """

    def tick(self, now: float) -> float | None:
        """Play what is due at ``now``; return the next due time, None when silent.

        Raises DeviceError. A late tick delays the rest of the phrase and omits no sound.
        """

    def stop(self) -> None:
        """Be silent now. Raises DeviceError."""

    def close(self) -> None:
        """Leave it silent. Idempotent; allowed after a failed open."""
