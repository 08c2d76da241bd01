"""What views show unchanged: screen, notice, reports of phones and hall.

They know nothing of the rules, so that displays may import them.
"""

from enum import StrEnum
from typing import Final, NamedTuple


class Screen(StrEnum):
    """The name of each screen, shared by preview, golden images and docs."""

    PLAYING = "playing"
    PENDING = "pending"
    WINNER = "winner"  # waiting for the winner of the envido or flor
    HAND_OVER = "hand_over"
    QUESTION = "question"
    MAO = "mao"  # mão de onze, de dez: play or run?
    CANTANDO = (
        "singing"  # a side one point from the end declares its envite: does the rival beat it?
    )
    GAME_OVER = "game_over"
    MATCH_OVER = "match_over"
    # The pages of MENU; they capture no buttons.
    TALLY = "tally"
    LADDER = "ladder"
    HISTORY = "history"
    NIGHT = "night"
    PAIRS = "pairs"  # what each pair of the night did
    CONNECTION = "connection"  # the address for phones, as text and QR code
    HALL = "hall"  # table, connection, and the result as QR code; QUIERO calls the director
    STATUS = "status"
    SETUP = "setup"
    MATCH_OFFER = "offer"  # a match of a tournament can be accepted
    STORE_FAILURE = "trouble"  # the store cannot be read: scoring is impossible


# The pages of MENU in order.
PAGES: Final = (
    Screen.TALLY,
    Screen.LADDER,
    Screen.HISTORY,
    Screen.NIGHT,
    Screen.CONNECTION,
    Screen.HALL,
    Screen.PAIRS,
    Screen.STATUS,
)


class Half(StrEnum):
    """The half of the game in which a score is counted."""

    MALAS = "malas"
    BUENAS = "buenas"


class SideView(NamedTuple):
    """The state of one side."""

    name: str  # the chosen name, or "" for the default of the language (nosotros/ellos)
    key: str  # "A", "B", "C": picks the default name
    score: int  # capped at the target; a pile is not capped
    spoken: int  # the number as spoken: 6 of "6 buenas"
    half: Half | None = None  # None without halves
    games: int = 0  # won in the series
    mano: bool = False
    may_raise: bool = False
    owes: bool = False  # the box waits for this side


class ChangeStart(StrEnum):
    """The deal with which a chosen change of rules comes into force."""

    HAND = "hand"
    THIS_HAND = "this_hand"  # the next hand is shown already, with nothing said in it
    REDONDA = "redonda"  # the duels of a pica hand are played out before
    GAME = "game"  # of the series
    IN_FORCE = "in_force"  # this hand is the first one


class ChangeView(NamedTuple):
    """A change of rules in a running game; None for what stays the same."""

    start: ChangeStart
    target: int | None = None
    has_flor: bool | None = None


class HandPayment(NamedTuple):
    """What a bet of a hand paid: word ("" without truco), points, view index."""

    word: str
    points: int
    side: int


class HistoryLine(NamedTuple):
    """One entry of the history page."""

    hand: int
    side: int | None
    word: str  # the call in words of the variant, or ""
    key: str  # key of the event
    points: int
    scores: tuple[int, ...]
    time: str  # "21:07" or ""
    change: ChangeView | None = None  # an entry of a change of rules alone


class Notice(NamedTuple):
    """A temporary line over the lower third: a refusal, an undo, a hold in progress.

    ``key``: of NoticeKey or Refusal, or of another enum with texts of notices.
    """

    key: StrEnum
    word: str = ""
    side: int | None = None
    side_to: int | None = None
    points: int = 0
    number: int = 0
    urgent: bool = False  # a refusal: drawn in inverse
    gains: tuple[tuple[int, int], ...] = ()  # of several sides: (side, points)
    change: ChangeView | None = None  # of CHANGE


class SeriesGame(StrEnum):
    """A game of a series that has a name of its own."""

    REMATCH = "rematch"  # la revancha
    DECIDER = "decider"  # el bueno, el bonito, a negra: it is one game each


def series_game(won: tuple[int, ...] | None, best_of: int) -> SeriesGame | None:
    """The game after these games won; None if it has no name or is of no series."""
    if won is None or best_of == 1:
        return None
    if set(won) == {best_of // 2}:
        return SeriesGame.DECIDER
    return SeriesGame.REMATCH if sum(won) == 1 else None


class LinkState(StrEnum):
    """Whether phones can reach the box; every member but ONLINE says why not."""

    OFF = "off"  # no web service is running
    ONLINE = "online"
    OFFLINE = "offline"
    WAITING = "waiting"
    PASSWORD = "password"
    ABSENT = "absent"
    FAILED = "failed"
    LOCAL = "local"  # wrong settings: the web service listens on this machine alone


class LinkView(NamedTuple):
    """How phones reach the box, as last reported by the web service."""

    state: LinkState = LinkState.OFF
    address: str = ""  # "http://192.168.1.7:8080/"; "" without a network
    name: str = ""  # host name: "truco.local"
    wifi: str = ""  # name of the wireless network
    clients: int = 0  # connected viewers
    password: str = ""  # of the network that the box has opened itself
    target: str = ""  # the network that it leaves that one for, or has tried to join
    fault: LinkState | None = None  # why that was not joined


class HallState(StrEnum):
    """How the box stands with its hall, as the link reports it."""

    OFF = "off"  # no link process is running
    ALONE = "alone"  # in no hall
    JOINING = "joining"
    OFFLINE = "offline"
    ONLINE = "online"
    HELD = "held"  # the hub holds the rows of this box
    REFUSED = "refused"  # the hub does not know this box
    VERSION = "version"  # the hub speaks another version


class JoinFault(StrEnum):
    """Why a wish of the players failed."""

    NONE = ""
    UNREACHABLE = "unreachable"
    DENIED = "denied"
    EXPIRED = "expired"
    FULL = "full"
    FAILED = "failed"


class NearbyHall(NamedTuple):
    """A hall in the network."""

    id: str
    name: str


class HallView(NamedTuple):
    """The newest report of the link; the default is that of a box without one."""

    state: HallState = HallState.OFF
    name: str = ""
    table: int = 0  # number of the table in the hall; 0: unknown
    sent: int = 0  # the newest row that the hub has stored
    halls: tuple[NearbyHall, ...] | None = None  # None: not looked for
    digits: str = ""  # shown by panel and desk while joining
    qr: str = ""  # the result for a camera; stands for row ``qr_seq``
    qr_seq: int = 0
    fault: JoinFault = JoinFault.NONE
    wait: int = 0  # minutes until a box may try to join again; 0: not said
    is_calling: bool = False  # a call of the director is on its way

    @property
    def is_member(self) -> bool:
        """True if the box belongs to a hall, reachable or not."""
        return self.state not in (HallState.OFF, HallState.ALONE, HallState.JOINING)
