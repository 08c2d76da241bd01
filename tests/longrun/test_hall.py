"""The hall of ``make hall``: made-up games are whole, and sides may change places."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from scorer.rules import History, Phase, parse_step, phase_of
from scorer.session.values.settings import Layout
from tests.longrun.hall import presses
from tests.longrun.hall.playing import Game, random_game, with_mano
from tests.longrun.recorded_games import header
from tests.sampling import sample


def end_of(game: Game) -> History:
    """The sheet of a game after its last step."""
    sheet = History(header(game).game())
    for side, action in game["steps"]:
        assert sheet.play(parse_step(f"{side} {action}", sheet.game.rules)) is None
    return sheet


@pytest.mark.parametrize("seed", range(5))
def test_a_made_up_game_is_played_to_its_end(seed: int) -> None:
    assert phase_of(end_of(random_game(Random(seed))).game) is Phase.MATCH_OVER


@pytest.mark.sampled
@pytest.mark.parametrize(("layout", "ending"), sample(product(Layout, presses.ENDINGS), 2))
def test_a_match_takes_the_promised_presses(layout: Layout, ending: str) -> None:
    assert presses.problem_of(random_game(Random(3)), layout, ending) == ""


def test_with_the_other_mano_the_sides_change_places() -> None:
    game = random_game(Random(7))
    other = with_mano(game, "B")
    assert with_mano(game, "A") is game
    assert with_mano(other, "A") == game
    winners = {str(end_of(each).game.winner) for each in (game, other)}
    assert winners == {"A", "B"}
