"""Check every law in all states that are reachable from a list of starts.

``python -m tests.rules.laws`` walks the full list on all processors; with ``QUICK=1`` it walks the
short list, like the test suite. Arguments select variants. The last line is "N passed, N failed",
counting starts.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import time
from collections import Counter, deque
from collections.abc import Iterator
from typing import NamedTuple

from scorer.rules import Action, Game, Refusal, Step, apply, state_document, step_text, variant_ids
from scorer.rules.perft import ENDS, PINNED_BET_LIMITS, OpenBetLimits, core_state, is_walked
from tests.rules.law_starts import NO_LIMIT, Case, full_cases, quick_cases
from tests.rules.law_view import LEFT_OUT_OF_LEGAL, REVERSALS, StateView, state_view
from tests.rules.state_laws import LAWS, OF_THE_RECORD, Law

# Steps outside play that may come between any two others.
INTERRUPTIONS = (*REVERSALS, Action.AWARD, Action.CORRECT, Action.MANO)


class LawBroken(AssertionError):
    """A law does not hold; the message names it, and the steps to the state."""


class Walk(NamedTuple):
    """Statistics of one walk."""

    states: int
    refusals: frozenset[Refusal]


class Result(NamedTuple):
    """Result of one start."""

    case: Case
    walk: Walk
    fault: str = ""
    seconds: float = 0.0  # processor time


def check(
    start: Game,
    laws: tuple[Law, ...] = LAWS,
    *,
    interrupted: bool,
    bet_limits: OpenBetLimits = PINNED_BET_LIMITS,
    steps: int = NO_LIMIT,
) -> Walk:
    """Check ``laws`` in every state of the hand of ``start``.

    Raises LawBroken at the first fault. ``interrupted`` also checks the states one penalty,
    correction, reversal or other mano away. ``bet_limits`` bounds open bets; ``steps`` bounds the
    depth.
    """
    walker = _Walker(start, laws)
    waiting, paths = deque([start]), {core_state(start): tuple[Step, ...]()}
    while waiting:
        game = waiting.popleft()
        path = paths[core_state(game)]
        seen = walker.examine(game, path)
        for step, after in seen.accepted:
            if step.action in INTERRUPTIONS and interrupted:
                walker.examine_interrupted(after, (*path, step))
            if step.action in LEFT_OUT_OF_LEGAL or not is_walked(game, step, bet_limits):
                continue
            on = seen.phase not in ENDS and len(path) < steps
            if on and core_state(after) not in paths:
                paths[core_state(after)] = (*path, step)
                waiting.append(after)
    return Walk(walker.count, frozenset(walker.refusals))


class _Walker:
    """Examines each state once; tries words of other variants once per kind of state."""

    def __init__(self, start: Game, laws: tuple[Law, ...]) -> None:
        self._start, self._laws = start, laws
        self._kinds, self._interrupted = set[object](), set[Game]()
        self.refusals, self.count = set[Refusal](), 0

    def examine_interrupted(self, game: Game, path: tuple[Step, ...]) -> None:
        """Examine a state after an interruption, unless an equivalent one was examined."""
        key = core_state(game)
        if key not in self._interrupted:
            self._interrupted.add(key)
            self.examine(game, path)

    def examine(self, game: Game, path: tuple[Step, ...]) -> StateView:
        law: Law | None = None
        try:
            seen = self._view(game, path)
            for law in self._laws:
                law(seen)
        except AssertionError as error:
            name = law.__name__ if law else "the steps make the document"
            steps = "; ".join(step_text(step) for step in path) or "nothing"
            raise LawBroken(f"{name} after {steps}: {error}") from error
        self.count += 1
        self.refusals.update(a for a in seen.answers.values() if isinstance(a, Refusal))
        return seen

    def _view(self, game: Game, path: tuple[Step, ...]) -> StateView:
        again = self._start
        for step in path:
            again = apply(again, step)
        assert again == game, "the same steps lead to another state"
        hand = game.hand
        bets = (hand.truco.pending, hand.envido.status, hand.flor.status)
        kind = (
            game.winner,
            hand.over,
            hand.special,
            hand.first_trick,
            hand.deferred_award is None,
            *bets,
        )
        first = kind not in self._kinds
        self._kinds.add(kind)
        seen = state_view(game, foreign=first)
        if first:
            assert state_document(again) == seen.document, "two readings differ"
        return seen


def check_case(case: Case) -> Walk:
    """Check all laws from that start."""
    return check(
        case.game(), interrupted=case.interrupted, bet_limits=case.bet_limits, steps=case.steps
    )


def walk_case(case: Case) -> Result:
    """Walk one start to its end or to the first broken law."""
    began = time.process_time()
    fault, walk = "", Walk(0, frozenset())
    try:
        walk = check_case(case)
    except LawBroken as broken:
        fault = str(broken)
    return Result(case, walk, fault, time.process_time() - began)


def _results(cases: list[Case]) -> Iterator[Result]:
    """The results in the order of the cases, computed by one process per processor."""
    with multiprocessing.Pool() as pool:
        yield from pool.imap(walk_case, cases)


def main(argv: list[str]) -> int:
    """Walk the list (of the named variants, or of all); return 1 if a law is broken."""
    listed = quick_cases() if os.environ.get("QUICK") else full_cases()
    cases = [case for case in dict.fromkeys(listed) if not argv or case.variant in argv]
    cases.sort(key=lambda case: case.variant)
    states, seconds = Counter[str](), dict.fromkeys(variant_ids(), 0.0)
    refusals, failed = set[Refusal](), 0
    for number, result in enumerate(_results(cases), 1):
        name = result.case.variant
        states[name] += result.walk.states
        seconds[name] += result.seconds
        refusals |= result.walk.refusals
        if result.fault:
            failed += 1
            print(f"FAILED {result.case}\n  {result.fault}", flush=True)
        if number == len(cases) or cases[number].variant != name:
            print(f"{name:16} {states[name]:9,} states {seconds[name]:7.0f} s", flush=True)
    missing = set(Refusal) - OF_THE_RECORD - refusals
    if missing and not argv:
        failed += 1
        print(f"FAILED nothing is refused with {', '.join(sorted(missing))}")
    print(f"{states.total():,} states in {sum(seconds.values()):.0f} s of processor")
    print(f"{len(cases) + (not argv) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
