"""Tournaments of a test as the caller of matches sees them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from scorer.hub.changes import LastChange, subject_of
from scorer.hub.match_place import MatchKey, MatchPlace, MatchPlaces
from scorer.hub.matches import OpenTournament, WaitingMatches, next_calls, waiting_matches
from scorer.hub.tournaments import RunningTournament, SharedName
from scorer.tournament.events import Enter, Event
from tests.tournament.play import Played

ID = 7  # of the tournament of a test


def opened(played: Played, places: MatchPlaces, number: int = ID) -> OpenTournament:
    """A tournament with these matches at tables, each at the box of that number."""
    at_tables = {match: (place.table, place) for match, place in places.items()}
    return OpenTournament(RunningTournament(number, played.state), played.reader, at_tables)


def waiting(played: Played, places: MatchPlaces) -> tuple[list[str], list[str], list[str]]:
    """The ids of the ready matches, those without a team, and the later ones."""
    ready, missing, later, _ = waiting_matches([opened(played, places)], {})
    return (
        [key.match for key in ready],
        [key.match for key in missing],
        [key.match for key in later],
    )


class SharedTables:
    """Tables that play what is called to them, as the hub would call it.

    ``same``: whether equal names in two tournaments are one person, as the desk has answered.
    """

    def __init__(self, priorities: Mapping[int, int] | None = None) -> None:
        self.played: dict[int, Played] = {}
        self.priorities = {**(priorities or {})}
        self.same: dict[SharedName, bool] = {}
        self.changes: dict[int, dict[str, LastChange]] = {}
        self.seq = 0
        self.at: dict[int, MatchKey] = {}  # by table
        self.called: Counter[MatchKey] = Counter()
        self._last: dict[int, MatchKey] = {}  # by table

    def begin(self, number: int, played: Played, names: Iterable[str] = ()) -> None:
        """Add a tournament, and enter these teams."""
        self.played[number], self.changes[number] = played, {}
        for name in names:
            self.do(number, Enter(name))

    def do(self, number: int, event: Event) -> None:
        self.played[number].do(event)
        self.seq += 1
        change = LastChange(self.seq, "", "", type(event).__name__)
        self.changes[number][subject_of(event)] = change

    def open(self) -> dict[int, OpenTournament]:
        """The tournaments with their matches at tables, by number."""
        found = {}
        for number, played in self.played.items():
            running = RunningTournament(
                number,
                played.state,
                priority=self.priorities.get(number, 2),
                changes=self.changes[number],
            )
            at_tables = {
                key.match: (table, MatchPlace(table, "playing"))
                for table, key in self.at.items()
                if key.tournament == number
            }
            found[number] = OpenTournament(running, played.reader, at_tables)
        return found

    def waiting(self) -> WaitingMatches:
        return waiting_matches(self.open().values(), self.same)

    def call(self, tables: Iterable[int]) -> list[MatchKey]:
        """Give every free one of these tables the match that is called to it."""
        open_ = self.open()
        waiting = waiting_matches(open_.values(), self.same)
        readers = {number: each.reader for number, each in open_.items()}
        free = {table: table for table in tables if table not in self.at}
        calls = next_calls(waiting.ready, readers, free, self._last, waiting.tables)
        for call in calls:
            assert call.device not in self.at, "no table has two matches"
            self.at[call.device] = self._last[call.device] = call.match
            self.called[call.match] += 1
        return [call.match for call in calls]

    def people(self) -> Counter[tuple[int, str]]:
        """How many matches each name of a tournament plays now."""
        open_ = self.open()
        return Counter(
            (key.tournament, name)
            for key in self.at.values()
            for name in open_[key.tournament].names(key.match)
        )

    def end(self, table: int, event: Event) -> None:
        """The match of a table leaves it with its result."""
        self.do(self.at.pop(table).tournament, event)
