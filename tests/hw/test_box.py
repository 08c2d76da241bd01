"""A button box over a real pseudo-terminal: pulled out at every byte, drowned, shouted at, doubled.

Behind the port is a box as in docs/makers/button-box.md; its edges are read from a queue as the
table reads them. Tests wait for the driver's thread on what it reports.
"""

from __future__ import annotations

import fcntl
import itertools
import os
import queue
import random
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from scorer.hw import load
from scorer.hw.combined_input import CombinedInput
from scorer.hw.hotplug import HotplugInput
from scorer.hw.inputs import box
from scorer.hw.options import OptionsError
from scorer.hw.ports import DeviceError, Edge, InputSource, Presence
from scorer.hw.serial.lines import seal
from scorer.hw.serial.port import Port
from scorer.session.input.gestures import GestureKind, Gestures
from tests.hw.serial.button_box_model import FakeBox
from tests.hw.serial.ptys import Cable
from tests.hw.serial.rig import PATIENCE, BoxRig, WatchedPort

NAMES = ("undo", "truco", "left", "menu", "right")
PLACE = {"left": 2, "right": 4}


class Desk:
    """A box that is kept open as the table keeps it, and everything that was told of it."""

    def __init__(self, path: Path, *, plugged: bool = True) -> None:
        self.now = 10.0
        self.cable = Cable(path)
        self.box = self.fresh("0001")
        self.told: queue.SimpleQueue[Edge | Presence] = queue.SimpleQueue()
        self._said = 0
        self._port: WatchedPort
        if plugged:
            self.cable.plug()
        self.plugged = HotplugInput(
            "B", NAMES, self._made, now=lambda: self.now, pauses=(0.001,), first_wait=PATIENCE
        )
        self.plugged.open(self.told.put, self.told.put)
        self.plugged.wait()

    def fresh(self, start: str) -> FakeBox:
        """Another start of the box: it knows nothing of before."""
        self.box = FakeBox(self._say, boot_id=start, at=self.now)
        return self.box

    def press(self, name: str, *, down: bool, after: float = 0.1) -> None:
        """A finger, so many seconds later; returns when the driver has dealt with it."""
        self.wait(after)
        self.box.press(PLACE[name], down=down)
        self.settle()

    def wait(self, seconds: float, *, heard: bool = True) -> None:
        """Time passes for box and driver, in steps in which nobody is taken for silent."""
        until = self.now + seconds
        while self.now < until:
            self.now = min(until, self.now + 0.1)
            self.box.run_until(self.now)
            if heard and self.plugged.state.is_present:
                self.settle()

    def settle(self) -> None:
        """Until everything that was said is dealt with."""
        self._port.wait_for(self._said)

    def next(self) -> Edge | Presence:
        return self.told.get(timeout=PATIENCE)

    def presence(self, *, there: bool) -> Presence:
        """The next news of this kind; what comes before it is skipped."""
        while True:
            item = self.next()
            if isinstance(item, Presence) and item.is_present is there:
                return item

    def edges(self) -> list[tuple[str, bool]]:
        """The changes told since the last call; a level that is only told again is none."""
        told: list[tuple[str, bool]] = []
        while not self.told.empty():
            item = self.told.get()
            if isinstance(item, Edge) and (not told or told[-1] != item[1:]):
                told.append(item[1:])
        return told

    def say_part(self, cut: int, line: bytes) -> None:
        """Only so many bytes get through."""
        self._said += self.cable.send_to_table(line[:cut])

    def _made(self, gone: object) -> InputSource:
        options = {"port": str(self.cable.path), "lines": list(NAMES)}
        return load.input_source(
            "box", options, gone=gone, now=lambda: self.now, port=self._watched
        )

    def _watched(self, path: str, baud: int) -> Port:
        self._port = WatchedPort(path, baud, self._asked)
        return self._port

    def _asked(self) -> None:
        self._said = 0
        self.box.send_line()

    def _say(self, line: bytes) -> None:
        self._said += self.cable.send_to_table(line)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path / "port")
    yield made
    made.plugged.close()
    made.cable.pull()


def test_a_press_is_told_and_so_is_that_a_held_button_is_down_still(desk: Desk) -> None:
    assert desk.presence(there=True).levels == dict.fromkeys(NAMES, False)
    desk.press("left", down=True)
    pressed = desk.next()
    assert pressed == Edge(desk.now, "left", True)
    desk.wait(0.3)
    desk.settle()
    again = [desk.next() for _ in range(desk.told.qsize())]
    assert {item[1:] for item in again} == {("left", True)}
    assert all(isinstance(item, Edge) and item.time > pressed.time for item in again)


def test_a_hold_waits_until_it_is_told_that_the_button_is_down_still(desk: Desk) -> None:
    """The news that it was let go may be the line that was lost."""
    gestures = Gestures(lambda button: True, {}, desk.now, without_levels=NAMES)
    desk.presence(there=True)
    desk.press("left", down=True)
    pressed = desk.now
    feed(gestures, desk)
    assert not [each for each in gestures.tick(pressed + 0.75) if each.kind is GestureKind.HOLD]
    desk.now = desk.box.now = pressed + 0.6
    desk.box.send, heard = lambda line: None, desk.box.send
    desk.box.press(PLACE["left"], down=False)
    desk.box.send = heard
    desk.wait(0.12)
    desk.settle()
    feed(gestures, desk)
    kinds = [each.kind for each in gestures.tick(pressed + 5)]
    assert kinds == [GestureKind.HOLD_STARTED, GestureKind.HOLD_ENDED, GestureKind.PRESS]


def feed(gestures: Gestures, desk: Desk) -> None:
    while not desk.told.empty():
        item = desk.told.get()
        if isinstance(item, Edge):
            gestures.feed(item)


# ---- unplugged ----------------------------------------------------------------------------------


def test_pulled_out_at_every_byte_a_box_that_lives_on_tells_the_press_once(desk: Desk) -> None:
    """Its plug is pulled on the table's side, or an adapter's is: the box itself has power."""
    desk.presence(there=True)
    for cut in range(len(desk.box.line()) + 8):
        desk.wait(3.0)
        whole = desk.box.send
        desk.box.send = partial(desk.say_part, cut)
        desk.box.press(PLACE["left"], down=True)
        desk.cable.pull()
        desk.presence(there=False)
        desk.box.send = whole
        desk.wait(0.08)
        desk.box.press(PLACE["left"], down=False)
        desk.cable.plug()
        desk.presence(there=True)
        desk.box.send_line()
        desk.settle()
        told = desk.edges()
        assert told[-2:] in ([("left", True), ("left", False)], [("left", False)]), cut
        assert desk.plugged._source.levels()["left"] is False


def test_pulled_out_at_every_byte_a_box_without_power_leaves_no_button_down(desk: Desk) -> None:
    desk.presence(there=True)
    for cut in range(len(desk.box.line()) + 8):
        desk.wait(3.0)
        desk.box.send = partial(desk.say_part, cut)
        desk.box.press(PLACE["left"], down=True)
        desk.cable.pull()
        lost = desk.presence(there=False)
        assert lost.kind == "absent"
        assert lost.levels == dict.fromkeys(NAMES, False)
        desk.fresh(f"{cut + 2:04x}")
        desk.cable.plug()
        assert desk.presence(there=True).levels == dict.fromkeys(NAMES, False), cut
        desk.settle()
        assert desk.edges() == []


def test_a_finger_on_a_box_that_starts_anew_presses_nothing_until_it_is_lifted(desk: Desk) -> None:
    desk.presence(there=True)
    desk.press("left", down=True)
    desk.cable.pull()
    desk.presence(there=False)
    desk.fresh("0002").levels = 1 << PLACE["left"]
    desk.cable.plug()
    assert desk.presence(there=True).levels["left"] is True
    desk.press("left", down=False)
    desk.press("left", down=True)
    assert desk.edges() == [("left", False), ("left", True)]


def test_a_box_that_starts_anew_on_its_cable_is_lost_and_found_with_its_presses(
    desk: Desk,
) -> None:
    desk.presence(there=True)
    desk.press("left", down=True)
    desk.now += 1.0
    desk.fresh("0002").press(PLACE["right"], down=True)
    assert "started anew" in desk.presence(there=False).why
    desk.presence(there=True)
    pressed = desk.next()
    assert isinstance(pressed, Edge) and pressed[1:] == ("right", True)


def test_a_hundred_reconnections_leave_nothing_behind(desk: Desk) -> None:
    desk.presence(there=True)
    before, threads = open_files(), threading.active_count()
    for _ in range(100):
        desk.cable.pull()
        desk.presence(there=False)
        desk.cable.plug()
        desk.presence(there=True)
    desk.press("right", down=True)
    assert ("right", True) in desk.edges()
    assert (open_files(), threading.active_count()) == (before, threads)


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_a_box_that_is_not_there_is_told_once_and_found_when_it_comes(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "port", plugged=False)
    try:
        absent = desk.presence(there=False)
        assert (absent.kind, absent.why) == (
            "absent",
            f"{tmp_path}/port: it is not there; is it plugged in?",
        )
        desk.cable.plug()
        assert isinstance(found := desk.next(), Presence)
        assert found.is_present, "it was told once, however often it was looked for"
    finally:
        desk.plugged.close()
        desk.cable.pull()


# ---- noise, floods, deaf ears -------------------------------------------------------------------


def test_garbage_presses_nothing_and_hides_no_press(desk: Desk) -> None:
    desk.presence(there=True)
    chance = random.Random(3)
    done = []
    for turn in range(200):
        desk._said += desk.cable.send_to_table(
            bytes(chance.randrange(256) for _ in range(90)) + b"\n"
        )
        desk.press("left", down=turn % 2 == 0)
        done.append(("left", turn % 2 == 0))
    assert desk.edges() == done


def test_a_table_that_does_not_listen_for_a_while_hears_every_press_afterwards(
    desk: Desk,
) -> None:
    """The port's buffer is full, lines are lost in the middle, and the box waits for nobody."""
    desk.presence(there=True)
    held = threading.Event()
    busy = threading.Event()

    def slow(edge: Edge) -> None:
        busy.set()
        assert held.wait(PATIENCE)
        desk.told.put(edge)

    desk.plugged._source.close()
    desk.plugged._source.open(slow)
    desk.wait(0.1, heard=False)
    desk.box.press(PLACE["left"], down=True)
    assert busy.wait(PATIENCE)
    full = 0
    while full < 3:
        desk._said += (took := desk.cable.send_to_table(b"x" * 400 + b"\n"))
        full += took == 0
    desk.wait(0.08, heard=False)
    desk.box.press(PLACE["left"], down=False)
    desk.wait(0.1, heard=False)
    desk.box.press(PLACE["right"], down=True)
    held.set()
    desk.settle()
    desk.wait(0.5)
    desk.settle()
    assert desk.edges() == [("left", True), ("left", False), ("right", True)]


def test_silence_while_a_button_is_held_loses_the_box(desk: Desk) -> None:
    """A cable of three wires has nothing by which to tell that it was cut."""
    desk.presence(there=True)
    desk.press("left", down=True)
    desk.edges()
    desk.now += 0.4
    # Noise wakes the reader, and is no sign of life.
    desk._said += desk.cable.send_to_table(b"?")
    lost = desk.presence(there=False)
    assert (lost.kind, lost.levels["left"]) == ("silent", False)


def test_a_box_that_is_held_for_ever_is_not_lost(desk: Desk) -> None:
    desk.presence(there=True)
    desk.press("left", down=True)
    for _ in range(30):
        desk.wait(1.0)
        desk.settle()
    assert desk.plugged.state.is_present


# ---- what is wrong, in one sentence -------------------------------------------------------------


@pytest.fixture
def rig() -> Iterator[BoxRig]:
    made = BoxRig()
    yield made
    made.source.close()
    made.cable.pull()


def refused(rig: BoxRig) -> DeviceError:
    with pytest.raises(DeviceError) as caught:
        rig.source.open(lambda edge: None)
    assert not rig.source.is_alive()
    return caught.value


def test_a_box_of_another_version_is_told_what_to_do(rig: BoxRig) -> None:
    rig.box.send_line = lambda: rig.cable.send_to_table(seal("T2 hello"))  # type: ignore[assignment,method-assign]
    error = refused(rig)
    assert error.kind == "version"
    assert "speaks version 2, this table version 1; bring both up to date" in str(error)


def test_a_port_where_no_box_is_heard_is_told(rig: BoxRig) -> None:
    times = itertools.count(0.0, 11.9)
    options = box.Options(str(rig.cable.path), ("left",))
    other = box.create(options, now=lambda: next(times), port=rig.port)
    rig.box.send_line = lambda: rig.cable.send_to_table(b"$GPGGA,123519\r\n")  # type: ignore[assignment,method-assign]
    with pytest.raises(DeviceError) as caught:
        other.open(lambda edge: None)
    assert caught.value.kind == "silent"
    assert "no button box is heard there; is it one, and is its speed right?" in str(caught.value)


def test_a_port_that_somebody_else_has_is_told(rig: BoxRig) -> None:
    other = os.open(rig.cable.path, os.O_RDWR | os.O_NOCTTY)
    try:
        fcntl.flock(other, fcntl.LOCK_EX)
        error = refused(rig)
    finally:
        os.close(other)
    assert error.kind == "taken"
    assert "it is in use, by another program or another section" in str(error)


def test_an_emit_that_raises_loses_the_box_and_not_the_edge(rig: BoxRig) -> None:
    def broken(edge: Edge) -> None:
        raise RuntimeError("inbox")

    rig.source.open(broken)
    rig.box.press(PLACE["left"], down=True)
    assert rig.died.wait(PATIENCE)
    assert not rig.source.is_alive()
    edges: list[Edge] = []
    rig.source.open(edges.append)
    rig.box.send_line()
    rig.settle()
    assert edges[0][1:] == ("left", True)


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ({"port": "ttyUSB0"}, "port: 'ttyUSB0' is no path like /dev/serial/by-id/... or /dev/ttyA"),
        ({"baud": 12345}, "baud: 12345 is not one of 9600, 19200"),
        ({"lines": ["a"] * 17}, "lines: a box has 16 buttons at most"),
        ({"lines": ["a", "", "a"]}, "lines: a button is there twice"),
        ({"port": 3}, "port: wants a text"),
        ({"prot": "/dev/x"}, "did you mean 'port'?"),
    ],
)
def test_options_that_cannot_be_are_refused(values: dict[str, object], problem: str) -> None:
    given = {"port": "/dev/ttyUSB0", "lines": ["a", "b"], **values}
    problems = load.problems("inputs", "box", given)
    assert any(problem in said for said in problems), problems


def test_a_right_port_is_no_problem() -> None:
    assert load.problems("inputs", "box", {"port": "/dev/ttyAMA0", "lines": ["a"]}) == ()
    assert box.Options("/dev/ttyAMA0", ("a",)).resource_id == "/dev/ttyAMA0"
    with pytest.raises(OptionsError):
        box.Options("/dev/ttyAMA0", ("a", "a"))


# ---- beside pins --------------------------------------------------------------------------------


def test_a_line_on_two_inputs_is_down_while_either_is(tmp_path: Path) -> None:
    told: list[Edge | Presence] = []
    pins = load.input_source("scripted", {"lines": ["undo", "left"]})
    other = load.input_source("scripted", {"lines": ["undo"]})
    both = CombinedInput(pins, [HotplugInput("B", ("undo",), lambda gone: other)], told.append)
    both.open(told.append)
    feed_undo = {"pins": pins.feed, "box": other.feed}  # type: ignore[attr-defined]
    for who, down in (("pins", True), ("box", True), ("pins", False), ("box", False)):
        feed_undo[who]("undo", down=down, at=1.0)
        assert both.levels()["undo"] is (who != "box" or down)
    edges = [item.down for item in told if isinstance(item, Edge)]
    assert edges == [True, True, False]
    both.close()
    assert not both.is_alive()


def test_pins_that_are_not_there_leave_the_boxes_playing(tmp_path: Path) -> None:
    told: list[Edge | Presence] = []
    pins = load.input_source("scripted", {"lines": ["undo"]})
    pins.set_absent(True)  # type: ignore[attr-defined]
    other = load.input_source("scripted", {"lines": ["left"]})
    both = CombinedInput(pins, [HotplugInput("B", ("left",), lambda gone: other)], told.append)
    with pytest.raises(DeviceError):
        both.open(told.append)
    other.feed("left", down=True, at=1.0)  # type: ignore[attr-defined]
    assert Edge(1.0, "left", True) in told
    assert both.levels() == {"left": True}
    pins.set_absent(False)  # type: ignore[attr-defined]
    both.open(told.append)
    assert both.is_alive()
    assert both.levels() == {"undo": False, "left": True}
    both.close()
