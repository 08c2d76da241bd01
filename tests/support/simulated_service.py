"""``scorer run`` on simulated pins, to be run with ``python -m``.

The whole service as a process, with mock pins under its real input driver and buses that accept
everything under its real display drivers. The file names the store and the socket.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING

from scorer.commands import run
from scorer.hw.displays.fake_bus import FakeWire, RecordingBus, RecordingSpi
from scorer.table import service
from scorer.table.loop_commands import LoopCommand
from scorer.table.main_loop import Inbox, PowerPort

if TYPE_CHECKING:
    from scorer.config.schema import ChosenDriver


def main(arguments: Sequence[str]) -> int:
    """Run the service with these arguments of ``scorer run``; return its exit code."""
    os.environ.setdefault("GPIOZERO_PIN_FACTORY", "mock")
    platform = service.Platform(simulated_seams, _build_power)
    return run.main(["--no-card", *arguments], platform)


def simulated_seams(device: ChosenDriver) -> Mapping[str, object]:
    """Simulated buses that accept everything."""
    wire = FakeWire(lambda message: None)
    if device.driver == "ws2812":
        return {"spi": RecordingSpi(wire, 0).device}
    if device.driver != "luma_oled":
        return {}
    if device.options.get("interface") == "spi":
        pin = device.options.get("gpio_dc", 7)
        assert isinstance(pin, int)
        bus = RecordingSpi(wire, pin)
        return {"spi": bus.device, "gpio": bus.lines}
    address = device.options.get("address", 0x3C)
    assert isinstance(address, int)
    return {"bus": RecordingBus({address: wire}).open}


class SimulatedPower:
    """A PowerPort that ends the table instead of the machine."""

    def __init__(self, on_command: Callable[[LoopCommand], None]) -> None:
        self._on_command = on_command

    def has_undervoltage(self, now: float) -> bool:
        return False

    def on_table_ready(self) -> None:
        """No-op: there is no shutdown to delay."""

    def switch_off(self) -> None:
        self._on_command(LoopCommand.SHUTTING_DOWN)


def _build_power(inbox: Inbox, stack: ExitStack) -> PowerPort:
    # A logind that is named is a simulated one too.
    if "DBUS_SYSTEM_BUS_ADDRESS" in os.environ:
        return service.build_power(inbox, stack)
    return SimulatedPower(inbox.put)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
