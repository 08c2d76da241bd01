"""The devices of a table in a page: whole pictures, touched buttons, no drivers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from scorer.hw.outputs.memory import MemoryOutputs
from scorer.hw.ports import DeviceError, Edge
from scorer.hw.simulated_clock import SimulatedClock

if TYPE_CHECKING:
    from PIL.Image import Image

SIZE = (128, 64)  # pixels of a panel
DIM = 0x40  # a lower contrast means a panel dimmed after inactivity


class PagePanel:
    """A Display that keeps its picture. Without its cable it fails and is black."""

    mode = "1"
    size = SIZE

    def __init__(self) -> None:
        self.is_plugged = True
        self.is_dim = False
        self._picture = self._black = bytes(SIZE[0] * SIZE[1] // 8)
        self._is_dark = self._has_memory = False

    @property
    def bits(self) -> bytes:
        """The visible picture, eight pixels a byte, rows from the top."""
        is_lit = self.is_plugged and self._has_memory and not self._is_dark
        return self._picture if is_lit else self._black

    def plug(self, *, is_plugged: bool) -> None:
        """Plug or unplug the cable. Without it the controller loses its memory."""
        self.is_plugged = is_plugged
        self._has_memory = self._has_memory and is_plugged

    def open(self) -> None:
        self._check_cable()
        self._picture, self._is_dark, self._has_memory = self._black, False, True

    def show(self, image: Image) -> None:
        self._check_cable()
        self._picture = image.tobytes()

    def contrast(self, level: int) -> None:
        self._check_cable()
        self.is_dim = level < DIM

    def dark(self, dark: bool) -> None:
        self._check_cable()
        self._has_memory = self._has_memory or not dark
        self._is_dark = dark

    def has_memory(self) -> bool:
        self._check_cable()
        return self._has_memory

    def refresh(self) -> None:
        self._check_cable()
        self._has_memory = True

    def close(self) -> None:
        """Nothing is open."""

    def _check_cable(self) -> None:
        if not self.is_plugged:
            raise DeviceError("the cable of the panel is unplugged")


class PageButtons:
    """An InputSource that the page moves."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._levels = dict.fromkeys(lines, False)
        self._emit: Callable[[Edge], None] | None = None

    def set(self, line: str, *, is_down: bool, at: float) -> None:
        """Move a button. A closed source keeps the level. Raises KeyError."""
        if self._levels[line] != is_down:
            self._levels[line] = is_down
            if self._emit is not None:
                self._emit(Edge(at, line, is_down))

    def open(self, emit: Callable[[Edge], None]) -> None:
        self._emit = emit

    def levels(self) -> Mapping[str, bool]:
        return dict(self._levels)

    def is_alive(self) -> bool:
        return self._emit is not None

    def close(self) -> None:
        self._emit = None


class PageHardware(MemoryOutputs):
    """The ``TableHardware`` of a page."""

    def __init__(
        self, lines: Sequence[str], panels: Sequence[str], lamps: Sequence[str], start: float
    ) -> None:
        """``start``: seconds of the clock at power-on."""
        self.clock = SimulatedClock(start)
        self.inputs = PageButtons(lines)
        self.displays: Mapping[str, PagePanel] = {name: PagePanel() for name in panels}
        super().__init__(lamps)

    def set_pin(self, line: str | int, level: int, at: float) -> None:
        self.clock.set(at)
        self.inputs.set(str(line), is_down=not level, at=at)

    def set_fault(self, panel: str, kind: str | None) -> None:
        self.displays[panel].plug(is_plugged=kind is None)

    def take_messages(self) -> Sequence[tuple[str, bytes]]:
        """None: there is no bus."""
        return ()
