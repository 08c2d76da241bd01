"""``make fuzz``: feed new inputs until the CPU budget is spent, on two processors.

``QUICK=1``: two minutes of CPU time. ``python -m tests.longrun.fuzz SEED [TARGET...]`` starts from
another seed. A failing input is shrunk, printed and counted; add it to the corpus. The last line is
"N passed, N failed", counting inputs.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import time
import traceback
from collections.abc import Iterator
from typing import Any, NamedTuple

from hypothesis import HealthCheck, given, seed, settings

from tests.longrun.fuzz.targets import TARGETS, Target

SECONDS, QUICK_SECONDS = 1200, 120  # of CPU time, all targets together
ROUND = 100  # inputs of one seed
_SEEDS_APART = 1_000_000


class Fed(NamedTuple):
    """The result of feeding one target with one series of seeds."""

    name: str
    inputs: int
    seconds: float
    fault: str  # "" if every input passed


def main(words: list[str]) -> int:
    """Run all or the named targets; return 1 if an input failed, else 0."""
    first = int(words[0]) if words else 1
    wanted = [target for target in TARGETS if not words[1:] or target.name in words[1:]]
    seconds = QUICK_SECONDS if os.environ.get("QUICK") else SECONDS
    # Two series per target keep both processors busy to the end.
    jobs = [
        (target.name, first + series * _SEEDS_APART, seconds / len(wanted) / 2)
        for target in wanted
        for series in range(2)
    ]
    with multiprocessing.Pool(2, maxtasksperchild=1) as pool:
        results = list(_told(pool.imap_unordered(_fed, jobs, chunksize=1)))
    failed = sum(bool(each.fault) for each in results)
    print(f"{sum(each.inputs for each in results) - failed} passed, {failed} failed")
    return 1 if failed else 0


def _told(results: Iterator[Fed]) -> Iterator[Fed]:
    for each in results:
        print(f"{each.name:8} {each.inputs:7,} inputs in {each.seconds:5.0f} s of processor")
        if each.fault:
            print(each.fault)
        sys.stdout.flush()
        yield each


def _fed(job: tuple[str, int, float]) -> Fed:
    name, number, seconds = job
    target = next(each for each in TARGETS if each.name == name)
    begin, inputs = time.process_time(), 0
    while (spent := time.process_time() - begin) < seconds:
        count, fault = _round(target, number)
        inputs += count
        if fault:
            return Fed(name, inputs, spent, f"seed {number}: {fault}")
        number += 1
    return Fed(name, inputs, spent, "")


def _round(target: Target, number: int) -> tuple[int, str]:
    """The number of inputs fed with this seed, and the traceback of a failure or ""."""
    count = 0

    @seed(number)
    @settings(
        max_examples=ROUND, deadline=None, database=None, suppress_health_check=[*HealthCheck]
    )
    @given(target.inputs())
    def fed(given_input: Any) -> None:  # noqa: ANN401
        nonlocal count
        count += 1
        target.check(given_input)

    try:
        fed()
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        return count, "".join(traceback.format_exception(error))
    return count, ""


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
