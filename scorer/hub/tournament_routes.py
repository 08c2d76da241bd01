"""The public pages of tournaments: screens of the hall, and a page for each team."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from scorer import __version__
from scorer.hub.drawn.tournament import drawn_team, drawn_tournament
from scorer.hub.hub import Hub
from scorer.hub.match_place import HallTournament
from scorer.hub.messages import messages, together
from scorer.hub.page_addresses import HallPage, PageAddresses
from scorer.hub.state import Json
from scorer.hub.tournament_documents import (
    team_document,
    tournament_document,
    tournaments_document,
)
from scorer.hub.tournament_phrases import Phrases
from scorer.hub.wall import Pages, PublicFile
from scorer.i18n import translator
from scorer.serving.middleware import client_address
from scorer.serving.prices import AnswerSource, Price, PricedRoute
from scorer.tournament.public_names import unjudged

_DRAWN_ALL = Price(400_000, 300_000, AnswerSource.FINISHED)
_DRAWN = Price(150_000, 100_000, AnswerSource.FINISHED, rows=5000)
_MESSAGES = Price(150_000, 40_000, AnswerSource.FINISHED, rows=5000)
_MESSAGES_ALL = Price(400_000, 100_000, AnswerSource.FINISHED)
_DRAWN_TEAM = Price(30_000, 20_000, AnswerSource.FINISHED, rows=5000)


def _document(found: HallTournament, language: str) -> Json:
    body = tournament_document(Phrases(found.reader, language), found.places)
    return {"id": found.id, "is_open": found.is_open, **body}


def _tournament(found: HallTournament, language: str, screens: Mapping[str, Json]) -> Json:
    return {**_document(found, language), "screens": screens, "version": __version__}


def _screens(hub: Hub, language: str) -> Json:
    """All open tournaments, and what each television shows."""
    listed = [_document(each, language) for each in hub.matches.open_tournaments()]
    screens = hub.state.tournaments.screens
    return {"tournaments": listed, "screens": screens, "version": __version__}


def _tournaments(hub: Hub, language: str) -> Json:
    listed = hub.matches.all_tournaments()
    return {"tournaments": tournaments_document(listed, translator(language))}


def _team(found: HallTournament, language: str, number: int) -> Json:
    """Raises KeyError for an unknown team."""
    document = team_document(Phrases(found.reader, language), number, found.places)
    return {**document, "version": __version__}


def _drawn(found: HallTournament, language: str) -> Json:
    made = drawn_tournament(_document(found, language), translator(language))
    return {**made, "version": __version__}


def _drawn_screens(hub: Hub, language: str) -> Json:
    """The same as ``_screens`` for their pages."""
    document, say = _screens(hub, language), translator(language)
    drawn = [drawn_tournament(each, say) for each in document["tournaments"]]
    return {**document, "tournaments": drawn}


def _drawn_team(
    found: HallTournament, language: str, number: int, page_of: Callable[[int, int], str]
) -> Json:
    """``page``: on the published site, "" while it is not there.

    Raises KeyError for an unknown team.
    """
    document = team_document(Phrases(found.reader, language), number, found.places)
    page = "" if unjudged(found.reader.state) else page_of(found.id, number)
    made = drawn_team(document, translator(language))
    return {**made, "page": page, "code": f"{found.id}/{number}", "version": __version__}


def _messages(found: HallTournament, language: str, address: str) -> Json:
    return dict(messages(Phrases(found.reader, language), found.places, address))


def tournament_routes(
    hub: Hub, pages: Pages, public: PublicFile, addresses: PageAddresses
) -> list[PricedRoute]:
    """The routes for viewers; all are GET.

    ``addresses``: of the page that a shared text names. Sizes are those of three open tournaments
    of 128 teams.
    """

    async def screen(request: Request) -> Response:
        return pages.page(request, "tv")

    async def team_page(request: Request) -> Response:
        return pages.page(request, "team")

    async def answer(
        request: Request, name: tuple[object, ...], make: Callable[[HallTournament], Json]
    ) -> Response:
        """A document of a tournament.

        It is that of the path, else the first open or the newest one. Raises HTTPException.
        """
        named, known = request.path_params.get("tournament", 0), hub.state.tournaments
        if not named and not known.by_id:
            named = max(known.archive, default=0)
        closed = known.archive.get(named)
        if closed is not None:
            address = client_address(request.scope)
            file = await hub.closed.document(closed, name, address, make)
            if not file.body:
                raise HTTPException(404, "there is no such team")
            return public.finished(request, file)
        found = hub.matches.tournament(named)
        if found is None:
            raise HTTPException(404, "there is no such tournament")
        try:
            return await public.response(request, (found.id, *name), partial(make, found))
        except KeyError:
            raise HTTPException(404, "there is no such team") from None

    async def document(request: Request) -> Response:
        language, screens = pages.language_of(request), hub.state.tournaments.screens
        make = partial(_tournament, language=language, screens=screens)
        return await answer(request, (language, json.dumps(screens)), make)

    async def screens(request: Request) -> Response:
        language = pages.language_of(request)
        make = partial(_screens, hub, language)
        return await public.response(request, ("screens", language), make)

    async def drawn_screens(request: Request) -> Response:
        language = pages.language_of(request)
        make = partial(_drawn_screens, hub, language)
        return await public.response(request, ("drawn screens", language), make)

    async def drawn(request: Request) -> Response:
        language = pages.language_of(request)
        return await answer(request, ("drawn", language), partial(_drawn, language=language))

    async def drawn_of_team(request: Request) -> Response:
        language, number = pages.language_of(request), request.path_params["team"]
        make = partial(_drawn_team, language=language, number=number, page_of=hub.page_of)
        return await answer(request, ("drawn", language, number), make)

    async def messages_of_all(request: Request) -> Response:
        """The texts of all open tournaments to share."""
        language, address = pages.language_of(request), addresses.of(request, HallPage.TEAMS)

        def make() -> Json:
            listed = hub.matches.open_tournaments()
            return dict(together(_messages(each, language, address) for each in listed))

        return await public.response(request, ("messages", language, address), make)

    async def messages_of_one(request: Request) -> Response:
        language, address = pages.language_of(request), addresses.of(request, HallPage.TEAMS)
        make = partial(_messages, language=language, address=address)
        return await answer(request, ("messages", language, address), make)

    async def tournaments(request: Request) -> Response:
        language = pages.language_of(request)
        make = partial(_tournaments, hub, language)
        return await public.response(request, ("all", language), make)

    async def team(request: Request) -> Response:
        language, number = pages.language_of(request), request.path_params["team"]
        make = partial(_team, language=language, number=number)
        return await answer(request, (language, number), make)

    page = Price(1000, 20_000, AnswerSource.FILES)
    whole, all_, one_team = (
        Price(60_000, 100_000, AnswerSource.FINISHED, rows=5000),
        Price(200_000, 300_000, AnswerSource.FINISHED),
        Price(10_000, 20_000, AnswerSource.FINISHED, rows=5000),
    )
    one = "/api/v1/tournaments/{tournament:int}"
    return [
        PricedRoute("/tv", screen, page),
        PricedRoute("/e/{team:int}", team_page, page),
        PricedRoute("/e/{tournament:int}/{team:int}", team_page, page),
        PricedRoute("/api/v1/tournament", document, whole),
        PricedRoute("/api/v1/tournament/teams/{team:int}", team, one_team),
        PricedRoute("/api/v1/tournaments", tournaments, Price(4000, 10_000, AnswerSource.FINISHED)),
        PricedRoute("/api/v1/screens", screens, all_),
        PricedRoute(one, document, whole),
        PricedRoute(one + "/teams/{team:int}", team, one_team),
        PricedRoute("/messages", messages_of_all, _MESSAGES_ALL),
        PricedRoute("/messages/{tournament:int}", messages_of_one, _MESSAGES),
        PricedRoute("/drawn/screens", drawn_screens, _DRAWN_ALL),
        PricedRoute("/drawn/tournaments/{tournament:int}", drawn, _DRAWN),
        PricedRoute("/drawn/tournament/teams/{team:int}", drawn_of_team, _DRAWN_TEAM),
        PricedRoute(
            "/drawn/tournaments/{tournament:int}/teams/{team:int}", drawn_of_team, _DRAWN_TEAM
        ),
    ]
