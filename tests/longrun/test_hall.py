"""``make hall``: the presses of a match, and games with the sides exchanged."""

from __future__ import annotations

from scorer.rules import History, parse_step
from tests.longrun.hall.playing import OTHER, Game, with_mano
from tests.longrun.made_up_games import kept
from tests.longrun.recorded_games import header

GAME = kept("gaucho")[0]


def end_of(game: Game) -> History:
    """The sheet of a game after its last step."""
    sheet = History(header(game).game())
    for side, action in game["steps"]:
        assert sheet.play(parse_step(f"{side} {action}", sheet.game.rules)) is None
    return sheet


def test_with_the_other_mano_the_sides_change_places() -> None:
    other = with_mano(GAME, OTHER[GAME["options"]["mano"]])
    assert with_mano(GAME, GAME["options"]["mano"]) is GAME
    assert with_mano(other, GAME["options"]["mano"]) == GAME
    winners = {str(end_of(each).game.winner) for each in (GAME, other)}
    assert winners == {"A", "B"}
