"""``scorer hub``: serve, and the commands of its administrator."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

from scorer.config import standalone
from scorer.config.hub_section import HubSection
from scorer.config.link_section import parse_hub
from scorer.config.owner_variants import add_variants_option, install
from scorer.config.sources import CARD_FILE, OWNER_FILE
from scorer.config.tournament_formats import add_formats_option, load_owner_formats
from scorer.hub import desk_passwords, halls
from scorer.hub.paper import KINDS, PAPERS
from scorer.hub.passwords import MOST_NAME_CHARS, ROLES
from scorer.serving.listen_address import parse_address
from scorer.system.libraries import how_to_install
from scorer.system.sd_notify import state_folder

STATE_FOLDER = Path("/var/lib/scorer-hub")
_DEMO = "--demo"
EXAMPLE = "example: scorer hub --demo (a practice hall), scorer hub cards --tables 1-32"
FILE_COMMANDS = ("draw", "paper", "tables", "entries")  # of the file of a tournament
# Those of Debian; starlette and uvicorn are in our package.
_LIBRARIES = "python3-alembic python3-cryptography"


def main(argv: list[str]) -> int:
    """0: done; 1: it cannot be done, or the audit found a difference; 2: usage error.

    3: the audit found no difference, and could not compare everything.
    """
    if _DEMO in argv:
        # A hall has boxes, of which the hub knows nothing: another program starts all of them.
        words = [each for each in argv if each != _DEMO]
        os.execv(sys.executable, [sys.executable, "-m", "scorer.practice_hall", *words])
    arguments = _parser().parse_args(argv)
    if arguments.hall:
        arguments.config = halls.FOLDER / f"{arguments.hall}.toml"
        arguments.state = halls.STATES / arguments.hall
        arguments.card = Path(os.devnull)  # its [hub] would be that of all halls
        if not arguments.config.exists():
            print(f"scorer hub: no hall {arguments.hall}: see scorer hubs list", file=sys.stderr)
            return 1
    if arguments.command == "passwords":
        # Each request opens what it needs: a fault is answered, and the next one tries again.
        return desk_passwords.serve(lambda: _make_password(arguments))
    return _run(arguments)


def _make_password(arguments: argparse.Namespace) -> dict[str, Any]:
    """The answer to one request of the table."""
    arguments.answer = desk_passwords.FAILED
    _run(arguments)
    return dict(arguments.answer)


def _run(arguments: argparse.Namespace) -> int:
    config, is_narrowed = _load(arguments)
    if arguments.command == "wanted":
        if config.hub is None:
            print("scorer hub: the configuration has no [hub]: this machine is no hub")
        return 0 if config.hub is not None else 1
    options = None if is_narrowed else config.hub or HubSection()
    # What is wrong with the owner's formats, where they are offered.
    for problem in (
        *install(arguments.variants).problems,
        *(load_owner_formats(arguments.formats).problems if arguments.command == "serve" else ()),
    ):
        print(f"scorer hub: {problem}", file=sys.stderr)
    try:
        if arguments.command in FILE_COMMANDS and arguments.file is not None:
            from scorer.hub import tournament_command

            return tournament_command.run(arguments.command, arguments)
        if options is None:
            # The usual database would be another hall, with another certificate.
            print("scorer hub: nothing is done: mend the configuration", file=sys.stderr)
            return 1
        from scorer.hub import administration

        return administration.run(arguments.command, arguments, options)
    except ModuleNotFoundError as error:
        # A driver or the certificate's library is imported only when it is needed.
        print(f"scorer hub needs {error.name}: {how_to_install_hub(error.name)}", file=sys.stderr)
    except OSError as error:
        place = f"{error.filename} cannot be used: " if error.filename else ""
        print(f"scorer hub: {place}{error.strerror}", file=sys.stderr)
    except ValueError as error:
        print(f"scorer hub: {error}", file=sys.stderr)
    return 1


def how_to_install_hub(module: str | None) -> str:
    """What to do where a library of the hub is missing."""
    if module in ("psycopg", "psycopg2"):
        return how_to_install("postgresql", f"python3-{module}")
    return how_to_install("hub", "python3-networkx" if module == "networkx" else _LIBRARIES)


def _load(arguments: argparse.Namespace) -> standalone.ProgramConfig:
    """The settings; narrowed if they are wrong, and no good ones are kept."""
    program = standalone.Program("scorer hub", ("hub",), {}, standalone.cache_folder())
    found = standalone.load_for_program(program, arguments.config, arguments.card)
    arguments.language = found.config.table.language
    return found


def _tables(text: str) -> list[int]:
    """The numbers of "1-32" or "7"."""
    first, dash, last = text.partition("-")
    if not first.isdecimal() or (dash and not last.isdecimal()):
        raise argparse.ArgumentTypeError(f"'{text}' is not like 1-32")
    found = [*range(int(first), int(last or first) + 1)]
    if not found or found[0] < 1 or found[-1] > 999:
        raise argparse.ArgumentTypeError(f"'{text}' is no range from 1 to 999")
    return found


def _hub_address(text: str) -> str:
    """An address that a box accepts in [link]."""
    try:
        return str(parse_hub(text))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"'{text}' {error}") from None


def _hall(text: str) -> str:
    try:
        return halls.check_name(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _person_name(text: str) -> str:
    if not 1 <= len(text) <= MOST_NAME_CHARS or not text.isprintable() or text.isspace():
        raise argparse.ArgumentTypeError(f"a name has 1 to {MOST_NAME_CHARS} characters")
    return text


_ARCHIVING = {
    "close": "put a tournament into the archive",
    "reopen": "take a tournament out of the archive",
}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scorer hub",
        usage="%(prog)s [OPTION ...] [COMMAND ...]",
        description="The hub of a hall: stores what the tables play. Without a command it serves.\n"
        + EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        add_help=False,
    )
    parser.add_argument("-h", "--help", action="help", help=argparse.SUPPRESS)
    parser.set_defaults(command="serve")
    # Named beside --config; the help fits one screen.
    parser.add_argument("--hall", type=_hall, help=argparse.SUPPRESS)
    where = f"({OWNER_FILE}); of many: --hall NAME"
    parser.add_argument("--config", type=Path, default=OWNER_FILE, help=where)
    parser.add_argument("--card", type=Path, default=CARD_FILE, help=f"({CARD_FILE})")
    state = state_folder() or STATE_FOLDER
    parser.add_argument("--state", type=Path, default=state, help="its folder (%(default)s)")
    parser.add_argument("--listen", type=parse_address, metavar="IP:PORT", help="of the wall")
    parser.add_argument("--secure", type=parse_address, metavar="IP:PORT", help="of boxes and desk")
    # Of scorer-hub@.service: seconds without a connection, where systemd holds the sockets.
    parser.add_argument("--idle-end", type=float, metavar="SECONDS", help=argparse.SUPPRESS)
    # Named in the example; the help fits one screen.
    parser.add_argument(_DEMO, action="store_true", help=argparse.SUPPRESS)
    add_variants_option(parser)
    add_formats_option(parser)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    commands.add_parser("serve").set_defaults(command="serve")
    rebuild = commands.add_parser("rebuild", help="compute again what follows from the log")
    rebuild.set_defaults(command="rebuild")
    backup = commands.add_parser("backup", help="copy everything into one file")
    backup.add_argument("file", type=Path)
    backup.set_defaults(command="backup")
    restored = commands.add_parser("restore", help="put such a copy in place of everything")
    restored.add_argument("file", type=Path)
    restored.set_defaults(command="restore")
    audit = commands.add_parser("audit", help="compare every table with the hub")
    audit.add_argument("--hub", type=parse_address, metavar="ADDRESS:PORT", help="the running hub")
    audit.set_defaults(command="audit")
    password = commands.add_parser("password", help="set a password of the desk")
    password.add_argument("name", type=_person_name)
    password.add_argument("--role", choices=ROLES, default="admin", help="(%(default)s)")
    password.set_defaults(command="password")
    passwords = commands.add_parser("passwords")  # of systemd, as the next one
    passwords.set_defaults(command="passwords")
    wanted = commands.add_parser("wanted")
    wanted.set_defaults(command="wanted")
    published = commands.add_parser("publish", help="write tournaments as a static site")
    published.add_argument("folder", type=Path)
    _add_tournament_option(published)
    published.set_defaults(command="publish")
    cards = commands.add_parser("cards", help="a [link] section for each table")
    cards.add_argument("--tables", type=_tables, required=True, metavar="1-32")
    cards.add_argument(
        "--address", type=_hub_address, metavar="HOST:PORT", help="of the hub, as the boxes see it"
    )
    cards.add_argument("--out", type=Path, metavar="FOLDER", help="one file for each table")
    cards.set_defaults(command="cards")
    tournament = commands.add_parser(
        "tournament", help="list, draw, print, export or import tournaments"
    )
    _add_tournament_commands(
        tournament.add_subparsers(title="commands", metavar="COMMAND", required=True)
    )
    return parser


def _add_tournament_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--tournament",
        type=int,
        default=0,
        metavar="NUMBER",
        help="as `list` shows it (the only open one)",
    )


def _add_tournament_commands(
    commands: argparse._SubParsersAction[argparse.ArgumentParser],
) -> None:
    listed = commands.add_parser("list", help="the tournaments of this hub, with their numbers")
    listed.set_defaults(command="list")
    for name, purpose in _ARCHIVING.items():
        archived = commands.add_parser(name, help=purpose)
        _add_tournament_option(archived)
        archived.set_defaults(command=name)
    exported = commands.add_parser("export", help="write a tournament as a file")
    exported.add_argument("file", type=Path)
    _add_tournament_option(exported)
    exported.add_argument(
        "--evening", action="store_true", help="its order and results, signed, for a season"
    )
    exported.add_argument(
        "--names", choices=("public", "all"), default="public", help="of an evening (%(default)s)"
    )
    exported.add_argument("--members", type=Path, metavar="CSV", help="name;number of each member")
    exported.add_argument(
        "--season-key", type=Path, metavar="FILE", help="with which their numbers are hashed"
    )
    exported.set_defaults(command="export")
    keys = commands.add_parser("keys", help="the public keys by which a season knows this hall")
    keys.add_argument("--new", action="store_true", help="sign with another one from today on")
    keys.set_defaults(command="keys")
    imported = commands.add_parser("import", help="add the tournament of such a file to this hub")
    imported.add_argument("file", type=Path)
    imported.set_defaults(command="import")
    draw = commands.add_parser("draw", help="repeat the draw of the file of a tournament")
    draw.add_argument("file", type=Path)
    draw.set_defaults(command="draw")
    games = commands.add_parser("games", help="write the games of its matches as score sheets")
    games.add_argument("file", type=Path)
    _add_tournament_option(games)
    games.set_defaults(command="games")
    paper = commands.add_parser("paper", help="write a page for a printer")
    paper.add_argument("file", type=Path, nargs="?", help="instead of the tournament of this hub")
    _add_tournament_option(paper)
    paper.add_argument("--pages", choices=KINDS, default="set", help="(%(default)s)")
    paper.add_argument("--paper", choices=PAPERS, default="A4", help="(%(default)s)")
    paper.add_argument("--address", default="", help="of the page of a team, without its number")
    paper.add_argument("--tables", type=_tables, default=[], metavar="1-32", help="of labels")
    paper.add_argument("--out", type=Path, default=Path("paper.html"), help="(%(default)s)")
    paper.set_defaults(command="paper")
    tables = commands.add_parser("tables", help="write teams, matches and standings as CSV")
    tables.add_argument("file", type=Path, nargs="?", help="instead of the tournament of this hub")
    _add_tournament_option(tables)
    tables.add_argument("--out", type=Path, default=Path(), metavar="FOLDER")
    tables.set_defaults(command="tables")
    entries = commands.add_parser("entries", help="check a list of teams before they enter")
    entries.add_argument("file", type=Path)
    entries.add_argument("--format", required=True, help="the name of one, or its file")
    entries.set_defaults(command="entries")
