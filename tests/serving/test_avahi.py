"""Calls to Avahi that are cancelled or get no answer, over a private bus."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from jeepney import (
    DBusAddress,
    Message,
    MessageType,
    message_bus,
    new_method_call,
    new_method_return,
)
from jeepney.io.asyncio import DBusConnection, DBusRouter, open_dbus_connection, open_dbus_router

from scorer.serving import avahi
from scorer.serving.avahi import AVAHI, reply
from tests.support.private_bus import private_bus

PATIENCE = 60.0  # seconds
CALL = new_method_call(DBusAddress("/", AVAHI, f"{AVAHI}.Server"), "GetVersionString")


@contextlib.asynccontextmanager
async def both_ends(address: str) -> AsyncIterator[tuple[DBusConnection, DBusRouter]]:
    """The connection of Avahi, and the router of its client."""
    async with asyncio.timeout(PATIENCE), await open_dbus_connection(address) as connection:
        await connection.send(message_bus.RequestName(AVAHI))
        await connection.receive()
        async with open_dbus_router(address) as router:
            yield connection, router


async def next_call(connection: DBusConnection) -> Message:
    message = await connection.receive()
    while message.header.message_type is not MessageType.method_call:
        message = await connection.receive()
    return message


def test_the_answer_to_a_cancelled_call_does_not_stop_the_router(tmp_path: Path) -> None:
    async def run(address: str) -> None:
        async with both_ends(address) as (connection, router):
            cancelled = asyncio.create_task(reply(router, CALL))
            asked = await next_call(connection)
            # The answer arrives after the cancellation and before the call ends.
            cancelled.cancel()
            router._dispatch(new_method_return(asked, "s", ("too late",)))
            with pytest.raises(asyncio.CancelledError):
                await cancelled
            call = asyncio.create_task(reply(router, CALL))
            asked = await next_call(connection)
            await connection.send(new_method_return(asked, "s", ("avahi 0.8",)))
            assert await call == ("avahi 0.8",)

    with private_bus(tmp_path / "bus") as address:
        asyncio.run(run(address))


def test_a_call_without_an_answer_times_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run(address: str) -> None:
        async with both_ends(address) as (_, router):
            with pytest.raises(TimeoutError, match="Avahi does not answer"):
                await reply(router, CALL)

    monkeypatch.setattr(avahi, "REPLY_TIMEOUT", 0.05)
    with private_bus(tmp_path / "bus") as address:
        asyncio.run(run(address))
