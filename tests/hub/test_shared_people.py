"""People in two tournaments: who is asked about, who waits, what is taken back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from scorer.hub.decisions import DecisionError, DecisionFault
from scorer.hub.store import log
from scorer.hub.store.database import Connection, Database, sqlite_url
from scorer.hub.store.log import Author
from scorer.hub.store.projections import Kind
from scorer.hub.tournaments import (
    SharedName,
    TournamentDesk,
    Tournaments,
    WrittenNames,
    follow,
    shared_names,
)
from scorer.tournament import Result
from scorer.tournament.events import BlankName, Draw, Enter, Event, RecordResult, StartPhase
from scorer.tournament.model import Ending
from scorer.tournament.names import name_key
from tests.hub.boxes import SetClock
from tests.hub.open_tournaments import SharedTables
from tests.tournament.play import Played, format_of

ANA = Author("ana", "director")
ONE, OTHER = 1, 2  # tournaments
WON = Result(0, (1, 0), (30, 12), Ending.PLAYED)
ZONE = format_of({"id": "z", "kind": "zones", "zones": 1})
JOSE = SharedName("jose perez", ONE, OTHER)
PERES = SharedName("juan perez", ONE, OTHER, "juan peres")


def hall_of(*tournaments: list[Enter]) -> SharedTables:
    """Zones that have begun."""
    hall = SharedTables()
    for number, teams in enumerate(tournaments, ONE):
        hall.begin(number, Played(ZONE))
        events: list[Event] = [*teams, Draw("20261123"), StartPhase("z")]
        for event in events:
            hall.do(number, event)
    return hall


def pair(name: str, *players: str) -> Enter:
    return Enter(name, players)


ACCENTS = [
    (pair("Uno", "José Pérez", "Ana Ruiz"), pair("Rojo", "Jose Perez", "Eva Sol")),
    (pair("Uno", "Luis Gil", "Ana Ruiz"), pair("Rojo", "Eva Sol", "Luis Gíl")),
    (pair("Uno", "Pérez, Juan", "Ana Ruiz"), pair("Rojo", "JUAN PEREZ", "Eva Sol")),
    (pair("Los Ñatos", "A B", "C D"), pair("Los Natos", "E F", "G H")),
]


@pytest.mark.parametrize(("one", "other"), ACCENTS)
def test_whom_two_lists_write_in_two_ways_is_called_to_one_table(one: Enter, other: Enter) -> None:
    hall = hall_of([one, pair("Dos", "K L", "M N")], [other, pair("Azul", "O P", "Q R")])
    assert [each.tournament for each in hall.call([1, 2, 3])] == [ONE]
    [waits] = hall.waiting().later
    assert waits.tournament == OTHER


def test_who_is_two_persons_plays_at_two_tables() -> None:
    (one, other), *_ = ACCENTS
    hall = hall_of([one, pair("Dos", "K L", "M N")], [other, pair("Azul", "O P", "Q R")])
    hall.same[JOSE] = False
    assert {each.tournament for each in hall.call([1, 2])} == {ONE, OTHER}


@pytest.mark.parametrize(
    ("answer", "called"), [(None, {ONE, OTHER}), (False, {ONE, OTHER}), (True, {ONE})]
)
def test_a_wrong_letter_never_makes_one_person_without_an_answer(
    answer: bool | None, called: set[int]
) -> None:
    one, other = pair("Uno", "Juan Pérez", "Ana Ruiz"), pair("Rojo", "Peres, Juan", "Eva Sol")
    hall = hall_of([one, pair("Dos", "K L", "M N")], [other, pair("Azul", "O P", "Q R")])
    if answer is not None:
        hall.same[PERES._replace(other_name=name_key("Peres, Juan"))] = answer
    assert {each.tournament for each in hall.call([1, 2])} == called


def test_whom_the_desk_keeps_apart_in_one_list_plays_at_two_tables() -> None:
    """An uncle and a nephew: the list asked, and they were entered."""
    teams = [pair("Uno", "José Pérez", "A B"), pair("Dos", "Jose Perez", "C D")]
    hall = hall_of([*teams, pair("Tres", "E F", "G H"), pair("Cuatro", "K L", "M N")])
    assert len(hall.call([1, 2])) == 2


def test_a_team_whose_name_was_blanked_is_called_to_one_table() -> None:
    hall = hall_of([Enter("A"), Enter("B"), Enter("C"), Enter("D")])
    hall.do(ONE, BlankName(1))
    hall.call([1, 2])
    sides = hall.played[ONE].reader.sides
    [ended] = [table for table, key in hall.at.items() if 1 not in sides(key.match)]
    hall.end(ended, RecordResult(hall.at[ended].match, WON))
    assert hall.call([1, 2, 3]) == [], "its rivals are free, it plays"


# ---- the answers of the desk --------------------------------------------------------------------


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with closing(Database.open(sqlite_url(tmp_path / "hub.sqlite"))) as opened:
        yield opened


def begun(connection: Connection, *teams: Enter) -> int:
    events: list[Event] = [*teams]
    return TournamentDesk(connection, SetClock(), ANA, Tournaments()).begin(ZONE, events)


def asked(connection: Connection) -> dict[SharedName, WrittenNames]:
    known = follow(connection, Tournaments())
    listed = dict(shared_names(known))
    return {shared: listed[shared] for shared in listed if shared not in known.is_same_person}


def answer(connection: Connection, shared: SharedName, *, is_same: bool | None) -> None:
    desk = TournamentDesk(connection, SetClock(), ANA, Tournaments())
    numbers = shared.tournament, shared.other
    desk.compare_people([shared.name], [shared.other_name], numbers, is_same_person=is_same)


def test_names_that_are_the_same_or_alike_are_asked_about_as_each_list_has_them(
    database: Database,
) -> None:
    with database.write() as connection:
        one = begun(
            connection,
            pair("Uno", "José Pérez", "Juan Pérez"),
            pair("Tres", "Mario Paz", "Ana Vera"),
        )
        other = begun(
            connection,
            pair("Rojo", "Jose Perez", "Peres, Juan"),
            pair("Azul", "María Paz", "Ana Vega"),
        )
        found = asked(connection)
    assert found == {
        SharedName("jose perez", one, other): WrittenNames("José Pérez", "Jose Perez"),
        SharedName("juan perez", one, other, "juan peres"): WrittenNames(
            "Juan Pérez", "Peres, Juan"
        ),
    }


def test_who_has_a_namesake_is_not_asked_about_with_a_wrong_letter(database: Database) -> None:
    with database.write() as connection:
        begun(connection, pair("Uno", "Juan Pérez", "Juan Peres"))
        begun(connection, pair("Rojo", "Juan Pérez", "Eva Sol"))
        found = asked(connection)
    assert [written.text for written in found.values()] == ["Juan Pérez"]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("is_same", [True, False])
@pytest.mark.parametrize("second", ["Jose Perez", "José Péres"])
def test_an_answer_is_taken_back_and_asked_again(
    database: Database, second: str, is_same: bool
) -> None:
    with database.write() as connection:
        begun(connection, pair("Uno", "José Pérez", "Ana Ruiz"))
        begun(connection, pair("Rojo", second, "Eva Sol"))
        [shared] = asked(connection)
        assert_refused(connection, shared, is_same=None)
        answer(connection, shared, is_same=is_same)
        assert asked(connection) == {}
        # Another click, or another desk that has not seen the answer.
        assert_refused(connection, shared, is_same=not is_same)
        answer(connection, shared, is_same=None)
        assert [*asked(connection)] == [shared]
        assert_refused(connection, shared, is_same=None)
        answer(connection, shared, is_same=not is_same)
        assert follow(connection, Tournaments()).is_same_person == {shared: not is_same}


def assert_refused(connection: Connection, shared: SharedName, *, is_same: bool | None) -> None:
    with pytest.raises(DecisionError) as refused:
        answer(connection, shared, is_same=is_same)
    assert refused.value.key == DecisionFault.RESOLVED


def test_an_answer_of_an_older_program_counts(database: Database) -> None:
    """It has folded names: with accents, and in the order of the list."""
    with database.write() as connection:
        one = begun(connection, pair("Uno", "José Pérez", "Pérez, Juan"))
        other = begun(connection, pair("Rojo", "José Pérez", "Pérez, Juan"))
        body = {
            "names": ["josé pérez", "pérez, juan"],
            "tournaments": [one, other],
            "is_same_person": False,
        }
        log.append(connection, SetClock().utc(), ANA, Kind.PEOPLE_COMPARED, body)
        assert asked(connection) == {}
