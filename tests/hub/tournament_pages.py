"""A tournament in the pages of a hub: its documents are given to the browser."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from scorer.hub.drawn.tournament import drawn_team, drawn_tournament
from scorer.hub.match_place import MatchPlace, MatchPlaces
from scorer.hub.tournament_documents import Json, team_document, tournament_document
from scorer.hub.tournament_phrases import Phrases
from scorer.i18n import translator
from scorer.tournament.events import Enter, PairRound, StartPhase
from tests.tournament.play import Played, built_in, coin

if TYPE_CHECKING:
    from playwright.sync_api import APIResponse, Page, Route

NAMES = (
    "Los Pibes del Fondo",
    "La Yunta",
    "Las Brujas",
    "Tres de Copas",
    "El Ancho de Espadas",
    "Barrio Sur",
    "La Muestra",
    "Falta Envido",
    "Ñandú Negro",
    "Álamo Viejo",
    "Los Primos de la Calle Belgrano",
    "Vale Cuatro",
)


def phrases_of(played: Played, language: str = "es-AR") -> Phrases:
    return Phrases(played.reader, language)


def entered(format_name: str, teams: int) -> Played:
    """A drawn tournament; the names repeat with a number."""
    played = Played(built_in(format_name))
    for at in range(teams):
        again, which = divmod(at, len(NAMES))
        played.do(Enter(NAMES[which] + (f" {again + 1}" if again else ""), club=f"Club {at % 5}"))
    return played.answer_names().draw()


def zones(teams: int = 24) -> Played:
    """Zones after their first round."""
    played = entered("zones_and_bracket", teams)
    played.do(StartPhase("zonas"))
    first = [each for each in played.open_matches("zonas") if "-R1-" in each]
    for match in first:
        played.win(match, min(filter(None, played.reader.sides(match))))
    return played


def bracket(teams: int = 24) -> Played:
    """A bracket after its first round."""
    return bracket_of(zones(teams))


def bracket_of(played: Played) -> Played:
    """The bracket of a drawn tournament after its first round."""
    if not played.state.stages:
        played.do(StartPhase("zonas"))
    while played.play_open("zonas", coin(4)):
        pass
    played.do(StartPhase("llave"))
    played.play_open("llave", coin(5))
    return played


def swiss(teams: int = 21) -> Played:
    """Two Swiss rounds, and the pairs of the third."""
    played = entered("swiss", teams)
    played.do(StartPhase("suizo"))
    for number in range(3):
        played.do(PairRound("suizo"))
        if number < 2:
            played.play_open("suizo", coin(number))
    return played


def at_tables(played: Played) -> MatchPlaces:
    """The open matches at tables, in different states."""
    phase = [*played.state.stages][-1]
    states = ("playing", "offered", "playing", "agreed", "contested", "accepted")
    found = played.open_matches(phase)[:6]
    return {
        match: MatchPlace(at + 1, states[at], (0, 0), (12 + at, 7 * at % 20))
        for at, match in enumerate(found)
    }


def whole_state(route: Route) -> APIResponse:
    """The answer with the whole state of the desk, whatever the page has."""
    return route.fetch(url=route.request.url.partition("&since=")[0])


def give(
    page: Page, played: Played, places: MatchPlaces, screens: Mapping[str, Json] | None = None
) -> None:
    """Answer the requests of ``page`` for documents of a tournament."""

    def answer(route: Route) -> None:
        path, _, language = route.request.url.partition("?lang=")
        phrases, last = phrases_of(played, language), path.rpartition("/")[2]
        if not last.isdigit():
            document = {"id": 1, **tournament_document(phrases, places)}
            drawn = drawn_tournament(document, translator(language))
            route.fulfill(json={"tournaments": [drawn], "screens": dict(screens or {})})
        elif int(last) in played.state.teams:
            document = team_document(phrases, int(last), places)
            route.fulfill(json=drawn_team(document, translator(language)))
        else:
            route.fulfill(status=404, json={})

    page.route("**/drawn/screens**", answer)
    page.route("**/drawn/tournament/**", answer)
