"""Every value of every option (rules.md#options) makes a difference.

Each row is a hand with its results for the default and for the other value, both worked out from
the reference. Values that a variant does not allow are refused with a sentence.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from scorer.rules import (
    Phase,
    Refusal,
    RulesError,
    Side,
    Start,
    Step,
    apply,
    attempt,
    find_variant,
    new_game,
    parse_step,
    phase_of,
    rules_for,
    variant_ids,
)
from scorer.rules.actions import Action
from scorer.rules.document import spoken_score
from scorer.rules.model import HandKind
from scorer.rules.options import Value, value_text
from scorer.rules.seating import Seats
from tests.rules.notation import deal, document_value, play, points, values
from tests.rules.variant_words import for_three, in_variant_words
from tests.rules.variants import Row, names_of, rulebook
from tests.sampling import sample

_FLOR_AR = (
    "flor_vs_flor me_achico contraflor_refused resto resto_refused_direct "
    "resto_refused_after_contra"
)


def keys_of(name: str) -> list[str]:
    """The keys of the variant's options."""
    return [option.key for option in find_variant(name).options]


EVERY_KEY = sorted({key for name in variant_ids() for key in keys_of(name)})

TO_30: tuple[tuple[str, Value], ...] = (("target", 30),)
_TWO_FLORES = "A flor; A flor; B flor; A flor_won"
_CONTRA_RESTO = "A flor; B contraflor; A contraflor_resto; B no_quiero"
_RESTO = "A flor; B contraflor_resto; A quiero; A flor_won"
_FALTA = "A falta_envido; B quiero; B envido_won"
_ARGENTINE = "argentine argentine_flor pica_pica"
_FLOR_OWN = "argentine_flor pica_pica pata_gallo uruguayan venezuelan"
_FLOR_FIXED = "argentine_flor pica_pica pata_gallo"

ROWS = (
    # rules.md#tricks: three tied tricks go to the mano, or are not paid.
    Row("tied", "none", "- all_tied", "1-0", "0-0",
        only=f"{_ARGENTINE} uruguayan venezuelan valencian"),
    Row("tied", "none", "- all_tied", "0-1", "0-0", only="pata_gallo"),
    Row("tied", "mano", "- all_tied", "0-0", "1-0", only="gaucho paulista br_general"),
    Row("tied", "mano", "- all_tied", "0-0", "2-0", only="mineiro"),
    Row("tied", "not_raiser", "A truco; B seis; A quiero; - all_tied", "0-0", "6-0",
        only="paulista br_general mineiro"),
    # rules.md#settlement: the game ends at the target, or at the end of the hand.
    Row("finish", "end_of_hand", "A award 3; B hand_won", "GAME_OVER", "30-4 A", "27-3",
        "argentine argentine_flor pica_pica pata_gallo uruguayan venezuelan gaucho valencian "
        "paulista br_general", TO_30),
    Row("finish", "end_of_hand", "A award 3; B hand_won", "GAME_OVER", "30-5 A", "27-3",
        "mineiro", TO_30),
    # rules.md#targets: with malas nine all is the match; without, what the leader needs.
    Row("buenas", False, _FALTA, "9-30 B", "9-26", "9-5",
        f"{_ARGENTINE} valencian", TO_30),
    Row("buenas", True, _FALTA, "6-13", "6-15 B", "6-4",
        f"{_ARGENTINE} valencian", (("target", 15),)),
    Row("buenas", False, _FALTA, "9-11", "9-26", "9-5",
        "uruguayan gaucho venezuelan", (*TO_30, ("falta", "leader_half"))),
    Row("buenas", True, _FALTA, "5-14", "5-6", "5-4",
        "uruguayan gaucho venezuelan", (("target", 15), ("falta", "leader_half"))),
    # 3: exactly on the half.
    Row("half_inclusive", "buenas", _FALTA, "15-30 B", "15-24", "15-9",
        f"{_ARGENTINE} valencian", TO_30),
    Row("half_inclusive", "buenas", _FALTA, "15-30 B", "15-24", "15-9",
        "uruguayan gaucho venezuelan", (*TO_30, ("falta", "malas_match"))),
    # rules.md#envido-refused: the calls before the refused one, or one more.
    Row("envido_refused", "plus_one", "A envido; B real_envido; A no_quiero", "0-2", "0-3",
        only=f"{_ARGENTINE} pata_gallo uruguayan gaucho"),
    Row("envido_refused", "plus_one", "A envit; B torne; A no_quiero", "0-2", "0-3",
        only="valencian"),
    Row("envido_refused", "plus_one", "A envido; B envido; A no_quiero", "0-2", "0-3",
        only="venezuelan"),
    Row("real_envido_again", True, "A real_envido; B real_envido; A no_quiero",
        "OUT_OF_ORDER", "0-3"),
    # UY5: "5 de envido".
    Row("free_envido", True, "A envido 5; B quiero; A envido_won", "NOT_IN_THIS_VARIANT", "5-0"),
    # GA 36: with two points to play for a bid of five counts two.
    Row("falta_cap", False, "A envido 5; B quiero; B envido_won", "38-32", "38-35", "38-30",
        options=(("free_envido", True),)),
    # rules.md#falta-floor: the side behind takes what the falta raised.
    Row("falta_floor", True, "A envido; B real_envido; A falta_envido; B quiero; B envido_won",
        "29-5", "29-9", "29-4", only=f"{_ARGENTINE} uruguayan pata_gallo", options=TO_30),
    Row("falta_floor", True, "A envido; B real_envido; A falta_envido; B quiero; A envido_won",
        "5-29", "9-29", "4-29", only="gaucho",
        options=(*TO_30, ("falta", "leader_to_target"))),
    Row("falta_floor", True, "A envido; B torne; A falta; B quiero; B envido_won",
        "17-5", "17-8", "17-4", only="valencian"),
    Row("falta_floor", True, "A envido 5; B falta_envido; A quiero; B envido_won",
        "22-12", "22-15", "22-10", only="venezuelan"),
    # rules.md#fold: folding while an envido could still be called.
    Row("fold_first", 1, "A fold", "0-2", "0-1", only=f"{_ARGENTINE} pata_gallo venezuelan"),
    Row("fold_first", 2, "A fold", "0-1", "0-2", only="uruguayan gaucho valencian"),
    # rules.md#flor-pays: the better flor is paid its own, both, four or six.
    Row("flor", True, "A flor; B no_flor", "NOT_IN_THIS_VARIANT", "3-0"),
    Row("flor_vs_flor", "per_flor", "A flor; B flor; A flor_won", "3-0", "6-0", only=_FLOR_OWN),
    Row("flor_vs_flor", "per_flor", _TWO_FLORES, "6-0", "9-0",
        only=_FLOR_OWN.replace("pata_gallo ", "")),
    Row("flor_vs_flor", "four", "A flor; B flor; A flor_won", "3-0", "4-0", only=_FLOR_OWN),
    Row("flor_vs_flor", "six", "A flor; B flor; A flor_won", "3-0", "6-0", only=_FLOR_OWN),
    Row("flor_vs_flor", "own", "A flor; B flor; A flor_won", "6-0", "3-0", only="gaucho"),
    Row("flor_vs_flor", "four", "A flor; B flor; A flor_won", "6-0", "4-0", only="gaucho"),
    Row("flor_vs_flor", "six", _TWO_FLORES, "9-0", "6-0", only="gaucho"),
    # rules.md#flor-value: each flor, and two of them for a contraflor.
    Row("flor_value", 4, "A flor; B no_flor", "3-0", "4-0"),
    Row("flor_value", 5, "A flor; B no_flor", "3-0", "5-0"),
    Row("flor_value", 4, "A flor; B contraflor; A quiero; B flor_won", "0-6", "0-8",
        only="argentine_flor pica_pica gaucho uruguayan"),
    Row("flor_value", 5, "A flor; B contraflor; A quiero; B flor_won", "0-6", "0-10",
        only="argentine_flor pica_pica pata_gallo gaucho uruguayan"),
    Row("flor_value", 5, "A flor; B contraflor; A no_quiero", "0-3", "0-5",
        only="argentine_flor pica_pica pata_gallo gaucho uruguayan"),
    # rules.md#resto-floor: the side behind takes what was refused else.
    Row("resto_floor", False, "A flor; B contraflor_resto; A quiero; B flor_won", "29-13", "29-11",
        "29-10", only="argentine_flor pica_pica pata_gallo gaucho", options=TO_30),
    Row("resto_floor", False, "A flor; B contraflor; A contraflor_resto; B quiero; B flor_won",
        "29-16", "29-11", "29-10", only="argentine_flor pica_pica pata_gallo gaucho",
        options=TO_30),
    Row("resto_floor", False, "A flor; B contraflor_resto; A quiero; B flor_won", "29-13", "29-11",
        "29-10", only="uruguayan", options=(*TO_30, ("resto", "leader_to_target"))),
    Row("me_achico", 4, "A flor; B me_achico", "3-0", "4-0"),
    Row("me_achico", 4, "A flor; A flor; B me_achico", "6-0", "7-0",
        only="argentine_flor pica_pica"),
    Row("me_achico", 4, "B flor; B flor; A me_achico", "0-6", "0-7", only="pata_gallo"),
    # One flor a player: rules.md#flor-count.
    Row("players", 2, "A flor; A flor; B no_flor", "6-0", "NO_MORE_FLORES"),
    Row("players", 6, "A flor; A flor; A flor; B no_flor", "NO_MORE_FLORES", "9-0"),
    Row("players", 4, "A flor; A flor; A flor; B no_flor", "9-0", "NO_MORE_FLORES",
        only="pica_pica", options=(("flor", True),)),
    Row("contraflor_refused", 4, "A flor; B contraflor; A no_quiero", "0-3", "0-4"),
    # GA 18, 23, 31: both announce, then bet; a contraflor takes all flores.
    Row("flor_announced", "compares", "A flor; B flor; A con_flor_envido; B no_quiero", "3-0",
        "WINNER_FIRST"),
    Row("flor_announced", "compares", "A flor; B flor; A fold; B flor_won", "0-4", "WINNER_FIRST"),
    Row("flor_bids", "all", "A flor; B con_flor_real_envido; A quiero; B flor_won",
        "NOT_IN_THIS_VARIANT", "0-6"),
    Row("con_flor_envido_pays", "six", "A flor; B con_flor_envido; A quiero; B flor_won", "0-5",
        "0-6"),
    Row("flor_bet_refused", "all", "A flor; B con_flor_envido; A no_quiero", "0-3", "0-6",
        options=(("flor_vs_flor", "per_flor"),)),
    Row("flor_over_refused", "annuls", "A envido; B no_quiero; B flor; A no_flor", "FLOR_CLOSED",
        "0-3"),
    Row("flor_over_refused", "annuls", "A envido 9; B envido_mas 2; A no_quiero; B flor; A no_flor",
        "FLOR_CLOSED", "0-3"),
    Row("contraflor_pays", "six", "A flor; A flor; B contraflor; A quiero; A flor_won", "9-0",
        "6-0"),
    Row("resto_refused_direct", 4, "A flor; B contraflor_resto; A no_quiero", "0-3", "0-4"),
    Row("resto_refused_after_contra", 3, _CONTRA_RESTO, "6-0", "3-0"),
    # The leader needs eight; A would need twenty-two; two flores are six more.
    Row("resto", "match", _RESTO, "16-22", "30-22 A", "8-22", f"{_FLOR_FIXED} gaucho", TO_30),
    Row("resto", "leader_plus_flor", _RESTO, "16-22", "22-22", "8-22", f"{_FLOR_FIXED} gaucho",
        TO_30),
    Row("resto", "leader_plus_contraflor", _RESTO, "16-22", "22-22", "8-22",
        f"{_FLOR_FIXED} gaucho", TO_30),
    Row("resto", "leader_to_target", _RESTO, "30-22 A", "16-22", "8-22", "uruguayan", TO_30),
    Row("resto", "leader_plus_flor", _RESTO, "30-22 A", "22-22", "8-22", "uruguayan", TO_30),
    Row("resto", "leader_plus_contraflor", _RESTO, "30-22 A", "22-22", "8-22", "uruguayan", TO_30),
    # 8: the gallo of the pair does not rotate.
    Row("gallo_fijo", True, "A hand_won; - new_hand; A hand_won", "1-1-0", "2-0-0"),
    # 12, 13: truco in the special hand; a useless raise; the last rungs.
    Row("mao_truco", "forbidden", "A mao_play; A truco", "11-7", "NO_RAISING_HERE", "11-4",
        "paulista"),
    Row("mao_truco", "lose_match", "A mao_play; A truco", "11-7", "11-12 B", "11-4", "paulista"),
    Row("mao_truco", "lose_hand", "A mao_play; A truco", "NO_RAISING_HERE", "11-7", "11-4",
        "br_general"),
    Row("mao_truco", "lose_match", "A mao_play; A truco", "NO_RAISING_HERE", "11-12 B", "11-4",
        "br_general"),
    Row("mao_truco", "forbidden", "A mao_play; A truco", "10-8", "NO_RAISING_HERE", "10-4",
        "mineiro"),
    Row("mao_truco", "lose_match", "A mao_play; A truco", "10-8", "10-12 B", "10-4", "mineiro"),
    Row("mao_run", 1, "A mao_run", "10-6", "10-5", "10-4"),
    Row("no_useless_raise", True, "B truco; A seis; B quiero; A hand_won", "15-8 A", "TOO_MUCH",
        "9-8", "paulista br_general"),
    Row("no_useless_raise", True, "B truco; A seis; B quiero; A hand_won", "14-6 A", "TOO_MUCH",
        "8-6", "mineiro"),
    Row("match_rung", True, "A truco; B seis; A nove; B doze; A vale_juego; B no_quiero",
        "NOT_IN_THIS_VARIANT", "12-0 A"),
    Row("mineiro_ladder", "2-4-8-10-12", "A truco; B seis; A quiero; B hand_won", "0-6", "0-8"),
    Row("mineiro_ladder", "2-4-6-9-12", "A truco; B seis; A nove; B quiero; A hand_won",
        "NOT_IN_THIS_VARIANT", "9-0"),
    # 9: a hand without truco goes to the pot, or to each rival.
    Row("destantado_plain_hand", "rivals", "A hand_won", "9-10-10", "8-11-11", "10-10-10"),
    # 11.6
    Row("cantando", False, "A envido; B quiero; A envido_won", "DECIDE_FIRST", "25-10 A", "23-10"),
    # 7: options of hands with duels.
    Row("pica_cap", "none", "A falta_envido; B quiero; B envido_won; A hand_won; A hand_won; "
        "A hand_won", "13-14", "13-30 B", "10-8", only="pica_pica"),
    Row("pica_cap", 10, "A falta_envido; B quiero; B envido_won; A hand_won; A hand_won; "
        "A hand_won", "13-14", "13-18", "10-8", only="pica_pica"),
    Row("pica_resto_cap", 10, "A flor; B contraflor_resto; A quiero; B flor_won; A hand_won; "
        "A hand_won; A hand_won", "13-28", "13-18", "10-8", only="pica_pica",
        options=(("flor", True),)),
    Row("pica_resto_cap", 12, "A flor; B contraflor_resto; A quiero; B flor_won; A hand_won; "
        "A hand_won; A hand_won", "13-28", "13-20", "10-8", only="pica_pica",
        options=(("flor", True),)),
    Row("pica_add", "live", "A hand_won", "29-29", "30-29 A", "29-29"),
    Row("duels", 2, "A hand_won; A hand_won", "10-8", "12-8", "10-8"),
)  # fmt: skip

# The rows above use the falta in the buenas; here nothing depends on a half (rules.md#falta).
NO_DIFFERENCE = {
    ("pata_gallo", "half_inclusive"): "its falta is what the leader lacks, six or the match",
    ("pata_gallo", "buenas"): "the halves are only spoken: see the law of the halves",
}

_IN_DUELS = frozenset(("pica_cap", "pica_resto_cap", "pica_add", "duels"))
_FLOR_KEYS = frozenset((*_FLOR_AR.split(), "flor_value", "resto_floor"))


def cases() -> Iterator[tuple[str, str, Value]]:
    """Every variant, option and other value, except numbers and the falta conventions."""
    for name in variant_ids():
        for option in find_variant(name).options:
            if option.key == "falta" or (name, option.key) in NO_DIFFERENCE:
                continue
            yield from ((name, option.key, v) for v in option.choices if v != option.default)


def rows_for(name: str, key: str, value: Value) -> list[Row]:
    """The rows for ``value`` in that variant: its own, else those of the table above."""
    book = rulebook(name)
    own = [row for row in book.rows if (row.key, row.value) == (key, value)]
    fitting = (row for row in ROWS if (row.key, row.value) == (key, value))
    names = names_of(name)
    return own or [row for row in fitting if not row.only or names & set(row.only.split())]


def comes_to(name: str, row: Row, chosen: dict[str, Value]) -> str:
    """The score and the winner of the game, or the refusal of a step of ``row``."""
    options = dict(row.options) | chosen
    if row.key in _IN_DUELS:
        options["hand_kind"] = "pica"
    if row.key in _FLOR_KEYS and find_variant(name).option("flor") is not None:
        options["flor"] = True
    game = deal(name, for_three(name, row.start), "A", **options)
    for text in row.steps.split("; "):
        answer = attempt(game, parse_step(in_variant_words(name, text), game.rules))
        if isinstance(answer, Refusal):
            return answer.value
        game = answer
    return points(game) + (f" {game.winner}" if game.winner else "")


@pytest.mark.parametrize(("name", "key", "value"), list(cases()))
def test_every_value_makes_the_difference_that_the_rulebook_says(
    name: str, key: str, value: Value
) -> None:
    rows = rows_for(name, key, value)
    assert rows, (
        f"no hand tells what {key}={value_text(value)} means in {name}: "
        f"write a Row, or like=, in tests/rules/variants/{name}.py"
    )
    for row in rows:
        assert row.default != row.other
        hint = f"if {name} pays otherwise: write its own Row in tests/rules/variants/{name}.py"
        assert comes_to(name, row, {}) == for_three(name, row.default), hint
        assert comes_to(name, row, {key: value}) == for_three(name, row.other), hint


def test_every_row_applies_to_a_variant() -> None:
    used = {id(row) for case in cases() for row in rows_for(*case)}
    own = (row for name in variant_ids() for row in rulebook(name).rows)
    assert [row for row in (*ROWS, *own) if id(row) not in used] == []


# ---- allowed values -----------------------------------------------------------------------------


FOREIGN = {n: [key for key in EVERY_KEY if key not in keys_of(n)] for n in variant_ids()}


@pytest.mark.parametrize("name", FOREIGN)
def test_an_option_of_another_variant_is_refused_with_the_nearest_or_all(name: str) -> None:
    for key in FOREIGN[name]:
        with pytest.raises(RulesError) as refused:
            rules_for(find_variant(name), {key: "3"})
        sentence = str(refused.value)
        head, _, hint = sentence.partition("; ")
        assert head == f"{name} has no option '{key}'"
        near = [f"did you mean '{known}'?" for known in keys_of(name)]
        assert hint in (*near, f"known are {', '.join(sorted(keys_of(name)))}")


@pytest.mark.parametrize("name", variant_ids())
def test_an_unknown_value_is_refused_with_the_allowed_ones(name: str) -> None:
    wrong_values = ("nonsense", -1, 100, 1.5, "")
    for key, wrong in product(keys_of(name), wrong_values):
        option = find_variant(name).option(key)
        assert option is not None
        with pytest.raises(RulesError) as refused:
            rules_for(find_variant(name), {key: str(wrong)})
        sentence = str(refused.value)
        assert sentence.startswith(f"{key}={wrong}: ")
        known = [value_text(value) for value in option.choices]
        assert all(value in sentence for value in known)
        assert known or f"from {option.low} to {option.high}" in sentence


@pytest.mark.parametrize("name", variant_ids())
def test_the_default_is_no_choice_and_text_is_as_good_as_a_value(name: str) -> None:
    plain = rules_for(find_variant(name))
    for option in find_variant(name).options:
        by_default = rules_for(find_variant(name), {option.key: option.default})
        assert (by_default is plain) is not option.follows
        for value in option.choices:
            by_text = rules_for(find_variant(name), {option.key: value_text(value)})
            assert by_text is rules_for(find_variant(name), {option.key: value})


# ---- numbers ------------------------------------------------------------------------------------


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", variant_ids())
def test_a_game_ends_at_any_target(name: str) -> None:
    """Every ``target`` from 1 to 99; the piles of destantado have that height."""
    alone = find_variant(name).seats is Seats.ALONE
    for target in range(1, 100):
        game = deal(name, target=target)
        assert document_value(game, "target") == target
        assert game.score == ((target,) * 3 if alone else (0,) * len(game.rules.scoring_sides))
        assert apply(game, Step(Side.A, Action.AWARD, target)).winner is Side.A
        if target > 1:
            assert apply(game, Step(Side.A, Action.AWARD, target - 1)).winner is None


def half_by_the_text(target: int, buenas: Value) -> int | None:
    """No half for 9, 12, 15 and odd targets, else target/2; or as chosen.

    Source: rules.md#targets.
    """
    if buenas is False or (buenas == "auto" and (target in (9, 12, 15) or target % 2)):
        return None
    return target // 2 or None


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", variant_ids())
def test_the_halves_of_every_target_are_those_of_section_6(name: str) -> None:
    """Option ``buenas``; the half itself belongs to the malas."""
    if find_variant(name).option("buenas") is None:
        assert deal(name).rules.half is None
        return
    choices: tuple[Value, ...] = ("auto", True, False)
    for target, buenas in product(range(1, 100), choices):
        game = deal(name, target=target, buenas=buenas)
        half = half_by_the_text(target, buenas)
        assert document_value(game, "half") == half
        edges = {0, target // 2, target // 2 + 1, target - 1}.intersection(range(target))
        for score in {*edges, *sample(range(target), 2, turn=target)}:
            said: tuple[int, str | None] = (score, None)
            if half is not None:
                said = (score, "malas") if score <= half else (score - half, "buenas")
            told = apply(game, Step(Side.A, Action.CORRECT, score)) if score else game
            assert spoken_score(told, Side.A) == said


@pytest.mark.sampled
@pytest.mark.parametrize("name", variant_ids())
def test_a_series_is_won_by_its_bigger_half(name: str) -> None:
    """Every odd ``best_of`` from 1 to 99; even numbers are not allowed."""
    game = deal(name)
    points_to_win = game.rules.target
    for best_of in sample(range(1, 100), 24):
        if best_of % 2 == 0:
            with pytest.raises(RulesError, match="an odd number from 1 to 99"):
                rules_for(find_variant(name), {"best_of": best_of})
            continue
        game = deal(name, best_of=best_of)
        for _ in range(best_of // 2):
            game = apply(game, Step(Side.A, Action.AWARD, points_to_win))
            assert phase_of(game) is Phase.GAME_OVER
            game = apply(game, Step(None, Action.NEW_HAND))
            assert game.score == game.rules.starting_score
        game = apply(game, Step(Side.A, Action.AWARD, points_to_win))
        assert (phase_of(game), game.winner) == (Phase.MATCH_OVER, Side.A)
        assert attempt(game, Step(None, Action.NEW_HAND)) is Refusal.GAME_OVER


@pytest.mark.parametrize("key", ["pica_from", "pica_until"])
def test_the_limits_of_the_duels_are_any_number(key: str) -> None:
    """Duels need a team at ``pica_from`` or more, and none above ``pica_until``.

    Source: rules.md#pica_pica.
    """
    plain = {"pica_from": 5, "pica_until": 20}
    for limit, best in product(range(100), (0, 4, 5, 12, 19, 20, 21, 29, 1)):
        chosen = {**plain, key: limit}
        rules = rules_for(find_variant("pica_pica"), {key: limit})
        game = new_game(Start(rules, (best, 0)))
        over = apply(game, Step(None, Action.FIRST_TRICK_DONE))
        over = apply(over, Step(Side.B, Action.FOLD))
        if over.winner is not None:
            continue
        leads = best + 1
        allowed = chosen["pica_from"] <= leads <= chosen["pica_until"]
        kind = apply(over, Step(None, Action.NEW_HAND)).hand.kind
        assert kind is (HandKind.PICA if allowed else HandKind.REDONDA), (limit, leads)


# ---- the first mano -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", [n for n in variant_ids() if n != "pata_gallo"])
def test_any_side_may_be_the_first_mano(name: str) -> None:
    """``mano`` is A by default and rotates: rules.md#mano."""
    sides = deal(name).rules.scoring_sides
    assert document_value(deal(name), "mano") == "A"
    for at, side in enumerate(sides):
        game = play(name, "A award 1", mano=side)
        assert document_value(game, "mano") == side
        if len(sides) == 2:
            over = apply(apply(deal(name, mano=side), Step(None, Action.ALL_TIED)), _DEAL)
            assert document_value(over, "mano") == sides[1 - at]


_DEAL = Step(None, Action.NEW_HAND)


def test_any_player_may_be_the_gallo_and_the_mano_follows() -> None:
    """rules.md#pata_gallo."""
    for gallo, mano in (("A", "B"), ("B", "C"), ("C", "A")):
        game = deal("pata_gallo", gallo=gallo)
        assert values(game, "gallo", "mano") == (gallo, mano)
