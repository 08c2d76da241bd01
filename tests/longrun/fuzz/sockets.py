"""Fuzz target: any bytes as the lines of a socket client.

A client sends them to the real server in pieces while another client follows the protocol. Requests
and replies are recorded; the journal and the score are recomputed from the recording.
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

from scorer.api.request import Request
from scorer.api.rights import Right
from scorer.api.server import MAX_LINE_BYTES, MAX_PENDING_REQUESTS, Client, TableServer, listen
from scorer.rules import Game, parse_step, split_comment, state_document, step_text
from scorer.session.values.record import append_press, new_record
from scorer.table.handlers import handle_request
from scorer.table.table import Table
from tests.longrun.fuzz.configs import place
from tests.longrun.fuzz.limits import bounded
from tests.longrun.fuzz.mutate import corpus, nearly_right
from tests.longrun.fuzz.tables import started
from tests.support.in_process_table import START

TARGET = "socket"
PATIENCE = 60.0  # seconds without a message until the test gives up
PHONE = "the phone that keeps to the protocol"
LAST = b'\n{"id": "the last word", "do": "journal", "limit": 1}\n'

Message = dict[str, Any]


class Said(NamedTuple):
    """What a client sends, where it splits it, and whether it reads replies meanwhile."""

    data: bytes
    cuts: tuple[int, ...] = ()
    hears: bool = True


@st.composite
def inputs(draw: DrawFn) -> Said:
    """Client input with a few changes."""
    data = draw(nearly_right(TARGET))
    cuts = draw(st.lists(st.integers(0, len(data)), max_size=4))
    return Said(data, tuple(sorted(cuts)), draw(st.booleans()))


def seeds() -> list[Said]:
    """The corpus, each seed sent in one piece."""
    return [Said(seed.data) for seed in corpus(TARGET)]


class Wire:
    """The observer of a table: the real server, recording requests and replies."""

    def __init__(self, path: Path) -> None:
        self.inbox: queue.SimpleQueue[Request] = queue.SimpleQueue()
        self.server = TableServer({Right.TABLE: listen(path)}, "mesa 4", self.inbox.put)
        self.asked: list[Message] = []
        self.answered: list[Message] = []
        self.publish, self.publish_unavailable = (
            self.server.publish,
            self.server.publish_unavailable,
        )
        self.set_epoch, self.set_wishes = self.server.set_epoch, self.server.set_wishes
        self.client_count, self.has_client = self.server.client_count, self.server.has_client

    def reply(self, client: int, message: Message) -> None:
        self.answered.append(message)
        self.server.reply(client, message)

    def serve(self, table: Table) -> None:
        """Handle all requests in the inbox."""
        assert self.inbox.qsize() <= 2 * MAX_PENDING_REQUESTS, "a client fills the table's inbox"
        while not self.inbox.empty():
            self.serve_one(table)

    def serve_one(self, table: Table) -> None:
        """Wait for the next request and handle it."""
        request = self.inbox.get(timeout=PATIENCE)
        self.asked.append(request.message)
        handle_request(table, request, START + len(self.asked))


def check(said: Said) -> None:
    """Assert that the input neither crashes the table nor changes the score illegally."""
    with place() as folder, bounded():
        path = folder / "table.sock"
        wire = Wire(path)
        with started(folder / "store", wire) as (table, _), _serving(wire):
            assert not table.has_failed
            start = table.session.game
            phone = Client(path, timeout=PATIENCE)
            with _talking(path) as end:
                received = _speak(end, said, wire, table)
            _are_answers(received)
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
    """Send it piece by piece while the table runs; return all bytes received."""
    received = bytearray()
    places = [0, *said.cuts, len(said.data)]
    pieces = [said.data[one:two] for one, two in pairwise(places)]
    for piece in [*pieces, LAST]:
        while piece:
            sent = _turn(end, piece, wire, table, received if said.hears else None)
            if sent is None:
                return bytes(received)
            piece = piece[sent:]
    if not said.hears:
        end.shutdown(socket.SHUT_WR)
    while not (said.hears and b'"the last word"' in received):
        if _turn(end, b"", wire, table, received) is None:
            break
    wire.serve(table)
    return bytes(received)


def _turn(
    end: socket.socket, piece: bytes, wire: Wire, table: Table, received: bytearray | None
) -> int | None:
    """Run table and client once; return the number of bytes sent of ``piece``.

    None: the table has closed the connection.
    """
    wire.serve(table)
    reads, writes = ([end] if received is not None else []), ([end] if piece else [])
    can_read, can_write, _ = select.select(reads, writes, [], 0.01)
    try:
        if can_read and received is not None:
            data = end.recv(1 << 16)
            if not data:
                return None
            received += data
        return end.send(piece[:8192]) if can_write else 0
    except BlockingIOError:
        return 0
    except OSError:
        return None


def _are_answers(received: bytes) -> None:
    """Assert whole lines of limited length that follow the protocol."""
    for number, line in enumerate(received.split(b"\n")[:-1]):
        assert len(line) < MAX_LINE_BYTES, len(line)
        message = json.loads(line)
        assert isinstance(message, dict)
        if number == 0:
            assert message["hello"] == 1
        elif "state" not in message:
            assert message["ok"] is True or (message["error"] and message["text"]), message
            assert str(message.get("text", "")).isprintable()


def _is_what_was_accepted(table: Table, start: Game, wire: Wire) -> None:
    """Assert that journal and score follow from the accepted steps."""
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
    """Assert that a correct client gets replies and the newest score."""
    answer, before = _asked(phone, wire, table)
    # A late request of the other client may change the score before this one is handled.
    while answer.get("error") == "STALE" and table.game_log.seq != before:
        answer, before = _asked(phone, wire, table)
    assert (answer["ok"], answer.get("error")) in ((True, None), (False, "GAME_OVER")), answer
    assert table.game_log.seq == before + answer["ok"]


def _asked(phone: Client, wire: Wire, table: Table) -> tuple[Message, int]:
    """Send a step on the newest row; return the reply and the row count when sent."""
    before, served = table.game_log.seq, len(wire.answered)
    phone.send({"id": PHONE, "do": "step", "line": "A award 1", "seq": before})
    while PHONE not in (message["id"] for message in wire.answered[served:]):
        wire.serve_one(table)
    return next(message for message in phone.messages() if message.get("id") == PHONE), before
