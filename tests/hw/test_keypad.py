"""The keypad driver.

Keys become buttons, the device is grabbed, unplugging recovers.
"""

from __future__ import annotations

import os
import queue
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from scorer.config import loader
from scorer.config.toml_reader import ConfigError
from scorer.doctor import keys
from scorer.hw import load
from scorer.hw.hotplug import HotplugInput
from scorer.hw.inputs import key_capture, keypad
from scorer.hw.inputs.key_capture import KeyCapture, PressedKey, names_one_of_two
from scorer.hw.inputs.keypad import KeypadInput, Options
from scorer.hw.ports import DeviceError, Edge, InputPresence
from scorer.i18n import translator
from tests.hw.fake_evdev import CODES, FakeEvdev, Keypad, await_end

PATH = "/dev/input/by-id/usb-keypad-event-kbd"
CONSOLE = tuple(
    f"B.{button}" for button in ("truco", "envido", "flor", "quiero", "no_quiero", "tantos")
)


def opened(
    pad: Keypad, options: Options | None = None
) -> tuple[KeypadInput, list[Edge], list[DeviceError]]:
    edges: list[Edge] = []
    lost: list[DeviceError] = []
    source = keypad.create(
        options or Options(CONSOLE, PATH), now=lambda: 1.0, gone=lost.append, library=FakeEvdev(pad)
    )
    source.open(edges.append)
    return source, edges, lost


def test_a_numeric_keypad_is_a_console_by_default() -> None:
    pad = Keypad(PATH, "Numeric")
    source, edges, _ = opened(pad, Options((*CONSOLE, "undo", "menu"), PATH))
    for key in ("7", "8", "9", "1", "3", "ENTER", "0", "DOT"):
        pad.press(f"KEY_KP{key}", down=True)
    assert [edge.line for edge in edges] == [*CONSOLE, "undo", "menu"]
    source.close()


def test_an_arcade_encoder_is_mapped_by_the_names_of_its_buttons() -> None:
    pad = Keypad(PATH, "Arcade")
    options = Options(("B.truco", "", "B.tantos"), PATH, keys=("BTN_TRIGGER", "", "BTN_THUMB"))
    source, edges, _ = opened(pad, options)
    pad.press("BTN_TRIGGER", down=True)
    pad.press("BTN_THUMB", down=True)
    assert [edge.line for edge in edges] == ["B.truco", "B.tantos"]
    assert source.levels() == {"B.truco": True, "B.tantos": True}
    source.close()


def test_automatic_repeats_and_unmapped_keys_are_ignored() -> None:
    pad = Keypad(PATH, "Numeric")
    source, edges, _ = opened(pad)
    pad.press("KEY_KP7", down=True)
    for _ in range(30):
        pad.repeat("KEY_KP7")
    pad.press("KEY_A", down=True)
    pad.press("KEY_KP7", down=False)
    assert edges == [Edge(1.0, "B.truco", True), Edge(1.0, "B.truco", False)]
    source.close()


def test_levels_are_read_again_after_dropped_events() -> None:
    pad = Keypad(PATH, "Numeric")
    source, edges, _ = opened(pad)
    pad.press("KEY_KP7", down=True)
    pad.lose("KEY_KP7", down=False)
    pad.lose("KEY_KPENTER", down=True)
    pad.overflow()
    await_end(lambda: len(edges) < 3)
    assert edges[1:] == [Edge(1.0, "B.tantos", True), Edge(1.0, "B.truco", False)]
    source.close()


def test_a_key_down_at_opening_is_not_pressed() -> None:
    pad = Keypad(PATH, "Numeric")
    pad.lose("KEY_KP7", down=True)
    source, edges, _ = opened(pad)
    assert source.levels()["B.truco"]
    assert edges == []
    pad.press("KEY_KP7", down=False)
    assert edges == [Edge(1.0, "B.truco", False)]
    source.close()


def test_the_device_is_grabbed_and_released() -> None:
    pad = Keypad(PATH, "Numeric")
    source, _, _ = opened(pad)
    handle = pad.opened
    assert handle is not None
    assert handle.grabbed
    source.close()
    assert handle.closed


def test_unplugging_is_reported_once_and_reopening_recovers() -> None:
    pad = Keypad(PATH, "Numeric")
    source, edges, lost = opened(pad)
    pad.press("KEY_KP7", down=True)
    pad.pull_out()
    await_end(source.is_alive)
    assert [(str(error), error.kind) for error in lost] == [(f"{PATH} is not plugged in", "absent")]
    with pytest.raises(DeviceError, match="not plugged in"):
        source.levels()
    with pytest.raises(DeviceError, match="not plugged in"):
        source.open(edges.append)
    pad.plug_in()
    source.open(edges.append)
    pad.press("KEY_KP8", down=True)
    assert edges[-1] == Edge(1.0, "B.envido", True)
    source.close()
    assert len(lost) == 1


def test_closing_does_not_report_a_loss() -> None:
    pad = Keypad(PATH, "Numeric")
    source, _, lost = opened(pad)
    source.close()
    assert lost == []


def test_an_emit_that_raises_ends_the_reader_and_reports_the_loss() -> None:
    pad = Keypad(PATH, "Numeric")
    lost: list[DeviceError] = []
    source = keypad.create(Options(CONSOLE, PATH), gone=lost.append, library=FakeEvdev(pad))

    def broken(edge: Edge) -> None:
        handle = pad.opened
        assert handle is not None
        handle.quiet.set()  # the reader ends here
        raise RuntimeError("inbox")

    source.open(broken)
    pad.press("KEY_KP7", down=True)
    await_end(source.is_alive)
    assert "inbox" in str(lost[0])
    source.close()


def test_emit_may_close_the_source() -> None:
    pad = Keypad(PATH, "Numeric")
    source = keypad.create(Options(CONSOLE, PATH), library=FakeEvdev(pad))

    def close(edge: Edge) -> None:
        handle = pad.opened
        assert handle is not None
        handle.quiet.set()
        source.close()

    source.open(close)
    pad.press("KEY_KP7", down=True)
    await_end(source.is_alive)


def test_a_keypad_is_found_by_name() -> None:
    other, pad = Keypad("/dev/input/event0", "Mouse"), Keypad("/dev/input/event1", "Arcade Left")
    source = keypad.create(Options(CONSOLE, name="Arcade Left"), library=FakeEvdev(other, pad))
    edges: list[Edge] = []
    source.open(edges.append)
    pad.press("KEY_KP7", down=True)
    assert [edge.line for edge in edges] == ["B.truco"]
    assert other.opened is not None
    assert other.opened.closed
    source.close()


def equal_keypads(*sockets: str) -> list[Keypad]:
    """Keypads of one model, in the order in which the kernel found them."""
    return [
        Keypad(f"/dev/input/event{at}", "USB Keyboard", f"usb-3f980000.usb-{socket}/input0")
        for at, socket in enumerate(sockets)
    ]


def pressed_line(pads: list[Keypad], pad: Keypad, place: str) -> list[str]:
    edges: list[Edge] = []
    source = keypad.create(Options(CONSOLE, place=place), library=FakeEvdev(*pads))
    source.open(edges.append)
    handle = pad.opened
    assert handle is not None
    if not handle.closed:
        pad.press("KEY_KP7", down=True)
    source.close()
    return [edge.line for edge in edges]


@pytest.mark.parametrize("sockets", [("1.2", "1.10"), ("1.10", "1.2")])
def test_equal_keypads_are_counted_by_their_sockets(sockets: tuple[str, str]) -> None:
    pads = equal_keypads(*sockets)
    by_socket = dict(zip(sockets, pads, strict=True))
    assert pressed_line(pads, by_socket["1.2"], "1 of 2") == ["B.truco"]
    assert pressed_line(pads, by_socket["1.10"], "1 of 2") == []
    assert pressed_line(pads, by_socket["1.10"], "2 of 2") == ["B.truco"]


def test_an_interface_more_and_other_devices_are_no_keypads() -> None:
    first, second = equal_keypads("1.1", "1.2")
    more = Keypad("/dev/input/event8", "USB Keyboard", "usb-3f980000.usb-1.1/input1")
    power = Keypad("/dev/input/event9", "pwr_button", "gpio-keys/input0", {116})
    assert pressed_line([more, power, second, first], first, "1 of 2") == ["B.truco"]
    assert pressed_line([more, power, second, first], second, "2 of 2") == ["B.truco"]


@pytest.mark.parametrize("options", [Options(CONSOLE, place="1 of 2"), Options(CONSOLE, name="N")])
def test_each_interface_of_a_keypad_may_send_its_keys(options: Options) -> None:
    """A model of the kernel: the machine of the tests has no uinput."""
    second, first = (Keypad(f"/dev/input/event{at}", "N", f"usb-1.1/input{at}") for at in (1, 0))
    mouse = Keypad("/dev/input/event2", "N", "usb-1.1/input2", {0x110})
    other = Keypad("/dev/input/event3", "N", "usb-1.2/input0")
    edges: list[Edge] = []
    source = keypad.create(options, library=FakeEvdev(mouse, other, second, first))
    source.open(edges.append)
    second.press("KEY_KP7", down=True)
    first.press("KEY_KP7", down=True)
    second.press("KEY_KP7", down=False)
    assert source.levels()["B.truco"], "down on one of them"
    first.press("KEY_KP7", down=False)
    first.press("KEY_KP8", down=True)
    assert [(edge.line, edge.down) for edge in edges] == [
        ("B.truco", True),
        ("B.truco", False),
        ("B.envido", True),
    ]
    handles = [pad.opened for pad in (first, second, mouse, other)]
    assert [bool(handle and handle.closed) for handle in handles] == [False, False, True, True]
    source.close()
    assert all(handle and handle.closed for handle in handles)


def test_a_second_interface_sends_under_a_real_kernel() -> None:
    if not os.access("/dev/uinput", os.W_OK):
        pytest.skip("no writable /dev/uinput: the model of the kernel in fake_evdev is tested")
    evdev = pytest.importorskip("evdev", reason="python3-evdev is not installed")
    keys = {keypad.KEYS: [CODES[key] for key in CODES if key.startswith("KEY_KP")]}
    phys = (f"usb-test-1.2/input{at}" for at in range(2))
    first, second = (evdev.UInput(keys, name="Scorer test pad", phys=each) for each in phys)
    edges = queue.SimpleQueue[Edge]()
    source = keypad.create(Options(CONSOLE, name="Scorer test pad"))
    try:
        source.open(edges.put)
        for sender, line in ((second, "B.truco"), (first, "B.truco")):
            for down in (1, 0):
                sender.write(keypad.KEYS, CODES["KEY_KP7"], down)
                sender.syn()
                edge = edges.get(timeout=20.0)
                assert (edge.line, edge.down) == (line, bool(down))
    finally:
        source.close()
        first.close()
        second.close()


def test_a_named_keypad_without_the_keys_is_refused() -> None:
    pad = Keypad(PATH, "Mouse", codes={0x110})
    with pytest.raises(DeviceError, match="the keypad Mouse lacks keys") as caught:
        opened(pad, Options(CONSOLE, name="Mouse"))
    assert caught.value.kind == "version"


def test_levels_that_are_read_beside_taps_lose_no_edge() -> None:
    """EVIOCGKEY drops queued key events, which the fake does too."""
    pad = Keypad(PATH, "Numeric")
    source, edges, _ = opened(pad)
    handle = pad.opened
    assert handle is not None
    for _ in range(300):
        for down in (1, 0):
            pad.lose("KEY_KP7", down=bool(down))
            handle.queue(CODES["KEY_KP7"], down)
            assert source.levels()["B.truco"] == bool(down)
    source.close()
    assert [edge.down for edge in edges] == [True, False] * 300


@pytest.mark.parametrize("sockets", [("1.1",), ("1.1", "1.2", "1.3")])
def test_another_number_of_keypads_opens_none(sockets: tuple[str, ...]) -> None:
    pads = equal_keypads(*sockets)
    with pytest.raises(DeviceError, match=f"plugged keypads: {len(pads)} instead of 2") as caught:
        pressed_line(pads, pads[0], "1 of 2")
    assert caught.value.kind == "absent"
    assert all(pad.opened is not None and pad.opened.closed for pad in pads)


def test_every_cause_of_a_failed_open_has_its_own_message() -> None:
    pad = Keypad(PATH, "Numeric")
    pad.taken_by_another = True
    with pytest.raises(DeviceError, match="another program has taken") as taken:
        opened(pad)
    pad.taken_by_another, pad.allowed = False, False
    with pytest.raises(DeviceError, match="in the group input") as forbidden:
        opened(pad)
    named = Options(CONSOLE, name="Numeric")
    placed = Options(CONSOLE, place="1 of 2")
    with pytest.raises(DeviceError, match="the keypad 1 of 2 is forbidden"):
        opened(pad, placed)
    with pytest.raises(DeviceError, match="the keypad Numeric is forbidden"):
        opened(pad, named)
    pad.allowed, pad.plugged = True, False
    for options in (None, named, placed):
        with pytest.raises(DeviceError, match="is not plugged in") as absent:
            opened(pad, options)
    kinds = [caught.value.kind for caught in (taken, forbidden, absent)]
    assert kinds == ["taken", "forbidden", "absent"]


def test_an_unknown_key_is_refused_with_the_nearest() -> None:
    pad = Keypad(PATH, "Numeric")
    with pytest.raises(DeviceError, match=r"no key KEY_KP77; did you mean 'KEY_KP7'\?"):
        opened(pad, Options(("B.truco",), PATH, keys=("KEY_KP77",)))


def test_without_the_library_the_error_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "evdev", None)
    source = load.input_source("keypad", {"lines": ["B.truco"], "device": PATH})
    with pytest.raises(DeviceError, match="install python3-evdev"):
        source.open(lambda edge: None)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({}, "device: write one of its path, /dev/input/by-id/..., its name in name = ... or "),
        ({"device": PATH, "name": "Numeric"}, "device: write one of its path"),
        ({"device": PATH, "place": "1 of 2"}, "device: write one of its path"),
        ({"place": "left"}, "place: 'left' is not like \"1 of 2\""),
        ({"place": "3 of 2"}, "place: '3 of 2' is not like \"1 of 2\""),
        ({"device": "/dev/ttyUSB0"}, "device: '/dev/ttyUSB0' is no path like"),
        ({"device": PATH, "keys": ["kp7", "KEY_KP8"]}, "keys: 'kp7' is not like KEY_KP1"),
        ({"device": PATH, "keys": ["KEY_KP7", "KEY_KP7"]}, "keys: KEY_KP7 is there twice"),
        ({"device": PATH, "lines": ["undo", "undo"]}, "lines: a button is there twice"),
    ],
)
def test_invalid_settings_are_refused(values: dict[str, object], words: str) -> None:
    problems = load.problems("inputs", "keypad", {"lines": ["B.truco", "B.envido"], **values})
    assert [problem for problem in problems if str(problem).startswith(words)], problems


def test_a_button_without_a_key_does_not_exist() -> None:
    pad = Keypad(PATH, "Numeric")
    source, _, _ = opened(pad, Options(("B.truco", "B.envido"), PATH, keys=("KEY_KP7",)))
    assert set(source.levels()) == {"B.truco"}
    source.close()


def test_two_consoles_need_their_own_keys() -> None:
    both = tuple(f"A.{line[2:]}" for line in CONSOLE) + CONSOLE
    with pytest.raises(DeviceError, match=r"two consoles want keys = \[\.\.\.\] of their own"):
        opened(Keypad(PATH, "Numeric"), Options(both, PATH))


def test_the_resource_id_is_the_device() -> None:
    assert load.resource_id("inputs", "keypad", {"lines": [], "device": PATH}) == PATH
    assert (
        load.resource_id("inputs", "keypad", {"lines": [], "name": "Arcade"}) == "the keypad Arcade"
    )


# ---- key names ----------------------------------------------------------------------------------


def test_captured_keys_have_the_stable_path_of_their_device(tmp_path: Path) -> None:
    node, link = tmp_path / "event7", tmp_path / "by-id" / "usb-Numeric-event-kbd"
    node.touch()
    link.parent.mkdir()
    link.symlink_to(node)
    pad, other = Keypad(str(node), "Numeric"), Keypad("/dev/input/event9", "Arcade")
    clock = iter(range(100))
    with KeyCapture(FakeEvdev(pad, other), link.parent) as keypads:
        assert keypads.devices() == [(str(link), "Numeric"), ("/dev/input/event9", "Arcade")]
        for at, (sender, key) in enumerate(((pad, "KEY_KP7"), (other, "BTN_TRIGGER"))):
            handle = sender.opened
            assert handle is not None
            assert not handle.grabbed
            handle.queue(CODES[key], 1)
            handle.queue(CODES[key], 0)
            pressed = next(keypads.capture(30.0, lambda: float(next(clock))))
            assert pressed == PressedKey(key, (str(link), "/dev/input/event9")[at])
        pad.pull_out()
        assert list(keypads.capture(1.5, lambda: float(next(clock)))) == []


def test_equal_keypads_are_named_by_their_sockets(tmp_path: Path) -> None:
    by_id, by_path = tmp_path / "by-id", tmp_path / "by-path"
    for folder in (by_id, by_path):
        folder.mkdir()
    pads = []
    for at, socket in enumerate(("1.1", "1.2")):
        node = tmp_path / f"event{at}"
        node.touch()
        (by_path / f"usb-0:{socket}:1.0-event-kbd").symlink_to(node)
        pads.append(Keypad(str(node), "USB Keyboard", f"usb-{socket}/input0"))
    # udev makes one link for both; it leads to the one that was found last.
    (by_id / "usb-USB_Keyboard-event-kbd").symlink_to(pads[1].path)
    with KeyCapture(FakeEvdev(*pads), by_id, by_path) as keypads:
        found = [path for path, _ in keypads.devices()]
    assert found == [str(link) for link in sorted(by_path.iterdir())]


def test_a_link_of_two_equal_keypads_is_recognised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nodes, system = tmp_path / "dev", tmp_path / "sys"
    nodes.mkdir()
    for at, socket in enumerate(("1.1", "1.2")):
        kernel = system / f"event{at}" / "device"
        kernel.mkdir(parents=True)
        (kernel / "name").write_text("USB Keyboard\n")
        (kernel / "phys").write_text(f"usb-{socket}/input0\n")
    monkeypatch.setattr(key_capture, "BY_ID", nodes)
    link = nodes / "usb-USB_Keyboard-event-kbd"
    link.symlink_to("event1")
    assert names_one_of_two(str(link), system)
    (system / "event0" / "device" / "name").write_text("Mouse\n")
    assert not names_one_of_two(str(link), system)
    assert not names_one_of_two("/dev/input/by-path/usb-1.1", system)


def test_the_doctor_names_keys_or_reports_why_not() -> None:
    pad, lines = Keypad("/dev/input/event7", "Numeric"), list[str]()
    say = translator("es-AR")
    clock = iter((0.0, 0.0, 1.0, 99.0))

    def opening() -> KeyCapture:
        capture = KeyCapture(FakeEvdev(pad))
        assert pad.opened is not None
        pad.opened.queue(CODES["KEY_KP7"], 1)
        return capture

    assert keys.name_keys(say, lines.append, lambda: next(clock), opening) == 0
    assert lines == [
        'device = "/dev/input/event7"  # Numeric',
        "apretá cada tecla; 30 s sin ninguna y termina:",
        '"KEY_KP7"  # /dev/input/event7',
    ]
    lines.clear()
    assert keys.name_keys(say, lines.append, lambda: 0.0, lambda: KeyCapture(FakeEvdev())) == 1
    assert lines[0].startswith("no se puede escuchar ninguna tecla: no keypad is plugged in")


def test_the_doctor_names_the_missing_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "evdev", None)
    lines: list[str] = []
    assert keys.name_keys(translator("en"), lines.append, lambda: 0.0) == 1
    assert "install python3-evdev" in lines[0]


# ---- a console on a keypad -----------------------------------------------------------------------


def test_unplugging_during_a_hold_releases_buttons_and_reconnects() -> None:
    pad, presences = Keypad(PATH, "Numeric"), queue.SimpleQueue[InputPresence]()
    edges: list[Edge] = []

    def make(gone: Callable[[DeviceError], None]) -> KeypadInput:
        return keypad.create(Options(CONSOLE, PATH), gone=gone, library=FakeEvdev(pad))

    plugged = HotplugInput("B", CONSOLE, make, pauses=(0.01,))
    plugged.open(edges.append, presences.put)
    assert presences.get(timeout=20.0).levels == dict.fromkeys(CONSOLE, False)
    pad.press("KEY_KP3", down=True)
    pad.pull_out()
    lost = presences.get(timeout=20.0)
    assert (lost.levels, lost.kind) == (dict.fromkeys(CONSOLE, False), "absent")
    pad.plug_in()
    assert presences.get(timeout=20.0).kind == ""
    pad.press("KEY_KP7", down=True)
    plugged.close()
    assert [(edge.line, edge.down) for edge in edges] == [("B.no_quiero", True), ("B.truco", True)]


def test_a_key_that_is_pressed_while_levels_are_read_at_the_opening_blocks_nothing() -> None:
    pad, presences = Keypad(PATH, "Numeric"), queue.SimpleQueue[InputPresence]()
    edges = queue.SimpleQueue[Edge]()

    class Pressed(KeypadInput):
        def open(self, emit: Callable[[Edge], None]) -> None:
            super().open(emit)
            assert pad.opened is not None
            pad.lose("KEY_KP7", down=True)
            pad.opened.queue(CODES["KEY_KP7"], 1)

    def make(gone: Callable[[DeviceError], None]) -> KeypadInput:
        return Pressed(Options(CONSOLE, PATH), lambda: 1.0, gone, FakeEvdev(pad))

    plugged = HotplugInput("B", CONSOLE, make)
    plugged.open(edges.put, presences.put)
    assert presences.get(timeout=20.0).levels["B.truco"]
    assert edges.get(timeout=20.0).line == "B.truco"
    plugged.close()


def test_a_console_of_the_configuration_may_be_a_keypad() -> None:
    text = f'[[box]]\ndriver = "keypad"\nconsole = "B"\ndevice = "{PATH}"\n'
    (box,) = loader.parse_config(text).boxes
    assert (box.driver, box.consoles, box.port) == ("keypad", "B", PATH)
    with pytest.raises(ConfigError, match=r"box\.device: write one of its path"):
        loader.parse_config('[[box]]\ndriver = "keypad"\nconsole = "B"\n')


def test_the_library_has_the_used_interface() -> None:
    """Checked without a keypad: key codes and the methods of a device."""
    evdev = pytest.importorskip("evdev", reason="python3-evdev is not installed")
    library = keypad.Evdev()
    assert {key: library.codes[key] for key in CODES} == CODES
    assert set(keypad.NUMERIC) <= set(library.codes)
    used = ("fileno", "read", "grab", "active_keys", "capabilities", "close")
    assert [word for word in used if not hasattr(evdev.InputDevice, word)] == []
    assert hasattr(evdev.InputEvent, "timestamp")
    assert library.list_devices() is not None
    with pytest.raises(OSError, match=PATH):
        library.device(PATH)
