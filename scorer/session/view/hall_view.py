"""The hall of the table and its match, as panels show them."""

from enum import StrEnum
from typing import NamedTuple


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
    is_calling: bool = False  # a call of the director is on its way

    @property
    def is_member(self) -> bool:
        """True if the box belongs to a hall, reachable or not."""
        return self.state not in (HallState.OFF, HallState.ALONE, HallState.JOINING)


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
