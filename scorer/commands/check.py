"""``scorer check``: validates a configuration and prints the resulting settings."""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from pathlib import Path

from scorer.config.loader import parse_config
from scorer.config.owner_variants import OwnerVariants, add_variants_option, install
from scorer.config.sources import OWNER_FILE, config_lines, resolve
from scorer.config.toml_reader import ConfigError, Problem, read_text
from scorer.rules.playable import find_unplayable
from scorer.store.journal import Journal, StoreError

EXAMPLE = """example:
  scorer check scorer.toml
  scorer check /etc/scorer/scorer.toml --store /var/lib/scorer"""


def main(argv: list[str]) -> int:
    """0: valid; 1: invalid, with every error printed; 2: no such file."""
    parser = argparse.ArgumentParser(
        prog="scorer check",
        description="Check a configuration: every error at once, or the outcome.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", nargs="?", type=Path, default=OWNER_FILE, help=f"({OWNER_FILE})")
    parser.add_argument(
        "--store", type=Path, metavar="DIR", help="look at what was chosen on this box, too"
    )
    add_variants_option(parser)
    arguments = parser.parse_args(argv)
    try:
        text = read_text(arguments.file)
    except OSError as error:
        print(f"{arguments.file}: {error.strerror}")
        return 2
    sound = _check_variants(install(arguments.variants))
    code = _check(arguments.file, text, arguments.store)
    return code if sound else 1


def _check_variants(found: OwnerVariants) -> bool:
    """Print the problems of the owner's variants, after playing some hands of each."""
    lines = [str(problem) for problem in found.problems]
    if found.variants:
        # Imported lazily: it plays hands, which takes a while to load.

        for variant in found.variants:
            lines += (f"{variant.id}: {sentence}" for sentence in find_unplayable(variant))
    for line in lines:
        print(line)
    return not lines


def _check(file: Path, text: str, store: Path | None) -> int:
    try:
        parse_config(text)
    except ConfigError as error:
        for problem in error.problems:
            print(_format_problem(file, problem))
        return 1
    with ExitStack() as stack:
        try:
            chosen = {} if store is None else stack.enter_context(Journal.open(store)).settings()
        except StoreError as error:
            print(error)
            return 1
        settled = resolve(text, None, _ReadOnlySettings(chosen))
    for problem in settled.problems:
        print(_format_problem(file, problem))
    for line in config_lines(settled):
        print(line)
    return 1 if settled.problems else 0


def _format_problem(file: Path, problem: Problem) -> str:
    where = f"{file}:{problem.line}" if problem.line else str(file)
    return f"{where}: {problem.sentence}"


class _ReadOnlySettings:
    """The stored settings of a table, read only."""

    def __init__(self, chosen: dict[str, str]) -> None:
        self._chosen = chosen

    def settings(self) -> dict[str, str]:
        return self._chosen

    def set_setting(self, key: str, value: str) -> None:
        """Ignored: a check changes nothing."""
