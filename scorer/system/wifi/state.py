"""The state of joining the Wi-Fi network, in a file readable by all.

It holds the network name, never the password, and is lost on reboot.
"""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

FILE = Path("/run/scorer-wifi/state")  # runtime directory of scorer-wifi.service
MAX_BYTES = 1000  # bytes


class JoinStatus(StrEnum):
    """The result of joining."""

    JOINING = "joining"
    JOINED = "joined"
    PASSWORD = "password"  # refused
    ABSENT = "absent"  # network out of range
    FAILED = "failed"  # reason in the system journal


class JoinState(NamedTuple):
    """The state of joining a network."""

    status: JoinStatus
    wifi: str


def write(joining: JoinState, file: Path = FILE) -> None:
    """Write the file atomically. Raises OSError."""
    fresh = file.with_name(f".{file.name}.new")
    fresh.write_text(json.dumps({"how": joining.status, "wifi": joining.wifi}), encoding="utf-8")
    fresh.chmod(0o644)
    fresh.replace(file)


def read(file: Path = FILE) -> JoinState | None:
    """Read the file; None if it is missing or invalid."""
    try:
        with file.open("rb") as opened:
            fields = json.loads(opened.read(MAX_BYTES))
        return JoinState(JoinStatus(fields["how"]), str(fields["wifi"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
