"""How joining the wireless network of the card went, in a file that whoever wants may read.

It holds the name of the network and never its password. It is gone after a restart of the machine.
"""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

FILE = Path("/run/scorer-wifi/state")  # in the runtime directory of scorer-wifi.service
MAX_BYTES = 1000  # bytes


class JoinStatus(StrEnum):
    """What became of it."""

    JOINING = "joining"
    JOINED = "joined"
    PASSWORD = "password"  # refused
    ABSENT = "absent"  # no such network in reach
    FAILED = "failed"  # the journal says why


class JoinState(NamedTuple):
    """Which network, and how it went."""

    status: JoinStatus
    wifi: str


def write(joining: JoinState, file: Path = FILE) -> None:
    """Puts it into the file, whole or not at all. Raises OSError."""
    fresh = file.with_name(f".{file.name}.new")
    fresh.write_text(json.dumps({"how": joining.status, "wifi": joining.wifi}), encoding="utf-8")
    fresh.chmod(0o644)
    fresh.replace(file)


def read(file: Path = FILE) -> JoinState | None:
    """What the file says; None where nobody was asked to join anything."""
    try:
        with file.open("rb") as opened:
            told = json.loads(opened.read(MAX_BYTES))
        return JoinState(JoinStatus(told["how"]), str(told["wifi"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
