"""Walks all states that a list of starts can reach, and holds every law against each of them.

``python -m tests.rules.laws`` walks the full list (an hour), ``QUICK=1 python -m tests.rules.laws``
the short one that the test suite walks too; names of variants after it walk only those. The last
line is "N passed, N failed", counting starts.
"""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from typing import NamedTuple

from scorer.rules import (
    Game,
    Refusal,
    Step,
    phase_of,
    step_text,
)
from scorer.rules.perft import ENDS, core, is_walked
from tests.rules.law_starts import full_cases, quick_cases
from tests.rules.state_laws import INTERRUPTIONS, LAWS, LEFT_OUT_OF_LEGAL, Law, View, view


class Broken(AssertionError):
    """A law does not hold; the message says which one, and the steps that lead there."""


class Walk(NamedTuple):
    """What one walk has seen."""

    states: int
    refusals: frozenset[Refusal]


def check(start: Game, laws: tuple[Law, ...] = LAWS, *, interrupted: bool) -> Walk:
    """Checks ``laws`` in every state of the hand of ``start``; raises Broken at the first fault.

    ``interrupted``: also in the states one penalty, correction or reversal away from each of them.
    """
    paths: dict[Game, tuple[Step, ...]] = {core(start): ()}
    waiting, refusals, count = [start], set[Refusal](), 0
    while waiting:
        game = waiting.pop()
        path = paths[core(game)]
        seen = _examined(game, laws, path)
        count += 1
        refusals.update(answer for answer in seen.answers.values() if isinstance(answer, Refusal))
        for step, after in seen.accepted():
            if step.action in INTERRUPTIONS and interrupted:
                _examined(after, laws, (*path, step))
                count += 1
            if not is_walked(game, step) or step.action in LEFT_OUT_OF_LEGAL:
                continue
            if phase_of(game) not in ENDS and core(after) not in paths:
                paths[core(after)] = (*path, step)
                waiting.append(after)
    return Walk(count, frozenset(refusals))


def _examined(game: Game, laws: tuple[Law, ...], path: tuple[Step, ...]) -> View:
    law: Law | None = None
    try:
        seen = view(game)
        for law in laws:
            law(seen)
    except AssertionError as error:
        name = law.__name__ if law else "view"
        steps = "; ".join(step_text(step) for step in path) or "nothing"
        raise Broken(f"{name} after {steps}: {error}") from error
    return seen


def main(argv: list[str]) -> int:
    """Walks the list (of the variants named, or of all); 1 if a law is broken anywhere."""
    listed = quick_cases() if os.environ.get("QUICK") else full_cases()
    cases = [case for case in dict.fromkeys(listed) if not argv or case.variant in argv]
    walked, passed, began = Counter[str](), 0, time.process_time()
    for case in cases:
        try:
            walk = check(case.game(), interrupted=case.interrupted)
        except Broken as fault:
            print(f"FAILED {case}\n  {fault}", flush=True)
            continue
        passed += 1
        walked[case.variant] += walk.states
    for variant, count in walked.items():
        print(f"{variant:16} {count:9,} states")
    print(f"{walked.total():,} states in {time.process_time() - began:.0f} s of processor")
    print(f"{passed} passed, {len(cases) - passed} failed")
    return 1 if passed < len(cases) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
