"""Cost of one step of the rules, against writing its state document as JSON."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable
from functools import partial

from scorer.rules import (
    Game,
    Start,
    Step,
    apply,
    find_variant,
    legal,
    new_game,
    rules_for,
    state_document,
    variant_ids,
)
from tools.bench import Measurement


def measure(quick: bool) -> list[Measurement]:
    """``apply`` + ``legal`` + document of the slowest variant, median over its states."""
    costs = [(_cost(name, 3 if quick else 9), name) for name in variant_ids()]
    (ours, reference), name = max(costs, key=lambda cost: cost[0][0] / cost[0][1])
    what = f"rules: apply, legal, state document ({name})"
    return [Measurement(what, ours, reference, "us", "json.dumps of it", budget=25)]


def _cost(name: str, rounds: int) -> tuple[float, float]:
    games = _some_games(new_game(Start(rules_for(find_variant(name)))))
    ours, reference = [], []
    for game in games:
        step = legal(game)[0]
        document = state_document(game)
        ours.append(_least(partial(_turn, game, step), rounds))
        reference.append(_least(partial(json.dumps, document), rounds))
    return statistics.median(ours), statistics.median(reference)


def _turn(game: Game, step: Step) -> None:
    # The document contains the legal steps.
    state_document(apply(game, step))


def _least(call: Callable[[], object], rounds: int) -> float:
    """Microseconds of the fastest round, which excludes other load."""
    best = float("inf")
    for _ in range(rounds):
        begin = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - begin)
    return best * 1e6


def _some_games(start: Game) -> list[Game]:
    """The states of the first two steps of a hand."""
    games = [start]
    for step in legal(start):
        after = apply(start, step)
        if legal(after):
            games.append(after)
    return games
