"""The content of a panel in keys and numbers, independent of language and pixels.

A view is built from a session (``view_of``) and drawn by ``scorer.display``. Spoken words in it
(``truco``, ``seis``) belong to the variant; everything else is a key of the catalogues. Sides are
indices of ``View.sides``; one past the last is the pair of pata de gallo.
"""

from enum import StrEnum
from typing import TYPE_CHECKING, Literal, NamedTuple

from scorer.rulecards.card_page import CardPage as CardPage
from scorer.rulecards.card_page import CardRow as CardRow
from scorer.session.values.keys import AnswerKey, QuestionKey
from scorer.session.values.settings import LAMPS
from scorer.session.values.setup_view import SetupView
from scorer.session.values.shown import ChangeView, HallView, LinkView, Notice, Screen, SeriesGame
from scorer.session.values.shown import Half as Half
from scorer.session.values.shown import HistoryLine as HistoryLine
from scorer.session.values.shown import SideView as SideView

if TYPE_CHECKING:
    from scorer.session.values.night_view import NightView


class CallFamily(StrEnum):
    """What a call bets on: ``rules.offer.Bet`` for displays, which know no rules."""

    TRUCO = "truco"
    ENVIDO = "envido"
    FLOR = "flor"
    MAO = "mao"  # mão de onze, de dez: play or run
    SINGING = "singing"  # a side one point from the end declares its envite
    PRIVO = "privo"  # the answer to it, with truco


class RungState(StrEnum):
    """Where a rung stands relative to the accepted stake."""

    PAST = "past"
    CURRENT = "current"
    CALLED = "called"
    AHEAD = "ahead"


class SpecialKind(StrEnum):
    """A hand with rules of its own, as it is announced."""

    MAO = "mao"  # one side decides
    IRON = "iron"
    SINGING = "singing"  # one side
    BOTH_SINGING = "both_singing"


class NextHandKind(StrEnum):
    """Kind of the next hand, by the names of the rules."""

    NORMAL = "normal"
    REDONDA = "redonda"
    PICA = "pica"


class RungView(NamedTuple):
    """One rung of the truco ladder; the first one is the plain hand (word "")."""

    word: str
    value: int  # GAME (-1) if the whole game is at stake
    refused: int  # payment of a no; 0 for the plain hand
    state: RungState


class WorthView(NamedTuple):
    """The payment of one answer: receiver, points and resulting scores."""

    points: tuple[int, ...]  # one number, or one per side if it depends on the winner; -1: the game
    to: int | None  # the side that certainly receives them, else None
    scores: tuple[int, ...] | None = None  # after it, capped, if certain
    wins: bool = False  # it would end the game
    if_won: tuple[tuple[int, ...], ...] | None = None  # the scores if each side wins it, in order


class CallView(NamedTuple):
    """The call that waits for an answer, or the bet that waits for its winner."""

    word: str  # in words of the variant: "falta envido", "seis"
    family: CallFamily
    by: int  # side that called
    owes: int  # side that must answer
    quiero: WorthView
    no_quiero: WorthView
    suspended: str = ""  # the suspended truco, in words of the variant
    unwanted: int = 0  # of "singing": payment of a yes if the truco in it is refused
    owed: tuple[int, ...] = ()  # all sides that must answer; empty if a bet waits for its winner
    yes: str = ""  # the answers in words of the variant
    no: str = ""


class GainView(NamedTuple):
    """Points just recorded, with the key of their ``PointsReason``."""

    side: int
    points: int
    why: str
    word: str = ""  # the call it was paid for, or ""


class NextHandView(NamedTuple):
    """The next hand, announced while the last one is still shown."""

    mano: int
    kind: NextHandKind = NextHandKind.NORMAL
    special: SpecialKind | None = None
    decider: int | None = None
    worth: int = 0
    run: int = 0
    gallo: int | None = None  # the single player of it
    call: CallView | None = None  # the declaration that opens it


class QuestionView(NamedTuple):
    """A question with its two answers; ``key`` names the sentence."""

    key: QuestionKey
    yes: AnswerKey | Literal[""]  # the short answer
    no: AnswerKey | Literal[""]
    yes_points: tuple[int, int] | None = None  # (side, points)
    no_points: tuple[int, int] | None = None
    word: str = ""  # a call, in words of the variant
    side: int | None = None  # the side that the sentence refers to
    number: int = 0  # e.g. of the hand
    console: str = ""  # the only one that is asked
    is_no_undo: bool = False  # the button for a no is UNDO


class MatchPhase(StrEnum):
    """The phase of a match (state.md#match)."""

    OFFERED = "offered"
    ACCEPTED = "accepted"
    PLAYING = "playing"
    ENDED = "ended"
    AGREED = "agreed"
    CONTESTED = "contested"


class MatchView(NamedTuple):
    """The match on the panel."""

    id: str
    phase: MatchPhase
    agreed: tuple[int, ...] = ()  # sides
    is_result: bool = False  # its result is shown: to be agreed, or settled and not released
    variant: str = ""  # title
    leg: int = 1
    legs: int = 1
    options: tuple[tuple[str, str], ...] = ()  # those that differ, beside target and best_of
    minutes_left: int | None = None  # 0: the time is over; None: any time
    cap_start: int | None = None  # points at which games begin as the time is over; None: as ever
    has_next_game: bool = False  # another game may follow
    # When it began, and with a cap is to end: "20:14" or "20:14-21:44"; "" if unknown.
    span: str = ""
    minutes_played: int | None = None  # on the page of the hall; None: unknown
    tolerance_left: int | None = None  # minutes that the offer waits; 0: they are over


class View(NamedTuple):
    screen: Screen
    sides: tuple[SideView, ...]
    target: int
    half: int | None
    stake: int  # of the tricks; -1: the game
    ladder: tuple[RungView, ...]
    hand: int = 1
    special: SpecialKind | None = None  # MAO while it is being played, IRON
    special_worth: int = 0
    call: CallView | None = None
    gains: tuple[GainView, ...] = ()
    next_hand: NextHandView | None = None
    question: QuestionView | None = None
    chooser: int | None = None  # the side that is offered something on its own panel
    notice: Notice | None = None
    winner: int | None = None
    ended: str = ""  # how the game ended if not by points: "concede", "time"
    best_of: int = 1  # 3 in a series by rematches
    series_game: SeriesGame | None = None  # this game in such a series, if it has a name
    next_game: SeriesGame | None = None  # the game that may follow
    marks: tuple[str, ...] = ()  # keys: "stuck", "power", "safe"
    accept: str = "quiero"  # the variant's words for the answers and folding
    refuse: str = "no quiero"
    fold: str = "al mazo"
    is_no_held: bool = False  # NO QUIERO is a hold of QUIERO
    history: tuple[HistoryLine, ...] = ()
    dealer: int | None = None  # the side that deals next
    duel: int | None = None  # number of the duel of a pica hand, from 1
    duels: int = 0  # number of duels of a pica hand
    duel_points: tuple[int, ...] = ()  # of the current pica hand, per side
    gallo: int | None = None  # the single player of this hand
    pot: int | None = None  # points that have left the piles; None without piles
    large_digits: bool = False  # in play, instead of the tally
    shape: int = 5  # points of one shape of the tally: 5, 4 or 3 matches
    lamps: tuple[str, ...] = LAMPS  # colours, of the two teams
    blink: bool = False  # dark phase of the blinking called rung
    confirmed: tuple[int, ...] = ()  # sides that agreed to the next game
    change: ChangeView | None = None  # of the rules: chosen, and not in force yet
    setup: SetupView | None = None
    night: "NightView | None" = None
    link: LinkView | None = None
    hall: HallView | None = None
    match: MatchView | None = None  # of a tournament: offered, or played

    @property
    def are_tricks_still_played(self) -> bool:
        """True if tricks go on while a bet waits for its winner (Venezuela)."""
        raised = any(rung.state is RungState.CURRENT for rung in self.ladder[1:])
        return raised or any(side.may_raise for side in self.sides)

    @property
    def counts_down(self) -> bool:
        """Whether scores are piles that shrink; each player then answers for himself."""
        return self.pot is not None
