"""The state of the Wi-Fi network, in a file readable by all.

It holds the name of the network, and of passwords only that of the box's own network, which the
panel shows. It is lost on reboot.
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
    OWN = "own"  # the box has opened a network itself


class WifiState(NamedTuple):
    """The state of joining a network."""

    status: JoinStatus
    wifi: str
    password: str = ""  # of the box's own network, for phones
    target: str = ""  # the network that the box leaves its own for, or has tried to join
    fault: JoinStatus | None = None  # why it was not joined; None: it is about to be


def write(joining: WifiState, file: Path = FILE) -> None:
    """Write the file atomically. Raises OSError."""
    fresh = file.with_name(f".{file.name}.new")
    fields = {"how": joining.status, "wifi": joining.wifi}
    if joining.password:
        fields["password"] = joining.password
    if joining.target:
        fields["target"] = joining.target
    if joining.fault is not None:
        fields["fault"] = joining.fault
    fresh.write_text(json.dumps(fields), encoding="utf-8")
    fresh.chmod(0o644)
    fresh.replace(file)


def read(file: Path = FILE) -> WifiState | None:
    """Read the file; None if it is missing or invalid."""
    try:
        with file.open("rb") as opened:
            fields = json.loads(opened.read(MAX_BYTES))
        password, target = (str(fields.get(key, "")) for key in ("password", "target"))
        fault = JoinStatus(fields["fault"]) if "fault" in fields else None
        return WifiState(JoinStatus(fields["how"]), str(fields["wifi"]), password, target, fault)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
