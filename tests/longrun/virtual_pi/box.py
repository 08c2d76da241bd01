"""The box on the table: a guest with the package on its card, two panels on its bus, fingers.

It presses by moving pins of the kernel, bouncing as contacts do, and looks at the glass. What a
press means it does not know.
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
CHARGE_PUMP = 0x8D  # luma begins an SSD1309 as it does an SSD1306, which has one
A, B = 0x3C, 0x3D  # the panels, by their addresses
PANELS = """
[[panel]]
address = 0x3C
side = "A"

[[panel]]
address = 0x3D
side = "B"
"""
# A box that has been played with: it does not begin by asking what is played here.
SETTINGS = f"""\
[table]
variant = "argentine"
language = "es-AR"
{PANELS}"""


class Box:
    """A guest that has been started. ``cable``: what has come over the bus since then."""

    def __init__(self, guest: Guest) -> None:
        self.guest = guest
        self._chance = Random(1)
        self.plug_in()

    def plug_in(self) -> None:
        """Looks at a bus that begins anew, after ``guest.start()``."""
        self.cable = Cable(self.guest.bus, {A: "ssd1309", B: "ssd1309"})

    def mend(self) -> None:
        """Everything as it is when nothing is broken."""
        for address in (0, A, B):
            self.panel(address, "answers")
        self.weak_supply(weak=False)

    def settle(self, settings: str = SETTINGS, *, forget: bool = True) -> None:
        """The table started with these settings, by default on an empty store."""
        self.guest.shell("systemctl stop scorer.socket scorer.service")
        if forget:
            self.guest.shell("rm -rf /var/lib/scorer/*")
        self.guest.write("/etc/scorer/scorer.toml", settings)
        self.guest.shell("systemctl start scorer.socket scorer.service")
        self.wait_until_drawn()

    def wait_until_drawn(self) -> None:
        """Until both panels show something, and nothing more is on its way."""
        self.guest.wait_for(lambda: all(self.cable.picture(panel).getbbox() for panel in (A, B)))
        self.rest()

    def rest(self) -> None:
        """Until nothing has come over the bus for a moment. Not for pictures that blink."""
        self.cable.look()
        while self.guest.now(QUIET) and self.cable.look():
            pass

    def pending(self) -> str | None:
        """The call that waits for its answer."""
        waits = self.state()["pending"]
        return None if waits is None else str(waits["call"])

    def waits_for(self, call: str | None, seconds: float = 5.0) -> None:
        """Until this call waits for its answer, or none does."""
        self.guest.wait_for(lambda: self.pending() == call, seconds, f"{call} waits")

    # ---- fingers ---------------------------------------------------------------------------------

    def press(self, *buttons: str, held: float = TAP, apart: float = 0.0) -> list[float]:
        """Fingers on buttons, each so many seconds after the one before; the guest's clock."""
        edges: list[PinEdge] = []
        for number, button in enumerate(buttons):
            edges += press_edges(button, number * apart, held, self._chance)
        return self.move(sort_edges(edges))

    def hold(self, *buttons: str) -> list[float]:
        """Fingers that stay."""
        return self.move(
            [edge for button in buttons for edge in close_contact(button, 0.0, self._chance)]
        )

    def let_go(self, *buttons: str) -> list[float]:
        """Those fingers are lifted."""
        return self.move(
            [edge for button in buttons for edge in open_contact(button, 0.0, self._chance)]
        )

    def move(self, edges: Sequence[PinEdge], until: float | None = None) -> list[float]:
        """Edges in the order of their times; the guest's clock at each."""
        ends = [edge.time for edge in edges[1:]] + [until or (edges[-1].time if edges else 0.0)]
        return self.guest.levels(
            [
                (PINS[edge.line], bool(edge.level), max(0.0, end - edge.time))
                for edge, end in zip(edges, ends, strict=True)
            ]
        )

    def power_button(self, held: float = 3.0) -> None:
        """A finger on the power button, for so long; the machine may be off when it is lifted."""
        levels: list[Level] = [(POWER_BUTTON, False, held), (POWER_BUTTON, True, 0.0)]
        with contextlib.suppress(GuestError):
            self.guest.levels(levels)

    # ---- wires -----------------------------------------------------------------------------------

    def panel(self, address: int, conduct: str) -> None:
        """What a panel does from now on, in the words of virtual_bus.c; 0 is the bus itself."""
        self.guest.shell(f"echo '{address:x} {conduct}' > /dev/virtual-bus")

    def weak_supply(self, *, weak: bool) -> None:
        """The sensor of the supply."""
        self.guest.shell(f"echo {int(weak)} > /sys/module/virtual_supply/parameters/weak")

    def inject(self, line: str) -> None:
        """Runs a line of Python in the table, as a fault might; no double quotes in it."""
        pid = self.show("scorer", "MainPID")["MainPID"]
        told = self.guest.shell(f"virtual-inject {pid} {shlex.quote(line)} 2>&1")
        assert "= 0" in told, told

    # ---- eyes ------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """What the table says of its game to whoever asks."""
        return dict(self.guest.ask({"table": []})["state"])

    def request(self, **request: object) -> dict[str, Any]:
        """The table's answer to one request over its socket."""
        return dict(self.guest.ask({"table": [request]})["replies"][0])

    def score(self) -> dict[str, int]:
        """Points by side."""
        return dict(self.state()["score"])

    def pictures(self) -> dict[int, bytes]:
        """What is on both glasses."""
        return {panel: self.cable.pixels(panel) for panel in (A, B)}

    def shows(self, pictures: Mapping[int, bytes], seconds: float = 5.0) -> float:
        """Waits until these are on the glass; the guest's clock then."""
        return self.guest.wait_for(
            lambda: all(self.cable.pixels(panel) == pictures[panel] for panel in pictures),
            seconds,
            "the pictures",
        )

    def restarts(self) -> int:
        """How often systemd had to start the table again."""
        return int(self.show("scorer", "NRestarts")["NRestarts"])

    def ready_at(self) -> float:
        """When the table was last ready, by the guest's clock; 0.0 where it is not."""
        shown = self.show("scorer", "ActiveState", "ActiveEnterTimestampMonotonic")
        if shown["ActiveState"] != "active":
            return 0.0
        return int(shown["ActiveEnterTimestampMonotonic"]) / 1e6

    def show(self, unit: str, *properties: str) -> dict[str, str]:
        """Properties of a unit, by name."""
        asked = " ".join(f"--property {name}" for name in properties)
        lines = self.guest.shell(f"systemctl show {unit} {asked}").splitlines()
        return dict(line.split("=", 1) for line in lines)

    def chips(self) -> list[SimulatedChip]:
        """The chips of both panels."""
        return [self.cable.chip(panel) for panel in (A, B)]

    def not_understood(self) -> set[int]:
        """Commands that the chips do not know, and ignored."""
        return {command for chip in self.chips() for command in chip.unknown}

    def first_message(self, address: int, after: float) -> Message | None:
        """The first that a panel acknowledged after a moment of the guest's clock."""
        self.cable.look()
        said = (m for m in self.cable.messages if m.address == address and not m.error)
        return next((message for message in said if message.at >= after), None)
