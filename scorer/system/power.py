"""Power of the machine.

Undervoltage from hwmon, shutdown and power-off by ``logind``.
"""

from __future__ import annotations

import os
import select
from collections.abc import Callable
from contextlib import suppress
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


def has_event(descriptor: int) -> bool:
    """Whether the kernel reported a change of this attribute since the last read."""
    poll = select.poll()
    poll.register(descriptor, select.POLLPRI)
    return any(event & select.POLLPRI for _, event in poll.poll(0))


class SupplyMonitor:
    """Undervoltage alarm of the Pi. ``root`` contains the hwmon chips.

    The kernel looks at the supply every two seconds and reports a change of the alarm as an event
    of its attribute, so that a dip between two readings is noticed.
    """

    def __init__(self, root: Path = HWMON, has_event: Callable[[int], bool] = has_event) -> None:
        self._root, self._has_event = root, has_event
        self._alarm_file: Path | None = None
        self._descriptor: int | None = None  # of the alarm; open, as events count per opening
        self._alarm_until = float("-inf")

    def has_undervoltage(self, now: float) -> bool:
        """Read the alarm at ``now`` (seconds), hold it for a minute; False without one."""
        if self._is_alarm_raised():
            self._alarm_until = now + ALARM_HOLD_S
        return now < self._alarm_until

    def close(self) -> None:
        """Stop listening to the alarm. Idempotent."""
        self._alarm_file = None
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _is_alarm_raised(self) -> bool:
        """Whether the supply is too weak, or was since the last call."""
        if self._alarm_file is None:
            for name in sorted(self._root.glob("*/name")):
                if read_attribute(name) == CHIP:
                    self._alarm_file = name.with_name("in0_lcrit_alarm")
                    break
        if self._alarm_file is None:
            return False
        text = read_attribute(self._alarm_file)
        if text is None:
            # hwmon numbers are assigned in order of detection: search for the chip again.
            self.close()
            return False
        # Whether the alarm went on or off since the last call; False at the first one.
        changed = False
        with suppress(OSError):
            if self._descriptor is None:
                self._descriptor = os.open(self._alarm_file, os.O_RDONLY | os.O_CLOEXEC)
            else:
                changed = self._has_event(self._descriptor)
            # Reading arms the next event.
            os.pread(self._descriptor, 16, 0)
        return changed or text == "1"


def read_attribute(path: Path) -> str | None:
    """The text of an attribute of the kernel; None if it cannot be read."""
    try:
        return path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return None
