"""The commands of ``scorer hubs``."""

from __future__ import annotations

import argparse
import ipaddress
import sys
from collections.abc import Callable
from pathlib import Path

from scorer.hub.halls import check_name
from scorer.hubs import work
from scorer.hubs.databases import USUAL_SERVER, server_problem, shown_server
from scorer.hubs.machine import HallsMachine
from scorer.hubs.records import HallRecord, HallStage, UnreadableRecord
from scorer.hubs.work import HallError, Halls, NewHall, NotOpen
from scorer.rules.notation import one_line
from scorer.serving.listen_address import HIGHEST_PORT

EXAMPLE = """example:
  sudo scorer hubs create norte --title "Club Norte"
  sudo scorer hub --hall norte password ana

Each hall has its own hub, its own database, and its own login there."""


def run(argv: list[str]) -> int:
    """0: done; 1: it cannot be done, or was not confirmed; 2: usage error."""
    arguments = _parser().parse_args(argv)
    halls = Halls(HallsMachine(arguments.root))
    try:
        with halls.records.locked(_busy):
            command: Callable[[Halls, argparse.Namespace], None] = arguments.command
            command(halls, arguments)
    except (HallError, NotOpen, UnreadableRecord) as error:
        print(f"scorer hubs: {one_line(str(error))}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"scorer hubs: {error.filename}: {error.strerror}; it is for root", file=sys.stderr)
        return 1
    return 0


def _create(halls: Halls, arguments: argparse.Namespace) -> None:
    made = halls.create(
        NewHall(
            name=arguments.name,
            title=arguments.title,
            address=arguments.address,
            port=arguments.port,
            secure_port=arguments.secure_port,
            hosts=tuple(arguments.host),
            server="" if arguments.sqlite else arguments.server,
            copy=arguments.copy,
        )
    )
    name, record = made.record.name, made.record
    if made.rows:
        print(f"{made.rows} rows of {arguments.copy}")
    if made.open_databases:
        print(
            f"the login of {name}, as every login of the server, may connect to"
            f" {', '.join(made.open_databases)}: REVOKE CONNECT ON DATABASE ... FROM PUBLIC"
        )
    print(f"hall {name}: wall at port {record.port}, boxes and desk at port {record.secure_port}")
    print(f"pin {made.pin}")
    print(f"its desk needs a password: sudo scorer hub --hall {name} password ana")


def _list(halls: Halls, arguments: argparse.Namespace) -> None:
    records = list(halls.records.all())
    for record, does in zip(records, halls.activity(records), strict=True):
        begun = "" if record.stage is HallStage.READY else f"; {work.advice(record)}"
        where = shown_server(record.home.server) if record.home.server else "SQLite"
        ports = f"ports {record.port} {record.secure_port}"
        print(f"{record.name}: {does}, {ports}, {where}, {record.title}{begun}")


def _start(halls: Halls, arguments: argparse.Namespace) -> None:
    left = halls.start(arguments.name)
    if left:
        print(f"what it has at {shown_server(left)} could not be dropped, and stays there")
    print(f"hall {arguments.name}: its ports are open")


def _stop(halls: Halls, arguments: argparse.Namespace) -> None:
    halls.stop(arguments.name)
    print(f"hall {arguments.name}: stopped; boxes keep what is played, `scorer hubs start` goes on")


def _export(halls: Halls, arguments: argparse.Namespace) -> None:
    rows = halls.export(arguments.name, arguments.file)
    print(f"{arguments.file}: {rows} rows; it has the key of the hub: keep it like a password")


def _move(halls: Halls, arguments: argparse.Namespace) -> None:
    def confirm(record: HallRecord) -> None:
        _confirm(
            arguments,
            f"The hall {record.name} is stopped while its rows are copied to"
            f" {shown_server(arguments.server)}; then its database at its present place is"
            " dropped.",
        )

    rows = halls.move(arguments.name, arguments.server, confirm)
    print(f"hall {arguments.name}: moved" + (f", {rows} rows" if rows else ""))


def _delete(halls: Halls, arguments: argparse.Namespace) -> None:
    def confirm(record: HallRecord) -> None:
        _confirm(
            arguments,
            f"The hall {record.name} ({record.title}) is deleted with its games, tournaments,"
            " passwords and certificate; its boxes must join another one. Nothing brings it back"
            f" but a copy of `scorer hubs export {record.name} FILE`.",
        )

    halls.delete(arguments.name, confirm)
    print(f"hall {arguments.name}: deleted")


def _confirm(arguments: argparse.Namespace, sentence: str) -> None:
    """Ask for the name of the hall. Raises HallError for anything else."""
    if arguments.yes:
        return
    print(sentence)
    print("Its name, to go on: ", end="", flush=True)
    typed = sys.stdin.readline().strip()
    if typed != arguments.name:
        raise HallError("not confirmed: nothing has changed")


def _busy() -> HallError:
    return HallError("another `scorer hubs` is at work: wait until it has ended")


def _name(text: str) -> str:
    try:
        return check_name(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _server(text: str) -> str:
    if (problem := server_problem(text)) is not None:
        raise argparse.ArgumentTypeError(problem)  # without the text: it may have a password
    return text


def _port(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or not 1 <= int(text) <= HIGHEST_PORT:
        raise argparse.ArgumentTypeError(f"'{text}' is no port from 1 to {HIGHEST_PORT}")
    return int(text)


def _address(text: str) -> str:
    try:
        return str(ipaddress.ip_address(text))
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is no address like 0.0.0.0") from None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scorer hubs",
        description="The hubs of many halls on one machine, strictly apart.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    # Where the machine is, for tests and for a card that is prepared on another one.
    parser.add_argument("--root", type=Path, default=Path("/"), help=argparse.SUPPRESS)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    def add(
        name: str, command: Callable[[Halls, argparse.Namespace], None], purpose: str
    ) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=purpose)
        added.set_defaults(command=command)
        return added

    create = add("create", _create, "create a hall, or go on with one that is half created")
    create.add_argument("name", type=_name, metavar="NAME", help="a-z, 0-9 and -, such as norte")
    create.add_argument("--title", default="", help="what people read (the name)")
    create.add_argument("--address", type=_address, default="0.0.0.0", help="(%(default)s)")
    create.add_argument("--port", type=_port, default=0, help="of the wall (the next free one)")
    create.add_argument("--secure-port", type=_port, default=0, help="of boxes and desk")
    create.add_argument(
        "--host", action="append", default=[], help="a host name by which it is reached; repeatable"
    )
    create.add_argument("--from", dest="copy", type=Path, metavar="FILE", help="of an export")
    _add_server(create)
    create.add_argument("--sqlite", action="store_true", help="a file instead of PostgreSQL")
    add("list", _list, "the halls, their ports and what they do")
    for name, command, purpose in (
        ("start", _start, "open the ports of a hall again"),
        ("stop", _stop, "close the ports of a hall; nothing of it is lost"),
    ):
        add(name, command, purpose).add_argument("name", type=_name, metavar="NAME")
    export = add("export", _export, "copy a hall into one file, for `create --from`")
    export.add_argument("name", type=_name, metavar="NAME")
    export.add_argument("file", type=Path, metavar="FILE")
    move = add("move", _move, "move the rows of a hall to another PostgreSQL")
    move.add_argument("name", type=_name, metavar="NAME")
    _add_server(move)
    deleted = add("delete", _delete, "delete a hall with all that it has")
    deleted.add_argument("name", type=_name, metavar="NAME")
    for each in (move, deleted):
        each.add_argument("--yes", action="store_true", help="ask nothing")
    return parser


def _add_server(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--server",
        type=_server,
        default=USUAL_SERVER,
        metavar="ADDRESS",
        help="the PostgreSQL, as who may make logins (%(default)s)",
    )
