"""The pending call or decision: who owes an answer, and what each answer pays.

The state document, the panels, the rule cards and the light read it, so that a payment is worked
out in one place. Payments of the ladder, the envido and the flor are in docs/reference/rules.md.
"""

from enum import StrEnum
from typing import NamedTuple

from scorer.rules import cantando, destantado, envido, flor, truco
from scorer.rules.actions import Action, Side
from scorer.rules.engine import phase_of
from scorer.rules.model import Game, Phase
from scorer.rules.variant import GAME


class Bet(StrEnum):
    """What an offer is about; envido and flor are settled before the truco."""

    TRUCO = "truco"
    ENVIDO = "envido"
    FLOR = "flor"
    MAO = "mao"  # mão de onze, de dez: play or run
    SINGING = "singing"  # a side one point from the end declares its envite
    PRIVO = "privo"  # the answer to it, with truco


class Offer(NamedTuple):
    """A call or decision to be answered, or an accepted bet without its winner.

    ``accepted``: points of each speaking side if it wins after a yes; GAME or SERIES for all that
    it lacks. ``refused``: points that a no pays to ``refused_to``; of three single players, those
    that the caller loses if all refuse.
    """

    bet: Bet
    by: Side  # of a decision, the side that decides
    call: Action | None  # the newest call; None of a decision
    owed: tuple[Side, ...]  # sides that owe an answer; none if the winner is awaited
    yes: Action
    no: Action
    accepted: tuple[int, ...]
    refused: int = 0
    refused_to: Side | None = None
    me_achico: int | None = None  # the same if the rivals of a plain flor have one and give in

    def worth_for(self, game: Game, side: Side) -> int:
        """What ``side`` gets if it wins after a yes."""
        return self.accepted[game.rules.speaking_sides.index(side)]


def offer(game: Game) -> Offer | None:
    """The offer that waits in ``game``, or None."""
    match phase_of(game):
        case Phase.PENDING_TRUCO:
            rules, now = game.rules, game.hand.truco
            assert now.caller is not None
            rung = rules.ladder[now.rung]
            return Offer(
                bet=Bet.TRUCO,
                by=now.caller,
                call=rung.action,
                owed=_answerers(game, now.caller),
                yes=Action.QUIERO,
                no=Action.NO_QUIERO,
                accepted=(rung.value,) * len(rules.speaking_sides),
                refused=truco.refused_worth(rules, now.rung),
                refused_to=None if rules.seating.each_alone else now.caller,
            )
        case Phase.PENDING_ENVIDO | Phase.AWAITING_ENVIDO:
            return _envido(game)
        case Phase.PENDING_FLOR | Phase.AWAITING_FLOR:
            return _flor(game)
        case Phase.MAO_DECISION:
            rules, decider = game.rules, game.hand.decider
            assert decider is not None
            return Offer(
                bet=Bet.MAO,
                by=decider,
                call=None,
                owed=(decider,),
                yes=Action.MAO_PLAY,
                no=Action.MAO_RUN,
                accepted=(truco.stake_of(game),) * len(rules.speaking_sides),
                refused=rules.mao_run,
                refused_to=rules.rival_of(decider),
            )
        case Phase.CANTANDO:
            singer = game.hand.decider
            assert singer is not None
            return Offer(
                bet=Bet.SINGING,
                by=singer,
                call=None,
                owed=(game.rules.rival_of(singer),),
                yes=Action.PRIVO,
                no=Action.NO_PRIVO,
                accepted=_privo_worths(game, singer),
                refused=cantando.UNBEATEN_WORTH,
                refused_to=singer,
            )
        case Phase.PENDING_PRIVO:
            singer = game.hand.decider
            assert singer is not None
            priver = game.rules.rival_of(singer)
            return Offer(
                bet=Bet.PRIVO,
                by=priver,
                call=Action.PRIVO,
                owed=(singer,),
                yes=Action.QUIERO,
                no=Action.NO_QUIERO,
                accepted=_privo_worths(game, singer),
                refused=cantando.PRIVO_REFUSED,
                refused_to=priver,
            )
        case _:
            return None


def sides_to_answer(game: Game) -> tuple[Side, ...]:
    """The sides that owe an answer or a decision."""
    pending = offer(game)
    return () if pending is None else pending.owed


def _answerers(game: Game, caller: Side | None) -> tuple[Side, ...]:
    if game.rules.seating.each_alone:
        return destantado.players_to_answer(game)
    return tuple(side for side in game.rules.speaking_sides if side is not caller)


def _envido(game: Game) -> Offer:
    rules, now = game.rules, game.hand.envido
    is_pending, alone = phase_of(game) is Phase.PENDING_ENVIDO, rules.seating.each_alone
    by = now.caller or rules.speaking_sides[0]
    # If both sides sing, the better envido ends the game without a call.
    made = Offer(
        bet=Bet.ENVIDO,
        by=by,
        call=now.chain[-1] if now.chain else rules.bids[0].action,
        owed=_answerers(game, by) if is_pending else (),
        yes=Action.QUIERO,
        no=Action.NO_QUIERO,
        accepted=tuple(
            destantado.chain_worth(now.amounts) if alone else envido.accepted_worth(game, side)
            for side in rules.speaking_sides
        ),
    )
    if not is_pending:
        return made
    if not alone:
        return made._replace(refused=envido.refused_worth(game), refused_to=by)
    before = now.amounts[:-1]
    return made._replace(
        refused=destantado.chain_worth(before) if before else destantado.UNWANTED_COST
    )


def _flor(game: Game) -> Offer:
    rules, now = game.rules, game.hand.flor
    is_pending = phase_of(game) is Phase.PENDING_FLOR
    by = now.caller or rules.speaking_sides[0]
    # The answer to a plain flor is a flor.
    is_plain = is_pending and not now.raises
    worth = flor.plain_worth_of_one_more if is_plain else flor.accepted_worth
    made = Offer(
        bet=Bet.FLOR,
        by=by,
        call=now.raises[-1] if now.raises else Action.FLOR,
        owed=_answerers(game, by) if is_pending else (),
        yes=Action.FLOR if is_plain else Action.QUIERO,
        no=Action.NO_FLOR if is_plain else Action.NO_QUIERO,
        accepted=tuple(worth(game, side) for side in rules.speaking_sides),
    )
    if not is_pending:
        return made
    small = flor.refused_worth(game)
    return made._replace(
        refused=flor.unanswered_worth(game) if is_plain else small,
        refused_to=by,
        me_achico=small if is_plain else None,
    )


def _privo_worths(game: Game, singer: Side) -> tuple[int, ...]:
    """The singer wins the game, the priver 3 and the prive stone (rules.md#cantando)."""
    played = game.rules.ladder[0].value + truco.PRIVO_POINT
    return tuple(GAME if side is singer else played for side in game.rules.speaking_sides)
