"""The clock of the hub, passed in so that tests decide what time it is."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Protocol

from scorer.system.time_sync import is_clock_synchronised


class Clock(Protocol):
    """The wall clock."""

    def time(self) -> float:
        """Seconds since 1970."""
        ...

    def utc(self) -> str:
        """The same as ``2026-11-22T20:14:07Z``."""
        ...

    @property
    def is_trusted(self) -> bool:
        """Whether a time server has set it; if not, people are shown ages."""
        ...


class WallClock:
    """The clock of the machine."""

    def time(self) -> float:
        return time.time()

    def utc(self) -> str:
        return utc_text(self.time())

    @property
    def is_trusted(self) -> bool:
        return is_clock_synchronised()


def seconds_of(utc: str) -> float:
    """The seconds since 1970 of a text of ``utc_text``."""
    return datetime.fromisoformat(utc).timestamp()


def local_text(seconds: float) -> str:
    """A time in seconds since 1970 in the zone of this machine, for people."""
    return f"{datetime.fromtimestamp(seconds).astimezone():%d/%m/%Y %H:%M}"


def local_day(seconds: float) -> str:
    """The day of a time in seconds since 1970, in the zone of this machine."""
    return f"{datetime.fromtimestamp(seconds).astimezone():%Y-%m-%d}"


def utc_text(seconds: float) -> str:
    """A time in seconds since 1970 as ISO text."""
    return f"{datetime.fromtimestamp(int(seconds), UTC):%Y-%m-%dT%H:%M:%SZ}"
