"""The battery: folders of the kernel, the mark, the log, switching off."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorer.api.marks import Marks
from scorer.config.battery_section import BatterySection
from scorer.config.loader import default_config, parse_config
from scorer.config.toml_reader import ConfigError
from scorer.doctor.machine import HostMachine, check_battery
from scorer.i18n import translator
from scorer.system.battery import BatteryMonitor, Charge
from scorer.table.battery_watch import BatteryWatch


def kernel_folder(root: Path, **attributes: object) -> Path:
    root.mkdir(parents=True)
    for name, value in attributes.items():
        (root / name).write_text(f"{value}\n", encoding="ascii")
    return root


def supplies(root: Path, **attributes: object) -> BatteryMonitor:
    kernel_folder(root / "ac", type="Mains", online=1)
    kernel_folder(root / "battery", **{"type": "Battery", **attributes})
    return BatteryMonitor(supplies=root, hwmon=root / "none")


@pytest.mark.parametrize(
    ("attributes", "charge"),
    [
        ({"capacity": 57, "status": "Discharging"}, Charge(57, is_charging=False)),
        ({"capacity": 57, "status": "Charging"}, Charge(57, is_charging=True)),
        ({"capacity": 100, "status": "Full"}, Charge(100, is_charging=True)),
        # A gauge without a charger (MAX17043) knows no more.
        ({"capacity": 9, "status": "Unknown"}, Charge(9, is_charging=False)),
        ({"capacity": 9}, Charge(9, is_charging=False)),
        ({"capacity": 180, "status": "Unknown"}, None),
        ({"capacity": "?"}, None),
        ({}, None),
        ({"capacity": 9, "scope": "Device"}, None),  # of a mouse
    ],
)
def test_a_gauge_is_read_as_the_kernel_reports_it(
    tmp_path: Path, attributes: dict[str, object], charge: Charge | None
) -> None:
    assert supplies(tmp_path / "supplies", **attributes).read() == charge


@pytest.mark.parametrize(
    ("cells", "millivolts", "milliamperes", "charge"),
    [
        (1, 3750, -400, Charge(50, is_charging=False)),
        (2, 7500, -400, Charge(50, is_charging=False)),
        (2, 7500, 300, Charge(50, is_charging=True)),
        (2, 6300, -400, Charge(0, is_charging=False)),
        (2, 8400, 0, Charge(100, is_charging=False)),
        (3, 10500, -400, Charge(10, is_charging=False)),
    ],
)
def test_the_voltage_of_an_ina219_is_the_charge_of_its_cells(
    tmp_path: Path, cells: int, millivolts: int, milliamperes: int, charge: Charge
) -> None:
    hwmon = tmp_path / "hwmon"
    kernel_folder(hwmon / "hwmon0", name="cpu_thermal", temp1_input=45000)
    kernel_folder(hwmon / "hwmon1", name="ina219", in1_input=millivolts, curr1_input=milliamperes)
    assert BatteryMonitor(cells, tmp_path / "none", hwmon).read() == charge
    assert BatteryMonitor(0, tmp_path / "none", hwmon).read() is None


def test_the_same_chip_is_read_where_it_is_one_of_iio(tmp_path: Path) -> None:
    kernel_folder(
        tmp_path / "iio/iio:device0",
        name="ina219",
        in_voltage1_raw=1875,
        in_voltage1_scale="4.000000",
        in_current3_raw=-400,
        in_current3_scale="1.000000",
    )
    monitor = BatteryMonitor(2, tmp_path / "none", tmp_path / "none", tmp_path / "iio")
    assert monitor.read() == Charge(50, is_charging=False)


def test_more_voltage_is_never_less_charge(tmp_path: Path) -> None:
    hwmon = kernel_folder(tmp_path / "hwmon/hwmon0", name="ina219", in1_input=0)
    found = []
    for millivolts in range(2800, 4400, 7):
        (hwmon / "in1_input").write_text(str(millivolts), encoding="ascii")
        charge = BatteryMonitor(1, tmp_path / "none", tmp_path / "hwmon").read()
        assert charge is not None
        found.append(charge.percent)
    assert found == sorted(found)
    assert (found[0], found[-1]) == (0, 100)


class ScriptedBattery:
    def __init__(self) -> None:
        self.charge: Charge | None = None

    def read(self) -> Charge | None:
        return self.charge


class Watched:
    """A watched battery: its marks, and how often the box was switched off."""

    def __init__(self, section: BatterySection = BatterySection()) -> None:  # noqa: B008
        self.battery, self.marks, self.offs = ScriptedBattery(), Marks(), list[int]()
        self.watch = BatteryWatch(self.battery, section, lambda: self.offs.append(1))

    def see(self, percent: int | None, *, is_charging: bool = False) -> list[str]:
        self.battery.charge = None if percent is None else Charge(percent, is_charging)
        self.watch.check(self.marks)
        return self.marks.words()


def test_a_low_battery_is_marked_and_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    watched = Watched()
    assert watched.see(21) == []
    assert watched.see(20) == ["battery 20"]
    assert watched.see(19) == ["battery 19"]
    assert watched.see(19, is_charging=True) == []
    assert watched.see(20) == ["battery 20"]
    assert capsys.readouterr().err.splitlines() == [
        "scorer run: battery: 20 % or less are left",
        "scorer run: battery: it is charged, or being charged",
        "scorer run: battery: 20 % or less are left",
    ]
    say = translator("es-AR")
    assert say("mark.battery", name="20") == "batería 20 %"


def test_a_box_is_switched_off_once_after_two_readings_of_an_empty_battery(
    capsys: pytest.CaptureFixture[str],
) -> None:
    watched = Watched()
    for percent in (4, 3, 4, 0):
        watched.see(percent)
    assert watched.offs == [], "one reading may be wrong"
    for percent in (3, 2, 2, 1):
        watched.see(percent)
    assert watched.offs == [1]
    told = [line for line in capsys.readouterr().err.splitlines() if "switched off" in line]
    assert told == ["scorer run: battery: 3 % are left: the box is switched off"]


def test_an_empty_battery_that_is_charged_switches_nothing_off() -> None:
    watched = Watched()
    for _ in range(5):
        assert watched.see(1, is_charging=True) == []
    assert watched.offs == []


@pytest.mark.parametrize(("section", "offs"), [(BatterySection(off=0), 0), (BatterySection(), 1)])
def test_zero_never_switches_off(section: BatterySection, offs: int) -> None:
    watched = Watched(section)
    for _ in range(3):
        watched.see(0)
    assert len(watched.offs) == offs


def test_a_battery_that_cannot_be_read_is_logged_and_marks_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    watched = Watched()
    for _ in range(3):
        assert watched.see(None) == []
    assert capsys.readouterr().err == "scorer run: battery: there is none that can be read\n"
    assert watched.offs == []


@pytest.mark.parametrize(
    ("capacity", "section", "found"),
    [
        (57, BatterySection(), ["battery.fine"]),
        (9, BatterySection(), ["battery.low"]),
        (None, BatterySection(), ["battery.lost"]),
        (57, None, []),
    ],
)
def test_the_doctor_says_what_is_left(
    tmp_path: Path, capacity: int | None, section: BatterySection | None, found: list[str]
) -> None:
    if capacity is not None:
        folder = tmp_path / "sys/class/power_supply/battery"
        kernel_folder(folder, type="Battery", capacity=capacity, status="Discharging")
    host = HostMachine(hwmon=tmp_path / "none", root=tmp_path)
    assert [each.key for each in check_battery(host, section)] == found


def test_a_box_as_installed_looks_at_no_battery() -> None:
    assert default_config().battery is None
    assert parse_config("[battery]\n").battery == BatterySection(20, 3, 0)


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        ("[battery]\noff = 20\n", 2, "battery.off: 20 % is not below low = 20"),
        ("[battery]\nlow = 95\n", 2, "battery.low: 95 is not from 0 to 90"),
        ("[battery]\ncells = 5\n", 2, "battery.cells: 5 is not from 0 to 4"),
        ("[battery]\ncell = 2\n", 2, "battery.cell: no such key; did you mean 'cells'?"),
    ],
)
def test_a_wrong_section_is_reported_with_its_line(text: str, line: int, sentence: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_config(text)
    (problem,) = caught.value.problems
    assert (problem.line, problem.sentence) == (line, sentence)
