"""A hub process of a test, and a client that pins its certificate."""

from __future__ import annotations

import http.client
import io
import json
import os
import re
import signal
import ssl
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scorer.hall.events import Beat, Event, EventReader
from scorer.hall.fields import Malformed
from scorer.hall.joining import pin_of
from scorer.hub import command

if TYPE_CHECKING:
    from tests.support.forked_processes import ForkedHub

TIMEOUT = 60.0  # seconds; a busy machine takes some


def start_process(words: Sequence[str]) -> subprocess.Popen[str] | ForkedHub:
    """Start a hub as a process of its own; tests fork it (tests/conftest.py)."""
    # Ctrl-C is for the tests alone.
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True, start_new_session=True)


@dataclass
class HubProcess:
    """``scorer hub`` in a folder; ``config`` is its file."""

    state: Path
    config: Path
    arguments: tuple[str, ...] = ()
    wall: tuple[str, int] = ("", 0)
    desk: tuple[str, int] = ("", 0)
    pin: str = ""
    _process: subprocess.Popen[str] | ForkedHub | None = field(default=None, repr=False)

    def start(self) -> None:
        """Start, or start again at the same ports."""
        host = "127.0.0.1"
        ports = [f"{host}:{self.wall[1]}", f"{host}:{self.desk[1]}"]
        words = [*self.command, "--listen", ports[0], "--secure", ports[1], *self.arguments]
        self._process = start_process(words)
        assert self._process.stdout is not None
        said = [self._process.stdout.readline() for _ in range(3)]
        found = re.findall(r"https?://127.0.0.1:(\d+)/", "".join(said))
        assert len(found) == 2, said
        self.wall, self.desk = (host, int(found[0])), (host, int(found[1]))
        self.pin = said[2].split()[-1]

    @property
    def command(self) -> list[str]:
        return [sys.executable, "-m", "scorer", "hub", *self._options]

    @property
    def _options(self) -> list[str]:
        none = ["--card", os.devnull]
        return ["--config", str(self.config), *none, "--state", str(self.state)]

    def run(self, *arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
        """Run a command of the administrator, in this process: a start takes a second."""
        out, err, stdin = io.StringIO(), io.StringIO(), sys.stdin
        sys.stdin = io.StringIO(text)
        try:
            with redirect_stdout(out), redirect_stderr(err):
                code = command.main([*self._options, *arguments])
        finally:
            sys.stdin = stdin
        return subprocess.CompletedProcess(arguments, code, out.getvalue(), err.getvalue())

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        return self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> int:
        process, self._process = self._process, None
        if process is None:
            return 0
        process.send_signal(how)
        assert process.stdout is not None
        process.stdout.close()
        return process.wait(TIMEOUT)

    def client(self, address: str = "") -> Client:
        """A client at ``address``, one of 127.0.0.0/8; "": the usual one."""
        return Client(self.desk, self.pin, address)


@contextmanager
def running_hub(state: Path, settings: str = "", *arguments: str) -> Iterator[HubProcess]:
    """A hub; ``settings``: lines of its [hub] section."""
    state.mkdir(exist_ok=True)
    config = state / "scorer.toml"
    config.write_text(f"[hub]\n{settings}\n")
    hub = HubProcess(state, config, arguments)
    hub.start()
    try:
        yield hub
    finally:
        hub.stop()


class PinError(Exception):
    """The server has another certificate."""


class StreamEnded(Exception):
    """The hub has ended the stream of events."""


@dataclass
class EventStream:
    """The events of a box; the client lives as long as its stream."""

    client: Client
    response: http.client.HTTPResponse
    reader: EventReader = field(default_factory=EventReader)
    _waiting: list[Event] = field(default_factory=list)

    def next(self) -> Event:
        """The next event. Raises StreamEnded."""
        while not self._waiting:
            data = self.response.read1(65536)
            if not data:
                raise StreamEnded
            for event in self.reader.feed(data):
                assert not isinstance(event, Malformed), event
                self._waiting.append(event)
        return self._waiting.pop(0)

    def next_wish(self) -> Event:
        """The next event that is no beat."""
        while isinstance(event := self.next(), Beat):
            pass
        return event

    def close(self) -> None:
        self.response.close()
        self.client.close()


@dataclass
class Answer:
    """Status, headers and body of an answer."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def document(self) -> Any:  # noqa: ANN401
        return json.loads(self.body)


class Client:
    """One HTTPS connection, which checks the pin of the certificate."""

    def __init__(self, address: tuple[str, int], pin: str, source: str = "") -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        self._connection = http.client.HTTPSConnection(
            *address,
            timeout=TIMEOUT,
            context=context,
            source_address=(source, 0) if source else None,
        )
        self._connection.connect()
        assert isinstance(self._connection.sock, ssl.SSLSocket)
        certificate = self._connection.sock.getpeercert(binary_form=True)
        if certificate is None or pin_of(certificate) != pin:
            self.close()
            raise PinError
        self.cookie = ""

    def post(
        self, path: str, body: bytes, token: str = "", headers: Mapping[str, str] | None = None
    ) -> Answer:
        sent = {"Content-Type": "application/json", **(headers or {})}
        if token:
            sent["Authorization"] = f"Bearer {token}"
        return self.request("POST", path, body, sent)

    def desk(self, path: str, message: object) -> Answer:
        """A request of the desk's page."""
        answer = self.post(path, json.dumps(message).encode(), headers={"X-Truco": "1"})
        if cookie := answer.headers.get("set-cookie"):
            self.cookie = cookie.partition(";")[0]
        return answer

    def get(self, path: str) -> Answer:
        return self.request("GET", path, b"", {})

    def request(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        sent = {**headers, **({"Cookie": self.cookie} if self.cookie else {})}
        self._connection.request(method, path, body or None, sent)
        return self.answer()

    def answer(self) -> Answer:
        """The answer to the request that was sent."""
        answer = self._connection.getresponse()
        found = {name.lower(): value for name, value in answer.getheaders()}
        return Answer(answer.status, found, answer.read())

    def send_head(self, method: str, path: str, headers: Mapping[str, str]) -> None:
        """Begin a request whose body does not come."""
        self._connection.putrequest(method, path)
        for name, value in headers.items():
            self._connection.putheader(name, value)
        self._connection.endheaders(b"{")

    def events(self, path: str, token: str) -> EventStream:
        """An open stream of events; no other request can be sent."""
        self._connection.request("GET", path, headers={"Authorization": f"Bearer {token}"})
        return EventStream(self, self._connection.getresponse())

    def close(self) -> None:
        self._connection.close()

    def __del__(self) -> None:
        self._connection.close()
