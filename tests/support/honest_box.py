"""An honest box without processes: a journal in memory and the sender of the link."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from scorer.hall import wire
from scorer.hall.rows import BATCH_ROWS, Opening, Row
from scorer.hall.wire import GreetRequest, Reply, RowsRequest
from scorer.link.sender import Greet, KeepToken, Lost, ReadJournal, RequestEpoch, Sender, SendRows
from scorer.link.table_page import Epoch, Page

EPOCH = "5f3a9c01d2e4b687"
HEADER = '[Variant "argentine"]'
PLAYED = ("A truco", "- undo")  # in turns: rows that leave the score as it is
Exchange = Callable[[GreetRequest | RowsRequest], Reply | Lost]
Post = Callable[[str, bytes], tuple[int, bytes] | None]  # path and body; status and body


def row(seq: int, line: str = "A truco", game: int = 1) -> Row:
    return Row(seq, game, seq, line, "console A", "b0c7", seq * 100, "2026-11-22T20:14:05Z", True)


def exchange_by(post: Post) -> Exchange:
    """Exchange requests as bytes; ``post`` gives None where no answer comes."""

    def exchange(request: GreetRequest | RowsRequest) -> Reply | Lost:
        is_greeting = isinstance(request, GreetRequest)
        answer = post(wire.GREET_PATH if is_greeting else wire.ROWS_PATH, wire.encode(request))
        if answer is None:
            return Lost()
        found = (wire.parse_greet_reply if is_greeting else wire.parse_rows_reply)(*answer)
        assert not isinstance(found, wire.Malformed), found
        return found

    return exchange


@dataclass
class Journal:
    """The rows and games of a table."""

    epoch: Epoch = field(default_factory=lambda: Epoch(EPOCH, 1))
    rows: list[Row] = field(default_factory=list)
    openings: list[Opening] = field(default_factory=lambda: [Opening(1, 1, HEADER)])

    def press(self, count: int = 1, lines: Sequence[str] = PLAYED) -> None:
        """So many rows of the newest game, with these lines in turns."""
        for seq in range(len(self.rows) + 1, len(self.rows) + count + 1):
            self.rows.append(row(seq, lines[(seq - 1) % len(lines)], self.openings[-1].game))

    def open_game(self) -> None:
        self.openings.append(Opening(self.openings[-1].game + 1, len(self.rows) + 1, HEADER))

    def read(self, first: int, limit: int) -> Page:
        rows = tuple(self.rows[first - 1 : first - 1 + limit])
        end = first + len(rows)
        # With the newest row, or beyond it, come the games that have no row yet.
        end = max(end, len(self.rows) + 2) if first + len(rows) > len(self.rows) else end
        games = tuple(game for game in self.openings if first <= game.opened < end)
        return Page(self.epoch, rows, games)


@dataclass
class HonestBox:
    """A journal and its sender, which exchanges requests with a hub."""

    exchange: Exchange
    journal: Journal = field(default_factory=Journal)
    machine: str = "a91c"
    chance: Callable[[], float] = lambda: 0.5
    score: tuple[tuple[str, int], ...] = (("A", 0), ("B", 0))
    tokens: list[str] = field(default_factory=list)  # that the hub has given
    epochs: int = 0  # that the hub has asked for
    sender: Sender = field(init=False)

    def __post_init__(self) -> None:
        self.sender = Sender(self.machine, "1.4", self.chance)
        self.show()
        self.sender.table_found()

    def show(self) -> None:
        """The table sends its state."""
        self.sender.news(len(self.journal.rows), 412, self.score)

    def send(self, now: float) -> int:
        """Carry out actions until there are none; return their number."""
        count = 0
        while (action := self.sender.next(now)) is not None:
            count += 1
            assert count < 500, "the sender goes round in circles"
            match action:
                case ReadJournal(first, limit):
                    self.sender.page(self.journal.read(first, min(limit, BATCH_ROWS)), now)
                case Greet(request):
                    self.sender.greeted(self.exchange(request), now)  # type: ignore[arg-type]
                case SendRows(request):
                    self.sender.sent(self.exchange(request), now)  # type: ignore[arg-type]
                case RequestEpoch():
                    begun = self.journal.openings[-1].opened
                    self.journal.epoch = Epoch("93d1b5c87aa0e214", begun)
                    self.epochs += 1
                    self.sender.renewed()
                case KeepToken(token):
                    self.tokens.append(token)
                    self.sender.token_kept()
        return count
