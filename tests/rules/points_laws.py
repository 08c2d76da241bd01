"""Laws of payments: announced stakes equal the payments, their sides and reasons.

The amounts are recomputed here from the reference (rules.md#all-variants) and from the visible
state, independently of the engine.
"""

from __future__ import annotations

from typing import Any

from scorer.rules import (
    GAME,
    Action,
    Credit,
    Game,
    Phase,
    PointsReason,
    Refusal,
    Rules,
    Side,
    Status,
    Step,
    attempt,
    phase_of,
    stake_of,
    step_text,
)
from scorer.rules.flor import refused_worth
from scorer.rules.model import DeferredAward, HandKind
from scorer.rules.offer import Bet, Offer, offer
from scorer.rules.perft import ENDS
from scorer.rules.score import scorers
from scorer.rules.seating import Seats
from scorer.rules.variant import FlorStyle
from tests.rules import destantado_laws
from tests.rules.law_view import LEFT_OUT_OF_LEGAL, REVERSALS, StateView

_ENVIDO = frozenset((PointsReason.ENVIDO,))  # a refused envido shows nothing
_FLOR = frozenset((PointsReason.FLOR, PointsReason.FLOR_REFUSED))
_PAID_AS = {Action.ENVIDO_REVERSED: _ENVIDO, Action.FLOR_REVERSED: _FLOR}
_OF_THE_TRICKS = frozenset(
    (PointsReason.HAND, PointsReason.FOLD, PointsReason.TRUCO_REFUSED, PointsReason.PRIVO)
)

Sums = list[tuple[Side, int]]


def points_come_with_a_credit(state: StateView) -> None:
    game = state.game
    for step, after in state.accepted:
        assert all(c.points for c in after.last_credits) or step.action in LEFT_OUT_OF_LEGAL
        if step.action is Action.NEW_HAND and game.winner is not None:
            assert after.score == game.rules.starting_score
        elif game.hand.duels and not game.rules.pica_live:
            _duels_are_paid_together(game, step, after)
        else:
            expected = tuple(
                points + sum(credit.points for credit in after.last_credits if credit.to is side)
                for side, points in zip(game.rules.scoring_sides, game.score, strict=True)
            )
            assert after.score == expected, f"{step_text(step)}: {game.score} -> {after.score}"


def _duels_are_paid_together(game: Game, step: Step, after: Game) -> None:
    """The score changes by penalties, and by all three duels at once after the last."""
    on_board = after.payments if after.hand_number == game.hand_number else ()
    credits = [credit for payment in on_board for credit in payment]
    if after.hand.over:
        credits += [credit for duel in after.hand.duels for credit in duel]
    for side, base, points in zip(
        game.rules.scoring_sides, after.score_at_deal, after.score, strict=True
    ):
        paid = sum(credit.points for credit in credits if credit.to is side)
        assert points == base + paid, f"{step_text(step)}: {side} has {points}"


def game_annuls(game: Game) -> bool:
    """True if a flor takes a refused envido back: rules.md#flor-over-refused."""
    return game.hand.envido.annullable is not None


def only_a_lie_or_a_shrinking_pile_loses_points(state: StateView) -> None:
    """Points are deducted only by a reversal or correction, or from a destantado pile."""
    alone = state.game.rules.variant.seats is Seats.ALONE
    for step, after in state.accepted:
        if step.action in REVERSALS or step.action is Action.CORRECT:
            continue
        losers = {(credit.why, credit.to) for credit in after.last_credits if credit.points < 0}
        if {why for why, _ in losers} == {PointsReason.ENVIDO_ANNULLED}:
            assert step.action is Action.FLOR and game_annuls(state.game)
            continue
        assert alone or not losers, f"{step_text(step)} takes points away"
        # The others receive them, or the pot: each bet has one loser.
        assert len(losers) == len({why for why, _ in losers})


def pending_says_what_the_answers_pay(state: StateView) -> None:
    pending = state.document["pending"]
    if pending is None:
        return
    if state.game.rules.variant.seats is Seats.ALONE:
        destantado_laws.owe_what_they_agreed_to(state, pending)
    elif state.phase is Phase.PENDING_PRIVO:
        _check_privo(state, pending)
    else:
        _check_two_sides(state, pending)


def _check_two_sides(state: StateView, pending: dict[str, Any]) -> None:
    caller, game = pending["by"], state.game
    (answerer,) = [side for side in game.rules.speaking_sides if side != caller]
    refused = state.after(answerer, Action.NO_QUIERO)
    assert _credited(refused) == _expected_credits(game, caller, pending["no_quiero"])
    if state.phase is Phase.PENDING_TRUCO:
        _wanted_truco_is_worth(state, answerer, pending["quiero"])
        return
    plain = state.phase is Phase.PENDING_FLOR and pending["call"] == "flor"
    wanted = state.answers[Step(answerer, Action.FLOR if plain else Action.QUIERO)]
    told = Action.ENVIDO_WON if state.phase is Phase.PENDING_ENVIDO else Action.FLOR_WON
    assert isinstance(wanted, Game)
    for winner in game.rules.speaking_sides:
        paid = attempt(wanted, Step(winner, told))
        assert isinstance(paid, Game)
        worth = pending["quiero"]
        expected = worth[winner] if isinstance(worth, dict) else worth
        assert _credited(paid) == _expected_credits(game, winner, expected)


def _wanted_truco_is_worth(state: StateView, answerer: Side, worth: int | str) -> None:
    wanted = state.after(answerer, Action.QUIERO)
    value = stake_of(wanted)
    assert worth == ("game" if value <= GAME else value)
    for winner in state.game.rules.speaking_sides:
        won = attempt(wanted, Step(winner, Action.HAND_WON))
        assert isinstance(won, Game)
        if worth == "game":
            _check_game_won(won, winner)
        else:
            assert _credited(won) == _expected_credits(state.game, winner, worth)


def _check_game_won(won: Game, winner: Side) -> None:
    """The winner wins the game, or takes what it lacked if the rival won first (2.4)."""
    rival, target = won.rules.rival_of(winner), won.rules.target
    if won.hand.deferred_award is not None:
        assert won.hand.deferred_award.to is winner
    elif max(won.score[won.rules.scoring_sides.index(s)] for s in scorers(won, rival)) < target:
        assert won.winner is winner
    else:
        assert won.rules.finish == "end_of_hand"
        assert won.score[won.rules.scoring_sides.index(winner)] >= target


def _check_privo(state: StateView, pending: dict[str, Any]) -> None:
    """2 if refused; else 3 and the prive stone, or the match: rules.md#cantando."""
    priver, singer = pending["by"], state.game.hand.decider
    assert singer is not None and priver is state.game.rules.rival_of(singer)
    refused = state.answers[Step(singer, Action.NO_QUIERO)]
    rules, at = state.game.rules, state.game.rules.scoring_sides.index(priver)
    if state.game.score[at] + pending["no_quiero"] >= rules.target:
        assert refused is Refusal.MUST_PLAY  # VEP 86
    else:
        assert isinstance(refused, Game)
        paid = [(priver, pending["no_quiero"], PointsReason.PRIVO)]
        assert [tuple(c) for c in refused.last_credits] == paid
        assert refused.hand.over
    wanted = state.after(singer, Action.QUIERO)
    won, lost = (attempt(wanted, Step(side, Action.HAND_WON)) for side in (priver, singer))
    assert isinstance(won, Game) and isinstance(lost, Game)
    assert {c.to for c in won.last_credits} == {priver}
    assert sum(c.points for c in won.last_credits) == pending["quiero"][priver]
    assert pending["quiero"][singer] == "game"
    assert lost.winner is singer


def an_accepted_bet_pays_no_less_than_refused(state: StateView) -> None:
    """A side that wins an accepted bet gets what its refusal would have paid it.

    Refused, a bet with flor pays the flores of its caller: those of the winner are compared.
    Exceptions are the options of rules.md#falta-floor and rules.md#resto-floor, switched off.
    """
    made, game = offer(state.game), state.game
    if made is None or not made.owed or made.yes is Action.FLOR or _may_pay_less(game, made):
        return
    for side, accepted in zip(game.rules.speaking_sides, made.accepted, strict=True):
        refused = made.refused
        if made.bet is Bet.FLOR and game.rules.flor is not FlorStyle.FIXED:
            refused = _refused_to(game, side)
        assert accepted <= GAME or accepted >= refused, (
            f"{side} gets {accepted} if it wins and {refused} if refused"
        )


def _may_pay_less(game: Game, made: Offer) -> bool:
    rules = game.rules
    if rules.variant.seats is Seats.ALONE:
        return True  # a flat falta of 6: rules.md#destantado
    adds_falta = {bid.action for bid in rules.bids if bid.adds == 0}
    if made.call in adds_falta or made.call is Action.CON_FLOR_FALTA_ENVIDO:
        return not rules.falta_floor
    return made.bet is Bet.FLOR and rules.flor is not FlorStyle.OPEN and not rules.resto_floor


def _refused_to(game: Game, side: Side) -> int:
    """What a refusal of the pending raise would pay ``side``, had it made it."""
    called = game._replace(hand=game.hand._replace(flor=game.hand.flor._replace(caller=side)))
    return refused_worth(called)


def _credited(game: Game) -> Sums:
    """What the latest step paid, or the deferred award of the tricks."""
    won = game.hand.deferred_award
    if won is not None:
        return [] if won.to is None else [(won.to, won.value)]
    return [(credit.to, credit.points) for credit in game.last_credits]


def _expected_credits(game: Game, winner: Side, points: Any) -> list[tuple[Side, Any]]:  # noqa: ANN401
    """In a camp each member is paid; a winning priver is paid the prive stone first."""
    # While a bet waits for its winner, the stone is not paid yet.
    waits = Status.ACCEPTED in (game.hand.envido.status, game.hand.flor.status)
    stone = [(winner, 1)] if game.hand.privo_by is winner and not waits else []
    return [*stone, *((side, points) for side in scorers(game, winner))]


def _in_points(game: Game, winner: Side, value: int) -> int:
    """``value`` in points; the whole game is what the winner lacks."""
    if value > 0:
        return value
    best = max(game.score[game.rules.scoring_sides.index(side)] for side in scorers(game, winner))
    return max(1, game.rules.target - best)


def the_stake_is_what_the_hand_pays(state: StateView) -> None:
    stake, game = stake_of(state.game), state.game
    assert stake != 0
    assert (state.document["stake"] == "game") == (stake <= GAME)
    for side in game.rules.speaking_sides:
        after = state.answers[Step(side, Action.HAND_WON)]
        if not isinstance(after, Game):
            continue
        if game.rules.variant.seats is Seats.ALONE:
            destantado_laws.pay_the_hand(game, side, after)
            continue
        if after.hand.deferred_award is not None:
            assert after.hand.deferred_award == DeferredAward(side, stake, PointsReason.HAND)
        else:
            assert _credited(after) == _expected_credits(game, side, _in_points(game, side, stake))
        next_duel = len(after.hand.duels) > len(game.hand.duels)
        assert phase_of(after) in ENDS or next_duel or after.hand.deferred_award is not None


def a_fold_refuses_and_gives_the_hand_away(state: StateView) -> None:
    game, rules = state.game, state.game.rules
    for side in rules.speaking_sides:
        after = state.answers[Step(side, Action.FOLD)]
        if not isinstance(after, Game):
            continue
        if rules.variant.seats is Seats.ALONE:
            destantado_laws.folds(state, side, after)
            continue
        rival, paid = rules.rival_of(side), list[Credit]()
        if state.document["pending"] is not None:
            refused = state.after(side, Action.NO_QUIERO)
            if state.phase is Phase.PENDING_TRUCO:
                assert after == refused, "to fold on a truco is to refuse it"
                continue
            assert after.last_credits[: len(refused.last_credits)] == refused.last_credits
            game, paid = refused, list(refused.last_credits)
        elif _envido_could_be_called(state):
            # A separate point, if the option says so: rules.md#fold.
            points = rules.fold_first - 1
            paid = [
                Credit(s, points, PointsReason.FOLD_ENVIDO) for s in scorers(game, rival) if points
            ]
        _the_hand_is_given_away(game, rival, paid, after)


def _the_hand_is_given_away(game: Game, rival: Side, paid: list[Credit], after: Game) -> None:
    stake = stake_of(game)
    if after.hand.deferred_award is not None:
        assert (after.hand.deferred_award, after.last_credits) == (
            DeferredAward(rival, stake, PointsReason.FOLD),
            tuple(paid),
        )
        return
    if after.winner is not None and list(after.last_credits) == paid:
        return  # the game ended before the hand was paid (2.4)
    owed = _expected_credits(game, rival, _in_points(game, rival, stake))
    stones = len(owed) - len(scorers(game, rival))
    whys = (*[PointsReason.PRIVO] * stones, *[PointsReason.FOLD] * (len(owed) - stones))
    named = [Credit(to, points, why) for (to, points), why in zip(owed, whys, strict=True)]
    assert list(after.last_credits) == [*paid, *named]


def _envido_could_be_called(state: StateView) -> bool:
    bids = {bid.action for bid in state.game.rules.bids}
    no_truco = state.phase is Phase.PLAYING and not state.game.hand.truco.rung
    return no_truco and any(step.action in bids for step, _ in state.accepted)


def a_lie_is_found_while_its_points_are_on_the_table(state: StateView) -> None:
    for step, answer in state.answers.items():
        if step.action in REVERSALS:
            assert step.side is not None
            if step.action is Action.ENVIDO_REVERSED and step.side is state.game.hand.privo_by:
                _check_priver_lied(state.game, step.side, answer)
                continue
            lied = _newest_points_taken(state.game, step.side, _PAID_AS[step.action])
            assert isinstance(answer, Game) == (lied > 0), f"{step_text(step)}: {lied} paid"
            if isinstance(answer, Game):
                _check_moved_to_rival(state.game, step, lied, answer)


def _check_priver_lied(game: Game, priver: Side, answer: Game | Refusal) -> None:
    """Once the hand is over, the singing side wins the game: rules.md#cantando."""
    singer = game.rules.rival_of(priver)
    assert isinstance(answer, Game) == (game.hand.over and game.winner is not singer)
    if isinstance(answer, Game):
        assert answer.winner is singer
        assert {credit.to for credit in answer.last_credits if credit.points > 0} == {singer}


def _newest_points_taken(game: Game, side: Side, reasons: frozenset[PointsReason]) -> int:
    """The latest points paid to ``side`` for ``reasons``.

    In a pica hand the current duel and the one before count (rules.md#reversed), but not in a
    hand that the end of the game made void. Destantado (rules.md#destantado) has no reversals.
    """
    if game.rules.variant.seats is Seats.ALONE:
        return 0
    is_pica = game.hand.kind is HandKind.PICA and not game.rules.pica_live
    if is_pica and game.winner is not None and not game.hand.over:
        return 0
    to, *_ = scorers(game, side)
    payments = game.hand.duels[-2:] if game.hand.kind is HandKind.PICA else game.payments
    sums = (sum(c.points for c in each if c.to is to and c.why in reasons) for each in payments)
    return next((points for points in reversed(list(sums)) if points), 0)


def _check_moved_to_rival(game: Game, step: Step, lied: int, after: Game) -> None:
    assert step.side is not None
    why = PointsReason(step.action)
    moved = [(side, -lied, why) for side in scorers(game, step.side)]
    # Venezuela: points of a flor that was not shown are only deducted: rules.md#reversed.
    if why is PointsReason.ENVIDO_REVERSED or game.rules.flor is not FlorStyle.OPEN:
        moved += [(side, lied, why) for side in scorers(game, game.rules.rival_of(step.side))]
    told = [tuple(credit) for credit in after.last_credits]
    assert told[: len(moved)] == moved
    # If the game goes on again, tricks decided before the bet are paid: rules.md#venezuelan-late.
    rest = after.last_credits[len(moved) :]
    assert not rest or (game.hand.deferred_award is not None and after.hand.deferred_award is None)
    assert all(credit.why in _OF_THE_TRICKS for credit in rest)


def penalties_are_open_while_the_game_is(state: StateView) -> None:
    """A penalty only changes points; it ends a hand with cantando (rules.md#cantando)."""
    game, open_ = state.game, state.game.winner is None
    down = game.rules.variant.seats is Seats.ALONE
    for step, answer in state.answers.items():
        if step.action is Action.AWARD and step.amount:
            assert isinstance(answer, Game) == open_
            if isinstance(answer, Game):
                points = -step.amount if down else step.amount
                assert [tuple(c) for c in answer.last_credits] == [
                    (step.side, points, PointsReason.AWARD)
                ]
                sung = state.phase in (Phase.CANTANDO, Phase.PENDING_PRIVO)
                # ... unless it ended the game, which awards do only at the end of the hand.
                at_once = game.rules.finish == "immediate"
                ends = sung and not (at_once and answer.winner is not None)
                assert answer.hand == (game.hand._replace(over=True) if ends else game.hand)


def corrections_change_one_score(state: StateView) -> None:
    rules, game = state.game.rules, state.game
    for step, answer in state.answers.items():
        if step.action is not Action.CORRECT:
            continue
        assert step.side is not None and step.amount is not None
        at = rules.scoring_sides.index(step.side)
        possible = _may_be_written(state, step.amount, game.score[at])
        assert isinstance(answer, Game) == possible, f"{step_text(step)}: {answer}"
        if isinstance(answer, Game):
            assert answer.score == (*game.score[:at], step.amount, *game.score[at + 1 :])
            assert answer.hand == game.hand
            # After a tie past the target, hands are played until it is broken.
            level = game.hand.over and max(game.score) >= rules.target
            assert answer.winner is None or level


def _may_be_written(state: StateView, points: int, now: int) -> bool:
    if state.game.winner is not None:
        return False
    if state.game.rules.variant.seats is Seats.ALONE:
        # What is added to a pile leaves the pot (rules.md#destantado).
        return 1 <= points <= now + int(state.document["pot"])
    return points < state.game.rules.target


def a_game_is_given_away_or_ends_on_time(state: StateView) -> None:
    game, rules = state.game, state.game.rules
    best = min(game.score) if rules.variant.seats is Seats.ALONE else max(game.score)
    timed = state.answers[Step(None, Action.TIME)]
    assert isinstance(timed, Game) == (game.winner is None and game.score.count(best) == 1)
    if isinstance(timed, Game):
        assert timed.winner is rules.scoring_sides[game.score.index(best)]
    for side in rules.scoring_sides:
        given = state.answers[Step(side, Action.CONCEDE)]
        assert isinstance(given, Game) == (game.winner is None)
        if isinstance(given, Game):
            assert given.score == game.score
            assert given.winner in _best_rivals(rules, game, side)


def _best_rivals(rules: Rules, game: Game, side: Side) -> list[Side]:
    score = dict(zip(rules.scoring_sides, game.score, strict=True))
    rivals = [each for each in rules.scoring_sides if each is not side]
    best = (min if rules.variant.seats is Seats.ALONE else max)(score[each] for each in rivals)
    return [each for each in rivals if score[each] == best]
