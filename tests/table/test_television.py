"""A television: drawn in colour outside the loop, without delaying a press."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from PIL import Image

from scorer.display import render, tv
from scorer.hw.displays.fake_bus import Fault
from scorer.hw.outputs.memory import MemoryBuzzer
from scorer.hw.ports import Edge
from scorer.rules import Start, new_game, rules_for
from scorer.rules.registry import find_variant
from scorer.session.values.settings import Settings
from scorer.session.values.shown import Screen
from scorer.session.view.view import SideView, View
from scorer.store.journal import Journal, Stamp, StoreError
from scorer.table.hooks import AppliedSettings
from scorer.table.outputs import Devices
from scorer.table.panel_schedule import REFRESH_INTERVAL_S
from scorer.table.panels import Panel, PanelWorker, SyncRenderer
from scorer.table.shutdown_screen import show_safe_to_unplug
from scorer.table.table import Table
from tests.hw.rigs import FramebufferRig
from tests.support.memory_display import MemoryDisplay, Options
from tests.support.scripted_input import Options as Buttons
from tests.support.scripted_input import ScriptedInput

SIZE = (640, 360)


class Sketch:
    """A picture that records how often and in which thread it is drawn."""

    def __init__(self, shade: int) -> None:
        self.drawn_by: list[str] = []
        self._shade = shade

    def __call__(self) -> Image.Image:
        self.drawn_by.append(threading.current_thread().name)
        return Image.new("RGB", SIZE, (self._shade, 0, 0))


@pytest.fixture
def display() -> MemoryDisplay:
    return MemoryDisplay(Options(SIZE, "RGB"))


@pytest.fixture
def worker(display: MemoryDisplay) -> Iterator[tuple[Panel, PanelWorker]]:
    panel = Panel("tv", display)
    made = PanelWorker([panel], lambda: 0.0)
    made.start()
    yield panel, made
    made.close()


def test_a_picture_is_drawn_once_by_the_thread_that_draws(
    worker: tuple[Panel, PanelWorker], display: MemoryDisplay
) -> None:
    panel, drawing = worker
    first, second = Sketch(10), Sketch(20)
    for sketch in (first, first, second, second):
        panel.set_target(sketch, 255, dark=False)
        drawing.draw(0.0)
    drawing.show_last(0.0)
    assert second.drawn_by[0] in ("panels", threading.current_thread().name)
    assert len(first.drawn_by) <= 1
    assert len(second.drawn_by) == 1
    assert display.picture().getpixel((0, 0)) == (20, 0, 0)


def test_a_check_finds_out_that_it_has_gone_and_draws_nothing(display: MemoryDisplay) -> None:
    panel, sketch = Panel("tv", display), Sketch(10)
    panel.set_target(sketch, 255, dark=False)
    due = panel.update(panel.update(0.0))
    assert sketch.drawn_by == [threading.current_thread().name]
    display.set_fault(Fault.ABSENT)
    due = panel.update(due)
    assert panel.error
    display.set_fault(None)
    panel.update(due)
    assert not panel.error
    assert display.picture().getpixel((0, 0)) == (10, 0, 0), "drawn anew where it came back"


def test_a_picture_that_cannot_be_drawn_takes_no_other_panel_with_it(
    display: MemoryDisplay,
) -> None:
    small = MemoryDisplay(Options((128, 64)))
    panels = [Panel("tv", display), Panel("0", small)]

    def broken() -> Image.Image:
        raise KeyError("a word")

    panels[0].set_target(broken, 255, dark=False)
    panels[1].set_target(Image.new("1", (128, 64), 1), 255, dark=False)
    SyncRenderer(panels).draw(0.0)
    assert panels[0].error == "its picture cannot be drawn: KeyError('a word')"
    assert not panels[1].error
    assert small.picture().getbbox() is not None


def test_a_television_is_not_refreshed_now_and_then_as_a_chip_is() -> None:
    refreshed = []

    class Watched(MemoryDisplay):
        def refresh(self) -> None:
            refreshed.append(self.mode)
            super().refresh()

    for mode in ("1", "RGB"):
        panel = Panel(mode, Watched(Options(SIZE, "RGB" if mode == "RGB" else "1")))
        panel.set_target(partial(Image.new, mode, SIZE), 255, dark=False)
        panel.update(0.0)
        panel.update(REFRESH_INTERVAL_S + 1.0)
    assert refreshed == ["1"]


def test_a_press_at_a_table_changes_the_memory_of_its_television(tmp_path: Path) -> None:
    """Press, store, view, picture, and the bytes in the framebuffer."""
    rig = FramebufferRig(32, size=SIZE)
    journal = Journal.open(tmp_path)
    table = Table(
        journal,
        devices_of([Panel("tv", rig.display, "B")]),
        lambda: (new_game(Start(rules_for(find_variant("argentine")))), ("Ana", "Beto")),
        stamp=lambda now: Stamp("boot", int(now * 1000), "", trusted=False),
        applied=AppliedSettings(Settings()),
        now=100.0,
    )
    table.tick(100.0)
    shown = []
    for at, line in ((101.0, "A.truco"), (103.0, "B.quiero"), (105.0, "A.tantos")):
        table.handle_edge(Edge(at, line, True))
        table.handle_edge(Edge(at + 0.1, line, False))
        table.tick(at + 1.0)
        shown.append(table.view.screen)
        wanted = tv.render(table.view, "es-AR", SIZE, 1)
        rig.display.contrast(255)
        assert rig.visible_picture().tobytes() == wanted.tobytes()
    assert shown == [Screen.PENDING, Screen.PLAYING, Screen.HAND_OVER]
    rig.display.close()
    journal.close()


def devices_of(panels: list[Panel]) -> Devices:
    inputs = ScriptedInput(Buttons(()))
    return Devices(inputs, panels, SyncRenderer(panels), {}, MemoryBuzzer())


def test_the_farewell_stands_on_it_in_squares(display: MemoryDisplay) -> None:
    panel = Panel("tv", display)
    show_safe_to_unplug(devices_of([panel]), "pt-BR", 0.0)
    picture = display.picture()
    assert len(picture.getcolors(8) or ()) == 2
    assert picture.getbbox() is not None


def test_a_store_that_cannot_be_read_is_said_in_large_letters(display: MemoryDisplay) -> None:
    small = MemoryDisplay(Options((128, 64)))
    panels = [Panel("tv", display), Panel("0", small)]
    trouble = Table(
        StoreError("damaged", Path("games.db")),
        devices_of(panels),
        lambda: (new_game(Start(rules_for(find_variant("argentine")))), ()),
        stamp=lambda now: Stamp("boot", int(now * 1000), "", trusted=False),
        applied=AppliedSettings(Settings()),
        now=0.0,
    )
    trouble.tick(0.0)
    sides = (SideView("", "A", 0, 0), SideView("", "B", 0, 0))
    view = View(Screen.STORE_FAILURE, sides, 0, None, 0, (), marks=("damaged",))
    assert display.picture().tobytes() == tv.render(view, "es-AR", SIZE).tobytes()
    assert small.picture().tobytes() == render(view, "es-AR").tobytes()
