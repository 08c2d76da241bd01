"""``make faults``: fail each system call on the store once; flip each bit of it.

Prints the results in two tables and finally how many runs passed. ``QUICK=1``: a sample.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.longrun.faults import bits, calls
from tests.longrun.faults.calls import Case, Told

WORKERS = 2
QUICK = bool(os.environ.get("QUICK"))
STRIDE = 13 if QUICK else 1  # of the calls; odd, because the two errors alternate
BITS = 997 if QUICK else 29
_COLUMNS = ("runs", "refused", "no start", "died", "salvaged", "LOST")


def main() -> int:
    """Run all cases; return 1 if shown data was lost or a failure not reported."""
    why_not = calls.why_not()
    memory = Path("/dev/shm")
    with (
        TemporaryDirectory(dir=memory if memory.is_dir() else None) as work,
        ProcessPoolExecutor(WORKERS) as pool,
    ):
        results = [] if why_not else _calls(Path(work) / "calls", pool)
        flips = _bits(Path(work), pool)
        of_log = _bits_of_log(Path(work), pool)
    if why_not:
        print(f"no call was made to fail: {why_not}")
    wrong = [each for each in results if each.wrong]
    for each in wrong:
        print(f"{each.case}: {each.wrong}")
    bad = sum(count for what, count in flips.items() if what not in bits.ALLOWED)
    bad += sum(count for what, count in of_log.items() if what not in bits.ALLOWED_OF_LOG)
    failed = len(wrong) + bad
    print(f"{len(results) + flips.total() + of_log.total() - failed} passed, {failed} failed")
    return 1 if failed else 0


def _calls(prepared: Path, pool: ProcessPoolExecutor) -> list[Told]:
    calls.prepare(prepared)
    counts = {store: calls.count(prepared, store) for store in ("new", "old")}
    for store, counted in counts.items():
        kinds = ", ".join(f"{call} {times}" for call, times in sorted(counted.items()))
        print(f"a clean game on a store that is {store}: {counted.total()} calls: {kinds}")
    cases = list(calls.cases(counts, STRIDE))
    results = list(_watched(pool.map(partial(calls.run, prepared), cases, chunksize=4), len(cases)))
    print("\n".join(table(results)))
    return results


def _watched(results: Iterable[Told], many: int) -> Iterator[Told]:
    for at, each in enumerate(results, 1):
        if at % 100 == 0:
            print(f"{at} of {many}", file=sys.stderr, flush=True)
        yield each


def table(results: Sequence[Told]) -> Iterator[str]:
    """One line per call, error and duration of the failure."""
    yield f"{'store':6}{'call':12}{'error':8}{'when':9}" + "".join(
        f"{each:>10}" for each in _COLUMNS
    )
    groups: dict[tuple[str, ...], list[Told]] = {}
    for each in results:
        groups.setdefault(_kind(each.case), []).append(each)
    for kind, group in sorted(groups.items()):
        store, call, error, when = kind
        yield f"{store:6}{call:12}{error:8}{when:9}" + _numbers(group)
    yield f"{'all':35}" + _numbers(results)


def _kind(case: Case) -> tuple[str, ...]:
    return (case.store, case.call, case.error, "for good" if case.last else "once")


def _numbers(group: Sequence[Told]) -> str:
    columns = (
        len(group),
        sum(each.refused for each in group),
        sum(each.trouble for each in group),
        sum(each.died for each in group),
        sum(each.salvaged for each in group),
        sum(bool(each.wrong) for each in group),
    )
    return "".join(f"{each:>10}" for each in columns)


def _bits(work: Path, pool: ProcessPoolExecutor) -> Counter[str]:
    whole = bits.night(work / "night")
    places = list(bits.places(whole, BITS))
    each = partial(bits.turned, work, whole)
    counts = Counter(pool.map(each, places, chunksize=64))
    print(f"a store of {len(whole)} bytes, {len(places)} bits turned over one by one:")
    for what, count in counts.most_common():
        print(f"  {count:>6}  {what}")
    return counts


def _bits_of_log(work: Path, pool: ProcessPoolExecutor) -> Counter[str]:
    night = bits.cut_night(work / "cut night")
    places = range(0, 8 * len(night.log), BITS)
    each = partial(bits.turned_in_log, work, night)
    counts = Counter(pool.map(each, places, chunksize=64))
    print(f"a log of {len(night.log)} bytes after a power cut, {len(places)} bits turned over:")
    for what, count in counts.most_common():
        print(f"  {count:>6}  {what}")
    return counts


if __name__ == "__main__":
    sys.exit(main())
