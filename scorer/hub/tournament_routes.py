"""The public pages of a tournament: screens of the hall, and a page for each team."""

from __future__ import annotations

from functools import partial

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from scorer import __version__
from scorer.hub.hub import Hub
from scorer.hub.tournament_documents import Json, team_document, tournament_document
from scorer.hub.tournament_phrases import Phrases
from scorer.hub.wall import Pages, PublicFile


def _tournament(hub: Hub, language: str) -> Json:
    found = hub.matches.tournament
    assert found is not None
    body = tournament_document(Phrases(found.reader, language), found.places)
    return {**body, "screens": found.screens, "version": __version__}


def _team(hub: Hub, language: str, number: int) -> Json:
    found = hub.matches.tournament
    assert found is not None
    document = team_document(Phrases(found.reader, language), number, found.places)
    return {**document, "version": __version__}


def tournament_routes(hub: Hub, pages: Pages) -> list[Route]:
    """The routes for viewers; all are GET."""
    newest = PublicFile(hub)

    async def screen(request: Request) -> Response:
        return pages.page(request, "tv")

    async def team_page(request: Request) -> Response:
        return pages.page(request, "team")

    async def document(request: Request) -> Response:
        if hub.state.running is None:
            raise HTTPException(404, "there is no tournament")
        language = pages.language_of(request)
        return newest.response(request, language, partial(_tournament, hub, language))

    async def team(request: Request) -> Response:
        number, running = request.path_params["team"], hub.state.running
        if running is None or number not in running.state.teams:
            raise HTTPException(404, "there is no such team")
        name = (pages.language_of(request), number)
        return newest.response(request, name, partial(_team, hub, *name))

    return [
        Route("/tv", screen, methods=["GET"]),
        Route("/e/{team:int}", team_page, methods=["GET"]),
        Route("/api/v1/tournament", document, methods=["GET"]),
        Route("/api/v1/tournament/teams/{team:int}", team, methods=["GET"]),
    ]
