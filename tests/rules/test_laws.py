"""The laws hold in every state of the short list; laws.py walks the full list."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, product

import pytest

from scorer.rules import (
    Action,
    Game,
    Refusal,
    Side,
    Step,
    alphabet,
    apply,
    attempt,
    find_variant,
    variant_ids,
)
from scorer.rules.perft import states
from scorer.rules.perft_pins import other_values
from tests.rules import law_starts, law_view, laws, pairwise, points_laws, seat_symmetry, state_laws
from tests.rules.notation import deal, play
from tests.sampling import amount, sample

CASES = [
    case._replace(steps=min(case.steps, amount(4, law_starts.NO_LIMIT)))
    for case in sample(law_starts.quick_cases(), 1, by=lambda case: case.variant, turn=1)
]


@pytest.mark.sampled(7)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_laws_hold_in_every_state(
    case: law_starts.Case, record_property: Callable[[str, object], None]
) -> None:
    began = time.process_time()
    walk = laws.check_case(case)
    # Reported at the end of the run, not asserted.
    record_property("states", walk.states)
    record_property("seconds", time.process_time() - began)


def reasons_in(game: Game) -> set[Refusal]:
    """Every refusal in the hand of ``game``, and one penalty away from it."""
    found: set[Refusal] = set()
    for state in states(game):
        own, foreign = law_view.all_words(state.rules)
        for step in (*own, *foreign, *alphabet(state)):
            answer = attempt(state, step)
            if isinstance(answer, Refusal):
                found.add(answer)
    return found


def test_every_reason_for_a_refusal_is_reachable() -> None:
    """An unreachable reason would be an untested rule."""
    found = reasons_in(deal("argentine_flor", "29-29"))
    found |= reasons_in(deal("paulista", "11-4"))
    found |= reasons_in(deal("paulista", "9-8", no_useless_raise=True))
    found |= reasons_in(deal("venezuelan", "23-22"))
    assert found == set(Refusal) - state_laws.OF_THE_RECORD


def test_a_tie_in_time_is_the_only_tie() -> None:
    assert Refusal.TIED in reasons_in(deal("mineiro", "4-4"))


# Each law fails on a state that breaks it.


def broken_by(law: state_laws.Law, view: law_view.StateView) -> bool:
    try:
        law(view)
    except AssertionError:
        return True
    return False


def test_a_wrong_document_breaks_a_law() -> None:
    seen = law_view.state_view(apply(deal("argentine"), Step(Side.A, Action.TRUCO)))
    for key, wrong in (("pending", None), ("stake", 0), ("spoken", {}), ("last", [])):
        bad = replace(seen, document={**seen.document, key: wrong})
        assert any(broken_by(law, bad) for law in state_laws.LAWS), f"{key}={wrong} went unseen"


@pytest.mark.parametrize(
    ("variant", "steps"),
    [("gaucho", ""), ("destantado", "A truco; B envido; A quiero"), ("pata_gallo", "pair envido")],
)
def test_a_wrong_refusal_breaks_a_law(variant: str, steps: str) -> None:
    seen = law_view.state_view(play(variant, steps))
    for step in dict(seen.accepted):
        bad = replace(seen, answers={**seen.answers, step: Refusal.TOO_LATE})
        assert any(broken_by(law, bad) for law in state_laws.LAWS), f"{step} went unseen"


@pytest.mark.parametrize(
    ("variant", "steps", "action", "law"),
    [
        ("mineiro", "", Action.HAND_WON, points_laws.the_stake_is_what_the_hand_pays),
        ("destantado", "", Action.HAND_WON, points_laws.the_stake_is_what_the_hand_pays),
        ("argentine", "", Action.FOLD, points_laws.a_fold_refuses_and_gives_the_hand_away),
        (
            "venezuelan",
            "A flor; B no_flor",
            Action.AWARD,
            points_laws.penalties_are_open_while_the_game_is,
        ),
        (
            "pata_gallo",
            "gallo envido; pair quiero; pair envido_won",
            Action.AWARD,
            points_laws.penalties_are_open_while_the_game_is,
        ),
    ],
)
def test_points_for_the_wrong_side_break_a_law(
    variant: str, steps: str, action: Action, law: state_laws.Law
) -> None:
    seen = law_view.state_view(play(variant, steps))
    one, other = [step for step, _ in seen.accepted if step.action is action][:2]
    wrong = {one: seen.answers[other], other: seen.answers[one]}
    assert not broken_by(law, seen)
    assert broken_by(law, replace(seen, answers={**seen.answers, **wrong}))


@pytest.mark.parametrize(
    ("variant", "steps", "action"),
    [
        ("pata_gallo", "gallo envido; pair quiero; gallo envido_won", Action.ENVIDO_REVERSED),
        ("argentine_flor", "A flor; B no_flor", Action.FLOR_REVERSED),
    ],
)
def test_a_reversal_without_payment_breaks_a_law(variant: str, steps: str, action: Action) -> None:
    seen = law_view.state_view(play(variant, steps))
    ((step, after),) = [each for each in seen.accepted if each[0].action is action]
    law = points_laws.a_lie_is_found_while_its_points_are_on_the_table
    for wrong in (Refusal.NOTHING_TO_REVERSE, after._replace(last_credits=after.last_credits[:1])):
        assert broken_by(law, replace(seen, answers={**seen.answers, step: wrong}))


@pytest.mark.parametrize(
    ("variant", "score"),
    [("argentine", "1-2"), ("pata_gallo", "1-2-2"), ("destantado", "3-4-5"), ("pica_pica", "1-2")],
)
def test_every_exchange_of_seats_exchanges_something(variant: str, score: str) -> None:
    game = deal(variant, score)
    assert seat_symmetry.mirrors(game)
    for mirror in seat_symmetry.mirrors(game):
        assert mirror.game(game) != game
    if variant == "pata_gallo":
        assert seat_symmetry.SWAP_CAMPS.game(game).score == (2, 1, 1)
        assert seat_symmetry.ROTATE_SEATS.game(game).score == (2, 1, 2)
        assert seat_symmetry.mirrors(deal(variant, "1-2-3")) == (seat_symmetry.ROTATE_SEATS,)


def test_a_rule_that_favours_a_side_breaks_a_law() -> None:
    """A step of A is judged as if B had made it."""
    for variant in ("argentine", "pata_gallo", "destantado"):
        seen = law_view.state_view(deal(variant))
        one, other = [s for s, _ in seen.accepted if s.action is Action.ENVIDO][:2]
        bad = replace(seen, answers={**seen.answers, one: seen.answers[other]})
        assert broken_by(state_laws.the_sides_are_treated_alike, bad)


# Contents of the full list.


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", variant_ids())
def test_every_value_of_every_option_makes_a_hand_in_the_full_list(name: str) -> None:
    wanted = {(o.key, v) for o in find_variant(name).options for v in other_values(o)}
    cases = (case for case in law_starts.full_cases() if case.variant == name)
    listed = {pair for case in cases for pair in case.start.options}
    assert listed == wanted


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", variant_ids())
def test_every_pair_of_values_is_in_the_full_list(name: str) -> None:
    values = {o.key: (o.default, *other_values(o)) for o in find_variant(name).options}
    defaults = {key: default for key, (default, *_) in values.items()}
    cases = [case for case in law_starts.full_cases() if case.variant == name]
    rows = [defaults | dict(case.start.options) for case in cases]
    met = {pair for row in rows for pair in pairwise.pairs_of(row.items())}
    for one, other in combinations(values, 2):
        for pair in product(values[one], values[other]):
            two = ((one, pair[0]), (other, pair[1]))
            contrary = law_starts.contradict(*two) or law_starts.contradict(*reversed(two))
            assert contrary or two in met
