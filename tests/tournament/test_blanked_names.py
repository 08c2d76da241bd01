"""Consents and blanked names: in lists, in the state and in files."""

from __future__ import annotations

import pytest

from scorer.tournament import EventRefusal, Reason, apply, begin
from scorer.tournament.blanked_names import without_blanked
from scorer.tournament.entry_list import read_entries
from scorer.tournament.events import (
    BlankName,
    ChangeTeam,
    Enter,
    Event,
    PairRound,
    StartPhase,
    Withdraw,
    encode,
    parse,
)
from scorer.tournament.export import TournamentFile, decode
from scorer.tournament.export import encode as encode_file
from scorer.tournament.pasted_list import EntryFault
from tests.tournament.play import Played, built_in, coin

PLAYERS = ("Ana Gómez", "Luis Paz")


def entered(*teams: Enter) -> Played:
    played = Played(built_in("zones_and_bracket"))
    for team in teams:
        played.do(team)
    return played


# ---- consents -----------------------------------------------------------------------------------


@pytest.mark.parametrize("heading", ["Publicar", "Publicação", "Publish names", "Autoriza"])
@pytest.mark.parametrize(
    ("cell", "consents"),
    [("sí", True), ("SIM", True), ("x", True)] + [(each, False) for each in ("", "no", "Não", "-")],
)
def test_a_column_of_a_list_has_the_consents(heading: str, cell: str, consents: bool) -> None:
    text = f"Equipo;Jugador 1;Jugador 2;{heading}\nLos Primos;Ana;Luis;{cell}"
    found = read_entries(text, begin(built_in("zones_and_bracket")))
    assert found.errors == ()
    assert found.columns[-1].kind == "consent"
    assert [each.consents for each in found.entries] == [consents]


def test_a_list_without_the_column_has_no_consent_and_another_answer_is_an_error() -> None:
    state = begin(built_in("zones_and_bracket"))
    assert not read_entries("Los Primos;Ana;Luis;Club Sur;1", state).entries[0].consents
    (wrong,) = read_entries("Equipo;Publicar\nLos Primos;quizás", state).errors
    assert (wrong.fault, wrong.text, wrong.line) == (EntryFault.CONSENT, "quizás", 2)


def test_a_log_from_before_consents_keeps_its_bytes() -> None:
    for event in (Enter("x"), ChangeTeam(1, "x")):
        assert "consents" not in encode(event)
        assert parse(encode(event._replace(consents=True))) == event._replace(consents=True)


# ---- blanked names ------------------------------------------------------------------------------


def test_a_blanked_team_has_its_number_and_keeps_its_results() -> None:
    played = Played(built_in("zones_and_bracket"), 8, clubs=2, seeds=3).draw()
    played.do(StartPhase("zonas"))
    played.play_open("zonas", coin(1))
    before = played.reader.standings("zonas", 1)
    played.do(BlankName(2))
    team = played.state.teams[2]
    assert (team.name, team.club, team.seed, team.is_blank) == ("#2", "", 2, True)
    assert played.reader.standings("zonas", 1) == before
    # Its number is taken by no other team, and it may be named anew.
    played.do(ChangeTeam(3, "#2", seed=3))
    played.do(ChangeTeam(2, "Otra vez", seed=2))
    assert not played.state.teams[2].is_blank
    refused = apply(played.state, BlankName(99))
    assert isinstance(refused, EventRefusal) and refused.reason is Reason.UNKNOWN_TEAM


def reread(played: Played, log: list[Event]) -> TournamentFile:
    found = decode(encode_file(played.state.format, log))
    assert isinstance(found, TournamentFile), found
    return found


def undrawn(event: Event) -> Event:
    """As logs have it from before the draw was written into them."""
    return type(event)(event.phase) if isinstance(event, StartPhase | PairRound) else event


@pytest.mark.sampled(1)
@pytest.mark.parametrize("is_old", [False, True], ids=["drawn", "undrawn"])
@pytest.mark.parametrize("name", ["zones_and_bracket", "swiss", "double", "gaucho"])
def test_a_file_has_no_blanked_name_and_the_same_tournament(name: str, is_old: bool) -> None:
    played = Played(built_in(name))
    letters = "abc"[: played.state.format.players]
    for at in range(1, 41):
        people = tuple(f"Persona {at}{letter}" for letter in letters) if at % 2 else ()
        played.do(Enter(f"Equipo {at}x", people, club=f"Club {at % 4}"))
    people = ("Eva Ruiz", "Leo Ruiz", "Lía Ruiz")[: len(letters)]
    played.do(ChangeTeam(5, "Los Nuevos", people, club="Club 9"))
    played.draw().play(coin(3))
    log = [*map(undrawn, played.log)] if is_old else played.log
    for team in (5, 8):
        event = BlankName(team)
        played.do(event)
        if log is not played.log:
            log.append(event)
    data = encode_file(played.state.format, log)
    for gone in ("Equipo 5x", "Persona 5a", "Los Nuevos", "Eva Ruiz", "Club 9", "Equipo 8x"):
        assert gone.encode() not in data, gone
    assert b"Equipo 7x" in data
    found = reread(played, log)
    assert found.state == played.state
    assert encode_file(found.state.format, found.log) == data


def test_reasons_lose_a_blanked_name_too_and_later_names_stay() -> None:
    played = entered(Enter("Los Primos", PLAYERS), Enter("Los Primos Dos"))
    played.do(Withdraw(1, "ana gómez se fue; Paz también, y los primos con ellos. Banana no"))
    played.do(Withdraw(2, "Los Primos Dos"))
    played.do(BlankName(1))
    played.do(ChangeTeam(1, "Los Otros"))
    found = without_blanked(played.state.format, played.log)
    assert found[0] == Enter("#1")
    assert found[2] == Withdraw(1, "#1 se fue; #1 también, y #1 con ellos. Banana no")
    assert found[-1] == ChangeTeam(1, "Los Otros")


def test_a_log_without_blanked_names_is_left_as_it_is() -> None:
    played = Played(built_in("swiss"), 8, clubs=2).draw().play(coin(2))
    assert without_blanked(played.state.format, played.log) == played.log
