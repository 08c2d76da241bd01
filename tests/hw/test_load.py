"""Drivers are found by file name, and their settings are checked all at once."""

from __future__ import annotations

import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import import_module
from typing import get_args

import pytest
from gpiozero.pins.mock import MockFactory

from scorer.hw import load
from scorer.hw.displays import luma_oled
from scorer.plain_values import Found, WrongValues, read
from tests.hw.rigs import COVERED
from tests.paths import ROOT

KINDS: tuple[load.Kind, ...] = get_args(load.Kind)

# Modules beside the drivers that are not drivers; new ones must be added here.
COMPANIONS = {
    "inputs": {"key_capture"},
    "displays": {"buses", "chip_simulator", "fake_bus", "partial_update", "ram_changes"},
    "outputs": {
        *("channel_lights", "colour_light", "i2c_chip", "memory", "newest_value"),
        *("player", "switch", "word_display"),
    },
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_driver_file_has_a_contract_case(kind: load.Kind) -> None:
    drivers = set(load.drivers(kind))
    assert drivers - set(COVERED[kind]) == set(), f"add a rig to the {kind} of tests/hw/rigs.py"
    assert set(COVERED[kind]) - drivers == set(), f"a rig in tests/hw/rigs.py has no {kind} driver"


@pytest.mark.parametrize("kind", KINDS)
def test_every_file_is_a_driver_or_a_known_companion(kind: load.Kind) -> None:
    package = import_module(f"scorer.hw.{kind}")
    files = {module.name for module in pkgutil.iter_modules(package.__path__)}
    others = files - set(load.drivers(kind))
    assert others == COMPANIONS[kind], (
        "a driver has Options and create(); what is no driver stands in COMPANIONS of this file"
    )


@pytest.mark.parametrize(
    ("kind", "name", "words"),
    [
        ("displays", "luma_oledd", "no driver 'luma_oledd' in displays; did you mean 'luma_oled'?"),
        ("inputs", "../gpio", "no driver '../gpio' in inputs; did you mean 'gpio'?"),
        ("inputs", "keyboard", "no driver 'keyboard' in inputs; did you mean 'keypad'?"),
        ("outputs", "lamps", "no driver 'lamps' in outputs; did you mean 'lamp'?"),
    ],
)
def test_an_unknown_driver_is_refused_with_the_nearest(
    kind: load.Kind, name: str, words: str
) -> None:
    assert load.problems(kind, name, {}) == ((("driver",), words),)


def test_a_module_that_is_no_driver_is_refused_with_the_known_ones() -> None:
    known = ", ".join(load.drivers("displays"))
    words = f"no driver 'fake_bus' in displays; known are {known}"
    assert load.problems("displays", "fake_bus", {}) == ((("driver",), words),)


def test_a_driver_with_a_missing_import_is_not_reported_as_unknown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(sys.modules, "scorer.hw.displays.luma_oled")
    monkeypatch.setitem(sys.modules, "scorer.hw.lazy_exceptions", None)
    with pytest.raises(ModuleNotFoundError, match=r"scorer\.hw\.lazy_exceptions"):
        load.display("luma_oled", {})


def test_all_errors_are_reported_at_once_with_the_nearest_key() -> None:
    values = {"contoller": "sh1106", "rotate": "90", "size": [128], "interface": "usb"}
    assert [*map(str, load.problems("displays", "luma_oled", values))] == [
        "contoller: no such key; did you mean 'controller'?",
        "interface: wants one of i2c, spi, not 'usb'",
        "rotate: wants a whole number, not '90'",
        "size: wants 2 values, not 1",
    ]


def test_valid_settings_become_options() -> None:
    values: dict[str, object] = {"size": [128, 32], "port": 0, "address": 0x3D, "rotate": 2}
    assert load.options("displays", "luma_oled", values) == luma_oled.Options(
        size=(128, 32), port=0, address=0x3D, rotate=2
    )
    assert load.problems("displays", "luma_oled", values) == ()


def test_every_kind_of_device_is_created_from_plain_values() -> None:
    assert load.display("luma_oled", {"size": [128, 32]}).size == (128, 32)
    pins = MockFactory()
    lines = load.input_source("gpio", {"lines": {"left": 5}}, pin_factory=pins)
    lines.open(lambda edge: None)
    load.lamp("lamp", {"pin": 6}, pin_factory=pins).open()
    load.buzzer("buzzer", {"pin": 7}, pin_factory=pins).open()


@pytest.mark.parametrize(("kind", "name"), [("displays", "memory"), ("inputs", "scripted")])
def test_the_fakes_of_the_tests_are_no_drivers(kind: load.Kind, name: str) -> None:
    (problem,) = load.problems(kind, name, {"lines": ["left"]})
    assert problem.sentence.startswith(f"no driver '{name}' in {kind}; ")


@dataclass(frozen=True)
class Sample:
    """A field of every type that options may have."""

    pins: dict[str, int]
    ratio: float = 1.0
    on: bool = True
    names: tuple[str, ...] = ()
    pair: tuple[int, int] = (0, 0)
    maybe: int | None = None
    made: list[int] = field(default_factory=list)


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ({}, "pins: is missing"),
        ({"pins": 3}, "pins: wants a table, not 3"),
        ({"pins": {"a": "5"}}, "pins.a: wants a whole number, not '5'"),
        ({"pins": {"a": True}}, "pins.a: wants a whole number, not True"),
        ({"pins": {}, "ratio": "1"}, "ratio: wants a number, not '1'"),
        ({"pins": {}, "on": 1}, "on: wants true or false, not 1"),
        ({"pins": {}, "names": "ab"}, "names: wants a list, not 'ab'"),
        ({"pins": {}, "names": ["a", 1]}, "names.1: wants a text, not 1"),
        ({"pins": {}, "pair": [1, 2, 3]}, "pair: wants 2 values, not 3"),
        ({"pins": {}, "maybe": "x"}, "maybe: wants a whole number, not 'x'"),
    ],
)
def test_wrong_values_are_refused(values: dict[str, object], problem: str) -> None:
    with pytest.raises(WrongValues) as caught:
        read(Sample, values)
    assert [*map(str, caught.value.problems)] == [problem]


@dataclass(frozen=True)
class Checked:
    """Values that the dataclass checks itself."""

    low: int = 0
    high: int = 1

    def find_problems(self) -> Iterator[Found]:
        return ((key, "below 0") for key in ("low", "high") if getattr(self, key) < 0)


def test_the_good_keys_are_checked_beside_the_wrong_ones() -> None:
    with pytest.raises(WrongValues) as caught:
        read(Checked, {"low": "x", "high": -1, "middle": 2})
    assert [problem.path for problem in caught.value.problems] == [("high",), ("low",), ("middle",)]


def test_plain_values_are_converted() -> None:
    built = read(Sample, {"pins": {"a": 5}, "ratio": 2, "names": ["a"], "pair": [1, 2]})
    assert built == Sample(pins={"a": 5}, ratio=2.0, names=("a",), pair=(1, 2))
    assert type(built.ratio) is float
    assert read(Sample, {"pins": {}, "maybe": None}).maybe is None


IMPORT_ALL = """
import importlib, os, pkgutil, sys, threading
descriptors = os.listdir("/proc/self/fd")
import scorer.hw
names = [module.name for module in pkgutil.walk_packages(scorer.hw.__path__, "scorer.hw.")]
for name in names:
    importlib.import_module(name)
from scorer.hw import load
for kind in ("inputs", "displays", "outputs"):
    load.drivers(kind)
# Not Pillow: the fakes hold pictures, and every table draws some.
libraries = {"luma", "gpiozero", "lgpio", "smbus2", "spidev", "serial", "RPi"}
loaded = libraries & {name.partition(".")[0] for name in sys.modules}
opened = len(os.listdir("/proc/self/fd")) - len(descriptors)
print(len(names) > 15, sorted(loaded), threading.active_count(), opened)
"""


def test_importing_every_module_loads_no_library_opens_nothing_and_starts_no_thread() -> None:
    result = subprocess.run(
        [sys.executable, "-c", IMPORT_ALL],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert result.stderr == ""
    assert result.stdout.strip() == "True [] 1 0", "import a driver's library inside its open()"
