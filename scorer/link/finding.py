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
_MAX_EACH: Final = 4  # announcements of one address: two processes of a hub, on two networks

_Announcement = tuple[Any, ...]  # interface, protocol, name, type, domain


class FoundHall(NamedTuple):
    """A hall that announces itself."""

    name: str
    hub: HostAddress

    @property
    def id(self) -> str:
        """Names it at the table."""
        return str(self.hub)


async def watch_halls(report: Callable[[tuple[FoundHall, ...]], None], bus: str = "SYSTEM") -> None:
    """Report the halls whenever there is another or one is gone, until cancelled.

    Raises OSError, RuntimeError or ValueError if Avahi cannot be asked.
    """
    found: dict[_Announcement, FoundHall] = {}
    async with _browse(bus) as services:
        report(())
        async for announcement, hall in services:
            if hall is None:
                found.pop(announcement, None)
            else:
                listed = {each.hub for each in found.values()} | {hall.hub}
                own = sum(each.hub.host == hall.hub.host for each in found.values())
                # One address cannot fill the list.
                if announcement in found or (own < _MAX_EACH and len(listed) <= MAX_HALLS):
                    found[announcement] = hall
            halls = {hall.hub: hall for hall in reversed(found.values())}
            report(_without_loops(tuple(reversed(halls.values()))))


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


_Heard = tuple[_Announcement, FoundHall | None]  # None: it is announced no more


@contextlib.asynccontextmanager
async def _browse(bus: str) -> AsyncIterator[AsyncIterator[_Heard]]:
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
) -> AsyncIterator[_Heard]:
    from jeepney import DBusErrorResponse, HeaderFields

    while True:
        signal = await signals.get()
        fields = signal.header.fields
        member = fields.get(HeaderFields.member)
        if fields.get(HeaderFields.path) != path or member not in ("ItemNew", "ItemRemove"):
            continue
        announcement = tuple(signal.body[:5])
        if member == "ItemRemove":
            yield announcement, None
            continue
        values = (*announcement, _IPV4, 0)
        # It may have gone meanwhile.
        with contextlib.suppress(DBusErrorResponse, TimeoutError):
            resolved = await _call(router, "ResolveService", "iisssiu", values)
            if (hall := _hall(resolved)) is not None:
                yield announcement, hall


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
