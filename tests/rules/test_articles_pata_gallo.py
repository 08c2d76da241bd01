"""Pata de gallo, by rules.md#pata_gallo."""

from __future__ import annotations

import pytest

from scorer.rules import Action, Game, History, Refusal, Step, parse_step
from scorer.rules.notation import SheetError
from scorer.rules.sheet import header_of
from tests.rules.notation import deal, document_value, pays, play, play_on, points, values, why_not


def test_s1_three_scores_one_gallo() -> None:
    game = deal("pata_gallo")
    assert document_value(game, "score") == {"A": 0, "B": 0, "C": 0}
    assert values(game, "gallo", "mano") == ("A", "B")
    assert (game.rules.target, document_value(game, "half")) == (30, 15)


def test_s1_the_gallo_scores_alone_and_the_pair_each() -> None:
    assert points(play("pata_gallo", "gallo hand_won")) == "1-0-0"
    assert points(play("pata_gallo", "pair hand_won")) == "0-1-1"
    assert points(play("pata_gallo", "pair hand_won", gallo="B")) == "1-0-1"


def test_s1_the_gallo_goes_round() -> None:
    game = deal("pata_gallo", gallo="B")
    seen = []
    for _ in range(4):
        seen.append(values(game, "gallo", "mano"))
        game = play_on(game, "gallo hand_won; - new_hand")
    assert seen == [("B", "C"), ("C", "A"), ("A", "B"), ("B", "C")]


def test_aca_the_same_gallo_always() -> None:
    """Option ``gallo_fijo``."""
    game = play("pata_gallo", "gallo hand_won; - new_hand", gallo_fijo=True, gallo="C")
    assert values(game, "gallo", "mano") == ("C", "A")


@pytest.mark.parametrize("gallo", ["A", "B", "C"])
def test_ties_go_to_the_pair(gallo: str) -> None:  # rules.md#pata_gallo
    """The mano is the player after the gallo."""
    game = play("pata_gallo", "- all_tied", gallo=gallo)
    assert [n for s, n in document_value(game, "score").items() if s == gallo] == [0]
    assert sum(game.score) == 2
    assert points(play("pata_gallo", "- all_tied", gallo=gallo, tied="none")) == "0-0-0"


def test_tricks_are_won_by_the_gallo_or_the_pair() -> None:  # rules.md#pata_gallo
    assert points(play("pata_gallo", "- tricks gallo,tie")) == "1-0-0"
    assert points(play("pata_gallo", "- tricks gallo; - tricks gallo,pair,pair")) == "0-1-1"


@pytest.mark.parametrize(
    ("calls", "wanted", "refused"),
    [
        ("gallo truco", 2, 1),
        ("gallo truco; pair retruco", 3, 2),
        ("gallo truco; pair retruco; gallo vale_cuatro", 4, 3),
        ("gallo envido", 2, 1),
        ("pair real_envido", 3, 1),
        ("pair envido; gallo envido; pair real_envido", 7, 4),
    ],
)
# rules.md#pata_gallo
def test_ladder_and_envido_are_the_argentine_ones(calls: str, wanted: int, refused: int) -> None:
    game = play("pata_gallo", calls)
    assert pays(game) == (wanted, refused)
    assert document_value(game, "pending")["by"] in ("gallo", "pair")


@pytest.mark.parametrize(
    ("falta", "worth"),
    [("leader_to_target", 5), ("match", {"gallo": 20, "pair": 5}), ("fixed", 6)],
)
# rules.md#pata_gallo
def test_the_falta_is_what_the_leader_of_the_three_lacks(falta: str, worth: object) -> None:
    """Option ``falta``: the conventions that apply to three players."""
    assert pays(play("pata_gallo", "gallo falta_envido", "10-25-3", falta=falta))[0] == worth


def test_s1_the_first_to_the_target_wins() -> None:
    assert play("pata_gallo", "gallo hand_won", "29-28-3").winner == "A"
    assert play("pata_gallo", "pair hand_won", "29-28-29").winner == "C"


def test_both_of_the_pair_arrive_together() -> None:  # rules.md#pata_gallo
    """The higher score wins; in a tie the one nearer to the mano."""
    assert play("pata_gallo", "pair truco; gallo quiero; pair hand_won", "3-28-29").winner == "C"
    for gallo, winner in (("A", "B"), ("B", "C"), ("C", "A")):
        start = "-".join("3" if side == gallo else "29" for side in "ABC")
        assert play("pata_gallo", "pair hand_won", start, gallo=gallo).winner == winner


def test_the_envido_comes_first_and_may_end_the_game() -> None:  # rules.md#pata_gallo
    game = play("pata_gallo", "pair truco; gallo envido; pair quiero; gallo envido_won", "28-29-1")
    assert game.winner == "A"


def test_calls_are_made_by_camps_and_penalties_by_players() -> None:  # rules.md#pata_gallo
    """Calls are made by camps; penalties and winners name players."""
    game = play("pata_gallo", "C award 2")
    assert points(game) == "0-0-2"
    with pytest.raises(SheetError, match="award"):
        why_not(game, "gallo award 2")
    assert document_value(game, "last") == [{"to": "C", "points": 2, "why": "award"}]


def test_a_lie_of_the_pair_is_taken_from_both() -> None:  # rules.md#reversed
    game = play("pata_gallo", "pair envido; gallo quiero; pair envido_won; pair envido_reversed")
    assert points(game) == "2-0-0"
    game = play("pata_gallo", "gallo envido; pair quiero; gallo envido_won; gallo envido_reversed")
    assert points(game) == "0-2-2"


def test_folding() -> None:  # rules.md#fold
    """Option ``fold_first``."""
    assert points(play("pata_gallo", "gallo fold")) == "0-2-2"
    assert points(play("pata_gallo", "pair fold")) == "2-0-0"
    assert points(play("pata_gallo", "pair fold", fold_first=1)) == "1-0-0"


def test_flor_as_agreed() -> None:  # rules.md#pata_gallo
    """Option ``flor``; at most two flores per side."""
    assert why_not(deal("pata_gallo"), "gallo flor") is Refusal.NOT_IN_THIS_VARIANT
    assert points(play("pata_gallo", "pair flor; pair flor; gallo no_flor", flor=True)) == "0-6-6"


@pytest.mark.parametrize(
    ("key", "value", "steps", "score"),
    [
        ("flor_vs_flor", "own", "gallo flor; pair flor; gallo flor_won", "3-0-0"),
        ("flor_vs_flor", "per_flor", "gallo flor; pair flor; gallo flor_won", "6-0-0"),
        ("flor_vs_flor", "four", "gallo flor; pair flor; pair flor_won", "0-4-4"),
        ("flor_vs_flor", "six", "gallo flor; pair flor; pair flor_won", "0-6-6"),
        ("me_achico", 4, "gallo flor; pair me_achico", "4-0-0"),
        ("contraflor_refused", 4, "gallo flor; pair contraflor; gallo no_quiero", "0-4-4"),
        ("resto_refused_direct", 4, "gallo flor; pair contraflor_resto; gallo no_quiero", "0-4-4"),
        (
            "resto_refused_after_contra",
            3,
            "gallo flor; pair contraflor; gallo contraflor_resto; pair no_quiero",
            "3-0-0",
        ),
        (
            "resto",
            "leader_plus_flor",
            "gallo flor; pair contraflor_resto; gallo quiero; gallo flor_won",
            "36-0-0",
        ),
        (
            "resto",
            "leader_plus_contraflor",
            "gallo flor; pair contraflor_resto; gallo quiero; gallo flor_won",
            "36-0-0",
        ),
        (
            "resto",
            "match",
            "gallo flor; pair contraflor_resto; gallo quiero; gallo flor_won",
            "30-0-0",
        ),
    ],
)
# rules.md#options
def test_the_options_of_the_flor(key: str, value: str | int, steps: str, score: str) -> None:
    assert points(play("pata_gallo", steps, "", "A", flor=True, **{key: value})) == score


def test_the_other_options() -> None:  # rules.md#options
    """``envido_refused``, ``real_envido_again``, ``target``, ``best_of``, ``finish``."""
    steps = "gallo envido; pair real_envido; gallo no_quiero"
    assert points(play("pata_gallo", steps, envido_refused="plus_one")) == "0-3-3"
    game = play("pata_gallo", "gallo real_envido; pair real_envido", real_envido_again=True)
    assert pays(game) == (6, 3)
    assert deal("pata_gallo", target=15).rules.half is None
    assert deal("pata_gallo", buenas=False).rules.half is None
    game = play("pata_gallo", "gallo hand_won; - new_hand", "29-0-0", best_of=3)
    assert values(game, "points", "games", "gallo") == ("0-0-0", {"A": 1, "B": 0, "C": 0}, "B")
    steps = "gallo envido; pair quiero; gallo envido_won"
    assert play("pata_gallo", steps, "28-0-0", finish="end_of_hand").winner is None


def test_half_inclusive_never_changes_what_is_said() -> None:  # rules.md#half
    game = deal("pata_gallo", "15-16-0", half_inclusive="buenas")
    assert document_value(game, "spoken") == {
        "A": (15, "malas"),
        "B": (1, "buenas"),
        "C": (0, "malas"),
    }


@pytest.mark.parametrize(
    ("steps", "score"),
    [
        # rules.md#ladder: each refused rung pays the previous one to its caller.
        ("pair truco; gallo no_quiero", "0-1-1"),
        ("gallo truco; pair no_quiero", "1-0-0"),
        ("pair truco; gallo retruco; pair no_quiero", "2-0-0"),
        ("pair truco; gallo retruco; pair vale_cuatro; gallo no_quiero", "0-3-3"),
        ("pair truco; gallo retruco; pair vale_cuatro; gallo quiero; pair hand_won", "0-4-4"),
        # rules.md#envido-refused: a refused chain pays all calls but the last.
        ("gallo falta_envido; pair no_quiero; gallo hand_won", "2-0-0"),
        ("pair real_envido; gallo falta_envido; pair no_quiero; pair hand_won", "3-1-1"),
        ("pair envido; gallo real_envido; pair quiero; gallo envido_won; pair fold", "6-0-0"),
        # A fold on the envido pays its refusal and the hand before the truco: rules.md#fold.
        ("pair truco; gallo envido; pair fold", "2-0-0"),
        ("gallo envido; pair fold", "2-0-0"),
        # rules.md#precedence: the suspended truco resumes.
        ("gallo truco; pair envido; gallo quiero; pair envido_won; pair no_quiero", "1-2-2"),
    ],
)
def test_calls_and_refusals_belong_to_the_camps(
    steps: str, score: str
) -> None:  # rules.md#pata_gallo
    assert points(play("pata_gallo", steps)) == score


def test_either_camp_calls_first_and_only_the_other_answers() -> None:  # rules.md#pata_gallo
    for caller, other in (("gallo", "pair"), ("pair", "gallo")):
        for call in ("truco", "envido", "real_envido", "falta_envido"):
            game = play("pata_gallo", f"{caller} {call}")
            assert why_not(game, f"{caller} quiero") is Refusal.OWN_CALL
            assert why_not(game, f"{other} quiero") is None
        game = play("pata_gallo", f"{caller} truco; {other} quiero")
        assert document_value(game, "may_raise") == [other]
        assert why_not(game, f"{caller} retruco") is Refusal.NOT_YOUR_RAISE


def test_the_suspended_truco_belongs_to_a_camp() -> None:  # rules.md#pata_gallo
    game = play("pata_gallo", "pair truco; gallo envido")
    assert document_value(game, "suspended") == {"by": "pair", "call": "truco"}
    assert document_value(play_on(game, "pair no_quiero"), "pending")["by"] == "pair"


def test_the_gallo_determines_the_seats() -> None:  # rules.md#pata_gallo
    """The gallo determines the mano, so the tag is refused; ``gallo`` is A by default."""
    with pytest.raises(SheetError, match="Mano"):
        header_of([("Variant", "pata_gallo"), ("Mano", "B")])
    game = header_of([("Variant", "pata_gallo"), ("Options", "gallo=C")]).game()
    assert values(game, "gallo", "mano") == ("C", "A")
    assert document_value(header_of([("Variant", "pata_gallo")]).game(), "gallo") == "A"


def test_a_side_has_one_name_in_a_call_and_another_on_the_board() -> None:  # rules.md#pata_gallo
    for text in ("A truco", "B hand_won", "C fold", "gallo correct 3", "pair concede"):
        with pytest.raises(SheetError):
            why_not(deal("pata_gallo"), text)
    game = play("pata_gallo", "pair hand_won", gallo="C")
    assert [credit["to"] for credit in document_value(game, "last")] == ["A", "B"]


def test_conceding_gives_the_game_to_the_higher_of_the_others() -> None:
    for loser, winner in (("A", "C"), ("B", "C"), ("C", "B")):
        assert play("pata_gallo", f"{loser} concede", "3-9-12").winner == winner
    assert play("pata_gallo", "- time", "3-9-12").winner == "C"
    assert why_not(deal("pata_gallo", "3-12-12"), "- time") is Refusal.TIED


def test_with_the_same_gallo_always_the_pair_stays_a_pair() -> None:  # rules.md#pata_gallo
    """Option ``gallo_fijo``: the other two share one score."""
    game = deal("pata_gallo", gallo_fijo=True)
    steps = "pair hand_won; - new_hand; gallo hand_won; - new_hand; pair truco; gallo no_quiero"
    assert points(play_on(game, steps)) == "1-2-2"
    assert points(play("pata_gallo", steps, gallo_fijo=False)) == "1-3-1"


@pytest.mark.parametrize(
    ("key", "value", "steps", "score"),
    [
        ("fold_first", 2, "gallo fold", "0-2-2"),
        ("fold_first", 1, "gallo fold", "0-1-1"),
        ("fold_first", 2, "- first_trick_done; gallo fold", "0-1-1"),
        ("tied", "mano", "- all_tied", "0-1-1"),
        ("tied", "none", "- all_tied", "0-0-0"),
        ("envido_refused", "previous_sum", "gallo envido; pair real_envido; gallo fold", "0-3-3"),
        ("envido_refused", "plus_one", "gallo envido; pair real_envido; gallo fold", "0-4-4"),
        ("falta", "fixed", "gallo falta_envido; pair quiero; pair envido_won", "0-6-6"),
        ("falta", "match", "gallo falta_envido; pair quiero; pair envido_won", "0-30-30"),
        (
            "falta",
            "leader_to_target",
            "gallo falta_envido; pair quiero; pair envido_won",
            "0-30-30",
        ),
    ],
)
# rules.md#options
def test_each_value_of_an_option(key: str, value: str | int, steps: str, score: str) -> None:
    assert points(play("pata_gallo", steps, "", "A", **{key: value})) == score


@pytest.mark.parametrize(
    ("options", "half"),
    [
        ({}, 15),
        ({"buenas": True}, 15),
        ({"buenas": False}, None),
        ({"target": 24}, 12),
        ({"target": 12}, None),
        ({"target": 15, "buenas": True}, 7),
    ],
)
def test_halves(options: dict[str, int | bool], half: int | None) -> None:  # rules.md#defaults
    """Options ``target`` and ``buenas``."""
    assert document_value(deal("pata_gallo", "", "A", **options), "half") == half


def test_played_to_the_end_of_the_hand() -> None:  # rules.md#finish
    """Option ``finish``: past the target the higher total wins; a tie goes on."""
    steps = "pair envido; gallo quiero; gallo envido_won; pair truco; gallo quiero; pair hand_won"
    game = deal("pata_gallo", "28-27-20", finish="end_of_hand")
    assert (play_on(game, steps).winner, points(play_on(game, steps))) == ("A", "30-29-22")
    game = deal("pata_gallo", "28-29-20", finish="end_of_hand")
    assert (play_on(game, steps).winner, points(play_on(game, steps))) == ("B", "30-31-22")
    game = play_on(deal("pata_gallo", "28-28-20", finish="end_of_hand"), steps)
    assert (game.winner, points(game), document_value(game, "phase")) == (
        None,
        "30-30-22",
        "hand_over",
    )
    assert play_on(game, "- new_hand; gallo hand_won").winner == "B"
    # The two of the pair are not rivals: the one nearer to the mano wins (rules.md#pata_gallo).
    game = play_on(deal("pata_gallo", "3-28-28", finish="end_of_hand"), steps)
    assert (game.winner, points(game)) == ("B", "5-30-30")


LONG_HANDS = (
    "gallo truco; pair envido; gallo real_envido; pair quiero; pair envido_won; pair retruco; "
    "gallo quiero; gallo hand_won; pair envido_reversed; - new_hand; pair hand_won",
    "pair flor; gallo contraflor; pair quiero; gallo flor_won; gallo flor_reversed; B award 2; "
    "- tricks pair; - tricks pair,tie; - new_hand; gallo fold",
)


@pytest.mark.parametrize("steps", LONG_HANDS)
def test_every_step_is_taken_back_exactly(steps: str) -> None:
    history = History(deal("pata_gallo", flor=True))
    seen: list[Game] = []
    for text in steps.split("; "):
        seen.append(history.game)
        assert history.play(parse_step(text, history.game.rules)) is None, text
    for game in reversed(seen):
        assert history.play(Step(None, Action.UNDO)) is None
        assert history.game == game
    assert history.play(Step(None, Action.UNDO)) is Refusal.NOTHING_TO_UNDO


@pytest.mark.parametrize(
    ("gallo", "loser", "winner"),
    [("B", "B", "C"), ("A", "A", "B"), ("C", "A", "B"), ("B", "A", "C")],
)
def test_of_two_equal_rivals_the_one_nearer_to_the_mano_wins(
    gallo: str, loser: str, winner: str
) -> None:  # rules.md#penalties
    game = play("pata_gallo", f"{loser} concede", "10-10-10", gallo=gallo)
    assert game.winner == winner


def test_the_gallo_has_one_flor_and_the_pair_two() -> None:  # rules.md#flor-count
    gallo = play("pata_gallo", "gallo flor", flor=True)
    assert why_not(gallo, "gallo flor") is Refusal.NO_MORE_FLORES
    assert points(play("pata_gallo", "pair flor; pair flor; gallo no_flor", flor=True)) == "0-6-6"
