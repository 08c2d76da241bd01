"""Random nights with drawing, a real store, power cuts, phones, set-up and faults.

Their seeds are fixed. A failure names its seed: ``python -m tests.longrun.random_play SEED``
replays that night and shrinks it.
"""

from __future__ import annotations

import pytest

from tests.longrun.random_play.night import MEMORY, Fault, Plan, Tally, one_night
from tests.sampling import amount, sample

NIGHTS = 40
EVERYTHING = Plan(amount(200, 500), drawing=True, closely=100, redo=False)
QUICK = Plan(60, drawing=True, closely=12)


def _play(seed: int, plan: Plan) -> Tally:
    try:
        return one_night(seed, plan)
    except Fault as fault:
        pytest.fail(f"{fault}\npython -m tests.longrun.random_play {seed} {plan.presses} drawing")


@pytest.mark.sampled(0)
@pytest.mark.parametrize("seed", sample(range(12), 2))
def test_invariants_hold_during_a_random_night_of_each_variant(seed: int) -> None:
    tally = _play(seed, QUICK)
    assert tally.presses >= QUICK.presses
    assert tally.steps > 10, "some of it was a game"


@pytest.mark.slow
@pytest.mark.sampled(0)
@pytest.mark.parametrize("seed", sample(range(100, 100 + NIGHTS), 1))
def test_twenty_thousand_presses_raise_and_lose_nothing(seed: int) -> None:
    tally = _play(seed, EVERYTHING)
    assert tally.presses >= EVERYTHING.presses
    assert tally.drawn > 50


def test_the_disk_of_random_play_is_in_memory() -> None:
    assert MEMORY.is_dir(), "without it a storm writes to the card a hundred thousand times"
