"""``make mutants``: changes the rules one thing at a time and says what no test has noticed.

``python -m tests.longrun.mutants [all] [tables] [code] [WORD ...]``; words narrow the mutants to
those whose name has one of them, ``all`` asks the longest tests about those too that are explained.
``QUICK=1`` takes a small sample. The last line counts: passed is killed, or explained in
survivors.md; failed is neither.
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
from tests.longrun.mutants.forks import Forks, Late, Mutant
from tests.longrun.mutants.survivors import FILE
from tests.paths import ROOT
from tests.rules.law_starts import Case

RULES = ROOT / "tests" / "rules"
LAWS, PINS = "test_laws.py", "test_perft.py"
# The examples are asked in another process there, and a pin sees whatever the oracle sees.
LEFT_OUT = ("test_shared_examples.py", "test_oracle.py")
# The demo plays on real pixels, the others count what pins and articles count too.
TOO_LONG = ("the_demo_plays", "the_halves_of_every_target", "remembering_states")
# What a hand weighs in edges, of which a thousand are a twentieth of a second: pins of more than
# the first come late, and what is heavier than the second is not asked about code.
LATE, HEAVIEST = 700, 3_000
# A law asks far more of a state. States are counted no further than to what is too heavy.
A_STATE = 8
SAMPLE = 60  # QUICK takes one mutant in so many
WATCHED = (*(f"rules/{name}.py" for name in code.MODULES), "rules/options.py", "rules/registry.py")


def table_mutants() -> Iterator[Mutant]:
    """Every changed table."""
    for name in variant_ids():
        variant = find_variant(name)
        for told, changed in tables.mutants(variant):
            yield Mutant(told, partial(_exchange, variant, changed), None, name)


def _exchange(variant: Variant, changed: Variant | None) -> None:
    if changed is None:
        raise ValueError("the table is refused when it is made")
    tables.put_in_place(variant, changed)


def code_mutants() -> Iterator[Mutant]:
    """Every changed function."""
    for module in code.MODULES:
        for mutant in code.mutants(module):
            apply = partial(code.put_in_place, mutant)
            yield Mutant(mutant.name, apply, code.code_of(mutant), "")


PARTS: dict[str, Callable[[], Iterator[Mutant]]] = {"tables": table_mutants, "code": code_mutants}


def files() -> list[str]:
    """The tests: the examples, and all there are about the rules that run in this process."""
    tests = sorted(RULES.glob("test_*.py"))
    here = [str(path) for path in tests if path.name not in LEFT_OUT]
    return [str(Path(__file__).with_name("examples.py")), *here]


class Places:
    """Which tests come late, and in which order."""

    def __init__(self) -> None:
        self._edges = dict(_pinned_edges())

    def late(self, item: pytest.Item) -> Late | None:
        """What is known of a late test, None for the others."""
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
    """The states of a law's hand; counted no further than it matters."""
    return sum(1 for _ in islice(states(case.game()), HEAVIEST // A_STATE + 1))


def _parameters(item: pytest.Item) -> dict[str, Any]:
    callspec = getattr(item, "callspec", None)
    return dict(callspec.params) if callspec else {}


def _pinned_edges() -> Iterator[tuple[tuple[str, str], int]]:
    """How many edges the hand of each pin has, as the pin says."""
    for path in sorted((RULES / "perft").glob("*.perft")):
        for block in path.read_text(encoding="utf-8").split("\n\n")[1:]:
            start, counts, *_ = block.splitlines()
            words = counts.split()
            yield (path.stem, start), int(words[words.index("edges") + 1])


def main(argv: list[str]) -> int:
    """Makes the mutants, holds the tests against them, and tells; 1 if one is not explained."""
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
        _teller(),
    )
    # Few mutants or many: the tests that are held against them have all their cases.
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
    """Says what lived and why; the last line counts."""
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


def _teller() -> Callable[[str], None]:
    """Every outcome as it comes goes to the file that MUTANTS_LOG names, if any."""
    path = os.environ.get("MUTANTS_LOG")
    if not path:
        return lambda _: None
    file = Path(path).open("w", encoding="utf-8", buffering=1)  # noqa: SIM115 - to the end
    return lambda line: print(line, file=file)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
