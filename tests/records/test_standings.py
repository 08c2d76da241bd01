"""Standings of the evening: ranked by name, each finished game counted once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from scorer.records.game_facts import GameFacts
from scorer.records.standings import Competitor, EveningStandings, GameResult, game_result, rank
from scorer.session.values.night_view import NightStanding, NightView
from scorer.store.journal import Journal, Stamp
from scorer.store.rows import StoredRow

NAMES = '[NameA "Los Pibes"]\n[NameB "La Yunta"]\n'
HEADER = '[Variant "argentine"]\n[Options "target=15"]\n'


def stamp(minute: int, boot: str = "one", trusted: bool = True) -> Stamp:
    return Stamp(boot, minute * 60_000, f"2026-11-21T21:{minute:02}:00+00:00", trusted)


def row(seq: int, line: str, at: Stamp) -> StoredRow:
    return StoredRow(seq, 1, seq, line, "A", *at)


def rows(*entered: tuple[str, Stamp]) -> list[StoredRow]:
    return [row(seq, line, at) for seq, (line, at) in enumerate(entered, 1)]


@pytest.mark.parametrize(
    ("entered", "minutes"),
    [
        ((("A truco", stamp(0)), ("A concede", stamp(25))), 25),
        # Across a power cut the wall clock tells, if it could be trusted both times.
        ((("A truco", stamp(0)), ("A concede", stamp(31, "two"))), 31),
        ((("A truco", stamp(0, trusted=False)), ("A concede", stamp(31, "two"))), 0),
        ((("A truco", stamp(9)), ("A concede", stamp(3, "two"))), 0),
    ],
)
def test_a_game_lasts_from_its_first_press_to_its_last(
    entered: tuple[tuple[str, Stamp], ...], minutes: int
) -> None:
    result = game_result(HEADER + NAMES, rows(*entered))
    assert result is not None
    assert result._replace(facts=GameFacts()) == GameResult(
        (Competitor("Los Pibes"), Competitor("La Yunta")), 1, minutes
    )


@pytest.mark.parametrize(
    "lines",
    [("A truco",), (), ("A concede", "- undo"), ("- undo",)],
    ids=["running", "not begun", "won and taken back", "taken back whole"],
)
def test_an_unfinished_game_does_not_count(lines: tuple[str, ...]) -> None:
    assert game_result(HEADER, rows(*((line, stamp(0)) for line in lines))) is None


def test_a_side_without_a_name_has_its_letter() -> None:
    result = game_result(HEADER, rows(("A concede", stamp(0))))
    assert result is not None
    assert result.competitors[result.winner] == Competitor("", "B")


def results(winners: Sequence[str]) -> list[GameResult]:
    """Pibes against Yunta, and Pibes against Ñandú where the winner begins with a ~."""
    made = []
    for at, winner in enumerate(winners):
        third = winner.startswith("~")
        players = (Competitor("Pibes"), Competitor("Ñandú" if third else "Yunta"))
        won = players.index(Competitor(winner.lstrip("~")))
        made.append(GameResult(players, won, 10 + at))
    return made


def test_the_ranking_is_by_games_won_then_by_games_lost() -> None:
    view = rank(results(["Pibes", "Yunta", "Pibes", "~Ñandú", "~Ñandú"]))
    assert view == NightView(
        (
            NightStanding("Ñandú", "", 2, 2, 2, "nandu", best_streak=2, longest=14),
            NightStanding("Pibes", "", 2, 5, 0, "pibes", best_streak=1, longest=14),
            NightStanding("Yunta", "", 1, 3, 0, "yunta", best_streak=1, longest=12),
        ),
        games=5,
        longest=14,
    )


@pytest.mark.parametrize(
    ("name", "same"),
    [
        ("Los Pibes", "LOS PIBES"),
        ("Ñandú", "nandu"),
        ("Corações", "coracoes"),
        (" La  Yunta", "La yunta"),
    ],
)
def test_names_that_differ_by_case_accents_or_spaces_are_one_pair(name: str, same: str) -> None:
    rival = Competitor("Otros")
    games = [GameResult((player, rival), 0, 0) for player in (Competitor(name), Competitor(same))]
    first, second = rank(games).rows
    assert (first.name, first.won, second.played) == (same, 2, 2)


@pytest.mark.parametrize("other", ["ANA", "Ana"])
def test_sides_of_one_game_with_one_name_are_two_pairs(other: str) -> None:
    sides = Competitor("Ana"), Competitor(other)
    assert [(row.id, row.won) for row in rank([GameResult(sides, 1, 0)]).rows] == [
        ("ana (B)", 1),
        ("ana (A)", 0),
    ]


@pytest.mark.parametrize(
    ("renamed", "names"),
    [
        ({"yunta": "Los Tauras"}, {"Pibes": 2, "Los Tauras": 1, "Ñandú": 2}),
        # Two pairs that get one name are one pair, unless they met.
        ({"yunta": "ñandu"}, {"Pibes": 2, "Ñandú": 3}),
        ({"yunta": "Pibes"}, {"Pibes": 2, "Yunta": 1, "Ñandú": 2}),
        ({"nobody": "Los Tauras"}, {"Pibes": 2, "Yunta": 1, "Ñandú": 2}),
    ],
)
def test_a_pair_can_be_renamed_afterwards(renamed: dict[str, str], names: dict[str, int]) -> None:
    view = rank(results(["Pibes", "Yunta", "Pibes", "~Ñandú", "~Ñandú"]), renamed)
    assert {row.name: row.won for row in view.rows} == names


def test_other_names_change_nothing_but_the_names() -> None:
    games = results(["Yunta", "Pibes", "~Pibes", "Pibes", "~Ñandú"])
    renamed = {"pibes": "X", "yunta": "Y", "nandu": "Z"}
    for row, other in zip(rank(games).rows, rank(games, renamed).rows, strict=True):
        assert other == row._replace(name=renamed[row.id], id=renamed[row.id].lower())


def test_the_best_streak_is_the_longest_of_the_evening() -> None:
    view = rank(results(["Pibes", "Pibes", "Yunta", "Pibes"]))
    assert [(row.name, row.streak, row.best_streak) for row in view.rows] == [
        ("Pibes", 1, 2),
        ("Yunta", 0, 1),
    ]


def test_a_streak_goes_back_to_the_newest_game_that_was_lost() -> None:
    view = rank(results(["Yunta", "Pibes", "~Pibes", "Pibes"]))
    assert [(each.name, each.streak) for each in view.rows] == [
        ("Pibes", 3),
        ("Yunta", 0),
        ("Ñandú", 0),
    ]


def test_a_night_without_a_game_is_empty() -> None:
    assert rank([]) == NightView((), 0, 0)


class Counted:
    """A journal that records which games were read."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self.headers: list[int] = []

    def games(self) -> Iterator[int]:
        return self._journal.games()

    def header(self, game: int) -> str:
        self.headers.append(game)
        return self._journal.header(game)

    def rows(self, game: int) -> Sequence[StoredRow]:
        return self._journal.rows(game)


def test_a_night_reads_each_game_once_and_none_of_the_nights_before(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        for game in (1, 2, 3):
            header = HEADER + NAMES
            journal.append(game=game, lines=[], source="menu", stamp=stamp(game), opens=header)
            journal.append(game=game, lines=["A concede"], source="A", stamp=stamp(game))
        books = Counted(journal)
        night = EveningStandings(books, first=2)
        assert night.view({}).games == 2
        assert night.view({}).games == 2
        assert books.headers == [2, 3]
        # What was won is taken back: read again, and counted no more.
        journal.append(game=3, lines=["- undo"], source="A", stamp=stamp(5))
        assert night.view({}).games == 1
        assert EveningStandings(books, first=4).view({}) == NightView((), 0, 0)
