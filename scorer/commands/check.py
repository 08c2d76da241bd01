"""``scorer check``: validates a configuration and prints the resulting settings."""

from __future__ import annotations

import argparse
import contextlib
import os
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from scorer.config.config import Config
from scorer.config.loader import parse_config, validate
from scorer.config.nested_values import merge_values
from scorer.config.owner_variants import OwnerVariants, add_variants_option, install
from scorer.config.page_file import FOLDER, NO_PAGE, PageSettings, read_page
from scorer.config.schema import WebSection
from scorer.config.sources import OWNER_FILE, config_lines, other_lines, resolve
from scorer.config.toml_reader import ConfigError, KeyLines, Problem, parse_toml, read_text
from scorer.config.tournament_formats import (
    OwnerFormats,
    add_formats_option,
    load_owner_formats,
)
from scorer.hw.inputs.key_capture import names_one_of_two
from scorer.rules.playable import find_unplayable
from scorer.store.health import volatile_file_system
from scorer.store.journal import Journal, StoreError

# Names that the kernel gives in the order in which it finds devices.
_CHANGING_NAME = re.compile(r"/dev/(input/event|ttyUSB|ttyACM)\d+")

EXAMPLE = """example:
  scorer check                   the installed file, or the defaults where there is none
  scorer check scorer.toml
  scorer check /etc/scorer/scorer.toml --store /var/lib/scorer"""


def main(argv: list[str]) -> int:
    """0: valid, or not installed; 1: invalid, every error printed; 2: no such file."""
    parser = argparse.ArgumentParser(
        prog="scorer check",
        description="Check a configuration: every error at once, or the outcome.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument("file", nargs="?", type=Path, help=f"({OWNER_FILE})")
    # The spelling of all other commands.
    which.add_argument("--config", type=Path, metavar="FILE", help="the same")
    parser.add_argument(
        "--store", type=Path, metavar="DIR", help="look at what was chosen on this box, too"
    )
    parser.add_argument(
        "--page", type=Path, metavar="DIR", help=f"look at what the settings page saved ({FOLDER})"
    )
    add_variants_option(parser)
    add_formats_option(parser)
    arguments = parser.parse_args(argv)
    named = arguments.file or arguments.config
    file = named or OWNER_FILE
    try:
        text = read_text(file)
    except OSError as error:
        # A new box has no file, which is no error; a file that was named must exist.
        if named is not None or not isinstance(error, FileNotFoundError):
            print(f"{file}: {error.strerror}")
            return 2
        text = ""
        print(f"{file}: there is no such file, the defaults hold")
    sound = _check_owner_files(install(arguments.variants), load_owner_formats(arguments.formats))
    # That of this box goes with its installed file.
    folder = arguments.page or (FOLDER if file == OWNER_FILE else None)
    page = NO_PAGE if folder is None else read_page(folder)
    code = _check(file, text, arguments.store, page)
    return code if sound else 1


def _check_owner_files(played: OwnerVariants, formats: OwnerFormats) -> bool:
    """Print the problems of the owner's variants and formats of tournaments.

    Some hands of each variant are played.
    """
    lines = [str(problem) for problem in played.problems]
    for variant in played.variants:
        lines += (f"{variant.id}: {sentence}" for sentence in find_unplayable(variant))
    for line in lines:
        print(line)
    _print_names("variant", [variant.id for variant in played.variants])
    for problem in formats.problems:
        print(problem)
    _print_names("format", sorted(formats.formats))
    return not (lines or formats.problems)


def _print_names(what: str, names: list[str]) -> None:
    """Print which files of an owner were read: "2 variants: cego, truc"."""
    if names:
        print(f"{len(names)} {what}{'s' * (len(names) > 1)}: {', '.join(names)}")


def _check_tls(file: Path, web: WebSection) -> bool:
    """Print what is wrong with the certificate of the web page."""
    # Imported lazily: most boxes have no certificate, and ssl takes a while to load.
    from scorer.serving import tls

    files = tls.PemFiles("web", web.certificate, web.key)
    try:
        tls.load_context(files)
        if os.geteuid() == 0:
            tls.check_service_access(files)
    except tls.TlsError as error:
        print(f"{file}: {error}")
        return False
    return True


def _check(file: Path, text: str, store: Path | None, page: PageSettings) -> int:
    try:
        config = parse_config(text)
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
        settled = resolve(text, None, _ReadOnlySettings(chosen), page=page)
    for problem in settled.problems:
        print(_format_problem(file, problem))
    with_page = config
    with contextlib.suppress(ConfigError):  # the page may be invalid together with this file
        with_page = validate(merge_values(parse_toml(text), page.values), KeyLines(text))
    for line in (*config_lines(settled), *other_lines(with_page)):
        print(line)
    for warning in _warnings(config, store or config.store_folder):
        print(f"{file}: {warning}")
    is_secure = not config.web.certificate or _check_tls(file, config.web)
    return 0 if is_secure and not settled.problems else 1


def _warnings(config: Config, store: Path) -> Iterator[str]:
    """Warn about device names that can change, and a store that is in memory."""
    named = [("box", box.port) for box in config.boxes]
    named += (("scoreboard", board.port) for board in config.scoreboards)
    if config.printer is not None:
        named.append(("printer", config.printer.device))
    for section, name in named:
        if _CHANGING_NAME.fullmatch(name):
            how = "scorer doctor --keys" if "/input/" in name else "ls /dev/serial/by-id"
            yield f"look: [{section}]: {name} may be another device after a start; {how} names it"
        if names_one_of_two(name):
            yield (
                f"look: [{section}]: {name} is the name of two equal keypads; "
                "scorer doctor --keys names each"
            )
    with contextlib.suppress(OSError):  # such as a name that is too long
        if store.is_dir() and (kind := volatile_file_system(store)):
            yield f"look: [store]: {store} is in memory ({kind}): its games are lost at power-off"


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
