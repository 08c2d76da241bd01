"""The board beside the front panel: a ``scorer web`` process on the demo's socket.

Started on first request, and restarted at the same address whenever it dies.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from pathlib import Path

from scorer.api.rights import Right, socket_path

RESTART_DELAY = 1.0  # seconds before a restart
PATIENCE = 30.0  # seconds to print its address


class BoardProcess:
    """One web process and its address."""

    def __init__(self, socket: Path, language: str) -> None:
        self._socket, self._language = socket, language
        self._listen = "127.0.0.1:0"
        self._task: asyncio.Task[None] | None = None
        self._is_up = asyncio.Event()
        self.pid = 0  # of the current or last process

    async def address(self) -> str:
        """Wait for its address. Raises TimeoutError."""
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())
        async with asyncio.timeout(PATIENCE):
            await self._is_up.wait()
        return f"http://{self._listen}/?lang={self._language}"

    async def close(self) -> None:
        """End it, if it was started."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        while True:
            process = await self._start()
            try:
                # Read the line with the address, and reuse that address for restarts.
                assert process.stdout is not None
                line = (await process.stdout.readline()).decode()
                if line:
                    self._listen = line.split()[-1].removeprefix("http://").rstrip("/")
                    self._is_up.set()
                await process.wait()
            finally:
                self._is_up.clear()
                await _terminate(process)
            await asyncio.sleep(RESTART_DELAY)

    async def _start(self) -> Process:
        path = socket_path(self._socket, Right.PHONE)
        words = ["-m", "scorer", "web", "--socket", str(path), "--listen", self._listen]
        # No owner's file and no card of this machine: the demo is independent of them.
        words += ["--config", os.devnull, "--card", os.devnull]
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *words,
            stdin=DEVNULL,
            stdout=PIPE,
            stderr=DEVNULL,
            start_new_session=True,
        )
        self.pid = process.pid
        return process


async def _terminate(process: Process) -> None:
    """End it if it still runs."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        try:
            async with asyncio.timeout(3):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()
