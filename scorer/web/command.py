"""``scorer web``: reads command line and configuration, and runs the server."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from scorer.api.rights import Right, report_absent_table, socket_path
from scorer.config import standalone
from scorer.config.sources import add_file_options
from scorer.serving.listen_address import parse_address
from scorer.system.libraries import how_to_install
from scorer.system.sd_notify import Notifier

EXAMPLE = """example:
  scorer web                                                 as /etc/scorer/scorer.toml says
  scorer demo --socket table.sock                              in one terminal, and in another:
  scorer web --socket table.sock --listen 127.0.0.1:8080"""
LOOPBACK = "127.0.0.1"
NARROWEST = {"web": {"address": LOOPBACK}}  # with wrong settings and no last good ones


def main(argv: list[str]) -> int:
    """0: ended by a signal; 1: cannot listen or library missing; 2: usage error."""
    arguments = _parser().parse_args(argv)
    try:
        from scorer.serving import tls
        from scorer.serving.server import open_socket
        from scorer.web import server
    except ModuleNotFoundError as error:
        print(f"scorer web needs {error.name}: {how_to_install('web')}", file=sys.stderr)
        return 1
    program = standalone.Program(
        "scorer web", ("web", "socket"), NARROWEST, standalone.cache_folder()
    )
    config, is_narrowed = standalone.load_for_program(program, arguments.config, arguments.card)
    address, port = arguments.listen or (config.web.address, config.web.port)
    is_narrowed = is_narrowed and arguments.listen is None
    context = None
    try:
        context = tls.load_context(tls.PemFiles("web", config.web.certificate, config.web.key))
    except tls.TlsError as error:
        # Never without encryption where others could listen.
        print(f"scorer web: configuration, {error}", file=sys.stderr)
        print(f"scorer web: it serves {LOOPBACK} only until then", file=sys.stderr)
        address, is_narrowed = LOOPBACK, True
    choice = server.WebOptions(
        address=address,
        port=port,
        table=arguments.socket or socket_path(config.socket_path, Right.PHONE),
        owners_table=None if arguments.socket else socket_path(config.socket_path, Right.OWNER),
        hosts=config.web.hosts,
        viewers=config.web.viewers,
        viewers_each=config.web.viewers_each,
        folder=Path(config.web.pages),
        language=config.table.language,
        is_narrowed=is_narrowed,
        tls=context,
        proxies=config.web.proxies,
    )
    try:
        made = open_socket(address, port)
    except OSError as error:
        print(f"scorer web: cannot listen at {address}:{port}: {error.strerror}", file=sys.stderr)
        return 1
    host, port = made.getsockname()[:2]
    scheme = "http" if context is None else "https"
    print(f"scorer web: {scheme}://{f'[{host}]' if ':' in host else host}:{port}/", flush=True)
    report_absent_table("scorer web", choice.table)
    server.run(choice, made, Notifier())
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scorer web",
        description="Show the score on phones and on the TV.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_file_options(parser)
    parser.add_argument("--socket", type=Path, metavar="PATH", help="where the table is")
    parser.add_argument(
        "--listen", type=parse_address, metavar="ADDRESS:PORT", help="where to listen"
    )
    return parser
