"""The public pages of a tournament: screens of the hall, and a page for each team."""

from __future__ import annotations

from functools import partial

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from scorer.hub.hub import Hub
from scorer.hub.tournament_documents import team_document, tournament_document
from scorer.hub.tournament_phrases import Phrases
from scorer.hub.wall import Pages, PublicFile
from scorer.serving.json_responses import json_file, json_response
from scorer.serving.static_files import CachedFile, file_response


def _tournament_file(hub: Hub, language: str) -> CachedFile:
    found = hub.matches.tournament
    assert found is not None
    body = tournament_document(Phrases(found.reader, language), found.places)
    return json_file({**body, "screens": found.screens})


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
        file = newest.of(language, partial(_tournament_file, hub, language))
        # Not compressed: what is compressed is kept, and this changes all evening.
        return file_response(file, request.headers.get("if-none-match"))

    async def team(request: Request) -> Response:
        number, found = request.path_params["team"], hub.matches.tournament
        if found is None or number not in found.reader.state.teams:
            raise HTTPException(404, "there is no such team")
        phrases = Phrases(found.reader, pages.language_of(request))
        return json_response(team_document(phrases, number, found.places))

    return [
        Route("/tv", screen, methods=["GET"]),
        Route("/e/{team:int}", team_page, methods=["GET"]),
        Route("/api/v1/tournament", document, methods=["GET"]),
        Route("/api/v1/tournament/teams/{team:int}", team, methods=["GET"]),
    ]
