"""The unix socket under friendly, slow, silent, flooding and lying clients."""

from __future__ import annotations

import contextlib
import json
import os
import pwd
import queue
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorer.api.request import Request
from scorer.api.rights import Right, socket_path
from scorer.api.server import (
    MAX_CLIENTS,
    MAX_LINE_BYTES,
    MAX_PENDING_REQUESTS,
    Client,
    TableServer,
    listen,
    listen_for_all,
)

END = Request(0, {"do": "end"}, Right.READ, "")


class Table:
    """A server with an inbox, as the table has one."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.inbox: queue.SimpleQueue[Request] = queue.SimpleQueue()
        self.now = 0.0
        self.server = TableServer(
            {Right.TABLE: listen(path)}, "mesa 4", self.inbox.put, lambda: self.now
        )
        self.server.start()
        self._ends: list[Client | socket.socket] = []

    def client(self) -> Client:
        client = Client(self.path, timeout=10.0)
        self._ends.append(client)
        return client

    def raw(self) -> socket.socket:
        """A connection that need not keep to the protocol."""
        end = socket.socket(socket.AF_UNIX)
        end.settimeout(10.0)
        end.connect(str(self.path))
        self._ends.append(end)
        return end

    def close(self) -> None:
        for end in self._ends:
            end.close()
        self.server.close()
        self.inbox.put(END)

    def echo_until(self, client: Client) -> Request:
        """The next request in the inbox, answered."""
        request = self.inbox.get(timeout=10.0)
        self.server.reply(request.client, {"id": request.message["id"], "ok": True})
        return request


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path / "table.sock")
    yield made
    made.close()


def test_a_client_is_greeted_with_the_version_and_the_newest_state(table: Table) -> None:
    table.server.publish({"score": 1}, 1)
    table.server.publish({"score": 2}, 2)
    client = table.client()
    assert client.receive() == {"hello": 1, "device": "mesa 4", "seq": 2}
    assert client.receive() == {"state": {"score": 2}}


def test_every_client_hears_of_a_change(table: Table) -> None:
    table.server.publish({"score": 0}, 1)
    clients = [table.client() for _ in range(3)]
    for client in clients:
        assert [client.receive() for _ in range(2)][1] == {"state": {"score": 0}}
    table.server.publish({"score": 1}, 2)
    for client in clients:
        assert client.receive() == {"state": {"score": 1}}


def test_a_request_reaches_the_inbox_and_its_answer_the_one_who_asked(table: Table) -> None:
    table.server.publish({}, 1)
    first, second = table.client(), table.client()
    for client in (first, second):
        client.receive(), client.receive()
    second.send({"id": 7, "do": "step", "line": "A truco", "seq": 1})
    assert table.echo_until(second).message["line"] == "A truco"
    assert second.receive() == {"id": 7, "ok": True}
    first.send({"id": 8, "do": "undo"})
    table.echo_until(first)
    assert first.receive() == {"id": 8, "ok": True}


def test_a_slow_reader_misses_states_in_between_but_never_the_last(table: Table) -> None:
    filler = "x" * 8000
    table.server.publish({"n": 0, "filler": filler}, 0)
    client = table.client()
    for number in range(1, 2001):
        table.server.publish({"n": number, "filler": filler}, number)
    seen = []
    for message in client.messages():
        if "state" in message:
            seen.append(message["state"]["n"])
            if seen[-1] == 2000:
                break
    assert seen == sorted(seen)
    assert len(seen) < 2000


def test_a_client_that_vanishes_does_not_affect_others(table: Table) -> None:
    table.server.publish({"n": 1}, 1)
    for _ in range(3 * MAX_CLIENTS):
        client = table.client()
        client.receive()
        client.close()
    last = table.client()
    assert last.receive() == {"hello": 1, "device": "mesa 4", "seq": 1}


@pytest.mark.parametrize(
    "lie", [b"not json\n", b"[1, 2]\n", b'"text"\n', b"\xff\xfe\n", b"{" * 5000 + b"\n", b"\n"]
)
def test_a_line_that_is_no_request_is_answered_and_the_client_stays(
    table: Table, lie: bytes
) -> None:
    table.server.publish({}, 1)
    raw = table.raw()
    lines = raw.makefile("rb")
    lines.readline(), lines.readline()
    raw.sendall(lie + b'{"id": 1, "do": "undo"}\n')
    assert json.loads(lines.readline())["error"] == "UNREADABLE"
    assert table.inbox.get(timeout=10.0).message == {"id": 1, "do": "undo"}
    lines.close()


def test_a_line_without_end_is_cut_off(table: Table) -> None:
    table.server.publish({}, 1)
    raw = table.raw()
    with pytest.raises(OSError):  # the server hangs up; how the kernel says so varies
        for _ in range(100):
            raw.sendall(b"x" * MAX_LINE_BYTES)
    assert table.inbox.empty()


def test_a_request_in_pieces_is_one_request(table: Table) -> None:
    table.server.publish({}, 1)
    raw = table.raw()
    for byte in b'{"id": 3, "do": "undo"}\n':
        raw.sendall(bytes([byte]))
    assert table.inbox.get(timeout=10.0).message["id"] == 3


def greeted(table: Table) -> Client:
    """A client that has read the greeting and the first state."""
    client = table.client()
    assert [list(client.receive() or ()) for _ in range(2)] == [
        ["device", "hello", "seq"],
        ["state"],
    ]
    return client


def is_connected(client: Client) -> bool:
    """Whether the server answers; nothing else is left to read."""
    try:
        client.send({"id": 9, "do": "dance", "again": True})
        return client.receive() is not None
    except OSError:
        return False


def answering(table: Table) -> None:
    """Answer every request from now on."""

    def answer() -> None:
        while (request := table.inbox.get()) != END:
            table.server.reply(request.client, {"id": request.message["id"], "ok": True})

    threading.Thread(target=answer, daemon=True).start()


def test_the_longest_idle_client_makes_room_for_another(table: Table) -> None:
    table.server.publish({}, 1)
    clients = [greeted(table) for _ in range(MAX_CLIENTS)]
    late = [greeted(table) for _ in range(3)]
    assert [client.receive() for client in clients[:3]] == [None] * 3
    answering(table)
    assert all(map(is_connected, [*clients[3:], *late]))


def test_idle_clients_lock_out_neither_a_client_nor_its_next_connection(table: Table) -> None:
    table.server.publish({}, 1)
    answering(table)
    web = greeted(table)
    assert is_connected(web)
    idle = [greeted(table) for _ in range(2 * MAX_CLIENTS)]
    assert is_connected(web), "it has sent a request"
    web.close()
    assert is_connected(greeted(table))
    assert idle[0].receive() is None


def test_a_client_that_reads_every_state_is_not_idle(table: Table) -> None:
    table.server.publish({"n": 0}, 1)
    hub = greeted(table)
    blind = [greeted(table) for _ in range(MAX_CLIENTS - 1)]
    for number in range(1, 4):
        table.server.publish({"n": number}, number)
        assert hub.receive() == {"state": {"n": number}}
    late = [greeted(table) for _ in range(MAX_CLIENTS - 1)]
    answering(table)
    assert all(map(is_connected, [hub, *late]))
    assert [message for client in blind for message in client.messages()][-1] is not None


def test_clients_in_use_do_not_make_room(table: Table) -> None:
    table.server.publish({}, 1)
    answering(table)
    clients = [greeted(table) for _ in range(MAX_CLIENTS)]
    assert all(map(is_connected, clients))
    answer = table.client().receive()
    assert answer is not None and answer["error"] == "BUSY"
    assert all(map(is_connected, clients))


def test_a_client_whose_request_waits_for_its_answer_does_not_make_room(table: Table) -> None:
    table.server.publish({}, 1)
    asks = greeted(table)
    asks.send({"id": 1, "do": "undo"})
    request = table.inbox.get(timeout=10.0)
    for _ in range(2 * MAX_CLIENTS):
        greeted(table)
    table.server.reply(request.client, {"id": 1, "ok": True})
    assert asks.receive() == {"id": 1, "ok": True}


def test_the_clients_of_a_socket_share_the_inbox_in_turn(table: Table) -> None:
    table.server.publish({}, 1)
    flood = greeted(table)
    for number in range(3 * MAX_PENDING_REQUESTS):
        flood.send({"id": f"flood {number}", "do": "game"})
    asked = [table.inbox.get(timeout=10.0) for _ in range(MAX_PENDING_REQUESTS)]
    others = [greeted(table) for _ in range(2)]
    for number, other in enumerate(others):
        other.send({"id": f"other {number}", "do": "game"})
        other.send({"id": f"later {number}", "do": "game"})
    echoed: list[Request] = []
    while len(echoed) < 2 * MAX_PENDING_REQUESTS:
        assert table.inbox.empty(), "no more than the share of the socket"
        done = asked.pop(0)
        table.server.reply(done.client, {"id": done.message["id"], "ok": True})
        asked.append(table.inbox.get(timeout=10.0))
        echoed.append(asked[-1])
    words = [str(request.message["id"]).partition(" ")[0] for request in echoed]
    assert words.index("later") < 8 and words.count("other") == words.count("later") == 2


def test_requests_of_a_client_that_has_gone_keep_their_share_of_the_inbox(table: Table) -> None:
    table.server.publish({}, 1)
    for _ in range(4):
        gone = greeted(table)
        for number in range(MAX_PENDING_REQUESTS):
            gone.send({"id": number, "do": "game"})
        gone.close()
    asked = [table.inbox.get(timeout=10.0) for _ in range(MAX_PENDING_REQUESTS)]
    stays = greeted(table)
    stays.send({"id": "stays", "do": "game"})
    assert table.inbox.empty()
    for request in asked:
        table.server.reply(request.client, {"id": request.message["id"], "ok": True})
    while (request := table.inbox.get(timeout=10.0)).client in {each.client for each in asked}:
        table.server.reply(request.client, {"id": request.message["id"], "ok": True})
    table.server.reply(request.client, {"id": request.message["id"], "ok": True})


def test_each_socket_has_its_own_places(tmp_path: Path) -> None:
    inbox: queue.SimpleQueue[Request] = queue.SimpleQueue()
    server = TableServer(listen_for_all(tmp_path / "table.sock"), "mesa 4", inbox.put)
    server.start()
    server.publish({}, 1)
    with contextlib.ExitStack() as stack:
        stack.callback(server.close)

        def client(right: Right) -> Client:
            made = Client(socket_path(tmp_path / "table.sock", right), timeout=10.0)
            stack.callback(made.close)
            made.receive(), made.receive()
            return made

        web = client(Right.PHONE)
        for right in (Right.TABLE, Right.READ):
            for _ in range(2 * MAX_CLIENTS):
                client(right)
        web.send({"id": 1, "do": "game"})
        request = inbox.get(timeout=10.0)
        assert request.right is Right.PHONE
        assert request.user == pwd.getpwuid(os.getuid()).pw_name


def test_a_client_that_never_reads_its_answers_is_dropped(table: Table) -> None:
    table.server.publish({}, 1)
    raw = table.raw()
    with pytest.raises(OSError):
        for _ in range(100_000):
            raw.sendall(b"lies\n" * 100)


def test_a_client_that_only_listens_stays_through_a_long_silence(table: Table) -> None:
    table.server.publish({"n": 1}, 1)
    listener = greeted(table)
    for number in range(2, 4):
        table.now += 3600.0
        table.server.publish({"n": number}, number)
        assert listener.receive() == {"state": {"n": number}}


def test_a_client_that_connects_long_before_the_first_state_is_greeted(table: Table) -> None:
    early = table.client()
    answering(table)
    early.send({"id": 1, "do": "undo"})
    table.now += 3600.0
    table.server.publish({"n": 1}, 1)
    assert early.receive() is not None


def test_a_client_that_stops_reading_is_dropped(table: Table) -> None:
    long = {"text": "x" * 60_000}
    table.server.publish(long, 1)
    table.raw()
    reader = greeted(table)
    for number in range(2, 40):
        table.now += 1.0
        table.server.publish(long, number)
        assert reader.receive() == {"state": long}
    assert table.server.client_count() == 1


def test_a_socket_left_by_a_killed_table_is_replaced(tmp_path: Path) -> None:
    left = listen(tmp_path / "table.sock")
    left.close()
    Table(tmp_path / "table.sock").close()
