"""Extreme input: all buttons held, every pair at once, 1,000 presses a second.

No intended press is lost, no unintended press is added, and every queue between input, score and
panels is bounded.
"""

from __future__ import annotations

import queue
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from itertools import combinations, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from scorer.hw.ports import Edge
from scorer.rules import variant_ids
from scorer.session.input.keymap import buttons
from scorer.session.values.settings import Layout
from scorer.system.sd_notify import Notifier
from scorer.table.loop_commands import LoopCommand
from scorer.table.main_loop import InputSupervisor, Loop
from scorer.table.panels import Panel, PanelWorker
from tests.longrun.random_play.driver import do, tap
from tests.longrun.random_play.game_kinds import Kind
from tests.longrun.random_play.night import MEMORY
from tests.longrun.random_play.table_rig import Box
from tests.sampling import amount, sample
from tests.support.scripted_input import ScriptedInput

if TYPE_CHECKING:
    from PIL.Image import Image

WITHIN, APART = 0.003, 0.012  # seconds: below one debounce time, and above
MINUTE = 60.0
SECONDS, A_SECOND = amount(1, 3), 1000  # of presses, and presses per second
DULL = ("A.quiero", "B.quiero", "A.no_quiero", "B.no_quiero")  # answers to no call

Boxes = Callable[[Kind], Box]


@pytest.fixture
def boxes(tmp_path: Path) -> Iterator[Boxes]:
    """Makes tables, and closes them."""
    made: list[Box] = []
    folder = Path(tempfile.mkdtemp(prefix="burst-", dir=MEMORY if MEMORY.is_dir() else None))

    def make(kind: Kind) -> Box:
        made.append(Box(kind, folder / str(len(made))))
        return made[-1]

    yield make
    for box in made:
        box.close()
    shutil.rmtree(folder)


def lines(box: Box) -> list[str]:
    """The lines of the table's journal."""
    return [row.line for row in box.journal.since(1, 1000)]


@pytest.mark.sampled(16)
@pytest.mark.parametrize("layout", Layout)
@pytest.mark.parametrize("variant", variant_ids())
def test_all_buttons_at_once_add_nothing_however_long_they_are_held(
    variant: str, layout: Layout, boxes: Boxes
) -> None:
    box = boxes(Kind(variant, "", layout, 3))
    do(box, "all down")
    box.live(MINUTE)
    do(box, "all up")
    box.live(5.0)
    assert lines(box) == []
    tap(box, "A.truco")
    box.live(1.0)
    assert lines(box) != [], "the buttons count again"


@pytest.mark.slow
@pytest.mark.sampled(1)
@pytest.mark.parametrize("before", [(), ("A.truco",)], ids=["playing", "truco"])
@pytest.mark.parametrize(
    ("variant", "layout"), [("argentine_flor", Layout.FULL), ("paulista", Layout.COMPACT)]
)
def test_two_buttons_within_a_debounce_time_equal_one_after_the_other(
    variant: str, layout: Layout, before: tuple[str, ...], boxes: Boxes
) -> None:
    for first, second in sample(combinations(buttons(layout), 2), 3):
        for pair in ((first, second), (second, first)):
            outcomes = []
            for apart in (WITHIN, APART):
                box = boxes(Kind(variant, "", layout))
                for button in before:
                    tap(box, button)
                    box.live(4.0)
                do(box, f"pair {pair[0]} {pair[1]} {apart}")
                box.live(5.0)
                outcomes.append((lines(box), box.table.session.question, box.take_seen()))
                box.close()
            assert outcomes[0] == outcomes[1], pair


class Burst:
    """A full inbox for the loop; its clock is the time of the edges."""

    def __init__(self, inputs: ScriptedInput, edges: list[Edge], until: float) -> None:
        self._inputs = inputs
        self._edges, self._at, self.now = edges, 0, edges[0].time
        self._until = until

    def get(self, timeout: float) -> Edge | LoopCommand:
        due = self.now + timeout
        if self._at < len(self._edges) and self._edges[self._at].time <= due:
            edge = self._edges[self._at]
            self._at += 1
            self.now = max(self.now, edge.time)
            # The level as the pin would read it; its edge is delivered here.
            self._inputs.feed(edge.line, down=edge.down, at=edge.time, lost=True)
            return edge
        self.now = due
        if due >= self._until:
            return LoopCommand.STOP
        raise queue.Empty


class Quiet:
    """A machine without power problems."""

    def has_undervoltage(self, now: float) -> bool:
        return False

    def on_table_ready(self) -> None:
        """No-op."""

    def switch_off(self) -> None:
        raise AssertionError("nobody asked for it")


def run(box: Box, edges: list[Edge]) -> None:
    """Run the real loop on these edges, and for five seconds more."""
    inbox: Any = Burst(box.hardware.inputs, edges, edges[-1].time + 5.0)
    kept = InputSupervisor(box.hardware.inputs, inbox)
    kept.was_open = True
    loop = Loop(
        box.table,
        inputs=kept,
        inbox=inbox,
        notifier=Notifier({}),
        power=Quiet(),
        now=lambda: inbox.now,
    )
    loop.run()
    box.now = inbox.now


def pressed(names: tuple[str, ...], start: float, seconds: int) -> list[Edge]:
    """A thousand presses a second, each button in turn."""
    edges: list[Edge] = []
    for at in range(seconds * A_SECOND):
        down = start + at / A_SECOND
        name = names[at % len(names)]
        edges += [Edge(down, name, True), Edge(down + 0.0005, name, False)]
    return edges


@pytest.mark.sampled(0)
def test_after_a_thousand_presses_a_second_the_next_press_counts_at_once(boxes: Boxes) -> None:
    box = boxes(Kind("argentine"))
    run(box, pressed(buttons(Layout.FULL), box.now + 1.0, SECONDS))
    assert lines(box) == [], "contacts that never settle say nothing"
    tap(box, "A.truco")
    assert lines(box) == ["A truco"]


@pytest.mark.sampled(0)
def test_memory_is_bounded_after_many_presses_without_effect(boxes: Boxes) -> None:
    """Nothing reads the press log, as in a service; so it must be bounded."""
    box = boxes(Kind("argentine"))
    held: list[int] = []
    for _ in range(4):
        start = box.now + 1.0
        edges = [
            Edge(start + at * 0.05 + (0.0 if down else 0.02), DULL[at % len(DULL)], down)
            for at in range(600)
            for down in (True, False)
        ]
        run(box, edges)
        del edges
        held.append(sys.getallocatedblocks())
    # A leak would leave one or more behind with each press of every round; a cache fills once.
    grown = min(later - earlier for earlier, later in pairwise(held))
    assert grown < 450, f"600 presses that changed nothing have left {grown} blocks behind"


@pytest.mark.sampled
def test_a_contact_that_chatters_forever_causes_no_redraw(boxes: Boxes) -> None:
    box = boxes(Kind("argentine", panels=((128, 64),)))
    shown = box.displays[0].images
    before = len(shown)
    run(box, pressed(("B.flor",), box.now + 1.0, SECONDS))
    assert len(shown) - before <= 2


class Slow:
    """A display whose bus hangs until it is released."""

    mode = "1"
    size = (128, 64)

    def __init__(self) -> None:
        self.shown: list[bytes] = []
        self.hangs, self.goes = threading.Event(), threading.Event()

    def open(self) -> None:
        """No-op."""

    def show(self, image: Image) -> None:
        self.hangs.set()
        assert self.goes.wait(timeout=60.0)
        self.shown.append(image.tobytes())

    def contrast(self, level: int) -> None:
        """No-op."""

    def dark(self, dark: bool) -> None:
        """No-op."""

    def has_memory(self) -> bool:
        return True

    def refresh(self) -> None:
        """No-op."""

    def close(self) -> None:
        """No-op."""


def test_of_a_thousand_pictures_a_hanging_bus_draws_the_current_and_the_newest() -> None:
    from PIL import Image as Images

    display = Slow()
    panel = Panel("A", display)
    worker = PanelWorker([panel], lambda: 0.0)
    worker.start()
    pictures = [Images.new("1", display.size) for _ in range(1000)]
    for at, picture in enumerate(pictures):
        picture.putpixel((at % 128, at // 128), 1)
        panel.set_target(picture, 1, dark=False)
        worker.draw(0.0)
        if at == 0:
            assert display.hangs.wait(timeout=60.0)
    display.goes.set()
    worker.show_last(0.0)
    assert len(display.shown) == 2
    assert display.shown[-1] == pictures[-1].tobytes()
