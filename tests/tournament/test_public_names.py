"""What of the names of a tournament may be published."""

from __future__ import annotations

import pytest

from scorer.tournament.events import Enter
from scorer.tournament.public_names import is_named_in_public, public_state
from tests.tournament.play import Played, built_in

PLAYERS = ("Ana Gómez", "Luis Paz")
NAMES = [
    # A name of its own, whatever the players are called.
    (Enter("Los Primos", PLAYERS), "Los Primos"),
    (Enter("Los Primos"), "Los Primos"),
    (Enter("La Falta de Envido", ("Ana de Sosa", "La Negra")), "La Falta de Envido"),
    # Names of players: as the list has them, by a surname, and where it has none.
    (Enter("Ana Gómez / Luis Paz", PLAYERS), "#1"),
    (Enter("Los Gomez", PLAYERS), "#1"),
    (Enter("Los de PAZ", PLAYERS), "#1"),
    (Enter("Los de Eva", PLAYERS, ("Eva",)), "#1"),
    (Enter("Gómez / Paz"), "#1"),
    (Enter("Gómez-Paz"), "#1"),
    (Enter("Ana y Luis"), "#1"),
    (Enter("João e Zé"), "#1"),
    (Enter("Ana Gómez / Luis Paz", PLAYERS, consents=True), "Ana Gómez / Luis Paz"),
]


@pytest.mark.parametrize(("team", "name"), NAMES)
def test_without_consent_no_player_is_published(team: Enter, name: str) -> None:
    played = Played(built_in("zones_and_bracket"))
    played.do(team._replace(club="Club Sur"))
    state = played.state
    (shown,) = public_state(state).teams.values()
    assert shown.name == name
    assert is_named_in_public(state.teams[1]) is (name == team.name)
    if team.consents:
        assert shown == state.teams[1]
    else:
        assert (shown.players, shown.reserves, shown.club) == ((), (), "")
