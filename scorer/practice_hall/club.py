"""The database of a practice hall: its desk, boxes and a drawn tournament."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Final, NamedTuple

from scorer.hall.joining import key_of
from scorer.hub import passwords
from scorer.hub.administration import DATABASE_NAME
from scorer.hub.decisions import Desk
from scorer.hub.formats import offered_formats, with_changes
from scorer.hub.hub import random_hex
from scorer.hub.identity import load_identity
from scorer.hub.store.database import Connection, Database, sqlite_url
from scorer.hub.store.log import Author
from scorer.hub.times import WallClock
from scorer.hub.tournaments import TournamentDesk, Tournaments
from scorer.system.shown_password import new_password
from scorer.tournament import Event, Tournament, apply, as_logged, begin
from scorer.tournament.events import Draw, Enter, NameTournament, StartPhase

PERSON: Final = "demo"
_AUTHOR: Final = Author("practice hall", "admin")
_FORMAT, _ZONES = "zones_and_bracket", "zonas"
# Sixteen pairs, each with a club.
_TEAMS: Final = (
    ("Los Pibes del Fondo", ("Ana Acosta", "Luis Benítez"), "Norte"),
    ("La Yunta", ("Marta Cabrera", "Hugo Duarte"), "Norte"),
    ("Las Brujas", ("Elsa Escobar", "Rosa Ferreyra"), "Sur"),
    ("Tres de Copas", ("Raúl Godoy", "Inés Herrera"), "Sur"),
    ("El Ancho de Espadas", ("Juan Ibáñez", "Pedro Juárez"), "Centro"),
    ("Barrio Sur", ("Nora Ledesma", "Iván Molina"), "Centro"),
    ("La Muestra", ("Sara Núñez", "Tito Olivera"), "Norte"),
    ("Falta Envido", ("Lidia Peña", "Oscar Quiroga"), "Norte"),
    ("Ñandú Negro", ("Carlos Ríos", "Dora Sosa"), "Sur"),
    ("Álamo Viejo", ("Mario Torres", "Elena Urquiza"), "Sur"),
    ("Vale Cuatro", ("José Vega", "Clara Yáñez"), "Centro"),
    ("Los Primos", ("Nicolás Zárate", "Tomás Zárate"), "Centro"),
    ("Flor y Truco", ("Alba Correa", "Bruno Díaz"), "Norte"),
    ("As de Bastos", ("Celia Farías", "Darío Gómez"), "Sur"),
    ("Dona Beatriz", ("Beatriz Lima", "Paulo Prado"), "Centro"),
    ("Os Compadres", ("João Rocha", "Miguel Souza"), "Norte"),
)


class Club(NamedTuple):
    """``password``: of PERSON; ``pin``: of the hub; ``keys``: of the boxes."""

    password: str
    pin: str
    keys: Sequence[str]


class PracticeGame(NamedTuple):
    """``variant``: its id; ``target``: in points; ``title``: of the tournament."""

    variant: str
    target: int
    title: str


def open_club(folder: Path, tables: int, game: PracticeGame) -> Club:
    """Make the database of a hub in ``folder``, with cards of its tables."""
    folder.mkdir(mode=0o700, parents=True)
    database = Database.open(sqlite_url(folder / DATABASE_NAME))
    try:
        with database.write() as connection:
            pin = load_identity(connection, random_hex).pin
            desk, password = Desk(connection, WallClock(), _AUTHOR), new_password()
            desk.set_person(PERSON, "admin", passwords.hash_password(password, random_hex(32)))
            keys = [random_hex(32) for _ in range(tables)]
            desk.add_cards([(key_of(key), table) for table, key in enumerate(keys, 1)])
            _begin_tournament(connection, game)
    finally:
        database.close()
    return Club(password, pin, keys)


def _begin_tournament(connection: Connection, game: PracticeGame) -> None:
    """A drawn tournament whose matches the hub calls by itself."""
    changes = {"every_phase": {"variant": game.variant, "target": game.target}}
    format_ = with_changes(offered_formats(Path())[_FORMAT], changes)
    desk = TournamentDesk(connection, WallClock(), _AUTHOR, Tournaments())
    # Names, teams, the draw and the start of the zones, as a log has them.
    decided: list[Event] = [
        NameTournament(game.title, date.today().isoformat()),  # noqa: DTZ011 - the day of the hall
        *(Enter(name, players, club=club, consents=True) for name, players, club in _TEAMS),
        Draw(str(secrets.randbelow(10**8))),
        StartPhase(_ZONES),
    ]
    state, found = begin(format_), list[Event]()
    for event in decided:
        logged = as_logged(state, event)
        after = apply(state, logged)
        assert isinstance(after, Tournament), (event, after)
        state = after
        found.append(logged)
    desk.begin(format_, found)
    desk.set("calls_by_itself", value=True)
