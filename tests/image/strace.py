"""Calls in a trace of strace, as its option inject= numbers them."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path


def numbered_calls(trace: Path) -> list[tuple[str, int]]:
    """Each call of the trace with its number among those of its name in its process."""
    seen: Counter[tuple[str, str]] = Counter()
    cases: dict[tuple[str, int], None] = {}
    for line in trace.read_text(encoding="utf-8", errors="replace").splitlines():
        if found := re.match(r"(\d*) *(\w+)\(", line):
            seen[found[1], found[2]] += 1
            cases[found[2], seen[found[1], found[2]]] = None
    return list(cases)
