"""A program that plays samples from its standard input, as long as it is fed."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import select
import sys
import termios
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Sequence
from typing import Final

from scorer.voice.processes import VoiceFault, failure_of, kill_program

_END: Final = 5.0  # seconds after its last sample within which the program ends


class PcmStream:
    """A program and the pipe that feeds it; the program sets the pace."""

    def __init__(self, name: str, process: Process, pipe: int) -> None:
        self._name, self._process, self._pipe = name, process, pipe

    @staticmethod
    async def open(words: Sequence[str]) -> PcmStream:
        """Start the program. Raises VoiceFault."""
        read, write = os.pipe()
        os.set_blocking(write, False)
        try:
            process = await asyncio.create_subprocess_exec(
                *words, stdin=read, stdout=DEVNULL, stderr=PIPE
            )
        except BaseException as error:
            os.close(write)
            if isinstance(error, OSError):
                raise VoiceFault(f"{words[0]} cannot be started: {error.strerror}") from error
            raise
        finally:
            os.close(read)
        return PcmStream(words[0], process, write)

    @property
    def unread_bytes(self) -> int:
        """What the program has still to take; 0 once it has ended."""
        if self._process.returncode is not None:
            return 0
        answer = fcntl.ioctl(self._pipe, termios.FIONREAD, bytes(4))
        return int.from_bytes(answer, sys.byteorder)

    @contextlib.asynccontextmanager
    async def supervised(self, limit: float) -> AsyncIterator[None]:
        """Kill the program if this takes more than ``limit`` seconds, or is cancelled.

        Raises VoiceFault, also if the program has ended.
        """
        try:
            async with asyncio.timeout(limit):
                yield
        except TimeoutError:
            await self._kill()
            raise VoiceFault(f"{self._name} did not play within {limit:.0f} s") from None
        except BrokenPipeError:
            # The program has closed its input; its own words say why.
            errors = await self.close()
            raise failure_of(self._name, errors, self._process.returncode or 0) from None
        except asyncio.CancelledError:
            await self._kill()
            raise

    async def write(self, frames: bytes) -> None:
        """Return once the pipe has taken everything. Raises BrokenPipeError."""
        # Writes of this size are whole or not at all, so no sample is cut.
        for start in range(0, len(frames), select.PIPE_BUF):
            await self._write_whole(frames[start : start + select.PIPE_BUF])

    async def close(self) -> bytes:
        """End the input and wait for the end of the program; its errors."""
        os.close(self._pipe)
        try:
            async with asyncio.timeout(_END):
                return (await self._process.communicate())[1]
        except TimeoutError:
            return b""
        finally:
            await kill_program(self._process)

    async def _write_whole(self, piece: bytes) -> None:
        while True:
            try:
                os.write(self._pipe, piece)
            except BlockingIOError:
                loop, writable = asyncio.get_running_loop(), asyncio.Event()
                loop.add_writer(self._pipe, writable.set)
                try:
                    await writable.wait()
                finally:
                    loop.remove_writer(self._pipe)
            else:
                return

    async def _kill(self) -> None:
        os.close(self._pipe)
        await kill_program(self._process)
