"""Wall clock and boot id; a Pi without a clock chip starts with a past time."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path

from scorer.store.journal import Row, Stamp

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
# systemd-timesyncd touches it after the first synchronisation.
_SYNCHRONISED = Path("/run/systemd/timesync/synchronized")


def boot_id() -> str:
    """The kernel's id of the current boot; "" if not available."""
    try:
        return _BOOT_ID.read_text(encoding="ascii").strip()
    except OSError:
        return ""


def local_minute(stamp: Stamp) -> int | None:
    """The local minute of the day; None if the clock is not synchronised."""
    if not stamp.trusted:
        return None
    there = datetime.fromisoformat(stamp.wall).astimezone()
    return there.hour * 60 + there.minute


def is_new_day(last: Row, now: Stamp) -> bool:
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
        return Stamp(self._boot, int(now * 1000), text, trusted=_SYNCHRONISED.exists())
