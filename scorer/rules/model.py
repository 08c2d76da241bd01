"""Values of a truco match: steps, bets, hands and games.

They are NamedTuples rather than dataclasses: every step copies the state, ``_replace`` is several
times cheaper, and defining such a class costs a tenth of the time, which counts on a small Pi.
"""

from enum import StrEnum
from typing import NamedTuple

from scorer.rules.actions import Action, Side
from scorer.rules.variant import Rules


class Step(NamedTuple):
    """One line of a score sheet: side, action, and an amount or trick list if any."""

    side: Side | None
    action: Action
    amount: int | None = None
    tricks: tuple[Side | None, ...] = ()  # winners so far, None for a tied trick


class Phase(StrEnum):
    """The phase of the game (state.md#phase)."""

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
    """Why a step is not possible now; user interfaces word the reason."""

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
    MUST_PLAY = "MUST_PLAY"


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
    ENVIDO_ANNULLED = "envido_annulled"
    ENVIDO_REVERSED = "envido_reversed"
    FLOR_REVERSED = "flor_reversed"


class Credit(NamedTuple):
    """Points booked for a side (negative if deducted), and the reason."""

    to: Side
    points: int
    why: PointsReason


class Status(StrEnum):
    """State of a bet in the current hand."""

    IDLE = "idle"  # not called
    PENDING = "pending"  # called; the other side owes an answer
    ACCEPTED = "accepted"  # waits for its winner
    CLOSED = "closed"  # paid, refused or overruled


class Truco(NamedTuple):
    """The trick ladder: ``rung`` 0 is the plain hand, ``caller`` made the latest call."""

    rung: int = 0
    caller: Side | None = None
    pending: bool = False


class Envido(NamedTuple):
    """The envido chain of this hand and the points each call added (0: the falta)."""

    chain: tuple[Action, ...] = ()
    amounts: tuple[int, ...] = ()
    caller: Side | None = None
    status: Status = Status.IDLE
    annullable: Credit | None = None  # what a refusal paid, if a flor takes it back


class Flor(NamedTuple):
    """Flores announced per side (in the order of ``speaking_sides``) and their raises."""

    announced: tuple[int, ...] = ()
    raises: tuple[Action, ...] = ()
    caller: Side | None = None
    status: Status = Status.IDLE
    amounts: tuple[int, ...] = ()  # added by each raise of an open flor


class ThreeWayBet(NamedTuple):
    """One bet of destantado: points agreed to per player (0: none), pending answers."""

    agreed: tuple[int, ...]
    asked: tuple[Side, ...] = ()
    out: tuple[Side, ...] = ()  # refused the latest call, or left the hand


class DeferredAward(NamedTuple):
    """Award postponed until the winner of the pending bet is entered."""

    to: Side | None
    value: int
    why: PointsReason


class HandKind(StrEnum):
    NORMAL = "normal"
    REDONDA = "redonda"
    PICA = "pica"


class Special(StrEnum):
    """The hand dealt when a side is one hand from winning (mão de onze, de dez)."""

    NONE = "none"
    DECIDING = "deciding"  # exactly one side is there and must decide whether to play
    PLAYED = "played"
    IRON = "iron"  # both sides are there: mão de ferro
    CANTANDO = "cantando"  # one side is a point from the end and declares its envite
    PRIVO = "privo"  # a rival claims to beat that envite, and calls truco
    BOTH_CANTANDO = "both_cantando"  # both sides are there: the better envite ends the game


class Hand(NamedTuple):
    """State of one hand; replaced at the next deal."""

    truco: Truco
    envido: Envido
    flor: Flor
    kind: HandKind = HandKind.NORMAL
    special: Special = Special.NONE
    decider: Side | None = None
    duels: tuple[tuple[Credit, ...], ...] = ()  # pica hand: what each duel has paid so far
    privo_by: Side | None = None  # whose "privo y truco" was accepted
    tricks_won_by: Side | None = None  # destantado: won the tricks and leads the next hand
    bets: tuple[ThreeWayBet, ...] = ()  # destantado: envido, truco
    deferred_award: DeferredAward | None = (
        None  # award of decided tricks, while an accepted bet waits for its winner
    )
    tricks: tuple[Side | None, ...] = ()
    first_trick: bool = True
    over: bool = False


class Match(NamedTuple):
    """The match of a tournament that a game belongs to (score-sheet.md#match).

    ``agreed`` and ``contested``: what the speaking sides say of its result. ``is_timed``: its time
    was over before it was decided.
    """

    id: str
    hall: str = ""
    leg: int = 1  # games of a match that has ``legs`` of them, all played
    legs: int = 1
    agreed: tuple[Side, ...] = ()
    contested: tuple[Side, ...] = ()
    is_timed: bool = False

    @property
    def is_last_leg(self) -> bool:
        return self.is_timed or self.leg == self.legs

    def is_with(self, other: "Match") -> bool:
        """True if both have the same tags, but for the leg: score-sheet.md#match."""
        return (self.id, self.hall, self.legs) == (other.id, other.hall, other.legs)

    def follows(self, other: "Match | None") -> bool:
        """True for a later leg of ``other``, also one more than it was to have."""
        if other is None:
            return False
        return (self.id, self.hall) == (other.id, other.hall) and self.leg > other.leg


class Start(NamedTuple):
    """How a game starts; each tuple has a number per side of ``rules.scoring_sides``.

    None: as the rules have it. A game keeps it, complete, so that what a game carries is a field
    here and a row of ``sheet.TAGS``.
    """

    rules: Rules
    score: tuple[int, ...] | None = None
    mano: Side | None = None  # with a gallo: the side after it
    gallo: Side | None = None  # pata de gallo: plays alone in the first hand
    kind: HandKind | None = None  # of the first hand
    games: tuple[int, ...] | None = None  # of the series won before this one
    match: Match | None = None  # of a tournament, with what has been said of its result
    rematches: tuple[int, ...] | None = None  # games won before, in a series by rematches


class RuleChange(NamedTuple):
    """Rules from the next hand on, or from the next game of the series."""

    rules: Rules
    from_game: bool = False


class Game(NamedTuple):
    """The whole state between two steps.

    ``score`` is ``score_at_deal`` plus all payments of this hand.
    """

    start: Start
    rules: Rules  # of ``start``: each step reads them
    score_at_deal: tuple[int, ...]  # score at the deal
    score: tuple[int, ...]
    hand_number: int  # of the hand in this game, from 1
    mano: Side
    hand: Hand
    payments: tuple[
        tuple[Credit, ...], ...
    ] = ()  # since the deal; credits in one tuple count at the same moment
    last_credits: tuple[Credit, ...] = ()  # paid by the latest step; in a record, by its press
    winner: Side | None = None  # of this game
    conceded_to: Side | None = None  # winner by surrender or by time
    gallo: Side | None = None  # pata de gallo: plays alone in this hand
    wins_series: bool = False  # the winner takes the whole series (``match_rung``)
    change: RuleChange | None = None  # chosen, and not in force before the next deal

    @property
    def games(self) -> tuple[int, ...]:
        """Games of the series won before this one, per side."""
        assert self.start.games is not None
        return self.start.games

    @property
    def match(self) -> Match | None:
        """The match of a tournament that the game belongs to."""
        return self.start.match

    def with_match(self, match: Match) -> "Game":
        """The game with something said of the result of its match."""
        return self._replace(start=self.start._replace(match=match))
