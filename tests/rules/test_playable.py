"""Every call of every variant is reachable, and ``scorer check`` finds faults."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scorer.rules import Action, find_variant, variant_ids
from scorer.rules.common_tables import ENVIDO_2_3_FALTA
from scorer.rules.playable import find_unplayable, unreachable_calls
from scorer.rules.variant import Bid, Rung, Variant


@pytest.mark.sampled(10)
@pytest.mark.parametrize("name", variant_ids())
def test_every_rung_and_every_bid_is_legal_in_some_state(name: str) -> None:
    assert unreachable_calls(find_variant(name)) == ()


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", variant_ids())
def test_the_short_walk_finds_nothing_wrong_in_the_built_in_variants(name: str) -> None:
    assert find_unplayable(find_variant(name)) == ()


def with_ladder(*rungs: Rung) -> Variant:
    return replace(find_variant("argentine"), ladders=(("truco", rungs),))


def with_bids(*bids: Bid) -> Variant:
    return replace(find_variant("argentine"), envido=bids)


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("variant", "never"),
    [
        # An answer has its own handler, which a rung of that name does not replace.
        (with_ladder(Rung(Action.TRUCO, 2), Rung(Action.MAO_PLAY, 3)), Action.MAO_PLAY),
        (
            with_bids(*ENVIDO_2_3_FALTA, Bid(Action.ENVIT, 2, opens=False, raises=False)),
            Action.ENVIT,
        ),
    ],
    ids=["a rung", "a bid"],
)
def test_a_call_that_no_state_allows_is_found(variant: Variant, never: Action) -> None:
    assert unreachable_calls(variant) == (never,)
    assert find_unplayable(variant)[0] == f"{never}: this call is never legal"


def test_a_rung_of_any_variant_can_stand_in_any_ladder() -> None:
    """Calls are derived from the ladder, not listed elsewhere."""
    assert unreachable_calls(with_ladder(Rung(Action.TRUC, 2), Rung(Action.SEIS, 6))) == ()
