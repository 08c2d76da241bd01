"""Interactive play: the terminal, the front panel in a browser, or both."""

from __future__ import annotations

import asyncio
import errno
import importlib
import os
import signal
import socket
import sys
from contextlib import AbstractAsyncContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from scorer.demo.button_labels import rules_of
from scorer.demo.front.board_process import BoardProcess
from scorer.demo.guide import first_hand
from scorer.demo.kept_game import ChosenGame, last_line, other_game
from scorer.demo.live_demo import EXIT_SIGNALS, LiveDemo, on_exit_signal
from scorer.i18n import translator
from scorer.system.libraries import how_to_install

if TYPE_CHECKING:
    from scorer.demo.demo_table import DemoTable, Startable


class PlayOptions(NamedTuple):
    """The chosen options, and the environment."""

    language: str
    socket: str | None  # of the table, for a board
    at_a_terminal: bool
    port: int  # of the front panel; below zero: none
    is_port_given: bool  # chosen by the user: no other port will do
    game: ChosenGame
    store: str  # the folder that keeps the score; "": it is not kept
    guide: Startable  # the table of the guided first hand, which does not count


class NotAvailable(Exception):
    """A requested feature is unavailable; the text is a sentence with an alternative."""


def play(desk: DemoTable, options: PlayOptions) -> None:
    """Play until the player leaves. Raises NotAvailable and TableEnded."""
    made = _open_front_socket(options)
    try:
        if options.at_a_terminal:
            _require("textual", "the screen is drawn with Textual", "or use --script")
        playing = LiveDemo(desk)
        playing.power_on()
        say = translator(options.language)
        kept = desk.report.state
        note = other_game(options.game, kept, options.store, say)
        if note:
            print(f"scorer demo: {note}", file=sys.stderr)
        rules = rules_of(kept) if options.at_a_terminal else None
        if rules is not None and first_hand(rules, desk.ready.lines, kept) is not None:
            playing.begin_apart(options.guide)
        asyncio.run(_play(playing, options, made, note))
        kept = kept if playing.is_apart else desk.report.state
        if line := last_line(kept, options.store, say):
            print(line)
    finally:
        if made is not None:
            made.close()


async def _play(
    playing: LiveDemo, options: PlayOptions, listener: socket.socket | None, note: str
) -> None:
    front: AbstractAsyncContextManager[str] = nullcontext("")
    if listener is not None:
        from scorer.demo.front.server import FrontPanel, serve_front

        path = options.socket
        board = None if path is None else BoardProcess(Path(path), options.language)
        front = serve_front(FrontPanel(playing, options.language, board), playing, listener)
    async with front as address:
        if not options.at_a_terminal:
            await _play_in_browser(playing, address)
            return
        from scorer.demo import terminal

        shown = terminal.TerminalOptions(options.language, options.store, note, address)
        await terminal.run(playing, shown)


async def _play_in_browser(playing: LiveDemo, address: str) -> None:
    """Play in the browser only, until Ctrl+C or a signal. Raises TableEnded."""
    left = asyncio.Event()
    on_exit_signal(left.set, (*EXIT_SIGNALS, signal.SIGINT))
    print(f"scorer demo: {address}   (Ctrl+C ends it)", flush=True)
    live, leaving = asyncio.create_task(playing.run()), asyncio.create_task(left.wait())
    try:
        await asyncio.wait({live, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if live.done():
            live.result()
    finally:
        live.cancel()
        leaving.cancel()


def _open_front_socket(options: PlayOptions) -> socket.socket | None:
    """The listening socket of the front panel; None if it is off or unavailable."""
    if options.port < 0:
        return None
    try:
        _require("uvicorn", "the front panel is served with uvicorn", "or --front off")
        _require("starlette", "the front panel is made with Starlette", "or --front off")
    except NotAvailable:
        if options.is_port_given:
            raise
        return None
    from scorer.demo.front import server

    try:
        return server.open_socket(options.port)
    except OSError as error:
        if not options.is_port_given and error.errno == errno.EADDRINUSE:
            # Used by another demo: the terminal shows the address of this one.
            return server.open_socket(0)
        raise NotAvailable(
            f"cannot listen at {server.HOST}:{options.port} ({os.strerror(error.errno or 0)}); "
            "choose another with --front PORT, or --front off"
        ) from None


def _require(library: str, why: str, instead: str) -> None:
    """Raise NotAvailable if ``library`` is missing."""
    try:
        importlib.import_module(library)
    except ModuleNotFoundError as error:
        raise NotAvailable(f"{why}: {how_to_install('demo')}, {instead}") from error
