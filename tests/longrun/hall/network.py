"""A relay between boxes and their hub, which can fail like a network."""

from __future__ import annotations

import contextlib
import select
import socket
import threading

_CHUNK = 65536  # bytes
_LOOK = 0.2  # seconds between two looks whether bytes are delivered again


class Network:
    """Listens at ``address``, and connects its clients with ``hub``.

    ``refuse`` closes all connections and accepts none; ``swallow`` takes what is sent and delivers
    nothing; ``deliver`` ends either.
    """

    def __init__(self) -> None:
        self.hub = ("", 0)
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._delivers = threading.Event()
        self._listener = self._listen(0)
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        self._delivers.set()

    def lead_to(self, hub: tuple[str, int]) -> None:
        """Connect with another hub from now on; the connections that there are end."""
        self.hub = hub
        self._close_all()

    def refuse(self) -> None:
        # A thread that waits in accept keeps the port until it is woken.
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._close_all()

    def swallow(self) -> None:
        self._delivers.clear()

    def deliver(self) -> None:
        self._delivers.set()
        if self._listener.fileno() < 0:
            self._listener = self._listen(int(self.address.rpartition(":")[2]))

    def close(self) -> None:
        self.refuse()
        self._delivers.set()

    def _listen(self, port: int) -> socket.socket:
        listener = socket.create_server(("127.0.0.1", port))
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()
        return listener

    def _accept(self, listener: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = listener.accept()
                threading.Thread(target=self._relay, args=(client,), daemon=True).start()

    def _relay(self, client: socket.socket) -> None:
        try:
            self._delivers.wait()
            server = socket.create_connection(self.hub, timeout=5)
            server.settimeout(None)
        except OSError:
            client.close()
            return
        with self._lock:
            self._open |= {client, server}
        back = threading.Thread(target=self._pump, args=(server, client), daemon=True)
        back.start()
        self._pump(client, server)
        back.join()
        with self._lock:
            self._open -= {client, server}
        client.close()
        server.close()

    def _pump(self, source: socket.socket, target: socket.socket) -> None:
        """Pass on bytes, and the end of a connection also while none arrive."""
        waiting: list[bytes] = []
        with contextlib.suppress(OSError, ValueError):
            while True:
                if select.select([source], [], [], _LOOK)[0]:
                    waiting.append(source.recv(_CHUNK))
                    if not waiting[-1]:
                        break
                if waiting and self._delivers.is_set():
                    target.sendall(b"".join(waiting))
                    waiting.clear()
        for each in (source, target):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def _close_all(self) -> None:
        with self._lock:
            for each in self._open:
                with contextlib.suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)
