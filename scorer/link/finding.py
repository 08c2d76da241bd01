"""Find halls in the network: Avahi browses, asked over D-Bus.

Everything that another machine announces is checked and bounded. Without Avahi there is none.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from scorer.config.link_section import HostAddress
from scorer.link.https import HubUnreachable, open_connection
from scorer.link.status import MAX_HALLS, clean_name
from scorer.serving.avahi import AVAHI, HUB_SERVICE, open_bus, reply

if TYPE_CHECKING:
    from jeepney import Message
    from jeepney.io.asyncio import DBusRouter

_SERVER: Final = f"{AVAHI}.Server"
_BROWSER: Final = f"{AVAHI}.ServiceBrowser"
_ANY, _IPV4 = -1, 0  # AVAHI_IF_UNSPEC, AVAHI_PROTO_INET


class FoundHall(NamedTuple):
    """A hall that announces itself."""

    name: str
    hub: HostAddress

    @property
    def id(self) -> str:
        """Names it at the table."""
        return str(self.hub)


async def watch_halls(report: Callable[[tuple[FoundHall, ...]], None], bus: str = "SYSTEM") -> None:
    """Report the halls whenever there is another, until cancelled.

    Raises OSError, RuntimeError or ValueError if Avahi cannot be asked.
    """
    found: dict[HostAddress, FoundHall] = {}
    async with _browse(bus) as services:
        report(())
        async for hall in services:
            if hall.hub not in found and len(found) < MAX_HALLS:
                found[hall.hub] = hall
                report(_without_loops(tuple(found.values())))


def _without_loops(found: tuple[FoundHall, ...]) -> tuple[FoundHall, ...]:
    """The halls, that of this machine once.

    Avahi finds it at the loopback address as well, which is of no use to a phone.
    """
    loops = {hall for hall in found if ipaddress.ip_address(hall.hub.host).is_loopback}
    elsewhere = {(hall.name, hall.hub.port) for hall in found if hall not in loops}
    return tuple(
        hall for hall in found if hall not in loops or (hall.name, hall.hub.port) not in elsewhere
    )


async def hub_of(halls: tuple[FoundHall, ...], pin: str) -> HostAddress | None:
    """The address of the hub with this certificate; None if it is not there."""
    for hall in halls:
        with contextlib.suppress(HubUnreachable):
            (await open_connection(hall.hub, pin)).connection.close()
            return hall.hub
    return None


@contextlib.asynccontextmanager
async def _browse(bus: str) -> AsyncIterator[AsyncIterator[FoundHall]]:
    from jeepney import MatchRule, message_bus

    async with open_bus(bus) as router:
        rule = MatchRule(type="signal", sender=AVAHI, interface=_BROWSER)
        await reply(router, message_bus.AddMatch(rule))
        # Signals carry the sender's unique name. They may come before the answer to the call.
        signals: asyncio.Queue[Message] = asyncio.Queue(maxsize=64)
        with router.filter(MatchRule(type="signal", interface=_BROWSER), queue=signals):
            values = (_ANY, _IPV4, HUB_SERVICE, "", 0)
            (path,) = await _call(router, "ServiceBrowserNew", "iissu", values)
            yield _services(router, signals, path)


async def _services(
    router: DBusRouter, signals: asyncio.Queue[Message], path: str
) -> AsyncIterator[FoundHall]:
    from jeepney import DBusErrorResponse, HeaderFields

    while True:
        signal = await signals.get()
        fields = signal.header.fields
        if fields.get(HeaderFields.path) != path or fields.get(HeaderFields.member) != "ItemNew":
            continue
        values = (*signal.body[:5], _IPV4, 0)
        # It may have gone meanwhile.
        with contextlib.suppress(DBusErrorResponse, TimeoutError):
            resolved = await _call(router, "ResolveService", "iisssiu", values)
            if (hall := _hall(resolved)) is not None:
                yield hall


def _hall(resolved: tuple[Any, ...]) -> FoundHall | None:
    """The hall of a resolved service; None if its announcement makes no sense."""
    name, address, port = str(resolved[2]), str(resolved[7]), int(resolved[8])
    name = clean_name(name)
    try:
        ipaddress.IPv4Address(address)
    except ValueError:
        return None
    return FoundHall(name or address, HostAddress(address, port)) if port else None


async def _call(
    router: DBusRouter, method: str, signature: str, values: tuple[object, ...]
) -> tuple[Any, ...]:
    from jeepney import DBusAddress, new_method_call

    server = DBusAddress("/", AVAHI, _SERVER)
    return await reply(router, new_method_call(server, method, signature, values))
