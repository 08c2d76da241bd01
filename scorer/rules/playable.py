"""Check that a variant can be played, by a short walk through its hands.

Every call must be legal in some state, every hand must be able to end, and every step must move
the points that it says. The laws of the tests walk further; this walk is short enough for a Pi.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice

from scorer.rules.actions import Action
from scorer.rules.deal import may_start_at, new_game
from scorer.rules.engine import phase_of
from scorer.rules.model import Game, Start
from scorer.rules.options import rules_for
from scorer.rules.perft import ENDS, core_state, states, walk_steps
from scorer.rules.perft_pins import other_values, scores_of, with_required_options
from scorer.rules.variant import Rules, Variant

MAX_STATES = 150  # per hand


def find_unplayable(variant: Variant) -> tuple[str, ...]:
    """One sentence per call that is never legal, and per fault found in a hand."""
    never = (f"{action}: this call is never legal" for action in unreachable_calls(variant))
    return (*never, *_find_wrong_hands(rules_for(variant)))


def unreachable_calls(variant: Variant) -> tuple[Action, ...]:
    """Calls that are legal in no state, by the defaults or the option that adds them."""
    plain = rules_for(variant)
    usual = _calls_of(plain)
    never = usual - _reachable_calls(plain, usual)
    wanted = {rung.action for _, ladder in variant.ladders for rung in ladder} - usual
    for option in variant.options:
        for value in other_values(option):
            rules = rules_for(variant, dict(with_required_options(variant, option.key, value)))
            added = _calls_of(rules) - usual
            wanted |= added
            if added & wanted:
                wanted -= _reachable_calls(rules, added)
    return tuple(action for action in Action if action in never | wanted)


def _calls_of(rules: Rules) -> set[Action]:
    return {rung.action for rung in rules.ladder} | {bid.action for bid in rules.bids}


def _reachable_calls(rules: Rules, calls: Collection[Action]) -> set[Action]:
    """Those of ``calls`` that can be reached in a hand of calls alone."""
    every = _calls_of(rules)
    found: set[Action] = set()
    seen, waiting = set[Game](), [new_game(Start(rules))]
    while waiting:
        for step, after in walk_steps(waiting.pop()):
            if step.action in every:
                found.add(step.action)
                if core_state(after) not in seen:
                    seen.add(core_state(after))
                    waiting.append(after)
    return found & set(calls)


def _find_wrong_hands(rules: Rules) -> Iterator[str]:
    for score in scores_of(rules):
        if not all(may_start_at(rules, points) for points in score):
            continue  # special hands of a very short game
        told = "-".join(map(str, score))
        game = new_game(Start(rules, score))
        walked = tuple(islice(states(game), MAX_STATES))
        if any(
            not (phase_of(state) in ENDS or any(True for _ in walk_steps(state)))
            for state in walked
        ):
            yield f"a hand that begins at {told} can reach a state in which nothing is legal"
        if not all(_points_agree(state) for state in walked):
            yield f"a hand that begins at {told} moves points that no step pays"


def _points_agree(game: Game) -> bool:
    """True if the score differs by exactly what each step paid."""
    for _, after in walk_steps(game):
        paid = dict.fromkeys(game.rules.scoring_sides, 0)
        for credit in after.last_credits:
            paid[credit.to] += credit.points
        moved = (b - a for a, b in zip(game.score, after.score, strict=True))
        if tuple(moved) != tuple(paid.values()):
            return False
    return True
