"""The contract of all input drivers, real ones and fakes."""

from __future__ import annotations

import inspect
import queue
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from types import ModuleType, SimpleNamespace
from typing import cast, get_type_hints

import pytest

from scorer.config.input_boxes import button_lines
from scorer.config.loader import parse_config
from scorer.config.toml_reader import ConfigError
from scorer.hw import load, pins
from scorer.hw.inputs import gpio
from scorer.hw.ports import DeviceError, Edge, InputDriver, InputOptions
from scorer.plain_values import WrongValues, read
from scorer.session.input.gestures import Gestures
from scorer.session.input.keymap import buttons
from scorer.session.values.press import GestureKind
from scorer.session.values.settings import Layout
from scorer.table.service import _build_inputs
from tests.hw.rigs import INPUT_VALUES, INPUTS, GpioRig, InputRig, KeypadRig


@pytest.fixture(params=INPUTS.values(), ids=list(INPUTS))
def rig(request: pytest.FixtureRequest) -> Iterator[InputRig]:
    made: InputRig = request.param()
    yield made
    made.source.close()


def test_every_edge_is_reported_once_with_its_time_and_its_line(rig: InputRig) -> None:
    edges: list[Edge] = []
    rig.source.open(edges.append)
    rig.move("left", down=True, at=1.0)
    rig.move("right", down=True, at=1.001)
    rig.move("left", down=False, at=1.25)
    rig.move("left", down=False, at=1.5)
    assert edges == [(1.0, "left", True), (1.001, "right", True), (1.25, "left", False)]


def test_bounces_are_reported_as_they_come(rig: InputRig) -> None:
    edges: list[Edge] = []
    rig.source.open(edges.append)
    for step in range(21):
        rig.move("left", down=step % 2 == 0, at=step / 1000)
    assert [edge.down for edge in edges] == [step % 2 == 0 for step in range(21)]
    assert [edge.time for edge in edges] == [step / 1000 for step in range(21)]


def test_a_tap_that_is_read_late_keeps_its_time_and_its_length(rig: InputRig) -> None:
    edges: list[Edge] = []
    rig.source.open(edges.append)
    rig.move("right", down=True, at=0.5)
    rig.move("left", down=True, at=1.0, read_at=1.3)
    rig.move("left", down=False, at=1.08, read_at=1.3)
    _, pressed, released = edges
    # The clock of a box may drift: by at most a hundredth of the silence before, always too early.
    assert pressed.time == pytest.approx(0.995, abs=0.006)
    assert 0.0799 < released.time - pressed.time < 0.09


def test_a_contact_that_opens_under_the_finger_is_one_press(rig: InputRig) -> None:
    edges: list[Edge] = []
    rig.source.open(edges.append)
    for milliseconds, down in ((0, True), (12, False), (32, True), (80, False), (135, True)):
        rig.move("left", down=down, at=1.0 + milliseconds / 1000)
    rig.move("left", down=False, at=1.3)
    rig.move("left", down=True, at=1.4)
    rig.move("left", down=False, at=1.5)
    gestures = Gestures(lambda _: True, rig.source.levels())
    made = [gesture for edge in edges for gesture in gestures.feed(edge)] + gestures.tick(2.0)
    presses = [gesture for gesture in made if gesture.kind is GestureKind.PRESS]
    assert [press.time for press in presses] == pytest.approx([1.3, 1.5], abs=0.011)


@pytest.mark.parametrize("made", [GpioRig, KeypadRig])
def test_times_never_go_back_nor_into_the_future(made: Callable[[], InputRig]) -> None:
    rig = made()
    edges: list[Edge] = []
    rig.source.open(edges.append)
    for at, now in ((20.0, 20.0), (20.2, 20.3), (9999.0, 20.5), (0.0, 20.7), (20.75, 20.8)):
        rig.move("left", down=len(edges) % 2 == 0, at=at, read_at=now)
    times = [edge.time for edge in edges]
    assert times == sorted(times)
    assert times == pytest.approx([20.0, 20.2, 20.5, 20.7, 20.75])
    rig.source.close()


def test_levels_are_read_not_remembered(rig: InputRig) -> None:
    edges: list[Edge] = []
    rig.source.open(edges.append)
    assert rig.source.levels() == {"left": False, "right": False}
    rig.lose("right", down=True)
    # A driver that cannot read levels reports the edge when it notices the change.
    assert {edge[1:] for edge in edges} <= {("right", True)}
    assert rig.source.levels() == {"left": False, "right": True}


def test_an_opened_source_is_alive_and_a_closed_one_is_not(rig: InputRig) -> None:
    assert not rig.source.is_alive()
    rig.source.open(lambda edge: None)
    assert rig.source.is_alive()
    rig.source.close()
    assert not rig.source.is_alive()


def test_a_closed_source_reports_nothing_and_has_no_levels(rig: InputRig) -> None:
    edges: list[Edge] = []
    rig.source.close()
    rig.source.open(edges.append)
    rig.source.close()
    rig.source.close()
    rig.move("left", down=True, at=1.0)
    assert edges == []
    with pytest.raises(DeviceError):
        rig.source.levels()


def test_a_dead_thread_is_detected_and_reopening_recovers(rig: InputRig) -> None:
    edges: list[Edge] = []
    rig.source.open(edges.append)
    rig.kill()
    assert not rig.source.is_alive()
    rig.source.open(edges.append)
    assert rig.source.is_alive()
    before = rig.source.levels()["right"]
    rig.move("right", down=not before, at=2.0)
    assert edges[-1] == (2.0, "right", not before)


def test_a_lost_device_is_reported_once(rig: InputRig) -> None:
    rig.source.open(lambda edge: None)
    assert rig.lost == []
    rig.kill()
    assert [type(error) for error in rig.lost] == [DeviceError]


def test_closing_does_not_report_a_loss(rig: InputRig) -> None:
    rig.source.open(lambda edge: None)
    rig.source.close()
    assert rig.lost == []


@pytest.mark.parametrize("name", load.drivers("inputs"))
def test_every_driver_implements_the_input_interface(name: str) -> None:
    driver = import_module(f"scorer.hw.inputs.{name}")
    wanted = {key for key in vars(InputOptions) if not key.startswith("_")}
    missing = wanted - set(dir(driver.Options)) - set(get_type_hints(driver.Options))
    assert missing == set(), f"{driver.__file__}: Options lacks members of InputOptions in ports.py"
    form = get_type_hints(driver.Options)["lines"]
    assert form in (tuple[str, ...], Mapping[str, int]), f"{driver.__file__}: the type of lines"
    parameters = inspect.signature(driver.create).parameters
    for seam in inspect.signature(InputDriver.create).parameters.values():
        if seam.kind is seam.KEYWORD_ONLY:
            assert seam.name in parameters, f"{driver.__file__}: create() lacks {seam.name}="
            assert parameters[seam.name].kind is seam.KEYWORD_ONLY
    needed = [
        each.name
        for each in parameters.values()
        if each.kind is each.KEYWORD_ONLY and each.default is each.empty
    ]
    assert needed == [], f"{driver.__file__}: a keyword of create() has no default"


@pytest.mark.parametrize("section", ['[[box]]\nconsole = "AB"', "[consoles]"])
@pytest.mark.parametrize("name", load.drivers("inputs"))
def test_an_owner_can_configure_every_driver(section: str, name: str) -> None:
    options = INPUT_VALUES.get(name, {})
    if name == "keypad" and section == "[consoles]":
        return  # refused with what to write: tests/hw/serial/test_box_config.py
    settings = "".join(f"{key} = {value!r}\n" for key, value in options.items())
    none = 'consoles.driver = "none"\n' if "box" in section else ""
    text = f"{none}{section}\ndriver = '{name}'\n{settings}"
    try:
        config = parse_config(text)
    except ConfigError as error:
        hint = "add the driver's required keys to INPUT_VALUES in tests/hw/rigs.py"
        pytest.fail(f"{text}\n{error}\n{hint}")
    source, _, _ = _build_inputs(config, queue.SimpleQueue())
    source.close()
    boxed = (line for box in config.boxes for line in button_lines(box, Layout.FULL, 2))
    lines = boxed if config.boxes else tuple(cast("dict[str, int]", config.console_values["lines"]))
    assert sorted(filter(None, lines)) == sorted(buttons(Layout.FULL, 2))


def test_unavailable_lines_are_a_device_error_and_reopening_recovers(
    rig: InputRig,
) -> None:
    edges: list[Edge] = []
    rig.take_away()
    with pytest.raises(DeviceError, match=r"\w+ \w+"):
        rig.source.open(edges.append)
    assert not rig.source.is_alive()
    with pytest.raises(DeviceError):
        rig.source.levels()
    rig.source.close()
    rig.give_back()
    rig.source.open(edges.append)
    rig.move("left", down=True, at=3.0)
    assert edges == [(3.0, "left", True)]


# ---- the pins of a Pi ---------------------------------------------------------------------------


def test_an_emit_that_raises_does_not_stop_other_buttons() -> None:
    rig = GpioRig()
    edges: list[Edge] = []

    def broken_once(edge: Edge) -> None:
        edges.append(edge)
        if len(edges) == 1:
            raise RuntimeError("inbox")

    rig.source.open(broken_once)
    rig.move("left", down=True, at=1.0)
    rig.move("right", down=True, at=2.0)
    assert [edge.line for edge in edges] == ["left", "right"]
    assert not rig.source.is_alive(), "an edge was lost: the source must be reopened"


def test_a_failed_open_releases_all_pins() -> None:
    from gpiozero import LED

    rig = GpioRig()
    rig.take_away()
    with pytest.raises(DeviceError):
        rig.source.open(lambda edge: None)
    LED(5, pin_factory=rig.pins).close()


def test_the_end_of_lgpios_only_thread_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    rig = GpioRig()
    thread = SimpleNamespace(is_alive=lambda: True)
    monkeypatch.setitem(sys.modules, "lgpio", fake_lgpio(_notify_thread=thread))
    rig.source.open(lambda edge: None)
    thread.is_alive = lambda: False
    assert rig.source.is_alive(), "mock pins have no such thread"
    monkeypatch.setattr(type(rig.pins), "__module__", "gpiozero.pins.lgpio")
    rig.source.open(lambda edge: None)
    assert not rig.source.is_alive()
    thread.is_alive = lambda: True
    assert rig.source.is_alive()


def fake_lgpio(**contents: object) -> ModuleType:
    module = ModuleType("lgpio")
    vars(module).update(contents)
    return module


@pytest.mark.parametrize(
    "lgpio", [None, fake_lgpio()], ids=["no lgpio", "an empty package of that name"]
)
def test_without_lgpio_the_error_names_the_packages(
    monkeypatch: pytest.MonkeyPatch, lgpio: ModuleType | None
) -> None:
    import gpiozero

    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    monkeypatch.setitem(sys.modules, "lgpio", lgpio)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    source = load.input_source("gpio", {"lines": {"left": 5}})
    with pytest.raises(DeviceError, match="install python3-gpiozero and python3-lgpio") as caught:
        source.open(lambda edge: None)
    assert caught.value.__cause__ is not None


def test_all_drivers_of_a_process_share_one_pin_factory(monkeypatch: pytest.MonkeyPatch) -> None:
    import gpiozero

    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    source = load.input_source("gpio", {"lines": {"left": 5}})
    lamp = load.lamp("lamp", {"pin": 5})
    source.open(lambda edge: None)
    assert pins.lgpio_factory() is pins.lgpio_factory()
    with pytest.raises(DeviceError, match="GPIO 5"):
        lamp.open()
    source.close()
    lamp.open()
    lamp.close()


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ({"a": 2}, "lines.a: GPIO 2 is SDA, the wire of the panel: use another pin"),
        ({"a": 3}, "lines.a: GPIO 3 is SCL, the wire of the panel: use another pin"),
        ({"a": 0}, "lines.a: GPIO 0 reads the identity of a HAT: use another pin"),
        ({"a": 28}, "lines.a: GPIO 28 is not on the header: BCM numbers go from 4 to 27"),
    ],
)
def test_reserved_pins_are_refused(lines: dict[str, int], words: str) -> None:
    with pytest.raises(WrongValues) as caught:
        read(gpio.Options, {"lines": lines})
    assert [*map(str, caught.value.problems)] == [words]


def test_all_wrong_pins_are_reported_at_once() -> None:
    problems = load.problems("inputs", "gpio", {"lines": {"a": 2, "b": 3, "c": 7}})
    assert len(problems) == 2
