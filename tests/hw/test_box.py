"""The box driver over real pseudo-terminals: cut lines, noise, floods, silence.

Behind the port is a model of the box in docs/makers/button-box.md; edges are read from a queue, as
the main loop reads them. Tests wait for the driver's thread through its reports.
"""

from __future__ import annotations

import fcntl
import itertools
import os
import queue
import random
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from scorer.hw import load
from scorer.hw.combined_input import CombinedInput
from scorer.hw.hotplug import HotplugInput
from scorer.hw.inputs import box
from scorer.hw.ports import DeviceError, Edge, InputPresence, InputSource
from scorer.hw.serial.lines import seal
from scorer.hw.serial.port import Port
from scorer.plain_values import WrongValues, read
from scorer.session.input.gestures import Gestures
from scorer.session.values.press import GestureKind
from tests.hw.serial.button_box_model import FakeBox
from tests.hw.serial.ptys import Cable
from tests.hw.serial.rig import PATIENCE, BoxRig, WatchedPort
from tests.support.scripted_input import Options, ScriptedInput

NAMES = ("undo", "truco", "left", "menu", "right")
PLACE = {"left": 2, "right": 4}


class HotplugRig:
    """A box behind a HotplugInput, and everything reported about it."""

    def __init__(self, path: Path, *, plugged: bool = True) -> None:
        self.now = 10.0
        self.cable = Cable(path)
        self.box = self.fresh("0001")
        self.reports: queue.SimpleQueue[Edge | InputPresence] = queue.SimpleQueue()
        self._said = 0
        self._port: WatchedPort
        if plugged:
            self.cable.plug()
        self.input = HotplugInput(
            "B", NAMES, self._made, now=lambda: self.now, pauses=(0.001,), first_wait=PATIENCE
        )
        self.input.open(self.reports.put, self.reports.put)
        self.input.wait()

    def fresh(self, start: str) -> FakeBox:
        """Restart the box without its memory."""
        self.box = FakeBox(self._say, boot_id=start, at=self.now)
        return self.box

    def press(self, name: str, *, down: bool, after: float = 0.1) -> None:
        """Press after a delay in seconds; return when the driver has processed it."""
        self.wait(after)
        self.box.press(PLACE[name], down=down)
        self.settle()

    def wait(self, seconds: float, *, heard: bool = True) -> None:
        """Advance the time of box and driver in steps shorter than any timeout."""
        until = self.now + seconds
        while self.now < until:
            self.now = min(until, self.now + 0.1)
            self.box.run_until(self.now)
            if heard and self.input.state.is_present:
                self.settle()

    def settle(self) -> None:
        """Wait until the driver has processed all sent bytes."""
        self._port.wait_for(self._said)

    def next(self) -> Edge | InputPresence:
        return self.reports.get(timeout=PATIENCE)

    def presence(self, *, there: bool) -> InputPresence:
        """The next presence report of this kind; earlier reports are skipped."""
        while True:
            item = self.next()
            if isinstance(item, InputPresence) and item.is_present is there:
                return item

    def edges(self) -> list[tuple[str, bool]]:
        """The changes reported since the last call, without repeats of a level."""
        reports: list[tuple[str, bool]] = []
        while not self.reports.empty():
            item = self.reports.get()
            if isinstance(item, Edge) and (not reports or reports[-1] != item[1:]):
                reports.append(item[1:])
        return reports

    def say_part(self, cut: int, line: bytes) -> None:
        """Send only the first ``cut`` bytes of a line."""
        self._said += self.cable.send_to_table(line[:cut])

    def _made(self, gone: Callable[[DeviceError], None]) -> InputSource:
        options = {"port": str(self.cable.path), "lines": list(NAMES)}
        return load.input_source(
            "box", options, gone=gone, now=lambda: self.now, port=self._watched
        )

    def _watched(self, path: str, baud: int) -> WatchedPort:
        self._port = WatchedPort(Port(path, baud), self._asked)
        return self._port

    def _asked(self) -> None:
        self._said = 0
        self.box.send_line()

    def _say(self, line: bytes) -> None:
        self._said += self.cable.send_to_table(line)


@pytest.fixture
def hotplug(tmp_path: Path) -> Iterator[HotplugRig]:
    made = HotplugRig(tmp_path / "port")
    yield made
    made.input.close()
    made.cable.pull()


def test_a_press_and_the_repeats_of_a_held_button_are_reported(hotplug: HotplugRig) -> None:
    assert hotplug.presence(there=True).levels == dict.fromkeys(NAMES, False)
    hotplug.press("left", down=True)
    pressed = hotplug.next()
    assert pressed == Edge(hotplug.now, "left", True)
    hotplug.wait(0.3)
    hotplug.settle()
    repeats = [hotplug.next() for _ in range(hotplug.reports.qsize())]
    assert {item[1:] for item in repeats} == {("left", True)}
    assert all(isinstance(item, Edge) and item.time > pressed.time for item in repeats)


def test_a_hold_begins_only_when_a_repeat_confirms_it(hotplug: HotplugRig) -> None:
    """The lost line may be the one with the release."""
    gestures = Gestures(lambda button: True, {}, hotplug.now, without_levels=NAMES)
    hotplug.presence(there=True)
    hotplug.press("left", down=True)
    pressed = hotplug.now
    feed(gestures, hotplug)
    assert not [each for each in gestures.tick(pressed + 0.75) if each.kind is GestureKind.HOLD]
    hotplug.now = hotplug.box.now = pressed + 0.6
    hotplug.box.send, heard = lambda line: None, hotplug.box.send
    hotplug.box.press(PLACE["left"], down=False)
    hotplug.box.send = heard
    hotplug.wait(0.12)
    hotplug.settle()
    feed(gestures, hotplug)
    kinds = [each.kind for each in gestures.tick(pressed + 5)]
    assert kinds == [GestureKind.HOLD_STARTED, GestureKind.HOLD_ENDED, GestureKind.PRESS]


def feed(gestures: Gestures, hotplug: HotplugRig) -> None:
    while not hotplug.reports.empty():
        item = hotplug.reports.get()
        if isinstance(item, Edge):
            gestures.feed(item)


def test_a_battery_is_reported_at_20_percent_and_when_it_is_charged(hotplug: HotplugRig) -> None:
    """docs/makers/radio.md: the mark comes at 20 % and goes at 25 %."""
    reported = []
    for percent in (100, 21, 20, 19, 22, 24, 25, 21, 20):
        hotplug.box.battery = percent
        hotplug.box.send_line()
        hotplug.settle()
        while not hotplug.reports.empty():
            item = hotplug.reports.get()
            if isinstance(item, InputPresence) and item.levels == {}:
                assert item.is_present
                reported.append((percent, item.low_battery))
    assert reported == [(20, 20), (25, None), (20, 20)]


def test_a_box_that_comes_back_with_a_low_battery_says_so(hotplug: HotplugRig) -> None:
    hotplug.presence(there=True)
    hotplug.box.battery = 8
    hotplug.cable.pull()
    assert hotplug.presence(there=False).low_battery is None
    hotplug.cable.plug()
    assert hotplug.presence(there=True).low_battery == 8


# ---- unplugged ----------------------------------------------------------------------------------


def test_a_press_counts_once_when_a_powered_box_is_unplugged_at_any_byte(
    hotplug: HotplugRig,
) -> None:
    """The plug is pulled at the table's end, or an adapter's is.

    The box keeps its power.
    """
    hotplug.presence(there=True)
    for cut in range(len(hotplug.box.line()) + 8):
        hotplug.wait(3.0)
        whole = hotplug.box.send
        hotplug.box.send = partial(hotplug.say_part, cut)
        hotplug.box.press(PLACE["left"], down=True)
        hotplug.cable.pull()
        hotplug.presence(there=False)
        hotplug.box.send = whole
        hotplug.wait(0.08)
        hotplug.box.press(PLACE["left"], down=False)
        hotplug.cable.plug()
        hotplug.presence(there=True)
        hotplug.box.send_line()
        hotplug.settle()
        reports = hotplug.edges()
        assert reports[-2:] in ([("left", True), ("left", False)], [("left", False)]), cut
        assert hotplug.input._source.levels()["left"] is False


def test_no_button_stays_down_when_a_box_loses_power_at_any_byte(hotplug: HotplugRig) -> None:
    hotplug.presence(there=True)
    for cut in range(len(hotplug.box.line()) + 8):
        hotplug.wait(3.0)
        hotplug.box.send = partial(hotplug.say_part, cut)
        hotplug.box.press(PLACE["left"], down=True)
        hotplug.cable.pull()
        lost = hotplug.presence(there=False)
        assert lost.kind == "absent"
        assert lost.levels == dict.fromkeys(NAMES, False)
        hotplug.fresh(f"{cut + 2:04x}")
        hotplug.cable.plug()
        assert hotplug.presence(there=True).levels == dict.fromkeys(NAMES, False), cut
        hotplug.settle()
        assert hotplug.edges() == []


def test_a_button_held_while_the_box_restarts_is_not_pressed(hotplug: HotplugRig) -> None:
    hotplug.presence(there=True)
    hotplug.press("left", down=True)
    hotplug.cable.pull()
    hotplug.presence(there=False)
    hotplug.fresh("0002").levels = 1 << PLACE["left"]
    hotplug.cable.plug()
    assert hotplug.presence(there=True).levels["left"] is True
    hotplug.press("left", down=False)
    hotplug.press("left", down=True)
    assert hotplug.edges() == [("left", False), ("left", True)]


def test_a_box_that_restarts_on_its_cable_is_reopened_with_its_presses(
    hotplug: HotplugRig,
) -> None:
    hotplug.presence(there=True)
    hotplug.press("left", down=True)
    hotplug.now += 1.0
    hotplug.fresh("0002").press(PLACE["right"], down=True)
    assert "started anew" in hotplug.presence(there=False).why
    hotplug.presence(there=True)
    pressed = hotplug.next()
    assert isinstance(pressed, Edge) and pressed[1:] == ("right", True)


def test_a_hundred_reconnections_leak_nothing(hotplug: HotplugRig) -> None:
    hotplug.presence(there=True)
    before, threads = open_files(), threading.active_count()
    for _ in range(100):
        hotplug.cable.pull()
        hotplug.presence(there=False)
        hotplug.cable.plug()
        hotplug.presence(there=True)
    hotplug.press("right", down=True)
    assert ("right", True) in hotplug.edges()
    assert (open_files(), threading.active_count()) == (before, threads)


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_an_absent_box_is_reported_once_and_found_when_plugged_in(tmp_path: Path) -> None:
    hotplug = HotplugRig(tmp_path / "port", plugged=False)
    try:
        absent = hotplug.presence(there=False)
        assert (absent.kind, absent.why) == (
            "absent",
            f"{tmp_path}/port: it is not there; is it plugged in?",
        )
        hotplug.cable.plug()
        assert isinstance(found := hotplug.next(), InputPresence)
        assert found.is_present, "the absence was reported more than once"
    finally:
        hotplug.input.close()
        hotplug.cable.pull()


# ---- noise, floods, stalled readers -------------------------------------------------------------


def test_noise_causes_no_press_and_hides_none(hotplug: HotplugRig) -> None:
    hotplug.presence(there=True)
    chance = random.Random(3)
    done = []
    for turn in range(200):
        hotplug._said += hotplug.cable.send_to_table(
            bytes(chance.randrange(256) for _ in range(90)) + b"\n"
        )
        hotplug.press("left", down=turn % 2 == 0)
        done.append(("left", turn % 2 == 0))
    assert hotplug.edges() == done


def test_a_stalled_reader_recovers_every_press(hotplug: HotplugRig) -> None:
    """The port's buffer is full, and lines are lost because the box does not wait."""
    hotplug.presence(there=True)
    held = threading.Event()
    busy = threading.Event()

    def slow(edge: Edge) -> None:
        busy.set()
        assert held.wait(PATIENCE)
        hotplug.reports.put(edge)

    hotplug.input._source.close()
    hotplug.input._source.open(slow)
    hotplug.wait(0.1, heard=False)
    hotplug.box.press(PLACE["left"], down=True)
    assert busy.wait(PATIENCE)
    full = 0
    while full < 3:
        hotplug._said += (took := hotplug.cable.send_to_table(b"x" * 400 + b"\n"))
        full += took == 0
    hotplug.wait(0.08, heard=False)
    hotplug.box.press(PLACE["left"], down=False)
    hotplug.wait(0.1, heard=False)
    hotplug.box.press(PLACE["right"], down=True)
    held.set()
    hotplug.settle()
    hotplug.wait(0.5)
    hotplug.settle()
    assert hotplug.edges() == [("left", True), ("left", False), ("right", True)]


def test_silence_while_a_button_is_held_is_a_loss(hotplug: HotplugRig) -> None:
    """A three-wire cable has no signal that indicates that it was cut."""
    hotplug.presence(there=True)
    hotplug.press("left", down=True)
    hotplug.edges()
    hotplug.now += 0.4
    # Noise wakes the reader but does not count as a message.
    hotplug._said += hotplug.cable.send_to_table(b"?")
    lost = hotplug.presence(there=False)
    assert (lost.kind, lost.levels["left"]) == ("silent", False)


def test_a_box_with_a_stuck_button_is_not_lost(hotplug: HotplugRig) -> None:
    hotplug.presence(there=True)
    hotplug.press("left", down=True)
    for _ in range(30):
        hotplug.wait(1.0)
        hotplug.settle()
    assert hotplug.input.state.is_present


# ---- error messages -----------------------------------------------------------------------------


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


def test_a_box_of_another_version_is_refused_with_advice(rig: BoxRig) -> None:
    rig.box.send_line = lambda: rig.cable.send_to_table(seal("T2 hello"))  # type: ignore[assignment,method-assign]
    error = refused(rig)
    assert error.kind == "version"
    assert "speaks version 2, this table version 1; bring both up to date" in str(error)


def test_a_port_without_a_box_is_refused(rig: BoxRig) -> None:
    times = itertools.count(0.0, 11.9)
    options = box.Options(str(rig.cable.path), ("left",))
    other = box.create(options, now=lambda: next(times), port=rig.port)
    rig.box.send_line = lambda: rig.cable.send_to_table(b"$GPGGA,123519\r\n")  # type: ignore[assignment,method-assign]
    with pytest.raises(DeviceError) as caught:
        other.open(lambda edge: None)
    assert caught.value.kind == "silent"
    assert "no button box is heard there; is it one, and is its speed right?" in str(caught.value)


def test_a_port_in_use_is_refused(rig: BoxRig) -> None:
    other = os.open(rig.cable.path, os.O_RDWR | os.O_NOCTTY)
    try:
        fcntl.flock(other, fcntl.LOCK_EX)
        error = refused(rig)
    finally:
        os.close(other)
    assert error.kind == "taken"
    assert "it is in use, by another program or another section" in str(error)


def test_an_emit_that_raises_loses_the_box_but_not_the_edge(rig: BoxRig) -> None:
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
        (
            {"port": "ttyUSB0"},
            "port: 'ttyUSB0' is no path like /dev/serial/by-id/... or /dev/",
        ),
        ({"baud": 12345}, "baud: 12345 is not one of 9600, 19200"),
        ({"lines": ["a"] * 17}, "lines: a box has 16 buttons at most"),
        ({"lines": ["a", "", "a"]}, "lines: a button is there twice"),
        ({"port": 3}, "port: wants a text"),
        ({"prot": "/dev/x"}, "did you mean 'port'?"),
    ],
)
def test_invalid_options_are_refused(values: dict[str, object], problem: str) -> None:
    given = {"port": "/dev/ttyUSB0", "lines": ["a", "b"], **values}
    problems = load.problems("inputs", "box", given)
    assert any(problem in str(found) for found in problems), problems


def test_a_valid_port_is_accepted() -> None:
    assert load.problems("inputs", "box", {"port": "/dev/ttyAMA0", "lines": ["a"]}) == ()
    assert box.Options("/dev/ttyAMA0", ("a",)).resource_id == "/dev/ttyAMA0"
    with pytest.raises(WrongValues):
        read(box.Options, {"port": "/dev/ttyAMA0", "lines": ["a", "a"]})


# ---- combined with pins -------------------------------------------------------------------------


def test_a_line_on_two_inputs_is_down_while_either_is(tmp_path: Path) -> None:
    reports: list[Edge | InputPresence] = []
    pins = ScriptedInput(Options(("undo", "left")))
    other = ScriptedInput(Options(("undo",)))
    both = CombinedInput(pins, [HotplugInput("B", ("undo",), lambda gone: other)], reports.append)
    both.open(reports.append)
    feed_undo = {"pins": pins.feed, "box": other.feed}
    for who, down in (("pins", True), ("box", True), ("pins", False), ("box", False)):
        feed_undo[who]("undo", down=down, at=1.0)
        assert both.levels()["undo"] is (who != "box" or down)
    edges = [item.down for item in reports if isinstance(item, Edge)]
    assert edges == [True, True, False]
    both.close()
    assert not both.is_alive()


def test_boxes_work_without_pins(tmp_path: Path) -> None:
    reports: list[Edge | InputPresence] = []
    pins = ScriptedInput(Options(("undo",)))
    pins.set_absent(True)
    other = ScriptedInput(Options(("left",)))
    both = CombinedInput(pins, [HotplugInput("B", ("left",), lambda gone: other)], reports.append)
    with pytest.raises(DeviceError):
        both.open(reports.append)
    other.feed("left", down=True, at=1.0)
    assert Edge(1.0, "left", True) in reports
    assert both.levels() == {"left": True}
    pins.set_absent(False)
    both.open(reports.append)
    assert both.is_alive()
    assert both.levels() == {"undo": False, "left": True}
    both.close()
