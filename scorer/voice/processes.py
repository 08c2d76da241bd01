"""Runs the programs that make and play sound."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence


class VoiceFault(Exception):
    """A program is missing or failed; with a sentence for the log."""


async def run_program(words: Sequence[str], data: bytes, limit: float) -> bytes:
    """The output of a program for the input ``data``, within ``limit`` seconds.

    Raises VoiceFault. The program is killed if the caller is cancelled.
    """
    name = words[0]
    try:
        process = await asyncio.create_subprocess_exec(*words, stdin=PIPE, stdout=PIPE, stderr=PIPE)
    except OSError as error:
        raise VoiceFault(f"{name} cannot be started: {error.strerror}") from error
    try:
        async with asyncio.timeout(limit):
            output, errors = await process.communicate(data)
    except TimeoutError:
        raise VoiceFault(f"{name} did not end within {limit:.0f} s") from None
    finally:
        await kill_program(process)
    if process.returncode:
        raise failure_of(name, errors, process.returncode)
    return output


async def kill_program(process: Process) -> None:
    """End a program at once; nothing if it has ended."""
    if process.returncode is None:
        process.kill()
        await process.wait()


def failure_of(name: str, errors: bytes, code: int) -> VoiceFault:
    """The fault of a program by the last line of its errors."""
    lines = errors.decode(errors="replace").split("\n")
    said = next((line.strip() for line in reversed(lines) if line.strip()), "")
    return VoiceFault(f"{name} failed: {said[:200] or f'exit code {code}'}")
