"""The nouns of a truco match: plain values that decide nothing.

They are NamedTuples and not dataclasses: a state is copied at every step (``_replace`` is several
times cheaper) and a class of this kind costs a tenth to define, which counts on a small Pi.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from scorer.rules.variant import Rules


class Side(StrEnum):
    """Who speaks or scores: a team, one player of three, or the two camps of pata de gallo."""

    A = "A"
    B = "B"
    C = "C"
    GALLO = "gallo"
    PAIR = "pair"


class Action(StrEnum):
    """Every word of the score sheet, in the order menus show them."""

    # Calls of the trick ladder.
    TRUCO = "truco"
    RETRUCO = "retruco"
    VALE_CUATRO = "vale_cuatro"
    VALE_NUEVE = "vale_nueve"
    VALE_JUEGO = "vale_juego"
    SEIS = "seis"
    NOVE = "nove"
    DEZ = "dez"
    DOZE = "doze"
    TRUC = "truc"
    RETRUC = "retruc"
    QUATRE_VAL = "quatre_val"
    JOC_FORA = "joc_fora"
    # Calls of the envido.
    ENVIDO = "envido"
    REAL_ENVIDO = "real_envido"
    FALTA_ENVIDO = "falta_envido"
    ENVIDO_MAS = "envido_mas"
    ENVIDO_IGUALAR = "envido_igualar"
    ENVIT = "envit"
    TORNE = "torne"
    FALTA = "falta"
    # Calls of the flor.
    FLOR = "flor"
    CONTRAFLOR = "contraflor"
    CONTRAFLOR_RESTO = "contraflor_resto"
    CON_FLOR_ENVIDO = "con_flor_envido"
    FLOR_ENVIDA = "flor_envida"
    FLOR_ENVIDA_MAS = "flor_envida_mas"
    # Answers.
    QUIERO = "quiero"
    NO_QUIERO = "no_quiero"
    ME_ACHICO = "me_achico"
    NO_FLOR = "no_flor"
    PRIVO = "privo"
    NO_PRIVO = "no_privo"
    MAO_PLAY = "mao_play"
    MAO_RUN = "mao_run"
    # Outcomes that the people at the table tell the box.
    ENVIDO_WON = "envido_won"
    FLOR_WON = "flor_won"
    HAND_WON = "hand_won"
    FOLD = "fold"
    ALL_TIED = "all_tied"
    TRICKS = "tricks"
    FIRST_TRICK_DONE = "first_trick_done"
    NEW_HAND = "new_hand"
    # Fouls, corrections and ends that are not play.
    ENVIDO_REVERSED = "envido_reversed"
    FLOR_REVERSED = "flor_reversed"
    AWARD = "award"
    CORRECT = "correct"
    CONCEDE = "concede"
    TIME = "time"
    # Of the sheet, not of the game: they walk along the steps already taken.
    UNDO = "undo"
    REDO = "redo"


SIDELESS = frozenset(
    (
        Action.ALL_TIED,
        Action.TRICKS,
        Action.FIRST_TRICK_DONE,
        Action.NEW_HAND,
        Action.TIME,
        Action.UNDO,
        Action.REDO,
    )
)


class Step(NamedTuple):
    """One line of a score sheet: who, what, and how much where a number or results are told."""

    side: Side | None
    action: Action
    amount: int | None = None
    tricks: tuple[Side | None, ...] = ()  # winners so far, None for a tied trick


class Phase(StrEnum):
    """What the table is doing (state.md#phase)."""

    PLAYING = "playing"
    PENDING_ENVIDO = "pending_envido"
    PENDING_TRUCO = "pending_truco"
    PENDING_FLOR = "pending_flor"
    AWAITING_ENVIDO = "awaiting_envido"
    AWAITING_FLOR = "awaiting_flor"
    MAO_DECISION = "mao_decision"
    CANTANDO = "cantando"
    PENDING_PRIVO = "pending_privo"
    HAND_OVER = "hand_over"
    GAME_OVER = "game_over"
    MATCH_OVER = "match_over"


class Refusal(StrEnum):
    """Why a step is not possible now. The words for people are chosen at the edge."""

    GAME_OVER = "GAME_OVER"
    HAND_OVER = "HAND_OVER"
    ANSWER_FIRST = "ANSWER_FIRST"
    NOTHING_TO_ANSWER = "NOTHING_TO_ANSWER"
    OWN_CALL = "OWN_CALL"
    NOT_YOUR_RAISE = "NOT_YOUR_RAISE"
    OUT_OF_ORDER = "OUT_OF_ORDER"
    TOO_LATE = "TOO_LATE"
    ENVIDO_CLOSED = "ENVIDO_CLOSED"
    WINNER_FIRST = "WINNER_FIRST"
    NO_WINNER_WANTED = "NO_WINNER_WANTED"
    DECIDE_FIRST = "DECIDE_FIRST"
    NO_RAISING_HERE = "NO_RAISING_HERE"
    TOO_MUCH = "TOO_MUCH"
    TIED = "TIED"
    NOT_IN_THIS_VARIANT = "NOT_IN_THIS_VARIANT"
    NOTHING_TO_UNDO = "NOTHING_TO_UNDO"
    # Added within version 1 of the document.
    NOTHING_TO_REDO = "NOTHING_TO_REDO"
    NOTHING_TO_REVERSE = "NOTHING_TO_REVERSE"
    NOTHING_TO_DECIDE = "NOTHING_TO_DECIDE"
    FLOR_CLOSED = "FLOR_CLOSED"
    FLOR_OR_NO = "FLOR_OR_NO"
    NO_MORE_FLORES = "NO_MORE_FLORES"
    NOT_OVER = "NOT_OVER"
    TOO_LITTLE = "TOO_LITTLE"


class PointsReason(StrEnum):
    """What points were paid for."""

    HAND = "hand"
    TRUCO_REFUSED = "truco_refused"
    ENVIDO = "envido"
    ENVIDO_REFUSED = "envido_refused"
    FLOR = "flor"
    FLOR_REFUSED = "flor_refused"
    FOLD = "fold"
    FOLD_ENVIDO = "fold_envido"
    MAO_RUN = "mao_run"
    MAO_TRUCO = "mao_truco"
    PRIVO = "privo"
    AWARD = "award"
    CORRECT = "correct"
    CONCEDE = "concede"
    TIME = "time"
    ENVIDO_REVERSED = "envido_reversed"
    FLOR_REVERSED = "flor_reversed"


class Credit(NamedTuple):
    """Points written to a side (negative when they are taken away), and what for."""

    to: Side
    points: int
    why: PointsReason


class Status(StrEnum):
    """Where a bet stands in this hand."""

    IDLE = "idle"  # nothing said yet
    PENDING = "pending"  # said; the other side owes an answer
    ACCEPTED = "accepted"  # waits to be told who won it
    CLOSED = "closed"  # paid, refused or overruled


class Truco(NamedTuple):
    """The trick ladder: ``rung`` 0 is the base, ``caller`` made the newest call."""

    rung: int = 0
    caller: Side | None = None
    pending: bool = False


class Envido(NamedTuple):
    """The chain of envido calls of this hand and the points each added (0: the falta)."""

    chain: tuple[Action, ...] = ()
    amounts: tuple[int, ...] = ()
    caller: Side | None = None
    status: Status = Status.IDLE


class Flor(NamedTuple):
    """Flores announced a side (in the order of the sides that speak) and the raises among them."""

    announced: tuple[int, ...] = ()
    raises: tuple[Action, ...] = ()
    caller: Side | None = None
    status: Status = Status.IDLE
    amounts: tuple[int, ...] = ()  # that each raise of an open flor put on


class ThreeWayBet(NamedTuple):
    """One bet of destantado: what each has agreed to (0: nothing) and who still owes an answer."""

    agreed: tuple[int, ...]
    asked: tuple[Side, ...] = ()
    out: tuple[Side, ...] = ()  # refused the newest call, or left the hand


class DeferredAward(NamedTuple):
    """Who takes the hand, at which value and what for, once the bet before it has been told."""

    to: Side | None
    value: int
    why: PointsReason


class HandKind(StrEnum):
    NORMAL = "normal"
    REDONDA = "redonda"
    PICA = "pica"


class Special(StrEnum):
    """The hand that is dealt when a side stands one hand from winning (mão de onze, de dez)."""

    NONE = "none"
    DECIDING = "deciding"  # exactly one side stands there and must say whether it plays
    PLAYED = "played"
    IRON = "iron"  # both stand there: mão de ferro
    CANTANDO = "cantando"  # one side stands a point from the end and tells its envite
    PRIVO = "privo"  # a rival says that it beats that envite, and truco
    BOTH_CANTANDO = "both_cantando"  # both stand there: the better envite ends the game


class Hand(NamedTuple):
    """One deal: everything that is forgotten when the next one is dealt."""

    truco: Truco
    envido: Envido
    flor: Flor
    kind: HandKind = HandKind.NORMAL
    special: Special = Special.NONE
    decider: Side | None = None
    duels: tuple[tuple[Credit, ...], ...] = ()  # of a pica hand: what each duel has paid so far
    privo_by: Side | None = None  # who said "privo y truco" and was taken at its word
    tricks_won_by: Side | None = None  # of destantado: who won the tricks, and leads the next hand
    bets: tuple[ThreeWayBet, ...] = ()  # of destantado: envido, truco
    deferred_award: DeferredAward | None = (
        None  # the tricks are decided, and an accepted bet waits to be told
    )
    tricks: tuple[Side | None, ...] = ()
    first_trick: bool = True
    over: bool = False


class Game(NamedTuple):
    """The whole state between two steps; ``score`` is ``base`` and all paid in this hand."""

    rules: Rules
    score_at_deal: tuple[int, ...]  # score at the deal
    score: tuple[int, ...]
    games: tuple[int, ...]  # games of the series won before this one
    hand_number: int  # of the hand in this game, from 1
    mano: Side
    hand: Hand
    payments: tuple[
        tuple[Credit, ...], ...
    ] = ()  # since the deal; one tuple for what counts at once
    last_credits: tuple[Credit, ...] = ()  # paid by the newest step
    winner: Side | None = None  # of this game
    conceded_to: Side | None = None  # the winner by surrender or by time
    gallo: Side | None = None  # of pata de gallo: who plays alone in this hand
    pot: int = 0  # of destantado: what has left the piles for good
    wins_series: bool = False  # the winner takes the whole series (``match_rung``)
