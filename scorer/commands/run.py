"""``scorer run``: starts a table with the configured settings, and runs its loop."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from scorer.config.owner_variants import add_variants_option, install
from scorer.config.sources import add_file_options
from scorer.i18n import DEFAULT_LANGUAGE
from scorer.i18n.argument import parse_language
from scorer.rules import SheetError, header_of
from scorer.session.values.settings import Layout
from scorer.table import service

if TYPE_CHECKING:
    from scorer.commands.simulator import SimulatorOptions

EXAMPLE = """example:
  scorer run --config scorer.toml"""
EX_CONFIG = 78


def main(argv: list[str], platform: service.Platform = service.BOX) -> int:
    """Run until stopped; 2: usage error, 78: invalid configuration.

    ``platform``: what the service runs on.
    """
    arguments = _parser().parse_args(argv)
    if arguments.desk:
        return _run_simulator(argv)
    if arguments.store is not None:
        sys.stderr.write("scorer run: --store goes with --desk; a box has [store] in its file\n")
        return 2
    card = None if arguments.no_card else arguments.card
    return service.run(
        arguments.config, card, platform=platform, variants_folder=arguments.variants
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scorer run",
        usage="scorer run [--config FILE] [--card FILE | --no-card]",
        description="Run the table.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_file_options(parser)
    parser.add_argument("--no-card", action="store_true", help="take no file over from a card")
    add_variants_option(parser)
    # Options with which scorer demo starts its table; not for users.
    group = parser.add_argument_group("on a desk: another program moves pins and time")
    group.add_argument("--desk", action="store_true", help="one JSON object a line, both ways")
    group.add_argument("--store", type=Path, metavar="DIR", help=argparse.SUPPRESS)
    group.add_argument("--variant", default="argentine", help=argparse.SUPPRESS)
    group.add_argument("--options", default="", metavar='"KEY=VALUE ..."', help=argparse.SUPPRESS)
    group.add_argument(
        "--language", type=parse_language, default=DEFAULT_LANGUAGE, help=argparse.SUPPRESS
    )
    group.add_argument("--layout", choices=[*Layout], default="full", help=argparse.SUPPRESS)
    group.add_argument("--consoles", type=int, choices=(2, 3), default=2, help=argparse.SUPPRESS)
    group.add_argument("--rematch", action="store_true", help=argparse.SUPPRESS)
    group.add_argument("--light", type=int, default=0, help=argparse.SUPPRESS)
    group.add_argument("--names", nargs="+", default=[], metavar="NAME", help=argparse.SUPPRESS)
    group.add_argument("--socket", type=Path, metavar="PATH", help=argparse.SUPPRESS)
    group.add_argument("--panels", type=int, choices=(1, 2), default=2, help=argparse.SUPPRESS)
    group.add_argument("--at", type=float, default=0.0, metavar="SECONDS", help=argparse.SUPPRESS)
    group.add_argument("--wall-at-0", type=float, metavar="SECONDS", help=argparse.SUPPRESS)
    group.add_argument("--down", default="", metavar="BUTTONS", help=argparse.SUPPRESS)
    return parser


def _run_simulator(argv: Sequence[str]) -> int:
    # Imported lazily: only simulated tables use it.
    from scorer.commands import simulator

    try:
        options = read_simulator_options(argv)
    except SheetError as error:
        sys.stderr.write(f"scorer run: {error}\n")
        return EX_CONFIG

    def tell(text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()

    simulator.run(options, sys.stdin, tell)
    return 0


def read_simulator_options(argv: Sequence[str]) -> SimulatorOptions:
    """The options of ``scorer run --desk``. Raises SheetError."""
    from scorer.commands.simulator import SimulatorOptions
    from scorer.table.simulated_table import TableChoices

    arguments = _parser().parse_args(argv)
    install(arguments.variants)
    names = [(f"Name{side}", name) for side, name in zip("ABC", arguments.names, strict=False)]
    tags = [("Variant", arguments.variant), ("Options", arguments.options), *names]
    if arguments.store is None:
        raise SheetError("a desk needs a folder for its journal: add --store DIR")
    return SimulatorOptions(
        TableChoices(
            header=header_of((tag, value) for tag, value in tags if value),
            language=arguments.language,
            layout=Layout(arguments.layout),
            consoles=arguments.consoles,
            rematch=arguments.rematch,
        ),
        store=arguments.store,
        panels=arguments.panels,
        power_on_at=arguments.at,
        held_buttons=tuple(arguments.down.split()),
        socket=arguments.socket,
        light=arguments.light,
        wall_at_0=arguments.wall_at_0,
    )
