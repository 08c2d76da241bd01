"""``scorer link``: reads command line and configuration, and runs the link."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from scorer.api.rights import Right, report_absent_table, socket_path
from scorer.config import standalone
from scorer.config.link_section import LinkSection
from scorer.config.sources import add_file_options
from scorer.system.libraries import how_to_install
from scorer.system.sd_notify import Notifier, state_folder

EXAMPLE = """example:
  scorer link                                                as /etc/scorer/scorer.toml says
  scorer demo --socket table.sock                              in one terminal, and in another:
  scorer link --socket table-hall.sock --state link/"""


def main(argv: list[str]) -> int:
    """0: ended by a signal; 1: a library or the folder is missing; 2: usage error."""
    parser = argparse.ArgumentParser(
        prog="scorer link",
        description="Join a hall, and send what is pressed to its hub.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_file_options(parser)
    parser.add_argument("--socket", type=Path, metavar="PATH", help="where the table is")
    parser.add_argument("--state", type=Path, metavar="DIR", help="where the hall is remembered")
    arguments = parser.parse_args(argv)
    try:
        from scorer.link import service
    except ModuleNotFoundError as error:
        print(f"scorer link needs {error.name}: {how_to_install('link')}", file=sys.stderr)
        return 1
    program = standalone.Program(
        "scorer link", ("link", "hook", "socket"), {}, standalone.cache_folder()
    )
    config, _ = standalone.load_for_program(program, arguments.config, arguments.card)
    folder = arguments.state or state_folder()
    if folder is not None:
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            why = error.strerror or str(error)
            print(f"scorer link: {folder} is no folder that can be used: {why}", file=sys.stderr)
            return 1
    options = service.LinkOptions(
        table=arguments.socket or socket_path(config.socket_path, Right.HALL),
        link=config.link or LinkSection(),
        hooks=config.hooks,
        folder=folder,
    )
    report_absent_table("scorer link", options.table)
    service.run(options, Notifier())
    return 0
