"""Find and blank the name of a person in the log, headers and digests.

All is changed in one transaction: a power cut leaves all of the name or none. What is blanked keeps
the mask of what it was, so that a box that sends it again is understood.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from sqlalchemy import and_, delete, insert, select, update
from sqlalchemy.engine import Connection

from scorer.hall.events import digest_of
from scorer.hall.fields import canonical
from scorer.hub.changes import tournament_of
from scorer.hub.decisions import DecisionError, DecisionFault
from scorer.hub.hub_log import write_log
from scorer.hub.store import log
from scorer.hub.store.blanked_headers import names_in, tag_in, with_mask, with_names
from scorer.hub.store.blanking import WAS, mask_digests, put_header
from scorer.hub.store.database import Database, DatabaseError
from scorer.hub.store.log import FIRST, Author, Entry
from scorer.hub.store.masks import Masks
from scorer.hub.store.projections import Kind
from scorer.hub.store.tables import DESIRED, DEVICE, OPENING, RESULT, SECRET
from scorer.hub.tournaments import fold_one
from scorer.tournament import Event, NoEvent, Tournament, encode, parse
from scorer.tournament.blanked_names import replacing
from scorer.tournament.events import ChangeTeam, Enter
from scorer.tournament.model import blank_name, is_number
from scorer.tournament.names import Likeness, folded, likeness, name_key, name_words
from scorer.tournament.public_names import shares_word

Json = dict[str, Any]
_SCRUBBED = "scrubbed"  # name of the secret with the newest entry whose names left no bytes
_KINDS = (
    Kind.TOURNAMENT_BEGUN,
    Kind.TOURNAMENT_EVENT,
    Kind.DESIRED_SET,
    Kind.RESULT_SCANNED,
    Kind.PEOPLE_COMPARED,
)


class PlaceKind(StrEnum):
    """What of the log or of a game names a person."""

    PLAYER = "player"
    NAME = "name"  # of a team
    REASON = "reason"  # of a decision
    GAME = "game"  # a side of a game of no tournament


class NamedPlace(NamedTuple):
    """A text that may name a person.

    ``tournament`` and ``team`` are 0 where there is none.
    """

    tournament: int
    team: int
    kind: PlaceKind
    text: str


class Forgotten(NamedTuple):
    """How many entries of the log, and how many games, have lost a name."""

    entries: int
    games: int


class _TeamEvent(NamedTuple):
    """An entry with an event; ``team``: whose names it has, or 0."""

    entry: Entry
    tournament: int
    team: int
    event: Event


# ---- where a name stands ------------------------------------------------------------------------


def find_places(connection: Connection, name: str) -> dict[NamedPlace, bool]:
    """The places that may name a person; True of those that do by a rule.

    A name of a team that has a word of a player goes with it.
    """
    entries = [*log.entries(connection, kinds=_KINDS)]
    places = [*_places_of(_team_events(entries)), *_games(connection, _halls(entries))]
    meant = {place: _is_meant(name, place) for place in places}
    people: dict[tuple[int, int], list[str]] = {}
    for place, is_meant in meant.items():
        if is_meant and place.kind is PlaceKind.PLAYER:
            people.setdefault(place[:2], []).append(place.text)
    for place in meant:
        is_name = place.kind is PlaceKind.NAME and not is_number(place.text)
        if is_name and shares_word(place.text, people.get(place[:2], ())):
            meant[place] = True
    return {place: is_meant for place, is_meant in meant.items() if is_meant is not None}


def places_of_team(connection: Connection, tournament: int, team: int) -> list[NamedPlace]:
    """All that names a team or its players."""
    events = _team_events(log.entries(connection, kinds=_KINDS))
    own = (
        each for each in _places_of(events) if (each.tournament, each.team) == (tournament, team)
    )
    return [*dict.fromkeys(each for each in own if not is_number(each.text))]


def _team_events(entries: Iterable[Entry]) -> Iterator[_TeamEvent]:
    """The events of all tournaments; the teams of each are numbered as they enter."""
    newest, teams = 0, Counter[int]()
    for entry in entries:
        if entry.kind == Kind.TOURNAMENT_BEGUN.value:
            newest = entry.seq
        elif entry.kind == Kind.TOURNAMENT_EVENT.value:
            event, tournament = parse(entry.body["event"]), tournament_of(entry, newest)
            if isinstance(event, NoEvent):
                continue
            if isinstance(event, Enter):
                teams[tournament] += 1
                yield _TeamEvent(entry, tournament, teams[tournament], event)
            else:
                team = event.team if isinstance(event, ChangeTeam) else 0
                yield _TeamEvent(entry, tournament, team, event)


def _places_of(events: Iterable[_TeamEvent]) -> Iterator[NamedPlace]:
    for _, tournament, team, event in events:
        if isinstance(event, Enter | ChangeTeam):
            yield NamedPlace(tournament, team, PlaceKind.NAME, event.name)
            for person in (*event.players, *event.reserves):
                yield NamedPlace(tournament, team, PlaceKind.PLAYER, person)
        elif reason := getattr(event, "reason", ""):
            yield NamedPlace(tournament, 0, PlaceKind.REASON, reason)


def _halls(entries: Iterable[Entry]) -> dict[str, int]:
    """The tournament of each tag Hall that was assigned."""
    newest, found = 0, dict[str, int]()
    for entry in entries:
        if entry.kind == Kind.TOURNAMENT_BEGUN.value:
            newest = entry.seq
        elif entry.kind == Kind.DESIRED_SET.value:
            hall = tag_in(entry.body["document"].get("header") or "", "Hall")
            found.setdefault(hall, tournament_of(entry, newest))
    found.pop("", None)
    return found


def _games(connection: Connection, halls: Mapping[str, int]) -> Iterator[NamedPlace]:
    """The names of games that are of no known tournament."""
    for header in connection.execute(select(OPENING.c.header)).scalars():
        if tag_in(header, "Hall") not in halls:
            for name in names_in(header).values():
                yield NamedPlace(0, 0, PlaceKind.GAME, name)


def _is_meant(name: str, place: NamedPlace) -> bool | None:
    """Whether a text names this person; None: it has nothing of the name."""
    if is_number(place.text):
        return None
    alike = Likeness.OTHER if place.kind is PlaceKind.REASON else likeness(name, place.text)
    if alike is not Likeness.OTHER:
        return alike is Likeness.SAME
    wanted, words = name_words(name), name_words(place.text)
    if not wanted or not all(any(word.startswith(each) for word in words) for each in wanted):
        return None
    return place.kind is not PlaceKind.PLAYER and len(wanted) > 1 and {*wanted} <= {*words}


# ---- forgetting ---------------------------------------------------------------------------------


def forget(
    connection: Connection,
    masks: Masks,
    at: str,
    author: Author,
    places: Iterable[NamedPlace],
    *,
    name: str,
) -> Forgotten:
    """Blank what these places say, everywhere in the database. Raises DecisionError.

    ``name``: of the person, or ""; reasons lose it. A name of a team that has a word of a
    player who is forgotten goes with it.
    """
    # As the intake does: no game arrives between the search and the entry that it follows.
    connection.execute(select(DEVICE.c.id).order_by(DEVICE.c.id).with_for_update()).all()
    log.lock(connection)
    entries = [*log.entries(connection, kinds=_KINDS)]
    known = {*_places_of(_team_events(entries)), *_games(connection, _halls(entries))}
    wanted = [each for each in places if each in known and not is_number(each.text)]
    if not wanted:
        raise DecisionError("no place is chosen", DecisionFault.NO_PLACE)
    forgetting = _Forgetting(connection, masks, wanted, name, entries)
    before = {each: _nameless(fold_one(connection, each).state) for each in forgetting.tournaments}
    log.replace_bodies(connection, forgetting.bodies)
    forgetting.change_projections()
    games = forgetting.change_games()
    for each, state in before.items():
        if _nameless(fold_one(connection, each).state) != state:
            raise DecisionError("the tournament would be another one", DecisionFault.NO_PLACE)
    body = {
        "tournaments": sorted(forgetting.tournaments),
        "sittings": [[hall, tag, number] for (hall, tag), number in forgetting.sittings.items()],
        "games": sorted({masks.mask(name_key(each)) for each in forgetting.game_names}),
        "entries": len(forgetting.bodies),
        "headers": games,
    }
    log.append(connection, at, author, Kind.NAMES_FORGOTTEN, body)
    return Forgotten(len(forgetting.bodies), games)


def scrub(database: Database) -> None:
    """Remove the bytes of what was forgotten, once.

    A power cut before, or a full disk, leaves them until the next start.
    """
    try:
        with database.read() as connection:
            newest = log.last_seq(connection, [Kind.NAMES_FORGOTTEN], log.head_seq(connection))
            done = select(SECRET.c.value).where(SECRET.c.name == _SCRUBBED)
            is_done = newest <= int(connection.execute(done).scalar() or 0)
        if is_done:
            return
        database.scrub()
        with database.write() as connection:
            connection.execute(delete(SECRET).where(SECRET.c.name == _SCRUBBED))
            connection.execute(insert(SECRET).values(name=_SCRUBBED, value=str(newest)))
    except DatabaseError as error:
        write_log(f"bytes of forgotten names are left until the next start: {error}")


def _nameless(state: Tournament) -> Tournament:
    """All of a state but what forgetting may change."""
    teams = {
        team.id: team._replace(name="", players=(), reserves=(), club="", consents=False)
        for team in state.teams.values()
    }
    return state._replace(teams=teams, of_people={})


class _Forgetting:
    """What is blanked: the new bodies of entries, and the headers of games."""

    def __init__(
        self,
        connection: Connection,
        masks: Masks,
        places: Sequence[NamedPlace],
        name: str,
        entries: Sequence[Entry],
    ) -> None:
        self._connection, self._masks = connection, masks
        self.tournaments = {each.tournament for each in places if each.tournament}
        self.game_names = {each.text for each in places if each.kind is PlaceKind.GAME}
        self._places = {*places}
        self._people: dict[tuple[int, int], list[str]] = {}
        for each in places:
            if each.kind is PlaceKind.PLAYER:
                self._people.setdefault((each.tournament, each.team), []).append(each.text)
        self._reason_words = {name, *name_words(name), *name.split()} - {""}
        self.bodies: dict[int, Json] = {}
        # What stands in place of a name of a team, by tournament and folded name.
        self._numbers: dict[int, dict[str, str]] = {each: {} for each in self.tournaments}
        self.sittings: dict[tuple[str, str], str] = {}  # by the tags Hall and NameA or NameB
        self._entries = entries
        self._halls = _halls(self._entries)
        self._blank_teams()
        self._blank_others()

    # ---- the log

    def _set(self, entry: Entry, body: Json) -> None:
        """A body without a name; the mask is that of the first one."""
        if body != entry.body:
            first = entry.body.get(FIRST) or self._masks.mask(log.content_of(entry))
            self.bodies[entry.seq] = {**body, FIRST: first}

    def _blank_teams(self) -> None:
        events = [
            each for each in _team_events(self._entries) if each.tournament in self.tournaments
        ]
        for entry, tournament, team, event in events:
            if isinstance(event, Enter | ChangeTeam):
                blanked = self._blanked(tournament, team, event)
                if blanked != event:
                    self._set(entry, {**entry.body, "event": encode(blanked)})
        clear = {each: self._reason_cleaner(each) for each in self.tournaments}
        for entry, tournament, _, event in events:
            reason = getattr(event, "reason", "")
            cleared = clear[tournament](reason) if reason else reason
            if cleared != reason:
                changed: Any = event  # events with a reason have no type of their own
                encoded = encode(changed._replace(reason=cleared))
                self._set(entry, {**entry.body, "event": encoded})

    def _blanked(self, tournament: int, team: int, event: Enter | ChangeTeam) -> Enter | ChangeTeam:
        people = self._people.get((tournament, team), [])
        gone = {*map(folded, people)}
        cells = [*event.players, *event.reserves]
        kept = [
            blank_name(team, at) if folded(cell) in gone else cell
            for at, cell in enumerate(cells, 1)
        ]
        count = len(event.players)
        changed = event._replace(players=tuple(kept[:count]), reserves=tuple(kept[count:]))
        place = NamedPlace(tournament, team, PlaceKind.NAME, event.name)
        if place not in self._places and not shares_word(event.name, people):
            return changed
        if not is_number(event.name):
            self._numbers[tournament][folded(event.name)] = blank_name(team)
        if all(map(is_number, kept)):
            changed = changed._replace(players=(), reserves=(), club="", consents=False)
        return changed._replace(name=blank_name(team))

    def _reason_cleaner(self, tournament: int) -> Callable[[str], str]:
        names: dict[str, str] = {}
        for (number, team), people in self._people.items():
            if number == tournament:
                words = (word for each in people for word in each.split() if name_words(word))
                names |= dict.fromkeys((*words, *people), blank_name(team))
        names |= self._numbers[tournament]
        if any(
            each.kind is PlaceKind.REASON and each.tournament == tournament for each in self._places
        ):
            names = {**dict.fromkeys(self._reason_words, "#"), **names}
        return replacing(names)

    def _blank_others(self) -> None:
        """Assignments, results from codes, and answers about people."""
        assigned: dict[int, int] = {}  # tournaments by the number of the assignment
        keys = {name_key(each.text) for each in self._places if each.kind is not PlaceKind.REASON}
        keys |= {name_key(each) for names in self._numbers.values() for each in names}
        for entry in self._entries:
            body = entry.body
            match Kind(entry.kind):
                case Kind.DESIRED_SET if header := body["document"].get("header"):
                    assigned[entry.seq] = self._halls.get(tag_in(header, "Hall"), 0)
                    names = self._names_for(header)
                    if not names:
                        continue
                    document = {**body["document"], "header": with_names(header, names)}
                    document.setdefault(WAS, self._masks.mask(digest_of(body["document"])))
                    self._set(entry, {**body, "document": document})
                case Kind.RESULT_SCANNED:
                    numbers = self._numbers.get(assigned.get(body["rev"], 0), {})
                    named = [numbers.get(folded(each), each) for each in body["names"]]
                    self._set(entry, {**body, "names": named})
                case Kind.PEOPLE_COMPARED if self.tournaments.intersection(body["tournaments"]):
                    self._set(entry, _without_keys(body, keys))

    # ---- games

    def _names_for(self, header: str) -> dict[str, str]:
        """What stands in place of the names of a header, by their tags."""
        hall, names = tag_in(header, "Hall"), names_in(header)
        tournament = self._halls.get(hall)
        if tournament is not None:
            numbers = self._numbers.get(tournament, {})
        elif hall:
            # Of a lost log, or of the hub from which the tournament was imported.
            numbers = {key: each for known in self._numbers.values() for key, each in known.items()}
        else:
            numbers = {}
        found = {
            tag: numbers[folded(name)] for tag, name in names.items() if folded(name) in numbers
        }
        self.sittings |= {(hall, tag): number for tag, number in found.items() if hall}
        if tournament is None:
            found |= {tag: "" for tag, name in names.items() if name in self.game_names}
        return found

    def change_projections(self) -> None:
        """Let what follows from the log follow from the new bodies."""
        for entry in self._entries:
            body = self.bodies.get(entry.seq)
            if body is None:
                continue
            if entry.kind == Kind.DESIRED_SET.value:
                document = canonical(body["document"]).decode("ascii")
                self._connection.execute(
                    update(DESIRED).where(DESIRED.c.rev == entry.seq).values(document=document)
                )
            elif entry.kind == Kind.RESULT_SCANNED.value:
                of_result = and_(RESULT.c.rev == body["rev"], RESULT.c.seq == body["seq"])
                names = canonical(body["names"]).decode("ascii")
                self._connection.execute(update(RESULT).where(of_result).values(names=names))

    def change_games(self) -> int:
        """Blank the headers of games, and mask the digests that have them; how many."""
        count = 0
        for opening in [*self._connection.execute(select(OPENING))]:
            names = self._names_for(opening.header)
            if names:
                header = with_mask(
                    with_names(opening.header, names), self._masks.mask(opening.header)
                )
                put_header(self._connection, opening, header)
                mask_digests(self._connection, self._masks, opening)
                count += 1
        return count


def _without_keys(value: Any, keys: set[str]) -> Any:  # noqa: ANN401
    """A value of JSON whose texts name none of these people."""
    if isinstance(value, dict):
        return {key: _without_keys(each, keys) for key, each in value.items()}
    if isinstance(value, list):
        return [_without_keys(each, keys) for each in value]
    return "#" if isinstance(value, str) and name_key(value) in keys else value
