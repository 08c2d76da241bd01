"""What the desk prints and saves: paper, tables, the tournament, its games."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Protocol, TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from scorer.hub.evenings import EveningOptions, evening_file
from scorer.hub.hub import Hub
from scorer.hub.page_addresses import HallPage, PageAddresses
from scorer.hub.paper import KINDS, PAPERS, sheets
from scorer.hub.paper.spreadsheets import csv_tables
from scorer.hub.played_matches import games_text, tables_of
from scorer.hub.store.database import Connection
from scorer.hub.tournament_phrases import Phrases
from scorer.hub.tournaments import RunningTournament, Tournaments, events_of
from scorer.hub.wall import Pages
from scorer.season.evening import NamesKind
from scorer.serving.prices import AnswerSource, Price, PricedRoute, Rank
from scorer.tournament import Reader
from scorer.tournament.export import encode
from scorer.tournament.names import plain

FILE_PATH = "/desk/tournament.json"
_STYLE = "/desk/paper/{paper}.css"
_LETTER = ("es-VE",)  # the paper of A4's place there

_MOST_DIGITS = 18  # of the id of a tournament

Require = Callable[[Request], Awaitable[object]]  # raises HTTPException


Found = TypeVar("Found", covariant=True)


class GamesQuery(Protocol[Found]):
    """What is read of a tournament among all."""

    def __call__(
        self, connection: Connection, tournaments: Tournaments, running: RunningTournament
    ) -> Found: ...


class DeskFiles:
    """One method per address; all are GET, and need a login."""

    def __init__(self, hub: Hub, pages: Pages, addresses: PageAddresses, require: Require) -> None:
        """``addresses``: where phones of players open the page of their team."""
        self._hub, self._pages, self._addresses = hub, pages, addresses
        self._require = require

    def routes(self) -> list[PricedRoute]:
        style = Price(1000, 20_000, AnswerSource.FILES, rank=Rank.DESK)
        refused = Price(1000, 4000, AnswerSource.REFUSED, rank=Rank.DESK)
        return [
            PricedRoute(_STYLE, self.style, style),
            PricedRoute("/desk/paper/{kind}", self.paper, refused),
            PricedRoute("/desk/tables/{name}.csv", self.table, refused),
            PricedRoute(FILE_PATH, self.file, refused),
            PricedRoute("/desk/evening/{names}.json", self.evening, refused),
            PricedRoute("/desk/games.truco", self.games, refused),
        ]

    async def style(self, request: Request) -> Response:
        paper = request.path_params["paper"]
        if paper not in PAPERS:
            raise HTTPException(404, f"paper is one of {', '.join(PAPERS)}")
        return Response(sheets.style_sheet(paper), media_type="text/css")

    async def paper(self, request: Request) -> Response:
        """A page for a printer; ``paper`` of the query: its size."""
        running = await self._running(request)
        kind, language = request.path_params["kind"], self._pages.language_of(request)
        paper = request.query_params.get("paper") or ("Letter" if language in _LETTER else "A4")
        if kind not in KINDS or paper not in PAPERS:
            raise HTTPException(404, f"{', '.join(KINDS)} are printed, on {' or '.join(PAPERS)}")
        tables = await self._read(tables_of, running)
        numbers = tuple(box.table for box in self._hub.state.view.boxes)
        phrases = Phrases(Reader(running.state), language)
        printed = sheets.printed_text(phrases, self._hub.state.clock)
        address, name = self._addresses.of(request, HallPage.TEAMS), self._hub.name
        hall = sheets.Hall(tables, numbers, address, name, printed, running.id)
        style = f'<link rel="stylesheet" href="{_STYLE.format(paper=paper)}">\n'
        # In a thread: the posters of 256 teams take seconds.
        body = await asyncio.to_thread(sheets.document, phrases, kind, hall, paper, style)
        return Response(body, media_type="text/html", headers={"Cache-Control": "no-store"})

    async def table(self, request: Request) -> Response:
        running = await self._running(request)
        phrases = Phrases(Reader(running.state), self._pages.language_of(request))
        tables = csv_tables(phrases)
        name = request.path_params["name"]
        if name not in tables:
            raise HTTPException(404, f"the tables are {', '.join(tables)}")
        return _download(tables[name](), "text/csv", f"{file_name(running)}{name}.csv")

    async def file(self, request: Request) -> Response:
        running = await self._running(request)
        events = await self._hub.state.read(partial(events_of, running=running))
        data = encode(running.state.format, events)
        return _download(data, "application/json", f"{file_name(running)}tournament.json")

    async def evening(self, request: Request) -> Response:
        """The signed file of a closed tournament, with its public names or all of them."""
        running = await self._running(request)
        named = request.path_params["names"]
        if named not in list(NamesKind):
            raise HTTPException(404, f"names are {' or '.join(NamesKind)}")
        closed = self._hub.state.tournaments.archive.get(running.id)
        if closed is None:
            raise HTTPException(409, "the tournament is open: it has its file once it is closed")
        options = EveningOptions(self._hub.name, NamesKind(named))

        made = await self._hub.state.read_beside(
            partial(evening_file, closed=closed, options=options)
        )
        return _download(made.data, "application/json", f"{file_name(running)}evening.json")

    async def games(self, request: Request) -> Response:
        running = await self._running(request)
        text = await self._read(games_text, running)
        return _download(text.encode(), "text/plain", f"{file_name(running)}games.truco")

    async def _read(self, query: GamesQuery[Found], running: RunningTournament) -> Found:
        tournaments = self._hub.state.tournaments
        return await self._hub.state.read(partial(query, tournaments=tournaments, running=running))

    async def _running(self, request: Request) -> RunningTournament:
        """The tournament of the query, or the first open one, after login.

        Raises HTTPException.
        """
        await self._require(request)
        wanted = tournament_in(request)
        await self._hub.state.read_closed(wanted)
        found = self._hub.state.tournament(wanted)
        if found is None:
            raise HTTPException(404, "there is no such tournament")
        return found


def tournament_in(request: Request) -> int:
    """The tournament that ``t`` of the query names; 0 without it."""
    named = request.query_params.get("t", "")
    return int(named) if named.isascii() and named.isdecimal() and len(named) < _MOST_DIGITS else 0


def file_name(running: RunningTournament) -> str:
    """The begin of the name of a saved file: the day and name of its tournament."""
    date, *texts = running.state.names.date, running.state.names.name, running.state.names.category
    words = "-".join(re.findall(r"[a-z0-9]+", plain(" ".join(texts))))
    named = "-".join(filter(None, (date, words)))
    return f"{named}-" if named else ""


def _download(data: bytes, media_type: str, name: str) -> Response:
    headers = {
        "Content-Disposition": f'attachment; filename="{name}"',
        "Cache-Control": "no-store",
    }
    return Response(data, media_type=media_type, headers=headers)
