"""Announce the hub in the network: Avahi publishes it, asked over D-Bus.

Without Avahi boxes find the hub by the address on their card.
"""

from __future__ import annotations

import asyncio
from typing import Final

from scorer.hub.hub_log import write_log
from scorer.serving.avahi import AVAHI, HUB_SERVICE, open_bus, reply

RETRY: Final = 300.0  # seconds, after which Avahi is asked again
_ADVICE: Final = (
    "boxes find it by its address alone, as cards have it: sudo apt install avahi-daemon"
)
_ANY: Final = -1  # AVAHI_IF_UNSPEC and AVAHI_PROTO_UNSPEC
_UNKNOWN: Final = ".ServiceUnknown"  # of the bus, which knows no such service
_MAX_NAME_BYTES: Final = 63  # of a label of DNS


async def announce(name: str, port: int, bus: str = "SYSTEM") -> None:
    """Keep the hub announced, until cancelled. ``name``: of the hall."""
    is_reported = False
    while True:
        try:
            await _publish(name, port, bus)
        except (OSError, RuntimeError, ValueError, ImportError) as error:
            if not is_reported:
                write_log(f"it is not announced in the network: {_why(error)}; {_ADVICE}")
            is_reported = True
        await asyncio.sleep(RETRY)


def _why(error: Exception) -> str:
    """What is missing for Avahi to announce the hub."""
    if isinstance(error, ImportError):
        return f"Avahi cannot be asked without {error.name}"
    if isinstance(error, OSError) and error.errno is not None:
        return f"Avahi cannot be asked, there is no system bus: {error.strerror}"
    if str(error).endswith(_UNKNOWN):
        return "Avahi is not running"
    return f"Avahi cannot be asked: {error}"


async def _publish(name: str, port: int, bus: str) -> None:
    """Announce as long as the connection to Avahi lasts."""
    # Imported here: a hub without a bus needs no library for it.
    from jeepney import DBusAddress, new_method_call

    label = name.encode()[:_MAX_NAME_BYTES].decode(errors="ignore")
    async with open_bus(bus) as router:
        server = DBusAddress("/", AVAHI, f"{AVAHI}.Server")
        (path,) = await reply(router, new_method_call(server, "EntryGroupNew"))
        group = DBusAddress(path, AVAHI, f"{AVAHI}.EntryGroup")
        values = (_ANY, _ANY, 0, label, HUB_SERVICE, "", "", port, list[bytes]())
        await reply(router, new_method_call(group, "AddService", "iiussssqaay", values))
        await reply(router, new_method_call(group, "Commit"))
        # Avahi withdraws it when the connection ends.
        await asyncio.Event().wait()
