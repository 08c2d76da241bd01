"""Calls to Avahi: over D-Bus for hubs, over its socket for the machine's name."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from jeepney import Message
    from jeepney.io.asyncio import DBusRouter

AVAHI: Final = "org.freedesktop.Avahi"
HUB_SERVICE: Final = "_truco-hall._tcp"
REPLY_TIMEOUT: Final = 5.0  # seconds
# The socket for resolvers of the C library: unlike the bus, it is open to users without a name.
SOCKET: Final = Path("/run/avahi-daemon/socket")
NAME_TIMEOUT: Final = 1.0  # seconds; an address of our own is answered without a query
_RENAMED: Final = re.compile(r"-[0-9]{1,3}(?=\.local$)")


def base_name(name: str) -> str:
    """The name without the number that Avahi appends if another machine has the name.

    "truco.local" for "truco-2.local".
    """
    return _RENAMED.sub("", name)


async def published_name(address: str, path: Path = SOCKET) -> str:
    """The name that Avahi publishes for an address of this machine, "" if unknown."""
    try:
        async with asyncio.timeout(NAME_TIMEOUT):
            reader, writer = await asyncio.open_unix_connection(path)
            with contextlib.closing(writer):
                writer.write(f"RESOLVE-ADDRESS {address}\n".encode("ascii"))
                line = (await reader.readline()).decode("ascii")
    except (OSError, TimeoutError, ValueError):
        return ""
    # "+ INTERFACE PROTOCOL NAME", or "-15 Timeout reached".
    found = re.fullmatch(r"\+ -?\d+ \d+ ([A-Za-z0-9.-]+)\s*", line)
    return found[1] if found else ""


@contextlib.asynccontextmanager
async def open_bus(bus: str) -> AsyncIterator[DBusRouter]:
    """A connection to the bus of Avahi.

    Raises ImportError without jeepney, and OSError or ValueError if the bus cannot be used. What
    the bus or Avahi refuses in the block is an OSError too.
    """
    from jeepney import DBusErrorResponse
    from jeepney.io.asyncio import open_dbus_router
    from jeepney.io.common import RouterClosed

    try:
        async with open_dbus_router(bus) as router:
            yield router
    except DBusErrorResponse as error:
        raise OSError(f"Avahi: {error.name}") from None
    except (EOFError, RouterClosed):
        # As it does at once where the machine cannot name the user of the service.
        raise OSError("the system bus has hung up") from None


async def reply(router: DBusRouter, message: Message) -> tuple[Any, ...]:
    """The values that answer a call.

    Raises DBusErrorResponse, TimeoutError, or RuntimeError when the connection is closed.
    """
    from jeepney.wrappers import unwrap_msg

    # A call goes on if its caller is cancelled, and ends with its router: the router of jeepney
    # stops when the answer to a cancelled call arrives.
    call = asyncio.ensure_future(router.send_and_get_reply(message))
    call.add_done_callback(_retrieve)
    done, _ = await asyncio.wait({call}, timeout=REPLY_TIMEOUT)
    if not done:
        raise TimeoutError("Avahi does not answer.")
    body: tuple[Any, ...] = unwrap_msg(call.result())
    return body


def _retrieve(call: asyncio.Future[Message]) -> None:
    """Take the error of a call that nothing waits for, which asyncio would log."""
    if not call.cancelled():
        call.exception()
