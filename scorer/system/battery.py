"""The charge of a battery, as the kernel reports it.

A gauge in the power_supply class reports percent. An INA219, a chip of hwmon on Raspberry Pi OS and
of iio on Debian, knows the voltage: the percent of its cells are an estimate.
"""

from __future__ import annotations

from bisect import bisect_right
from pathlib import Path
from typing import Final, NamedTuple

from scorer.system.power import HWMON, read_attribute

POWER_SUPPLIES = Path("/sys/class/power_supply")
IIO = Path("/sys/bus/iio/devices")
_GAUGE = "ina219"
_CHARGING_MA: Final = 20  # above the noise of the shunt
_CHARGING: Final = ("Charging", "Full", "Not charging")
# Millivolts of a lithium cell at a tenth of its current, and the percent that it has left.
_CELL: Final = ((3200, 0), (3500, 10), (3650, 30), (3750, 50), (3900, 70), (4050, 90), (4150, 100))


class Charge(NamedTuple):
    """``percent``: 0 to 100; ``is_charging``: nothing is taken from it."""

    percent: int
    is_charging: bool


class BatteryMonitor:
    """Reads the battery of the machine.

    ``cells``: in series before an INA219; 0 without one. The others are folders of the kernel.
    """

    def __init__(
        self,
        cells: int = 0,
        supplies: Path = POWER_SUPPLIES,
        hwmon: Path = HWMON,
        iio: Path = IIO,
    ) -> None:
        self._cells, self._supplies, self._hwmon, self._iio = cells, supplies, hwmon, iio

    def read(self) -> Charge | None:
        """The charge now; None if there is no battery."""
        gauge = self._of_power_supply()
        return self._of_voltage() if gauge is None and self._cells else gauge

    def _of_power_supply(self) -> Charge | None:
        for folder in sorted(self._supplies.glob("*")):
            # The battery of a mouse is one of a device.
            is_own = read_attribute(folder / "scope") != "Device"
            if is_own and read_attribute(folder / "type") == "Battery":
                percent = _number(folder / "capacity")
                if percent is not None and 0 <= percent <= 100:
                    status = read_attribute(folder / "status")
                    return Charge(int(percent), status in _CHARGING)
        return None

    def _of_voltage(self) -> Charge | None:
        for folder in (*sorted(self._hwmon.glob("*")), *sorted(self._iio.glob("*"))):
            if read_attribute(folder / "name") == _GAUGE:
                millivolts = _scaled(folder, "in1_input", "in_voltage1")
                current = _scaled(folder, "curr1_input", "in_current3") or 0.0
                if millivolts is not None:
                    return Charge(_percent(millivolts // self._cells), current > _CHARGING_MA)
        return None


def _percent(millivolts: float) -> int:
    """The percent that a cell of this voltage has left."""
    at = bisect_right(_CELL, (millivolts, 100))
    if at == 0:
        return 0
    if at == len(_CELL):
        return 100
    (low, less), (high, more) = _CELL[at - 1], _CELL[at]
    return less + int((more - less) * (millivolts - low) / (high - low))


def _scaled(folder: Path, of_hwmon: str, of_iio: str) -> float | None:
    """A value of a chip in thousandths of its unit, as either kind of driver has it."""
    raw, scale = _number(folder / f"{of_iio}_raw"), _number(folder / f"{of_iio}_scale")
    return _number(folder / of_hwmon) if raw is None or scale is None else raw * scale


def _number(path: Path) -> float | None:
    try:
        return float(read_attribute(path) or "")
    except ValueError:
        return None
