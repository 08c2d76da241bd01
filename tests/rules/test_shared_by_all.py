"""Rules shared by all variants (rules.md#all-variants): tricks, penalties, ends."""

from __future__ import annotations

import pytest

from scorer.rules import Game, Refusal, attempt, find_variant, parse_step, rules_for, variant_ids
from scorer.rules.options import Value
from scorer.rules.variant import Tied
from tests.rules.notation import deal, document_value, points
from tests.rules.variant_words import for_three, in_variant_words

TWO_CAMPS = tuple(name for name in variant_ids() if name != "destantado")
WITH_ENVIDO = tuple(name for name in TWO_CAMPS if find_variant(name).envido)
WITH_FLOR = tuple(name for name in TWO_CAMPS if find_variant(name).flor is not None)
TIES_ARE_NOBODYS = frozenset(n for n in TWO_CAMPS if rules_for(find_variant(n)).tied is Tied.NONE)


def play_as(name: str, steps: str, start: str = "0-0", **options: Value) -> Game:
    """The game after ``steps`` in the words of A and B; all must be legal."""
    game = deal(name, for_three(name, start), "A", **options)
    for text in steps.split("; "):
        answer = attempt(game, parse_step(_of_the_camps(name, text), game.rules))
        assert not isinstance(answer, Refusal), f"{text}: {answer}"
        game = answer
    return game


def envido_worth(name: str) -> int:
    """Points of an accepted envido."""
    return find_variant(name).envido[0].adds


def _of_the_camps(name: str, text: str) -> str:
    side, word, *rest = in_variant_words(name, text).split()
    if name == "pata_gallo" and word == "tricks":
        rest = [rest[0].replace("A", "gallo").replace("B", "pair")]
    return " ".join((side, word, *rest))


# rules.md#tricks, for every variant; None: the hand goes on. Three ties are tested below.
TRICKS = (
    ("A", None), ("tie", None), ("A,B", None), ("B,A", None), ("tie,tie", None),
    ("A,A", "A"), ("B,B", "B"), ("A,tie", "A"), ("B,tie", "B"), ("tie,A", "A"), ("tie,B", "B"),
    ("A,B,A", "A"), ("A,B,B", "B"), ("B,A,B", "B"), ("A,B,tie", "A"), ("B,A,tie", "B"),
    ("tie,tie,A", "A"), ("tie,tie,B", "B"),
)  # fmt: skip


@pytest.mark.parametrize("name", TWO_CAMPS)
def test_the_tricks_decide_the_hand(name: str) -> None:  # rules.md#tricks
    base = find_variant(name).base
    for results, winner in TRICKS:
        at_once = play_as(name, f"- tricks {results}")
        one_by_one = deal(name)
        parts = results.split(",")
        for count in range(1, len(parts) + 1):
            text = _of_the_camps(name, f"- tricks {','.join(parts[:count])}")
            answer = attempt(one_by_one, parse_step(text, one_by_one.rules))
            assert not isinstance(answer, Refusal)
            one_by_one = answer
        assert (at_once.score, at_once.hand.over) == (one_by_one.score, one_by_one.hand.over)
        assert at_once.hand.over == (winner is not None), results
        paid = {None: "0-0", "A": f"{base}-0", "B": f"0-{base}"}[winner]
        assert points(at_once) == for_three(name, paid), results


@pytest.mark.parametrize("name", TWO_CAMPS)
def test_three_ties_go_to_the_mano_or_are_not_paid(name: str) -> None:  # rules.md#tricks
    base = find_variant(name).base
    for steps in ("- tricks tie,tie,tie", "- all_tied"):
        game = play_as(name, steps)
        mano_wins = "0-1" if name == "pata_gallo" else f"{base}-0"  # the mano belongs to the pair
        assert points(game) == for_three(name, "0-0" if name in TIES_ARE_NOBODYS else mano_wins)
        assert document_value(game, "phase") == "hand_over"


@pytest.mark.parametrize("name", WITH_ENVIDO)
# rules.md#settlement
def test_the_envido_is_scored_before_the_truco_and_may_end_the_game(name: str) -> None:
    target = find_variant(name).option("target")
    assert target is not None
    end = int(target.default)
    start = f"{end - envido_worth(name)}-{end - 3}"
    game = play_as(name, "B truco; A envido; B quiero; A envido_won", start)
    assert (game.winner, document_value(game, "pending")) == ("A", None)
    assert points(game) == for_three(name, f"{end}-{end - 3}")


@pytest.mark.parametrize("name", WITH_ENVIDO)
# rules.md#reversed
def test_a_lie_about_the_envido_moves_exactly_what_it_was_paid(name: str) -> None:
    accepted, worth = "A envido; B quiero; A envido_won", envido_worth(name)
    for steps, before, after in (
        (accepted, f"{worth}-0", f"0-{worth}"),
        (f"A award 3; {accepted}; B award 1", f"{3 + worth}-1", f"3-{1 + worth}"),
    ):
        game = play_as(name, steps)
        assert points(game) == _each(name, steps, before)
        turned = play_as(name, f"{steps}; A envido_reversed")
        assert points(turned) == _each(name, steps, after)
        wrong = parse_step(_of_the_camps(name, "B envido_reversed"), game.rules)
        assert attempt(game, wrong) is Refusal.NOTHING_TO_REVERSE


@pytest.mark.parametrize("name", WITH_ENVIDO)
# rules.md#reversed
def test_a_refused_envido_shows_nothing_and_is_not_reversed(name: str) -> None:
    game = play_as(name, "A envido; B no_quiero")
    for side in ("A", "B"):
        lie = parse_step(_of_the_camps(name, f"{side} envido_reversed"), game.rules)
        assert attempt(game, lie) is Refusal.NOTHING_TO_REVERSE


def _each(name: str, steps: str, score: str) -> str:
    """An award goes to one player; what the pair wins goes to both."""
    three = for_three(name, score)
    if name == "pata_gallo" and "B award 1" in steps:
        first, second, _ = three.split("-")
        return f"{first}-{second}-{int(second) - 1}"
    return three


@pytest.mark.parametrize("name", WITH_ENVIDO)
# rules.md#reversed
def test_a_lie_is_found_until_the_next_deal_also_after_the_match(name: str) -> None:
    target = find_variant(name).option("target")
    assert target is not None
    end = int(target.default)
    steps = "A envido; B quiero; A envido_won"
    worth = envido_worth(name)
    won = play_as(name, steps, f"{end - worth}-4")
    assert won.winner == "A"
    turned = play_as(name, f"{steps}; A envido_reversed", f"{end - worth}-4")
    assert (turned.winner, points(turned)) == (None, for_three(name, f"{end - worth}-{4 + worth}"))
    assert document_value(turned, "phase") == "playing"
    later = play_as(name, f"{steps}; A hand_won; - new_hand")
    # The gallo of the last hand now belongs to the pair.
    again = parse_step(_of_the_camps(name, "A envido_reversed"), later.rules)
    assert attempt(later, again) is Refusal.NOTHING_TO_REVERSE


@pytest.mark.parametrize("name", WITH_FLOR)
# rules.md#reversed
def test_a_false_flor_goes_to_the_rival_or_is_only_deducted(name: str) -> None:
    """In Venezuela the points of a flor that is not shown are only deducted."""
    options: dict[str, Value] = {"flor": True} if find_variant(name).option("flor") else {}
    game = play_as(name, "A flor; B no_flor; A flor_reversed", "0-0", **options)
    assert points(game) == for_three(name, "0-0" if name == "venezuelan" else "0-3")


@pytest.mark.parametrize("name", TWO_CAMPS)
def test_an_award_only_adds_points(name: str) -> None:  # rules.md#award
    for steps in ("A truco", "A truco; B quiero", "- first_trick_done", "A hand_won"):
        before, after = play_as(name, steps), play_as(name, f"{steps}; B award 2")
        assert after.hand == before.hand
        moved = [b - a for a, b in zip(before.score, after.score, strict=True)]
        assert moved == [0, 2, 0][: len(moved)]


@pytest.mark.parametrize("name", TWO_CAMPS)
def test_folding_while_a_call_waits_refuses_it(name: str) -> None:  # rules.md#fold
    base = find_variant(name).base
    assert points(play_as(name, "A truco; B fold")) == for_three(name, f"{base}-0")
    assert points(play_as(name, "A truco; B quiero; - first_trick_done; B fold")) == for_three(
        name, f"{find_variant(name).ladders[0][1][0].value}-0"
    )


@pytest.mark.parametrize("name", WITH_ENVIDO)
# rules.md#fold
def test_a_fold_on_the_envido_pays_it_and_the_hand_before_the_truco(name: str) -> None:
    both = 1 + find_variant(name).base  # the refused envido, and the hand
    assert points(play_as(name, "A envido; B fold")) == for_three(name, f"{both}-0")
    assert points(play_as(name, "A truco; B envido; A fold")) == for_three(name, f"0-{both}")


@pytest.mark.parametrize("name", TWO_CAMPS)
def test_both_past_the_target_and_equal_play_another_hand(name: str) -> None:  # rules.md#settlement
    """Option ``finish=end_of_hand``: the higher total wins; pata de gallo breaks ties."""
    played = "A award 7; B award 6; A hand_won"
    game = play_as(name, played, "24-25", target=30, finish="end_of_hand")
    base = find_variant(name).base
    assert game.score[0] == 31 + base
    assert game.winner == "A"
    if name == "pata_gallo":
        return
    level = play_as(
        name, f"A award 6; B award {6 + base}; A hand_won", "24-24", target=30, finish="end_of_hand"
    )
    assert (level.winner, document_value(level, "phase")) == (None, "hand_over")
    assert level.score == (30 + base, 30 + base)
