"""Load an owner's variants from ``/etc/scorer/variants`` and register them.

A file that is wrong is left out and reported; the others, and the table, work without it. Files
are judged by their data only: ``scorer check`` also plays some hands of each.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from scorer.config.toml_reader import ConfigError, KeyLines, Problem, parse_toml, read_text
from scorer.plain_values import WrongValues
from scorer.rules import Variant, registry
from scorer.rules.notation import one_line

if TYPE_CHECKING:
    import argparse

VARIANTS_FOLDER = Path("/etc/scorer/variants")
MAX_FILES = 50
_ID = r"[a-z][a-z0-9_]{0,29}"


class FileProblem(NamedTuple):
    """Something wrong in a file: its path, the line (0: nowhere) and a sentence."""

    path: Path
    line: int
    sentence: str

    def __str__(self) -> str:
        where = f"{self.path}:{self.line}" if self.line else str(self.path)
        return f"{where}: {self.sentence}"


class OwnerVariants(NamedTuple):
    """What is in the folder: the variants, and what is wrong with the other files."""

    variants: tuple[Variant, ...] = ()
    problems: tuple[FileProblem, ...] = ()

    @property
    def broken_ids(self) -> frozenset[str]:
        """Ids of variants that cannot be played because their file is wrong."""
        return frozenset(problem.path.stem for problem in self.problems)


def add_variants_option(parser: argparse.ArgumentParser) -> None:
    """Adds ``--variants DIR``."""
    parser.add_argument(
        "--variants",
        type=Path,
        default=VARIANTS_FOLDER,
        metavar="DIR",
        help="variants of the owner's (/etc/scorer/variants)",
    )


def install(folder: Path) -> OwnerVariants:
    """Load the variants in ``folder`` and register them in place of the last ones."""
    found = load(folder)
    registry.set_owner_variants(found.variants)
    return found


def load(folder: Path) -> OwnerVariants:
    """Load the files ``*.toml`` of ``folder``, if it exists."""
    paths, problems = toml_files(folder)
    variants = []
    for path in paths:
        read = _read(path)
        if isinstance(read, Variant):
            variants.append(read)
        else:
            problems += read
    return OwnerVariants(tuple(variants), tuple(problems))


def toml_files(folder: Path) -> tuple[list[Path], list[FileProblem]]:
    """The files ``*.toml`` of a folder, and why some are unread."""
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix == ".toml")
    except FileNotFoundError:
        return [], []
    except OSError as error:
        return [], [FileProblem(folder, 0, str(error.strerror))]
    if len(paths) > MAX_FILES:
        sentence = f"more than {MAX_FILES} files; the rest is unread"
        return paths[:MAX_FILES], [FileProblem(folder, 0, sentence)]
    return paths, []


def name_problems(path: Path, built_in: Container[str], what: str) -> list[FileProblem]:
    """What is wrong with the file name of a ``what``, such as a variant."""
    if not re.fullmatch(_ID, path.stem):
        sentence = f"name the file as the {what}'s id: small letters, digits and _, 30 at most"
        return [FileProblem(path, 0, sentence)]
    if path.stem in built_in:
        sentence = f"'{path.stem}' is a {what} of this program; give the file another name"
        return [FileProblem(path, 0, sentence)]
    return []


def _read(path: Path) -> Variant | list[FileProblem]:
    if wrong := name_problems(path, registry.built_in_ids(), "variant"):
        return wrong
    try:
        text = read_text(path)
        values = parse_toml(text)
    except OSError as error:
        return [FileProblem(path, 0, f"cannot be read: {error.strerror}")]
    except ConfigError as error:
        return [FileProblem(path, *problem) for problem in error.problems]
    # Imported lazily: tables without such a file start faster.
    from scorer.rules.definition import define

    try:
        return define(path.stem, values)
    except WrongValues as error:
        lines = KeyLines(text)
        return sorted(
            FileProblem(
                path,
                lines.line_of(*problem.path) or lines.line_of(*problem.path, "0"),
                one_line(str(problem)),
            )
            for problem in error.problems
        )


def problems_of(found: OwnerVariants) -> Iterator[Problem]:
    """The problems as configuration problems; the sentence names file and line."""
    return (Problem(0, str(problem)) for problem in found.problems)
