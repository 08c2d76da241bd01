"""Halls in the network; Avahi is a fake service on a private bus."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest
from jeepney import DBusAddress, HeaderFields, Message, message_bus, new_error, new_method_return
from jeepney import new_signal as signal
from jeepney.io.asyncio import DBusConnection, open_dbus_connection

from scorer.config.link_section import HostAddress
from scorer.link.finding import FoundHall, hub_of, watch_halls
from scorer.link.status import MAX_HALLS
from scorer.serving.avahi import AVAHI, HUB_SERVICE
from tests.link.servers import running
from tests.support.certificate import make_certificate
from tests.support.coroutines import awaited
from tests.support.private_bus import bus_that_hangs_up, private_bus
from tests.support.waiting import PATIENCE

PATH = "/Client1/ServiceBrowser1"
Service = tuple[str, str, int]  # name, address, port


class Avahi:
    """Announces services, each on another network; "gone" cannot be resolved.

    ``vanished``: numbers of services that leave after all have come.
    """

    def __init__(self, services: list[Service], vanished: Sequence[int] = ()) -> None:
        self.services, self.vanished = services, vanished
        self.asked: list[tuple[object, ...]] = []

    async def serve(self, connection: DBusConnection) -> None:
        while True:
            message = await connection.receive()
            fields = message.header.fields
            match fields.get(HeaderFields.member):
                case "ServiceBrowserNew":
                    self.asked.append(message.body)
                    for network, (name, _, _) in enumerate(self.services):
                        await connection.send(self._item("ItemNew", network, name))
                    for network in self.vanished:
                        name = self.services[network][0]
                        await connection.send(self._item("ItemRemove", network, name))
                    await connection.send(new_method_return(message, "o", (PATH,)))
                case "ResolveService":
                    await connection.send(self._resolved(message))

    def _item(self, member: str, network: int, name: str) -> Message:
        browser = DBusAddress(PATH, interface=f"{AVAHI}.ServiceBrowser")
        return signal(browser, member, "iisssu", (network, 0, name, HUB_SERVICE, "local", 0))

    def _resolved(self, message: Message) -> Message:
        network = message.body[0]
        name, address, port = self.services[network]
        if name == "gone":
            return new_error(message, f"{AVAHI}.TimeoutError")
        txt: list[bytes] = []
        values = (network, 0, name, HUB_SERVICE, "local", "hub.local", 0, address, port, txt, 0)
        return new_method_return(message, "iissssisqaayu", values)


@contextlib.asynccontextmanager
async def announced(
    address: str, services: list[Service], vanished: Sequence[int]
) -> AsyncIterator[Avahi]:
    connection = await open_dbus_connection(address)
    avahi = Avahi(services, vanished)
    async with connection:
        await connection.send(message_bus.RequestName(AVAHI))
        await connection.receive()
        task = asyncio.create_task(avahi.serve(connection))
        try:
            yield avahi
        finally:
            task.cancel()


def found(
    tmp_path: Path, services: list[Service], count: int, vanished: Sequence[int] = ()
) -> tuple[FoundHall, ...]:
    """The halls, once ``count`` have come and the last of ``vanished`` is gone."""
    halls: tuple[FoundHall, ...] = ()
    most = 0
    enough = asyncio.Event()

    def report(newest: tuple[FoundHall, ...]) -> None:
        nonlocal halls
        nonlocal most
        halls, most = newest, max(most, len(newest))
        gone = {services[number][1] for number in vanished[-1:]}
        if most >= count and not gone & {hall.hub.host for hall in halls}:
            enough.set()

    async def run(address: str) -> None:
        async with asyncio.timeout(PATIENCE), announced(address, services, vanished) as avahi:
            watching = asyncio.create_task(watch_halls(report, address))
            await enough.wait()
            watching.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await watching
        assert avahi.asked == [(-1, 0, HUB_SERVICE, "", 0)]

    with private_bus(tmp_path / "bus") as address:
        asyncio.run(run(address))
    return halls


def test_halls_are_found_with_name_and_address(tmp_path: Path) -> None:
    services = [("Copa", "192.168.1.20", 8443), ("gone", "10.0.0.1", 1), ("Otra", "10.0.0.9", 9)]
    assert found(tmp_path, services, 2) == (
        FoundHall("Copa", HostAddress("192.168.1.20", 8443)),
        FoundHall("Otra", HostAddress("10.0.0.9", 9)),
    )


def test_announcements_of_anybody_are_bounded_and_cleaned(tmp_path: Path) -> None:
    services = [
        ("no address", "hub.local", 1),
        ("no port", "10.0.0.1", 0),
        ("\x07\x1b[2J" + "x" * 90, "10.0.0.2", 2),
        *((f"hall {number}", f"10.0.1.{number}", 8443) for number in range(60)),
    ]
    halls = found(tmp_path, services, MAX_HALLS)
    assert len(halls) == MAX_HALLS
    assert halls[0].name == "[2J" + "x" * 37
    assert {hall.name[:2] for hall in halls} == {"[2", "ha"}


def test_false_halls_of_one_address_do_not_hide_the_true_one(tmp_path: Path) -> None:
    services = [
        *(("Copa", "10.0.0.66", 8443 + number) for number in range(50)),
        *(("Copa", f"10.0.0.{number}", 8443) for number in range(70, 78)),
        ("Copa", "192.168.1.20", 8443),
    ]
    halls = found(tmp_path, services, 13)
    assert HostAddress("192.168.1.20", 8443) in [hall.hub for hall in halls]
    assert sum(hall.hub.host == "10.0.0.66" for hall in halls) == 4


def test_a_hall_that_is_announced_no_more_leaves_the_list(tmp_path: Path) -> None:
    services = [("Copa", "10.0.0.1", 1), ("Otra", "10.0.0.2", 1), ("Liga", "10.0.0.3", 1)]
    assert [hall.name for hall in found(tmp_path, services, 3, vanished=[1])] == ["Copa", "Liga"]


def test_a_hall_of_two_networks_is_listed_until_it_has_left_both(tmp_path: Path) -> None:
    services = [("Copa", "10.0.0.1", 1), ("Copa", "10.0.0.1", 1), ("Otra", "10.0.0.2", 1)]
    halls = found(tmp_path, [*services, ("Liga", "10.0.0.3", 1)], 3, vanished=[0, 3])
    assert [hall.name for hall in halls] == ["Copa", "Otra"]


def test_the_same_hall_on_two_networks_of_one_address_is_one(tmp_path: Path) -> None:
    services = [("Copa", "10.0.0.1", 1), ("Copa #2", "10.0.0.1", 1), ("Otra", "10.0.0.2", 1)]
    assert [hall.name for hall in found(tmp_path, services, 2)] == ["Copa", "Otra"]


def test_on_the_machine_of_the_hub_its_hall_has_the_address_that_phones_see(
    tmp_path: Path,
) -> None:
    services = [("Copa", "127.0.0.1", 1), ("Copa", "10.0.0.1", 1), ("Otra", "10.0.0.2", 1)]
    halls = found(tmp_path, services, 2)
    assert [(hall.name, hall.hub.host) for hall in halls] == [
        ("Copa", "10.0.0.1"),
        ("Otra", "10.0.0.2"),
    ]


def test_without_a_network_the_hall_of_the_own_machine_is_found(tmp_path: Path) -> None:
    halls = found(tmp_path, [("Copa", "127.0.0.1", 1), ("Otra", "10.0.0.2", 1)], 2)
    assert [hall.hub.host for hall in halls] == ["127.0.0.1", "10.0.0.2"]


def test_without_avahi_or_a_bus_it_says_so(tmp_path: Path) -> None:
    with private_bus(tmp_path / "bus") as address, pytest.raises(OSError, match="Avahi"):
        asyncio.run(watch_halls(lambda halls: None, address))
    with pytest.raises(OSError):
        asyncio.run(watch_halls(lambda halls: None, f"unix:path={tmp_path / 'none'}"))


def test_a_bus_that_hangs_up_is_an_ordinary_error(tmp_path: Path) -> None:
    with (
        bus_that_hangs_up(tmp_path / "bus") as address,
        pytest.raises(OSError, match="the system bus has hung up"),
    ):
        asyncio.run(watch_halls(lambda halls: None, address))


@awaited
async def test_a_hub_that_has_moved_is_known_by_its_certificate(tmp_path: Path) -> None:
    pairs = [make_certificate(tmp_path, name) for name in ("one", "two")]
    async with asyncio.timeout(PATIENCE), running(pairs[0]) as other, running(pairs[1]) as hub:
        pin = await hub.pin()
        addresses = [HostAddress("127.0.0.1", each.port) for each in (other, hub)]
        halls = tuple(FoundHall("Copa", address) for address in addresses)
        assert await hub_of(halls, pin) == addresses[1]
        assert await hub_of(halls[:1], pin) is None
