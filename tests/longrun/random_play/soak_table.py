"""The table of a soak test; it also reports its resources on request.

A line ``{"sample": WISH}`` is answered here and not passed on. WISH is "mark" to set the point of
comparison, "grown" to compare with it, else "".
"""

from __future__ import annotations

import gc
import json
import os
import sys
import tracemalloc
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from scorer.commands import run

SAMPLE = '{"sample"'
MOST = 8  # lines of code with the largest growth


class Asked:
    """Standard input without the sample requests, which are answered here."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = lines
        self._mark: tracemalloc.Snapshot | None = None

    def __iter__(self) -> Iterator[str]:
        for line in self._lines:
            if line.startswith(SAMPLE):
                # The table waits for its next line, so nothing else writes now.
                sys.stdout.write(json.dumps(self._held(json.loads(line)["sample"])) + "\n")
                sys.stdout.flush()
            else:
                yield line

    def _held(self, wish: str) -> dict[str, Any]:
        gc.collect()
        sample: dict[str, Any] = {
            "rss": int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE"),
            "blocks": sys.getallocatedblocks(),
            "traced": tracemalloc.get_traced_memory()[0],
            "files": len(os.listdir("/proc/self/fd")),  # noqa: PTH208 - names are enough
            "threads": len(os.listdir("/proc/self/task")),  # noqa: PTH208
            "children": sum(
                len((task / "children").read_text().split())
                for task in Path("/proc/self/task").iterdir()
            ),
        }
        # Both take memory themselves, so they come after the sample.
        if wish == "grown" and self._mark is not None:
            sample["grown"] = _grown(self._mark)
        if wish == "mark":
            self._mark = _snapshot()
        return sample


def _snapshot() -> tracemalloc.Snapshot:
    ours = (tracemalloc.Filter(False, tracemalloc.__file__), tracemalloc.Filter(False, __file__))
    return tracemalloc.take_snapshot().filter_traces(ours)


def _grown(before: tracemalloc.Snapshot) -> list[str]:
    """The lines of code whose memory grew most since the mark."""
    compared = _snapshot().compare_to(before, "lineno")
    found = [each for each in compared if each.size_diff > 0][:MOST]
    return [f"{each.size_diff:+9,} B  {each.traceback}" for each in found]


if __name__ == "__main__":
    tracemalloc.start()
    sys.stdin = Asked(sys.stdin)
    sys.exit(run.main(sys.argv[1:]))
