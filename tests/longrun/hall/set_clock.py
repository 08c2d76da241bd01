"""``scorer`` with a wall clock that a file sets, by seconds to add, while it runs.

``python -m tests.longrun.hall.set_clock FILE hub …``: what else takes time is not changed.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from scorer.cli import main


def set_clock_by(file: Path) -> None:
    """Let ``time.time`` of this process be that many seconds ahead, or behind."""
    real = time.time

    def now() -> float:
        return real() + float(file.read_text("ascii"))

    time.time = now


if __name__ == "__main__":
    set_clock_by(Path(sys.argv[1]))
    sys.exit(main(sys.argv[2:]))
