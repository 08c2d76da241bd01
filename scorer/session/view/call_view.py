"""The view of a pending call: caller, sides to answer, payments of the answers.

Points are those of the offer of the rules; scores are those after the answer is played.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from scorer.rules import Action, Game, Step
from scorer.rules.document import suspended_call
from scorer.rules.engine import play_steps
from scorer.rules.offer import Bet, Offer, offer
from scorer.rules.score import shown_scores
from scorer.rules.variant import NAMED
from scorer.session.values import seating
from scorer.session.values.game_queries import call_text, counted_flor, word_of
from scorer.session.view.view import CallFamily, CallView, RungState, WorthView

_OUTCOMES: Final = {
    Bet.FLOR: Action.FLOR_WON,
    Bet.ENVIDO: Action.ENVIDO_WON,
    Bet.TRUCO: Action.HAND_WON,
    Bet.MAO: Action.HAND_WON,
    Bet.PRIVO: Action.HAND_WON,
}


def rung_state(game: Game, rung: int) -> RungState:
    """The state of ``rung`` (0: the plain hand) of the ladder."""
    truco = game.hand.truco
    if truco.pending and rung == truco.rung + 1:
        return RungState.CALLED
    if rung == truco.rung:
        return RungState.CURRENT
    return RungState.PAST if rung < truco.rung else RungState.AHEAD


@lru_cache(maxsize=4)
def call_view(game: Game) -> CallView | None:
    """The pending call of ``game``, or None.

    Kept, as it plays both answers: while a call is open, only the time changes mostly.
    """
    pending = offer(game)
    if pending is None:
        return None
    rivals = (side for side in game.rules.speaking_sides if side is not pending.by)
    owes = pending.owed[0] if pending.owed else next(rivals)
    # The truco suspended until the envido or flor is settled, or "".
    view = CallView(
        word=_word(game, pending),
        family=CallFamily(pending.bet),
        by=seating.view_index(game, pending.by),
        owes=seating.view_index(game, owes),
        quiero=_accepted_worth(game, pending),
        no_quiero=_refused_worth(game, pending),
        suspended=newest_word(game, CallFamily.TRUCO) if suspended_call(game) is not None else "",
        unwanted=_unwanted(game, pending),
    )
    if not pending.owed:
        return view
    return view._replace(
        owed=tuple(seating.view_index(game, side) for side in pending.owed),
        yes=word_of(game.rules, pending.yes),
        no=word_of(game.rules, pending.no),
    )


def _word(game: Game, pending: Offer) -> str:
    match pending.bet:
        case Bet.MAO:
            return ""
        case Bet.SINGING | Bet.PRIVO:
            return word_of(game.rules, Action.PRIVO)
        case bet:
            return newest_word(game, CallFamily(bet))


def _accepted_worth(game: Game, pending: Offer) -> WorthView:
    """The worth of a yes for the winner, and the scores after either side has won."""
    if pending.bet is Bet.SINGING:
        # What the answer is worth to the side that gives it; the privo is still to be answered.
        return WorthView((pending.worth_for(game, pending.owed[0]),), None)
    agreed = play_steps(game, [Step(side, pending.yes) for side in pending.owed])
    if agreed is None:
        return WorthView((0,), None)
    sides = game.rules.speaking_sides
    won = tuple(play_steps(agreed, (Step(side, _OUTCOMES[pending.bet]),)) for side in sides)
    ends = any(after is not None and after.winner is not None for after in won)
    points = pending.accepted[:1] if len(set(pending.accepted)) == 1 else pending.accepted
    wins = ends or pending.bet is Bet.PRIVO
    return WorthView(points, None, None, wins, _scores_if_won(agreed, won))


def _refused_worth(game: Game, pending: Offer) -> WorthView:
    """The worth of a no; a pending declaration of an envite delays its payment."""
    if not pending.owed:
        return WorthView((0,), None)
    after = play_steps(game, (Step(pending.owed[0], pending.no),))
    to = pending.refused_to
    if after is None and to is not None:
        return WorthView((0,), None)
    at = None if to is None else seating.view_index(game, to)
    if after is None or (not after.last_credits if at is not None else after.score == game.score):
        return WorthView((pending.refused,), at)
    return WorthView((pending.refused,), at, shown_scores(after), after.winner is not None)


def _unwanted(game: Game, pending: Offer) -> int:
    """What the refused truco of a privo pays, while its envite is only declared."""
    beaten = play_steps(game, (Step(pending.owed[0], pending.yes),)) if pending.owed else None
    following = None if pending.bet is not Bet.SINGING or beaten is None else offer(beaten)
    if beaten is None or following is None:
        return 0
    return _refused_worth(beaten, following).points[0]


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
