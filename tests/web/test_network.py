"""The machine's address from the kernel, and how it is reported to the table.

Without a wireless card, its ioctl is answered by a fake kernel, which writes to the given address.
"""

from __future__ import annotations

import asyncio
import ctypes
import json
import queue
import socket
import struct
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from scorer.api import web_status
from scorer.api.request import Request
from scorer.api.rights import Right
from scorer.api.server import TableServer, listen
from scorer.api.table_source import Message
from scorer.session.values.shown import LinkState, LinkView
from scorer.system.wifi.keyfile import OWN_ADDRESS
from scorer.system.wifi.state import JoinStatus, WifiState, write
from scorer.table_link import LinkStatus, TableLink
from scorer.web import address_publisher
from scorer.web.address_publisher import (
    NETWORK_INTERVAL,
    REPEAT_INTERVAL,
    AddressPublisher,
    Entrance,
    network_url,
    notice_fields,
    page_url,
)
from scorer.web.network import (
    NetworkStatus,
    detect,
    interface_address,
    interface_wifi,
    joining_mark,
    mdns_name,
    outgoing_address,
)
from tests.support.coroutines import awaited_in
from tests.table.table_process import TableDriver
from tests.web.server_process import PATIENCE

ANY, SOON = "0.0.0.0", 10.0
HERE = Entrance(8080)


class Kernel:
    """Answers ioctl for interfaces that are not there."""

    def __init__(self, addresses: dict[str, str], wifi: bytes = b"") -> None:
        self._addresses, self._wifi = addresses, wifi

    def __call__(self, descriptor: int, call: int, asked: bytes) -> bytes:
        name = asked[:16].rstrip(b"\0").decode()
        if call == 0x8915 and name in self._addresses:
            return asked[:20] + socket.inet_aton(self._addresses[name]) + asked[24:]
        if call == 0x8B1B and self._wifi:
            _, where, room, flags = struct.unpack_from("16sPHH", asked)
            assert len(self._wifi) < room
            ctypes.memmove(where, self._wifi, len(self._wifi))
            return struct.pack("16sPHH8x", asked[:16], where, len(self._wifi), flags)
        raise OSError(95, "Operation not supported")


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """The kernel's folder of interfaces: loopback, unplugged cable, active wireless."""
    for name, state in (("lo", "unknown"), ("eth0", "down"), ("wlan0", "up")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "operstate").write_text(f"{state}\n")
    (tmp_path / "wlan0" / "wireless").mkdir()
    return tmp_path


def nowhere() -> str:
    return ""


def test_the_address_of_the_default_route_is_reported(machine: Path) -> None:
    kernel = Kernel({"wlan0": "192.168.1.7"}, "Bar El Ombú".encode())
    here = detect(ANY, machine, machine / "none", kernel, lambda: "192.168.1.7")
    assert here == NetworkStatus("192.168.1.7", LinkState.ONLINE, "Bar El Ombú")
    by_cable = detect(ANY, machine, machine / "none", kernel, lambda: "10.0.0.4")
    assert by_cable == NetworkStatus("10.0.0.4", LinkState.ONLINE, "")


def test_a_network_without_a_way_out_is_one_all_the_same(machine: Path) -> None:
    kernel = Kernel({"eth0": "169.254.3.4", "wlan0": "192.168.1.7", "lo": "127.0.0.1"})
    assert detect(ANY, machine, machine / "none", kernel, nowhere).address == "192.168.1.7"


def test_an_address_that_was_chosen_is_the_one(machine: Path) -> None:
    assert detect("10.1.2.3", machine, machine / "none", Kernel({}), nowhere).address == "10.1.2.3"


def test_the_network_that_the_own_one_closes_for_is_found(machine: Path) -> None:
    file, kernel = machine / "state", Kernel({"wlan0": OWN_ADDRESS})
    own = WifiState(JoinStatus.OWN, "Truco-7F3A", "kx7m2p9dae", "Bar")
    write(own, file)
    first = joining_mark(file)
    here = detect(ANY, machine, file, kernel, nowhere)
    assert (here.wifi, here.password, here.target, here.fault) == (*own[1:4], None)
    file.unlink()
    assert joining_mark(file) == 0 != first
    write(own._replace(fault=JoinStatus.ABSENT), file)
    assert detect(ANY, machine, file, kernel, nowhere).fault is JoinStatus.ABSENT


@pytest.mark.parametrize(
    ("how", "state"),
    [
        (JoinStatus.JOINING, LinkState.WAITING),
        (JoinStatus.JOINED, LinkState.WAITING),
        (JoinStatus.PASSWORD, LinkState.PASSWORD),
        (JoinStatus.ABSENT, LinkState.ABSENT),
        (JoinStatus.FAILED, LinkState.FAILED),
    ],
)
def test_without_an_address_the_card_s_network_says_why(
    machine: Path, how: JoinStatus, state: LinkState
) -> None:
    write(WifiState(how, "Bar"), machine / "state")
    here = detect(ANY, machine, machine / "state", Kernel({}), nowhere)
    assert here == NetworkStatus("", state, "Bar")


def test_the_network_of_the_box_is_reported_with_its_password(machine: Path) -> None:
    write(WifiState(JoinStatus.OWN, "Truco-7F3A", "kx7m2p9dae"), machine / "state")
    kernel = Kernel({"wlan0": "10.42.0.1"})
    here = detect(ANY, machine, machine / "state", kernel, nowhere)
    assert here == NetworkStatus("10.42.0.1", LinkState.ONLINE, "Truco-7F3A", "kx7m2p9dae")
    assert notice_fields(here, Entrance(8080), 0, "truco.local")["password"] == "kx7m2p9dae"
    by_cable = detect(ANY, machine, machine / "state", kernel, lambda: "192.168.1.7")
    assert by_cable.password == ""
    assert "password" not in notice_fields(by_cable, Entrance(8080), 0, "truco.local")


def test_without_any_word_a_link_is_waited_for_and_none_is_none(machine: Path) -> None:
    assert detect(ANY, machine, machine / "none", Kernel({}), nowhere) == NetworkStatus(
        "", LinkState.WAITING
    )
    (machine / "wlan0" / "operstate").write_text("dormant\n")
    assert detect(ANY, machine, machine / "none", Kernel({}), nowhere) == NetworkStatus(
        "", LinkState.OFFLINE
    )
    assert detect(ANY, machine / "gone", machine / "none", Kernel({}), nowhere) == NetworkStatus()


@pytest.mark.parametrize("told", ["", "[]", "{}", '{"how": "well", "wifi": "x"}', "\0" * 5000])
def test_a_state_that_makes_no_sense_is_none(machine: Path, told: str) -> None:
    (machine / "state").write_text(told)
    assert detect(ANY, machine, machine / "state", Kernel({}), nowhere) == NetworkStatus(
        "", LinkState.WAITING
    )


def test_this_machine_s_own_kernel_is_asked() -> None:
    assert interface_address("lo") == "127.0.0.1"
    assert interface_address("none such") == ""
    assert interface_wifi("lo") == ""
    assert not outgoing_address().startswith("127.")
    assert mdns_name().endswith(".local")


@pytest.mark.parametrize("name", [b"\xff\xfe" * 16, b"a\nb", b"\0" * 32])
def test_a_network_with_a_name_that_cannot_be_shown_has_none(name: bytes) -> None:
    assert interface_wifi("wlan0", Kernel({}, name)) == ""


@pytest.mark.parametrize(
    ("address", "port", "told"),
    [
        ("192.168.1.7", 8080, "http://192.168.1.7:8080/"),
        ("192.168.1.7", 80, "http://192.168.1.7/"),
        ("fd00::7", 8080, "http://[fd00::7]:8080/"),
        ("localhost", 8080, "http://localhost:8080/"),
    ],
)
def test_an_address_is_spelled_for_a_browser(address: str, port: int, told: str) -> None:
    assert page_url(address, Entrance(port)) == told
    assert network_url(NetworkStatus(), Entrance(port)) == "", "without a network"
    fields = notice_fields(NetworkStatus(address, LinkState.ONLINE), Entrance(port), 1, "x")
    assert isinstance(web_status.parse(fields), LinkView)


@pytest.mark.parametrize(
    ("entrance", "told"),
    [
        (Entrance(8443, True), "https://192.168.1.7:8443/"),
        (Entrance(443, True), "https://192.168.1.7/"),
        (Entrance(8443, True, "truco.example.org"), "https://truco.example.org:8443/"),
        (Entrance(443, True, "truco.example.org"), "https://truco.example.org/"),
    ],
)
def test_an_encrypted_page_is_shown_under_the_name_of_its_certificate(
    entrance: Entrance, told: str
) -> None:
    here = NetworkStatus("192.168.1.7", LinkState.ONLINE)
    link = web_status.parse(notice_fields(here, entrance, 1, "truco.local"))
    assert link == LinkView(LinkState.ONLINE, told, "", "", 1)


def test_a_name_that_moves_a_cursor_is_not_passed_on() -> None:
    told = web_status.parse(
        notice_fields(NetworkStatus("", LinkState.ABSENT, "a\u202eb"), HERE, 0, "truco.local")
    )
    assert told == LinkView(LinkState.ABSENT, name="truco.local")


@pytest.mark.parametrize("state", web_status.NO_ADDRESS_REASONS)
def test_every_state_is_one_that_the_table_knows(state: LinkState) -> None:
    told = web_status.parse(
        notice_fields(NetworkStatus("", state, "Bar"), HERE, 0, "una casa.local")
    )
    assert told == LinkView(state, wifi="Bar")


# ---- the table hears of it ----------------------------------------------------------------------


class Telling:
    """An announcer beside a real socket, whose clock is turned by hand."""

    def __init__(self, path: Path) -> None:
        self.now, self.viewers, self.here = 0.0, 0, NetworkStatus("192.168.1.7", LinkState.ONLINE)
        self.looks, self.published, self.mark = 0, "", 0
        self.link = TableLink(path)
        self.announcer = AddressPublisher(
            self.link,
            lambda: self.viewers,
            self._look,
            HERE,
            lambda: self.now,
            published_name=self._published,
            joining_mark=lambda: self.mark,
        )
        self._asked: queue.SimpleQueue[Request] = queue.SimpleQueue()
        self.server = TableServer({Right.TABLE: listen(path)}, "mesa 4", self._asked.put)
        self.server.start()
        self.server.publish({"seq": 1}, 1)

    def _look(self) -> NetworkStatus:
        self.looks += 1
        return self.here

    async def _published(self, address: str) -> str:
        assert address == self.here.address
        return self.published

    async def found(self) -> None:
        async with asyncio.timeout(SOON):
            while self.link.status is not LinkStatus.ONLINE:
                await asyncio.sleep(0.001)

    async def told(self, *, ok: bool = True) -> Message | None:
        """One turn; what the table was asked in it."""
        turn = asyncio.create_task(self.announcer.publish_if_due())
        async with asyncio.timeout(SOON):
            while not turn.done() and self._asked.empty():
                await asyncio.sleep(0.001)
        if self._asked.empty():
            return None
        request = self._asked.get()
        message = request.message
        self.server.reply(request.client, {"id": message["id"], "ok": ok})
        await turn
        return message


@asynccontextmanager
async def announcer(tmp_path: Path) -> AsyncIterator[Telling]:
    told = Telling(tmp_path / "table.sock")
    running = asyncio.create_task(told.link.run())
    try:
        await told.found()
        yield told
    finally:
        running.cancel()
        told.server.close()


told_of = awaited_in(announcer)


@told_of
async def test_the_status_is_reported_once_and_when_it_changes(told: Telling) -> None:
    first = await told.told()
    assert first is not None
    assert (first["do"], first["address"]) == ("notice", "http://192.168.1.7:8080/")
    assert await told.told() is None
    told.viewers = 3
    second = await told.told()
    assert second is not None and second["clients"] == 3
    told.here = NetworkStatus("", LinkState.OFFLINE)
    assert await told.told() is None, "the network is looked at now and then"
    told.now += NETWORK_INTERVAL
    third = await told.told()
    assert third is not None and (third["address"], third["network"]) == ("", "offline")
    assert told.looks == 2


@told_of
async def test_a_change_of_the_own_network_is_reported_at_once(told: Telling) -> None:
    await told.told()
    own = NetworkStatus("10.42.0.1", LinkState.ONLINE, "Truco-7F3A", "kx7m2p9dae", "Bar")
    told.here, told.mark = own, 1
    closing = await told.told()
    assert closing is not None and (closing["target"], "fault" in closing) == ("Bar", False)
    told.here, told.mark = own._replace(fault=JoinStatus.PASSWORD), 2
    failed = await told.told()
    assert failed is not None and failed["fault"] == "password"
    assert web_status.parse(failed).fault is LinkState.PASSWORD
    assert await told.told() is None and told.looks == 3


@told_of
async def test_the_name_that_avahi_gave_is_reported(told: Telling) -> None:
    own = mdns_name()
    second = own.replace(".local", "-2.local")
    first = await told.told()
    assert first is not None and first["name"] == own
    for published, name in ((second, second), ("printer.local", own), (second, second)):
        told.published = published
        told.now += NETWORK_INTERVAL
        renamed = await told.told()
        assert renamed is not None and renamed["name"] == name


@told_of
async def test_the_status_is_repeated_at_intervals_and_sooner_after_a_refusal(
    told: Telling,
) -> None:
    assert await told.told()
    told.now += REPEAT_INTERVAL - 1
    assert await told.told() is None
    told.now += 1
    assert await told.told(ok=False)
    told.now += NETWORK_INTERVAL
    assert await told.told()
    assert await told.told() is None


@told_of
async def test_a_table_that_came_back_hears_it_at_once(
    told: Telling, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scorer.table_link.PAUSE", 0.001)
    assert await told.told()
    assert await told.told() is None
    told.link.greetings += 1  # as another greeting does
    assert await told.told()


@told_of
async def test_a_kernel_that_cannot_be_asked_ends_nothing(told: Telling) -> None:
    def look() -> NetworkStatus:
        raise OSError(24, "Too many open files")

    told.announcer._detect = look
    first = await told.told()
    assert first is not None and first["address"] == ""


def shown_on(told: TableDriver, words: str) -> None:
    """Looks at the panel until it says ``words``; no time of the table passes."""
    ends = time.monotonic() + PATIENCE
    while words not in told.wait(0.0).text:
        assert time.monotonic() < ends, told.report.text


def test_the_reported_name_is_one_short_line() -> None:
    longest = notice_fields(
        NetworkStatus("255.255.255.255", LinkState.ONLINE, "W" * 32),
        Entrance(65535),
        1000,
        "x" * 63 + ".local",
    )
    assert len(json.dumps(longest)) < 400
    assert address_publisher.VIEWERS_INTERVAL < NETWORK_INTERVAL < REPEAT_INTERVAL
