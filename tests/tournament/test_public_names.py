"""What of the names of a tournament may be published."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorer.tournament import EventRefusal, apply
from scorer.tournament.events import AnswerNames, BlankName, ChangeTeam, Enter
from scorer.tournament.model import Reason
from scorer.tournament.person_words import looks_like_people
from scorer.tournament.public_names import public_state, unjudged
from tests.hub.tournament_pages import NAMES as NAMES_OF_TEAMS
from tests.tournament.play import Played, built_in

PLAYERS = ("Ana Gómez", "Luis Paz")
LISTED = [
    # Where the players are known, the name is compared with theirs alone.
    (Enter("Los Primos", PLAYERS), "Los Primos"),
    (Enter("Tía y Sobrina", PLAYERS), "Tía y Sobrina"),
    (Enter("Juan con Pedro", PLAYERS), "Juan con Pedro"),
    (Enter("La Falta de Envido", ("Ana de Sosa", "La Negra")), "La Falta de Envido"),
    (Enter("Los 7", ("#1.1", "Luis Paz")), "Los 7"),
    (Enter("Ana Gómez / Luis Paz", PLAYERS), "#1"),
    (Enter("Los Gomez", PLAYERS), "#1"),
    (Enter("Los Gomes", PLAYERS), "#1"),  # one wrong letter
    (Enter("Los de PAZ", PLAYERS), "#1"),
    (Enter("Los de Eva", PLAYERS, ("Eva",)), "#1"),
    (Enter("Ana Gómez / Luis Paz", PLAYERS, consents=True), "Ana Gómez / Luis Paz"),
]
# Names of a club's list, and whether a rule takes them for people.
PROPOSED = [
    ("Pérez, Gómez", True),
    ("Juan con Pedro", True),
    ("Zoilo Quesada", True),
    ("Ana / Luz", True),
    ("Gómez-Paz", True),
    ("Ana y Luis", True),
    ("João e Zé", True),
    ("Tito & Sol", True),
    ("Pérez", True),
    ("Los Gómez", True),
    ("Lo de Pepe", True),
    ("María de la Paz Sosa", True),
    ("Tía y Sobrina", False),
    ("Falta y Resto", False),
    ("Barro y Oro", False),
    ("Siete Bravo", False),
    ("Los Primos", False),
    ("Equipo 3", False),
    ("Sol y Luna", False),
    ("El Ancho de Espadas", False),
    ("Titanes", False),
    ("- -", False),
]


def entered(*teams: Enter) -> Played:
    played = Played(built_in("zones_and_bracket"))
    for team in teams:
        played.do(team)
    return played


def public_names(played: Played) -> list[str]:
    return [team.name for team in public_state(played.state).teams.values()]


@pytest.mark.parametrize(("team", "name"), LISTED)
def test_without_consent_no_player_is_published(team: Enter, name: str) -> None:
    state = entered(team._replace(club="Club Sur")).state
    assert unjudged(state) == []
    (shown,) = public_state(state).teams.values()
    assert shown.name == name
    if team.consents:
        assert shown == state.teams[1]
    else:
        assert (shown.players, shown.reserves, shown.club) == ((), (), "")


def test_without_players_a_name_is_published_once_the_desk_says_so() -> None:
    played = entered(Enter("Los Primos"), Enter("Zoilo Quesada"), Enter("Ana", consents=True))
    assert public_names(played) == ["#1", "#2", "Ana"]
    assert [team.id for team in unjudged(played.state)] == [1, 2]
    played.do(AnswerNames((2,), (1,)))
    assert public_names(played) == ["Los Primos", "#2", "Ana"]
    assert unjudged(played.state) == []
    # A wrong answer is changed; another name is asked about anew, and so is a late team.
    played.do(AnswerNames((), (2,)))
    assert public_names(played) == ["Los Primos", "Zoilo Quesada", "Ana"]
    played.do(ChangeTeam(1, "Luis con Juan"))
    played.do(ChangeTeam(2, "Zoilo Quesada", club="Club Sur"))
    played.do(Enter("Los Tarde"))
    assert [team.id for team in unjudged(played.state)] == [1, 4]
    assert public_names(played) == ["#1", "Zoilo Quesada", "Ana", "#4"]
    played.do(BlankName(2))
    assert played.state.of_people == {}
    assert [team.id for team in unjudged(played.state)] == [1, 4]


def test_an_answer_about_a_team_that_there_is_not_is_refused() -> None:
    state = entered(Enter("Los Primos")).state
    assert apply(state, AnswerNames((), (2,))) == EventRefusal(Reason.UNKNOWN_TEAM)


@pytest.mark.parametrize(("name", "is_proposed"), PROPOSED)
def test_a_rule_proposes_which_names_are_names_of_people(name: str, is_proposed: bool) -> None:
    assert looks_like_people(name) is is_proposed


def test_names_of_people_are_proposed_and_names_of_teams_are_not() -> None:
    """One that is left out would be published by a director who does not look."""
    people = Path(__file__).with_name("two_hundred_names.txt").read_text("utf-8").splitlines()
    left_out = [name for name in people if not looks_like_people(name)]
    assert left_out == ["El Turco Saba"]  # by the article, a group
    assert [name for name in NAMES_OF_TEAMS if looks_like_people(name)] == []
