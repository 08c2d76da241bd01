"""A table and a hub in memory, written from the tables of the protocol."""

from __future__ import annotations

from dataclasses import dataclass, field

from scorer.hall.rows import Opening, Row, digest_in
from scorer.hall.wire import (
    ConflictReply,
    GreetReply,
    GreetRequest,
    HeldReply,
    HoldReason,
    RefusedReply,
    RowsReply,
    RowsRequest,
)
from scorer.link.sender import Greet, KeepToken, ReadJournal, RequestEpoch, Sender, SendRows
from scorer.link.table_page import Epoch, Page

HEADER = '[Variant "argentine"]\n'


def row(seq: int, game: int = 1, line: str = "A truco") -> Row:
    return Row(
        seq=seq,
        game=game,
        press=seq,
        line=line,
        source="console A",
        boot="b0c7",
        monotonic_ms=1000 * seq,
        wall="2026-11-22T20:14:05+00:00",
        trusted=True,
    )


@dataclass
class MemoryTable:
    """The journal of a table."""

    epoch: Epoch = field(default_factory=lambda: Epoch("5f3a9c01d2e4b687", 1))
    rows: list[Row] = field(default_factory=list)
    openings: list[Opening] = field(default_factory=lambda: [Opening(1, 1, HEADER)])

    def press(self, count: int = 1) -> None:
        game = self.openings[-1].game
        for _ in range(count):
            self.rows.append(row(len(self.rows) + 1, game))

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
class MemoryHub:
    """The streams of one box; ``held`` is the reason, "" for none."""

    streams: dict[str, list[tuple[Row, str]]] = field(default_factory=dict)
    first: dict[str, int] = field(default_factory=dict)
    games: dict[int, Opening] = field(default_factory=dict)
    held: str = ""
    renew: bool = False
    token: str = ""
    refusals: list[RefusedReply] = field(default_factory=list)  # of the next requests
    row_refusals: list[RefusedReply] = field(default_factory=list)  # of the next rows
    greetings: list[GreetRequest] = field(default_factory=list)
    requests: list[RowsRequest] = field(default_factory=list)

    def last(self, epoch: str) -> tuple[int, str]:
        stream = self.streams[epoch]
        if not stream:
            return self.first[epoch] - 1, ""
        return stream[-1][0].seq, stream[-1][1]

    def greet(self, request: GreetRequest) -> GreetReply | HeldReply | RefusedReply:
        self.greetings.append(request)
        if self.refusals:
            return self.refusals.pop(0)
        self.streams.setdefault(request.epoch, [])
        self.first.setdefault(request.epoch, request.first)
        last, digest = self.last(request.epoch)
        if request.newest < last:
            self.held = HoldReason.BEHIND
        if self.held:
            return HeldReply(HoldReason(self.held), "the desk decides")
        renew, self.renew = self.renew, False
        return GreetReply(last, digest, 7, "2026-11-22T20:14:07Z", None, self.token, renew)

    def take(self, request: RowsRequest) -> RowsReply | ConflictReply | HeldReply | RefusedReply:
        self.requests.append(request)
        if self.refusals or self.row_refusals:
            return (self.refusals or self.row_refusals).pop(0)
        if self.held:
            return HeldReply(HoldReason(self.held), "the desk decides")
        stream, first = self.streams[request.epoch], self.first[request.epoch]
        last, digest = self.last(request.epoch)
        batch = request.batch
        if batch.first > last + 1:
            return ConflictReply(last, digest)
        before = batch.first - 1
        known = "" if before < first else stream[before - first][1]
        if request.prev != known:
            return self._fork()
        for each in batch.rows:
            digest = digest_in(each, batch.openings)
            at = each.seq - first
            if at < len(stream) and stream[at][1] != digest:
                return self._fork()
            if at == len(stream):
                stream.append((each, digest))
        self.games |= {game.game: game for game in batch.openings}
        return RowsReply(self.last(request.epoch)[0])

    def _fork(self) -> HeldReply:
        self.held = HoldReason.FORK
        return HeldReply(HoldReason.FORK, "the desk decides")


@dataclass
class Pair:
    """A table, its sender and a hub, with simulated time in seconds."""

    table: MemoryTable = field(default_factory=MemoryTable)
    hub: MemoryHub = field(default_factory=MemoryHub)
    now: float = 100.0
    tokens: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.sender = Sender("a91c", "1.4", lambda: 0.5)
        self.show()
        self.sender.table_found()

    def show(self) -> None:
        """The table sends its state."""
        self.sender.news(len(self.table.rows), 412, (("A", 12), ("B", 9)))

    def run(self) -> int:
        """Carry out actions until there are none; return their number."""
        count = 0
        while (action := self.sender.next(self.now)) is not None:
            count += 1
            assert count < 500, "the sender goes round in circles"
            match action:
                case ReadJournal(first, limit):
                    self.sender.page(self.table.read(first, limit), self.now)
                case Greet(request):
                    self.sender.greeted(self.hub.greet(request), self.now)
                case SendRows(request):
                    self.sender.sent(self.hub.take(request), self.now)
                case RequestEpoch():
                    self.table.epoch = Epoch("93d1b5c87aa0e214", self.table.openings[-1].opened)
                    self.sender.renewed()
                case KeepToken(token):
                    self.tokens.append(token)
                    self.sender.token_kept()
        return count

    def connect(self) -> None:
        self.sender.connected()
        self.run()

    @property
    def stream(self) -> list[Row]:
        return [each for each, _ in self.hub.streams[self.table.epoch.id]]
