"""Reads ``survivors.md``: the reasons why no test can detect certain mutants.

A reason is the text before a block of mutants, one per line; ``*`` is a wildcard.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

FILE = Path(__file__).with_name("survivors.md")
_FENCE = "```"


class Explained(NamedTuple):
    """A pattern of mutant names, and the reason why they survive."""

    pattern: str
    reason: str

    def fits(self, name: str) -> bool:
        """Whether ``name`` matches this pattern."""
        return bool(re.fullmatch(re.escape(self.pattern).replace(r"\*", ".*"), name))


def read(text: str) -> Iterator[Explained]:
    """All patterns of the file; ValueError for a block without a reason before it."""
    reason: list[str] = []
    inside = False
    for line in text.splitlines():
        if line.startswith(_FENCE):
            inside = not inside
            if inside and not reason:
                raise ValueError("a block of mutants has no reason before it")
            if not inside:
                reason = []
        elif inside:
            yield Explained(line.strip(), " ".join(reason))
        elif line.startswith("#"):
            reason = []
        elif line.strip():
            reason.append(line.strip())


def reason_for(name: str, known: Iterable[Explained]) -> str:
    """The reason why that mutant survives, or ""."""
    return next((each.reason for each in known if each.fits(name)), "")
