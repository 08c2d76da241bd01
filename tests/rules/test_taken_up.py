"""A game goes on at another table with its scores, games and mano."""

from __future__ import annotations

from random import Random

import pytest

from scorer.rules import (
    Game,
    History,
    Phase,
    Start,
    find_variant,
    legal,
    new_game,
    parse_step,
    phase_of,
    rules_for,
    variant_ids,
)
from scorer.rules.deal import taken_up
from scorer.rules.model import Match
from scorer.rules.sheet import header_of, tags_of

STEPS = 60
MATCH = Match("Z1-R1-M1", "9f2c")


def games_on_the_way(variant: str) -> list[Game]:
    """The game after each of some random steps."""
    chance = Random(variant)
    sheet = History(new_game(Start(rules_for(find_variant(variant), {}), match=MATCH)))
    found = [sheet.game]
    while len(found) < STEPS and phase_of(sheet.game) is not Phase.MATCH_OVER:
        if sheet.play(chance.choice(list(legal(sheet.game)))) is None:
            found.append(sheet.game)
    return found


@pytest.mark.parametrize("variant", variant_ids())
def test_it_begins_where_it_was_and_its_header_says_so(variant: str) -> None:
    for game in games_on_the_way(variant):
        if phase_of(game) in (Phase.GAME_OVER, Phase.MATCH_OVER):
            continue
        begun = taken_up(game)
        assert (begun.score, begun.games, begun.match) == (game.score, game.games, MATCH)
        assert begun.mano == game.mano or game.hand.over
        assert header_of(tags_of(begun, {})).game() == begun


def test_between_two_games_of_a_series_it_begins_with_the_next() -> None:
    rules = rules_for(find_variant("argentine"), {"best_of": 3})
    sheet = History(new_game(Start(rules, match=MATCH)))
    assert sheet.play(parse_step("B award 30", rules)) is None
    begun = taken_up(sheet.game)
    assert (begun.score, begun.games) == ((0, 0), (0, 1))
    assert begun.mano != sheet.game.mano


def test_a_series_that_is_over_is_not_taken_up() -> None:
    rules = rules_for(find_variant("argentine"), {})
    sheet = History(new_game(Start(rules, match=MATCH)))
    assert sheet.play(parse_step("A award 30", rules)) is None
    with pytest.raises(ValueError, match="is over"):
        taken_up(sheet.game)
