"""Watches the battery: marks a low one, switches off before it is empty.

Imported only by a table with the section [battery].
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Protocol

from scorer.api.marks import Marks
from scorer.config.battery_section import BatterySection
from scorer.system.battery import Charge

_NONE = "there is none that can be read"
_READINGS = 2  # in a row: one wrong reading of a gauge switches nothing off


class Battery(Protocol):
    """A battery that can be read."""

    def read(self) -> Charge | None: ...


class BatteryWatch:
    """The battery of one table; called with its periodic work, in its thread."""

    def __init__(
        self, battery: Battery, section: BatterySection, switch_off: Callable[[], object]
    ) -> None:
        """``switch_off`` requests that the machine is switched off; it returns at once."""
        self._battery, self._section, self._switch_off = battery, section, switch_off
        self._told = ""
        self._empty_readings = 0

    def check(self, marks: Marks) -> None:
        """Read the battery, and mark it or switch off where that is due."""
        charge, section = self._battery.read(), self._section
        is_used = charge is not None and not charge.is_charging
        left = charge.percent if charge is not None and is_used else 100
        is_low, is_empty = left <= section.low, section.off > 0 and left <= section.off
        marks.set_battery(left if is_low else None)
        # Log a change: once for each fault, and when it is over.
        fault = _NONE if charge is None else f"{section.low} % or less are left" * is_low
        if fault != self._told:
            _log(fault or "it is charged, or being charged")
        self._told = fault
        self._empty_readings = self._empty_readings + 1 if is_empty else 0
        if self._empty_readings == _READINGS:
            _log(f"{left} % are left: the box is switched off")
            self._switch_off()


def _log(sentence: str) -> None:
    sys.stderr.write(f"scorer run: battery: {sentence}\n")
