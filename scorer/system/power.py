"""Power of the machine.

Undervoltage from hwmon, shutdown and power-off by ``logind``.
"""

from __future__ import annotations

from pathlib import Path

from scorer.system.logind import Logind

HWMON = Path("/sys/class/hwmon")
CHIP = "rpi_volt"
# The kernel clears the alarm after two seconds, too short for a mark on the panel to be read.
ALARM_HOLD_S = 60.0  # seconds


class PowerControl:
    """The power functions used by the main loop."""

    def __init__(self, supply: SupplyMonitor, logind: Logind) -> None:
        self._supply, self._logind = supply, logind

    def has_undervoltage(self, now: float) -> bool:
        """Whether the supply was too weak in the last minute."""
        return self._supply.has_undervoltage(now)

    def on_table_ready(self) -> None:
        """Start listening to logind once the table is usable. May be called again."""
        self._logind.start()

    def switch_off(self) -> None:
        """Request power-off; returns at once."""
        self._logind.switch_off()


class SupplyMonitor:
    """Undervoltage alarm of the Pi. ``root`` contains the hwmon chips."""

    def __init__(self, root: Path = HWMON) -> None:
        self._root = root
        self._alarm_file: Path | None = None
        self._alarm_until = float("-inf")

    def has_undervoltage(self, now: float) -> bool:
        """Read the alarm at ``now`` (seconds), hold it for a minute; False without one."""
        if self._is_alarm_raised():
            self._alarm_until = now + ALARM_HOLD_S
        return now < self._alarm_until

    def _is_alarm_raised(self) -> bool:
        self._alarm_file = self._alarm_file or _find_alarm(self._root)
        if self._alarm_file is None:
            return False
        text = _read(self._alarm_file)
        if text is None:
            # hwmon numbers are assigned in order of detection: search for the chip again.
            self._alarm_file = None
        return text == "1"


def _find_alarm(root: Path) -> Path | None:
    chips = (name.parent for name in sorted(root.glob("*/name")) if _read(name) == CHIP)
    return next((chip / "in0_lcrit_alarm" for chip in chips), None)


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return None
