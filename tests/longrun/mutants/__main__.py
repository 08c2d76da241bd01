"""``make mutants``: mutate the rules and report the mutants that no test detects.

``python -m tests.longrun.mutants [all] [tables] [code] [WORD ...]``; words select the mutants whose
name contains one of them, ``all`` runs the longest tests on explained mutants too. ``QUICK=1``
takes a small sample. In the last line, passed counts mutants killed or explained in survivors.md,
failed counts the others.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from scorer.rules import Variant, find_variant, variant_ids
from scorer.rules.perft import states
from tests.longrun.mutants import code, survivors, tables
from tests.longrun.mutants.forks import Forks, Late, Mutant, teller
from tests.longrun.mutants.survivors import FILE
from tests.paths import ROOT
from tests.rules.law_starts import Case
from tests.rules.test_shared_examples import TOOL

RULES = ROOT / "tests" / "rules"
LAWS, PINS = "test_laws.py", "test_perft.py"
# These run the examples in another process, and a pin detects all that the oracle detects.
LEFT_OUT = ("test_shared_examples.py", "test_oracle.py")
# The demo plays on real pixels; the others count what pins and articles count too.
TOO_LONG = ("the_demo_plays", "the_halves_of_every_target", "remembering_states")
# The weight of a hand is its number of edges (1,000 edges take about 50 ms). Pins heavier than LATE
# run last; those heavier than HEAVIEST are not run for code mutants.
LATE, HEAVIEST = 700, 3_000
# A law does far more work per state. States are counted only up to HEAVIEST.
A_STATE = 8
SAMPLE = 60  # QUICK takes one mutant in SAMPLE
WATCHED = (*(f"rules/{name}.py" for name in code.MODULES), "rules/options.py", "rules/registry.py")


def table_mutants() -> Iterator[Mutant]:
    for name in variant_ids():
        variant = find_variant(name)
        for name_of_change, changed in tables.mutants(variant):
            yield Mutant(name_of_change, partial(_exchange, variant, changed), None, name)


def _exchange(variant: Variant, changed: Variant | None) -> None:
    if changed is None:
        raise ValueError("the table is refused when it is made")
    tables.put_in_place(variant, changed)


def code_mutants() -> Iterator[Mutant]:
    for module in code.MODULES:
        for mutant in code.mutants(module):
            apply = partial(code.put_in_place, mutant)
            yield Mutant(mutant.name, apply, code.code_of(mutant), "")


PARTS: dict[str, Callable[[], Iterator[Mutant]]] = {"tables": table_mutants, "code": code_mutants}


def files() -> list[str]:
    """The test files: the examples, and all in-process tests of the rules."""
    tests = sorted(RULES.glob("test_*.py"))
    here = [str(path) for path in tests if path.name not in LEFT_OUT]
    return [str(Path(__file__).with_name("examples.py")), *here] if TOOL.is_file() else here


class Places:
    """Which tests run late, and in which order."""

    def __init__(self) -> None:
        self._edges = dict(_pinned_edges())

    def late(self, item: pytest.Item) -> Late | None:
        """Variant and weight of a late test; None for the others."""
        given = _parameters(item)
        if item.path.name == LAWS and "case" in given:
            case = given["case"]
            return Late(case.variant, _states(case) * A_STATE)
        if item.path.name != PINS or "start" not in given:
            return None
        variant, start = given["variant"], given["start"]
        edges = self._edges.get((variant.id, start.name(variant)), 0)
        return Late(variant.id, edges) if edges > LATE else None


def _states(case: Case) -> int:
    """The number of states of a law's hand, counted up to HEAVIEST."""
    return sum(1 for _ in islice(states(case.game()), HEAVIEST // A_STATE + 1))


def _parameters(item: pytest.Item) -> dict[str, Any]:
    callspec = getattr(item, "callspec", None)
    return dict(callspec.params) if callspec else {}


def _pinned_edges() -> Iterator[tuple[tuple[str, str], int]]:
    """The number of edges of the hand of each pin, read from the pin."""
    for path in sorted((RULES / "perft").glob("*.perft")):
        for block in path.read_text(encoding="utf-8").split("\n\n")[1:]:
            start, counts, *_ = block.splitlines()
            words = counts.split()
            yield (path.stem, start), int(words[words.index("edges") + 1])


def main(argv: list[str]) -> int:
    """Make the mutants, run the tests and report; return 1 if one is unexplained."""
    quick = bool(os.environ.get("QUICK"))
    parts = [part for part in PARTS if part in argv] or list(PARTS)
    words = [word for word in argv if word not in (*PARTS, "all")]
    mutants = [mutant for part in parts for mutant in PARTS[part]()]
    mutants = [each for each in mutants if not words or any(word in each.name for word in words)]
    if quick and not words:
        mutants = mutants[::SAMPLE]
    known = [] if "all" in argv else list(survivors.read(FILE.read_text(encoding="utf-8")))
    forks = Forks(
        mutants,
        Places().late,
        HEAVIEST,
        lambda name: bool(survivors.reason_for(name, known)),
        WATCHED,
        _workers(),
        teller(),
    )
    # The tests run all their cases, for few mutants as for many.
    os.environ["EXHAUSTIVE"] = "1"
    os.environ.pop("QUICK", None)
    began = os.times()
    options = ["-qq", "--capture=sys", "--tb=no", "--assert=plain", "--import-mode=importlib"]
    options += [
        "-p",
        "no:cacheprovider",
        "-p",
        "no:plain-line",
        "-o",
        "addopts=",
        "-o",
        "timeout=0",
    ]
    code = pytest.main([*options, *files()], plugins=[forks])
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        print(f"the tests cannot be run: {code!r}")
        return 1
    after = os.times()
    seconds = sum(after[:4]) - sum(began[:4])
    return report(forks, mutants, seconds)


def report(forks: Forks, mutants: list[Mutant], seconds: float) -> int:
    """Print the survivors and their reasons; the last line counts."""
    known = list(survivors.read(FILE.read_text(encoding="utf-8")))
    living = {each.mutant.name for each in forks.outcomes if not each.killed_by}
    reasons = {name: survivors.reason_for(name, known) for name in sorted(living)}
    killed = [each.mutant.name for each in forks.outcomes if each.killed_by]
    for name in (name for name in killed if survivors.reason_for(name, known)):
        print(f"explained, but a test sees it: {name}")
    for name in forks.red:
        print(f"FAILED without any change, and so not used: {name}")
    for name in (name for name, reason in reasons.items() if not reason):
        print(f"FAILED no test sees it: {name}")
    failed = sum(not reason for reason in reasons.values()) + len(forks.red)
    explanations = sum(bool(reason) for reason in reasons.values())
    print(f"{len(killed)} killed, {explanations} explained, {seconds:.0f} s of processor")
    print(f"{len(killed) + explanations} passed, {failed} failed")
    return 1 if failed or len(forks.outcomes) < len(mutants) else 0


def _workers() -> int:
    return max(1, int(os.environ.get("WORKERS", "2")))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
