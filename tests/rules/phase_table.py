"""Who may do what in which phase, written row by row from the rulebook (22.2 and 22.11).

A second judge, without reasons and without points: it only says which words are possible. What may
be done nearly always (penalties, corrections, surrender, reversals) is not in the table.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from scorer.rules import Action, Game, Phase, Side, Special, Status, phase_of

Word = tuple[Side | None, Action]

# The variants whose words all stand in the table below.
VARIANTS = frozenset(("argentine", "argentine_flor", "paulista", "mineiro", "gaucho", "br_general"))
OUTSIDE = frozenset(
    (
        Action.AWARD,
        Action.CORRECT,
        Action.CONCEDE,
        Action.TIME,
        Action.ENVIDO_REVERSED,
        Action.FLOR_REVERSED,
    )
)
# Rulebook 4.2: what may follow what. E: envido, R: real envido, F: falta envido.
_CHAINS = frozenset("E R F EE ER EF RF EER EEF ERF EERF".split())
_WITH_TWO_REALS = _CHAINS | frozenset("RR RRF ERR ERRF EERR EERRF".split())
_ENVIDOS = {"E": Action.ENVIDO, "R": Action.REAL_ENVIDO, "F": Action.FALTA_ENVIDO}
_LETTERS = {action: letter for letter, action in _ENVIDOS.items()}
_FLORES_A_SIDE = 2


def possible(game: Game) -> frozenset[Word]:
    """Every word the table allows in the phase of ``game``, with who may say it."""
    return frozenset(_ROWS[phase_of(game)](game))


def _playing(game: Game) -> Iterator[Word]:
    hand, both = game.hand, game.rules.actors
    yield from _calls(game, _may_call(game))
    if _window(game):
        yield from product(both, _bets(game, ""))
    yield from product(both, (Action.HAND_WON, Action.FOLD))
    yield from ((None, Action.ALL_TIED), (None, Action.TRICKS))
    if hand.first_trick:
        yield (None, Action.FIRST_TRICK_DONE)
    if _nothing_entered(game):
        yield (None, Action.NEW_HAND)


def _pending_truco(game: Game) -> Iterator[Word]:
    other = _other(game, game.hand.truco.caller)
    yield from product(other, (Action.QUIERO, Action.NO_QUIERO, Action.FOLD))
    yield from _calls(game, other)
    if game.hand.truco.rung == 0 and _window(game):
        yield from product(other, _bets(game, ""))


def _pending_envido(game: Game) -> Iterator[Word]:
    other = _other(game, game.hand.envido.caller)
    yield from product(other, (Action.QUIERO, Action.NO_QUIERO, Action.FOLD))
    said = "".join(_LETTERS[action] for action in game.hand.envido.chain)
    yield from product(other, _envidos(game, said))
    if game.rules.variant.flor is not None:
        yield from product(game.rules.actors, (Action.FLOR,))


def _awaiting_envido(game: Game) -> Iterator[Word]:
    yield from product(game.rules.actors, (Action.ENVIDO_WON,))
    if game.rules.variant.flor is not None:
        yield from product(game.rules.actors, (Action.FLOR,))


def _pending_flor(game: Game) -> Iterator[Word]:
    flor = game.hand.flor
    other = _other(game, flor.caller)
    yield from product(other, (Action.NO_QUIERO, Action.ME_ACHICO, Action.FOLD))
    if not flor.raises:
        yield from _another_flor(game)
        yield from product(other, (Action.NO_FLOR, Action.CONTRAFLOR, Action.CONTRAFLOR_RESTO))
        return
    yield from product(other, (Action.QUIERO,))
    if flor.raises[-1] is Action.CONTRAFLOR:
        yield from product(other, (Action.CONTRAFLOR_RESTO,))


def _awaiting_flor(game: Game) -> Iterator[Word]:
    yield from product(game.rules.actors, (Action.FLOR_WON,))
    if not game.hand.flor.raises:
        yield from _another_flor(game)


def _mao_decision(game: Game) -> Iterator[Word]:
    yield from product((game.hand.decider,), (Action.MAO_PLAY, Action.MAO_RUN))


def _between_hands(game: Game) -> Iterator[Word]:
    yield (None, Action.NEW_HAND)


def _nothing(game: Game) -> Iterator[Word]:
    yield from ()


_ROWS = {
    Phase.PLAYING: _playing,
    Phase.PENDING_TRUCO: _pending_truco,
    Phase.PENDING_ENVIDO: _pending_envido,
    Phase.AWAITING_ENVIDO: _awaiting_envido,
    Phase.PENDING_FLOR: _pending_flor,
    Phase.AWAITING_FLOR: _awaiting_flor,
    Phase.MAO_DECISION: _mao_decision,
    Phase.HAND_OVER: _between_hands,
    Phase.GAME_OVER: _between_hands,
    Phase.MATCH_OVER: _nothing,
}


def _other(game: Game, side: Side | None) -> tuple[Side, ...]:
    return tuple(each for each in game.rules.actors if each is not side)


def _window(game: Game) -> bool:
    """Rulebook 2.6: an envido or flor may still be opened."""
    hand = game.hand
    settled = Status.CLOSED in (hand.envido.status, hand.flor.status)
    return bool(game.rules.bids) and hand.first_trick and hand.truco.rung == 0 and not settled


def _bets(game: Game, said: str) -> Iterator[Action]:
    yield from _envidos(game, said)
    if game.rules.variant.flor is not None:
        yield Action.FLOR


def _envidos(game: Game, said: str) -> Iterator[Action]:
    again = any(bid.action is Action.REAL_ENVIDO and bid.times > 1 for bid in game.rules.bids)
    chains = _WITH_TWO_REALS if again else _CHAINS
    return (action for letter, action in _ENVIDOS.items() if said + letter in chains)


def _another_flor(game: Game) -> Iterator[Word]:
    announced = zip(game.rules.actors, game.hand.flor.announced, strict=True)
    return ((side, Action.FLOR) for side, flores in announced if flores < _FLORES_A_SIDE)


def _may_call(game: Game) -> tuple[Side, ...]:
    """Either side first; then the one that accepted."""
    if game.hand.truco.rung == 0:
        return game.rules.actors
    return _other(game, game.hand.truco.caller)


def _calls(game: Game, sides: tuple[Side, ...]) -> Iterator[Word]:
    """The next call of the ladder by ``sides``; in a special hand at most a punished truco."""
    truco, rules, special = game.hand.truco, game.rules, game.hand.special
    if special is Special.PLAYED and rules.mao_truco != "forbidden":
        yield from product(sides, (rules.ladder[0].action,))
    at = truco.rung + (1 if truco.pending else 0)
    if special is Special.NONE and at < len(rules.ladder):
        worth = (rules.base, *(rung.value for rung in rules.ladder))[at]
        for side in sides:
            would_stand_at = game.score[rules.sides.index(side)] + worth
            if not (rules.no_useless_raise and would_stand_at >= rules.target):
                yield (side, rules.ladder[at].action)


def _nothing_entered(game: Game) -> bool:
    hand = game.hand
    idle = hand.envido.status is hand.flor.status is Status.IDLE
    untouched = hand.truco.rung == 0 and hand.first_trick and not hand.tricks
    return idle and untouched and hand.special is not Special.PLAYED
