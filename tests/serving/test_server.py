"""Two servers of one process: both answer, and both end with the first."""

from __future__ import annotations

import asyncio
import signal
import socket
import ssl
import subprocess
import sys
from asyncio.sslproto import SSLProtocol
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from scorer.link.https import client_context
from scorer.serving import connection
from scorer.serving.connection import Places, Strangers, connection_class
from scorer.serving.server import Listening, Server, open_socket, serve, server_config
from scorer.serving.tls import PemFiles, load_context
from scorer.system.rate_limit import RateLimit
from scorer.system.sd_notify import Notifier
from tests.paths import ROOT
from tests.support.certificate import make_certificate
from tests.support.coroutines import awaited

PATIENCE = 20.0  # seconds for what takes milliseconds


def application(body: bytes) -> Any:  # noqa: ANN401 - as ASGI has it
    async def answer(scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401
        headers = [(b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    return answer


async def body_at(port: int) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    response = await reader.read()
    writer.close()
    return response.rpartition(b"\r\n\r\n")[2]


async def until_stopped(stopped: asyncio.Event) -> None:
    try:
        await asyncio.Event().wait()
    finally:
        stopped.set()


def test_both_servers_answer_and_end_together() -> None:
    async def evening() -> None:
        ended: list[bytes] = []
        stopped = asyncio.Event()
        with open_socket("127.0.0.1", 0) as first, open_socket("127.0.0.1", 0) as second:
            listening = []
            for name, listener in ((b"first", first), (b"second", second)):
                config = server_config(application(name), connection_class(Places(9, 9)))
                server = Server(config, partial(ended.append, name))
                listening.append(Listening(server, listener))
            ports = [each.getsockname()[1] for each in (first, second)]
            serving = asyncio.create_task(serve(listening, [until_stopped(stopped)], Notifier({})))
            bodies = [await body_at(port) for port in ports]
            listening[0].server.should_exit = True
            await serving
        assert bodies == [b"first", b"second"]
        assert sorted(ended) == [b"first", b"second"]
        assert stopped.is_set()

    async def limited() -> None:
        async with asyncio.timeout(PATIENCE):
            await evening()

    asyncio.run(limited())


@pytest.mark.parametrize("is_known", [False, True])
@awaited
async def test_a_stranger_has_few_places_and_handshakes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_known: bool
) -> None:
    """Beyond its handshakes it waits; beyond its places its oldest one makes room."""
    pair = make_certificate(tmp_path)
    context = load_context(PemFiles("web", str(pair.certificate), str(pair.key)))
    assert context is not None
    waits: list[float] = []
    slow = RateLimit(rate=20.0, burst=3)
    monkeypatch.setattr(slow, "acquire", counted(slow.acquire, waits))
    strangers = Strangers(lambda address: is_known, 4, slow, RateLimit(1000.0, 1000))
    limited = connection_class(Places(99, 50), context, strangers)
    with open_socket("127.0.0.1", 0) as listener:
        server = Server(server_config(application(b"x"), limited), lambda: None)
        serving = asyncio.create_task(serve([Listening(server, listener)], [], Notifier({})))
        ends = []
        for _ in range(6):
            ends.append(await idle_connection(listener.getsockname()[1]))
        alive = [await is_alive(*end) for end in ends]
        server.should_exit = True
        for _, writer in ends:
            writer.close()
        await serving
    assert alive == ([True] * 6 if is_known else [False] * 2 + [True] * 4)
    assert any(waits) is not is_known


def counted(
    acquire: Callable[[str, float], float], waits: list[float]
) -> Callable[[str, float], float]:
    """``acquire`` on a clock that is 10 ms further at each call."""
    calls = count()

    def acquire_and_count(address: str, _: float) -> float:
        waits.append(acquire(address, next(calls) / 100))
        return waits[-1]

    return acquire_and_count


async def idle_connection(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection("127.0.0.1", port, ssl=client_context())


async def is_alive(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
    """Whether a request is answered."""
    try:
        writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return bool(await reader.read(100))
    except OSError:
        return False


@pytest.mark.parametrize("is_stream", [False, True])
def test_a_stop_does_not_wait_until_a_client_confirms_the_end_of_tls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_stream: bool
) -> None:
    """The client is idle, or has stopped reading its stream."""
    pair = make_certificate(tmp_path)
    context = load_context(PemFiles("web", str(pair.certificate), str(pair.key)))
    monkeypatch.setattr(connection, "_SHUTDOWN_TIMEOUT", 1000.0)
    ended = asyncio.Event()

    async def stream(scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"first", "more_body": True})
        await ended.wait()
        await send({"type": "http.response.body", "body": b"last"})

    def request(port: int) -> ssl.SSLSocket:
        plain = socket.create_connection(("127.0.0.1", port), PATIENCE)
        client = client_context().wrap_socket(plain, suppress_ragged_eofs=False)
        client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        received = b""
        while b"first" not in received:
            received += client.recv(100)
        return client

    async def evening() -> bytes:
        limited = connection_class(Places(9, 9), context)
        with open_socket("127.0.0.1", 0) as listener:
            config = server_config(stream if is_stream else application(b"first"), limited)
            config.timeout_graceful_shutdown = 1000
            server = Server(config, ended.set)
            serving = asyncio.create_task(serve([Listening(server, listener)], [], Notifier({})))
            with await asyncio.to_thread(request, listener.getsockname()[1]) as client:
                server.should_exit = True
                await serving
                # It raises an error if the connection was cut instead.
                return b"".join(iter(partial(client.recv, 100), b""))

    async def limited() -> bytes:
        async with asyncio.timeout(PATIENCE):
            return await evening()

    assert (b"last" in asyncio.run(limited())) is is_stream


def test_a_request_without_an_answer_at_the_stop_writes_no_trace(
    capfd: pytest.CaptureFixture[str],
) -> None:
    async def evening() -> None:
        asked = asyncio.Event()

        async def never(scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401
            asked.set()
            await asyncio.Event().wait()

        with open_socket("127.0.0.1", 0) as listener:
            config = server_config(never, connection_class(Places(9, 9)))
            config.timeout_graceful_shutdown = 0
            server = Server(config, lambda: None)
            serving = asyncio.create_task(serve([Listening(server, listener)], [], Notifier({})))
            client = asyncio.create_task(body_at(listener.getsockname()[1]))
            await asked.wait()
            server.should_exit = True
            await serving
            await client

    asyncio.run(asyncio.wait_for(evening(), PATIENCE))
    assert "Traceback" not in capfd.readouterr().err


def test_an_idle_encrypted_connection_has_a_small_buffer() -> None:
    assert SSLProtocol.max_size == 4096


EARLY = """
import asyncio, signal
from scorer.serving.server import run_until_signal
from tests.support.coroutines import awaited

async def is_stopped_before_it_serves():
    signal.raise_signal(signal.SIGTERM)
    await asyncio.sleep(3600)

run_until_signal(is_stopped_before_it_serves())
"""


def test_a_signal_before_the_first_server_listens_ends_the_process() -> None:
    done = subprocess.run([sys.executable, "-c", EARLY], cwd=ROOT, check=False, timeout=PATIENCE)
    assert done.returncode == -signal.SIGTERM
