"""Random evenings of several tournaments that share tables and people.

A main draw, a consolation of the teams that are out of it, and a third tournament of pairs of its
players. Teams come late, are missing or leave, results are corrected and annulled, the desk answers
questions and changes priorities, at any moment.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product

import pytest

from scorer.hub.match_place import MatchKey
from scorer.hub.matches import WaitingMatches
from scorer.hub.tournaments import SharedName
from scorer.tournament import EventRefusal, Result, apply, as_logged
from scorer.tournament.events import (
    AnnulResult,
    CorrectResult,
    Draw,
    EndPhase,
    Enter,
    Event,
    FixTable,
    MarkMissing,
    MarkPresent,
    PairRound,
    RecordResult,
    StartPhase,
    Withdraw,
)
from scorer.tournament.model import Team
from scorer.tournament.names import name_key
from scorer.tournament.sizes import ImpossiblePhase, sizes
from tests.hub.open_tournaments import SharedTables
from tests.sampling import amount
from tests.tournament.play import Played, built_in, result_of

MAIN, CONSOLATION, PAIRS = 1, 2, 3  # tournaments
ZONES = ("zones_and_bracket", "zones_and_playoffs")
FORMATS = (*ZONES, "swiss", "double")
DISTURBED = 0.3  # the chance that something happens before a result
RARE = 0.1


class Evening:
    """The desk and its tables; each step checks who is called."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.tables = range(1, self.random.randint(1, 8) + 1)
        self.hall = SharedTables()
        self.given_up: Counter[MatchKey] = Counter()  # sittings without a result
        self.annulled: Counter[MatchKey] = Counter()
        self.disturbances = (
            self.enter_late,
            self.miss,
            self.come,
            self.correct,
            self.annul,
            self.leave,
            self.change_priority,
            self.answer,
            self.fix_table,
        )
        teams = range(self.random.randint(6, 14))
        self.begin(MAIN, [(f"Equipo {at}", f"Analía {at}", f"Luis {at}") for at in teams], ZONES)
        mixed = [(self.written(at), f"LUIS {at + 1}") for at in teams[: self.random.randint(4, 8)]]
        if self.random.random() < 0.5:
            self.begin(PAIRS, [(" y ".join(two), *two) for two in mixed[:-1]], FORMATS)

    def written(self, at: int) -> str:
        """A player as another list has her name, perhaps with a wrong letter."""
        return f"{self.random.choice(('ANALIA', 'Analya'))} {at}"

    def begin(self, number: int, teams: list[tuple[str, ...]], formats: tuple[str, ...]) -> None:
        """Draw a tournament of a format that takes so many teams."""
        all_formats = [built_in(name) for name in formats]
        found = [
            each
            for each in all_formats
            if each.teams[0] <= len(teams)
            and not isinstance(sizes(each, len(teams)), ImpossiblePhase)
        ]
        if not found:
            return
        self.hall.begin(number, Played(self.random.choice(found)))
        for name, *players in teams:
            self.hall.do(number, Enter(name, tuple(players)))
        self.hall.do(number, Draw(str(self.random.random())))
        self.hall.priorities[number] = self.random.randint(1, 3)

    def play(self) -> None:
        while True:
            self.open_phases()
            if self.random.random() < DISTURBED:
                self.random.choice(self.disturbances)()
            self.call()
            if self.hall.at:
                self.end(self.random.choice([*self.hall.at]))
            elif missing := [*self.missing()]:
                for number, team in missing:
                    assert self.attempt(number, MarkPresent(team))
            elif not (self.open_phases() or self.end_phases()):
                break

    def attempt(self, number: int, event: Event) -> bool:
        """Decide on an event, if it is not refused; void matches leave their tables."""
        played = self.hall.played[number]
        if isinstance(apply(played.state, as_logged(played.state, event)), EventRefusal):
            return False
        before = played.reader
        at = {
            table: (key, before.sides(key.match))
            for table, key in self.hall.at.items()
            if key.tournament == number
        }
        self.hall.do(number, event)
        after = played.reader
        for table, (key, sides) in at.items():
            is_known = played.state.match(key.match) is not None
            if not is_known or after.sides(key.match) != sides or after.result(key.match):
                del self.hall.at[table]
                self.given_up[key] += 1
        return True

    # ---- what goes on

    def open_phases(self) -> bool:
        """Begin what can be begun, most of the time; whether something was."""
        is_begun = False
        for number, played in [*self.hall.played.items()]:
            for phase in played.state.format.phases:
                if phase.id not in played.state.stages:
                    is_begun |= self.attempt(number, StartPhase(phase.id))
                elif not played.open_matches(phase.id):
                    is_begun |= self.attempt(number, PairRound(phase.id))
        reader = self.hall.played[MAIN].reader
        if CONSOLATION not in self.hall.played and reader.is_complete("zonas"):
            (bracket,) = (each for each in reader.state.format.phases if each.id != "zonas")
            still_in = {each.team for each in reader.entrants(bracket)}
            out = reader.state.teams.keys() - still_in
            teams = [reader.state.teams[team] for team in sorted(out)]
            listed = [(each.name, *each.players) for each in teams]
            # One of them is in the bracket too, with another name.
            listed += [("Doble", self.written(min(still_in) - 1), "Zoe")]
            listed += [(f"Otros {at}", f"Raúl {at}", f"Uma {at}") for at in range(3)]
            self.begin(CONSOLATION, listed, FORMATS)
            is_begun = True
        return is_begun

    def end_phases(self) -> bool:
        """End the phases in which no round can be paired any more."""
        return any(
            self.attempt(number, EndPhase(phase, "no hay más rivales"))
            for number, played in self.hall.played.items()
            for phase in played.state.stages
            if not played.reader.is_complete(phase)
        )

    def call(self) -> None:
        waiting = self.hall.waiting()
        check_order(self.hall, waiting)
        called = self.hall.call(self.tables)
        if len(self.hall.at) < len(self.tables):
            waits = [key for key in waiting.ready if key not in called]
            assert all(waiting.tables[key] <= {*self.hall.at} for key in waits), "its table is free"
        check_called(self.hall, waiting, called)
        for table, key in self.hall.at.items():
            assert key not in called or table in waiting.tables.get(key, [table])
        assert not any(map(self.is_missing, called))
        playing = [*self.hall.at.values()]
        assert len(playing) == len(set(playing)), "no match is at two tables"
        for one, other in combinations(playing, 2):
            assert not share_person(self.hall, one, other)
        if len(playing) < len(self.tables):
            for key in (*waiting.missing, *waiting.later, *waiting.ready):
                is_playing = key in playing
                # One that is called to its own table does not play anywhere meanwhile.
                called_first = [*playing, *waiting.tables]
                is_busy = any(share_person(self.hall, key, each) for each in called_first)
                assert is_playing or is_busy or self.is_missing(key), "no table stays free"

    def end(self, table: int) -> None:
        key = self.hall.at[table]
        phase = self.hall.played[key.tournament].reader.phase_of(key.match)
        self.hall.end(table, RecordResult(key.match, result_of(phase, self.random.randrange(2))))

    # ---- what happens meanwhile

    @property
    def any_tournament(self) -> int:
        return self.random.choice([*self.hall.played])

    def enter_late(self) -> None:
        self.attempt(self.any_tournament, Enter(f"Tarde {self.hall.seq}"))

    def miss(self) -> None:
        """A team that plays now is in the hall."""
        number = self.any_tournament
        reader = self.hall.played[number].reader
        busy = {
            team
            for key in self.hall.at.values()
            if key.tournament == number
            for team in reader.sides(key.match)
        }
        if free := sorted(reader.state.teams.keys() - busy):
            self.attempt(number, MarkMissing(self.random.choice(free)))

    def come(self) -> None:
        if missing := [*self.missing()]:
            number, team = self.random.choice(missing)
            self.attempt(number, MarkPresent(team))

    def correct(self) -> None:
        if (found := self.any_result()) is not None:
            key, result = found
            phase = self.hall.played[key.tournament].reader.phase_of(key.match)
            other = result_of(phase, 1 - (result.winner or 0))
            self.attempt(key.tournament, CorrectResult(key.match, other, "mal copiado"))

    def annul(self) -> None:
        if (found := self.any_result()) is not None and self.random.random() < RARE:
            key, _ = found
            self.annulled[key] += self.attempt(
                key.tournament, AnnulResult(key.match, "se juega de nuevo")
            )

    def any_result(self) -> tuple[MatchKey, Result] | None:
        number = self.any_tournament
        results = self.hall.played[number].state.results
        if not results:
            return None
        match = self.random.choice([*results])
        return MatchKey(number, match), results[match]

    def leave(self) -> None:
        number = self.any_tournament
        state = self.hall.played[number].state
        if not state.withdrawn and state.stages and self.random.random() < RARE:
            self.attempt(number, Withdraw(self.random.choice([*state.teams]), "lesión"))

    def change_priority(self) -> None:
        self.hall.priorities[self.any_tournament] = self.random.randint(1, 3)

    def answer(self) -> None:
        """Two people, or one, of names that are the same or alike."""
        people = {
            number: [name for team in played.state.teams.values() for name in people_of(team)]
            for number, played in self.hall.played.items()
        }
        asked = {
            shared
            for one, other in combinations(sorted(people), 2)
            for first, second in product(people[one], people[other])
            if (shared := shared_name(one, first, other, second)) is not None
        }
        for shared in sorted(asked - self.hall.same.keys()):
            if self.random.random() < 0.5:
                continue
            self.hall.same[shared] = self.random.random() < 0.5
            playing = combinations(self.hall.at.values(), 2)
            if any(share_person(self.hall, *pair) for pair in playing):
                # The desk does not make one person of two who play.
                del self.hall.same[shared]

    def fix_table(self) -> None:
        """A team plays at one table alone from now on, or at any again."""
        number = self.any_tournament
        team = self.random.choice([*self.hall.played[number].state.teams])
        self.attempt(number, FixTable(team, self.random.choice([0, *self.tables])))

    def missing(self) -> Iterator[tuple[int, int]]:
        for number, played in self.hall.played.items():
            for team in sorted(played.state.missing):
                yield number, team

    def is_missing(self, key: MatchKey) -> bool:
        reader = self.hall.played[key.tournament].reader
        return not reader.state.missing.isdisjoint(reader.sides(key.match))


def people_of(team: Team) -> tuple[str, ...]:
    return (team.name, *team.players)


def shared_name(one: int, name: str, other: int, other_name: str) -> SharedName | None:
    """What the desk answers about two names; None if they are other people."""
    first, second = (each.casefold().replace("í", "i") for each in (name, other_name))
    if first == second:
        return SharedName(name_key(name), one, other)
    if first.replace("y", "i") == second.replace("y", "i"):
        return SharedName(name_key(name), one, other, name_key(other_name))
    return None


def share_person(hall: SharedTables, one: MatchKey, other: MatchKey) -> bool:
    """Whether a team or a person is in both matches.

    Unanswered, the same names are one person, and names that are alike are two.
    """
    if one.tournament > other.tournament:
        one, other = other, one
    sides = [
        [team or 0 for team in hall.played[each.tournament].reader.sides(each.match)]
        for each in (one, other)
    ]
    if one.tournament == other.tournament:
        return not set(sides[0]).isdisjoint(sides[1])
    people = [
        [
            name
            for team in teams
            for name in people_of(hall.played[each.tournament].state.teams[team])
        ]
        for each, teams in zip((one, other), sides, strict=True)
    ]
    found = (
        shared_name(one.tournament, first, other.tournament, second)
        for first, second in product(*people)
    )
    return any(hall.same.get(each, not each.other_name) for each in found if each is not None)


def check_order(hall: SharedTables, waiting: WaitingMatches) -> None:
    """By priority, then by the longest wait; in a tournament by round."""
    every = [*waiting.ready, *waiting.missing, *waiting.later]
    since = {key: waits_since(hall, key) for key in every}
    rounds = {key: round_of(hall, key) for key in every}
    for one, other in combinations(waiting.ready, 2):
        if one.tournament == other.tournament:
            assert rounds[one] <= rounds[other]
            continue
        priorities = [hall.priorities[each.tournament] for each in (one, other)]
        assert priorities == sorted(priorities)
        if priorities[0] == priorities[1] and since[other] < since[one]:
            # A match of an earlier round, which it does not overtake, waits less long.
            assert any(
                each.tournament == other.tournament
                and rounds[each] <= rounds[other]
                and since[each] >= since[one]
                for each in every
                if each != other
            )


def check_called(hall: SharedTables, waiting: WaitingMatches, called: list[MatchKey]) -> None:
    """The first ones, but of one round a table takes the zone that it had.

    One that waits for its own table lets others go first.
    """
    for at, key in enumerate(waiting.ready):
        for before in waiting.ready[:at]:
            if key in called and before not in called and before not in waiting.tables:
                assert before.tournament == key.tournament
                assert round_of(hall, before) == round_of(hall, key)


def round_of(hall: SharedTables, key: MatchKey) -> int:
    match = hall.played[key.tournament].state.match(key.match)
    assert match is not None
    return match.round


def waits_since(hall: SharedTables, key: MatchKey) -> int:
    """The entry of the last result of its teams, or of the start of its phase."""
    played, changes = hall.played[key.tournament], hall.changes[key.tournament]
    reader = played.reader
    teams = {*reader.sides(key.match)}
    matches = [each for each in played.state.results if teams & {*reader.sides(each)}]
    return max(changes[each].seq for each in (reader.phase_of(key.match).id, *matches))


@pytest.mark.sampled(0)
def test_no_person_plays_twice_at_once_and_every_match_is_played_once() -> None:
    for seed in range(amount(12, 400)):
        evening = Evening(seed)
        evening.play()
        hall = evening.hall
        assert MAIN in hall.played and CONSOLATION in hall.played, seed
        for number, played in hall.played.items():
            reader, results = played.reader, played.state.results
            for phase in played.state.format.phases:
                assert reader.is_complete(phase.id), (seed, number)
            assert {key.match for key in hall.called if key.tournament == number} >= set(results)
        for key, times in hall.called.items():
            has_result = key.match in hall.played[key.tournament].state.results
            assert times == has_result + evening.given_up[key] + evening.annulled[key], (seed, key)
