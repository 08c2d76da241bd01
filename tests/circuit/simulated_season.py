"""A season of many halls as people keep it: names are typed anew, with mistakes.

It knows who is who, so that a test can sum up the season without comparing a name.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import NamedTuple

from scorer.circuit.people import PeopleFile
from scorer.season.evening import (
    Evening,
    EveningHall,
    EveningMatch,
    EveningPhase,
    EveningPlayer,
    EveningTeam,
    EveningTournament,
    NamesKind,
)
from scorer.season.evening_file import write_evening
from scorer.season.members import member_hash
from scorer.season.signing import public_key_of
from scorer.tournament.format import PhaseKind
from scorer.tournament.model import Ending
from scorer.tournament.names import Likeness, likeness, name_key

SEASON_KEY = "5e" * 32
FIRST_DAY = date(2026, 1, 9)
PLACES = (25, 18, 15, 12, 10, 8, 6, 4, 2, 1)
WIN, TAKING_PART = 2, 1
BEST = 10
_TEAMS = 16  # of an evening
_GIVEN = (
    "Ana Bruno Carla Damián Elena Fabián Graciela Horacio Irene Joaquín Karina Leandro Mónica "
    "Néstor Olga Pablo Quimey Roberto Silvia Tomás Úrsula Valentín Wanda Ximena Yamila Zulma"
).split()
_SURNAMES = (
    "Álvarez Benítez Cabrera Domínguez Echeverría Figueroa Giménez Herrera Iglesias Juárez "
    "Krause Ledesma Maldonado Navarro Ordóñez Peralta Quiroga Rodríguez Sandoval Toledo Urquiza "
    "Villalba Wagner Ybarra Zabaleta"
).split()
_NOUNS = (
    "Pibes Brujas Ñatos Gauchos Compadres Primos Vecinos Zorros Pumas Halcones Tordos Horneros "
    "Caciques Troperos Barqueros Herreros Músicos Payadores Domadores Carreros"
).split()
_PLACES = (
    "Fondo Puerto Arroyo Molino Bajo Cerro Puente Monte Camino Galpón Boliche Palenque Ombú "
    "Rancho Arenal Delta"
).split()


class Person(NamedTuple):
    """Someone who plays; ``member``: a number, "" without one."""

    id: int
    name: str
    member: str


class TruePair(NamedTuple):
    """A pair as it is.

    ``names``: whether its players are named on an evening; ``is_named``: whether it has a name
    there; ``is_forgotten``: its names were forgotten in the course of the season.
    """

    id: int
    name: str
    people: tuple[Person, Person]
    club: str
    names: bool
    is_named: bool
    is_forgotten: bool
    strength: float


class TrueResult(NamedTuple):
    """What a pair has really played on an evening."""

    evening: str
    pair: int
    place: int
    wins: int
    club: str


class SimulatedSeason(NamedTuple):
    """Files by their paths, and the truth about them.

    ``order``: the pair of each team of an evening, in the order of its file.
    """

    toml: str
    files: dict[str, bytes]
    pairs: tuple[TruePair, ...]
    results: tuple[TrueResult, ...]
    order: dict[str, tuple[int, ...]]
    truth: Truth

    def write(self, folder: Path) -> Path:
        """Write all files; the path of the season's own."""
        for path, body in self.files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(body)
        season = folder / "season.toml"
        season.write_text(self.toml, encoding="utf-8")
        return season


class Truth:
    """Whose each spelling is."""

    def __init__(self) -> None:
        self.person: dict[str, int] = {}
        self.team: dict[str, int] = {}
        self.pair_of: dict[frozenset[int], int] = {}

    def is_same(self, kind: str, one: str, other: str) -> bool:
        """The right answer to a question."""
        if kind == "person":
            return self.person[name_key(one)] == self.person[name_key(other)]
        return self._team(one) == self._team(other)

    def _team(self, text: str) -> int:
        if " / " in text:
            people = frozenset(self.person[name_key(each)] for each in text.split(" / "))
            return self.pair_of[people]
        return self.team[name_key(text)]


def answered(text: str, file: PeopleFile, truth: Truth) -> str:
    """The file of the answers with every open question answered."""
    for each in file.question:
        if each.same == "?":
            answer = truth.is_same(each.kind, each.one, each.other)
            text = text.replace('same = "?"', f"same = {str(answer).lower()}", 1)
    return text


def simulate(halls: int, evenings: int, pairs: int, seed: int = 1) -> SimulatedSeason:
    """A season of ``halls`` with so many evenings each."""
    return _Simulation(Random(seed), halls, evenings, pairs).season()


class _Simulation:
    def __init__(self, random: Random, halls: int, evenings: int, pairs: int) -> None:
        self._random, self._halls, self._evenings = random, halls, evenings
        self._truth = Truth()
        self._pairs = self._people(pairs)
        self._results: list[TrueResult] = []
        self._order: dict[str, tuple[int, ...]] = {}
        self._files: dict[str, bytes] = {}

    def season(self) -> SimulatedSeason:
        for number in range(self._evenings):
            day = FIRST_DAY + timedelta(days=7 * number)
            free = [*self._pairs]
            self._random.shuffle(free)
            for hall in range(self._halls):
                # On one day a pair plays in one hall.
                chosen = free[hall * _TEAMS : (hall + 1) * _TEAMS]
                self._evening(hall, number, day, chosen)
        return SimulatedSeason(
            self._toml(),
            self._files,
            self._pairs,
            tuple(self._results),
            self._order,
            self._truth,
        )

    def _people(self, pairs: int) -> tuple[TruePair, ...]:
        names = [f"{one} {other}" for one in _GIVEN for other in _SURNAMES]
        teams = [f"Los {one} del {other}" for one in _NOUNS for other in _PLACES]
        self._random.shuffle(names)
        self._random.shuffle(teams)
        found = []
        for at in range(pairs):
            # Every third pair has cards of members, a part of these plays without names.
            is_member, is_named = at % 3 == 0, at % 12 != 0
            people = tuple(
                Person(id_, names[id_], f"{id_:05d}" if is_member else "")
                for id_ in (2 * at, 2 * at + 1)
            )
            names_players = is_named and (is_member or at % 3 == 1)
            one, other = people
            pair = TruePair(
                at,
                teams[at],
                (one, other),
                f"Club {_PLACES[at % len(_PLACES)]}",
                names_players,
                is_named,
                at % 50 == 7,
                self._random.random(),
            )
            for person in people:
                self._truth.person[name_key(person.name)] = person.id
            self._truth.team[name_key(pair.name)] = at
            self._truth.pair_of[frozenset(each.id for each in people)] = at
            found.append(pair)
        return tuple(found)

    def _evening(self, hall: int, number: int, day: date, pairs: list[TruePair]) -> None:
        id_ = f"{hall:08x}{number:024x}"
        order, won = self._play(pairs)
        teams = {pair.id: at for at, pair in enumerate(pairs, 1)}
        true = self._file(id_, 7, hall, number, day, order, won, teams)
        path = f"evenings/hall-{hall}/{day}.json"
        if self._random.random() < 0.1:
            # The first file had another winner of the final, and names that are forgotten now.
            (first, *rest), wins = order, dict(won)
            second = rest[0]
            swapped = [second._replace(is_forgotten=False), first, *rest[1:]]
            wins[first.id], wins[second.id] = wins[first.id] - 1, wins[second.id] + 1
            old = self._file(id_, 3, hall, number, day, swapped, wins, teams)
            self._files[f"evenings/hall-{hall}/{day}-first.json"] = old
        self._files[path] = true
        self._order[id_] = tuple(each.id for each in order)
        places = _places(len(order))
        for pair, place in zip(order, places, strict=True):
            self._results.append(TrueResult(id_, pair.id, place, won[pair.id], pair.club))

    def _play(self, pairs: list[TruePair]) -> tuple[list[TruePair], dict[int, int]]:
        """A bracket: the pairs in their final order, and the wins of each."""
        left, won = [*pairs], dict.fromkeys((each.id for each in pairs), 0)
        out: list[list[TruePair]] = []
        while len(left) > 1:
            winners, losers = [], []
            for one, other in zip(left[::2], left[1::2], strict=True):
                chance = 0.5 + (one.strength - other.strength) / 3
                winner, loser = (one, other) if self._random.random() < chance else (other, one)
                won[winner.id] += 1
                winners.append(winner)
                losers.append(loser)
            out.append(losers)
            left = winners
        return [*left, *(each for losers in reversed(out) for each in losers)], won

    def _file(
        self, id_: str, revision: int, hall: int, number: int, day: date,
        order: list[TruePair], won: dict[int, int], teams: dict[int, int],
    ) -> bytes:  # fmt: skip
        key = self._key(hall, number)
        listed = [
            self._team(pair, place, teams[pair.id])
            for pair, place in zip(order, _places(len(order)), strict=True)
        ]
        evening = Evening(
            id_,
            revision,
            day.isoformat(),
            NamesKind.PUBLIC,
            EveningHall(f"Salón {hall}", public_key_of(key)),
            EveningTournament("", "", "bracket", "format.bracket"),
            True,
            (EveningPhase("cuadro", "", PhaseKind.BRACKET, "argentino"),),
            tuple(listed),
            tuple(_matches(order, won, teams)),
        )
        return write_evening(evening, key)

    def _team(self, pair: TruePair, place: int, number: int) -> EveningTeam:
        if pair.is_forgotten or not pair.is_named:
            # Without a name; a member is known by the hash all the same, unless it was forgotten.
            players = tuple(
                EveningPlayer(f"#{number}.{at}", "" if pair.is_forgotten else self._hash(person))
                for at, person in enumerate(pair.people, 1)
            )
            return EveningTeam(place, number, f"#{number}", players, phase="cuadro")
        players = tuple(
            EveningPlayer(
                self._typed(person.name, self._truth.person, person.id), self._hash(person)
            )
            for person in pair.people
        )
        name = self._typed(pair.name, self._truth.team, pair.id)
        return EveningTeam(place, number, name, players if pair.names else (), pair.club, "cuadro")

    def _hash(self, person: Person) -> str:
        return member_hash(SEASON_KEY, person.member) if person.member else ""

    def _typed(self, name: str, truth: dict[str, int], whose: int) -> str:
        """A name as it is typed on an evening."""
        chance = self._random.random()
        if chance < 0.03:
            typed = self._misspelt(name)
        elif chance < 0.3:
            change = self._random.choice((str.upper, str.lower, _plain, _turned, _spaced))
            typed = change(name)
        else:
            typed = name
        if truth.setdefault(name_key(typed), whose) != whose:
            return name
        return typed

    def _misspelt(self, name: str) -> str:
        """The name with a wrong letter in a longer word."""
        words = name.split()
        at = max(range(len(words)), key=lambda each: len(words[each]))
        word, place = words[at], self._random.randrange(1, len(words[at]) - 1)
        letter = self._random.choice("aeiourstln")
        words[at] = word[:place] + letter + word[place + 1 :]
        typed = " ".join(words)
        return typed if likeness(name, typed) is not Likeness.OTHER else name

    def _key(self, hall: int, number: int) -> str:
        """The private key of a hall; the first hall changes it in mid-season."""
        is_new = hall == 0 and number >= self._evenings // 2
        return f"{100 + hall + (50 if is_new else 0):02x}" * 32

    def _toml(self) -> str:
        change = FIRST_DAY + timedelta(days=7 * (self._evenings // 2))
        keys = [
            f'[[key]]\nhall = "Salón {hall}"\nkey = "{public_key_of(self._key(hall, number))}"\n'
            for hall in range(self._halls)
            for number in ([0, self._evenings - 1] if hall == 0 else [0])
        ]
        keys[0] += f"until = {change - timedelta(days=1)}\n"
        keys[1] += f"since = {change}\n"
        return "\n".join(
            (
                f'[season]\ntitle = "Circuito del Sur"\nevenings = ["evenings"]\n'
                f"[points]\nplaces = {[*PLACES]}\nwin = {WIN}\ntaking_part = {TAKING_PART}\n"
                f'[counting]\nbest = {BEST}\nties = ["wins", "firsts"]\n'
                "[clubs]\nbest = 2\n[final]\nqualified = 8\n",
                *keys,
            )
        )


def _places(count: int) -> list[int]:
    """Of a bracket: 1, 2, 3, 3, 5, 5, 5, 5, 9, ..."""
    return [1 if at == 0 else (1 << (at.bit_length() - 1)) + 1 for at in range(count)]


def _matches(
    order: list[TruePair], won: dict[int, int], teams: dict[int, int]
) -> Iterator[EveningMatch]:
    """So many matches that every pair has its wins: each one beats a pair with fewer."""
    for at, winner in enumerate(order):
        for number in range(won[winner.id]):
            loser = order[-1 - number] if order[-1 - number] is not winner else order[0]
            yield EveningMatch(
                f"cuadro-R{number + 1}-M{at + 1}", "cuadro", 0, number + 1, 0,
                (teams[winner.id], teams[loser.id]), (1, 0), (30, 12), 0, Ending.PLAYED,
            )  # fmt: skip


def _plain(name: str) -> str:
    parts = unicodedata.normalize("NFKD", name)
    return "".join(each for each in parts if not unicodedata.combining(each))


def _turned(name: str) -> str:
    first, *rest = name.split()
    return f"{' '.join(rest)} {first}" if first == "Los" else f"{' '.join(rest)}, {first}"


def _spaced(name: str) -> str:
    return name.replace(" ", "  ").strip()


def sums(season: SimulatedSeason) -> dict[int, tuple[int, int, int, int]]:
    """Points, wins, first places and evenings of each pair, by the truth alone."""
    of_pair: dict[int, list[TrueResult]] = defaultdict(list)
    for each in season.results:
        of_pair[each.pair].append(each)
    found = {}
    for pair, results in of_pair.items():
        if season.pairs[pair].is_forgotten:
            continue
        points = sorted((_points(each) for each in results), reverse=True)[:BEST]
        wins = sum(each.wins for each in results)
        firsts = len([each for each in results if each.place == 1])
        found[pair] = sum(points), wins, firsts, len(results)
    return found


def club_sums(season: SimulatedSeason) -> dict[str, int]:
    """The points of each club: its best two named pairs of each evening."""
    found: dict[str, int] = defaultdict(int)
    of_evening: dict[tuple[str, str], list[int]] = defaultdict(list)
    for each in season.results:
        pair = season.pairs[each.pair]
        if pair.is_named and not pair.is_forgotten:
            of_evening[each.evening, each.club].append(_points(each))
    for (_, club), points in of_evening.items():
        found[club] += sum(sorted(points)[-2:])
    return dict(found)


def _points(result: TrueResult) -> int:
    place = PLACES[result.place - 1] if result.place <= len(PLACES) else 0
    return place + WIN * result.wins + TAKING_PART
