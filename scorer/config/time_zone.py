"""The time zone of the box: the chosen one, else that of the machine.

Every process that shows a time applies the zone to itself. Where neither the box nor the machine
has one, the time is unknown and not shown: UTC would be wrong by hours.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

from scorer.plain_values import did_you_mean

MACHINE_ZONE = Path("/etc/localtime")
_UTC_NAMES = ("UTC", "UCT", "GMT", "GMT0", "Greenwich", "Universal", "Zulu")
_MAX_CHARS = 60


def find_problem(zone: str) -> str:
    """Why tzdata has no zone of this name, with the nearest one; "" if it has it."""
    import zoneinfo

    with suppress(OSError, ValueError, KeyError):
        zoneinfo.ZoneInfo(zone)
        return ""
    names = sorted(zoneinfo.available_timezones())
    if not names:
        return "tzdata is missing: apt install tzdata"
    name = zone.replace(" ", "_")
    by_city = [each for each in names if each.endswith(f"/{name}")]
    hint = did_you_mean(by_city[0] if by_city else name, names)
    return f"there is no '{zone[:_MAX_CHARS]}'{hint}"


def apply(zone: str) -> None:
    """Use a zone in this process and its children; "" leaves that of the machine."""
    if zone and os.environ.get("TZ") != zone:
        os.environ["TZ"] = zone
        time.tzset()


def is_known() -> bool:
    """Whether a zone is in use that was chosen: for the box, or for the machine."""
    if os.environ.get("TZ"):
        return True
    try:
        return MACHINE_ZONE.readlink().name not in _UTC_NAMES
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True  # not a link: a copied file
