"""The table in a guest: the installed package, two panels, and buttons.

Presses move pins of the kernel, with contact bounce; pictures are read from the bus.
"""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from scorer.config.pin_map import BUTTONS, THIRD_CONSOLE
from scorer.demo.buttons import TAP, PinEdge, close_contact, open_contact, press_edges, sort_edges
from scorer.hw.displays.chip_simulator import SimulatedChip
from tests.longrun.virtual_pi.bus import Cable, Message
from tests.longrun.virtual_pi.guest import Guest, GuestError, Level

PINS = {**BUTTONS, **THIRD_CONSOLE}
POWER_BUTTON = 4
QUIET = 0.5  # seconds
CHARGE_PUMP = 0x8D  # luma initialises an SSD1309 like an SSD1306, which has a charge pump
A, B = 0x3C, 0x3D  # the addresses of the panels
PANELS = """
[[panel]]
address = 0x3C
side = "A"

[[panel]]
address = 0x3D
side = "B"
"""
# A configured box: it does not start with the first-run questions.
SETTINGS = f"""\
[table]
variant = "argentine"
language = "es-AR"
{PANELS}"""


class Box:
    """A guest that has been started. ``cable``: the bus traffic since then."""

    def __init__(self, guest: Guest) -> None:
        self.guest = guest
        self._chance = Random(1)
        self.plug_in()

    def plug_in(self) -> None:
        """Attach to a new bus, after ``guest.start()``."""
        self.cable = Cable(self.guest.bus, {A: "ssd1309", B: "ssd1309"})

    def mend(self) -> None:
        """Remove all faults."""
        for address in (0, A, B):
            self.panel(address, "answers")
        self.weak_supply(weak=False)

    def settle(self, settings: str = SETTINGS, *, forget: bool = True) -> None:
        """Start the table with these settings, by default on an empty store."""
        self.guest.shell("systemctl stop scorer.socket scorer.service")
        if forget:
            self.guest.shell("rm -rf /var/lib/scorer/*")
        self.guest.write("/etc/scorer/scorer.toml", settings)
        self.guest.shell("systemctl start scorer.socket scorer.service")
        self.wait_until_drawn()

    def wait_until_drawn(self) -> None:
        """Wait until both panels show something and the bus is idle."""
        self.guest.wait_for(lambda: all(self.cable.picture(panel).getbbox() for panel in (A, B)))
        self.rest()

    def rest(self) -> None:
        """Wait until the bus is idle for ``QUIET`` seconds. Not for blinking pictures."""
        self.cable.look()
        while self.guest.now(QUIET) and self.cable.look():
            pass

    def pending(self) -> str | None:
        """The call that waits for its answer."""
        waits = self.state()["pending"]
        return None if waits is None else str(waits["call"])

    def waits_for(self, call: str | None, seconds: float = 5.0) -> None:
        """Wait until this call is pending, or none is."""
        self.guest.wait_for(lambda: self.pending() == call, seconds, f"{call} waits")

    # ---- buttons ---------------------------------------------------------------------------------

    def press(self, *buttons: str, held: float = TAP, apart: float = 0.0) -> list[float]:
        """Press buttons ``apart`` seconds apart; return the guest times of the edges."""
        edges: list[PinEdge] = []
        for number, button in enumerate(buttons):
            edges += press_edges(button, number * apart, held, self._chance)
        return self.move(sort_edges(edges))

    def hold(self, *buttons: str) -> list[float]:
        """Press buttons and keep them down."""
        return self.move(
            [edge for button in buttons for edge in close_contact(button, 0.0, self._chance)]
        )

    def let_go(self, *buttons: str) -> list[float]:
        """Release buttons."""
        return self.move(
            [edge for button in buttons for edge in open_contact(button, 0.0, self._chance)]
        )

    def move(self, edges: Sequence[PinEdge], until: float | None = None) -> list[float]:
        """Play edges in the order of their times; return the guest's clock at each."""
        ends = [edge.time for edge in edges[1:]] + [until or (edges[-1].time if edges else 0.0)]
        return self.guest.levels(
            [
                (PINS[edge.line], bool(edge.level), max(0.0, end - edge.time))
                for edge, end in zip(edges, ends, strict=True)
            ]
        )

    def power_button(self, held: float = 3.0) -> None:
        """Press the power button; the machine may be off before it is released."""
        levels: list[Level] = [(POWER_BUTTON, False, held), (POWER_BUTTON, True, 0.0)]
        with contextlib.suppress(GuestError):
            self.guest.levels(levels)

    # ---- wires -----------------------------------------------------------------------------------

    def panel(self, address: int, conduct: str) -> None:
        """Set the conduct of a panel, in the words of virtual_bus.c; 0 is the bus itself."""
        self.guest.shell(f"echo '{address:x} {conduct}' > /dev/virtual-bus")

    def weak_supply(self, *, weak: bool) -> None:
        """Set the undervoltage sensor."""
        self.guest.shell(f"echo {int(weak)} > /sys/module/virtual_supply/parameters/weak")

    def inject(self, line: str) -> None:
        """Run a line of Python in the table process; it must not contain double quotes."""
        pid = self.show("scorer", "MainPID")["MainPID"]
        output = self.guest.shell(f"virtual-inject {pid} {shlex.quote(line)} 2>&1")
        assert "= 0" in output, output

    # ---- state -----------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """The state document of the table."""
        return dict(self.guest.ask({"table": []})["state"])

    def request(self, **request: object) -> dict[str, Any]:
        """The table's reply to one request over its socket."""
        return dict(self.guest.ask({"table": [request]})["replies"][0])

    def score(self) -> dict[str, int]:
        """Points by side."""
        return dict(self.state()["score"])

    def pictures(self) -> dict[int, bytes]:
        """The pixels on both panels."""
        return {panel: self.cable.pixels(panel) for panel in (A, B)}

    def shows(self, pictures: Mapping[int, bytes], seconds: float = 5.0) -> float:
        """Wait until the panels show these pictures; return the guest's clock."""
        return self.guest.wait_for(
            lambda: all(self.cable.pixels(panel) == pictures[panel] for panel in pictures),
            seconds,
            "the pictures",
        )

    def restarts(self) -> int:
        """How often systemd has restarted the table."""
        return int(self.show("scorer", "NRestarts")["NRestarts"])

    def ready_at(self) -> float:
        """When the table was last ready, by the guest's clock; 0.0 if it is not."""
        shown = self.show("scorer", "ActiveState", "ActiveEnterTimestampMonotonic")
        if shown["ActiveState"] != "active":
            return 0.0
        return int(shown["ActiveEnterTimestampMonotonic"]) / 1e6

    def show(self, unit: str, *properties: str) -> dict[str, str]:
        """Properties of a unit, by name."""
        options = " ".join(f"--property {name}" for name in properties)
        lines = self.guest.shell(f"systemctl show {unit} {options}").splitlines()
        return dict(line.split("=", 1) for line in lines)

    def chips(self) -> list[SimulatedChip]:
        """The chips of both panels."""
        return [self.cable.chip(panel) for panel in (A, B)]

    def not_understood(self) -> set[int]:
        """Commands that the chips do not know, and ignored."""
        return {command for chip in self.chips() for command in chip.unknown}

    def first_message(self, address: int, after: float) -> Message | None:
        """The first message acknowledged by a panel after ``after`` (guest's clock)."""
        self.cable.look()
        acknowledged = (m for m in self.cable.messages if m.address == address and not m.error)
        return next((message for message in acknowledged if message.at >= after), None)
