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
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path

from scorer.begin import Beginning, begin_table, open_journal
from scorer.clock import Clock
from scorer.config import Config, Problem
from scorer.hw import load
from scorer.hw.displays.recording import RecordingBus, Wire
from scorer.hw.ports import DeviceError, InputSource, Lamp
from scorer.layers import settle, store_of
from scorer.locale import known
from scorer.loop import Buttons, Inbox, Loop, Order
from scorer.notify import Notifier, passed_socket
from scorer.panels import Panel, PanelWorker
from scorer.pins import pins_for
from scorer.session.settings import Layout
from scorer.socket import Server, listen
from scorer.store.journal import Journal
from scorer.table import Devices


class NoStore:
    """Settings where there is no store to keep them in."""

    def settings(self) -> dict[str, str]:
        return {}

    def set_setting(self, key: str, value: str) -> None:
        """It is forgotten."""


def run(owners: Path, card: Path | None, *, mock: bool = False) -> int:
    """Runs the table until SIGTERM or SIGINT; 0."""
    if mock:
        os.environ.setdefault("GPIOZERO_PIN_FACTORY", "mock")
    inbox: Inbox = queue.SimpleQueue()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: inbox.put(Order.STOP))
    with ExitStack() as stack:
        text = _text(owners) or ""
        journal = open_journal(store_of(text).absolute(), stack)
        kept = journal if isinstance(journal, Journal) else NoStore()
        settled = settle(text, _text(card) if card is not None else None, kept)
        _log(settled.problems)
        config = settled.config
        now = time.monotonic()
        server = _server(config, inbox, stack)
        language = known(config.table.language)
        beginning = Beginning(config.header, config.settings, language, now, Clock().stamp, server)
        devices, buttons = _devices(config, inbox, stack, mock=mock)
        table = begin_table(journal, devices, beginning)
        if settled.problems:
            table.marks.add("config")
        Loop(table, buttons, inbox, Notifier(), time.monotonic).run()
    return 0


def _text(path: Path) -> str | None:
    """A configuration file, or None where there is none."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        _log((Problem(0, f"{path} cannot be read: {error}"),))
        return None


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
    inputs = _inputs(config)
    stack.callback(inputs.close)
    buttons = Buttons(inputs, inbox)
    buttons.keep()
    panels = [
        Panel(str(at), load.display(panel.driver, panel.options, **_seams(panel.options, mock)))
        for at, panel in enumerate(config.panels)
    ]
    worker = PanelWorker(panels, time.monotonic)
    worker.start()
    stack.callback(worker.close)
    buzzer = load.buzzer("buzzer", {"pin": config.sound.pin})
    _open(buzzer.open)
    stack.callback(buzzer.close)
    lamps = {side: _lamp(pin, stack) for side, pin in config.lamps.items()}
    return Devices(inputs, panels, worker, lamps, buzzer), buttons


def _inputs(config: Config) -> InputSource:
    pins = pins_for(Layout(config.table.layout), config.consoles.count)
    lines = {**pins, **config.consoles.lines}
    return load.input_source(config.consoles.driver, {"lines": lines})


def _lamp(pin: int, stack: ExitStack) -> Lamp:
    lamp = load.lamp("lamp", {"pin": pin})
    _open(lamp.open)
    stack.callback(lamp.close)
    return lamp


def _open(opening: Callable[[], None]) -> None:
    """A lamp or a buzzer that is not there is no reason not to start."""
    with suppress(DeviceError):
        opening()


def _seams(options: object, mock: bool) -> dict[str, object]:
    if not mock:
        return {}
    address = options.get("address", 0x3C) if isinstance(options, dict) else 0x3C
    return {"bus": RecordingBus({address: Wire(lambda message: None)}).open}
