"""Counting every way a hand can go: states, steps, lines, what the lines pay, and a digest.

After the chess programmers' *perft*, which counts positions. Points cannot be seen by counting, so
the pay-off of every line is summed too, and a digest covers every order, score and reason. It asks
the engine and knows no rule; where its pins are kept is the business of ``perft_command``.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from scorer.rules.engine import alphabet, attempt, phase_of
from scorer.rules.model import (
    Action,
    Credit,
    Envido,
    Flor,
    Game,
    Hand,
    Phase,
    PointsReason,
    Refusal,
    Side,
    Status,
    Step,
    ThreeWayBet,
)
from scorer.rules.notation import step_text

# Possible nearly anywhere, or another way of saying what other steps say: not worth a line.
NOT_WALKED = frozenset(
    (
        Action.AWARD,
        Action.TRICKS,
        Action.NEW_HAND,
        Action.ENVIDO_REVERSED,
        Action.FLOR_REVERSED,
    )
)
OPEN_FLOR = frozenset((Action.FLOR_ENVIDA, Action.FLOR_ENVIDA_MAS))
OPEN_RAISES = OPEN_FLOR | {Action.ENVIDO_MAS}
ENDS = frozenset((Phase.HAND_OVER, Phase.GAME_OVER, Phase.MATCH_OVER))

Points = tuple[int, ...]


class OpenBetLimits(NamedTuple):
    """Which numbers of stones are followed where any may be named, and for how many bets."""

    amounts: tuple[int | None, ...] = (None, 5)
    bets: int = 2  # none is raised by stones once so many have been made


PINNED_BET_LIMITS = OpenBetLimits()


class Perft(NamedTuple):
    """The count of one hand from one start."""

    states: int
    edges: int  # steps that lead from a state to a state
    lines: int  # complete orders of steps
    payoffs: tuple[tuple[Points, int], ...]  # points a side, and how many lines pay just that
    digest: str  # 12 hexadecimal digits


class _Node(NamedTuple):
    ends: Counter[Points]  # final score to number of lines
    digest: bytes


def perft(game: Game) -> Perft:
    """Counts the hand that ``game`` stands in, to the end of every line."""
    nodes: dict[Game, _Node] = {}
    edges = [0]
    root = _count(game, nodes, edges)
    pay = Counter[Points]()
    for score, lines in root.ends.items():
        pay[tuple(a - b for a, b in zip(score, game.score, strict=True))] += lines
    total = sum(pay.values())
    return Perft(len(nodes), edges[0], total, tuple(sorted(pay.items())), root.digest.hex()[:12])


def perft_text(result: Perft) -> str:
    """The count as three lines of text, without a line end at the last one."""
    pay = " ".join(f"{'/'.join(map(str, points))}:{lines}" for points, lines in result.payoffs)
    head = f"states {result.states}  edges {result.edges}  lines {result.lines}"
    return f"{head}\npay {pay}\ndigest {result.digest}"


def walk_steps(
    game: Game, limits: OpenBetLimits = PINNED_BET_LIMITS
) -> Iterator[tuple[Step, Game]]:
    """The steps of the hand that a count follows from here, in menu order, and where they lead."""
    if phase_of(game) in ENDS:
        return
    for step in alphabet(game):
        if is_walked(game, step, limits):
            after = attempt(game, step)
            if not isinstance(after, Refusal):
                yield step, after


def is_walked(game: Game, step: Step, limits: OpenBetLimits = PINNED_BET_LIMITS) -> bool:
    """Does a count follow this step, if it is legal? Open bets may be raised without an end."""
    if step.action in NOT_WALKED:
        return False
    if step.action not in OPEN_RAISES:
        return True
    bets = game.hand.flor.amounts if step.action in OPEN_FLOR else game.hand.envido.amounts
    return len(bets) < limits.bets and step.amount in limits.amounts


def states(game: Game) -> Iterator[Game]:
    """Every state of the hand that can be reached from ``game``, each once, itself first."""
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
    """What can still matter to the rest of the hand: two games with the same core go on alike.

    A bet that was settled is as good as any other that was: only that it is closed counts, and
    the points it paid stand in the score. It makes forty states of the flor into one. So do sums
    where any number of stones may be bet, and what everybody owes where three play.
    """
    hand = game.hand
    if hand.envido.status is Status.CLOSED:
        hand = hand._replace(envido=Envido(status=Status.CLOSED))
    if hand.flor.status is Status.CLOSED:
        hand = hand._replace(flor=Flor(status=Status.CLOSED))
    if game.rules.opens_with_numbers:
        hand = hand._replace(envido=_sum_envido(hand.envido), flor=_sum_flor(hand.flor))
    if hand.bets:
        hand = hand._replace(bets=_normalize_bets(hand))
    if hand.duels:
        first = _sum_credits(sum(hand.duels, ()))
        hand = hand._replace(duels=(first, *((),) * (len(hand.duels) - 1)))
    return game._replace(hand=hand, payments=(), last_credits=())


def _sum_envido(envido: Envido) -> Envido:
    """Of an accepted envido only its worth counts: the sum, or that it is the falta."""
    if envido.status is not Status.ACCEPTED or not envido.amounts:
        return envido
    worth = sum(envido.amounts) if envido.amounts[-1] else 0
    return Envido(amounts=(worth,), status=Status.ACCEPTED)


def _sum_flor(flor: Flor) -> Flor:
    """Of flores that wait to be compared the last raise and the sum of the stones count."""
    if flor.status is not Status.ACCEPTED:
        return flor
    return flor._replace(raises=flor.raises[-1:], amounts=(sum(flor.amounts),), caller=None)


def _normalize_bets(hand: Hand) -> tuple[ThreeWayBet, ...]:
    """Who has left and who is asked, in no order; nothing of an envido that was settled."""
    envido, truco = (
        bet._replace(asked=tuple(sorted(bet.asked)), out=tuple(sorted(bet.out)))
        for bet in hand.bets
    )
    if hand.envido.status is Status.CLOSED:
        envido = ThreeWayBet(())
    return envido, truco


def _sum_credits(credits: tuple[Credit, ...]) -> tuple[Credit, ...]:
    """The points a side, whatever they were paid for."""
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
        mark.update(_edge(step, after))
        mark.update(child.digest)
        edges[0] += 1
    if not ends:
        ends[game.score] = 1
    nodes[key] = _Node(ends, mark.digest())
    return nodes[key]


def _edge(step: Step, after: Game) -> bytes:
    """The step with what it paid and why, for the digest."""
    paid = "".join(f" {credit.to}{credit.points:+}{credit.why}" for credit in after.last_credits)
    return f"\n{step_text(step)}{paid} ".encode()
