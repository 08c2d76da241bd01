"""The table as a service: real pins, real panels, real time, until a signal says stop.

A wrong configuration, a missing panel or a missing button box never keeps it from starting.
"""

from __future__ import annotations

import os
import queue
import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from scorer.api.server import Server, listen
from scorer.config.loader import NO_PINS, Config, PanelChoice, defaults
from scorer.config.sources import Settled, settle, store_of
from scorer.config.toml_reader import Problem, Unread, text_of
from scorer.hw import load
from scorer.hw.displays.fake_bus import RecordingBus, Wire
from scorer.hw.ports import DeviceError, InputSource, Lamp, Presence
from scorer.i18n import known
from scorer.records.clock import Clock
from scorer.session.settings import Layout
from scorer.store.journal import Journal
from scorer.system.logind import Logind, Told
from scorer.system.power import Machine as Pi
from scorer.system.power import Supply
from scorer.system.sd_notify import Notifier, passed_socket
from scorer.table.loop_commands import Order
from scorer.table.main_loop import TICK, Buttons, Inbox, Loop, Machine
from scorer.table.observers import BoardNews, Nobody, Outside
from scorer.table.outputs import Devices
from scorer.table.panels import Panel, PanelWorker
from scorer.table.shutdown_screen import say_goodbye
from scorer.table.startup import (
    Beginning,
    Careful,
    Keeping,
    applied_of,
    asks_first,
    begin_table,
    chooser,
)
from scorer.table.table import Table

if TYPE_CHECKING:
    from scorer.config.printer import PrinterSection
    from scorer.table.print_client import Slips


Consoles = Callable[[], Sequence[Presence]]


class Lasting(NamedTuple):
    """What outlives a table that is started anew."""

    store_holder: Keeping
    server: Server | None
    power: Machine
    notifier: Notifier
    inbox: Inbox
    owner_text: str  # the text of the owner's file


def run(owner_file: Path, card_file: Path | None, *, mock: bool = False) -> int:
    """Runs the table until SIGTERM or SIGINT, or until the machine goes down; 0."""
    if mock:
        os.environ.setdefault("GPIOZERO_PIN_FACTORY", "mock")
    inbox: Inbox = queue.SimpleQueue()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: inbox.put(Order.STOP))
    serve(owner_file, card_file, inbox, mock=mock)
    return 0


def serve(owner_file: Path, card_file: Path | None, inbox: Inbox, *, mock: bool = False) -> None:
    """Turns a table until an order in ``inbox`` ends it; in safe mode another one after it."""
    with ExitStack() as stack:
        text = _text(owner_file) or ""
        keeping = Keeping(store_of(text).absolute(), stack)
        cards = _text(card_file) if card_file is not None else None
        settled = settle(text, cards, Careful(keeping.journal))
        _log(settled.problems)
        machine = _machine(inbox, stack)
        server = _server(settled.config, inbox, stack)
        lasting = Lasting(keeping, server, machine, Notifier(), inbox, text)
        mark = "config" if settled.problems else ""
        order = _turn(lasting, settled, mark, mock=mock)
        while order in (Order.SAFE_MODE, Order.RESTART):
            if order is Order.SAFE_MODE:
                sys.stderr.write("scorer run: safe mode, with the settings of a new box\n")
                order = _turn(lasting, Settled(defaults(), (), ()), "safe", mock=mock)
            else:
                settled = settle(text, None, Careful(keeping.journal))
                order = _turn(lasting, settled, mark, mock=mock, is_restart=True)


def _turn(
    context: Lasting, resolved: Settled, mark: str, *, mock: bool, is_restart: bool = False
) -> Order:
    """One table on devices of its own; what ended it. ``mark`` says what is special about it."""
    keeping, server, machine, notifier, inbox, owners = context
    journal = keeping.journal
    choose = chooser(owners, journal) if isinstance(journal, Journal) else None
    config = resolved.config
    with ExitStack() as stack:
        now = time.monotonic()
        language = known(config.table.language)
        beginning = Beginning(
            config.header,
            config.settings,
            language,
            now,
            Clock().stamp,
            _told_to_boards(server, config, inbox, stack),
            applied_of(resolved),
            choose,
            is_restart,
            asks_first(resolved) and mark != "safe",
            keeping.salvaged,
            keeping.store_replaced,
            keeping.retry_open,
        )
        devices, buttons = _devices(config, inbox, stack, mock=mock)
        table = begin_table(journal, devices, beginning)
        table.on_command = inbox.put
        if isinstance(table, Table) and config.printer is not None and config.printer.is_enabled:
            table.print_client = _slips(config.socket, config.printer, inbox)
        if mark:
            table.marks.add(mark)
        if mark == "safe":
            table.show_notice("safe", now)
        pace = notifier.ping_interval(TICK)
        order = Loop(table, buttons, inbox, notifier, machine, time.monotonic, pace).run()
        if order is Order.STORE_REPLACED:
            keeping.kill_process()
        if order not in (Order.SAFE_MODE, Order.RESTART):
            notifier.stopping()
        if order is Order.SHUTTING_DOWN:
            if isinstance(journal, Journal):
                journal.close()
            say_goodbye(devices, language, time.monotonic())
    return order


def _told_to_boards(
    server: Server | None, config: Config, inbox: Inbox, stack: ExitStack
) -> Outside | None:
    """Whoever hears of every change: the socket, and the scoreboards where there are any."""
    if not config.scoreboards:
        return server
    # Imported here: most tables have none, and every one starts.
    from scorer.hw.boards.scoreboard import create
    from scorer.table.scoreboard_protocol import WithBoards

    boards = []
    for chosen in config.scoreboards:
        board = create(chosen, on_fault=partial(_board_news, inbox, chosen.port))
        board.open()
        stack.callback(board.close)
        boards.append(board)
    return WithBoards(server or Nobody(), boards)


def _board_news(inbox: Inbox, port: str, fault: str) -> None:
    # What is wrong names the port already.
    inbox.put(BoardNews(port, f"scoreboard {fault}" if fault else ""))


def _slips(table_socket: Path, printer: PrinterSection, inbox: Inbox) -> Slips:
    # Imported here: few boxes print, and every one starts.
    from scorer.table.print_client import Slips, beside

    return Slips(beside(table_socket), inbox.put, auto_print=printer.when == "game")


def _machine(inbox: Inbox, stack: ExitStack) -> Machine:
    told = Told(lambda: inbox.put(Order.SHUTTING_DOWN), lambda: inbox.put(Order.POWEROFF_DENIED))
    logind = Logind(told)
    stack.callback(logind.close)
    return Pi(Supply(), logind)


def _text(path: Path) -> str | None:
    """A configuration file, or None where there is none."""
    try:
        return text_of(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        return Unread(str(error))


def _log(problems: tuple[Problem, ...]) -> None:
    for problem in problems:
        where = f"line {problem.line}: " if problem.line else ""
        sys.stderr.write(f"scorer run: configuration, {where}{problem.sentence}\n")


def _server(config: Config, inbox: Inbox, stack: ExitStack) -> Server | None:
    try:
        listening: socket.socket = passed_socket() or listen(config.socket)
    except OSError as error:
        # Without a socket nobody outside sees the score; the table itself needs none.
        sys.stderr.write(f"scorer run: no socket at {config.socket}: {error.strerror}\n")
        return None
    server = Server(listening, config.table.device, inbox.put)
    server.start()
    stack.callback(server.close)
    return server


def _devices(
    config: Config, inbox: Inbox, stack: ExitStack, *, mock: bool
) -> tuple[Devices, Buttons]:
    inputs, only_told, consoles = _inputs(config, inbox)
    stack.callback(inputs.close)
    buttons = Buttons(inputs, inbox)
    buttons.ensure_open()
    panels = [
        Panel(str(at), load.display(panel.driver, panel.options, **_seams(panel, mock)), panel.side)
        for at, panel in enumerate(config.panels)
    ]
    worker = PanelWorker(panels, time.monotonic)
    worker.start()
    stack.callback(worker.close)
    # A buzzer that is to keep quiet is there all the same: it may be turned on at the table.
    buzzer = load.buzzer("buzzer", {"pin": config.sound.pin})
    _open(buzzer.open)
    stack.callback(buzzer.close)
    lamps = {side: _lamp(pin, stack) for side, pin in config.lamps.items()}
    return Devices(inputs, panels, worker, lamps, buzzer, only_told, consoles), buttons


def _inputs(config: Config, inbox: Inbox) -> tuple[InputSource, frozenset[str], Consoles]:
    """The buttons, those among them that cannot be looked at, and the consoles on cables."""
    pins, lines = None, config.pins
    if config.consoles.driver != NO_PINS:
        pins = load.input_source(config.consoles.driver, {"lines": lines})
    if pins is not None and not config.boxes:
        return pins, frozenset(), tuple
    # Imported here: most tables have no box, and every one starts.
    from scorer.config.input_boxes import together, told_again

    layout, count = Layout(config.table.layout), config.consoles.count
    inputs = together(config.boxes, pins, layout, count, inbox.put)
    told = told_again(config.boxes, layout, count) - frozenset(lines)
    return inputs, told, inputs.presences


def _lamp(pin: int, stack: ExitStack) -> Lamp:
    lamp = load.lamp("lamp", {"pin": pin})
    _open(lamp.open)
    stack.callback(lamp.close)
    return lamp


def _open(open_device: Callable[[], None]) -> None:
    """A lamp or a buzzer that is not there is no reason not to start."""
    with suppress(DeviceError):
        open_device()


def _seams(panel: PanelChoice, mock: bool) -> dict[str, object]:
    if not mock or panel.driver != "luma_oled":
        return {}
    address = panel.options.get("address", 0x3C)
    return {"bus": RecordingBus({address: Wire(lambda message: None)}).open}
