"""Playing by hand: the terminal, the front panel in a browser, or both at one table.

It puts them together and knows which of them this machine can have.
"""

from __future__ import annotations

import asyncio
import errno
import importlib
import os
import signal
import socket
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from scorer.demo.playing import LEAVING, Playing, on_leaving

if TYPE_CHECKING:
    from scorer.demo.desk import Desk

INSTALL = "pip install 'truco-scorer[demo]'"


class Where(NamedTuple):
    """What was chosen, and what this is."""

    language: str
    socket: str | None  # of the table, for a board
    at_a_terminal: bool
    port: int  # of the front panel; below zero: none
    is_port_given: bool  # somebody asked for it: nothing else will do


class NotHere(Exception):
    """What was asked for cannot be had here; the text is a sentence that says what can."""


def play(desk: Desk, options: Where) -> None:
    """Plays until the player leaves. Raises NotHere, and TableGone when the table ends."""
    made = _listening(options)
    try:
        if options.at_a_terminal:
            _need("textual", "the screen is drawn with Textual", "or use --script")
        playing = Playing(desk)
        playing.power_on()
        asyncio.run(_play(playing, options, made))
    finally:
        if made is not None:
            made.close()


async def _play(playing: Playing, options: Where, listener: socket.socket | None) -> None:
    async with _front(playing, options, listener) as address:
        if not options.at_a_terminal:
            await _alone(playing, address)
            return
        from scorer.demo import terminal

        await terminal.run(playing, options.language, address)


async def _alone(playing: Playing, address: str) -> None:
    """The browser is all there is, until Ctrl+C or a signal. Raises TableGone."""
    left = asyncio.Event()
    on_leaving(left.set, (*LEAVING, signal.SIGINT))
    print(f"scorer demo: {address}   (Ctrl+C ends it)", flush=True)
    live, leaving = asyncio.create_task(playing.run()), asyncio.create_task(left.wait())
    try:
        await asyncio.wait({live, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if live.done():
            live.result()
    finally:
        live.cancel()
        leaving.cancel()


def _front(
    playing: Playing, options: Where, listener: socket.socket | None
) -> AbstractAsyncContextManager[str]:
    """Serves while it is open and gives the address; "" where there is nothing to serve."""
    if listener is None:
        return _nothing()
    from scorer.demo.front.board import Board
    from scorer.demo.front.serving import Front, serving

    board = None if options.socket is None else Board(Path(options.socket), options.language)
    return serving(Front(playing, options.language, board), playing, listener)


@asynccontextmanager
async def _nothing() -> AsyncIterator[str]:
    yield ""


def _listening(options: Where) -> socket.socket | None:
    """The socket of the front panel; None where there is to be none, or none can be."""
    if options.port < 0:
        return None
    try:
        _need("uvicorn", "the front panel is served with uvicorn", "or --front off")
        _need("starlette", "the front panel is made with Starlette", "or --front off")
    except NotHere:
        if options.is_port_given:
            raise
        return None
    from scorer.demo.front import serving

    try:
        return serving.listening(options.port)
    except OSError as error:
        if not options.is_port_given and error.errno == errno.EADDRINUSE:
            # Another demo has it: the line on the screen says where this one is.
            return serving.listening(0)
        raise NotHere(
            f"cannot listen at {serving.HOST}:{options.port} ({os.strerror(error.errno or 0)}); "
            "choose another with --front PORT, or --front off"
        ) from None


def _need(library: str, why: str, instead: str) -> None:
    """Raises NotHere where ``library`` is missing."""
    try:
        importlib.import_module(library)
    except ModuleNotFoundError as error:
        raise NotHere(f"{why}: {INSTALL}, {instead}") from error
