"""The gains of a press add up to the change of the score, on every output.

Walks of presses in every variant: calls, corrections, awards, reversals, several steps in a press.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from scorer.rules import (
    Action,
    Game,
    Refusal,
    Start,
    Step,
    attempt,
    find_variant,
    header_text,
    legal,
    new_game,
    rules_for,
    step_text,
    tags_of,
    variant_ids,
)
from scorer.session.values.game_queries import opening_steps
from scorer.web.timeline import Timeline, TimelineRow
from tests.phrases.gains_law import faults
from tests.sampling import amount

PRESSES = amount(24, 400)  # of one walk
CORRECTING = 0.25  # of the presses
PAIRED = 0.2


def presses(game: Game, chance: Random) -> tuple[Step, ...]:
    """A press that is legal in ``game``: a call, a correction, or both."""
    first = opening_steps(game) if chance.random() < 0.5 else ()
    played = game
    for step in first:
        played = _after(played, step)
    wished = [*_corrections(played, chance)] if chance.random() < CORRECTING else []
    steps = [chance.choice(wished)] if wished else [_any_step(played, chance)]
    if chance.random() < PAIRED:
        for step in steps[0]:
            played = _after(played, step)
        if not played.hand.over and played.winner is None:
            steps.append(_any_step(played, chance))
    return (*first, *sum(steps, ()))


def _after(game: Game, step: Step) -> Game:
    result = attempt(game, step)
    assert isinstance(result, Game), (step, result)
    return result


def _any_step(game: Game, chance: Random) -> tuple[Step, ...]:
    own = [step for step in legal(game) if step.action is not Action.AWARD] or [*legal(game)]
    return (chance.choice(own),) if own else ()


def _corrections(game: Game, chance: Random) -> Iterator[tuple[Step, ...]]:
    """Penalties, reversals, and new scores of one side or of all."""
    sides = game.rules.scoring_sides
    most = min(game.rules.target, 12)
    single = [
        *(Step(side, Action.AWARD, chance.randrange(1, 4)) for side in sides),
        *(Step(side, Action.CORRECT, chance.randrange(1, most)) for side in sides),
        *(
            Step(side, lie)
            for side in game.rules.speaking_sides
            for lie in (Action.ENVIDO_REVERSED, Action.FLOR_REVERSED)
        ),
    ]
    yield from ((step,) for step in single if not isinstance(attempt(game, step), Refusal))
    scores = tuple(Step(side, Action.CORRECT, chance.randrange(1, most)) for side in sides)
    played: Game | Refusal = game
    for step in scores:
        played = attempt(played, step) if isinstance(played, Game) else played
    if isinstance(played, Game):
        yield scores


def walk(game: Game, seed: str) -> Iterator[str]:
    """What is wrong after any press of a random game."""
    chance = Random(seed)
    timeline = Timeline(1, header_text(tags_of(game, {})))
    seq = 0
    for _ in range(PRESSES):
        steps = presses(timeline.game, chance)
        if not steps:
            return
        press = seq + 1
        for step in steps:
            seq += 1
            row = TimelineRow(seq, press, step_text(step), "A", "boot", seq * 1000, "", False)
            timeline.add_rows([row])
        recent = [entry for entry in timeline.entries if entry["press"] == press]
        named = "; ".join(map(step_text, steps))
        yield from (f"{named}: {fault}" for fault in faults(timeline.record, recent))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("variant", variant_ids())
def test_the_gains_of_every_press_add_up_on_every_output(variant: str) -> None:
    assert list(walk(new_game(Start(rules_for(find_variant(variant), {}))), variant)) == []
