"""The services that strangers reach, and what an answer costs.

The work of an answer is counted in calls of Python functions, which are the same on every machine.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from starlette.applications import Starlette
from starlette.datastructures import QueryParams
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp
from starlette.types import Message as AsgiMessage

from scorer.api.error_codes import ErrorCode
from scorer.api.table_source import Message
from scorer.hub.hub import Hub, random_hex
from scorer.hub.identity import load_identity
from scorer.hub.page_addresses import PageAddresses
from scorer.hub.server import build_routes as hub_routes
from scorer.hub.store.database import Database, sqlite_url
from scorer.hub.tournaments import TournamentDesk, Tournaments
from scorer.hub.wall import Pages, WallReporter
from scorer.rules import state_document
from scorer.serving.broadcaster import Broadcaster
from scorer.serving.finished import WorkShare
from scorer.serving.json_responses import error_response
from scorer.serving.prices import PricedRoute
from scorer.table_link import TableLink
from scorer.tournament.events import NameTournament, StartPhase
from scorer.web.app import WebContext, build_routes
from scorer.web.audience import Audience
from scorer.web.owner import OwnerRoutes
from scorer.web.phone import PhoneRoutes
from scorer.web.replay_process import ReplayProcess, Task, answer
from scorer.web.shared_game import SheetFault
from scorer.web.snapshot import Reporter
from scorer.web.timeline import Timeline, parse_row
from tests.hub.boxes import DIRECTOR, Hall, SetClock
from tests.tournament.play import Played, built_in, coin
from tests.web.fake_reports import LAMPS
from tools.bench.web import HEADER, row

TABLES, OPEN, TEAMS, CLOSED, CLOSED_TEAMS = 64, 3, 128, 6, 16  # of the hall
GAMES, ROWS, LONG_ROWS = 8, 400, 1700  # of the evening: of each game, and of the first one
WEB, WALL, BOXES = "web", "wall", "boxes"  # ports
_SECRETS = {
    "authorization": f"Bearer {'0' * 32}",
    "cookie": f"truco={'0' * 8}.{'0' * 32}; __Host-truco-desk={'0' * 32}",
}
_HEADERS = {
    "host": "localhost", "x-truco": "1", "content-type": "application/json",
    "accept-encoding": "gzip", **_SECRETS,
}  # fmt: skip


class Cost(NamedTuple):
    """What one answer cost.

    ``replayed``: calls in the process that replays; ``looked``: the parameters of the query that
    were read.
    """

    status: int
    calls: int
    replayed: int
    size: int
    looked: frozenset[str]


class Calls:
    """Counts the calls of Python functions in this thread."""

    def __init__(self) -> None:
        self.count = 0

    def __enter__(self) -> Calls:
        self._before = sys.getprofile()
        sys.setprofile(self._note)
        return self

    def __exit__(self, *error: object) -> None:
        sys.setprofile(self._before)

    def _note(self, frame: object, event: str, argument: object) -> None:
        self.count += event == "call"


class _ReplaysHere(ReplayProcess):
    """Does in this process what the other one does, and counts its calls."""

    def __init__(self) -> None:
        super().__init__()
        self.calls = 0

    def ask(self, task: Task) -> bytes | SheetFault:
        with Calls() as calls:
            found = answer(task)
        self.calls += calls.count
        return found


class Service:
    """The routes of one port.

    ``ask``: a request of a stranger who has asked for nothing yet; ``found``: values for the
    parameters of paths that only this service knows.
    """

    def __init__(
        self,
        routes: list[PricedRoute],
        runner: asyncio.Runner,
        replays: _ReplaysHere,
        found: Mapping[str, list[str]],
    ) -> None:
        self.routes, self.found = routes, found
        self._runner, self._replays = runner, replays
        self._app: ASGIApp = Starlette(
            routes=[*routes], exception_handlers={HTTPException: error_response}
        )
        self._addresses = count(1)

    def ask(
        self, method: str, target: str, body: bytes = b"", *, is_compressed: bool = True
    ) -> Cost:
        """The cost of a request whose share does not make it wait."""
        path, _, query = target.partition("?")
        number = next(self._addresses)
        scope = {
            "type": "http", "method": method, "path": path, "query_string": query.encode(),
            "headers": [
                (name.encode(), value.encode())
                for name, value in _HEADERS.items()
                if is_compressed or name != "accept-encoding"
            ],
            "server": ("127.0.0.1", 80), "scheme": "http", "http_version": "1.1",
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "client": (f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}", 5),
        }  # fmt: skip
        looked = set[str]()
        with patch.object(WorkShare, "wait", lambda share: 0.0), _looked_up(looked):
            return self._runner.run(self._cost(scope, body, looked))

    async def _cost(self, scope: dict[str, Any], body: bytes, looked: set[str]) -> Cost:
        status, size, sent = 0, 0, [body]

        async def receive() -> AsgiMessage:
            if sent:
                return {"type": "http.request", "body": sent.pop()}
            return {"type": "http.disconnect"}

        async def send(message: AsgiMessage) -> None:
            nonlocal status, size
            status = message.get("status", status)
            size += len(message.get("body", b""))

        before = self._replays.calls
        with Calls() as calls:
            await self._app(scope, receive, send)
        return Cost(status, calls.count, self._replays.calls - before, size, frozenset(looked))


@contextmanager
def _looked_up(names: set[str]) -> Iterator[None]:
    """Note which parameters of a query are read."""
    get, has, item = QueryParams.get, QueryParams.__contains__, QueryParams.__getitem__

    def noted(found: Callable[..., Any]) -> Callable[..., Any]:
        def look(query: QueryParams, name: str, *more: Any) -> Any:  # noqa: ANN401
            names.add(name)
            return found(query, name, *more)

        return look

    with (
        patch.object(QueryParams, "get", noted(get)),
        patch.object(QueryParams, "__contains__", noted(has)),
        patch.object(QueryParams, "__getitem__", noted(item)),
    ):
        yield


class _Evening(TableLink):
    """A table with some long games."""

    def __init__(self) -> None:
        super().__init__(Path("/none"))
        self.greetings = 1
        story = Timeline(GAMES, HEADER)
        story.add_rows([parse_row(each) for each in _rows(ROWS)])
        game = state_document(story.game)
        names = {"A": "Los Pibes", "B": "La Yunta"}
        more = {"seq": ROWS, "number": ROWS, "names": names, "lamps": LAMPS, "match": None}
        self.state = {**game, **more}
        self._is_online = True

    async def request(self, **fields: object) -> Message:
        if fields.get("do") != "game":
            return {"ok": False, "error": ErrorCode.UNPAIRED, "text": "this phone is not paired"}
        number, start = fields.get("number", GAMES), fields["from"]
        assert isinstance(number, int) and isinstance(start, int)
        length = LONG_ROWS if number == 1 else ROWS
        told = _rows(length, is_over=number < GAMES)
        rows = [each for each in told if each["seq"] >= start]
        known = {"running": GAMES, "first": 1, "newest": GAMES, "language": "es-AR"}
        return {"ok": True, "header": HEADER, "rows": rows, "seq": length, **known}


def _rows(number: int, *, is_over: bool = False) -> list[dict[str, Any]]:
    """Rows of a game; if it is over, side A has won it by the last ones."""
    lines = ["A truco", "- undo"] * (number // 2)
    if is_over:
        lines[-10:] = ["A award 3"] * 10
    return [row(seq, line) for seq, line in enumerate(lines, 1)]


@contextmanager
def served() -> Iterator[dict[str, Service]]:
    """The services by port: a table's evening, and a hall of tournaments."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        runner = stack.enter_context(asyncio.Runner())
        feed = Broadcaster[Audience](10)
        reporter = Reporter(_Evening(), feed, "es-AR")
        runner.run(_read_evening(reporter))
        (folder / "index.html").write_text("x" * 10_000)
        replays = _ReplaysHere()
        context = WebContext(reporter, feed, frozenset({"localhost"}), folder, replays)
        context = context._replace(address=lambda: "http://192.168.100.200:8080/")
        web = build_routes(
            context, PhoneRoutes(reporter, reporter.link), OwnerRoutes(reporter.link)
        )
        database = stack.enter_context(closing(Database.open(sqlite_url(folder / "hub.sqlite"))))
        hub = _hall(database)
        runner.run(hub.load())
        stack.callback(hub.state.thread.close)
        stack.callback(hub.closed.close)
        wall_feed = Broadcaster[str](10)
        made = hub_routes(
            hub, wall_feed, WallReporter(hub, wall_feed), Pages("es-AR"), PageAddresses(80, 443)
        )
        known = hub.state.tournaments
        ids = {"tournament": [str(each) for each in (*known.archive, *known.by_id)]}
        yield {
            WEB: Service(web, runner, replays, {"path": ["index.html"]}),
            WALL: Service(made.wall, runner, replays, ids),
            BOXES: Service(made.boxes, runner, replays, ids),
        }


async def _read_evening(reporter: Reporter) -> None:
    await reporter.journal.catch_up()
    while await reporter.journal.read_next_result():
        continue
    reporter._publish()


def _hall(database: Database) -> Hub:
    hall = Hall(database)
    for table in range(1, TABLES + 1):
        hall.join(f"{table:032x}", table)
    with database.write() as connection:
        identity = load_identity(connection, random_hex)
    for number in range(CLOSED + OPEN):
        is_closed = number < CLOSED  # before the others begin
        teams = CLOSED_TEAMS if is_closed else TEAMS
        played = played_tournament(number, teams, is_closed=is_closed)
        with database.write() as connection:
            desk = TournamentDesk(connection, SetClock(), DIRECTOR, Tournaments())
            tournament = desk.begin(played.state.format, played.log)
            if is_closed:
                TournamentDesk(connection, SetClock(), DIRECTOR, Tournaments(), tournament).close()
    return Hub(database, identity, SetClock())


def played_tournament(number: int, teams: int, *, is_closed: bool) -> Played:
    """A tournament that is over, or in its first phase."""
    played = Played(built_in("zones_and_bracket"), teams).draw()
    played.do(NameTournament(f"Copa {number}", "2026-11-28"))
    if is_closed:
        played.play(coin(number))
    else:
        phase = played.state.format.phases[0].id
        played.do(StartPhase(phase))
        played.play_open(phase, coin(number))
    return played
