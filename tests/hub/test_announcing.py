"""The hub is announced through Avahi, here a fake service on a private bus."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

import pytest
from jeepney import HeaderFields, message_bus, new_method_return
from jeepney.io.asyncio import DBusConnection, open_dbus_connection

from scorer.hub.announcing import announce
from scorer.serving.avahi import AVAHI, HUB_SERVICE
from tests.support.private_bus import bus_that_hangs_up, private_bus

PATIENCE = 60.0  # seconds
GROUP = "/Client1/EntryGroup1"


async def serve(connection: DBusConnection, calls: asyncio.Queue[tuple[str, object]]) -> None:
    while True:
        message = await connection.receive()
        method = message.header.fields.get(HeaderFields.member)
        match method:
            case "EntryGroupNew":
                await connection.send(new_method_return(message, "o", (GROUP,)))
            case "AddService" | "Commit":
                await connection.send(new_method_return(message))
            case _:
                continue
        calls.put_nowait((str(method), message.body))


async def announced(address: str, name: str, count: int) -> list[tuple[str, object]]:
    """The first ``count`` calls that Avahi gets."""
    calls: asyncio.Queue[tuple[str, object]] = asyncio.Queue()
    async with asyncio.timeout(PATIENCE), await open_dbus_connection(address) as connection:
        await connection.send(message_bus.RequestName(AVAHI))
        await connection.receive()
        tasks = [
            asyncio.create_task(serve(connection, calls)),
            asyncio.create_task(announce(name, 8443, address)),
        ]
        found = [await calls.get() for _ in range(count)]
        for task in tasks:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
    return found


def test_the_hub_is_announced_with_its_name_and_port_as_links_look_for_it(tmp_path: Path) -> None:
    with private_bus(tmp_path / "bus") as address:
        calls = asyncio.run(announced(address, "Club Tres de Copas", 3))
    assert [method for method, _ in calls] == ["EntryGroupNew", "AddService", "Commit"]
    assert calls[1][1] == (-1, -1, 0, "Club Tres de Copas", HUB_SERVICE, "", "", 8443, [])


def test_a_long_name_is_cut_at_a_letter(tmp_path: Path) -> None:
    with private_bus(tmp_path / "bus") as address:
        calls = asyncio.run(announced(address, "ñ" * 40, 2))
    body = calls[1][1]
    assert isinstance(body, tuple)
    assert body[3] == "ñ" * 31


async def reported(address: str, capsys: pytest.CaptureFixture[str]) -> str:
    """What the hub says of a bus that cannot be used; it goes on."""
    announcing = asyncio.create_task(announce("Club", 8443, address))
    async with asyncio.timeout(PATIENCE):
        said = ""
        while not said and not announcing.done():
            await asyncio.sleep(0.01)
            said += capsys.readouterr().err
    assert not announcing.done()
    announcing.cancel()
    return said


def test_without_avahi_the_hub_says_so_once_and_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = asyncio.run(reported(f"unix:path={tmp_path}/none", capsys))
    assert said == (
        "scorer hub: it is not announced in the network: Avahi cannot be asked, there is no system"
        " bus: No such file or directory; boxes find it by its address alone, as cards have it:"
        " sudo apt install avahi-daemon\n"
    )


def test_a_bus_without_avahi_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with private_bus(tmp_path / "bus") as address:
        said = asyncio.run(reported(address, capsys))
    assert "network: Avahi is not running; boxes find it" in said


def test_a_bus_that_hangs_up_does_not_end_the_hub(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with bus_that_hangs_up(tmp_path / "bus") as address:
        said = asyncio.run(reported(address, capsys))
    assert "Avahi cannot be asked: the system bus has hung up; " in said
