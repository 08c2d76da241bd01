"""Whether the clock of this machine was set by a time server since it started."""

from __future__ import annotations

from pathlib import Path

# systemd-timesyncd touches it after the first synchronisation.
_SYNCHRONISED = Path("/run/systemd/timesync/synchronized")


def is_clock_synchronised() -> bool:
    return _SYNCHRONISED.exists()
