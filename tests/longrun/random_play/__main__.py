"""``make storm``: a million random presses on the real table, in parallel.

Nothing is drawn. The journal is the real one, on a disk in memory, with all commits. ``python -m
tests.longrun.random_play SEED [PRESSES] [drawing]`` replays one night and, if it fails, prints a
shrunk list of lines that still fails. ``QUICK=1``: fifty thousand presses. The last line is "N
passed, N failed" (nights).
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import time
from collections.abc import Sequence
from typing import NamedTuple

from tests.longrun.random_play.game_kinds import kind_of
from tests.longrun.random_play.night import Fault, Plan, Tally, lines_of, one_night, play, shrunk

ALL, FEW = 1_000_000, 50_000
OF_A_NIGHT = Plan(2_500, closely=200, redo=False)
TOLD = 10  # nights between two progress messages


class Result(NamedTuple):
    """The result of one night."""

    seed: int
    tally: Tally
    fault: str
    seconds: float  # of CPU time


def night(seed: int) -> Result:
    """Run one night of random play."""
    began = time.process_time()
    try:
        tally, fault = one_night(seed, OF_A_NIGHT), ""
    except Fault as error:
        tally, fault = Tally(nights=1), str(error)
    return Result(seed, tally, fault, time.process_time() - began)


def main(argv: Sequence[str]) -> int:
    """Run all nights, or one of them; return 1 if something failed."""
    if argv:
        presses = int(argv[1]) if len(argv) > 1 else OF_A_NIGHT.presses
        return again(int(argv[0]), Plan(presses, drawing="drawing" in argv, closely=1))
    return whole(FEW if os.environ.get("QUICK") else ALL)


def whole(presses: int) -> int:
    """Play this number of presses; print each failed night and the totals."""
    nights = presses // OF_A_NIGHT.presses
    sum_of, failed, seconds = Tally(), 0, 0.0
    with multiprocessing.Pool() as pool:
        for number, result in enumerate(pool.imap_unordered(night, range(nights)), 1):
            sum_of.add(result.tally)
            seconds += result.seconds
            failed += bool(result.fault)
            if result.fault:
                print(
                    f"FAILED {result.fault}\n  python -m tests.longrun.random_play {result.seed}",
                    flush=True,
                )
            if number % TOLD == 0:
                print(f"{number:4} nights, {sum_of.presses:9,} presses", flush=True)
    _tell(sum_of, seconds)
    print(f"{nights - failed} passed, {failed} failed")
    return 1 if failed else 0


def again(seed: int, plan: Plan) -> int:
    """Replay one night with every check after every line, and shrink its failure."""
    kind, lines = kind_of(seed, drawing=plan.drawing), lines_of(seed, plan)
    print(f"seed {seed}: {kind}")
    tally, fault = play(kind, seed, lines, plan)
    if fault is None:
        _tell(tally, 0.0)
        print("1 passed, 0 failed")
        return 0
    print(fault)

    def fails(fewer: Sequence[str]) -> bool:
        _, other = play(kind, seed, fewer, plan)
        return other is not None and other.kind == fault.kind

    kept = shrunk([line for line in fault.lines if line in lines], fails)
    print(f"{len(kept)} of its {len(lines)} lines are enough:")
    print("\n".join(kept))
    print("0 passed, 1 failed")
    return 1


def _tell(tally: Tally, seconds: float) -> None:
    """Print the figures of some nights."""
    for name, number in vars(tally).items():
        if isinstance(number, int) and number:
            print(f"{_NAMES[name]:34} {number:9,}")
    for title, counted in (("became of them", tally.verdicts), ("refused because", tally.reasons)):
        print(title)
        for key, count in counted.most_common():
            print(f"  {key:32} {count:9,}")
    if seconds and tally.presses:
        print(f"{seconds:.0f} s of processor, {1000 * seconds / tally.presses:.2f} ms a press")


_NAMES = {
    "nights": "nights",
    "presses": "presses",
    "steps": "rows stored",
    "undos": "presses taken back",
    "unwound": "of them to the start of the night",
    "games": "games won",
    "cuts": "power cuts",
    "restarts": "tables begun anew",
    "disk": "times the disk said no",
    "drawn": "pictures looked at",
}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
