"""Pages for visitors: the search of a team, QR codes, where the desk is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from scorer.hub.hub import Hub
from scorer.hub.match_place import HallTournament
from scorer.hub.page_addresses import PAGE_PATHS, HallPage, PageAddresses, is_screen
from scorer.hub.team_search import alphabet_key, found_teams, team_words
from scorer.hub.tournament_phrases import Phrases
from scorer.hub.wall import Pages, PublicFile
from scorer.i18n import nearest_language, translator
from scorer.serving.error_pages import PageLink, PageReader
from scorer.serving.middleware import client_address
from scorer.serving.prices import AnswerSource, Price, PricedRoute
from scorer.serving.qr_svg import qr_svg
from scorer.serving.static_files import CONTENT_TYPES, CachedFile, cached_file
from scorer.tournament.model import Team
from scorer.tournament.names import names_text

_MOST_CHARS = 80  # of what is searched for
_MOST_NUMBER = 10**9  # of a tournament or a team in an address


def visitor_routes(
    hub: Hub, pages: Pages, public: PublicFile, addresses: PageAddresses
) -> list[PricedRoute]:
    """The routes for players; all are GET."""

    async def teams(request: Request) -> Response:
        language = pages.reader_language(request)
        query = request.query_params.get("q", "")[:_MOST_CHARS].strip()
        # Links keep a language that is not the hall's.
        lang = "" if language == pages.language("") else language
        name, known = ("teams", language, query), hub.state.tournaments

        def page_of(shown: Sequence[HallTournament]) -> CachedFile:
            teams = _found_teams(shown, query, language)
            fields = {"teams": teams, "query": query, "most": _MOST_CHARS, "lang": lang}
            return pages.file("teams.html", "teams", language, **fields)

        if known.archive and not known.by_id:
            # The closed ones are looked up while nothing is played: the newest of them.
            newest = known.archive[max(known.archive)]
            address = client_address(request.scope)
            file = await hub.closed.file(newest, name, address, lambda found: page_of([found]))
            return public.finished(request, file)
        return await public.file(
            request, name, known.seq, lambda: page_of(hub.matches.open_tournaments())
        )

    async def code(request: Request) -> Response:
        """The address of a page as a QR code. Raises HTTPException."""
        name, screen = request.path_params["page"], request.query_params.get("screen", "")
        if name not in list(HallPage) or not is_screen(screen):
            raise HTTPException(404, f"there are codes of {', '.join(HallPage)}")
        address = addresses.of(request, HallPage(name), screen)

        def make() -> CachedFile:
            return cached_file(qr_svg(address), CONTENT_TYPES[".svg"])

        return await public.file(request, ("code", address), None, make)

    async def code_of_team(request: Request) -> Response:
        """The page of a team as a QR code; with ``?published`` that on the site."""
        tournament, team = (request.path_params[each] for each in ("tournament", "team"))
        if max(tournament, team) > _MOST_NUMBER:
            raise HTTPException(404, "there is no such team")
        page = hub.page_of(tournament, team) if "published" in request.query_params else ""
        address = page or f"{addresses.of(request, HallPage.TEAMS)}{tournament}/{team}"

        def make() -> CachedFile:
            return cached_file(qr_svg(address), CONTENT_TYPES[".svg"])

        return await public.file(request, ("code", address), None, make)

    async def add_slash(request: Request) -> Response:
        query = request.url.query
        return RedirectResponse(f"/e/?{query}" if query else "/e/")

    return [
        PricedRoute("/e", add_slash, Price(1000, 4000, AnswerSource.FILES)),
        PricedRoute("/e/", teams, Price(150_000, 150_000, AnswerSource.FINISHED, rows=5000)),
        PricedRoute("/qr/{page}.svg", code, Price(40_000, 4000, AnswerSource.FINISHED)),
        PricedRoute(
            "/qr/{tournament:int}/{team:int}.svg",
            code_of_team,
            Price(40_000, 6000, AnswerSource.FINISHED),
        ),
    ]


def desk_elsewhere(pages: Pages, public: PublicFile, addresses: PageAddresses) -> list[PricedRoute]:
    """The routes at the wall's port for pages of the desk: their address."""

    async def elsewhere(request: Request) -> Response:
        path = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        address = addresses.base(request, is_desk=True) + path
        language = pages.reader_language(request)
        page = pages.file("elsewhere.html", "teams", language, address=address)
        return public.finished(request, page)

    price = Price(1000, 20_000, AnswerSource.FILES)
    return [PricedRoute(path, elsewhere, price) for path in PAGE_PATHS]


def reader_of(pages: Pages) -> Callable[[Request], PageReader]:
    """The language of a browser at an unknown address."""

    def reader(request: Request) -> PageReader:
        language = pages.reader_language(request)
        return PageReader(language, translator(language))

    return reader


def page_links(addresses: PageAddresses) -> Callable[[Request], list[PageLink]]:
    """The pages that there are, for a browser at an unknown address."""

    def links(request: Request) -> list[PageLink]:
        lang = request.query_params.get("lang", "")
        query = f"?lang={nearest_language(lang)}" if lang else ""
        desk = addresses.base(request, is_desk=True)
        return [
            PageLink("hub.find", f"/e/{query}"),
            PageLink("desk.page.wall", f"/{query}"),
            PageLink("desk.page.tv", f"/tv{query}"),
            PageLink("desk.desk", f"{desk}/desk{query}"),
        ]

    return links


class _FoundTeam(NamedTuple):
    """A row of the list of teams.

    ``words``: those by which a script finds it while one types.
    """

    number: int
    name: str
    about: str
    path: str
    words: str
    is_found: bool


def _found_teams(
    tournaments: Sequence[HallTournament], query: str, language: str
) -> list[_FoundTeam]:
    """All teams, those that are not found hidden: the page shows them as one types.

    Beside others, a team has the title of its tournament.
    """
    say = translator(language)
    teams = [(each, team) for each in tournaments for team in each.reader.state.teams.values()]
    teams.sort(key=lambda pair: (*alphabet_key(pair[1]), pair[0].id))

    def row(tournament: HallTournament, team: Team, *, is_found: bool) -> _FoundTeam:
        reader = tournament.reader
        players = names_text((*team.players, *team.reserves))
        title = Phrases(reader, language).title if len(tournaments) > 1 else ""
        gone = say("hub.team.withdrawn") if team.id in reader.state.withdrawn else ""
        about = (say("visitor.number", n=team.id), team.club, players, title, gone)
        # Its tournament is named: another one may open or close meanwhile.
        path = f"/e/{tournament.id}/{team.id}"
        shown = " · ".join(filter(None, about))
        return _FoundTeam(team.id, team.name, shown, path, team_words(team), is_found)

    found = found_teams([team for _, team in teams], query)
    return [row(*pair, is_found=each) for pair, each in zip(teams, found, strict=True)]
