"""``scorer print``: reads command line and configuration, and prints.

Started by systemd with a socket it prints the slips that a table requests; otherwise it prints one
game on the configured printer, another one, into a picture, or on the terminal.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from scorer.api.print_protocol import PrintResult
from scorer.api.rights import Right, socket_path
from scorer.config.printer import PrinterAddress, PrinterSection, parse_address
from scorer.config.sources import add_file_options
from scorer.config.standalone import Program, cache_folder, load_for_program
from scorer.i18n import languages, nearest_language
from scorer.i18n.argument import parse_language
from scorer.receipts import print_server, printer_connection, table_client
from scorer.receipts.escpos_encoder import encode_slip
from scorer.receipts.escpos_simulator import SimulatedPrinter
from scorer.receipts.night_slip import build_night_slip
from scorer.receipts.print_server import PrintRequest
from scorer.receipts.slip import COLUMNS, Slip, as_text, build_slip
from scorer.system.sd_notify import passed_sockets

NARROWEST: dict[str, object] = {}  # no printer: with wrong settings and no last good ones
NO_GAME_WON = "no game of this evening has been won yet: this is the slip of the unfinished one"
EXAMPLE = """example:
  scorer print                                the game on the table, on the printer of the box
  scorer print --game 12 --to -               on this terminal
  scorer print --to tcp:192.168.1.50:9100 --width 80
  scorer print --night --to -                 the evening by pair
  scorer print --game 12 --sheet | sha256sum  what the code on its slip says"""


def main(argv: list[str]) -> int:
    """0: printed, or the idle service ended; 1: not printed; 2: usage error."""
    parser = _parser()
    arguments = parser.parse_args(argv)
    if arguments.night and arguments.sheet:
        parser.error("--sheet is of one game: name it with --game instead of --night")
    program = Program("scorer print", ("printer", "socket"), NARROWEST, cache_folder())
    config, _ = load_for_program(program, arguments.config, arguments.card)
    section = config.printer or PrinterSection()
    if arguments.width:
        section = section._replace(width=arguments.width)
    work = _SlipPrinter(arguments.socket or socket_path(config.socket_path, Right.READ), section)
    if passed := passed_sockets():
        (_, listening), *_ = passed
        print_server.serve(listening, work.print_for_table)
        return 0
    told = print_server.run_job(lambda: work.print_by_arguments(arguments))
    return 0 if told["ok"] else 1


class _SlipPrinter:
    """Prints slips of one table on paper of one width."""

    def __init__(self, table: Path, section: PrinterSection) -> None:
        self._table, self._section = table, section
        self._columns = COLUMNS[section.width]

    def print_for_table(self, request: PrintRequest) -> str:
        """Print a slip on the configured printer; return a remark."""
        if not self._section.device:
            sentence = "[printer] in the configuration names no device"
            raise printer_connection.PrinterError(PrintResult.ABSENT, sentence)
        played = table_client.fetch_game(self._table, request.game)
        made = build_slip(
            played, nearest_language(request.language or played.language), self._columns
        )
        return self._send(made, parse_address(self._section.device))

    def print_by_arguments(self, arguments: argparse.Namespace) -> str:
        """Print a slip to the destination of the command line; return a remark."""
        remark = ""
        if arguments.night:
            evening = table_client.fetch_evening(self._table)
            language = nearest_language(arguments.language or evening.newest.language)
            if evening.night.games:
                made = build_night_slip(evening, language, self._columns)
            else:
                made = build_slip(evening.newest, language, self._columns)
                remark = NO_GAME_WON
        else:
            played = table_client.fetch_game(self._table, arguments.game)
            if arguments.sheet:
                sys.stdout.write(played.sheet)
                return ""
            language = nearest_language(arguments.language or played.language)
            made = build_slip(played, language, self._columns)
        if arguments.preview is not None:
            self._preview(made, arguments.preview)
            return remark
        to = arguments.to or self._section.device or "-"
        if to == "-":
            sys.stdout.write(as_text(made, self._columns))
            return remark
        # An address as in the configuration, or a file in this folder.
        is_address = to.startswith("tcp:")
        place = parse_address(to) if is_address else PrinterAddress(path=str(Path(to).absolute()))
        sent = self._send(made, place, may_create=arguments.to is not None)
        return "; ".join(filter(None, (remark, sent)))

    def _encode(self, made: Slip) -> bytes:
        chosen = self._section
        return encode_slip(
            made,
            letters=chosen.letters,
            table_number=chosen.table_number,
            model=chosen.model,
            cut=chosen.cut,
        )

    def _send(self, made: Slip, place: PrinterAddress, *, may_create: bool = False) -> str:
        baud = self._section.baud
        return printer_connection.send(self._encode(made), place, baud=baud, may_create=may_create)

    def _preview(self, made: Slip, to: Path) -> None:
        paper = SimulatedPrinter(self._section.width)
        paper.feed(self._encode(made))
        try:
            paper.picture().save(to, "PNG")
        except OSError as error:
            sentence = f"{to} cannot be written: {error.strerror}"
            raise printer_connection.PrinterError(PrintResult.FAILED, sentence) from error


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scorer print",
        description="Print the slip of a game: who won, hand by hand, with the sheet's digest.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage="scorer print [OPTIONS]",
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--game", type=int, metavar="N", help="which one (the running one)")
    which.add_argument("--night", action="store_true", help="the evening by pair instead")
    parser.add_argument(
        "--to", type=_check_place, metavar="PLACE", help="- or a file or tcp:HOST:PORT"
    )
    parser.add_argument("--preview", type=Path, metavar="PNG", help="a picture instead of paper")
    parser.add_argument("--sheet", action="store_true", help="the score sheet, on this terminal")
    parser.add_argument("--width", type=int, choices=tuple(COLUMNS), help="millimetres of paper")
    known = f"{', '.join(languages())} (the table's)"
    parser.add_argument("--language", type=parse_language, metavar="L", help=known)
    parser.add_argument("--socket", type=Path, metavar="PATH", help="where the table is")
    add_file_options(parser)
    return parser


def _check_place(text: str) -> str:
    if text.startswith("tcp:"):
        try:
            parse_address(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(f"'{text}' {error}") from None
    return text
