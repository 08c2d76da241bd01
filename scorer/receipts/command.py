"""``scorer print``: what was chosen on the command line and in the file, and one slip of it.

Started by systemd with a socket it prints what a table asks for; by hand it prints one game, on the
printer of the configuration, on another one, into a picture, or on this terminal.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from scorer.config.printer import Place, PrinterSection, place_of
from scorer.config.sources import CARDS_FILE, OWNERS_FILE
from scorer.config.standalone import settings
from scorer.i18n import known
from scorer.receipts import device, serving, table_client
from scorer.receipts.escpos_encoder import written
from scorer.receipts.escpos_simulator import Paper
from scorer.receipts.serving import Wish
from scorer.receipts.slip import COLUMNS, Slip, slip, text_of
from scorer.system.sd_notify import passed_socket

EXAMPLE = """example:
  scorer print                                the game on the table, on the printer of the box
  scorer print --game 12 --to -               on this terminal
  scorer print --to tcp:192.168.1.50:9100 --width 80
  scorer print --game 12 --sheet | sha256sum  what the code on its slip says"""


def main(argv: list[str]) -> int:
    """0: printed, or nobody wants a slip any more; 1: not printed, and why; 2: used wrongly."""
    arguments = _parser().parse_args(argv)
    config = settings("scorer print", arguments.config, arguments.card)
    section = config.printer or PrinterSection()
    if arguments.width:
        section = _wide(section, arguments.width)
    work = _Work(config.socket if arguments.socket is None else arguments.socket, section)
    if (listening := passed_socket()) is not None:
        serving.serve(listening, work.print_for_table)
        return 0
    told = serving.done(lambda: work.print_by_arguments(arguments))
    return 0 if told["ok"] else 1


def _wide(section: PrinterSection, width: int) -> PrinterSection:
    values = {key: getattr(section, key) for key in PrinterSection.__slots__}
    return PrinterSection(**{**values, "width": width})


class _Work:
    """Slips of one table on paper of one width."""

    def __init__(self, table: Path, section: PrinterSection) -> None:
        self._table, self._section = table, section
        self._columns = COLUMNS[section.width]

    def print_for_table(self, request: Wish) -> str:
        """One slip on the printer of the configuration; a remark."""
        if not self._section.device:
            key, sentence = "slip_absent", "[printer] in the configuration names no device"
            raise device.PrinterError(key, sentence)
        played = table_client.ask(self._table, request.game)
        made = slip(played, known(request.language or played.language), self._columns)
        return self._send(made, place_of(self._section.device))

    def print_by_arguments(self, arguments: argparse.Namespace) -> str:
        """One slip wherever the command line says; a remark."""
        played = table_client.ask(self._table, arguments.game)
        if arguments.sheet:
            sys.stdout.write(played.sheet)
            return ""
        made = slip(played, known(arguments.language or played.language), self._columns)
        if arguments.preview is not None:
            self._preview(made, arguments.preview)
            return ""
        to = arguments.to or self._section.device or "-"
        if to == "-":
            sys.stdout.write(text_of(made, self._columns))
            return ""
        return self._send(made, _place(to), may_create=arguments.to is not None)

    def _encode(self, made: Slip) -> bytes:
        chosen = self._section
        return written(
            made,
            letters=chosen.letters,
            table_number=chosen.table_number,
            model=chosen.model,
            cut=chosen.cut,
        )

    def _send(self, made: Slip, place: Place, *, may_create: bool = False) -> str:
        baud = self._section.baud
        return device.send(self._encode(made), place, baud=baud, may_create=may_create)

    def _preview(self, made: Slip, to: Path) -> None:
        paper = Paper(self._section.width)
        paper.feed(self._encode(made))
        try:
            paper.picture().save(to, "PNG")
        except OSError as error:
            key = "slip_failed"
            raise device.PrinterError(key, f"{to} cannot be written: {error.strerror}") from error


def _place(text: str) -> Place:
    """Where ``--to`` points: as in the configuration, or a file in this folder."""
    return place_of(text) if text.startswith("tcp:") else Place(path=str(Path(text).absolute()))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scorer print",
        description="Print the slip of a game: who won, hand by hand, with the sheet's digest.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage="scorer print [OPTIONS]",
    )
    parser.add_argument("--game", type=int, metavar="N", help="which one (the running one)")
    parser.add_argument("--to", type=_to, metavar="PLACE", help="- or a file or tcp:HOST:PORT")
    parser.add_argument("--preview", type=Path, metavar="PNG", help="a picture instead of paper")
    parser.add_argument("--sheet", action="store_true", help="the score sheet, on this terminal")
    parser.add_argument("--width", type=int, choices=tuple(COLUMNS), help="millimetres of paper")
    parser.add_argument("--language", metavar="L", help="es-AR, pt-BR, ... (the table's)")
    parser.add_argument("--socket", type=Path, metavar="PATH", help="where the table is")
    parser.add_argument("--config", type=Path, default=OWNERS_FILE, help=f"({OWNERS_FILE})")
    parser.add_argument("--card", type=Path, default=CARDS_FILE, help=f"({CARDS_FILE})")
    return parser


def _to(text: str) -> str:
    if text.startswith("tcp:"):
        try:
            place_of(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(f"'{text}' {error}") from None
    return text
