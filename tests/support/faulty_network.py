"""A TCP proxy on this machine whose network fails: packets vanish, or are refused."""

from __future__ import annotations

import select
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

PATIENCE = 60.0  # seconds; a busy machine takes some
_CHUNK = 1 << 16


class FaultyNetwork:
    """The way from clients to the server at ``target``, at ``port`` of 127.0.0.1."""

    def __init__(self, target: tuple[str, int]) -> None:
        self._target = target
        self._lock = threading.Condition()
        self._ends: list[socket.socket] = []
        self._open = 0  # connections
        self._threads: list[threading.Thread] = []
        self._vanishes = False
        self._faults = 0
        self._listener: socket.socket | None = None
        self.port = 0
        self.mend()

    def vanish(self) -> None:
        """Lose what is sent on every connection, old and new; nothing is closed."""
        self._vanishes = True
        self._faults += 1

    def refuse(self) -> None:
        """Refuse new connections, and reset the old ones."""
        self._stop_listening()
        self._reset()

    def mend(self) -> None:
        """Serve new connections. Those from before stay silent."""
        self._vanishes = False
        if self._listener is None:
            self._listener = socket.create_server(("127.0.0.1", self.port))
            self.port = self._listener.getsockname()[1]
            self._start(self._accept, self._listener)

    def wait_for_open(self, count: int) -> None:
        """Wait until as few connections are open: a server closes those that are idle."""
        with self._lock:
            assert self._lock.wait_for(lambda: self._open <= count, PATIENCE), self._open

    def close(self) -> None:
        """End everything."""
        self._stop_listening()
        self._reset()
        for thread in self._threads:
            thread.join()

    def _start(self, run: Callable[..., None], *sockets: socket.socket) -> None:
        thread = threading.Thread(target=run, args=sockets, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _stop_listening(self) -> None:
        listener, self._listener = self._listener, None
        if listener is not None:
            # It wakes the thread that accepts.
            listener.shutdown(socket.SHUT_RDWR)

    def _reset(self) -> None:
        with self._lock:
            ends, self._ends = self._ends, []
        for end in ends:
            # Of a connection that has ended there is nothing left to end.
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _accept(self, listener: socket.socket) -> None:
        with listener, suppress(OSError):
            while True:
                client, _ = listener.accept()
                try:
                    server = socket.create_connection(self._target)
                except OSError:
                    client.close()
                    continue
                with self._lock:
                    self._ends += [client, server]
                    self._open += 1
                self._start(self._carry, client, server)

    def _carry(self, client: socket.socket, server: socket.socket) -> None:
        """Pass on what arrives, until an end closes, or lose it from the fault on."""
        try:
            self._carry_until_end(client, server)
        finally:
            with self._lock:
                self._open -= 1
                self._lock.notify_all()

    def _carry_until_end(self, client: socket.socket, server: socket.socket) -> None:
        others = {client: server, server: client}
        born = None if self._vanishes else self._faults
        with client, server, suppress(OSError):
            while others:
                for source in select.select([*others], [], [])[0]:
                    data = source.recv(_CHUNK)
                    if born == self._faults:
                        if not data:
                            return
                        others[source].sendall(data)
                    elif not data:
                        # The other end does not hear of it.
                        del others[source]


@contextmanager
def faulty_network(target: tuple[str, int]) -> Iterator[FaultyNetwork]:
    """A proxy before a server."""
    network = FaultyNetwork(target)
    try:
        yield network
    finally:
        network.close()
