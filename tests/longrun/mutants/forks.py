"""Pytest plugin that runs tests against mutants, one fork each.

It replaces the run loop: the tests are collected once and run once unchanged, which records the
code and time of each.
"""

from __future__ import annotations

import gc
import inspect
import os
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from types import CodeType, FrameType
from typing import NamedTuple

import pytest
from _pytest.runner import runtestprotocol

from scorer.rules import find_variant, options
from tests.longrun.mutants.processes import in_forks

LIVES = "lives"
# A call of one of these shows which variant a test is about.
RESOLVE: CodeType = inspect.unwrap(options._resolve).__code__
FIND: CodeType = inspect.unwrap(find_variant).__code__


class Test(NamedTuple):
    """One test, and its measurements from the unchanged run."""

    item: pytest.Item
    late: bool  # slow: run only for mutants that survive the others
    codes: frozenset[CodeType]  # the code objects it calls; empty for a late one
    variants: frozenset[str]
    weight: float  # sort key: light tests first


class Mutant(NamedTuple):
    """A change."""

    name: str
    apply: Callable[[], None]  # in the fork; raises if no program could start with it
    code: CodeType | None  # the code object it replaces; None: ``variant`` is changed
    variant: str


class Outcome(NamedTuple):
    """The result of a mutant."""

    mutant: Mutant
    killed_by: str  # a test, or how the fork ended; empty: it survived
    seconds: float  # of CPU time


class Late(NamedTuple):
    """Variant ("": any) and weight of a slow test, known before it runs."""

    variant: str
    weight: float


class Forks:
    """The plugin; ``outcomes``, and ``red``: tests that fail without any change."""

    def __init__(
        self,
        mutants: Sequence[Mutant],
        late: Callable[[pytest.Item], Late | None],
        heaviest: float,
        explained: Callable[[str], bool],
        watched: tuple[str, ...],
        workers: int,
        tell: Callable[[str], None],
    ) -> None:
        """``watched``: file names in which calls are recorded.

        ``explained``: whether the survival of that mutant is explained; slow tests are then
        skipped. ``heaviest``: a late test with a greater weight is not run for code mutants.
        """
        self._mutants, self._explained = mutants, explained
        self._late, self._heaviest = late, heaviest
        self._watched, self._workers, self._tell = watched, workers, tell
        self._green = set[str]()  # late tests that passed without any change
        # The test that killed a neighbouring mutant often kills the next one too, so it runs first.
        # A fork sees the killers known at its start; the order does not change the outcome of a
        # mutant.
        self._killers = defaultdict[object, set[str]](set)
        self.outcomes: list[Outcome] = []
        self.red: list[str] = []

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the whole session between collection and report."""
        if session.testsfailed:
            raise session.Interrupted("the tests cannot be collected")
        known = [(item, self._late(item)) for item in session.items]
        early = self._seen([item for item, late in known if late is None])
        self._tell(f"{len(early)} tests, {sum(test.weight for test in early):.1f} s of processor")
        # Objects alive now are shared by the forks and need not be collected again.
        gc.collect()
        gc.freeze()
        later = [
            Test(item, True, frozenset(), frozenset([late.variant]), late.weight)
            for item, late in known
            if late is not None
        ]
        left = self._held(self._mutants, early, early)
        again = [mutant for mutant in left if not self._explained(mutant.name)]
        self._tell(f"{len(left)} live, {len(again)} of them go to {len(later)} longer tests")
        survivors = [mutant for mutant in left if mutant not in again]
        survivors += self._held(again, later, early)
        self.outcomes += [Outcome(mutant, "", 0) for mutant in survivors]
        return True

    def _seen(self, items: Iterable[pytest.Item]) -> list[Test]:
        """Run the early tests here while recording calls; return those that pass."""
        tests = []
        with Watch(self._watched) as watch:
            for item in items:
                forget()
                watch.codes, watch.variants = set(), set()
                began = time.process_time()
                green = holds(item)
                seconds = time.process_time() - began
                if green:
                    codes, variants = frozenset(watch.codes), frozenset(watch.variants)
                    tests.append(Test(item, False, codes, variants, seconds))
                    self._green.add(item.nodeid)
                else:
                    self.red.append(item.nodeid)
        return tests

    def _held(
        self, mutants: Sequence[Mutant], tests: Sequence[Test], early: Sequence[Test]
    ) -> list[Mutant]:
        """Run the tests against each mutant; return the survivors."""
        survivors, killed = list[Mutant](), list[Outcome]()
        jobs = [partial(self._judged, mutant, tests, early) for mutant in mutants]
        for answer in in_forks(jobs, self._workers):
            mutant = mutants[answer.job]
            outcome = Outcome(mutant, *(answer.said or (answer.ended, 0)))
            self._tell(f"{outcome.seconds:6.2f} s  {mutant.name}\n    {outcome.killed_by or LIVES}")
            if outcome.killed_by:
                killed.append(outcome)
                self._killers[_place(mutant)].add(outcome.killed_by)
            else:
                survivors.append(mutant)
        red = self._found_red({outcome.killed_by for outcome in killed}, tests)
        sound = [test for test in tests if test.item.nodeid not in red]
        self.outcomes += [outcome for outcome in killed if outcome.killed_by not in red]
        mistaken = [outcome.mutant for outcome in killed if outcome.killed_by in red]
        return survivors + (self._held(mistaken, sound, early) if mistaken else [])

    def _judged(
        self, mutant: Mutant, tests: Sequence[Test], early: Sequence[Test]
    ) -> tuple[str, float]:
        """In the fork: the test that killed it or "", and the CPU seconds used."""
        began = time.process_time()
        chosen = list(self._chosen(mutant, tests, early))
        try:
            mutant.apply()
        except (ValueError, TypeError, SyntaxError) as error:
            return f"no program: {error}", time.process_time() - began
        forget()
        killer = next((test.item.nodeid for test in chosen if not holds(test.item)), "")
        return killer, time.process_time() - began

    def _chosen(
        self, mutant: Mutant, tests: Iterable[Test], early: Sequence[Test]
    ) -> Iterator[Test]:
        """The tests that can detect this change: killers of neighbours, then the lightest."""
        variants = _variants(mutant, early)
        killers = self._killers[_place(mutant)]
        by_hope = sorted(tests, key=lambda test: (test.item.nodeid not in killers, test.weight))
        for test in by_hope:
            if mutant.code is None:
                sees = bool(test.variants & variants)
            elif test.late:
                sees = "" in test.variants or bool(test.variants & variants)
                sees = sees and test.weight <= self._heaviest
            else:
                sees = mutant.code in test.codes
            if sees:
                yield test

    def _found_red(self, killers: set[str], tests: Sequence[Test]) -> set[str]:
        """The late tests that fail without any change and so have killed nothing."""
        unsure = [test.item for test in tests if test.item.nodeid in killers - self._green]
        red = set[str]()
        for answer in in_forks([partial(holds, item) for item in unsure], self._workers):
            name = unsure[answer.job].nodeid
            (self._green if answer.said else red).add(name)
        self.red += sorted(red)
        return red


def _variants(mutant: Mutant, early: Sequence[Test]) -> frozenset[str]:
    """The variants in which a change can show."""
    if mutant.code is None:
        return frozenset([mutant.variant])
    reached = [test.variants for test in early if mutant.code in test.codes]
    return frozenset().union(*reached)


def _place(mutant: Mutant) -> object:
    """The key shared by mutants of the same place."""
    return mutant.code or mutant.variant


def teller() -> Callable[[str], None]:
    """A function that writes each outcome to the file named by MUTANTS_LOG, if set."""
    path = os.environ.get("MUTANTS_LOG")
    if not path:
        return lambda _: None
    file = Path(path).open("a", encoding="utf-8", buffering=1)  # noqa: SIM115 - to the end
    return lambda line: print(line, file=file)


def holds(item: pytest.Item) -> bool:
    """Run a test with its fixtures; a skipped test passes."""
    return not any(report.failed for report in runtestprotocol(item, log=False))


def forget() -> None:
    """Clear all caches: they were filled under other rules."""
    for name, module in list(sys.modules.items()):
        if name.startswith(("scorer.", "tests.")):
            for each in list(vars(module).values()):
                if hasattr(each, "cache_clear"):
                    each.cache_clear()


class Watch:
    """Records the code objects called, and by the rules of which variants.

    Threads are watched too, also those that a fixture has begun before a test.
    """

    def __init__(self, watched: tuple[str, ...]) -> None:
        self._watched = watched
        self.codes: set[CodeType] = set()
        self.variants: set[str] = set()

    def __enter__(self) -> Watch:
        threading.setprofile(self._called)
        sys.setprofile(self._called)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)
        threading.setprofile(None)

    def _called(self, frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event != "call" or code in self.codes or not code.co_filename.endswith(self._watched):
            return
        if code is RESOLVE:
            self.variants.add(frame.f_locals["variant"].id)
        elif code is FIND:
            self.variants.add(frame.f_locals["variant_id"])
        else:
            self.codes.add(code)
