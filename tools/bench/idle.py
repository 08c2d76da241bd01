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
WAKE_UPS_A_MINUTE = 60 / 7 + 60 / 4  # of the main loop, and of the checks of the panels
COST = "processor time of that minute"


def measure(quick: bool) -> Iterator[Result]:
    """Three rows over a minute (quick: two ticks): sleeps of a thread that ended.

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
            before, began = switches(pid), processor_ms(pid)
            time.sleep(seconds)
            after, ended = switches(pid), processor_ms(pid)
    woken, pushed = ((after[kind] - before[kind]) * MINUTE / seconds for kind in KINDS)
    wake_ups = "one tick every 7 s, one check of the panels every 4 s"
    yield Measurement(WHAT, woken, WAKE_UPS_A_MINUTE, "times", wake_ups, 25, counted=True)
    yield Measurement(PUSHED, pushed, WAKE_UPS_A_MINUTE, "times", wake_ups, None)
    cost = (ended - began) * MINUTE / seconds
    yield Measurement(COST, cost, 1000 * MINUTE, "ms", "the minute", None)


def processor_ms(pid: int) -> float:
    """Milliseconds that the threads of a process have run."""
    threads = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e6


def switches(pid: int) -> Counter[str]:
    """Context switches of the threads of a process, by kind."""
    found: Counter[str] = Counter()
    for thread in Path(f"/proc/{pid}/task").iterdir():
        words = read_status(thread / "status")
        found.update({kind: int(words[f"{kind}_ctxt_switches"]) for kind in KINDS})
    return found
