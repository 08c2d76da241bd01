"""Any bytes as what a client says: answered or hung up on, and the score is what was accepted.

A client writes them to the real server in pieces while another one keeps to the protocol. What
the table was asked, and what it answered, is written down beside it: from that alone the journal
and the score are reckoned again.
"""

from __future__ import annotations

import json
import queue
import select
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from scorer.api.server import (
    MAX_LINE_BYTES,
    MAX_PENDING_REQUESTS,
    Client,
    Request,
    TableServer,
    listen,
)
from scorer.rules import Game, parse_step, split_comment, state_document, step_text
from scorer.session.record import append_press, new_record
from scorer.table.table import Table
from tests.longrun.fuzz.configs import place
from tests.longrun.fuzz.limits import bounded
from tests.longrun.fuzz.mutate import corpus, nearly_right
from tests.longrun.fuzz.tables import START, started

TARGET = "socket"
PATIENCE = 60.0  # seconds without a word: then somebody has forgotten somebody
PHONE = "the phone that keeps to the protocol"
LAST = b'\n{"id": "the last word", "do": "journal", "limit": 1}\n'

Message = dict[str, Any]


class Said(NamedTuple):
    """What a client says, where its pieces end, and whether it listens before it has said all."""

    data: bytes
    cuts: tuple[int, ...] = ()
    hears: bool = True


@st.composite
def inputs(draw: DrawFn) -> Said:
    """Conversations, nearly."""
    data = draw(nearly_right(TARGET))
    cuts = draw(st.lists(st.integers(0, len(data)), max_size=4))
    return Said(data, tuple(sorted(cuts)), draw(st.booleans()))


def seeds() -> list[Said]:
    """The corpus, each whole."""
    return [Said(seed.data) for seed in corpus(TARGET)]


class Wire:
    """The outside of a table: the real server, and a note of everything that goes through it."""

    def __init__(self, path: Path) -> None:
        self.inbox: queue.SimpleQueue[Request] = queue.SimpleQueue()
        self.server = TableServer(listen(path), "mesa 4", self.inbox.put)
        self.asked: list[Message] = []
        self.answered: list[Message] = []
        self.publish, self.publish_unavailable = (
            self.server.publish,
            self.server.publish_unavailable,
        )
        self.client_count, self.has_client = self.server.client_count, self.server.has_client

    def reply(self, client: int, message: Message) -> None:
        self.answered.append(message)
        self.server.reply(client, message)

    def serve(self, table: Table) -> None:
        """Answers everything that is in the inbox."""
        assert self.inbox.qsize() <= 2 * MAX_PENDING_REQUESTS, "a client fills the table's inbox"
        while not self.inbox.empty():
            self.serve_one(table)

    def serve_one(self, table: Table) -> None:
        """Answers the next request, which may have to be waited for."""
        request = self.inbox.get(timeout=PATIENCE)
        self.asked.append(request.message)
        table.handle_request(request, START + len(self.asked))


def check(said: Said) -> None:
    """Nothing that is said to a socket crashes a table, or changes a score that it may not."""
    with place() as folder, bounded():
        path = folder / "table.sock"
        wire = Wire(path)
        with started(folder / "store", wire) as (table, _), _serving(wire):
            assert isinstance(table, Table)
            start = table.session.game
            phone = Client(path, timeout=PATIENCE)
            with _talking(path) as end:
                heard = _speak(end, said, wire, table)
            _are_answers(heard)
            _is_what_was_accepted(table, start, wire)
            _still_serves(phone, wire, table)
            phone.close()


@contextmanager
def _serving(wire: Wire) -> Iterator[None]:
    wire.server.start()
    try:
        yield
        assert wire.server.is_alive()
    finally:
        wire.server.close()


@contextmanager
def _talking(path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX) as end:
        end.connect(str(path))
        end.setblocking(False)
        yield end


def _speak(end: socket.socket, said: Said, wire: Wire, table: Table) -> bytes:
    """Says it piece by piece while the table goes on; everything that came back."""
    heard = bytearray()
    places = [0, *said.cuts, len(said.data)]
    pieces = [said.data[one:two] for one, two in pairwise(places)]
    for piece in [*pieces, LAST]:
        while piece:
            sent = _turn(end, piece, wire, table, heard if said.hears else None)
            if sent is None:
                return bytes(heard)
            piece = piece[sent:]
    if not said.hears:
        end.shutdown(socket.SHUT_WR)
    while not (said.hears and b'"the last word"' in heard):
        if _turn(end, b"", wire, table, heard) is None:
            break
    wire.serve(table)
    return bytes(heard)


def _turn(
    end: socket.socket, piece: bytes, wire: Wire, table: Table, heard: bytearray | None
) -> int | None:
    """One turn of the table, and of its client: bytes that were taken of ``piece``.

    None: the table has hung up.
    """
    wire.serve(table)
    reads, writes = ([end] if heard is not None else []), ([end] if piece else [])
    can_read, can_write, _ = select.select(reads, writes, [], 0.01)
    try:
        if can_read and heard is not None:
            data = end.recv(1 << 16)
            if not data:
                return None
            heard += data
        return end.send(piece[:8192]) if can_write else 0
    except BlockingIOError:
        return 0
    except OSError:
        return None


def _are_answers(heard: bytes) -> None:
    """Whole lines, each no longer than a line may be, each one of the protocol's."""
    for number, line in enumerate(heard.split(b"\n")[:-1]):
        assert len(line) < MAX_LINE_BYTES, len(line)
        message = json.loads(line)
        assert isinstance(message, dict)
        if number == 0:
            assert message["hello"] == 1
        elif "state" not in message:
            assert message["ok"] is True or (message["error"] and message["text"]), message
            assert str(message.get("text", "")).isprintable()


def _is_what_was_accepted(table: Table, start: Game, wire: Wire) -> None:
    """The journal holds the accepted steps, as they were asked for, and the score is theirs."""
    assert len(wire.asked) == len(wire.answered)
    record, lines = new_record(start), list[str]()
    for asked, answer in zip(wire.asked, wire.answered, strict=True):
        assert answer["id"] == asked.get("id")
        if answer["ok"] is not True or asked["do"] not in ("step", "undo"):
            continue
        assert (type(asked["seq"]), asked["seq"]) == (int, len(lines))
        text = asked["line"] if asked["do"] == "step" else "- undo"
        step = parse_step(split_comment(text)[0], start.rules)
        after = append_press(record, [step])
        assert not isinstance(after, str), f"{text}: {after}"
        record = after
        lines.append(step_text(step))
    rows = table.game_log.rows(1, 10_000)
    assert [split_comment(row.line)[0] for row in rows] == lines
    assert all(row.line.isprintable() and row.source.isprintable() for row in rows)
    assert state_document(record.game) == state_document(table.session.game)


def _still_serves(phone: Client, wire: Wire, table: Table) -> None:
    """Whoever keeps to the protocol is answered, and hears of the newest score."""
    answer, before = _asked(phone, wire, table)
    # What the other one had said last may be heard only now, and change the score before it.
    while answer.get("error") == "STALE" and table.game_log.seq != before:
        answer, before = _asked(phone, wire, table)
    assert (answer["ok"], answer.get("error")) in ((True, None), (False, "GAME_OVER")), answer
    assert table.game_log.seq == before + answer["ok"]


def _asked(phone: Client, wire: Wire, table: Table) -> tuple[Message, int]:
    """A step by the newest score; the answer, and how many rows there were when it was asked."""
    before, served = table.game_log.seq, len(wire.answered)
    phone.send({"id": PHONE, "do": "step", "line": "A award 1", "seq": before})
    while PHONE not in (message["id"] for message in wire.answered[served:]):
        wire.serve_one(table)
    return next(message for message in phone.messages() if message.get("id") == PHONE), before
