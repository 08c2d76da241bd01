"""The flor: announcing, answering, raising, and the payments."""

from __future__ import annotations

from scorer.rules.actions import Action, Side
from scorer.rules.envido import (
    MIN_OPEN_BET,
    cap_in_duel,
    may_open_bet,
    partner_may_bid,
    without_refused_payment,
)
from scorer.rules.model import Envido, Flor, Game, PointsReason, Refusal, Status, Step
from scorer.rules.score import (
    falta_worth,
    in_duel,
    leader_points_to_win,
    pay,
    points_to_win,
    scorers,
)
from scorer.rules.truco import is_plain_contest, pay_deferred_award
from scorer.rules.variant import (
    ConFlorEnvidoPays,
    ContraflorPays,
    FlorAnnounced,
    FlorBetRefused,
    FlorBids,
    FlorPays,
    FlorStyle,
    Resto,
    Rules,
)

CONTRAFLOR = 6
FIRST_BET_REFUSED = 1  # Venezuela: a refused first "mi flor envida", whatever number it named

# Uruguay: the envidos bet on top of a flor, and what they add; 0: the falta.
FLOR_BIDS = {
    Action.CON_FLOR_ENVIDO: 2,
    Action.CON_FLOR_REAL_ENVIDO: 3,
    Action.CON_FLOR_FALTA_ENVIDO: 0,
}
# The raises of each flor style, in order.
_RAISES = {
    FlorStyle.FIXED: (Action.CONTRAFLOR, Action.CONTRAFLOR_RESTO),
    FlorStyle.DOUBLING: (Action.CONTRAFLOR, Action.CONTRAFLOR_RESTO),
    FlorStyle.WITH_ENVIDO: (*FLOR_BIDS, Action.CONTRAFLOR, Action.CONTRAFLOR_RESTO),
    FlorStyle.OPEN: (Action.FLOR_ENVIDA, Action.FLOR_ENVIDA_MAS),
}

EVERY_RAISE = frozenset(action for raises in _RAISES.values() for action in raises)


def raises_of(rules: Rules) -> tuple[Action, ...]:
    """The raises of the flor in ascending order; none without flor."""
    if rules.flor is None:
        return ()
    raises = _RAISES[rules.flor]
    if rules.flor_bids is FlorBids.ALL:
        return raises
    return tuple(each for each in raises if each not in FLOR_BIDS or each is Action.CON_FLOR_ENVIDO)


def max_flores(game: Game, side: Side) -> int:
    """Flores ``side`` can have: one for each of its players (rules.md#flor-count)."""
    rules = game.rules
    if rules.seating.has_gallo:
        return len(scorers(game, side))
    if in_duel(game):
        return 1
    return min(rules.players // 2, rules.duels) if rules.seating.has_duels else rules.players // 2


def is_open(game: Game) -> bool:
    """True if a first flor may be announced now: rules.md#flor-window."""
    late = game.rules.variant.bets_settled_at_showdown
    if game.hand.envido.annullable is not None:
        # The refused envido has closed the envido, not the flor: rules.md#flor-over-refused.
        game = game._replace(hand=game.hand._replace(envido=Envido()))
    return game.rules.flor is not None and (game.hand.first_trick or late) and may_open_bet(game)


def announce(game: Game, step: Step) -> Game | Refusal:
    """Announce a flor: the first, a partner's, or a rival's in answer."""
    assert step.side is not None
    if game.rules.flor is None:
        return Refusal.NOT_IN_THIS_VARIANT
    why_not = _why_not_announce(game, step.side)
    if why_not is not None:
        return why_not
    flor = game.hand.flor
    announced = flor.announced or (0,) * len(game.rules.speaking_sides)
    at = game.rules.speaking_sides.index(step.side)
    announced = (*announced[:at], announced[at] + 1, *announced[at + 1 :])
    both = all(announced)
    flor = flor._replace(
        announced=announced,
        caller=flor.caller or step.side,
        status=Status.ACCEPTED if both else Status.PENDING,
    )
    return _with_flor(without_refused_payment(game), flor)


def _why_not_announce(game: Game, side: Side) -> Refusal | None:
    hand, flor = game.hand, game.hand.flor
    if flor.raises or hand.deferred_award is not None:
        return Refusal.ANSWER_FIRST if flor.status is Status.PENDING else Refusal.WINNER_FIRST
    if is_plain_contest(game) and not hand.first_trick:
        return Refusal.FLOR_CLOSED
    if flor.status in (Status.PENDING, Status.ACCEPTED):
        at = game.rules.speaking_sides.index(side)
        return Refusal.NO_MORE_FLORES if flor.announced[at] >= max_flores(game, side) else None
    if not is_open(game):
        return Refusal.ANSWER_FIRST if hand.truco.pending else Refusal.FLOR_CLOSED
    over_truco = hand.truco.pending and hand.envido.status is Status.IDLE
    if over_truco and hand.truco.caller is side and not partner_may_bid(game):
        return Refusal.OWN_CALL
    return None


def raise_(game: Game, step: Step) -> Game | Refusal:
    """A bet of the flores, contraflor or contraflor al resto.

    Answers a flor or a lower raise; in Uruguay either side may also bet once both announced.
    """
    assert step.side is not None
    flor, order = game.hand.flor, raises_of(game.rules)
    if step.action not in order:
        return Refusal.NOT_IN_THIS_VARIANT
    if game.rules.flor is FlorStyle.OPEN:
        return _raise_open(game, step)
    why_not = _why_not_raise(game, step.side)
    if why_not is not None:
        return why_not
    if flor.raises and not _is_higher(step.action, flor.raises[-1], order):
        return Refusal.OUT_OF_ORDER
    return _with_flor(
        game,
        flor._replace(raises=(*flor.raises, step.action), caller=step.side, status=Status.PENDING),
    )


def _why_not_raise(game: Game, side: Side) -> Refusal | None:
    hand = game.hand
    if is_plain_contest(game) and hand.deferred_award is None:
        return None if hand.first_trick else Refusal.FLOR_CLOSED
    if hand.flor.status is Status.ACCEPTED:
        return Refusal.WINNER_FIRST
    if hand.flor.status is not Status.PENDING:
        return Refusal.NOTHING_TO_ANSWER
    return Refusal.OWN_CALL if side is hand.flor.caller else None


def _is_higher(action: Action, than: Action, order: tuple[Action, ...]) -> bool:
    """True if ``action`` may raise ``than``."""
    # Contraflor may pay less than con flor envido: rules.md#uruguayan.
    if than in FLOR_BIDS and action is Action.CONTRAFLOR:
        return False
    return order.index(action) > order.index(than)


def _raise_open(game: Game, step: Step) -> Game | Refusal:
    """Venezuela: "mi flor envida" once both announced, or "N más" as a raise."""
    flor = game.hand.flor
    first = step.action is Action.FLOR_ENVIDA
    if flor.status is Status.PENDING and not flor.raises:
        return Refusal.ANSWER_FIRST
    if flor.status not in (Status.PENDING, Status.ACCEPTED):
        return Refusal.NOTHING_TO_ANSWER
    if game.hand.deferred_award is not None or (flor.status is Status.ACCEPTED and flor.raises):
        return Refusal.WINNER_FIRST
    if flor.status is Status.PENDING and step.side is flor.caller:
        return Refusal.OWN_CALL
    if first is not (flor.status is Status.ACCEPTED):
        return Refusal.OUT_OF_ORDER
    stones = MIN_OPEN_BET if step.amount is None else step.amount
    if stones < (MIN_OPEN_BET if first else 1):
        return Refusal.TOO_LITTLE
    if stones > game.rules.target:
        return Refusal.TOO_MUCH
    return _with_flor(
        game,
        flor._replace(
            raises=(*flor.raises, step.action),
            amounts=(*flor.amounts, stones),
            caller=step.side,
            status=Status.PENDING,
        ),
    )


def no_flor(game: Game, step: Step) -> Game | Refusal:
    """The rivals have no flor: the caller's side is paid 3 per flor."""
    assert step.side is not None
    flor = game.hand.flor
    if game.rules.flor is None:
        return Refusal.NOT_IN_THIS_VARIANT
    if flor.status is Status.ACCEPTED:
        return Refusal.WINNER_FIRST
    if flor.status is not Status.PENDING or flor.raises:
        return Refusal.NOTHING_TO_ANSWER
    assert flor.caller is not None
    if step.side is flor.caller:
        return Refusal.OWN_CALL
    return pay(_close(game), flor.caller, unanswered_worth(game), PointsReason.FLOR)


def unanswered_worth(game: Game) -> int:
    """Points of a flor to which the rivals have none."""
    return game.rules.flor_value * sum(game.hand.flor.announced)


def in_flores(rules: Rules, points: int) -> int:
    """``points`` of a raise, told for flores of 3, where each is worth ``flor_value``.

    3 is one flor, 4 a flor and 1, 6 two flores.
    """
    return points + (rules.flor_value - 3) * (points // 3)


def refused_worth(game: Game) -> int:
    """Points the last caller is paid for a no quiero or me achico."""
    caller = game.hand.flor.caller
    assert caller is not None
    return _refused_worth(game, caller)


def _refused_worth(game: Game, caller: Side) -> int:
    """The same if ``caller`` had made the last call."""
    rules, flor = game.rules, game.hand.flor
    announced = unanswered_worth(game)
    if not flor.raises:
        return announced + rules.me_achico - 3
    direct = len(flor.raises) == 1
    if rules.flor is FlorStyle.OPEN:
        bets = FIRST_BET_REFUSED if direct else sum(flor.amounts[:-1])
        return _own_flores(game, caller) + bets
    if rules.flor is FlorStyle.WITH_ENVIDO:
        if not direct:
            return _raised_worth(game, caller, flor.raises[:-1])
        all_are_paid = rules.flor_bet_refused is FlorBetRefused.ALL
        if all_are_paid and rules.flor_vs_flor is FlorPays.PER_FLOR:
            return rules.flor_value * _flores_shown(flor)
        return _own_flores(game, caller)
    if rules.flor is FlorStyle.DOUBLING:
        # Points in play before the refused call: rules.md#gaucho-flor.
        if not direct:
            return in_flores(rules, rules.resto_refused_after_contra) * sum(flor.announced)
        is_single = sum(flor.announced) == 1
        return in_flores(rules, rules.contraflor_refused) if is_single else announced
    if flor.raises[-1] is Action.CONTRAFLOR:
        return in_flores(rules, rules.contraflor_refused)
    return in_flores(
        rules, rules.resto_refused_direct if direct else rules.resto_refused_after_contra
    )


def _own_flores(game: Game, side: Side) -> int:
    """Points of the flores of ``side``, at least of one."""
    shown = game.hand.flor.announced[game.rules.speaking_sides.index(side)]
    return game.rules.flor_value * max(1, shown)


def accepted_worth(game: Game, winner: Side) -> int:
    """Points ``winner`` is paid when the announced flores are compared."""
    rules, flor = game.rules, game.hand.flor
    if not flor.raises:
        return _plain_worth(rules, flor, rules.speaking_sides.index(winner))
    if rules.flor is FlorStyle.OPEN:
        return _own_flores(game, winner) + sum(flor.amounts)
    points = _raised_worth(game, winner, flor.raises)
    is_falta = flor.raises[-1] is Action.CON_FLOR_FALTA_ENVIDO
    has_floor = rules.falta_floor if is_falta else rules.resto_floor
    return max(points, _refused_worth(game, winner)) if has_floor else points


def _raised_worth(game: Game, winner: Side, raises: tuple[Action, ...]) -> int:
    """Points ``winner`` is paid when the last of ``raises`` was accepted."""
    rules, flor = game.rules, game.hand.flor
    *before, last = raises
    if last is Action.CONTRAFLOR_RESTO:
        resto = _resto_worth(game, winner)
        over_bid = rules.flor_announced is FlorAnnounced.BETS and before and before[-1] in FLOR_BIDS
        points = max(resto, _raised_worth(game, winner, raises[:-1])) if over_bid else resto
        cap = rules.pica_resto_cap if in_duel(game) else None
        return points if cap is None else min(points, cap)
    if last in FLOR_BIDS:
        # UY1: the own flor and the bet; UY2 counts all flores, like flor_vs_flor.
        is_six = rules.con_flor_envido_pays is ConFlorEnvidoPays.SIX
        if is_six and raises == (Action.CON_FLOR_ENVIDO,):
            return CONTRAFLOR
        bets = [FLOR_BIDS[each] for each in raises]
        bet = sum(bets) if bets[-1] else cap_in_duel(game, falta_worth(game, winner))
        return plain_worth_of_one_more(game, winner) + bet
    if rules.flor is FlorStyle.DOUBLING:
        return 2 * rules.flor_value * sum(flor.announced)
    if rules.flor is FlorStyle.WITH_ENVIDO:
        is_all = rules.contraflor_pays is ContraflorPays.ALL_FLORES
        return rules.flor_value * _flores_shown(flor) if is_all else CONTRAFLOR
    return in_flores(rules, CONTRAFLOR)


def _plain_worth(rules: Rules, flor: Flor, winner: int) -> int:
    own = rules.flor_value * max(1, flor.announced[winner])
    match rules.flor_vs_flor:
        case FlorPays.OWN:
            return own
        case FlorPays.PER_FLOR:
            return rules.flor_value * sum(flor.announced)
        # The flat values apply to one flor against one; an own flor is never worth less than 3.
        case FlorPays.FOUR:
            return max(4, own)
        case FlorPays.SIX:
            return max(6, own)


def _resto_worth(game: Game, winner: Side) -> int:
    match game.rules.resto:
        case Resto.LEADER_TO_TARGET:
            return leader_points_to_win(game)
        case Resto.MATCH:
            return points_to_win(game, winner)
        case Resto.LEADER_PLUS_FLOR:
            flores = game.rules.flor_value * _flores_shown(game.hand.flor)
            return leader_points_to_win(game) + flores
        case Resto.LEADER_PLUS_CONTRAFLOR:
            return leader_points_to_win(game) + in_flores(game.rules, CONTRAFLOR)


def _flores_shown(flor: Flor) -> int:
    """Number of flores in play: announced ones, and the one implied by a raise."""
    return sum(max(1, count) for count in flor.announced)


def plain_worth_of_one_more(game: Game, winner: Side) -> int:
    """Points ``winner`` is paid if the answering side shows one flor."""
    flor = game.hand.flor
    announced = tuple(max(1, count) for count in flor.announced)
    shown = game.rules.speaking_sides.index(winner)
    return _plain_worth(game.rules, flor._replace(announced=announced), shown)


def accept(game: Game) -> Game:
    return _with_flor(game, game.hand.flor._replace(status=Status.ACCEPTED))


def refuse(game: Game) -> Game:
    """No quiero or me achico: pay the last caller and continue the hand."""
    flor = game.hand.flor
    assert flor.caller is not None
    return pay(_close(game), flor.caller, refused_worth(game), PointsReason.FLOR_REFUSED)


def enter_winner(game: Game, step: Step) -> Game | Refusal:
    """Enter ``step.side`` as the holder of the better flor."""
    assert step.side is not None
    style = game.rules.flor
    if style is None or (step.amount is not None and style is not FlorStyle.OPEN):
        return Refusal.NOT_IN_THIS_VARIANT
    if game.hand.flor.status is not Status.ACCEPTED:
        return Refusal.NO_WINNER_WANTED
    points = accepted_worth(game, step.side)
    if step.amount is not None:
        # Of two flores only those that beat the rival's are paid: rules.md#venezuelan-flor.
        own = game.hand.flor.announced[game.rules.speaking_sides.index(step.side)]
        if not 1 <= step.amount <= own:
            return Refusal.TOO_LITTLE if step.amount < 1 else Refusal.TOO_MUCH
        points -= game.rules.flor_value * (own - step.amount)
    return pay_deferred_award(pay(_close(game), step.side, points, PointsReason.FLOR))


def _with_flor(game: Game, flor: Flor) -> Game:
    """Set the flor; it cancels an envido that has no winner yet."""
    envido = game.hand.envido
    if envido.status in (Status.PENDING, Status.ACCEPTED):
        envido = envido._replace(status=Status.CLOSED)
    return game._replace(hand=game.hand._replace(flor=flor, envido=envido))


def _close(game: Game) -> Game:
    return _with_flor(game, game.hand.flor._replace(status=Status.CLOSED))
