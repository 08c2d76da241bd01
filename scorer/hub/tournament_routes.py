"""The public pages of tournaments: screens of the hall, and a page for each team."""

from __future__ import annotations

from functools import partial

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from scorer import __version__
from scorer.hub.hub import Hub
from scorer.hub.match_place import HallTournament
from scorer.hub.state import Json
from scorer.hub.tournament_documents import (
    team_document,
    tournament_document,
    tournaments_document,
)
from scorer.hub.tournament_phrases import Phrases
from scorer.hub.wall import Pages, PublicFile
from scorer.i18n import translator


def _document(found: HallTournament, language: str) -> Json:
    body = tournament_document(Phrases(found.reader, language), found.places)
    return {"id": found.id, "is_open": found.is_open, **body}


def _found(hub: Hub, tournament: int) -> HallTournament:
    found = hub.matches.tournament(tournament)
    assert found is not None
    return found


def _tournament(hub: Hub, language: str, tournament: int) -> Json:
    screens = hub.state.tournaments.screens
    document = _document(_found(hub, tournament), language)
    return {**document, "screens": screens, "version": __version__}


def _screens(hub: Hub, language: str) -> Json:
    """All open tournaments, and what each television shows."""
    listed = [_document(each, language) for each in hub.matches.open_tournaments()]
    screens = hub.state.tournaments.screens
    return {"tournaments": listed, "screens": screens, "version": __version__}


def _tournaments(hub: Hub, language: str) -> Json:
    listed = hub.matches.all_tournaments()
    return {"tournaments": tournaments_document(listed, translator(language))}


def _team(hub: Hub, language: str, tournament: int, number: int) -> Json:
    found = _found(hub, tournament)
    document = team_document(Phrases(found.reader, language), number, found.places)
    return {**document, "version": __version__}


def tournament_routes(hub: Hub, pages: Pages) -> list[Route]:
    """The routes for viewers; all are GET."""
    newest = PublicFile(hub)

    async def screen(request: Request) -> Response:
        return pages.page(request, "tv")

    async def team_page(request: Request) -> Response:
        return pages.page(request, "team")

    async def found_in(request: Request) -> HallTournament:
        """The tournament of a path, else the first open or the newest one.

        Raises HTTPException.
        """
        named, known = request.path_params.get("tournament", 0), hub.state.tournaments
        if not named and not known.by_id:
            named = max(known.archive, default=0)
        await hub.state.read_closed(named)
        found = hub.matches.tournament(named)
        if found is None:
            raise HTTPException(404, "there is no such tournament")
        return found

    async def document(request: Request) -> Response:
        number, language = (await found_in(request)).id, pages.language_of(request)
        make = partial(_tournament, hub, language, number)
        return newest.response(request, (language, number), make)

    async def screens(request: Request) -> Response:
        language = pages.language_of(request)
        return newest.response(request, ("screens", language), partial(_screens, hub, language))

    async def tournaments(request: Request) -> Response:
        language = pages.language_of(request)
        return newest.response(request, ("all", language), partial(_tournaments, hub, language))

    async def team(request: Request) -> Response:
        number, found = request.path_params["team"], await found_in(request)
        if number not in found.reader.state.teams:
            raise HTTPException(404, "there is no such team")
        name = (pages.language_of(request), found.id, number)
        return newest.response(request, name, partial(_team, hub, *name))

    one = "/api/v1/tournaments/{tournament:int}"
    return [
        Route("/tv", screen, methods=["GET"]),
        Route("/e/{team:int}", team_page, methods=["GET"]),
        Route("/e/{tournament:int}/{team:int}", team_page, methods=["GET"]),
        Route("/api/v1/tournament", document, methods=["GET"]),
        Route("/api/v1/tournament/teams/{team:int}", team, methods=["GET"]),
        Route("/api/v1/tournaments", tournaments, methods=["GET"]),
        Route("/api/v1/screens", screens, methods=["GET"]),
        Route(one, document, methods=["GET"]),
        Route(one + "/teams/{team:int}", team, methods=["GET"]),
    ]
