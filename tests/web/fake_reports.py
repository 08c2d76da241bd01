"""Reports made from score lines by the rules, and a server that publishes them.

The server does exactly what a test tells it: streams that stop, a table that goes, late answers. It
serves the real files of the pages.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from scorer.i18n import sentences, translator
from scorer.rules import (
    Start,
    find_variant,
    header_text,
    new_game,
    rules_for,
    state_document,
    tags_of,
)
from scorer.rules.actions import Side
from scorer.rules.model import HandKind
from scorer.serving import static_files
from scorer.serving.qr_svg import qr_svg
from scorer.session.values.settings import Tally
from scorer.session.view.state_view import shown_game
from scorer.web.audience import DEFAULT_AUDIENCE, Audience, audience_of
from scorer.web.pages import WORDS
from scorer.web.pages.plain import render_page
from scorer.web.report import board_document, shown_view
from scorer.web.report_phrases import report_phrases, viewer_scene
from scorer.web.timeline import Timeline, TimelineRow

Report = dict[str, Any]

CSP = "default-src 'self'; frame-ancestors 'none'"
LAMPS = {"A": "yellow", "B": "sky_blue"}
PAGES_BY_PATH = {"/": "board.html", "/overlay": "overlay.html", "/game": "game.html"}
NOW = 1795280820.0  # 21 November 2026, 21:07 in Buenos Aires


def report(
    variant: str = "argentine",
    lines: Sequence[str] = (),
    *,
    score: Sequence[int] = (),
    names: Sequence[str] = ("Los Pibes", "La Yunta", "Los Tauras"),
    mano: str = "A",
    kind: HandKind | None = None,
    night: object = None,
    rematches: tuple[int, ...] | None = None,
    offers: str = "",
    is_next_hand_shown: bool = False,
    rule_change: Report | None = None,
    tally: Tally = Tally.FIVES,
    **options: str | int | bool,
) -> Report:
    """The report after ``lines`` (each a press) of a game that began at ``score``."""
    rules = rules_for(find_variant(variant), options)
    first = Side(mano) if mano != "A" else None
    start = Start(rules, tuple(score) or None, first, kind=kind, rematches=rematches)
    game = new_game(start)
    called = (
        dict(zip(rules.scoring_sides, names[: len(rules.scoring_sides)], strict=True))
        if names
        else {}
    )
    story = Timeline(1, header_text(tags_of(game, called)))
    story.add_rows([_row(number, line) for number, line in enumerate(lines, 1)])
    named = {side.value: called.get(side, "") for side in rules.scoring_sides}
    document = {
        **state_document(story.game),
        "seq": len(lines),
        "number": len(lines),
        "names": named,
        "lamps": LAMPS,
        "tally": tally.points_a_shape(rules.target, rules.half),
        "match": None,
        **({"next_game": offers} if offers else {}),
        **({"is_next_hand_shown": True} if is_next_hand_shown else {}),
        **({"rule_change": rule_change} if rule_change else {}),
    }
    shown = shown_game(story.game, document)
    told = {
        "epoch": "test",
        "rev": 1 + len(lines),
        "id": f"test-{1 + len(lines)}",
        "at": NOW,
        "since": None,
        "table": "here",
        "device": "truco",
        "language": "es-AR",
        "state": document,
        "board": board_document(shown, shown_view(shown, document)),
        "hands": story.hand_scores(),
        "recent": [dict(entry) for entry in story.entries[-3:]],
        "night": night or {"games": 0, "longest": 0, "rows": []},
    }
    made: Report = json.loads(json.dumps(told))
    return {**made, "game": shown}


def viewed(told: Report, viewers: Audience = DEFAULT_AUDIENCE) -> Report:
    """A report with the phrases of these viewers, as the server sends it."""
    sent = {key: value for key, value in told.items() if key != "game"}
    if told["state"] is None or told["board"] is None:
        return {**sent, "phrases": None}
    language = viewers.language or told["language"]
    view = shown_view(told["game"], told["state"])
    scene = viewer_scene(view, translator(language), viewers.first)
    return {**sent, "phrases": {"language": language, **report_phrases(scene, told)}}


def to_all(frame: bytes) -> Callable[[Audience], bytes]:
    """The same frame for every audience."""
    return lambda _: frame


def _row(number: int, line: str) -> TimelineRow:
    minute = 40 + number // 2
    wall = f"2026-11-21T{23 + minute // 60 - 24 * (minute >= 60):02d}:{minute % 60:02d}:00+00:00"
    return TimelineRow(number, number, line, "A", "boot", 1000 * number, wall, True)


def offline_report(earlier: Report, seconds: float) -> Report:
    """The same table, offline for ``seconds``."""
    rev = earlier["rev"] + 1
    return {
        **earlier,
        "rev": rev,
        "id": f"{earlier['epoch']}-{rev}",
        "table": "gone",
        "since": earlier["at"] - seconds,
    }


class Server:
    """Tells every viewer ``report``. ``full``: it has no room for streams."""

    def __init__(self) -> None:
        self.report: Report = report()
        self.full = False
        self.silent = False  # takes what is asked and never answers
        self.requested: list[str] = []
        self.documents: dict[str, object] = {}  # by path, for programs
        self._changed = threading.Condition()
        self._version = 0
        self._cuts = 0
        owner = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.0"

            def do_GET(self) -> None:
                owner.answer(self)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._http.server_port}"
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    def publish(self, new_report: Report) -> None:
        """A new report for everybody who looks on."""
        with self._changed:
            self.report = new_report
            self._version += 1
            self._changed.notify_all()

    def end_streams(self) -> None:
        with self._changed:
            self._cuts += 1
            self._changed.notify_all()

    def close(self) -> None:
        self.end_streams()
        self._http.shutdown()
        self._http.server_close()

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        parts = urlsplit(handler.path)
        self.requested.append(parts.path)
        asked = {key: values[0] for key, values in parse_qs(parts.query).items()}
        viewers = audience_of(asked)
        language = viewers.language or self.report["language"]
        theme = asked.get("theme", "auto")
        if parts.path == "/events":
            self._stream(handler, viewers)
        elif self.silent:
            handler.close_connection = True
        elif parts.path == "/api/v1/state":
            _send(handler, json.dumps(viewed(self.report, viewers)).encode(), "application/json")
        elif parts.path.startswith("/words/"):
            language = parts.path.removeprefix("/words/").removesuffix(".json")
            said = sentences(language, *WORDS)
            _send(handler, json.dumps(said).encode(), "application/json")
        elif parts.path in self.documents:
            _send(handler, json.dumps(self.documents[parts.path]).encode(), "application/json")
        elif parts.path == "/game.svg":
            _send(handler, qr_svg(f"{self.address}/game#", "9" * 1300), "image/svg+xml")
        elif parts.path == "/qr.svg":
            _send(handler, qr_svg(self.address), static_files.CONTENT_TYPES[".svg"])
        elif parts.path == "/plain":
            told = viewed(self.report, viewers)
            html = render_page(told, translator(language), language, theme, asked)
            _send(handler, html.encode(), static_files.CONTENT_TYPES[".html"])
        else:
            self._file(handler, parts.path, language, theme)

    def _file(self, handler: BaseHTTPRequestHandler, path: str, language: str, theme: str) -> None:
        own = static_files.page_files("scorer.web.pages")
        name = PAGES_BY_PATH.get(path, path.rpartition("/")[2])
        if name not in own:
            handler.send_error(404)
            return
        body = own[name].body.replace(b"{{language}}", language.encode())
        _send(handler, body.replace(b"{{theme}}", theme.encode()), own[name].content_type)

    def _stream(self, handler: BaseHTTPRequestHandler, viewers: Audience) -> None:
        if self.full or self.silent:
            handler.send_error(503)
            return
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.end_headers()
        try:
            self._send_reports(handler, viewers)
        except OSError:
            handler.close_connection = True

    def _send_reports(self, handler: BaseHTTPRequestHandler, viewers: Audience) -> None:
        cut, said = self._cuts, -1
        while self._cuts == cut:
            if said != self._version:
                said = self._version
                data = json.dumps(viewed(self.report, viewers))
                event = "gone" if self.report["table"] == "gone" else "state"
                handler.wfile.write(f"event: {event}\ndata: {data}\n\n".encode())
                handler.wfile.flush()
            with self._changed:
                if (self._version, self._cuts) == (said, cut):
                    self._changed.wait(0.5)


def _send(handler: BaseHTTPRequestHandler, body: bytes, kind: str) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", kind)
    handler.send_header("Content-Length", str(len(body)))
    handler.send_header("Content-Security-Policy", CSP)
    handler.end_headers()
    handler.wfile.write(body)


@contextmanager
def serving() -> Iterator[Server]:
    """A server for as long as it is needed."""
    server = Server()
    try:
        yield server
    finally:
        server.close()
