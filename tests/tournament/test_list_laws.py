"""Whatever a spreadsheet writes is read back, and no line of it becomes two teams."""

from __future__ import annotations

import csv
import io
import random

import pytest

from scorer.tournament.entry_list import EntryList, read_entries
from scorer.tournament.events import Enter
from tests.tournament.play import Played, format_of

WORDS = "Ñato Yunta Bravo Ancho Primo Sota Basto Copa Falta Resto Envido Truco Mesa Barro".split()
PEOPLE = "Ana Beto Caio Dora Eva Fito Gina Hugo Iris Jano Kevin Lía Mario Nora Omar Pía".split()
SURNAMES = "Acosta Benítez Cabral Duarte Escobar Ferreyra Guzmán Herrera Ibáñez Juárez".split()
CLUBS = ("Norte", "Sur", "Este, 25 de Mayo", "Club; Social")
SIGNS = (", ", "; ", " y ", ' "Ancho" ', "\n", " - ")  # between the words of a name
HEADING = ["Equipo", "Jugador 1", "Jugador 2", "Club"]
SEEDS = range(60)


def teams_of(chosen: random.Random) -> list[Enter]:
    """Teams with commas, semicolons, quotation marks and line breaks in their names."""
    names: dict[str, str] = {}  # by what is read of it
    for _ in range(chosen.randint(3, 12)):
        words = chosen.sample(WORDS, 2)
        name = chosen.choice(SIGNS if chosen.random() < 0.5 else (" ",)).join(words)
        names.setdefault(" ".join(name.split()), name)
    people = [f"{one}, {other}" if chosen.random() < 0.3 else f"{other} {one}"
              for one in SURNAMES for other in chosen.sample(PEOPLE, 3)]  # fmt: skip
    chosen.shuffle(people)
    return [
        Enter(name, (people.pop(), people.pop()), (), chosen.choice(CLUBS))
        for name in names.values()
    ]


def written(rows: list[list[str]], separator: str, quoting: int) -> str:
    made = io.StringIO()
    csv.writer(made, delimiter=separator, quoting=quoting, lineterminator="\r\n").writerows(rows)  # type: ignore[arg-type]
    return made.getvalue()


def read(text: str) -> EntryList:
    return read_entries(text, Played(format_of({}, reserves=1)).state)


def tidied(team: Enter) -> Enter:
    return team._replace(name=" ".join(team.name.split()))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
@pytest.mark.parametrize("separator", [";", ",", "\t"])
def test_what_a_spreadsheet_writes_is_read_back(separator: str, quoting: int) -> None:
    for seed in SEEDS:
        teams = teams_of(random.Random(seed))
        rows = [[each.name, *each.players, each.club] for each in teams]
        found = read(written([HEADING, *rows], separator, quoting))
        assert found.errors == (), seed
        assert list(found.entries) == [tidied(each) for each in teams], seed


@pytest.mark.sampled(2)
@pytest.mark.parametrize("separator", [";", ",", "\t"])
def test_a_list_whose_lines_are_quoted_as_a_whole_is_the_same_list(separator: str) -> None:
    for seed in SEEDS:
        teams = [tidied(each) for each in teams_of(random.Random(seed))]
        rows = [HEADING, *([each.name, *each.players, each.club] for each in teams)]
        lines = written(rows, separator, csv.QUOTE_MINIMAL).splitlines()
        whole = written([[each] for each in lines], "\0", csv.QUOTE_ALL)
        found = read(whole)
        assert found.errors == (), seed
        assert list(found.entries) == teams, seed


@pytest.mark.parametrize("separator", [";", ",", "\t"])
def test_a_list_of_names_alone_has_a_team_on_each_line(separator: str) -> None:
    for seed in SEEDS:
        names = [tidied(each).name for each in teams_of(random.Random(seed))]
        found = read(written([[each] for each in names], separator, csv.QUOTE_MINIMAL))
        assert [each.name for each in found.entries] == names, seed


@pytest.mark.parametrize("separator", [";", ","])
def test_a_line_typed_by_hand_is_never_two_teams(separator: str) -> None:
    """Without quotation marks the cells may be others: then the line is asked about."""
    for seed in SEEDS:
        teams = [tidied(each) for each in teams_of(random.Random(seed))]
        lines = [separator.join([each.name, *each.players]) for each in teams]
        found = read("\n".join(lines))
        asked = {each.line for each in (*found.errors, *found.questions)}
        for at, (line, team) in enumerate(zip(lines, teams, strict=True), 1):
            is_right = Enter(team.name, team.players) in found.entries
            assert is_right or at in asked or not has_separator(team, separator), (seed, line)
        assert len(found.entries) <= len(teams)


def has_separator(team: Enter, separator: str) -> bool:
    return any(separator in each for each in (team.name, *team.players))
