"""Load the formats of tournaments, and check their variants and house rules.

Those of this program are in ``scorer/tournament/formats``, one TOML file each.
"""

from __future__ import annotations

from pathlib import Path

from scorer.config.toml_reader import ConfigError, KeyLines, Problem, parse_toml, read_text
from scorer.rules import registry
from scorer.rules.notation import one_line
from scorer.rules.options import RulesError, rules_for
from scorer.tournament import Format, FormatError, define
from scorer.tournament.format import PhaseFormat

__all__ = ["built_in_formats", "load_format"]

_FOLDER = Path(__file__).parent.parent / "tournament" / "formats"


def built_in_formats() -> dict[str, Path]:
    """The formats of this program: id to file."""
    return {path.stem: path for path in sorted(_FOLDER.glob("*.toml"))}


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
        for at, phase in enumerate(found.phases)
        for sentence in _problems(phase)
    ]:
        raise ConfigError(problems)
    return found


def _problems(phase: PhaseFormat) -> tuple[str, ...]:
    """What is wrong with the variant and the house rules of a phase."""
    try:
        rules_for(
            registry.find_variant(phase.variant), {**dict(phase.options), "target": phase.target}
        )
    except RulesError as error:
        return error.problems
    return ()
