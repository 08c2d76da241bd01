"""Laws of one state: properties that every state of every hand must have.

A law takes a state, every possible step, and its document, and asserts.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from scorer.rules import (
    Action,
    Game,
    History,
    IllegalStep,
    Phase,
    Refusal,
    Special,
    Step,
    alphabet,
    apply,
    attempt,
    phase_of,
    refusal,
    state_document,
    step_text,
)
from scorer.rules.document import pending_call, suspended_call
from scorer.rules.model import Truco
from scorer.rules.perft import ENDS
from scorer.rules.seating import Seats
from tests.rules import destantado_laws, phase_table, points_laws
from tests.rules.law_view import LEFT_OUT_OF_LEGAL, REVERSALS, StateView
from tests.rules.seat_symmetry import mirrors, normalized

KEYS = frozenset(
    "version variant options sides target half score spoken games best_of hand hand_kind duel "
    "duel_points mano gallo pot phase stake pending suspended may_raise legal last winner".split()
)
# Returned by the history of steps, not by the rules.
OF_THE_RECORD = frozenset((Refusal.NOTHING_TO_UNDO, Refusal.NOTHING_TO_REDO))
# Legal when the game or hand is over.
_NEXT = frozenset((Action.NEW_HAND,))
_OF_THE_SCORE = LEFT_OUT_OF_LEGAL | {Action.AWARD}
_WHEN_OVER = {
    Phase.HAND_OVER: _NEXT | REVERSALS | _OF_THE_SCORE,
    Phase.GAME_OVER: _NEXT | REVERSALS,
    Phase.MATCH_OVER: REVERSALS,
}


def a_live_game_has_a_legal_step(state: StateView) -> None:
    offered = {step.action for step in state.offered}
    if state.phase is not Phase.MATCH_OVER:
        assert offered - {Action.AWARD} - REVERSALS, "nothing can be done"


def legal_is_what_is_not_refused(state: StateView) -> None:
    offered = state.offered
    assert len(set(offered)) == len(offered), "a step is offered twice"
    accepted = dict(state.accepted)
    assert offered == tuple(step for step in alphabet(state.game) if step in accepted)
    pairs = {(step.side, step.action) for step in offered}
    for step in accepted:
        if step.action not in LEFT_OUT_OF_LEGAL:
            assert (step.side, step.action) in pairs, f"{step_text(step)} is accepted, not offered"


def a_refused_step_is_a_value(state: StateView) -> None:
    before = state.game._asdict()
    reasons = {why: step for step, why in state.answers.items() if isinstance(why, Refusal)}
    for answer, step in reasons.items():
        assert refusal(state.game, step) is answer
        try:
            apply(state.game, step)
        except IllegalStep as error:
            assert error.why is answer
        else:
            raise AssertionError(f"{step_text(step)} is refused and applied")
    assert state.game._asdict() == before


def the_sides_are_treated_alike(state: StateView) -> None:
    for mirror in mirrors(state.game):
        other_game = mirror.game(state.game._replace(last_credits=()))
        for step, answer in state.answers.items():
            if not mirror.commutes(state.game, step):
                continue
            other = attempt(other_game, mirror.step(step))
            if isinstance(answer, Refusal):
                assert other is answer, f"{step_text(step)}: {answer}, from the other seat: {other}"
                continue
            assert isinstance(other, Game), f"{step_text(step)} is refused from the other seat"
            mirrored = mirror.game(answer)
            alike = other == mirrored or normalized(other) == normalized(mirrored)
            assert alike, f"{step_text(step)} is not the same for {mirror.name}"


def a_suspended_truco_comes_back(state: StateView) -> None:
    waiting = state.document["suspended"]
    if waiting is None:
        return
    truco = state.game.hand.truco
    assert waiting == {"by": truco.caller, "call": state.game.rules.ladder[truco.rung].action}
    for step, after in state.accepted:
        if phase_of(after) in ENDS or len(after.hand.duels) > len(state.game.hand.duels):
            continue
        call = pending_call(after) or {}
        back = {"by": call.get("by"), "call": call.get("call")} == waiting
        kept = suspended_call(after) == waiting or back or _was_answered(state.game, after)
        assert kept, f"{step_text(step)} forgets {waiting}"


def _was_answered(game: Game, after: Game) -> bool:
    """A fold on the envido also answers the suspended truco: rules.md#destantado."""
    if game.rules.variant.seats is not Seats.ALONE or after.hand.bets[1].asked:
        return False
    truco = game.hand.truco
    return after.hand.truco == Truco(truco.rung + 1, truco.caller)


def when_it_is_over_nothing_is_played(state: StateView) -> None:
    possible = _WHEN_OVER.get(state.phase)
    if possible is not None:
        assert {step.action for step, _ in state.accepted} <= possible


def piles_and_pot_hold_what_they_held(state: StateView) -> None:
    rules = state.game.rules
    if rules.variant.seats is Seats.ALONE:
        assert min(state.game.score) >= 0
        assert sum(state.game.score) + state.document["pot"] == 3 * rules.target
        assert state.document["pot"] >= 0


def duels_are_written_when_they_are_over(state: StateView) -> None:
    game, told = state.game, state.document["duel_points"]
    if told is not None:
        board = sum(credit.points for payment in game.payments for credit in payment)
        assert sum(game.score) == sum(game.score_at_deal) + board
        assert sum(told.values()) == sum(c.points for duel in game.hand.duels for c in duel)


def the_winner_has_reached_the_target(state: StateView) -> None:
    game = state.game
    if game.conceded_to is not None:
        assert game.winner is game.conceded_to
        return
    score = dict(zip(game.rules.scoring_sides, game.score, strict=True))
    if game.rules.variant.seats is Seats.ALONE:
        assert [s for s, pile in score.items() if pile == 0] == ([game.winner] * bool(game.winner))
        return
    there = [side for side, points in score.items() if points >= game.rules.target]
    if game.winner is not None:
        assert game.winner in there
    elif game.rules.finish == "immediate":
        both = game.hand.over and bool(game.hand.duels) and len(set(game.score)) == 1
        # Duels (rules.md#pica_pica): after a tie past the target another hand is played.
        assert not there or both, f"{there} stands past the target and plays on"


def undo_is_the_exact_inverse(state: StateView) -> None:
    for step, after in state.accepted:
        history = History(state.game)
        assert history.play(Step(None, Action.UNDO)) is Refusal.NOTHING_TO_UNDO
        assert history.play(step) is None
        assert history.game == after
        assert history.play(Step(None, Action.REDO)) is Refusal.NOTHING_TO_REDO
        assert history.play(Step(None, Action.UNDO)) is None
        assert history.game == state.game
        assert history.play(Step(None, Action.REDO)) is None
        assert history.game == after
        assert history.steps == (step,)


def the_document_is_what_the_contract_says(state: StateView) -> None:
    document, game = state.document, state.game
    assert set(document) == KEYS
    written = json.loads(json.dumps(document, sort_keys=True))
    assert written["phase"] == state.phase
    shows = state.phase.startswith("pending")
    assert (document["pending"] is not None) == shows, f"pending: {document['pending']}"
    assert document["stake"] == "game" or document["stake"] >= 1
    assert [tuple(pair) for pair in written["legal"]] == list(
        dict.fromkeys((str(s.side or "-"), str(s.action)) for s in state.offered)
    )
    credits = [credit._asdict() for credit in game.last_credits]
    assert document["last"] == (credits or None)


def what_is_said_adds_up_to_the_score(state: StateView) -> None:
    rules, half = state.game.rules, state.game.rules.half
    assert set(state.document["spoken"]) == set(rules.scoring_sides)
    for side, points in zip(rules.scoring_sides, state.game.score, strict=True):
        said, word = state.document["spoken"][side]
        assert word in (("malas", "buenas") if half else (None,))
        full = said + (half or 0) if word == "buenas" else said
        # A score past the target is spoken as the target (rules.md#spoken); a pile may grow.
        assert full == (points if rules.variant.seats is Seats.ALONE else min(points, rules.target))
        assert said >= 1 if word == "buenas" else half is None or said <= half


def may_raise_are_those_who_may_call(state: StateView) -> None:
    rungs = {rung.action for rung in state.game.rules.ladder}
    called = {step.side for step, _ in state.accepted if step.action in rungs}
    callers = [side for side in state.game.rules.speaking_sides if side in called]
    # In a mão de onze calls are only accepted to be penalized (rules.md#special-hand).
    punished = state.game.hand.special in (Special.PLAYED, Special.IRON)
    assert state.document["may_raise"] == ([] if punished else callers)


def the_phase_table_holds(state: StateView) -> None:
    if state.game.rules.variant.id not in phase_table.VARIANTS:
        return
    accepted = {
        (step.side, step.action)
        for step, _ in state.accepted
        if step.action not in phase_table.NOT_IN_TABLE
    }
    expected = phase_table.possible_words(state.game)
    assert accepted == expected, (
        f"in {state.phase} too much {sorted(map(str, accepted - expected))}, "
        f"missing {sorted(map(str, expected - accepted))}"
    )


def the_mano_is_put_right_until_the_game_ends(state: StateView) -> None:
    """``- mano`` changes who leads, and nothing else (rules.md#mano-right)."""
    game, rules = state.game, state.game.rules
    for side in rules.scoring_sides:
        answer = state.answers[Step(side, Action.MANO)]
        if game.gallo is not None or game.winner is not None:
            foreign = game.gallo is not None
            assert answer is (Refusal.NOT_IN_THIS_VARIANT if foreign else Refusal.GAME_OVER)
            continue
        assert isinstance(answer, Game), f"{side} cannot be mano: {answer}"
        assert answer._replace(mano=game.mano) == game._replace(last_credits=())
        # The mano of the second duel is the other side: rules.md#pica_pica.
        others = rules.seating.next_side(side)
        assert state_document(answer)["mano"] == (others if state.document["duel"] == 2 else side)
        if state.phase is Phase.HAND_OVER and rules.variant.seats is not Seats.ALONE:
            assert apply(answer, Step(None, Action.NEW_HAND)).mano is others


Law = Callable[[StateView], None]
LAWS: tuple[Law, ...] = (
    a_live_game_has_a_legal_step,
    legal_is_what_is_not_refused,
    a_refused_step_is_a_value,
    points_laws.points_come_with_a_credit,
    points_laws.only_a_lie_or_a_shrinking_pile_loses_points,
    the_sides_are_treated_alike,
    a_suspended_truco_comes_back,
    when_it_is_over_nothing_is_played,
    piles_and_pot_hold_what_they_held,
    duels_are_written_when_they_are_over,
    the_winner_has_reached_the_target,
    undo_is_the_exact_inverse,
    the_document_is_what_the_contract_says,
    what_is_said_adds_up_to_the_score,
    points_laws.pending_says_what_the_answers_pay,
    points_laws.an_accepted_bet_pays_no_less_than_refused,
    destantado_laws.pass_the_envido,
    points_laws.the_stake_is_what_the_hand_pays,
    points_laws.a_fold_refuses_and_gives_the_hand_away,
    may_raise_are_those_who_may_call,
    the_phase_table_holds,
    points_laws.a_lie_is_found_while_its_points_are_on_the_table,
    points_laws.penalties_are_open_while_the_game_is,
    points_laws.corrections_change_one_score,
    points_laws.a_game_is_given_away_or_ends_on_time,
    the_mano_is_put_right_until_the_game_ends,
)
