"""Reads ``survivors.md``: why no test can see some changes, a reason and under it its mutants.

A reason is the text before a block of mutants, each of which is a line; ``*`` stands for anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

FILE = Path(__file__).with_name("survivors.md")
_FENCE = "```"


class Explained(NamedTuple):
    """A pattern of names of mutants, and why those survive."""

    pattern: str
    reason: str

    def fits(self, name: str) -> bool:
        """Is ``name`` a mutant of this pattern?"""
        return bool(re.fullmatch(re.escape(self.pattern).replace(r"\*", ".*"), name))


def read(text: str) -> Iterator[Explained]:
    """Every pattern of the file; ValueError for a block without a reason before it."""
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
    """Why that mutant survives; empty where nobody has said it."""
    return next((each.reason for each in known if each.fits(name)), "")
