"""What a panel has to tell, in keys and numbers: no words of the interface, no pixels, no time.

A view is made from a session (``view_of``) and drawn by ``scorer.display``. Words in it that are
shouted at the table (``truco``, ``seis``) belong to the variant; everything else is a key that the
screen looks up in its catalogue. Sides are told by their index in ``View.sides``; one past the last
is the pair that plays together in pata de gallo.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from scorer.rulecards.card_page import CardPage as CardPage
from scorer.rulecards.card_page import CardRow as CardRow


class Screen(StrEnum):
    """The name of each screen; preview, golden images and docs share this one list."""

    PLAYING = "playing"
    PENDING = "pending"
    WINNER = "winner"  # the box waits to be told who won the envido, the flor
    HAND_OVER = "hand_over"
    QUESTION = "question"
    MAO = "mao"  # mão de onze, de dez: play or run?
    CANTANDO = "singing"  # a side a point from the end tells its envite: does the rival beat it?
    GAME_OVER = "game_over"
    MATCH_OVER = "match_over"
    # Pages that inform (MENU); they capture no button.
    TALLY = "tally"
    LADDER = "ladder"
    HISTORY = "history"
    NIGHT = "night"
    CONNECTION = "connection"  # where phones find the score, as letters and as a QR code
    STATUS = "status"
    SETUP = "setup"
    STORE_FAILURE = "trouble"  # the store cannot be read at all: nothing can be scored


class CallFamily(StrEnum):
    """What a call bets on; the families of the envido and the flor are settled before the truco."""

    TRUCO = "truco"
    ENVIDO = "envido"
    FLOR = "flor"
    MAO = "mao"  # mão de onze, de dez: play or run
    SINGING = "singing"  # a side a point from the end tells its envite
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


class Half(StrEnum):
    """The half of the game in which a score is counted."""

    MALAS = "malas"
    BUENAS = "buenas"


class NextHandKind(StrEnum):
    """Who plays whom in the next hand, with the names that the rules give to its kinds."""

    NORMAL = "normal"
    REDONDA = "redonda"
    PICA = "pica"


class LinkState(StrEnum):
    """Whether phones can reach the box; every member but ONLINE says why not."""

    OFF = "off"  # no program serves them
    ONLINE = "online"
    OFFLINE = "offline"
    WAITING = "waiting"
    PASSWORD = "password"
    ABSENT = "absent"
    FAILED = "failed"


class SideView(NamedTuple):
    """One side of the table as it stands."""

    name: str  # as chosen by the people, or "" for the default of the language (nosotros/ellos)
    key: str  # "A", "B", "C": picks the default name
    score: int  # capped at the target; what is left of a pile is not
    spoken: int  # the number as it is said: 6 of "6 buenas"
    half: Half | None = None  # None where there are no halves
    games: int = 0  # won in the series
    mano: bool = False
    may_raise: bool = False
    owes: bool = False  # the box waits for this side


class RungView(NamedTuple):
    """One rung of the truco ladder; the first one is the plain hand (word "")."""

    word: str
    value: int  # GAME (-1) where the whole game is at stake
    refused: int  # what a no pays; 0 for the plain hand
    state: RungState


class WorthView(NamedTuple):
    """What one answer pays: to whom, how much and what the scores would be then."""

    points: tuple[int, ...]  # one number, or one a side where it depends on who wins; -1: the game
    to: int | None  # the side that takes them for certain, else None (who wins it is open)
    scores: tuple[int, ...] | None = None  # after it, capped, where certain
    wins: bool = False  # it would end the game
    if_won: tuple[tuple[int, ...], ...] | None = None  # the scores if each side wins it, in order


class CallView(NamedTuple):
    """The call that waits for an answer, or the bet that waits for its winner."""

    word: str  # in the variant's own words: "falta envido", "seis"
    family: CallFamily | None  # None where only the state document is known
    by: int  # side that called
    owes: int  # side that must answer
    quiero: WorthView
    no_quiero: WorthView
    suspended: str = ""  # the truco that waits behind it, in the variant's words
    unwanted: int = 0  # of "singing": what a yes brings where the truco in it is not wanted
    owed: tuple[int, ...] = ()  # every side that must answer; none where a bet waits for its winner
    yes: str = ""  # the answers in the variant's own words
    no: str = ""


class GainView(NamedTuple):
    """Points just written, and the key of the reason (``Why``)."""

    side: int
    points: int
    why: str
    word: str = ""  # the call it was paid for, where there was one


class NextHandView(NamedTuple):
    """The hand that comes, shown while the last one is still on the panel."""

    mano: int
    kind: NextHandKind = NextHandKind.NORMAL
    special: SpecialKind | None = None
    decider: int | None = None
    worth: int = 0
    run: int = 0
    gallo: int | None = None  # who plays alone in it
    call: CallView | None = None  # what one side sings in it, before anybody pressed


class QuestionView(NamedTuple):
    """A question with its two answers; ``key`` names the sentence, the worths what each pays."""

    key: str
    yes: str  # key of the short answer or ""
    no: str
    yes_points: tuple[int, int] | None = None  # (side, points)
    no_points: tuple[int, int] | None = None
    word: str = ""  # a call, in the variant's words
    side: int | None = None  # whom the sentence speaks of
    number: int = 0  # e.g. of the hand


class Notice(NamedTuple):
    """A line over the lower third for a while: a refused press, an undo, a hold in progress."""

    key: str
    word: str = ""
    side: int | None = None
    side_to: int | None = None
    points: int = 0
    number: int = 0
    urgent: bool = False  # refused: drawn in inverse


class HistoryLine(NamedTuple):
    """One entry of the history page."""

    hand: int
    side: int | None
    word: str  # call in the variant's words or ""
    key: str  # key of what happened
    points: int
    scores: tuple[int, ...]
    time: str  # "21:07" or ""


class SetupItem(NamedTuple):
    """One line of set-up: a key, whom it speaks of, a number, calls; or a moment of the game.

    On its right stands what is chosen there: the words of ``value``, a figure or a side.
    """

    key: str
    side: int | None = None
    number: int = 0
    word: str = ""
    moment: HistoryLine | None = None
    text: str = ""  # said instead of the key: a name, the title of a variant
    value: str = ""
    figure: str = ""
    chosen_side: int | None = None
    scores: tuple[int, ...] = ()
    marked: bool = False  # of several, the one that counts now


class SetupView(NamedTuple):
    """What set-up shows: a list, numbers to be set (``values``), or one thing to agree on.

    Or a name as far as it is spelled, with the ``letters`` around the one that is turned to; or a
    page of a rule card.
    """

    title: str  # key of the level
    items: tuple[SetupItem, ...] = ()  # those around the selected one
    at: int = 0  # the selected one among them
    above: int = 0  # lines of the list that are not among the items
    below: int = 0
    values: tuple[int, ...] = ()  # one for each side, or one for ``side`` alone
    side: int | None = None  # whose value is being set
    missing: tuple[int, ...] = ()  # whose yes is waited for before ``items[at]`` is done
    option: str = ""  # what the one number says
    letters: tuple[str, ...] = ()  # two before, the one, two after; "done", "erase", "space" too
    text: str = ""
    card: CardPage | None = None
    is_first_run: bool = False  # it may be skipped
    code: str = ""  # digits that a new phone has to say
    address: str = ""  # where it says them; "" where nobody serves the board
    sides: tuple[SideView, ...] = ()  # of the game to be, where it is that one


class Standing(NamedTuple):
    """One side of the night's ranking; without a name it is told by ``key``."""

    name: str
    key: str
    won: int
    played: int
    streak: int  # games won in a row, up to the newest


class NightView(NamedTuple):
    """The games of tonight that somebody has won."""

    rows: tuple[Standing, ...] = ()  # the best first
    games: int = 0
    longest: int = 0  # minutes of the longest game; 0 where no clock could tell


class LinkView(NamedTuple):
    """How phones reach the box, as the program that serves them told it last."""

    state: LinkState = LinkState.OFF
    address: str = ""  # "http://192.168.1.7:8080/"; none where there is no network
    name: str = ""  # under which the same is found: "truco.local"
    wifi: str = ""  # the name of the wireless network
    clients: int = 0  # who look on now


class View(NamedTuple):
    screen: Screen
    sides: tuple[SideView, ...]
    target: int
    half: int | None
    stake: int  # of the trick part, -1: the game
    ladder: tuple[RungView, ...]
    hand: int = 1
    special: SpecialKind | None = None  # MAO while it is being played, IRON
    special_worth: int = 0
    call: CallView | None = None
    gains: tuple[GainView, ...] = ()
    next_hand: NextHandView | None = None
    question: QuestionView | None = None
    notice: Notice | None = None
    winner: int | None = None
    best_of: int = 1
    marks: tuple[str, ...] = ()  # keys: "unsaved", "stuck", "power", "safe"
    accept: str = "quiero"  # the variant's words for the answers
    refuse: str = "no quiero"
    history: tuple[HistoryLine, ...] = ()
    duel: int | None = None  # of a pica hand, from 1
    duels: int = 0  # that a pica hand has
    duel_points: tuple[int, ...] = ()  # of the running pica hand, a side
    gallo: int | None = None  # who plays alone in this hand
    pot: int | None = None  # points that have left the piles; None where there are none
    large_digits: bool = False  # in play, instead of the tally
    blink: bool = False  # phase of what blinks (the called rung)
    confirmed: tuple[int, ...] = ()  # sides that have said yes to the next game
    setup: SetupView | None = None
    night: NightView | None = None
    link: LinkView | None = None

    @property
    def counts_down(self) -> bool:
        """Whether scores are piles that shrink; each player then answers for himself."""
        return self.pot is not None
