"""The lines of the history name the side that acted."""

from __future__ import annotations

import pytest

from scorer.rules import (
    Action,
    Refusal,
    Start,
    Step,
    find_variant,
    new_game,
    rules_for,
    variant_ids,
)
from scorer.session.values import seating
from scorer.session.values.record import append_press, new_record
from scorer.session.view.history import history_lines


@pytest.mark.parametrize("variant", variant_ids())
def test_a_surrender_is_listed_for_the_side_that_gives_up(variant: str) -> None:
    record = new_record(new_game(Start(rules_for(find_variant(variant), {}))))
    listed = []
    rules = record.game.rules
    for side in {*rules.speaking_sides, *rules.scoring_sides}:
        after = append_press(record, (Step(side, Action.CONCEDE),))
        if isinstance(after, Refusal):
            continue
        line = history_lines(after)[-1]
        listed.append((line.side, line.key, line.points))
        assert line.side == seating.view_index(record.game, side)
    assert listed and all(each[1:] == ("concede", 0) for each in listed)
