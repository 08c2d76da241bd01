"""Both ends of the table's unix sockets (socket.md#connection).

One JSON object per line. The server is a thread that only moves lines: requests go into the table's
inbox, the newest state goes to all clients. A slow reader skips intermediate states but always gets
the last; one that stops reading is dropped, and an idle one makes room for another. Clients change
the score only through requests that the table judges.
"""

import contextlib
import json
import os
import selectors
import socket
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from scorer.api.error_codes import ErrorCode
from scorer.api.message_lines import encode_line
from scorer.api.peer import peer_user, unread_bytes
from scorer.api.request import Message, Request
from scorer.api.rights import Right, socket_path

VERSION = 1
MAX_LINE_BYTES = 64 * 1024  # bytes, both ways
MAX_CLIENTS = 16  # of each socket
MAX_REPLIES = 64  # unread answers of a client before it is dropped
MAX_PENDING_REQUESTS = 8  # requests of one socket in the table's inbox; more wait at their clients
MAX_ID_BYTES = 1000  # bytes of an id, which every answer repeats
READ_TIMEOUT_S = 5.0  # seconds without reading anything before a client is dropped
# Seconds since its last request or state after which a client may have to make room. The web
# process sends a request every minute.
IDLE_S = 120.0


class _Client:
    """The server's state of one connection."""

    def __init__(self, connection: socket.socket, right: Right, now: float) -> None:
        self.connection, self.right = connection, right
        self.user = peer_user(connection)
        self.received = bytearray()
        self.sending = b""  # the rest of the line being sent
        self.replies: deque[bytes] = deque()
        self.waits = False  # a whole line was received that the table's inbox has no room for
        self.asked_at = 0  # the number of its newest request, of those of all clients
        self.state_due = True
        self.unread_since: float | None = None  # since when it reads nothing of what it is sent
        self.active_at = now  # its last request, or the last state that it has read
        self.is_used = False  # it has sent a request, or read a change of the state
        self._has_first_state = False
        self._changed_at: float | None = None  # when a change was sent that it may not have read

    def wants_to_send(self, has_state: bool) -> bool:
        """Whether there is something to send; ``has_state``: there is a state."""
        return bool(self.sending or self.replies or (self.state_due and has_state))

    def note_state(self, now: float) -> None:
        """A state goes out; the first one, sent with the greeting, is no change."""
        self.note_reading()
        if self._has_first_state:
            self._changed_at = now
        self._has_first_state = True

    def note_reading(self) -> None:
        """Whatever was sent counts as read once nothing is left in the kernel's buffer."""
        if self._changed_at is not None and not unread_bytes(self.connection):
            self.is_used, self.active_at = True, max(self.active_at, self._changed_at)
            self._changed_at = None

    def is_idle(self, now: float) -> bool:
        """Whether another may take its place, unless a request has no answer yet."""
        self.note_reading()
        return not self.waits and not (self.is_used and now - self.active_at < IDLE_S)


class TableServer:
    """Serves one table. ``publish`` and ``reply`` may be called in the table's thread."""

    def __init__(
        self,
        listeners: Mapping[Right, socket.socket],
        device: str,
        on_request: Callable[[Request], None],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._listeners, self._device, self._on_request = listeners, device, on_request
        self._monotonic = monotonic
        for listener in listeners.values():
            listener.setblocking(False)
        self._lock = threading.Lock()
        self._clients: dict[int, _Client] = {}
        # Requests without an answer, by client, also of those that have gone.
        self._pending: dict[Right, Counter[int]] = {right: Counter() for right in Right}
        self._requests = 0  # that were taken
        self._state, self._seq = b"", 0
        self._hall_state = b""  # with the wishes, for clients that serve the hall
        self._wishes: Sequence[Message] = ()
        self._epoch: Message | None = None
        self._may_greet = False  # no greeting before the first state is known
        self._next_client = 1
        self._selector = selectors.DefaultSelector()
        self._wake_in, self._wake_out = socket.socketpair()
        self._wake_in.setblocking(False)
        self._closing = False
        self._thread = threading.Thread(target=self._run, name="socket", daemon=True)

    def start(self) -> None:
        for right, listener in self._listeners.items():
            self._selector.register(listener, selectors.EVENT_READ, right)
        self._selector.register(self._wake_in, selectors.EVENT_READ)
        self._thread.start()

    def is_alive(self) -> bool:
        return self._thread.is_alive()

    def client_count(self) -> int:
        """Number of connected clients."""
        return len(self._clients)

    def has_client(self, client: int) -> bool:
        """Whether this client is still connected."""
        return client in self._clients

    def set_device(self, device: str) -> None:
        """The name of the box, for greetings."""
        self._device = device

    def set_epoch(self, epoch: Message | None) -> None:
        """The epoch of the store, for greetings."""
        self._epoch = epoch

    def set_wishes(self, wishes: Sequence[Message]) -> None:
        """What is wished of the link, sent to it with the next state."""
        self._wishes = wishes

    def publish(self, state: Message, seq: int) -> None:
        """Send the newest state to all clients."""
        line = for_hall = encode_line({"state": state})
        if self._wishes:
            for_hall = encode_line({"state": state, "wishes": list(self._wishes)})
        with self._lock:
            self._state, self._hall_state, self._seq, self._may_greet = line, for_hall, seq, True
            for client in self._clients.values():
                client.state_due = True
        self._wake()

    def publish_unavailable(self) -> None:
        """Greet and answer clients without a state: none will come."""
        self._may_greet = True
        self._wake()

    def reply(self, client: int, message: Message) -> None:
        """Send an answer to one client; dropped if the client has gone."""
        with self._lock:
            for pending in self._pending.values():
                if client in pending:
                    pending[client] -= 1
                    if not pending[client]:
                        del pending[client]
            known = self._clients.get(client)
            if known is not None:
                known.replies.append(encode_line(message))
        self._wake()

    def close(self) -> None:
        """End the thread and close every connection."""
        self._closing = True
        self._wake()
        if self._thread.is_alive():
            self._thread.join(timeout=2.0)
        for client in list(self._clients):
            self._drop(client)
        for end in (*self._listeners.values(), self._wake_in, self._wake_out):
            end.close()
        self._selector.close()

    def _wake(self) -> None:
        with contextlib.suppress(OSError):
            self._wake_out.send(b"!")

    def _run(self) -> None:
        while not self._closing:
            self._take_requests()
            self._update_interest()
            # No timeout while nothing is pending: an idle table must not wake up.
            waiting = any(
                client.wants_to_send(bool(self._state)) for client in self._clients.values()
            )
            for key, events in self._selector.select(1.0 if waiting else None):
                if isinstance(key.data, Right):
                    self._accept(key.data)
                elif key.fileobj is self._wake_in:
                    with contextlib.suppress(BlockingIOError):
                        self._wake_in.recv(4096)
                else:
                    self._handle_events(key.data, events)
            self._drop_stalled()

    def _update_interest(self) -> None:
        """Select for writing only if there is something to write.

        A client that sends requests faster than the table answers is not read any further.
        """
        for number, client in self._clients.items():
            events = 0 if client.waits else selectors.EVENT_READ
            if not client.wants_to_send(bool(self._state)):
                client.unread_since = None
            elif self._may_greet:
                events |= selectors.EVENT_WRITE
                if client.unread_since is None:
                    client.unread_since = self._monotonic()
            is_known = client.connection in self._selector.get_map()
            if events and is_known:
                self._selector.modify(client.connection, events, number)
            elif events:
                self._selector.register(client.connection, events, number)
            elif is_known:
                self._selector.unregister(client.connection)

    def _take_requests(self) -> None:
        """Pass on whole lines, one of each client in turn, as far as there is room.

        The inbox takes few of one socket, whatever the number of its clients: the requests of one
        must not delay those of another for long.
        """
        waiting = sorted(self._clients.items(), key=lambda each: each[1].asked_at)
        while waiting:
            waiting = [(number, each) for number, each in waiting if self._takes_line(number, each)]

    def _takes_line(self, number: int, client: _Client) -> bool:
        """Pass on a client's next line, if there is one and room for it."""
        end = client.received.find(b"\n")
        client.waits = end >= 0 and self._pending[client.right].total() >= MAX_PENDING_REQUESTS
        if client.waits:
            return False
        try:
            if end >= 0:
                line = bytes(client.received[:end])
                del client.received[: end + 1]
                self._handle_line(number, client, line)
            elif len(client.received) > MAX_LINE_BYTES:
                raise _Disconnected
        except _Disconnected:
            self._drop(number)
            return False
        return end >= 0

    def _accept(self, right: Right) -> None:
        try:
            connection, _ = self._listeners[right].accept()
        except OSError:
            return
        connection.setblocking(False)
        now = self._monotonic()
        if not self._make_room(right, now):
            with contextlib.suppress(OSError):
                connection.send(_BUSY_REPLY)
            connection.close()
            return
        client = _Client(connection, right, now)
        with self._lock:
            number, self._next_client = self._next_client, self._next_client + 1
            hello: Message = {"hello": VERSION, "device": self._device, "seq": self._seq}
            if self._epoch is not None:
                hello["epoch"] = self._epoch
            client.replies.append(encode_line(hello))
            self._clients[number] = client
        self._selector.register(connection, selectors.EVENT_READ, number)

    def _make_room(self, right: Right, now: float) -> bool:
        """Drop the client that has been idle for longest, if its socket has no place left.

        Those that never sent a request go first. Returns whether there is a place.
        """
        clients = {n: each for n, each in self._clients.items() if each.right is right}
        if len(clients) < MAX_CLIENTS:
            return True
        idle = [
            (each.is_used, each.active_at, n)
            for n, each in clients.items()
            if not self._pending[right][n] and each.is_idle(now)
        ]
        if idle:
            self._drop(min(idle)[-1])
        return bool(idle)

    def _handle_events(self, number: int, events: int) -> None:
        client = self._clients.get(number)
        if client is None:
            return
        try:
            if events & selectors.EVENT_WRITE:
                self._send(client)
            if events & selectors.EVENT_READ:
                data = client.connection.recv(65536)
                if not data:
                    raise _Disconnected
                client.received += data
        except (OSError, _Disconnected):
            self._drop(number)

    def _send(self, client: _Client) -> None:
        with self._lock:
            if not client.sending:
                if client.replies:
                    client.sending = client.replies.popleft()
                elif client.state_due and self._state:
                    is_hall = client.right.includes(Right.HALL)
                    client.sending = self._hall_state if is_hall else self._state
                    client.state_due = False
                    client.note_state(self._monotonic())
        if client.sending:
            with contextlib.suppress(BlockingIOError):
                sent = client.connection.send(client.sending)
                client.sending = client.sending[sent:]
                client.unread_since = None

    def _handle_line(self, number: int, client: _Client, line: bytes) -> None:
        try:
            message = json.loads(line) if len(line) <= MAX_LINE_BYTES else None
            # Reject what cannot be encoded again (lone surrogates, infinite numbers) here; it would
            # otherwise fail in the table's thread.
            encode_line({"message": message})
            if isinstance(message, dict):
                id_bytes = len(encode_line({"id": message.get("id")}))
                message = message if id_bytes <= MAX_ID_BYTES else None
        except (ValueError, RecursionError):
            message = None
        if len(client.replies) >= MAX_REPLIES:
            raise _Disconnected
        with self._lock:
            if not isinstance(message, dict):
                client.replies.append(_UNREADABLE_REPLY)
                return
            self._pending[client.right][number] += 1
            self._requests += 1
            client.asked_at = self._requests
            client.is_used, client.active_at = True, self._monotonic()
        self._on_request(Request(number, message, client.right, client.user))

    def _drop_stalled(self) -> None:
        """Drop the clients that do not read.

        What is published while the thread selects is unread from the next round on.
        """
        latest = self._monotonic() - READ_TIMEOUT_S
        for number, client in list(self._clients.items()):
            if client.unread_since is not None and client.unread_since < latest:
                self._drop(number)

    def _drop(self, number: int) -> None:
        with self._lock:
            client = self._clients.pop(number, None)
        if client is None:
            return
        with contextlib.suppress(KeyError, ValueError, OSError):
            self._selector.unregister(client.connection)
        client.connection.close()


class _Disconnected(Exception):
    """The client closed its end, or violated the protocol."""


def listen(path: Path) -> socket.socket:
    """Return a listening socket at ``path``; replace a stale one."""
    # Replace only a socket: a mistyped path could be that of the store.
    if path.is_socket():
        path.unlink()
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
    try:
        listening.bind(os.fspath(path))
        listening.listen(MAX_CLIENTS)
    except OSError:
        listening.close()
        raise
    return listening


def listen_for_all(table: Path) -> dict[Right, socket.socket]:
    """A listening socket for each right; that of the whole table at ``table``."""
    listening: dict[Right, socket.socket] = {}
    try:
        for right in Right:
            listening[right] = listen(socket_path(table, right))
    except OSError:
        for each in listening.values():
            each.close()
        raise
    return listening


class Client:
    """Blocking client for other processes: one line at a time."""

    def __init__(self, path: Path, timeout: float | None = None) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
        self._socket.settimeout(timeout)
        try:
            self._socket.connect(os.fspath(path))
        except OSError:
            self._socket.close()
            raise
        self._lines = self._socket.makefile("rb")

    def send(self, message: Message) -> None:
        self._socket.sendall(encode_line(message))

    def receive(self) -> Message | None:
        """The next message, or None when the table has closed the connection."""
        line = self._lines.readline(MAX_LINE_BYTES + 1)
        if not line.endswith(b"\n"):
            return None
        message = json.loads(line)
        assert isinstance(message, dict)
        return message

    def messages(self) -> Iterator[Message]:
        """Every message until the table closes the connection."""
        while (message := self.receive()) is not None:
            yield message

    def close(self) -> None:
        self._lines.close()
        self._socket.close()


_BUSY_REPLY = encode_line({"ok": False, "error": "BUSY", "text": "too many clients"})
_UNREADABLE_REPLY = encode_line(
    {"ok": False, "error": ErrorCode.UNREADABLE, "text": "one JSON object a line, with a short id"}
)
