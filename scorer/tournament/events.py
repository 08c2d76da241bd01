"""The decisions of the desk in a tournament, as values and as JSON objects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple, get_args

from scorer.plain_values import Range, WrongValues, read_tagged
from scorer.tournament.model import Pair, Result

MAX_TABLE = 999  # number of a table of a hall


class NameTournament(NamedTuple):
    """What a tournament is called; ``date`` as ``2026-11-28``, "" without one."""

    name: str = ""
    date: str = ""
    category: str = ""


class Enter(NamedTuple):
    """A team enters; its id is the next number.

    A late entry joins the rounds that are left. ``consents``: its players may be named in public.
    """

    name: str
    players: tuple[str, ...] = ()
    reserves: tuple[str, ...] = ()
    club: str = ""
    seed: int = 0
    consents: bool = False


class ChangeTeam(NamedTuple):
    """Replace what is known of a team; the seed only before the first phase."""

    team: int
    name: str
    players: tuple[str, ...] = ()
    reserves: tuple[str, ...] = ()
    club: str = ""
    seed: int = 0
    consents: bool = False


class BlankName(NamedTuple):
    """Forget who a team is: its number is its name. Its results stay."""

    team: int


class AnswerNames(NamedTuple):
    """Whose names name people, and whose do not, of teams without listed players."""

    people: tuple[int, ...]
    others: tuple[int, ...]


class Withdraw(NamedTuple):
    """A team leaves: its matches without a result are lost by walk-over.

    ``annuls``: phases of zones in which all its matches are annulled instead.
    """

    team: int
    reason: str
    annuls: tuple[str, ...] = ()


class Return(NamedTuple):
    """Take a withdrawal back."""

    team: int


class MarkMissing(NamedTuple):
    """A team is not in the hall: its matches are not called."""

    team: int


class MarkPresent(NamedTuple):
    """A missing team has come."""

    team: int


class FixTable(NamedTuple):
    """A team plays at the table of this number alone; 0: at any."""

    team: int
    table: Annotated[int, Range(0, MAX_TABLE)]


class Forbid(NamedTuple):
    """Do not pair two teams in rounds."""

    one: int
    other: int


class Allow(NamedTuple):
    """Take back that two teams are not paired."""

    one: int
    other: int


class MissRound(NamedTuple):
    """A team does not play a round that is not paired yet."""

    phase: str
    round: int
    team: int


class AttendRound(NamedTuple):
    """Take back that a team does not play a round."""

    phase: str
    round: int
    team: int


class Commit(NamedTuple):
    """Publish the digest of the number of the draw, ``draw.commitment_to``."""

    digest: str


class Draw(NamedTuple):
    """The number of the draw, that of the digest if one was published."""

    seed: str


class EnterAgain(NamedTuple):
    """A loser enters a repechage that is ``by_entry``."""

    phase: str
    team: int


class StartPhase(NamedTuple):
    """Begin a phase: its teams are fixed, and its matches made.

    ``entrants``, in seed order, and ``groups``: as they were drawn, so that a log is read without
    drawing again; without them they are computed. A group is a zone, or the first places of a
    section of a bracket; 0: a bye.
    """

    phase: str
    entrants: tuple[int, ...] = ()
    groups: tuple[tuple[int, ...], ...] = ()


class PairRound(NamedTuple):
    """Pair the next round of a phase of rounds, or of a bracket drawn anew each round.

    After the last round, and in zones: the matches of a play-off.

    ``pairs`` and ``bye``: as they were paired, so that a log is read without pairing again;
    without them they are computed. ``bye`` 0: none.
    """

    phase: str
    pairs: tuple[Pair, ...] = ()
    bye: int = 0


class PairByHand(NamedTuple):
    """The next round of a phase of rounds, with pairs that a person has chosen.

    ``bye`` 0: none. Rematches and forbidden pairs are the director's to answer for.
    """

    phase: str
    pairs: tuple[Pair, ...]
    bye: int
    reason: str


class ExchangeTeams(NamedTuple):
    """Exchange two teams of the last paired round, whose matches have no result."""

    phase: str
    one: int
    other: int
    reason: str


class AllowRematch(NamedTuple):
    """Let two teams that have met meet once more in the rounds of a phase."""

    phase: str
    one: int
    other: int
    reason: str


class EndPhase(NamedTuple):
    """Pair no further round of a phase, though it has more."""

    phase: str
    reason: str


class TakeBack(NamedTuple):
    """Take back the end, the last paired round or the start of a phase.

    Without results only.
    """

    phase: str


class RecordResult(NamedTuple):
    """The official result of a match.

    ``reason``: of one that was not played to its end.
    """

    match: str
    result: Result
    reason: str = ""


class CorrectResult(NamedTuple):
    """Another official result; ``consequences.consequences`` lists what rests on it."""

    match: str
    result: Result
    reason: str


class AnnulResult(NamedTuple):
    """The match has no result: it is played again."""

    match: str
    reason: str


Event = (
    Enter
    | ChangeTeam
    | BlankName
    | AnswerNames
    | Withdraw
    | Return
    | MarkMissing
    | MarkPresent
    | FixTable
    | Forbid
    | Allow
    | MissRound
    | AttendRound
    | Commit
    | Draw
    | EnterAgain
    | StartPhase
    | PairRound
    | PairByHand
    | ExchangeTeams
    | AllowRematch
    | EndPhase
    | TakeBack
    | RecordResult
    | CorrectResult
    | AnnulResult
    | NameTournament
)
_EVENTS: Mapping[str, type[Event]] = {each.__name__: each for each in get_args(Event)}
_NAMES = tuple(_EVENTS)
# Fields that older logs lack; while they are empty, such logs keep their bytes.
_LATER: Mapping[type[Event], str] = {
    RecordResult: "reason",
    Enter: "consents",
    ChangeTeam: "consents",
    Withdraw: "annuls",
}


class NoEvent(NamedTuple):
    """Why an object is no event, in one sentence."""

    text: str


def encode(event: Event) -> dict[str, Any]:
    """The event as a JSON object."""
    values = {key: _plain(value) for key, value in event._asdict().items()}
    later = _LATER.get(type(event))
    if later is not None and not values[later]:
        del values[later]
    return {"do": type(event).__name__, **values}


def parse(values: Mapping[str, Any]) -> Event | NoEvent:
    """The event of a JSON object."""
    try:
        return read_tagged("do", _EVENTS, values)
    except WrongValues as error:
        named = values.get("do")
        return NoEvent(f"{named}: {error}" if named in _NAMES else str(error))


def _plain(value: object) -> object:
    if isinstance(value, Result):
        return {key: _plain(each) for key, each in value._asdict().items()}
    return [_plain(each) for each in value] if isinstance(value, tuple) else value
