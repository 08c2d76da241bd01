"""The machine under the table: is its supply weak, is it going down, may it be switched off?

It reads a file of the kernel and leaves the rest to ``logind``. It knows nothing of truco.
"""

from __future__ import annotations

from pathlib import Path

from scorer.system.logind import Logind

HWMON = Path("/sys/class/hwmon")
CHIP = "rpi_volt"
# The kernel forgets a dip two seconds after it; a mark that comes and goes is not read by anybody.
ALARM_HOLD_S = 60.0  # seconds


class PowerControl:
    """What the loop of a table asks of the machine."""

    def __init__(self, supply: SupplyMonitor, logind: Logind) -> None:
        self._supply, self._logind = supply, logind

    def has_undervoltage(self, now: float) -> bool:
        """Has the supply been too weak in the last minute?"""
        return self._supply.has_undervoltage(now)

    def on_table_ready(self) -> None:
        """The table keeps the score: now there is time to listen. Allowed more than once."""
        self._logind.start()

    def switch_off(self) -> None:
        """Asks for the machine to go down; returns at once."""
        self._logind.switch_off()


class SupplyMonitor:
    """Whether the Pi has found its voltage too low lately. ``root`` is where hwmon's chips are."""

    def __init__(self, root: Path = HWMON) -> None:
        self._root = root
        self._alarm_file: Path | None = None
        self._alarm_until = float("-inf")

    def has_undervoltage(self, now: float) -> bool:
        """Reads the alarm at ``now`` (seconds); it counts for a minute. False where none is."""
        if self._is_alarm_raised():
            self._alarm_until = now + ALARM_HOLD_S
        return now < self._alarm_until

    def _is_alarm_raised(self) -> bool:
        self._alarm_file = self._alarm_file or _find_alarm(self._root)
        if self._alarm_file is None:
            return False
        text = _read(self._alarm_file)
        if text is None:
            # Chips are numbered as they come; this one may have another number now.
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
