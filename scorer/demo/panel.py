"""The panels: bus messages fed into a model of the controller.

A panel without cable or power is black and ignores messages. ``FrameRecorder`` counts the pictures
that differ from the one before, and writes them as PNG files.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from PIL import Image

from scorer.hw.displays.chip_simulator import SimulatedChip

PanelKind = tuple[str, tuple[int, int]]  # controller, size in pixels

DIM = 0x40  # a lower contrast means a panel dimmed after inactivity


class DemoPanel:
    """One panel: takes the messages of its bus, shows a picture."""

    def __init__(self, kind: PanelKind) -> None:
        self._kind = kind
        self.is_plugged = True
        self.lose_power()

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self._kind[1]

    def lose_power(self) -> None:
        """Reset the controller; the panel is black."""
        self._model = SimulatedChip(*self._kind)
        self._picture: Image.Image | None = None

    def feed(self, message: bytes) -> None:
        """Process one bus message; ignored without the cable."""
        if self.is_plugged:
            self._model.feed(message)
            self._picture = None

    def picture(self) -> Image.Image:
        """The picture, mode "1"."""
        if self._picture is None:
            self._picture = self._model.picture()
        return self._picture

    @property
    def is_dim(self) -> bool:
        return self._model.contrast < DIM


def build_panels(kinds: Mapping[str, PanelKind]) -> dict[str, DemoPanel]:
    """A panel per name."""
    return {name: DemoPanel(kind) for name, kind in kinds.items()}


class FrameRecorder:
    """Counts the pictures of each panel and writes them as PNG."""

    def __init__(self, folder: Path, names: Iterable[str]) -> None:
        self._folder = folder
        self._last: dict[str, bytes] = {}
        self._counts = dict.fromkeys(names, 0)

    def record_new(self, panels: Mapping[str, DemoPanel]) -> list[tuple[int, str]]:
        """Record the changed pictures; return number and file name. Raises OSError."""
        new = []
        for name, panel in panels.items():
            picture = panel.picture()
            pixels = picture.tobytes()
            if self._last.get(name) != pixels:
                self._last[name] = pixels
                self._counts[name] += 1
                front = f"{name}-" if len(self._counts) > 1 else ""
                file = f"{front}{self._counts[name]:04}.png"
                picture.save(self._folder / file)
                new.append((self._counts[name], file))
        return new
