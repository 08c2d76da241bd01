"""Pages of the rows of games, read and encoded once.

Readers ask for old games again and again; they must not cost the table its time for presses.
"""

from typing import NamedTuple

from scorer.api.message_lines import Encoded, encode_value
from scorer.records.game_log import GameLog

MAX_ROWS = 500  # rows of the journal in one answer
MAX_PAGE_BYTES = 60_000  # bytes of rows: an answer is one line, whose length is limited
_MAX_PAGES = 16  # pages that are kept: a megabyte


class GamePage(NamedTuple):
    """The header of a game, and some of its rows."""

    header: str
    rows: Encoded


class GamePages:
    """The newest pages that were asked for."""

    def __init__(self, game_log: GameLog) -> None:
        self._game_log = game_log
        self._pages: dict[tuple[int, int], GamePage] = {}  # the last one was asked for last

    def page(self, number: int, start: int) -> GamePage:
        """The rows of a game from ``start`` on. Raises KeyError if it is unknown."""
        place = number, start
        page = self._pages.pop(place, None) or self._read(number, start)
        self._pages[place] = page
        if len(self._pages) > _MAX_PAGES:
            del self._pages[next(iter(self._pages))]
        return page

    def forget(self, number: int) -> None:
        """Read a game again: it has got another row."""
        self._pages = {place: page for place, page in self._pages.items() if place[0] != number}

    def _read(self, number: int, start: int) -> GamePage:
        header, rows = self._game_log.game(number, start, MAX_ROWS)
        # As many rows as fit into an answer, at least one.
        page, room = list[bytes](), MAX_PAGE_BYTES
        for row in rows:
            encoded = encode_value(row._asdict())
            room -= len(encoded)
            if page and room < 0:
                break
            page.append(encoded)
        return GamePage(header, Encoded(b"[" + b", ".join(page) + b"]"))
