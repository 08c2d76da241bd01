"""Three panels on one bus, with their own rotation and side on the left."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from scorer.config.pin_map import pins_for
from scorer.display import render
from scorer.hw.displays.chip_simulator import SimulatedChip
from scorer.hw.displays.luma_oled import Options
from scorer.hw.ports import Edge
from scorer.hw.simulated import SimulatedHardware
from scorer.rules import Start, new_game, rules_for
from scorer.rules.registry import find_variant
from scorer.session.values.settings import Layout, Settings
from scorer.store.journal import Journal, Stamp
from scorer.table.hooks import AppliedSettings
from scorer.table.outputs import Devices
from scorer.table.panels import Panel, SyncRenderer
from scorer.table.table import Table

START = 100.0
# name: controller, address, quarter turns, the side that stands first
PANELS = {
    "ours":   ("ssd1309", 0x3C, 0, "A"),
    "theirs": ("ssd1306", 0x3D, 2, "B"),
    "wall":   ("sh1106",  0x3E, 2, "A"),
}  # fmt: skip


class Seen:
    """A table with three panels, and what stands on each glass."""

    def __init__(self, store: Path, sides: dict[str, str]) -> None:
        self._rams = {name: SimulatedChip(kind) for name, (kind, *_) in PANELS.items()}
        options = {name: Options(kind, address=at, rotate=turns)
                   for name, (kind, at, turns, _) in PANELS.items()}  # fmt: skip
        self._hardware = SimulatedHardware(
            pins_for(Layout.FULL), options, lamps=("A", "B"), start=START
        )
        self.panels = [
            Panel(name, show, sides[name]) for name, show in self._hardware.displays.items()
        ]
        edges: list[Edge] = []
        self._hardware.inputs.open(edges.append)
        self._edges, self._journal = edges, Journal.open(store)
        hardware, drawing = self._hardware, SyncRenderer(self.panels)
        devices = Devices(
            hardware.inputs, self.panels, drawing, hardware.lamp_drivers, hardware.buzzer
        )
        self.table = Table(
            self._journal,
            devices,
            lambda: (new_game(Start(rules_for(find_variant("argentine")))), ("Ana", "Beto")),
            stamp=lambda now: Stamp("boot", int(now * 1000), "", trusted=False),
            applied=AppliedSettings(Settings()),
            now=START,
        )
        self.table.tick(START)

    def press(self, line: str, at: float) -> None:
        for level, when in ((0, at), (1, at + 0.1)):
            self._hardware.set_pin(line, level, when)
        self._edges, edges = [], list(self._edges)
        for edge in edges:
            self.table.handle_edge(edge)
        self._hardware.clock.set(at + 1.0)
        self.table.tick(at + 1.0)

    def glass(self) -> dict[str, bytes]:
        """Each picture in the orientation of its viewer."""
        for name, message in self._hardware.take_messages():
            self._rams[name].feed(message)
        return {
            name: self._rams[name].picture(turns).tobytes()
            for name, (_, _, turns, _) in PANELS.items()
        }

    def close(self) -> None:
        self._hardware.inputs.close()
        self._journal.close()


def _drawn(table: Table, first: int) -> bytes:
    image: Image.Image = render(table.view, "es-AR", (128, 64), first)
    return image.tobytes()


@pytest.fixture
def seen(tmp_path: Path) -> Iterator[Seen]:
    told = Seen(tmp_path, {name: side for name, (*_, side) in PANELS.items()})
    yield told
    told.close()


def test_each_panel_shows_its_own_side_first(seen: Seen) -> None:
    seen.press("A.truco", START + 1)
    glass = seen.glass()
    ours, theirs = _drawn(seen.table, 0), _drawn(seen.table, 1)
    assert ours != theirs, "or this test proves nothing"
    assert glass == {"ours": ours, "theirs": theirs, "wall": ours}


def test_the_side_is_the_panels_and_not_its_place_in_the_row(tmp_path: Path) -> None:
    told = Seen(tmp_path, {"ours": "B", "theirs": "A", "wall": "B"})
    told.press("A.envido", START + 1)
    glass = told.glass()
    ours, theirs = _drawn(told.table, 0), _drawn(told.table, 1)
    assert glass == {"ours": theirs, "theirs": ours, "wall": theirs}
    told.close()


def test_a_panel_of_a_third_who_does_not_play_shows_the_second_first(tmp_path: Path) -> None:
    told = Seen(tmp_path, {"ours": "A", "theirs": "B", "wall": "C"})
    assert told.glass()["wall"] == _drawn(told.table, 1)
    told.close()


def test_one_that_goes_leaves_the_other_two_right(seen: Seen) -> None:
    seen._hardware.set_fault("theirs", "absent")
    seen.press("B.truco", START + 1)
    glass = seen.glass()
    assert (glass["ours"], glass["wall"]) == (_drawn(seen.table, 0),) * 2
    assert glass["theirs"] != _drawn(seen.table, 1)
    seen._hardware.set_fault("theirs", None)
    seen._hardware.clock.set(START + 8)
    seen.table.tick(START + 8)
    assert seen.glass()["theirs"] == _drawn(seen.table, 1)
