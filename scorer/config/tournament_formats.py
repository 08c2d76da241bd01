"""Load the formats of tournaments, and check their variants and house rules.

Those of this program are in ``scorer/tournament/formats``, an owner's in ``/etc/scorer/formats``,
one TOML file each. An owner's file that is wrong is left out and reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from scorer.config.owner_variants import FileProblem, name_problems, toml_files
from scorer.config.toml_reader import ConfigError, KeyLines, Problem, parse_toml, read_text
from scorer.rules import registry
from scorer.rules.notation import one_line
from scorer.rules.options import RulesError, rules_for
from scorer.rules.rulebooks import options_of
from scorer.tournament import Format, FormatError, define
from scorer.tournament.format import PhaseFormat

if TYPE_CHECKING:
    import argparse

__all__ = [
    "FORMATS_FOLDER",
    "OwnerFormats",
    "add_formats_option",
    "built_in_formats",
    "load_format",
    "load_owner_formats",
    "rules_problems",
]

FORMATS_FOLDER = Path("/etc/scorer/formats")
_FOLDER = Path(__file__).parent.parent / "tournament" / "formats"
_TEAMS = 2  # of a match


class OwnerFormats(NamedTuple):
    """The formats in the folder by id, and what is wrong with other files."""

    formats: Mapping[str, Format]
    problems: tuple[FileProblem, ...]


def add_formats_option(parser: argparse.ArgumentParser) -> None:
    """Adds ``--formats DIR``."""
    parser.add_argument(
        "--formats",
        type=Path,
        default=FORMATS_FOLDER,
        metavar="DIR",
        help=f"formats of the owner's ({FORMATS_FOLDER})",
    )


def built_in_formats() -> dict[str, Path]:
    """The formats of this program: id to file."""
    return {path.stem: path for path in sorted(_FOLDER.glob("*.toml"))}


def load_owner_formats(folder: Path) -> OwnerFormats:
    """The formats in the files ``*.toml`` of ``folder``, if it exists."""
    paths, problems = toml_files(folder)
    formats: dict[str, Format] = {}
    for path in paths:
        if wrong := name_problems(path, built_in_formats(), "format"):
            problems += wrong
            continue
        try:
            formats[path.stem] = load_format(path)
        except OSError as error:
            problems.append(FileProblem(path, 0, f"cannot be read: {error.strerror}"))
        except ConfigError as error:
            problems += (FileProblem(path, *each) for each in error.problems)
    return OwnerFormats(formats, tuple(problems))


def load_format(path: Path) -> Format:
    """The format in a file.

    Raises OSError, and ConfigError with every problem and its line.
    """
    text = read_text(path)
    values = parse_toml(text)
    lines = KeyLines(text)
    try:
        found = define(path.stem, values)
    except FormatError as error:
        raise ConfigError(
            [
                Problem(lines.line_of(*where) or 1, one_line(f"{'.'.join(where)}: {sentence}"))
                for where, sentence in error.found
            ]
        ) from None
    if problems := [
        Problem(lines.line_of("phase", str(at)), one_line(f"phase.{at}: {sentence}"))
        for at, sentence in rules_problems(found)
    ]:
        raise ConfigError(problems)
    return found


def rules_problems(format_: Format) -> Iterator[tuple[int, str]]:
    """What is wrong with variants and house rules: the number of a phase, a sentence."""
    for at, phase in enumerate(format_.phases):
        yield from ((at, sentence) for sentence in _problems(phase))


def _problems(phase: PhaseFormat) -> tuple[str, ...]:
    try:
        book = options_of(phase.rulebook, phase.variant)
        chosen = {**book, **phase.options, "target": phase.target}
        rules = rules_for(registry.find_variant(phase.variant), chosen)
    except RulesError as error:
        return error.problems
    if len(rules.scoring_sides) != _TEAMS:
        return (f"{phase.variant} is not played by two teams",)
    return ()
