"""The view of a pending call: caller, sides to answer, payments of the answers.

Every worth is computed by playing the answer, never by a second calculation.
"""

from __future__ import annotations

from scorer.rules import GAME, Action, Game, Phase, Side, Step, phase_of, stake_of
from scorer.rules import envido as envidos
from scorer.rules import flor as flores
from scorer.rules.destantado import chain_worth
from scorer.rules.document import pending_call, suspended_call
from scorer.rules.score import shown_scores
from scorer.rules.variant import NAMED
from scorer.session.values import seating
from scorer.session.values.game_queries import (
    call_text,
    counted_flor,
    largest_payment,
    play_steps,
    side_of_pending_call,
    sides_to_answer,
    word_of,
)
from scorer.session.view.view import CallFamily, CallView, RungState, WorthView


def rung_state(game: Game, rung: int) -> RungState:
    """The state of ``rung`` (0: the plain hand) of the ladder."""
    truco = game.hand.truco
    if truco.pending and rung == truco.rung + 1:
        return RungState.CALLED
    if rung == truco.rung:
        return RungState.CURRENT
    return RungState.PAST if rung < truco.rung else RungState.AHEAD


def call_view(game: Game) -> CallView | None:
    """The pending call of ``game``, or None."""
    call = _pending_view(game)
    if call is None or phase_of(game) in (Phase.AWAITING_ENVIDO, Phase.AWAITING_FLOR):
        return call
    yes, no = _answers(game)
    return call._replace(
        owed=tuple(seating.view_index(game, side) for side in sides_to_answer(game)),
        yes=word_of(game.rules, yes),
        no=word_of(game.rules, no),
    )


def _answers(game: Game) -> tuple[Action, Action]:
    """The two steps that answer the call."""
    match phase_of(game):
        case Phase.MAO_DECISION:
            return Action.MAO_PLAY, Action.MAO_RUN
        case Phase.CANTANDO:
            return Action.PRIVO, Action.NO_PRIVO
        case Phase.PENDING_FLOR if not game.hand.flor.raises:
            return Action.FLOR, Action.NO_FLOR
        case _:
            return Action.QUIERO, Action.NO_QUIERO


def _pending_view(game: Game) -> CallView | None:
    match phase_of(game):
        case Phase.PENDING_TRUCO | Phase.PENDING_ENVIDO | Phase.PENDING_FLOR:
            alone = game.rules.seating.each_alone
            return _pending_of_three(game) if alone else _pending(game)
        case Phase.CANTANDO:
            return _cantando(game)
        case Phase.PENDING_PRIVO:
            return _privo(game)
        case Phase.AWAITING_ENVIDO:
            return _awaiting_winner(game, CallFamily.ENVIDO, game.hand.envido.caller)
        case Phase.AWAITING_FLOR:
            return _awaiting_winner(game, CallFamily.FLOR, game.hand.flor.caller)
        case Phase.MAO_DECISION:
            return _decision(game)
        case _:
            return None


def _pending(game: Game) -> CallView:
    family = _family(game)
    by, owes = side_of_pending_call(game), sides_to_answer(game)[0]
    assert by is not None
    yes, no = _answers(game)
    return CallView(
        word=newest_word(game, family),
        family=family,
        by=seating.view_index(game, by),
        owes=seating.view_index(game, owes),
        quiero=_accepted_worth(game, family, Step(owes, yes)),
        no_quiero=_refused_worth(game, Step(owes, no), by),
        suspended=_suspended_word(game),
    )


def _refused_worth(game: Game, no: Step, by: Side) -> WorthView:
    """The worth of a no; a pending declaration of an envite delays its payment."""
    now, call = _certain_worth(game, (no,)), pending_call(game)
    if any(now.points) or call is None:
        return now
    return WorthView((call["no_quiero"],), seating.view_index(game, by))


def _pending_of_three(game: Game) -> CallView:
    """The pending call among three single players; the first to answer is named."""
    family, by, call = _family(game), side_of_pending_call(game), pending_call(game)
    assert by is not None and call is not None
    agreed = play_steps(game, tuple(Step(side, Action.QUIERO) for side in sides_to_answer(game)))
    ends = agreed is not None and _open_worth(agreed, family).wins
    return CallView(
        word=newest_word(game, family),
        family=family,
        by=seating.view_index(game, by),
        owes=seating.view_index(game, sides_to_answer(game)[0]),
        quiero=WorthView((call["quiero"],), None, None, ends),
        no_quiero=_no_of_one(game, call["no_quiero"]),
        suspended=_suspended_word(game),
    )


def _no_of_one(game: Game, points: int) -> WorthView:
    """The worth of the first side's no, with scores only if it is paid at once."""
    after = play_steps(game, (Step(sides_to_answer(game)[0], Action.NO_QUIERO),))
    if after is None or after.score == game.score:
        return WorthView((points,), None)
    return WorthView((points,), None, after.score, after.winner is not None)


def _cantando(game: Game) -> CallView:
    """Venezuela: a side one point from the end declares; does the rival beat it?"""
    singer, (rival,) = side_of_pending_call(game), sides_to_answer(game)
    assert singer is not None
    beaten = play_steps(game, (Step(rival, Action.PRIVO),))
    assert beaten is not None
    word = word_of(game.rules, Action.PRIVO)
    refused = _certain_worth(beaten, (Step(singer, Action.NO_QUIERO),))
    return CallView(
        word=word,
        family=CallFamily.SINGING,
        by=seating.view_index(game, singer),
        owes=seating.view_index(game, rival),
        quiero=WorthView((_privo_worth(beaten, rival),), None),
        no_quiero=_certain_worth(game, (Step(rival, Action.NO_PRIVO),)),
        unwanted=refused.points[0],
    )


def _privo(game: Game) -> CallView:
    """The rival beats it and calls truco: does the singing side accept?"""
    priver, (singer,) = side_of_pending_call(game), sides_to_answer(game)
    assert priver is not None
    worth = tuple(
        _privo_worth(game, side) if side is priver else GAME for side in game.rules.speaking_sides
    )
    return CallView(
        word=word_of(game.rules, Action.PRIVO),
        family=CallFamily.PRIVO,
        by=seating.view_index(game, priver),
        owes=seating.view_index(game, singer),
        quiero=WorthView(worth, None, None, wins=True, if_won=_privo_scores(game, singer)),
        no_quiero=_certain_worth(game, (Step(singer, Action.NO_QUIERO),)),
    )


def _privo_scores(game: Game, singer: Side) -> tuple[tuple[int, ...], ...] | None:
    agreed = play_steps(game, (Step(singer, Action.QUIERO),))
    return None if agreed is None else _open_worth(agreed, CallFamily.TRUCO).if_won


def _privo_worth(game: Game, priver: Side) -> int:
    """The worth of the truco for the side that called privo, if it wins."""
    call = pending_call(game)
    assert call is not None
    return int(call["quiero"][priver])


def _family(game: Game) -> CallFamily:
    phase = phase_of(game)
    if phase is Phase.PENDING_FLOR:
        return CallFamily.FLOR
    return CallFamily.ENVIDO if phase is Phase.PENDING_ENVIDO else CallFamily.TRUCO


def newest_word(game: Game, family: CallFamily) -> str:
    """The newest call of a family, in words of the variant."""
    hand, rules = game.hand, game.rules
    if family is CallFamily.FLOR:
        if not hand.flor.raises:
            return counted_flor(game, word_of(rules, Action.FLOR), hand.flor.caller)
        return call_text(rules, hand.flor.raises[-1], (hand.flor.amounts or (None,))[-1])
    if family is CallFamily.ENVIDO:
        return _envido_word(game)
    return word_of(rules, rules.ladder[hand.truco.rung].action)


def _envido_word(game: Game) -> str:
    """The newest call of the envido, with its number if it named one."""
    rules, envido = game.rules, game.hand.envido
    if not envido.chain:
        # If both sides sing, the better envido ends the game without a call.
        return word_of(rules, rules.bids[0].action)
    action, stones = envido.chain[-1], envido.amounts[-1]
    plain = next(bid.adds for bid in rules.bids if bid.action is action)
    named = stones if plain == NAMED or (plain > 0 and plain != stones) else None
    return call_text(rules, action, named)


def _suspended_word(game: Game) -> str:
    """The truco suspended until the envido or flor is settled, or ""."""
    return newest_word(game, CallFamily.TRUCO) if suspended_call(game) is not None else ""


def _accepted_worth(game: Game, family: CallFamily, yes: Step) -> WorthView:
    """The worth of a quiero for the winner; for a plain flor, that of a second flor."""
    agreed = play_steps(game, (yes,))
    if agreed is None:
        return WorthView((0,), None)
    return _open_worth(agreed, family)


def _open_worth(game: Game, family: CallFamily) -> WorthView:
    """The worth that either side can win now."""
    rules = game.rules
    outcome = {
        CallFamily.FLOR: Action.FLOR_WON,
        CallFamily.ENVIDO: Action.ENVIDO_WON,
        CallFamily.TRUCO: Action.HAND_WON,
        CallFamily.MAO: Action.HAND_WON,
    }[family]
    won = tuple(play_steps(game, (Step(side, outcome),)) for side in rules.speaking_sides)
    ends = any(after is not None and after.winner is not None for after in won)
    each: tuple[int, ...]
    if family is CallFamily.ENVIDO and rules.seating.each_alone:
        each = (chain_worth(game.hand.envido.amounts),)
    elif family is CallFamily.ENVIDO:
        each = tuple(envidos.accepted_worth(game, side) for side in rules.speaking_sides)
    elif family is CallFamily.FLOR:
        each = tuple(flores.accepted_worth(game, side) for side in rules.speaking_sides)
    else:
        each = (stake_of(game),)
    same = len(set(each)) == 1
    return WorthView(each[:1] if same else each, None, None, ends, _scores_if_won(game, won))


def _scores_if_won(game: Game, won: tuple[Game | None, ...]) -> tuple[tuple[int, ...], ...] | None:
    """The scores if each side wins; None if they depend on more than that.

    With three players, further payments depend on several answers; Venezuela pays at the end.
    """
    rules = game.rules
    if rules.speaking_sides != rules.scoring_sides or rules.seating.each_alone:
        return None
    booked = [after for after in won if after is not None and after.score != game.score]
    if len(booked) < len(won):
        return None
    return tuple(shown_scores(after) for after in booked)


def _certain_worth(game: Game, steps: tuple[Step, ...]) -> WorthView:
    """The certain payment of ``steps`` to one side, and the scores after it."""
    rules, after, paid = game.rules, play_steps(game, steps), largest_payment(game, steps)
    if after is None or paid is None:
        return WorthView((0,), None)
    to, points = paid
    scores = tuple(min(score, rules.target) for score in after.score)
    return WorthView((points,), to, scores, after.winner is not None)


def _awaiting_winner(game: Game, family: CallFamily, by: Side | None) -> CallView:
    rules = game.rules
    caller = by or rules.speaking_sides[0]
    owes = next(side for side in rules.speaking_sides if side is not caller)
    worth = _open_worth(game, family)
    word, waits = newest_word(game, family), _suspended_word(game)
    places = (seating.view_index(game, caller), seating.view_index(game, owes))
    return CallView(word, family, *places, worth, WorthView((0,), None), waits)


def _decision(game: Game) -> CallView:
    rules, decider = game.rules, sides_to_answer(game)[0]
    at = rules.speaking_sides.index(decider)
    played = play_steps(game, (Step(decider, Action.MAO_PLAY),))
    assert played is not None
    run = _certain_worth(game, (Step(decider, Action.MAO_RUN),))
    return CallView("", CallFamily.MAO, at, at, _open_worth(played, CallFamily.MAO), run)
