"""A hub in memory, written from the tables of the protocol."""

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
    Reply,
    RowsReply,
    RowsRequest,
)
from scorer.link.sender import ReadJournal, SendRows
from tests.support.honest_box import HonestBox, Journal


@dataclass
class MemoryHub:
    """The streams of one box; ``held`` is the reason, "" for none."""

    streams: dict[str, list[tuple[Row, str]]] = field(default_factory=dict)
    first: dict[str, int] = field(default_factory=dict)
    games: dict[int, Opening] = field(default_factory=dict)
    held: str = ""
    renew: bool = False  # once
    is_renewing: bool = False  # with every greeting
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
        renew, self.renew = self.renew or self.is_renewing, False
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
    """A box and a hub, with simulated time in seconds."""

    hub: MemoryHub = field(default_factory=MemoryHub)
    now: float = 100.0

    def __post_init__(self) -> None:
        self.box = HonestBox(self._exchange, score=(("A", 12), ("B", 9)))
        self.sender, self.show = self.box.sender, self.box.show

    @property
    def table(self) -> Journal:
        return self.box.journal

    def _exchange(self, request: GreetRequest | RowsRequest) -> Reply:
        if isinstance(request, GreetRequest):
            return self.hub.greet(request)
        return self.hub.take(request)

    def run(self) -> int:
        """Carry out actions until there are none; return their number."""
        return self.box.send(self.now)

    def connect(self) -> None:
        self.sender.connected()
        self.run()

    def press(self, count: int = 1) -> None:
        """Press so many rows; they are not sent yet."""
        self.table.press(count)
        self.show()

    def next_rows(self) -> SendRows:
        """The next rows to send, read from the journal; they are under way then."""
        read = self.sender.next(self.now)
        assert isinstance(read, ReadJournal)
        self.sender.page(self.table.read(read.first, read.limit), self.now)
        action = self.sender.next(self.now)
        assert isinstance(action, SendRows)
        return action

    @property
    def stream(self) -> list[Row]:
        return [each for each, _ in self.hub.streams[self.table.epoch.id]]
