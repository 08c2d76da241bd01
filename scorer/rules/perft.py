"""Count the state space of a hand: states, steps, lines, pay-offs, and a digest.

Named after *perft* of chess programs, which counts positions. Counts do not cover points, so the
pay-off of every line is summed too, and a digest covers every order, score and reason.
``perft_command`` writes the pins.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from scorer.rules.actions import Action, Side
from scorer.rules.engine import alphabet, attempt, phase_of
from scorer.rules.model import (
    Credit,
    Envido,
    Flor,
    Game,
    Phase,
    PointsReason,
    Refusal,
    Status,
    Step,
    ThreeWayBet,
)
from scorer.rules.notation import step_text
from scorer.rules.truco import is_plain_contest
from scorer.rules.variant import FlorStyle

# Legal nearly everywhere, or equivalent to other steps: they only multiply the lines.
NOT_WALKED = frozenset(
    (
        Action.AWARD,
        Action.TRICKS,
        Action.NEW_HAND,
        Action.PICA,
        Action.REDONDA,
        Action.ENVIDO_REVERSED,
        Action.FLOR_REVERSED,
    )
)
OPEN_FLOR = frozenset((Action.FLOR_ENVIDA, Action.FLOR_ENVIDA_MAS))
OPEN_RAISES = OPEN_FLOR | {Action.ENVIDO_MAS}
ENDS = frozenset((Phase.HAND_OVER, Phase.GAME_OVER, Phase.MATCH_OVER))

Points = tuple[int, ...]


class OpenBetLimits(NamedTuple):
    """Limits of open bets in a count: the numbers of stones tried, and how many bets."""

    amounts: tuple[int | None, ...] = (None, 5)
    bets: int = 2  # after so many bets, raises by stones are not tried


PINNED_BET_LIMITS = OpenBetLimits()


class Perft(NamedTuple):
    """Counts of one hand from one start."""

    states: int
    edges: int  # transitions between states
    lines: int  # complete sequences of steps
    payoffs: tuple[tuple[Points, int], ...]  # points per side, and lines that pay them
    digest: str  # 12 hexadecimal digits


class _Node(NamedTuple):
    ends: Counter[Points]  # number of lines by final score
    digest: bytes


def perft(game: Game) -> Perft:
    """Count the hand of ``game``, to the end of every line."""
    nodes: dict[Game, _Node] = {}
    edges = [0]
    root = _count(game, nodes, edges)
    pay = Counter[Points]()
    for score, lines in root.ends.items():
        pay[tuple(a - b for a, b in zip(score, game.score, strict=True))] += lines
    total = sum(pay.values())
    return Perft(len(nodes), edges[0], total, tuple(sorted(pay.items())), root.digest.hex()[:12])


def perft_text(result: Perft) -> str:
    """The count as three lines of text, without a final newline."""
    pay = " ".join(f"{'/'.join(map(str, points))}:{lines}" for points, lines in result.payoffs)
    head = f"states {result.states}  edges {result.edges}  lines {result.lines}"
    return f"{head}\npay {pay}\ndigest {result.digest}"


def walk_steps(
    game: Game, limits: OpenBetLimits = PINNED_BET_LIMITS
) -> Iterator[tuple[Step, Game]]:
    """The counted steps from here, in menu order, and the games after them."""
    if phase_of(game) in ENDS:
        return
    for step in alphabet(game):
        if is_walked(game, step, limits):
            after = attempt(game, step)
            if not isinstance(after, Refusal):
                yield step, after


def is_walked(game: Game, step: Step, limits: OpenBetLimits = PINNED_BET_LIMITS) -> bool:
    """True if a count tries this step when legal; raises of open bets are limited."""
    if step.action in NOT_WALKED:
        return False
    if step.action not in OPEN_RAISES:
        return True
    bets = game.hand.flor.amounts if step.action in OPEN_FLOR else game.hand.envido.amounts
    return len(bets) < limits.bets and step.amount in limits.amounts


def states(game: Game) -> Iterator[Game]:
    """Every reachable state of the hand, once each, ``game`` first."""
    seen = {core_state(game)}
    waiting = [game]
    while waiting:
        state = waiting.pop()
        yield state
        for _, after in walk_steps(state):
            if core_state(after) not in seen:
                seen.add(core_state(after))
                waiting.append(after)


def core_state(game: Game) -> Game:
    """``game`` reduced to what affects the rest of the hand.

    Games with equal cores continue alike. Of a settled bet only its status counts: its points are
    in the score. This merges forty states of the flor into one. Open bets are reduced to their
    sums, and so are debts where three play.
    """
    hand = game.hand
    if hand.envido.status is Status.CLOSED:
        closed = Envido(status=Status.CLOSED, annullable=hand.envido.annullable)
        hand = hand._replace(envido=closed)
    if hand.flor.status is Status.CLOSED:
        hand = hand._replace(flor=Flor(status=Status.CLOSED))
    if game.rules.opens_with_numbers:
        hand = hand._replace(envido=_sum_envido(hand.envido))
    if game.rules.flor is FlorStyle.OPEN:
        hand = hand._replace(flor=_sum_flor(hand.flor))
    elif is_plain_contest(game):
        # The order of the announcements does not matter: either side may bet.
        hand = hand._replace(flor=hand.flor._replace(caller=None))
    if hand.bets:
        # Drop the order of players who left or owe an answer, and settled envidos.
        envido, truco = (
            bet._replace(asked=tuple(sorted(bet.asked)), out=tuple(sorted(bet.out)))
            for bet in hand.bets
        )
        if hand.envido.status is Status.CLOSED:
            envido = ThreeWayBet(())
        hand = hand._replace(bets=(envido, truco))
    if hand.duels:
        first = _sum_credits(sum(hand.duels, ()))
        hand = hand._replace(duels=(first, *((),) * (len(hand.duels) - 1)))
    return game._replace(hand=hand, payments=(), last_credits=())


def _sum_envido(envido: Envido) -> Envido:
    """Reduce an accepted envido to its worth: the sum, or the falta."""
    if envido.status is not Status.ACCEPTED or not envido.amounts:
        return envido
    worth = sum(envido.amounts) if envido.amounts[-1] else 0
    return Envido(amounts=(worth,), status=Status.ACCEPTED)


def _sum_flor(flor: Flor) -> Flor:
    """Reduce flores waiting for comparison to the last raise and the sum of stones."""
    if flor.status is not Status.ACCEPTED:
        return flor
    return flor._replace(raises=flor.raises[-1:], amounts=(sum(flor.amounts),), caller=None)


def _sum_credits(credits: tuple[Credit, ...]) -> tuple[Credit, ...]:
    """Points per side, without their reasons."""
    sums = Counter[Side]()
    for credit in credits:
        sums[credit.to] += credit.points
    return tuple(Credit(side, sums[side], PointsReason.HAND) for side in sorted(sums))


def _count(game: Game, nodes: dict[Game, _Node], edges: list[int]) -> _Node:
    key = core_state(game)
    node = nodes.get(key)
    if node is not None:
        return node
    ends = Counter[Points]()
    mark = hashlib.sha256(f"{phase_of(game)} {game.score} {game.winner}".encode())
    for step, after in walk_steps(game):
        child = _count(after, nodes, edges)
        ends.update(child.ends)
        paid = "".join(f" {each.to}{each.points:+}{each.why}" for each in after.last_credits)
        mark.update(f"\n{step_text(step)}{paid} ".encode())
        mark.update(child.digest)
        edges[0] += 1
    if not ends:
        ends[game.score] = 1
    nodes[key] = _Node(ends, mark.digest())
    return nodes[key]
