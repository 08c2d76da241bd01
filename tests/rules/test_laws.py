"""The laws of the rules hold in every state of a short list of starts; laws.py walks a long one."""

from __future__ import annotations

import time
from collections.abc import Callable

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
    find,
    variant_ids,
)
from scorer.rules.perft import states
from scorer.rules.perft_pins import choices
from tests.rules import law_starts, laws, state_laws
from tests.rules.playing import deal

CASES = list(law_starts.quick_cases())


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_laws_hold_in_every_state(
    case: law_starts.Case, record_property: Callable[[str, object], None]
) -> None:
    began = time.process_time()
    walk = laws.check(case.game(), interrupted=case.interrupted)
    # How far and how long is told at the end of the run, never judged.
    record_property("states", walk.states)
    record_property("seconds", time.process_time() - began)


def reasons_in(game: Game) -> set[Refusal]:
    """Every reason for a refusal in the hand of ``game``, and one penalty away from it."""
    found: set[Refusal] = set()
    for state in states(game):
        for step in (*state_laws.every_word(state.rules), *alphabet(state)):
            answer = attempt(state, step)
            if isinstance(answer, Refusal):
                found.add(answer)
    return found


def test_every_reason_for_a_refusal_is_reachable() -> None:
    """A reason that no state gives is a rule that does not exist."""
    found = reasons_in(deal("argentine_flor", "29-29"))
    found |= reasons_in(deal("paulista", "11-4"))
    found |= reasons_in(deal("paulista", "9-8", no_useless_raise=True))
    assert found == set(Refusal) - state_laws.OF_THE_RECORD


def test_a_tie_in_time_is_the_only_tie() -> None:
    assert Refusal.TIED in reasons_in(deal("mineiro", "4-4"))


# A law that cannot be broken proves nothing: each is shown a state that breaks it.


def broken_by(law: state_laws.Law, view: state_laws.View) -> bool:
    try:
        law(view)
    except AssertionError:
        return True
    return False


def test_a_wrong_document_is_noticed() -> None:
    seen = state_laws.view(apply(deal("argentine"), Step(Side.A, Action.TRUCO)))
    for key, wrong in (("pending", None), ("stake", 0), ("spoken", {}), ("last", [])):
        bad = seen._replace(document={**seen.document, key: wrong})
        assert any(broken_by(law, bad) for law in state_laws.LAWS), f"{key}={wrong} went unseen"


def test_a_refusal_that_should_not_be_is_noticed() -> None:
    seen = state_laws.view(deal("gaucho"))
    for step in dict(seen.accepted()):
        bad = seen._replace(answers={**seen.answers, step: Refusal.TOO_LATE})
        assert any(broken_by(law, bad) for law in state_laws.LAWS), f"{step} went unseen"


def test_points_for_the_wrong_side_are_noticed() -> None:
    seen = state_laws.view(deal("mineiro"))
    won, lost = (Step(side, Action.HAND_WON) for side in (Side.A, Side.B))
    bad = seen._replace(answers={**seen.answers, won: seen.answers[lost], lost: seen.answers[won]})
    assert broken_by(state_laws.the_stake_is_what_the_hand_pays, bad)


@pytest.mark.parametrize("name", variant_ids())
def test_every_value_of_every_option_makes_a_hand_in_the_full_list(name: str) -> None:
    wanted = {(o.key, v) for o in find(name).options for v in choices(o)}
    cases = (case for case in law_starts.full_cases() if case.variant == name)
    listed = {pair for case in cases for pair in case.start.options}
    assert listed == wanted
