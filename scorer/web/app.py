"""HTTP routes: GET and HEAD, and POST for paired phones.

Maps paths to reports, files and streams.
"""

from __future__ import annotations

import json
import math
from asyncio import to_thread
from collections.abc import Callable, Hashable
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Scope

from scorer.api.table_source import TableUnavailable
from scorer.i18n import nearest_language, reader_language, translator
from scorer.serving import csrf
from scorer.serving.broadcaster import Broadcaster
from scorer.serving.error_pages import ErrorPages, PageLink, PageReader
from scorer.serving.events import EventStream
from scorer.serving.finished import FinishedAnswers, Make, WorkShare
from scorer.serving.json_responses import json_file, json_response
from scorer.serving.middleware import GuardOptions, HostGuard, client_address
from scorer.serving.page_files import PageFiles
from scorer.serving.prices import AnswerSource, Price, PricedRoute, Rank, rank_in
from scorer.serving.qr_svg import qr_svg
from scorer.serving.static_files import CONTENT_TYPES, CachedFile, cached_file
from scorer.serving.turnstile import Turnstile
from scorer.system.rate_limit import RateLimit
from scorer.table_link import LinkStatus, TableLink
from scorer.web import metrics
from scorer.web.audience import Audience, audience_of
from scorer.web.owner import OwnerRoutes
from scorer.web.owner_files import owner_file_response
from scorer.web.pages import OWNER_WORDS, PHONE_WORDS, WORDS, page_words
from scorer.web.pages.plain import TEMPLATES, render_page
from scorer.web.past_games import TooManyReads
from scorer.web.phone import PhoneRoutes
from scorer.web.replay_process import (
    ReplayFault,
    ReplayProcess,
    Task,
    code_task,
    game_task,
    sheet_task,
)
from scorer.web.shared_game import MAX_ROWS, MAX_SHEET, SheetFault, read_digits, side_names
from scorer.web.snapshot import Reporter
from scorer.web.timeline import Timeline

THEMES = ("auto", "dark", "light", "night")
MAX_ENTRIES = 500
SHARED_PATH = "/api/v1/shared"
GUARD = GuardOptions(
    section="web",
    framed_paths=("/overlay",),  # by OBS or a club's site
    monitored_paths=("/healthz", "/metrics"),
    long_bodies={SHARED_PATH: 2 * MAX_SHEET},
    refusal_delay=1.0,
)
# Of the games that are shared: they are replayed by another process.
_REPLAYS_A_SECOND, _REPLAY_SHARE, _REPLAY_BURST = 2.0, 0.5, 1.0
# Of what visitors make this process compute: a tenth of one processor.
_SHARE, _BURST = 0.1, 0.5
_KEPT_BYTES = 4_000_000  # of finished answers, of each kind
_RETRY_SOON = {"Retry-After": "5", "Cache-Control": "no-store"}


class WebContext(NamedTuple):
    """What the routes use: reports, viewers, host names, the owner's pages."""

    reporter: Reporter
    feed: Broadcaster[Audience]
    names: frozenset[str]
    folder: Path
    replays: ReplayProcess
    viewers_each: int = 40  # viewers of one address
    phone_link: TableLink | None = None  # the phones' own connection; None: that of the reports
    owner_link: TableLink | None = None  # that of the settings page; None: that of the phones
    address: Callable[[], str] = str  # the URL of the board for phones; "" without a network


def build_app(context: WebContext) -> ASGIApp:
    """Build the application behind the host guard."""
    errors = ErrorPages(partial(_reader, context.reporter), _page_links)
    link = context.phone_link or context.reporter.link
    owners = OwnerRoutes(context.owner_link or link)
    phones = PhoneRoutes(context.reporter, link, give_right_back=owners.give_back)
    routes = build_routes(context, phones, owners)
    find_rank = rank_in(routes)

    def rank_of(scope: Scope) -> Rank:
        """A paired phone goes first, but not with what is for viewers."""
        is_known = phones.is_known(client_address(scope))
        return find_rank(scope) if is_known else Rank.VISITORS

    app = Starlette(routes=[*routes], exception_handlers={HTTPException: errors.answer})
    # /api/v1/state/ is not found instead of redirected.
    app.router.redirect_slashes = False
    guard = GUARD._replace(rank_of=rank_of, turnstile=Turnstile())
    # The clients of one address open a page, then poll every 5 s.
    limit = RateLimit(context.viewers_each / 2, 20 + 10 * context.viewers_each)
    return HostGuard(app, context.names, limit, guard)


def _reader(reporter: Reporter, request: Request) -> PageReader:
    """The language of a browser at an unknown address."""
    wanted, accepted = request.query_params.get("lang", ""), request.headers.get("accept-language")
    language = reader_language(wanted, accepted or "", reporter.language)
    return PageReader(language, translator(language))


def _page_links(request: Request) -> list[PageLink]:
    """The pages that there are, for a browser at an unknown address."""
    lang = request.query_params.get("lang", "")
    query = f"?{urlencode({'lang': lang})}" if lang else ""
    paths = {"visitor.board": "/", "visitor.plain": "/plain", "visitor.phone": "/phone"}
    return [PageLink(key, f"{path}{query}") for key, path in paths.items()]


def build_routes(
    context: WebContext, phones: PhoneRoutes, owners: OwnerRoutes
) -> list[PricedRoute]:
    """Build all routes, each with what an answer costs at most.

    Sizes are those of the largest evening and the longest game that people play; an owner's file
    has any size.
    """
    paths = _Handlers(context)
    page, words = Price(1000, 20_000, AnswerSource.FILES), Price(1000, 60_000, AnswerSource.FILES)
    small, report = Price(1000, 4000, AnswerSource.REPORT), Price(4000, 30_000, AnswerSource.REPORT)
    replayed = Price(1000, 300_000, AnswerSource.FINISHED, rows=MAX_ROWS)
    # An old game is read from the table at first, one in two seconds.
    old_game = Price(300_000, 200_000, AnswerSource.FINISHED, rows=2000)
    answers: dict[str, tuple[Callable[[Request], Any], Price]] = {
        "/": (paths.board, page),
        "/overlay": (paths.overlay, page),
        "/plain": (paths.plain, report),
        "/phone": (paths.phone, page),
        "/owner": (paths.owner, page),
        "/game": (paths.game, page),
        "/static/{name}": (paths.files.static, page),
        "/words/{language}.phone.json": (paths.phone_words, words),
        "/words/{language}.owner.json": (paths.owner_words, words),
        "/words/{language}.json": (paths.words, words),
        "/api/v1/state": (paths.state, report),
        "/api/v1/history": (paths.history, old_game),
        "/api/v1/night": (paths.night, report),
        "/api/v1/night/games": (paths.night_games, report),
        "/api/v1/address": (paths.address, small),
        "/qr.svg": (paths.address_code, Price(20_000, 4000, AnswerSource.REPORT)),
        "/game.svg": (paths.game_code, replayed),
        "/healthz": (paths.health, small),
        "/metrics": (paths.metrics_text, small),
        "/own/{path:path}": (paths.owner_file, Price(20_000, 20_000, AnswerSource.FILES)),
    }
    routes = [PricedRoute(path, answer, price) for path, (answer, price) in answers.items()]
    stream = EventStream(
        context.feed,
        context.reporter,
        audience_of,
        "too many viewers; ask /api/v1/state now and then",
    )
    shared = PricedRoute(SHARED_PATH, paths.shared, replayed, ("GET", "POST"))
    of_phones = (*phones.routes(), *owners.routes())
    return [*routes, shared, *of_phones, PricedRoute("/events", stream, report)]


class _Handlers:
    """One method per path."""

    def __init__(self, context: WebContext) -> None:
        self._reporter, self._feed, self._folder = context.reporter, context.feed, context.folder
        self._address = context.address
        self.files = PageFiles("scorer.web.pages")
        TEMPLATES.load()
        self._replays = context.replays
        share = WorkShare(_REPLAY_SHARE, _REPLAY_BURST, _REPLAYS_A_SECOND)
        self._replayed = FinishedAnswers(share, _KEPT_BYTES)
        self._finished = FinishedAnswers(WorkShare(_SHARE, _BURST), _KEPT_BYTES)

    async def board(self, request: Request) -> Response:
        return self._page(request, "board.html")

    async def overlay(self, request: Request) -> Response:
        return self._page(request, "overlay.html")

    async def plain(self, request: Request) -> Response:
        language, theme = self._language(request), _theme(request)
        report = self._reporter.report(audience_of(request.query_params))
        html = render_page(report, translator(language), language, theme, request.query_params)
        headers = {"Cache-Control": "no-store", "Content-Type": CONTENT_TYPES[".html"]}
        return Response(html, headers=headers)

    async def phone(self, request: Request) -> Response:
        return self._page(request, "phone.html")

    async def owner(self, request: Request) -> Response:
        return self._page(request, "owner.html")

    async def game(self, request: Request) -> Response:
        return self._page(request, "game.html")

    async def words(self, request: Request) -> Response:
        return self._texts(request, WORDS, "")

    async def phone_words(self, request: Request) -> Response:
        return self._texts(request, PHONE_WORDS, "phone")

    async def owner_words(self, request: Request) -> Response:
        return self._texts(request, OWNER_WORDS, "owner")

    async def state(self, request: Request) -> Response:
        return json_response(self._reporter.report(audience_of(request.query_params)))

    async def history(self, request: Request) -> Response:
        start, limit = _number(request, "from", 1), _number(request, "limit", 200)
        assert start is not None and limit is not None
        story = await self._story(request)
        start, limit = min(start, story.last_seq + 1), min(limit, MAX_ENTRIES)
        games = self._reporter.journal.games()
        revision = (_revision(story), games.first, games.newest)

        async def make() -> CachedFile:
            entries = story.entries_from(start, limit)
            games = self._reporter.journal.games()
            return json_file(
                {
                    "game": story.number,
                    "first": games.first,
                    "newest": games.newest,
                    "names": story.names,
                    "hands": story.hand_scores(),
                    "entries": entries,
                }
            )

        name = ("history", story.number, start, limit)
        return await self._answer(self._finished, request, name, revision, make)

    async def night(self, request: Request) -> Response:
        night = self._reporter.journal.ranking()
        if night is None:
            raise HTTPException(503, "the night has not been read yet", _RETRY_SOON)
        return json_response(night)

    async def night_games(self, request: Request) -> Response:
        return json_response({"games": self._reporter.journal.curves()})

    async def address(self, request: Request) -> Response:
        return json_response({"address": self._address()})

    async def address_code(self, request: Request) -> Response:
        """The address as a QR code; 404 without a network."""
        address = self._address()
        if not address:
            raise HTTPException(404, "the box is in no network")
        headers = {"Cache-Control": "no-store", "Content-Type": CONTENT_TYPES[".svg"]}
        return Response(_address_svg(address), headers=headers)

    async def shared(self, request: Request) -> Response:
        """A game to share: of the table, of the digits of an address, of a posted sheet."""
        if request.method == "POST":
            return await self._opened(request, await self._read_sheet(request))
        digits = request.query_params.get("sheet")
        if digits is not None:
            return await self._opened(request, read_digits(digits))
        story, viewers = await self._story(request), self._viewers(request)
        names = self._names(story)
        revision = (_revision(story), *names.items())
        task = partial(game_task, story, names, viewers)
        return await self._replay(request, (story.number, viewers), revision, task, ".json")

    async def _read_sheet(self, request: Request) -> bytes:
        """The score sheet in the body. Raises HTTPException."""
        why_not = csrf.refusal(request.headers, request.scope["scheme"])
        if why_not is not None:
            raise HTTPException(*why_not)
        try:
            sheet: bytes = json.loads(await request.body())["sheet"].encode()
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError, ClientDisconnect):
            raise HTTPException(400, 'the body is {"sheet": "..."}') from None
        return sheet

    async def game_code(self, request: Request) -> Response:
        """The address of a game as a QR code; 404 without a network or of a long game."""
        address = self._address()
        story = await self._story(request)
        if address:
            names = self._names(story)
            revision = (_revision(story), *names.items())
            task = partial(code_task, story, names, address)
            found = await self._replay(request, (story.number, address), revision, task, ".svg")
            if found.body:
                return found
        raise HTTPException(404, "too long for a code, or the box is in no network")

    async def health(self, request: Request) -> Response:
        status = self._reporter.link.status
        well = status is LinkStatus.ONLINE
        return json_response({"ok": well, "table": status.value}, 200 if well else 503)

    async def metrics_text(self, request: Request) -> Response:
        body = metrics.format_text(metrics.collect(self._feed, self._reporter))
        return Response(
            body, headers={"Content-Type": metrics.CONTENT_TYPE, "Cache-Control": "no-store"}
        )

    async def owner_file(self, request: Request) -> Response:
        response = owner_file_response(self._folder, request.path_params["path"])
        if response is None:
            raise HTTPException(404)
        return response

    async def _opened(self, request: Request, sheet: bytes | SheetFault) -> Response:
        """The game of a sheet that was brought. Raises HTTPException with a sentence."""
        viewers = self._viewers(request)
        if isinstance(sheet, SheetFault) or len(sheet) > MAX_SHEET:
            fault = sheet if isinstance(sheet, SheetFault) else SheetFault.TOO_LARGE
            raise HTTPException(422, translator(viewers.language)(fault))
        task = partial(sheet_task, sheet, viewers)
        return await self._replay(request, (sheet, viewers), None, task, ".json")

    async def _replay(
        self,
        request: Request,
        name: Hashable,
        revision: Hashable,
        task: Callable[[], Task],
        kind: str,
    ) -> Response:
        """The answer of the other process. Raises HTTPException."""

        async def make() -> CachedFile:
            try:
                found = await to_thread(self._replays.ask, task())
            except ReplayFault:
                raise HTTPException(503, "no game can be replayed now", _RETRY_SOON) from None
            if isinstance(found, SheetFault):
                raise HTTPException(422, translator(self._viewers(request).language)(found))
            return cached_file(found, CONTENT_TYPES[kind])

        return await self._answer(self._replayed, request, name, revision, make)

    async def _answer(
        self,
        answers: FinishedAnswers,
        request: Request,
        name: Hashable,
        revision: Hashable,
        make: Make,
    ) -> Response:
        """A finished answer, which no other cache keeps."""
        found = await answers.get(name, revision, client_address(request.scope), make)
        headers = {"Cache-Control": "no-store", "Content-Type": found.content_type}
        return Response(found.body, headers=headers)

    def _viewers(self, request: Request) -> Audience:
        viewers = audience_of(request.query_params)
        return viewers._replace(language=viewers.language or self._reporter.language)

    async def _story(self, request: Request) -> Timeline:
        """The game of the query. Raises HTTPException."""
        try:
            return await self._reporter.past_games.read(_number(request, "game", None))
        except KeyError:
            raise HTTPException(404, "there is no such game") from None
        except TooManyReads as error:
            after = {"Retry-After": str(math.ceil(error.wait)), "Cache-Control": "no-store"}
            raise HTTPException(429, str(error), after) from None
        except (TableUnavailable, ValueError):
            raise HTTPException(503, "the table cannot be asked now", _RETRY_SOON) from None

    def _names(self, story: Timeline) -> dict[str, str]:
        """The names of a game: of the running one as the panels show them."""
        state = self._reporter.link.state
        if state is None or story is not self._reporter.journal.timeline:
            return side_names(story)
        return {**side_names(story), **state.get("names", {})}

    def _page(self, request: Request, name: str) -> Response:
        language, theme = self._language(request), _theme(request)
        return self.files.page(request, name, language=language, theme=theme)

    def _texts(self, request: Request, groups: tuple[str, ...], page: str) -> Response:
        """The texts of a page in one language."""
        language = nearest_language(request.path_params["language"])
        return self.files.texts(request, f"{language} {page}", lambda: page_words(language, groups))

    def _language(self, request: Request) -> str:
        return nearest_language(request.query_params.get("lang") or self._reporter.language)


def _revision(story: Timeline) -> Hashable:
    """What changes with every row of a game, and is of no other game."""
    newest = story.rows[-1] if story.rows else None
    return story.header, len(story.rows), newest


@lru_cache(maxsize=4)
def _address_svg(address: str) -> bytes:
    return qr_svg(address)


def _number(request: Request, name: str, default: int | None) -> int | None:
    """Parse a number of the query; other text gets an error response."""
    text = request.query_params.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) <= 12):
        raise HTTPException(400, f"{name} is a number")
    return int(text)


def _theme(request: Request) -> str:
    theme = request.query_params.get("theme", "")
    return theme if theme in THEMES else THEMES[0]
