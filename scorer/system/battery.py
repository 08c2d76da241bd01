"""The charge of a battery, as the kernel reports it.

A gauge in the power_supply class reports percent. An INA219 is a chip of hwmon, which knows the
voltage: the percent of its cells are an estimate.
"""

from __future__ import annotations

from bisect import bisect_right
from pathlib import Path
from typing import Final, NamedTuple

from scorer.system.power import HWMON, read_attribute

POWER_SUPPLIES = Path("/sys/class/power_supply")
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
    """Reads the battery of the machine; ``supplies`` and ``hwmon`` are folders of the kernel.

    ``cells``: in series before an INA219; 0 without one.
    """

    def __init__(
        self, cells: int = 0, supplies: Path = POWER_SUPPLIES, hwmon: Path = HWMON
    ) -> None:
        self._cells, self._supplies, self._hwmon = cells, supplies, hwmon

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
                    return Charge(percent, status in _CHARGING)
        return None

    def _of_voltage(self) -> Charge | None:
        for name in sorted(self._hwmon.glob("*/name")):
            if read_attribute(name) == _GAUGE:
                millivolts = _number(name.parent / "in1_input")
                current = _number(name.parent / "curr1_input") or 0
                if millivolts is not None:
                    return Charge(_percent(millivolts // self._cells), current > _CHARGING_MA)
        return None


def _percent(millivolts: int) -> int:
    """The percent that a cell of this voltage has left."""
    at = bisect_right(_CELL, (millivolts, 100))
    if at == 0:
        return 0
    if at == len(_CELL):
        return 100
    (low, less), (high, more) = _CELL[at - 1], _CELL[at]
    return less + (more - less) * (millivolts - low) // (high - low)


def _number(path: Path) -> int | None:
    text = read_attribute(path)
    try:
        return None if text is None else int(text)
    except ValueError:
        return None
