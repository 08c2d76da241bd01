"""A change of rules takes nothing that is on the table (rules.md#rule-change)."""

from __future__ import annotations

from scorer.rules import Action, Game, Side, Step, attempt, rules_for
from scorer.rules.deal import changed_deal, games_won, is_match_over
from scorer.rules.model import RuleChange
from scorer.rules.score import shown_scores
from tests.rules.notation import deal, play_on

NEW_HAND = Step(None, Action.NEW_HAND)


def with_target(game: Game, target: int, *, from_game: bool = False) -> Game:
    rules = rules_for(game.rules.variant, {**dict(game.rules.chosen), "target": target})
    return game._replace(change=RuleChange(rules, from_game))


def test_it_waits_for_the_hand_of_all_in_a_pica_hand() -> None:
    game = play_on(deal("pica_pica", "6-2"), "- pica; A truco; B quiero; A hand_won")
    game = play_on(with_target(game, 20), "B hand_won")
    assert changed_deal(game) is None
    game = play_on(game, "B hand_won")
    assert (game.hand.over, game.score) == (True, (8, 4))
    dealt = attempt(game, NEW_HAND)
    assert isinstance(dealt, Game)
    assert (dealt.rules.target, dealt.hand.kind, dealt.score) == (20, "redonda", (8, 4))


def test_the_hand_after_a_redonda_is_a_pica_hand_by_the_new_rules() -> None:
    over = play_on(deal("uruguayan_six", "6-2"), "A hand_won")
    for target, kind in ((40, "pica"), (12, "redonda")):  # pica_until is target // 2 - 1
        dealt = attempt(with_target(over, target), NEW_HAND)
        assert isinstance(dealt, Game)
        assert (dealt.rules.target, dealt.hand.kind) == (target, kind)


def test_a_target_that_the_hand_has_reached_stays_out_of_force() -> None:
    game = play_on(with_target(deal("argentine", "13-2"), 15), "A truco; B quiero; A hand_won")
    assert game.winner is None
    dealt = play_on(game, "- new_hand")
    assert (dealt.rules.target, shown_scores(dealt)) == (30, (15, 2))
    lower = play_on(game, "A correct 14")
    assert play_on(lower, "- new_hand").rules.target == 15


def test_a_series_keeps_its_games_and_takes_the_target_of_its_next_game() -> None:
    won = play_on(deal("argentine", "29-3", best_of=3), "A hand_won")
    assert (games_won(won), is_match_over(won)) == ((1, 0), False)
    for from_game in (True, False):
        dealt = attempt(with_target(won, 15, from_game=from_game), NEW_HAND)
        assert isinstance(dealt, Game)
        assert (dealt.rules.target, dealt.games, dealt.score) == (15, (1, 0), (0, 0))
        assert dealt.mano is Side.B
    running = with_target(deal("argentine", "3-3", best_of=3), 15, from_game=True)
    assert play_on(running, "A hand_won; - new_hand").rules.target == 30
