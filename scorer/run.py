"""``scorer run``: puts a table together from what was chosen and turns its loop."""

from __future__ import annotations

import argparse
import queue
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from scorer.desk import Desk, serve
from scorer.hw.bench import Bench
from scorer.hw.displays import luma_oled
from scorer.hw.ports import Edge
from scorer.locale import known
from scorer.panels import DrawingHere, Panel
from scorer.pins import pins_for
from scorer.rules import Game, Header, SheetError, header_of
from scorer.session.settings import Layout, Settings
from scorer.socket import Server, listen
from scorer.store.journal import Journal, Stamp, StoreError
from scorer.table import Devices, Table
from scorer.trouble import TroubleTable

EXAMPLE = """example:
  scorer run --desk --variant paulista --store night"""
EX_CONFIG = 78

DESK_PANELS = {
    "A": luma_oled.Options(controller="ssd1306", address=0x3C),
    "B": luma_oled.Options(controller="ssd1306", address=0x3D),
}


def main(argv: list[str]) -> int:
    """Runs until its input ends; 2 used wrongly, 78 where the choices make no table."""
    arguments = _parser().parse_args(argv)
    if not arguments.desk:
        _complain("only the table on the desk runs so far: add --desk, or use scorer demo")
        return EX_CONFIG
    try:
        header = _header(arguments)
    except SheetError as error:
        _complain(str(error))
        return EX_CONFIG
    _run_on_desk(arguments, header)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scorer run",
        description="Run the table.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--variant", default="argentine", help="which truco (default: argentine)")
    parser.add_argument("--options", default="", help='house rules, "key=value key=value"')
    parser.add_argument("--language", default="es-AR", help="of the panel (default: es-AR)")
    parser.add_argument("--layout", choices=[*Layout], default="full", help="of the consoles")
    parser.add_argument("--names", nargs="+", default=[], metavar="NAME", help="of the sides")
    parser.add_argument("--store", type=Path, required=True, help="folder of the journal")
    parser.add_argument("--socket", type=Path, help="unix socket for programs beside the table")
    desk = parser.add_argument_group("simulated devices, moved over standard input")
    desk.add_argument("--desk", action="store_true", help="pins and panels are simulated")
    desk.add_argument("--panels", type=int, choices=(1, 2), default=2)
    desk.add_argument("--at", type=float, default=0.0, metavar="SECONDS", help="time at power-on")
    desk.add_argument("--down", default="", metavar="LINES", help="buttons down at power-on")
    return parser


def _complain(sentence: str) -> None:
    sys.stderr.write(f"scorer run: {sentence}\n")


def _header(arguments: argparse.Namespace) -> Header:
    """The first game of a new store. Raises SheetError with what is wrong."""
    names = [(f"Name{side}", name) for side, name in zip("ABC", arguments.names, strict=False)]
    chosen = [("Variant", arguments.variant), ("Options", arguments.options), *names]
    return header_of((tag, value) for tag, value in chosen if value)


def _run_on_desk(arguments: argparse.Namespace, header: Header) -> None:
    lines = pins_for(Layout(arguments.layout))
    panels = dict(list(DESK_PANELS.items())[: arguments.panels])
    bench = Bench(lines, panels, lamps=tuple(header.rules.actors), start=arguments.at)
    for line in arguments.down.split():
        bench.set_pin(line, 0, arguments.at)
    edges: list[Edge] = []
    inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
    with ExitStack() as stack:
        bench.inputs.open(edges.append)
        stack.callback(bench.inputs.close)
        server = _server(arguments, inbox, stack)
        devices = _devices(bench, stack)
        table = _table(arguments, header, devices, server, stack)
        table.tick(arguments.at)
        desk = Desk(table, bench, edges, known(arguments.language))
        ready = {"lines": lines, "panels": {name: _told(each) for name, each in panels.items()}}
        serve(desk, ready, sys.stdin, inbox, _teller())


def _table(
    arguments: argparse.Namespace,
    header: Header,
    devices: Devices,
    server: Server | None,
    stack: ExitStack,
) -> Table | TroubleTable:
    """The table on its journal; where there is none to be had, one that says why."""
    language = known(arguments.language)
    try:
        journal = Journal.open(arguments.store)
        stack.callback(journal.close)
        return Table(
            journal,
            devices,
            _first_game(header),
            stamp=_stamps(arguments.at),
            settings=Settings(layout=Layout(arguments.layout)),
            language=language,
            now=arguments.at,
            outside=server,
        )
    except StoreError as error:
        _complain(str(error))
        return TroubleTable(error.kind, devices, language=language, outside=server)


def _devices(bench: Bench, stack: ExitStack) -> Devices:
    panels = [Panel(name, display) for name, display in bench.displays.items()]
    for lamp in bench.lamp_drivers.values():
        lamp.open()
    bench.buzzer.open()
    drawing = DrawingHere(panels)
    stack.callback(drawing.close)
    return Devices(bench.inputs, panels, drawing, bench.lamp_drivers, bench.buzzer)


def _server(
    arguments: argparse.Namespace, inbox: queue.SimpleQueue[Any], stack: ExitStack
) -> Server | None:
    if arguments.socket is None:
        return None
    server = Server(listen(arguments.socket), "desk", inbox.put)
    server.start()
    stack.callback(server.close)
    return server


def _first_game(header: Header) -> Callable[[], tuple[Game, tuple[str, ...]]]:
    names = tuple(header.names.get(side, "") for side in header.rules.sides)
    return lambda: (header.game(), names)


def _stamps(start: float) -> Callable[[float], Stamp]:
    """Stamps of a desk: the hour goes on from now as the simulated time does."""
    began = time.time()
    boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()

    def stamp(now: float) -> Stamp:
        wall = datetime.fromtimestamp(began + now - start, UTC).isoformat(timespec="seconds")
        return Stamp(boot, int(now * 1000), wall, trusted=True)

    return stamp


def _told(panel: luma_oled.Options) -> dict[str, object]:
    return {"controller": panel.controller, "size": list(panel.size)}


def _teller() -> Callable[[str], object]:
    def tell(text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()

    return tell
