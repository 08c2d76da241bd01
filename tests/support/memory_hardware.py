"""The devices of a table as fakes: whole pictures, scripted buttons.

For the tests that look at pictures or break devices, without the drivers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scorer.hw.displays.fake_bus import Fault
from scorer.hw.outputs.memory import MemoryOutputs
from scorer.hw.simulated_clock import SimulatedClock
from scorer.session.input.keymap import buttons
from scorer.session.values.seating import CONSOLES
from scorer.session.values.settings import Layout
from tests.support.memory_display import MemoryDisplay
from tests.support.memory_display import Options as PanelOptions
from tests.support.scripted_input import Options as InputOptions
from tests.support.scripted_input import ScriptedInput


class MemoryHardware(MemoryOutputs):
    """A ``TableHardware`` of fakes. ``panels``: the size of each in pixels."""

    def __init__(
        self,
        panels: Sequence[tuple[int, int]] = ((128, 64),),
        consoles: int = 2,
        start: float = 0.0,
    ) -> None:
        self.clock = SimulatedClock(start)
        self.inputs = ScriptedInput(InputOptions(buttons(Layout.FULL, consoles)))
        self.displays: Mapping[str, MemoryDisplay] = {
            name: MemoryDisplay(PanelOptions(size))
            for name, size in zip(CONSOLES, panels, strict=False)
        }
        super().__init__(CONSOLES[:consoles])

    def set_pin(self, line: str | int, level: int, at: float) -> None:
        self.clock.set(at)
        self.inputs.feed(str(line), down=not level, at=at)

    def set_fault(self, panel: str, kind: str | None) -> None:
        self.displays[panel].set_fault(None if kind is None else Fault(kind))

    def take_messages(self) -> Sequence[tuple[str, bytes]]:
        """None: there is no bus."""
        return ()
