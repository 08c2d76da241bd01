"""Load the formats of tournaments, and check their variants and house rules.

Those of this program are in ``scorer/tournament/formats``, an owner's in ``/etc/scorer/formats``,
one TOML file each. An owner's file that is wrong is left out and reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from scorer.config.owner_variants import FileProblem, name_problems, toml_files
from scorer.config.toml_reader import ConfigError, KeyLines, Problem, parse_toml, read_text
from scorer.rules import registry
from scorer.rules.notation import one_line
from scorer.rules.options import RulesError, Value, rules_for
from scorer.rules.rulebooks import options_of
from scorer.tournament import Format, FormatError, define

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
_Where = tuple[str, ...]  # the path of a key


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
    found: Format | None = None
    problems: list[tuple[_Where, str]] = []
    try:
        found = define(path.stem, values)
    except FormatError as error:
        problems = [(where, sentence) for where, sentence in error.found]
    problems += _problems_of_rules(values)
    if problems or found is None:
        raise ConfigError(
            [
                Problem(lines.line_of(*where) or 1, one_line(f"{'.'.join(where)}: {sentence}"))
                for where, sentence in dict.fromkeys(problems)
            ]
        )
    return found


def _problems_of_rules(values: Mapping[str, Any]) -> Iterator[tuple[_Where, str]]:
    """What is wrong with variants and house rules.

    The file may have other problems, which are reported with these.
    """
    common, phases = values.get("every_phase", {}), values.get("phase", [])
    if not isinstance(common, Mapping) or not isinstance(phases, list):
        return
    for at, written in enumerate(phases):
        if not isinstance(written, Mapping):
            continue
        phase = {"rulebook": "", "options": {}, **common, **written}
        variant, rulebook, options = phase.get("variant"), phase["rulebook"], phase["options"]
        if not (isinstance(variant, str) and isinstance(rulebook, str)):
            continue
        if not isinstance(options, Mapping):
            continue
        chosen, target = dict(options), phase.get("target")
        if type(target) is int and 0 < target < 100:
            chosen["target"] = target
        for key, sentence in _wrong_rules(variant, rulebook, chosen):
            of_all = key in common and key not in written
            yield (("every_phase", key) if of_all else ("phase", str(at), key)), sentence


def _wrong_rules(
    variant: str, rulebook: str, options: Mapping[str, Value]
) -> Iterator[tuple[str, str]]:
    """The key of a phase and a sentence."""
    key = "variant"
    try:
        known = registry.find_variant(variant)
        key = "rulebook"
        book = options_of(rulebook, variant)
        key = "options"
        rules = rules_for(known, {**book, **options})
    except RulesError as error:
        yield from ((key, sentence) for sentence in error.problems)
        return
    if len(rules.scoring_sides) != _TEAMS:
        yield "variant", f"{variant} is not played by two teams"


def rules_problems(format_: Format) -> Iterator[tuple[int, str]]:
    """What is wrong with variants and house rules: the number of a phase, a sentence."""
    for at, phase in enumerate(format_.phases):
        chosen = {**phase.options, "target": phase.target}
        found = _wrong_rules(phase.variant, phase.rulebook, chosen)
        yield from ((at, sentence) for _, sentence in found)
