"""Wall clock and boot id; a Pi without a clock chip starts with a past time."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime
from pathlib import Path

from scorer.config import time_zone
from scorer.store.journal import Stamp, StoredRow
from scorer.system.time_sync import is_clock_synchronised

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


def boot_id() -> str:
    """The kernel's id of the current boot; "" if not available."""
    try:
        return _BOOT_ID.read_text(encoding="ascii").strip()
    except OSError:
        return ""


def local_moment(wall: str) -> datetime | None:
    """A time of the journal in local time; None if damaged or without time zone."""
    if not time_zone.is_known():
        return None
    try:
        return datetime.fromisoformat(wall).astimezone()
    except (ValueError, OverflowError):
        # The time is only decoration: the score works without it.
        return None


def local_minute(stamp: Stamp) -> int | None:
    """The local minute of the day; None if clock or time zone are unknown."""
    there = local_moment(stamp.wall) if stamp.trusted else None
    if there is None:
        return None
    return there.hour * 60 + there.minute


def local_day(stamp: Stamp) -> date | None:
    """The local day; None if the clock is not synchronised."""
    return datetime.fromisoformat(stamp.wall).astimezone().date() if stamp.trusted else None


def is_new_day(last: StoredRow, now: Stamp) -> bool:
    """Whether the machine was booted after ``last``, on another local day.

    False if either clock was not synchronised.
    """
    if last.boot == now.boot or not (last.trusted and now.trusted):
        return False
    days = [datetime.fromisoformat(wall).astimezone().date() for wall in (last.wall, now.wall)]
    return days[0] != days[1]


class SystemClock:
    """Stamps for the journal: monotonic within a boot, with the wall clock."""

    def __init__(self) -> None:
        self._boot = boot_id()

    def stamp(self, now: float) -> Stamp:
        """``now`` is the monotonic second of the press."""
        wall = datetime.fromtimestamp(time.time() - (time.monotonic() - now), UTC)
        text = wall.isoformat(timespec="seconds")
        return Stamp(self._boot, int(now * 1000), text, trusted=is_clock_synchronised())
