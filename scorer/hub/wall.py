"""The wall: the scores of all tables as a page and a stream."""

from __future__ import annotations

import asyncio
import gzip
import time
from collections.abc import Callable, Mapping

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from scorer import __version__
from scorer.hub.hub import Hub
from scorer.hub.pages import DESK_WORDS, WALL_WORDS
from scorer.hub.plain import plain_hall
from scorer.hub.state import Json
from scorer.hub.troubles import TroubleKind, trouble_line
from scorer.i18n import nearest_language, reader_language, sentences, translator
from scorer.serving import plain_page
from scorer.serving.broadcaster import Broadcaster
from scorer.serving.events import EventStream, encode_event
from scorer.serving.json_responses import json_file, json_response
from scorer.serving.page_files import PageFiles
from scorer.serving.static_files import CONTENT_TYPES, CachedFile, file_response

_VIEWERS = ("wall", "tv", "team")  # pages with a plain one for browsers without scripts
_PACE = 0.1  # seconds between two reports
_LEVEL = 5  # of gzip: little is gained above
_HEARTBEAT = 5.0  # seconds; pages take 12 s of silence for the end of a stream


class PublicFile:
    """A public document as bytes, made and compressed once for each change of the hub.

    Between two changes only time passes: a box falls silent, so it is made anew each second.
    """

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._now = (0, 0)  # changes of the hub; seconds
        self._made: dict[object, CachedFile] = {}  # of now, by name
        self._packed: dict[bytes, bytes] = {}  # of now, by what is compressed

    def response(self, request: Request, name: object, make: Callable[[], Json]) -> Response:
        """The newest document of this name, such as a language; 304 if the client has it."""
        now = (self._hub.state.changed.count, int(time.monotonic()))
        if now != self._now:
            self._now = now
            self._made.clear()
            self._packed.clear()
        if name not in self._made:
            self._made[name] = json_file(make())
        known, accepted = (
            request.headers.get(each) for each in ("if-none-match", "accept-encoding")
        )
        return file_response(self._made[name], known, accepted or "", self._compressed)

    def _compressed(self, body: bytes) -> bytes:
        if body not in self._packed:
            self._packed[body] = gzip.compress(body, _LEVEL, mtime=0)
        return self._packed[body]


class WallReporter:
    """Makes the reports of the wall, and sends them as it changes."""

    def __init__(self, hub: Hub, feed: Broadcaster[str]) -> None:
        self._hub, self._feed = hub, feed
        self._document: Json | None = None  # of the newest report; None without viewers
        self._rev = 0

    @property
    def id(self) -> str:
        """The id of the newest report; another process never gives the same."""
        return f"{self._hub.identity.pin[:8]}-{id(self):x}-{self._rev}"

    def newest(self, viewers: str) -> bytes:
        document = self._hub.wall_document()
        return encode_event("hall", document, self.id)

    def heartbeat(self) -> bytes:
        return encode_event("beat", {"id": self.id})

    async def run(self) -> None:
        """Send every change, at most ten a second."""
        while True:
            await self._wait_for_change()
            self._hub.state.changed.clear()
            document = self._hub.wall_document() if self._feed.viewer_count else None
            if document is not None and document == self._document:
                self._feed.send_heartbeat(self.heartbeat())
                continue
            # Without viewers nothing is compared: one that comes back may have missed something.
            self._document = document
            self._rev += 1
            self._feed.publish(self.newest)
            await asyncio.sleep(_PACE)

    async def _wait_for_change(self) -> None:
        """Until something changed, a box falls silent, or viewers need a heartbeat."""
        now = time.monotonic()
        silent = self._hub.state.presence.silent_at(now)
        waits = [silent - now] if silent is not None else []
        waits += [_HEARTBEAT] if self._feed.viewer_count else []
        try:
            await asyncio.wait_for(self._hub.state.changed.wait(), min(waits, default=None))
        except TimeoutError:
            return


class Pages:
    """The pages of the hub and their words."""

    def __init__(self, language: str) -> None:
        """``language``: of the hall."""
        self._language = language
        self._files = PageFiles("scorer.hub.pages")
        self.static = self._files.static

    def page(self, request: Request, name: str) -> Response:
        """The page ``name``, such as "wall", in the language of the query or the hall."""
        return self.shown(
            request, name, self.language_of(request), self._files.text(f"{name}.html")
        )

    def shown(
        self, request: Request, name: str, language: str, body: str, title: str = "Truco"
    ) -> Response:
        """A page with this ``body`` and ``title``; style and script are ``name``."""
        fields = {
            "head": self._files.text("plain_head.html") if name in _VIEWERS else "",
            "language": language,
            "version": __version__,
            "title": title,
            "name": name,
            "body": body,
        }
        return self._files.page(request, "page.html", **fields)

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
    hub: Hub, feed: Broadcaster[str], reporter: WallReporter, pages: Pages
) -> list[Route]:
    """The routes for viewers; all are GET."""

    async def wall(request: Request) -> Response:
        return pages.page(request, "wall")

    newest = PublicFile(hub)

    async def document(request: Request) -> Response:
        return newest.response(request, "", hub.wall_document)

    async def plain(request: Request) -> Response:
        language, query = pages.language_of(request), request.query_params
        html = plain_hall(hub.wall_document(), translator(language), language, query)
        headers = {"Cache-Control": "no-store", "Content-Type": CONTENT_TYPES[".html"]}
        return Response(html, headers=headers)

    async def health(request: Request) -> Response:
        """Whether the hub can store; it works without boxes or copies, and says so."""
        say, troubles = translator(pages.language_of(request)), await hub.troubles()
        lines = [trouble_line(each, say) for each in troubles]
        for each in troubles:
            if each.kind is TroubleKind.STORE:
                return json_response({"ok": False, "problem": each.detail, "lines": lines}, 503)
        return json_response({"ok": True, "lines": lines})

    stream = EventStream(feed, reporter, _audience_of, "too many viewers; ask /api/v1/hall")
    return [
        Route("/", wall, methods=["GET"]),
        Route(plain_page.PATH, plain, methods=["GET"]),
        Route("/static/{name}", pages.static, methods=["GET"]),
        Route("/words/{language}.json", pages.wall_words, methods=["GET"]),
        Route("/api/v1/hall", document, methods=["GET"]),
        Route("/healthz", health, methods=["GET"]),
        Route("/events", stream, methods=["GET"]),
    ]


def _audience_of(query: Mapping[str, str]) -> str:
    """All viewers get the same numbers; the page has the words."""
    return ""
