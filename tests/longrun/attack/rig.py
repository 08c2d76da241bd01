"""A real table and web server on loopback, and clients at many addresses."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from tests.support.phone_pairing import show_new_code
from tests.support.programs import end
from tests.table.table_process import TableDriver, running_table, table_on
from tests.web.server_process import PATIENCE


class Rig:
    """The table, its web server at a fixed port, and its log."""

    def __init__(self, folder: Path, table: TableDriver) -> None:
        self.folder, self.table = folder, table
        self.socket, self.log = folder / "table.sock", folder / "web.log"
        self.port = 0
        self.start_web()

    def start_web(self) -> None:
        """Start the web server; its complaints are appended to the log."""
        words = ["-m", "scorer", "web", "--config", str(self.folder / "none.toml")]
        words += ["--card", str(self.folder / "none.toml"), "--socket", str(self.socket)]
        words += ["--listen", f"127.0.0.1:{self.port}"]
        with self.log.open("a", encoding="utf-8") as log:
            self.web = subprocess.Popen(
                [sys.executable, *words], stdout=subprocess.PIPE, stderr=log, text=True
            )
        assert self.web.stdout is not None
        self.port = int(self.web.stdout.readline().split()[-1].rstrip("/").rpartition(":")[2])

    def kill_web(self) -> None:
        """SIGKILL, and a new web server at the same port."""
        self.web.kill()
        self.web.wait(PATIENCE)
        assert self.web.stdout is not None
        self.web.stdout.close()
        self.start_web()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def client(self, address: str, timeout: float = PATIENCE) -> httpx.Client:
        """A browser at ``address``, one of 127.0.0.0/8."""
        own = httpx.HTTPTransport(local_address=address)
        ours = {"X-Truco": "1", "Origin": self.url, "Sec-Fetch-Site": "same-origin"}
        return httpx.Client(base_url=self.url, timeout=timeout, transport=own, headers=ours)

    def paired(self, address: str, name: str) -> httpx.Client:
        phone = self.client(address)
        answer = phone.post("/api/v1/pair", json={"code": show_new_code(self.table), "name": name})
        assert answer.status_code == 200, answer.text
        self.table.press("menu", duration_s=4.0)
        return phone

    def wait_until_ready(self) -> None:
        """Wait until the web server shows the table."""
        with self.client("127.0.0.1") as local:
            local.headers["Connection"] = "close"
            for _ in range(20_000):
                try:
                    if '"here"' in local.get("/healthz").text:
                        return
                except httpx.TransportError:
                    continue
        raise AssertionError("the web server does not find its table")


@contextmanager
def running(prepare: Callable[[Path], None] | None = None, options: str = "") -> Iterator[Rig]:
    """A rig in a folder of its own.

    ``prepare`` writes its store; ``options`` are those of the game.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        socket = folder / "table.sock"
        if prepare is not None:
            prepare(folder / "store")
        with running_table(table_on(folder / "store", options=options, socket=socket)) as table:
            rig = Rig(folder, table)
            try:
                rig.wait_until_ready()
                yield rig
            finally:
                end(rig.web)
