"""Facts of each variant from its rulebook: a file of the variant's name.

Beside it stands ``<name>.table``, which ``scorer perft <name> --write`` writes from the table.
"""

from __future__ import annotations

import importlib
import importlib.util
from typing import NamedTuple

import pytest

from scorer.rules.options import Value


class Row(NamedTuple):
    """One hand of A against B, and its score by the default and by ``value``."""

    key: str
    value: Value
    steps: str
    default: str
    other: str
    start: str = "0-0"
    only: str = ""  # the variants it holds for; nothing: all that have the option
    options: tuple[tuple[str, Value], ...] = ()


class Rulebook(NamedTuple):
    """Start of a game, and the result of one hand."""

    start: tuple[int, ...]
    target: int
    half: int | None
    truco_won: tuple[int, ...]  # score after an accepted truco won by A
    like: str = ""  # rows of ``test_options_matter`` for that variant hold here
    rows: tuple[Row, ...] = ()  # for options without a matching row in ``test_options_matter``


def names_of(name: str) -> frozenset[str]:
    """The variant and the one that it is like: rows for either hold for it."""
    return frozenset((name, rulebook(name).like)) if _is_written(name) else frozenset((name,))


def _is_written(name: str) -> bool:
    return importlib.util.find_spec(f"{__name__}.{name}") is not None


def rulebook(name: str) -> Rulebook:
    """The rulebook facts of ``name``; fails with the path if the file is missing."""
    if not _is_written(name):
        pytest.fail(f"write tests/rules/variants/{name}.py, as in argentine.py beside it")
    found = importlib.import_module(f"{__name__}.{name}").RULEBOOK
    assert isinstance(found, Rulebook)
    return found
