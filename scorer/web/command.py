"""``scorer web``: reads command line and configuration, and runs the server."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from scorer.config import standalone
from scorer.config.sources import CARD_FILE, OWNER_FILE
from scorer.system.sd_notify import Notifier

EXAMPLE = """example:
  scorer web                                                 as /etc/scorer/scorer.toml says
  scorer demo --socket table.sock                              in one terminal, and in another:
  scorer web --socket table.sock --listen 127.0.0.1:8080"""
HIGHEST_PORT = 65535


def main(argv: list[str]) -> int:
    """0: ended by a signal; 1: cannot listen or library missing; 2: usage error."""
    arguments = _parser().parse_args(argv)
    try:
        from scorer.web import server
    except ModuleNotFoundError as error:
        print(f"scorer web needs {error.name}: pip install 'truco-scorer[web]'", file=sys.stderr)
        return 1
    config = standalone.load_for_program("scorer web", arguments.config, arguments.card)
    address, port = arguments.listen or (config.web.address, config.web.port)
    choice = server.WebOptions(
        address=address,
        port=port,
        table=arguments.socket or config.socket,
        hosts=config.web.hosts,
        viewers=config.web.viewers,
        viewers_each=config.web.viewers_each,
        folder=Path(config.web.pages),
        language=config.table.language,
    )
    try:
        made = server.open_socket(address, port)
    except OSError as error:
        print(f"scorer web: cannot listen at {address}:{port}: {error.strerror}", file=sys.stderr)
        return 1
    host, port = made.getsockname()[:2]
    print(f"scorer web: http://{f'[{host}]' if ':' in host else host}:{port}/", flush=True)
    server.run(choice, made, Notifier())
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scorer web",
        description="Show the score on phones and on the TV.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--config", type=Path, default=OWNER_FILE, help=f"({OWNER_FILE})")
    parser.add_argument("--card", type=Path, default=CARD_FILE, help=f"({CARD_FILE})")
    parser.add_argument("--socket", type=Path, metavar="PATH", help="where the table is")
    parser.add_argument(
        "--listen", type=_parse_address, metavar="ADDRESS:PORT", help="where to listen"
    )
    return parser


def _parse_address(text: str) -> tuple[str, int]:
    address, colon, port = text.rpartition(":")
    if not colon or not port.isdecimal() or int(port) > HIGHEST_PORT:
        raise argparse.ArgumentTypeError(f"'{text}' is not like 127.0.0.1:8080 or [::1]:8080")
    return address.removeprefix("[").removesuffix("]"), int(port)
