"""The laws of one state: properties that every state of every hand must have.

A law takes a state, everything that could be said in it, and its document, and asserts.
No example here is chosen by hand, and which states are looked at is not known here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from scorer.rules import (
    GAME,
    Action,
    Game,
    History,
    IllegalStep,
    Phase,
    Refusal,
    Rules,
    Side,
    Special,
    Step,
    Why,
    alphabet,
    apply,
    attempt,
    legal,
    phase_of,
    refusal,
    stake_of,
    state_document,
    step_text,
)
from scorer.rules.model import SIDELESS
from scorer.rules.perft import ENDS
from scorer.rules.score import scorers
from scorer.rules.variant import FlorStyle, Seats
from tests.rules import phase_table
from tests.rules.swapping import can_be_swapped, swapped_game, swapped_step

KEYS = frozenset(
    "version variant options sides target half score spoken games best_of hand hand_kind duel "
    "duel_points mano gallo pot phase stake pending suspended may_raise legal last winner".split()
)
LEFT_OUT_OF_LEGAL = frozenset((Action.CORRECT, Action.CONCEDE, Action.TIME))
REVERSALS = frozenset((Action.ENVIDO_REVERSED, Action.FLOR_REVERSED))
# Steps that are no play but may come between any two others.
INTERRUPTIONS = (*REVERSALS, Action.AWARD, Action.CORRECT)
# Told by the record of the steps, not by the rules.
OF_THE_RECORD = frozenset((Refusal.NOTHING_TO_UNDO, Refusal.NOTHING_TO_REDO))
_AMOUNTS: dict[Action, tuple[int | None, ...]] = {
    Action.AWARD: (1, 0),
    Action.ENVIDO: (None, 5),
    Action.ENVIDO_MAS: (2,),
    Action.FLOR_ENVIDA: (None, 3),
    Action.FLOR_ENVIDA_MAS: (None, 2),
    Action.FLOR_WON: (None, 1),
}
_SCORED = frozenset((Action.AWARD, Action.CORRECT, Action.CONCEDE))


class View(NamedTuple):
    """One state and everything that could be said in it."""

    game: Game
    answers: dict[Step, Game | Refusal]
    document: dict[str, Any]

    def accepted(self) -> Iterator[tuple[Step, Game]]:
        for step, answer in self.answers.items():
            if isinstance(answer, Game):
                yield step, answer


def view(game: Game) -> View:
    answers = {step: attempt(game, step) for step in (*every_word(game.rules), *alphabet(game))}
    return View(game, answers, state_document(game))


@lru_cache(maxsize=256)
def every_word(rules: Rules) -> tuple[Step, ...]:
    """All words of all variants, by everybody, with telling amounts and lists."""
    words: list[Step] = []
    for action in Action:
        if action in (Action.UNDO, Action.REDO):
            continue
        if action is Action.TRICKS:
            words += [Step(None, action, tricks=told) for told in _trick_lists(rules)]
        elif action in SIDELESS:
            words.append(Step(None, action))
        else:
            sides = rules.sides if action in _SCORED else rules.actors
            amounts = _AMOUNTS.get(action, (None,))
            if action is Action.CORRECT:
                amounts = (0, rules.target - 1, rules.target)
            words += [Step(side, action, amount) for side in sides for amount in amounts]
    return tuple(words)


def _trick_lists(rules: Rules) -> tuple[tuple[Side | None, ...], ...]:
    a, b, *_ = rules.actors
    return ((a,), (None,), (a, b), (b, b), (None, a), (a, b, None), (None,) * 3, (a, a, b))


# --- the laws of one state -----------------------------------------------------------------------


def a_live_game_has_a_legal_step(seen: View) -> None:
    offered = {step.action for step in legal(seen.game)}
    if phase_of(seen.game) is not Phase.MATCH_OVER:
        assert offered - {Action.AWARD} - REVERSALS, "nothing can be done"


def legal_is_what_is_not_refused(seen: View) -> None:
    offered = legal(seen.game)
    assert len(set(offered)) == len(offered), "a step is offered twice"
    accepted = dict(seen.accepted())
    assert offered == tuple(step for step in alphabet(seen.game) if step in accepted)
    pairs = {(step.side, step.action) for step in offered}
    for step, _ in seen.accepted():
        if step.action not in LEFT_OUT_OF_LEGAL:
            assert (step.side, step.action) in pairs, f"{step_text(step)} is accepted, not offered"


def a_refused_step_is_a_value(seen: View) -> None:
    before = seen.game._asdict()
    reasons = {why: step for step, why in seen.answers.items() if isinstance(why, Refusal)}
    for answer, step in reasons.items():
        assert refusal(seen.game, step) is answer
        try:
            apply(seen.game, step)
        except IllegalStep as error:
            assert error.why is answer
        else:
            raise AssertionError(f"{step_text(step)} is refused and applied")
    assert seen.game._asdict() == before


def points_come_with_a_credit(seen: View) -> None:
    game = seen.game
    for step, after in seen.accepted():
        credited = dict.fromkeys(game.rules.sides, 0)
        for credit in after.last:
            credited[credit.to] += credit.points
            assert credit.points != 0 or step.action in LEFT_OUT_OF_LEGAL, f"{credit} is empty"
            taken = step.action in REVERSALS or step.action is Action.CORRECT
            taken = taken or game.rules.seats is Seats.ALONE
            assert credit.points >= 0 or taken, f"{step_text(step)} takes points away"
        if step.action is Action.NEW_HAND and game.winner is not None:
            assert after.score == game.rules.start
            continue
        if game.hand.duels and not game.rules.pica_live:
            duels_are_paid_together(game, step, after)
            continue
        expected = tuple(
            points + credited[side]
            for side, points in zip(game.rules.sides, game.score, strict=True)
        )
        assert after.score == expected, f"{step_text(step)}: {game.score} -> {after.score}"


def duels_are_paid_together(game: Game, step: Step, after: Game) -> None:
    """The board moves for a penalty, and by all three duels at once when the last one is over."""
    on_board = after.paid if after.number == game.number else ()
    credits = [credit for payment in on_board for credit in payment]
    if after.hand.over:
        credits += [credit for duel in after.hand.duels for credit in duel]
    for side, base, points in zip(game.rules.sides, after.base, after.score, strict=True):
        paid = sum(credit.points for credit in credits if credit.to is side)
        assert points == base + paid, f"{step_text(step)}: {side} has {points}"


def the_sides_are_treated_alike(seen: View) -> None:
    if not can_be_swapped(seen.game.rules):
        return
    mirror = swapped_game(seen.game)
    assert swapped_game(mirror) == seen.game
    for step, answer in seen.answers.items():
        other = attempt(mirror, swapped_step(step))
        if isinstance(answer, Refusal):
            assert other is answer, f"{step_text(step)}: {answer}, the other side: {other}"
        else:
            assert other == swapped_game(answer), f"{step_text(step)} is not the same for both"


def a_suspended_truco_comes_back(seen: View) -> None:
    waiting = seen.document["suspended"]
    if waiting is None:
        return
    assert waiting["by"] is seen.game.hand.truco.caller
    for step, after in seen.accepted():
        if phase_of(after) in ENDS:
            continue
        document = state_document(after)
        still = document["suspended"] == waiting
        pending = document["pending"] or {}
        back = {"by": pending.get("by"), "call": pending.get("call")} == waiting
        assert still or back, f"{step_text(step)} forgets {waiting}"


def after_the_match_only_lies_are_found(seen: View) -> None:
    if phase_of(seen.game) is Phase.MATCH_OVER:
        assert {step.action for step, _ in seen.accepted()} <= REVERSALS


def piles_and_pot_hold_what_they_held(seen: View) -> None:
    rules = seen.game.rules
    if rules.seats is Seats.ALONE:
        assert min(seen.game.score) >= 0
        assert sum(seen.game.score) + seen.document["pot"] == 3 * rules.target
        assert seen.document["pot"] >= 0


def duels_are_written_when_they_are_over(seen: View) -> None:
    game, told = seen.game, seen.document["duel_points"]
    if told is not None:
        board = sum(credit.points for payment in game.paid for credit in payment)
        assert sum(game.score) == sum(game.base) + board
        assert sum(told.values()) == sum(c.points for duel in game.hand.duels for c in duel)


def the_winner_has_reached_the_target(seen: View) -> None:
    game = seen.game
    if game.rules.seats is Seats.ALONE:
        there = [s for s, n in zip(game.rules.sides, game.score, strict=True) if n == 0]
        if game.conceded_to is None:
            assert there == ([game.winner] if game.winner else [])
        return
    there = [s for s, n in zip(game.rules.sides, game.score, strict=True) if n >= game.rules.target]
    if game.winner is not None and game.conceded_to is None:
        assert game.winner in there
    if game.winner is None and game.rules.finish == "immediate":
        if game.hand.over and game.hand.duels and game.score.count(max(game.score)) > 1:
            return  # both arrived with the same points: another hand
        assert not there, f"{there} stands past the target and plays on"


def undo_is_the_exact_inverse(seen: View) -> None:
    for step, after in seen.accepted():
        history = History(seen.game)
        assert history.play(Step(None, Action.UNDO)) is Refusal.NOTHING_TO_UNDO
        assert history.play(step) is None
        assert history.game == after
        assert history.play(Step(None, Action.REDO)) is Refusal.NOTHING_TO_REDO
        assert history.play(Step(None, Action.UNDO)) is None
        assert history.game == seen.game
        assert history.play(Step(None, Action.REDO)) is None
        assert history.game == after
        assert history.steps == (step,)


def the_document_is_what_the_contract_says(seen: View) -> None:
    document, game = seen.document, seen.game
    assert set(document) == KEYS
    assert document == state_document(game), "two readings differ"
    written = json.loads(json.dumps(document, sort_keys=True))
    assert written["phase"] == phase_of(game)
    pending = {Phase.PENDING_ENVIDO, Phase.PENDING_TRUCO, Phase.PENDING_FLOR, Phase.PENDING_PRIVO}
    shows = phase_of(game) in pending
    assert (document["pending"] is not None) == shows, f"pending: {document['pending']}"
    assert document["stake"] == "game" or document["stake"] >= 1
    told = {"-" if step.side is None else step.side for step in legal(game)}
    assert told == {side for side, _ in document["legal"]}
    assert [tuple(pair) for pair in written["legal"]] == list(
        dict.fromkeys((str(s.side or "-"), str(s.action)) for s in legal(game))
    )
    credits = [credit._asdict() for credit in game.last]
    assert document["last"] == (credits or None)


def what_is_said_adds_up_to_the_score(seen: View) -> None:
    rules, half = seen.game.rules, seen.game.rules.half
    for side, points in zip(rules.sides, seen.game.score, strict=True):
        said, word = seen.document["spoken"][side]
        assert word in (("malas", "buenas") if half else (None,))
        full = said + (half or 0) if word == "buenas" else said
        assert full == min(points, rules.target)
        assert said >= 1 if word == "buenas" else half is None or said <= half


def pending_says_what_the_answers_pay(seen: View) -> None:
    pending = seen.document["pending"]
    if pending is None:
        return
    if seen.game.rules.seats is Seats.ALONE or phase_of(seen.game) is Phase.PENDING_PRIVO:
        return  # three answers, or a word that is no call; the articles say what they pay
    caller = pending["by"]
    (answerer,) = [side for side in seen.game.rules.actors if side != caller]
    refused = seen.answers[Step(answerer, Action.NO_QUIERO)]
    assert isinstance(refused, Game)
    assert _paid(refused) == _owed(seen.game, caller, pending["no_quiero"])
    phase = phase_of(seen.game)
    if phase is Phase.PENDING_TRUCO:
        _wanted_truco_is_worth(seen, answerer, pending["quiero"])
        return
    plain = phase is Phase.PENDING_FLOR and pending["call"] == "flor"
    answer = Action.FLOR if plain else Action.QUIERO
    wanted = attempt(seen.game, Step(answerer, answer))
    told = Action.ENVIDO_WON if phase is Phase.PENDING_ENVIDO else Action.FLOR_WON
    assert isinstance(wanted, Game)
    for winner in seen.game.rules.actors:
        paid = attempt(wanted, Step(winner, told))
        assert isinstance(paid, Game)
        worth = pending["quiero"]
        expected = worth[winner] if isinstance(worth, dict) else worth
        assert _paid(paid) == _owed(seen.game, winner, expected)


def _wanted_truco_is_worth(seen: View, answerer: Side, worth: int | str) -> None:
    wanted = attempt(seen.game, Step(answerer, Action.QUIERO))
    assert isinstance(wanted, Game)
    assert state_document(wanted)["stake"] == worth
    for winner in seen.game.rules.actors:
        won = attempt(wanted, Step(winner, Action.HAND_WON))
        assert isinstance(won, Game)
        if worth == "game":
            waits = won.hand.won
            assert winner is (waits.to if waits else won.winner)
        else:
            assert _paid(won) == _owed(seen.game, winner, worth)


def _paid(game: Game) -> list[tuple[Side, int]]:
    """What the newest step paid, or what the tricks pay once the bet before them is told."""
    won = game.hand.won
    if won is not None:
        return [] if won.to is None else [(won.to, won.value)]
    return [(credit.to, credit.points) for credit in game.last]


def _owed(game: Game, winner: Side, points: Any) -> list[tuple[Side, Any]]:  # noqa: ANN401
    """Of a camp each has the points; who has privado and won has the prive stone before them."""
    stone = [(winner, 1)] if game.hand.privo is winner else []
    return [*stone, *((side, points) for side in scorers(game, winner))]


def the_stake_is_what_the_hand_pays(seen: View) -> None:
    stake = stake_of(seen.game)
    assert stake != 0
    assert (seen.document["stake"] == "game") == (stake <= GAME)
    if seen.game.rules.seats is Seats.ALONE:
        return
    for step, after in seen.accepted():
        if step.action is Action.HAND_WON:
            assert step.side is not None
            if stake > 0:
                assert _paid(after) == _owed(seen.game, step.side, stake)
            next_duel = len(after.hand.duels) > len(seen.game.hand.duels)
            assert phase_of(after) in ENDS or next_duel or after.hand.won is not None
        if step.action is Action.FOLD and stake > 0 and not _pending(seen.game):
            assert step.side is not None
            rival = seen.game.rules.other(step.side)
            hand = [n for to, n in _paid(after)][-1]
            assert hand == stake or after.winner is not None, f"{rival} has {hand}"


def _pending(game: Game) -> bool:
    return state_document(game)["pending"] is not None


def may_raise_are_those_who_may_call(seen: View) -> None:
    rungs = {rung.action for rung in seen.game.rules.ladder}
    callers = [
        side
        for side in seen.game.rules.actors
        if any(step.side is side and step.action in rungs for step, _ in seen.accepted())
    ]
    special = seen.game.hand.special is not Special.NONE
    assert seen.document["may_raise"] == ([] if special else callers)


def the_phase_table_holds(seen: View) -> None:
    if seen.game.rules.variant.id not in phase_table.VARIANTS:
        return
    accepted = {
        (step.side, step.action)
        for step, _ in seen.accepted()
        if step.action not in phase_table.OUTSIDE
    }
    expected = phase_table.possible(seen.game)
    assert accepted == expected, (
        f"in {phase_of(seen.game)} too much {sorted(map(str, accepted - expected))}, "
        f"missing {sorted(map(str, expected - accepted))}"
    )


def a_lie_is_found_while_its_points_are_on_the_table(seen: View) -> None:
    whys = {
        Action.ENVIDO_REVERSED: (Why.ENVIDO, Why.ENVIDO_REFUSED),
        Action.FLOR_REVERSED: (Why.FLOR, Why.FLOR_REFUSED),
    }
    rules = seen.game.rules
    if rules.seats in (Seats.GALLO, Seats.ALONE) or seen.game.hand.duels:
        return  # camps and duels: the articles say who has the points then
    paid = [credit for payment in seen.game.paid for credit in payment]
    for step in seen.answers:
        if step.action in REVERSALS and not isinstance(seen.answers[step], Game):
            mine = [c for c in paid if c.to is step.side and c.why in whys[step.action]]
            assert not mine, f"{step_text(step)} is refused with {mine} paid"
    for step, after in seen.accepted():
        if step.action in REVERSALS:
            mine = [c for c in paid if c.to is step.side and c.why in whys[step.action]]
            at = seen.game.rules.sides.index(step.side) if step.side else 0
            assert seen.game.score[at] - after.score[at] == sum(c.points for c in mine) > 0
            gone = step.action is Action.FLOR_REVERSED and rules.flor is FlorStyle.OPEN
            lost = sum(c.points for c in mine) if gone else 0
            assert sum(after.score) == sum(seen.game.score) - lost


def penalties_are_open_while_the_game_is(seen: View) -> None:
    open_ = seen.game.winner is None
    for step, answer in seen.answers.items():
        if step.action is Action.AWARD and step.amount:
            assert isinstance(answer, Game) == open_
            if isinstance(answer, Game):
                sings = phase_of(seen.game) in (Phase.CANTANDO, Phase.PENDING_PRIVO)
                assert answer.hand == seen.game.hand or sings
        if step.action is Action.CONCEDE:
            assert isinstance(answer, Game) == open_
            if isinstance(answer, Game):
                assert answer.winner not in (None, step.side)


Law = Callable[[View], None]
LAWS: tuple[Law, ...] = (
    a_live_game_has_a_legal_step,
    legal_is_what_is_not_refused,
    a_refused_step_is_a_value,
    points_come_with_a_credit,
    the_sides_are_treated_alike,
    a_suspended_truco_comes_back,
    after_the_match_only_lies_are_found,
    piles_and_pot_hold_what_they_held,
    duels_are_written_when_they_are_over,
    the_winner_has_reached_the_target,
    undo_is_the_exact_inverse,
    the_document_is_what_the_contract_says,
    what_is_said_adds_up_to_the_score,
    pending_says_what_the_answers_pay,
    the_stake_is_what_the_hand_pays,
    may_raise_are_those_who_may_call,
    the_phase_table_holds,
    a_lie_is_found_while_its_points_are_on_the_table,
    penalties_are_open_while_the_game_is,
)
