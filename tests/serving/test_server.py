"""Two servers of one process: both answer, and both end with the first."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from functools import partial
from typing import Any

from scorer.serving.connection import Places, connection_class
from scorer.serving.server import Listening, Server, open_socket, serve, server_config
from scorer.system.sd_notify import Notifier
from tests.paths import ROOT

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


EARLY = """
import asyncio, signal
from scorer.serving.server import run_until_signal

async def is_stopped_before_it_serves():
    signal.raise_signal(signal.SIGTERM)
    await asyncio.sleep(3600)

run_until_signal(is_stopped_before_it_serves())
"""


def test_a_signal_before_the_first_server_listens_ends_the_process() -> None:
    done = subprocess.run([sys.executable, "-c", EARLY], cwd=ROOT, check=False, timeout=PATIENCE)
    assert done.returncode == -signal.SIGTERM
