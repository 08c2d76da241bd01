"""``scorer demo``: a table with simulated buttons and panels.

Played in a terminal, in a browser or from a script. The table is a child process, reached through
its command line and the desk protocol.
"""

from __future__ import annotations

import argparse
import codecs
import os
import shutil
import signal
import sys
import tempfile
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from pathlib import Path
from typing import NoReturn

from scorer.config.owner_variants import add_variants_option, install
from scorer.demo import interactive, script_player
from scorer.demo.demo_table import DemoTable
from scorer.demo.kept_game import ChosenGame, other_game, store_problem
from scorer.demo.script_lines import ScriptError
from scorer.demo.table_process import TableCommand, TableEnded
from scorer.demo.voice_process import speaking
from scorer.i18n import terminal_language, translator
from scorer.i18n.argument import parse_language
from scorer.rules import SheetError, find_variant, header_of
from scorer.session.values.countries import country_of

EXAMPLE = """script: A truco | A truco +0.45 B truco | B quiero hold | A tantos hold 3 | undo
  both tantos | wait 2.5 | A truco, power cut | unplug panel A | stuck A truco
example: printf 'A truco\\nB quiero\\n' | scorer demo --script - --json"""

FRONT_PORT = 8081  # the port of the front panel
OFF = -1  # no front panel
MAX_SOCKET_PATH = 100  # bytes of the path of a socket, at most
_FRONT = "the box in a browser, 127.0.0.1:PORT or off (8081)"

END_SIGNALS = (signal.SIGTERM, signal.SIGHUP)  # ended by a supervisor, or the terminal was closed


def main(argv: list[str]) -> int:
    """Return 0: played; 2: wrong usage or line; else the exit code of the table."""
    chosen = _parser().parse_args(argv)
    # The owner's variants, for the checks here; the table process reads them itself.
    install(chosen.variants)
    chosen.language = chosen.language or terminal_language(os.environ)
    problem = _find_problem(chosen)
    if problem is not None:
        return _print_error(problem, 2)
    say = translator(chosen.language)
    if chosen.store and (problem := store_problem(Path(chosen.store), say)):
        return _print_error(problem, 2)
    if encoding := _wrong_encoding(chosen):
        return _print_error(say("terminal.not_utf8", encoding=encoding), 2)
    before = {number: signal.signal(number, _on_signal) for number in END_SIGNALS}
    try:
        with tempfile.TemporaryDirectory(prefix="scorer-demo-") as temporary:
            return _play(chosen, temporary)
    except BrokenPipeError:
        raise
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _print_error(f"{where}{error.strerror}", 2)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _parser() -> argparse.ArgumentParser:

    parser = argparse.ArgumentParser(
        prog="scorer demo",
        usage="scorer demo [OPTION ...]",
        description="Play at a whole table with simulated buttons and panels.",
        epilog=EXAMPLE,
        formatter_class=lambda prog: argparse.RawDescriptionHelpFormatter(
            prog, max_help_position=22
        ),
    )
    add = parser.add_argument
    add("--variant", metavar="ID", help="which truco (that of the language)")
    add_variants_option(parser)
    add("--options", default="", metavar="TEXT", help='house rules, "target=15 best_of=3"')
    language = "of the interface, es-VE or ca (from the environment)"
    add("--language", type=parse_language, metavar="L", help=language)
    layouts = ("full", "compact")
    add("--layout", choices=layouts, default="full", metavar="L", help="full or compact (full)")
    add("--panels", type=int, choices=(1, 2), default=2, metavar="N", help="1 or 2 (2)")
    add("--consoles", type=int, choices=(2, 3), metavar="N", help="2, or 3 where three play alone")
    add("--rematch", action="store_true", help=argparse.SUPPRESS)  # the help fits one screen
    # The same: the pixels of a team light.
    add("--light", nargs="?", type=int, const=8, default=0, help=argparse.SUPPRESS)
    # The same: the local time at the start of a script.
    add("--clock", type=datetime.fromisoformat, help=argparse.SUPPRESS)
    # The same; with a file or a folder, WAV files instead of the sound card.
    add("--voice", nargs="?", const="", metavar="PLACE", help=argparse.SUPPRESS)
    add("--names", nargs="+", default=[], metavar="T", help="names of the teams")
    add("--store", metavar="DIR", help="keep the score there (a temporary folder)")
    add("--socket", metavar="PATH", help="the table's socket, for scorer web and link")
    add("--front", nargs="?", type=_port, const=FRONT_PORT, metavar="PORT", help=_FRONT)
    add("--script", metavar="FILE", help="play the lines of a file; - is standard input")
    add("--frames", metavar="DIR", help="with --script: every new picture as PNG")
    add("--json", action="store_true", help="with --script: one JSON object a line")
    return parser


def _port(text: str) -> int:
    """A port of ``--front``, or OFF."""
    if text.lower() == "off":
        return OFF
    if not (text.isascii() and text.isdigit() and len(text) <= 5 and int(text) <= 65535):
        raise argparse.ArgumentTypeError(f"'{text}' is no port; write --front 8081 or --front off")
    return int(text)


def _find_problem(chosen: argparse.Namespace) -> str | None:
    """A sentence about what cannot be played, or None."""
    if chosen.script is None:
        if chosen.json or chosen.frames or chosen.clock:
            return "--json, --frames and --clock go with --script FILE"
        if chosen.front in (None, OFF) and not _at_a_terminal():
            instead = "use --script FILE (or --script -) instead, or --front for a browser"
            return f"this is no terminal to play in; {instead}"
    elif chosen.front not in (None, OFF) or chosen.voice is not None:
        option = "--voice" if chosen.voice is not None else "--front"
        return f"{option} is for playing by hand, --script plays by itself; use one of them"
    if chosen.voice is not None:
        needed = ("espeak-ng",) if chosen.voice else ("espeak-ng", "aplay")
        if not all(map(shutil.which, needed)):
            return f"--voice needs {' and '.join(needed)}: apt install espeak-ng alsa-utils"
    variant = _variant(chosen)
    try:
        header_of([("Variant", variant), ("Options", chosen.options)])
    except SheetError as error:
        return str(error)
    if chosen.consoles == 3 and not _play_alone(variant):
        return f"--consoles 3 needs three players without teams; {variant} has teams"
    return None


def _at_a_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def _wrong_encoding(chosen: argparse.Namespace) -> str:
    """The encoding of a terminal in which the panel cannot be drawn, or ""."""
    if chosen.script is not None or not _at_a_terminal():
        return ""
    encoding = sys.stdout.encoding
    return "" if codecs.lookup(encoding).name == "utf-8" else encoding


def _variant(chosen: argparse.Namespace) -> str:
    return chosen.variant or _usual_variant(chosen)


def _usual_variant(chosen: argparse.Namespace) -> str:
    return country_of(chosen.language).proposed


def _play_alone(variant: str) -> bool:
    return find_variant(variant).seating.each_alone


def _play(chosen: argparse.Namespace, temporary: str) -> int:
    # A socket for the board beside the front panel and the voice.
    path = str(Path(temporary) / "table.sock")
    wanted = chosen.script is None and (chosen.front != OFF or chosen.voice is not None)
    table = TableCommand(
        variant=_variant(chosen),
        options=chosen.options,
        language=chosen.language,
        layout=chosen.layout,
        panels=chosen.panels,
        store=chosen.store or temporary,
        socket=chosen.socket
        or (path if wanted and len(os.fsencode(path)) <= MAX_SOCKET_PATH else None),
        names=tuple(chosen.names),
        variants=str(chosen.variants),
        consoles=chosen.consoles or (3 if _play_alone(_variant(chosen)) else 2),
        rematch=chosen.rematch,
        light=chosen.light,
        wall_at_0=chosen.clock and chosen.clock.timestamp() - script_player.START,
    )
    with DemoTable(table) as desk:
        try:
            if chosen.script is None:
                return _play_interactively(desk, chosen, table, temporary)
            return _play_script(desk, chosen)
        except ScriptError as error:
            return _print_error(f"{chosen.script}: {error}", 2)
        except TableEnded as ended:
            return _print_error(str(ended), ended.code)


def _chosen_game(chosen: argparse.Namespace) -> ChosenGame:
    names = tuple(chosen.names)
    return ChosenGame(_usual_variant(chosen), chosen.variant or "", chosen.options, names)


def _play_interactively(
    desk: DemoTable, chosen: argparse.Namespace, table: TableCommand, temporary: str
) -> int:
    """Play in the terminal, in a browser, or in both."""
    where = interactive.PlayOptions(
        language=table.language,
        socket=table.socket,
        at_a_terminal=_at_a_terminal(),
        port=FRONT_PORT if chosen.front is None else chosen.front,
        is_port_given=chosen.front is not None,
        game=_chosen_game(chosen),
        store=chosen.store or "",
        guide=table._replace(store=str(Path(temporary) / "guide")),
    )
    voice: AbstractContextManager[None] = nullcontext()
    if chosen.voice is not None and table.socket is not None:
        voice = speaking(Path(table.socket), chosen.voice)
    try:
        with voice:
            interactive.play(desk, where)
    except interactive.NotAvailable as error:
        return _print_error(str(error), 2)
    return 0


def _play_script(desk: DemoTable, chosen: argparse.Namespace) -> int:
    folder = Path(chosen.frames) if chosen.frames else None
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    worded = script_player.as_json if chosen.json else script_player.as_text

    def tell(answer: script_player.LineResult) -> None:
        sys.stdout.write(worded(answer) + "\n")
        sys.stdout.flush()

    is_piped = chosen.script == "-"
    with nullcontext(sys.stdin.buffer) if is_piped else Path(chosen.script).open("rb") as file:
        player = script_player.ScriptPlayer(desk, folder)
        game, state = _chosen_game(chosen), desk.report.state
        if note := other_game(game, state, chosen.store or "", translator(chosen.language)):
            print(f"scorer demo: {note}", file=sys.stderr)
        # Each line as soon as it arrives.
        lines = enumerate(iter(lambda: file.readline(1 << 12), b""), 1)
        texts = ((number, line.decode("utf-8", "replace")) for number, line in lines)
        script_player.play(texts, player, tell)
    return 0


def _on_signal(number: int, frame: object) -> NoReturn:
    # A normal exit: the child is ended and the temporary store is removed.
    raise SystemExit(128 + number)


def _print_error(sentence: str, code: int) -> int:
    sys.stdout.flush()
    print(f"scorer demo: {sentence}", file=sys.stderr)
    return code
