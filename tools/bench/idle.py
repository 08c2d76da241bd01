"""Wake-ups of an idle table: panels dimmed, nothing pending, no client."""

from __future__ import annotations

import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tools.bench import Measurement, Result, Skipped
from tools.bench.daemon_process import read_status, running_daemon

WHAT = "wake-ups of our threads in an idle minute"
PUSHED = "taken off their core in that minute by other processes"
KINDS = ("voluntary", "nonvoluntary")
SETTLE = 10.0  # seconds until the panels are dimmed and the start is over
MINUTE, QUICK_MINUTE = 60.0, 14.0
TICKS_A_MINUTE = 60 / 7  # of the one periodic tick


def measure(quick: bool) -> Iterator[Result]:
    """Two rows over a minute (quick: two ticks): sleeps of a thread that ended.

    Preemptions by other processes are informative: they are not caused by the table.
    """
    if not sys.platform.startswith("linux"):
        yield Skipped(WHAT, "only Linux counts them")
        return
    seconds = QUICK_MINUTE if quick else MINUTE
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with running_daemon(folder, folder / "store") as pid:
            time.sleep(SETTLE)
            before = switches(pid)
            time.sleep(seconds)
            after = switches(pid)
    woken, pushed = ((after[kind] - before[kind]) * MINUTE / seconds for kind in KINDS)
    ticks = "one tick every 7 s"
    yield Measurement(WHAT, woken, TICKS_A_MINUTE, "times", ticks, 10, counted=True)
    yield Measurement(PUSHED, pushed, TICKS_A_MINUTE, "times", ticks, None)


def switches(pid: int) -> Counter[str]:
    """Context switches of the threads of a process, by kind."""
    found: Counter[str] = Counter()
    for thread in Path(f"/proc/{pid}/task").iterdir():
        words = read_status(thread / "status")
        found.update({kind: int(words[f"{kind}_ctxt_switches"]) for kind in KINDS})
    return found
