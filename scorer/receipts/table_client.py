"""Blocking client that reads games from the table's socket.

See docs/reference/socket.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from scorer.api.error_codes import ErrorCode
from scorer.api.server import Client
from scorer.config import time_zone
from scorer.receipts.night_slip import PlayedEvening
from scorer.receipts.played_game import PlayedGame, SlipRow, parse_row
from scorer.records.standings import MAX_GAMES, GameResult, game_result, rank
from scorer.rules import read_header
from scorer.session.values.settings import LAMPS

PATIENCE = 10.0  # seconds for an answer of the table

Message = dict[str, Any]


class NoGame(Exception):
    """No such game, or no step in it yet; with a message."""


class NoTable(Exception):
    """The table cannot be reached, or refuses; with a message."""


def fetch_game(path: Path, number: int | None) -> PlayedGame:
    """Read a game; default: the current one, before its first press the previous one.

    Raises NoGame and NoTable.
    """
    with _request_to(path) as request:
        return request.fetch(number)


def fetch_evening(path: Path) -> PlayedEvening:
    """Read the games of the evening and rank the pairs. Raises NoGame and NoTable."""
    with _request_to(path) as request:
        return request.fetch_evening()


@contextmanager
def _request_to(path: Path) -> Iterator[_GameRequest]:
    """A connection; its errors become NoTable with a message."""
    try:
        with closing(Client(path, PATIENCE)) as client:
            yield _GameRequest(client)
    except (TimeoutError, ConnectionError, FileNotFoundError, PermissionError) as error:
        raise NoTable(f"no table answers at {path}: {error.strerror or 'it is silent'}") from error
    except (OSError, ValueError, KeyError, TypeError, AssertionError) as error:
        raise NoTable(f"the table at {path} says what cannot be understood: {error!r}") from error


class _GameRequest:
    """One connection."""

    def __init__(self, client: Client) -> None:
        self._client, self._number = client, 0
        self._device, self._state = "", Message()

    def fetch(self, number: int | None) -> PlayedGame:
        answer = self._request_game(number, 1)
        if number is None and not answer["rows"] and answer["running"] > 1:
            number = int(answer["running"]) - 1
            answer = self._request_game(number, 1)
        time_zone.apply(str(answer.get("time_zone", "")))
        rows, page = list[SlipRow](), answer["rows"]
        # The number of rows per answer is limited.
        while page:
            rows += map(parse_row, page)
            page = self._request_game(answer["game"], rows[-1].seq + 1)["rows"]
        if not rows:
            raise NoGame("nothing has been played yet")
        # The names on the panels may be newer than the game's header.
        named = self._state.get("names", {})
        is_shown = answer["game"] == answer["running"]
        return PlayedGame(
            number=int(answer["game"]),
            header=str(answer["header"]),
            rows=tuple(rows),
            language=str(answer["language"]),
            names=tuple(str(named[side]) for side in sorted(named)) if is_shown else (),
            lamps=tuple(self._state.get("lamps", {}).values()) or LAMPS,
            device=self._device,
            pages=self._pages(str(answer["header"])) if is_shown else (),
        )

    def _pages(self, header: str) -> tuple[str, ...]:
        """The pages of the teams, if the shown match is that of the game."""
        shown, match = self._state.get("match"), read_header(header).start.match
        if not shown or match is None or shown["id"] != match.id:
            return ()
        return tuple(map(str, shown.get("pages", ())))

    def fetch_evening(self) -> PlayedEvening:
        """The standings of the finished games, as on the panel.

        Without one: no standings, and the newest unfinished game of the evening.
        """
        told = self._request_game(None, 1)
        results: list[GameResult] = []
        newest: PlayedGame | None = None
        unfinished: PlayedGame | None = None
        for number in range(max(told["first"], told["newest"] - MAX_GAMES + 1), told["newest"] + 1):
            # A game without a press is no game, and one of a newer program does not count.
            with suppress(NoGame, ValueError):
                played = self.fetch(number)
                result = game_result(played.header, played.rows)
                if result is not None:
                    results.append(result)
                    newest = played
                elif not played.record().taken_back:
                    unfinished = played
        newest = newest or unfinished
        if newest is None:
            raise NoGame("nothing has been played this evening yet")
        return PlayedEvening(rank(results, told.get("pair_names", {})), newest)

    def _request_game(self, number: int | None, start: int) -> Message:
        self._number += 1
        which = {} if number is None else {"number": number}
        self._client.send({"id": self._number, "do": "game", "from": start, **which})
        while (message := self._client.receive()) is not None:
            if message.get("id") == self._number:
                if message.get("ok") is True:
                    return message
                if message.get("error") == ErrorCode.NO_SUCH_GAME:
                    raise NoGame(f"there is no game {number}")
                raise NoTable(f"the table says no: {message.get('text', '')}")
            self._device = str(message.get("device", self._device))
            self._state = message.get("state", self._state)
        raise NoTable("the table went away")
