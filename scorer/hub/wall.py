"""The wall: the scores of all tables as a page and a stream."""

from __future__ import annotations

import asyncio
import gzip
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from contextlib import suppress
from functools import partial

from starlette.requests import Request
from starlette.responses import Response

from scorer import __version__
from scorer.hub.drawn.fragment import TEMPLATES
from scorer.hub.drawn.tables import DrawnWall
from scorer.hub.hub import Hub
from scorer.hub.pages import DESK_WORDS, WALL_WORDS
from scorer.hub.plain import FIELDS as PLAIN_FIELDS
from scorer.hub.plain import plain_hall
from scorer.hub.state import Json
from scorer.hub.troubles import TroubleKind, trouble_line
from scorer.i18n import nearest_language, reader_language, sentences, translator
from scorer.serving import plain_page
from scorer.serving.broadcaster import Broadcaster
from scorer.serving.events import EventStream, encode_event
from scorer.serving.finished import FinishedAnswers, WorkShare
from scorer.serving.json_responses import json_file, json_response
from scorer.serving.middleware import client_address
from scorer.serving.page_files import PageFiles
from scorer.serving.prices import AnswerSource, Price, PricedRoute, Rank
from scorer.serving.static_files import CONTENT_TYPES, CachedFile, cached_file, file_response

_PACE = 0.5  # seconds between two reports
_LEVEL = 5  # of gzip: little is gained above
# What visitors make the hub compute: a tenth of one processor.
_SHARE, _BURST = 0.1, 0.5
_KEPT_BYTES, _MOST_PACKED = 12_000_000, 64  # of documents, and of compressed ones
_STALE_SECONDS = 5.0
_HEARTBEAT = 5.0  # seconds; pages take 12 s of silence for the end of a stream


class PublicFile:
    """Public documents as bytes, made and compressed once for each change of the hub.

    Between two changes only time passes: a box falls silent, so it is made anew each second. While
    visitors ask for more than their share of the processor, a document is some seconds old.
    """

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._answers = FinishedAnswers(WorkShare(_SHARE, _BURST), _KEPT_BYTES, _STALE_SECONDS)
        self._packed: OrderedDict[str, bytes] = OrderedDict()  # by tag

    async def response(
        self, request: Request, name: Hashable, make: Callable[[], Json]
    ) -> Response:
        """The newest document of this name, such as a language; 304 if the client has it."""
        now = (self._hub.state.changed.count, int(time.monotonic()))
        return await self.file(request, name, now, lambda: json_file(make()))

    async def file(
        self, request: Request, name: Hashable, revision: Hashable, make: Callable[[], CachedFile]
    ) -> Response:
        """The file of this name and revision. Raises HTTPException 429."""

        async def made() -> CachedFile:
            return make()

        address = client_address(request.scope)
        return self.finished(request, await self._answers.get(name, revision, address, made))

    def finished(self, request: Request, file: CachedFile) -> Response:
        """A file that is made already."""
        known, accepted = (
            request.headers.get(each) for each in ("if-none-match", "accept-encoding")
        )
        compress = partial(self._compressed, file.etag)
        return file_response(file, known, accepted or "", compress)

    def _compressed(self, tag: str, body: bytes) -> bytes:
        if tag not in self._packed:
            self._packed[tag] = gzip.compress(body, _LEVEL, mtime=0)
            while len(self._packed) > _MOST_PACKED:
                self._packed.popitem(last=False)
        return self._packed[tag]


class WallReporter:
    """Draws the wall in the languages of its viewers, and sends what changes."""

    def __init__(self, hub: Hub, feed: Broadcaster[str]) -> None:
        self._hub, self._feed = hub, feed
        self._document: Json | None = None  # what viewers have; None without viewers
        self._walls: dict[str, DrawnWall] = {}  # of that document, by language
        self._frames: dict[str, bytes] = {}  # the whole of each, once for all who come
        self._rev = 0
        self._beat_at = 0.0  # when viewers were sent anything last

    @property
    def id(self) -> str:
        """The id of the newest report; another process never gives the same."""
        return f"{self._hub.identity.pin[:8]}-{id(self):x}-{self._rev}"

    def newest(self, language: str) -> bytes:
        """The whole wall as an event; who comes now gets each later change of it."""
        if self._document is None:
            self._document = self._hub.wall_document()
        if language not in self._walls:
            self._walls[language] = DrawnWall(translator(language))
            self._walls[language].update(self._document)
        if language not in self._frames:
            self._frames[language] = self._frame(self._walls[language].whole())
        return self._frames[language]

    def heartbeat(self) -> bytes:
        return encode_event("beat", {"id": self.id})

    async def run(self) -> None:
        """Send every change, at most twice a second."""
        while True:
            # Until something changed, a box falls silent, or viewers need a heartbeat.
            now = time.monotonic()
            silent = self._hub.state.presence.silent_at(now)
            waits = [silent - now] if silent is not None else []
            waits += [_HEARTBEAT] if self._feed.viewer_count else []
            with suppress(TimeoutError):
                await asyncio.wait_for(self._hub.state.changed.wait(), min(waits, default=None))
            self._hub.state.changed.clear()
            if self._send_change():
                await asyncio.sleep(_PACE)

    def _send_change(self) -> bool:
        """Send what is shown otherwise now; False: nothing is."""
        now, spoken = time.monotonic(), self._feed.audiences
        self._walls = {each: wall for each, wall in self._walls.items() if each in spoken}
        if not spoken:
            # Nothing is compared: a viewer that comes back may have missed something.
            self._document, self._frames, self._rev = None, {}, self._rev + 1
            return False
        self._document = document = self._hub.wall_document()
        changes = {each: wall.update(document) for each, wall in self._walls.items()}
        if not any(changes.values()):
            if now >= self._beat_at + _HEARTBEAT / 2:
                self._beat_at = now
                self._feed.send_heartbeat(self.heartbeat())
            return False
        self._beat_at, self._frames, self._rev = now, {}, self._rev + 1

        def frame_for(language: str) -> bytes:
            # One that said by its header that it has the newest wall may never have had it.
            if language not in changes:
                return self.newest(language)
            return self._frame(changes[language])

        self._feed.publish(frame_for, self.newest)
        return True

    def _frame(self, shown: Json) -> bytes:
        return encode_event("hall", {**shown, "id": self.id}, self.id)


class Pages:
    """The pages of the hub and their words."""

    def __init__(self, language: str) -> None:
        """``language``: of the hall."""
        self._language = language
        self._files = PageFiles("scorer.hub.pages")
        TEMPLATES.load()
        self.static = self._files.static

    def page(self, request: Request, name: str) -> Response:
        """The page ``name``, such as "wall", in the language of the query or the hall."""
        return self._files.page(
            request, f"{name}.html", **self._fields(name, self.language_of(request))
        )

    def file(self, template: str, name: str, language: str, **fields: object) -> CachedFile:
        """A page made of a template and these fields; style and script are ``name``."""
        return self._files.filled(template, **self._fields(name, language), **fields)

    def _fields(self, name: str, language: str) -> dict[str, object]:
        say = translator(language)
        return {"name": name, "language": language, "version": __version__, "say": say}

    def reader_language(self, request: Request) -> str:
        """The language of the query, of the browser, or of the hall."""
        accepted = request.headers.get("accept-language", "")
        return reader_language(request.query_params.get("lang", ""), accepted, self._language)

    def language_of(self, request: Request) -> str:
        """The language of the query or the hall."""
        return self.language(request.query_params.get("lang", ""))

    def language(self, wanted: str) -> str:
        """The nearest language with a catalogue; that of the hall for ""."""
        return nearest_language(wanted or self._language)

    async def wall_words(self, request: Request) -> Response:
        return self._words(request, WALL_WORDS, "wall")

    async def desk_words(self, request: Request) -> Response:
        return self._words(request, DESK_WORDS, "desk")

    def _words(self, request: Request, groups: tuple[str, ...], name: str) -> Response:
        language = nearest_language(request.path_params["language"])
        return self._files.texts(
            request, f"{language} {name}", lambda: sentences(language, *groups)
        )


def wall_routes(
    hub: Hub, feed: Broadcaster[str], reporter: WallReporter, pages: Pages, public: PublicFile
) -> list[PricedRoute]:
    """The routes for viewers; all are GET.

    Sizes are those of a hall of 64 tables.
    """

    async def wall(request: Request) -> Response:
        return pages.page(request, "wall")

    async def document(request: Request) -> Response:
        return await public.response(request, "hall", hub.wall_document)

    async def drawn(request: Request) -> Response:
        """The whole wall for pages without a stream."""
        language = pages.language_of(request)

        def make() -> Json:
            wall = DrawnWall(translator(language))
            return wall.update(hub.wall_document())

        return await public.response(request, ("drawn", language), make)

    async def plain(request: Request) -> Response:
        language, query = pages.language_of(request), request.query_params

        def make() -> CachedFile:
            html = plain_hall(hub.wall_document(), translator(language), language, query)
            return cached_file(html.encode(), CONTENT_TYPES[".html"])

        shown = tuple((name, query[name]) for name in PLAIN_FIELDS if name in query)
        now = (hub.state.changed.count, int(time.monotonic()))
        response = await public.file(request, ("plain", language, shown), now, make)
        response.headers["Cache-Control"] = "no-store"
        return response

    async def health(request: Request) -> Response:
        """Whether the hub can store; it works without boxes or copies, and says so."""
        say, troubles = translator(pages.language_of(request)), await hub.troubles(Rank.VISITORS)
        lines = [trouble_line(each, say) for each in troubles]
        for each in troubles:
            if each.kind is TroubleKind.STORE:
                return json_response({"ok": False, "problem": each.detail, "lines": lines}, 503)
        return json_response({"ok": True, "lines": lines})

    def audience_of(query: Mapping[str, str]) -> str:
        return pages.language(query.get("lang", ""))

    stream = EventStream(
        feed, reporter, audience_of, "too many viewers; ask /drawn/hall", compresses=True
    )
    page, words = Price(1000, 20_000, AnswerSource.FILES), Price(1000, 60_000, AnswerSource.FILES)
    hall = Price(20_000, 40_000, AnswerSource.FINISHED)
    return [
        PricedRoute("/", wall, page),
        PricedRoute(plain_page.PATH, plain, hall),
        PricedRoute("/static/{name}", pages.static, page),
        PricedRoute("/words/{language}.json", pages.wall_words, words),
        PricedRoute("/api/v1/hall", document, hall),
        PricedRoute("/drawn/hall", drawn, Price(60_000, 60_000, AnswerSource.FINISHED)),
        PricedRoute("/healthz", health, Price(1000, 4000, AnswerSource.REPORT)),
        PricedRoute("/events", stream, Price(60_000, 60_000, AnswerSource.FINISHED)),
    ]
