"""A button box over Wi-Fi: its lines come from ``scorer radio``.

That process has checked their origin. The lines are those of a box on a serial port, and so is the
driver; only the waiting differs. A box that is not heard for two seconds is lost: its buttons count
as up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import monotonic
from typing import NamedTuple

from scorer.hw.inputs.box import BoxInput, LinePort, Silence, line_problems
from scorer.hw.ports import DeviceError, ignore_loss
from scorer.hw.serial.radio_port import SOCKET, RadioPort, radio_problems
from scorer.plain_values import Found

AWAY_AFTER = 2.0  # seconds without a line after which the box is lost
SILENCE = Silence(
    idle=AWAY_AFTER,
    held=AWAY_AFTER,
    kind="absent",
    at_first="it is not heard; is it switched on, and in the network of the table?",
    later="it is not heard any more; is it switched on, or the radio disturbed?",
)


class Options(NamedTuple):
    """The name of the box, and the names of its buttons in its order.

    An empty name of a button is a position without one. ``socket``: that of ``scorer radio``.
    """

    name: str
    lines: tuple[str, ...]
    socket: str = SOCKET

    def find_problems(self) -> Iterator[Found]:
        yield from radio_problems(self.name, self.socket)
        yield from line_problems(self.lines)

    @property
    def resource_id(self) -> str:
        """The box, which no other console can share."""
        return f"the box {self.name}"

    @property
    def repeats_held_buttons(self) -> bool:
        return True


def create(
    options: Options,
    *,
    now: Callable[[], float] = monotonic,
    gone: Callable[[DeviceError], None] = ignore_loss,
    port: Callable[[str, str], LinePort] = RadioPort,
) -> BoxInput:
    """Create a closed driver; ``now`` and ``gone`` are those of ``box.create``."""
    return BoxInput(options.lines, now, gone, port(options.name, options.socket), SILENCE)
