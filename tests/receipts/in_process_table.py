"""A table with its socket in this process, to print slips of its games.

Its time is simulated; it answers requests while a test waits for something.
"""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from scorer.api.backup_protocol import BackupReport
from scorer.api.print_protocol import PrintResult
from scorer.api.request import Request
from scorer.api.server import TableServer, listen_for_all
from scorer.config.printer import PrinterAddress
from scorer.config.sources import resolve
from scorer.display import screen_text
from scorer.hall.desk_protocol import DeskReport
from scorer.hw.ports import Edge
from scorer.session.values.setup_view import LastHandsView, ListView
from scorer.session.values.shown import Screen
from scorer.table.main_loop import Inbox
from scorer.table.service import _build_hooks
from scorer.table.simulated_table import SimulatedTable
from scorer.table.startup import StoreHolder, TolerantSettings
from scorer.table.table import Table
from tests.longrun.fuzz.tables import START, stamp
from tests.support.memory_hardware import MemoryHardware

PATIENCE = 60.0  # seconds: a slow machine with both cores busy
CONFIG = """
[table]
variant = "paulista"
names = ["Os Brabos", "As Feras"]
language = "pt-BR"
[socket]
path = "{folder}/table.sock"
[printer]
device = "{device}"
when = "{when}"
"""


class InProcessTable:
    """A table with its socket; ``printed`` answers requests until a slip is done."""

    def __init__(self, table: Table, inbox: Inbox) -> None:
        self.table, self._inbox, self.now = table, inbox, START

    def press(self, *names: str, held: float = 0.1, then: float = 5.0) -> None:
        for name in names:
            self.table.handle_edge(Edge(self.now, name, down=True))
            self.table.tick(self.now + held)
            self.table.handle_edge(Edge(self.now + held, name, down=False))
            self.wait(then)

    def wait(self, seconds: float) -> None:
        self.now += seconds
        self.table.tick(self.now)

    def request_slip(self) -> None:
        """Choose the slip of the game in set-up."""
        self.choose("slip")

    def choose(self, key: str) -> None:
        """MENU held, down to the line, QUIERO."""
        self.press("menu", held=1.0)
        if isinstance(self.table.view.setup and self.table.view.setup.content, LastHandsView):
            self.press("A.no_quiero")
        for _ in range(40):
            setup = self.table.view.setup
            assert setup is not None and isinstance(setup.content, ListView)
            if setup.content.selected.key == key:
                break
            self.press("B.tantos")
        self.press("A.quiero", then=1.0)

    def wait_printed(self) -> PrintResult:
        while True:
            item = self._inbox.get(timeout=PATIENCE)
            if isinstance(item, Request):
                self.table.handle_request(item, self.now)
            elif isinstance(item, PrintResult):
                self.table.on_report(item, self.now)
                return item

    def wait_backup(self) -> BackupReport:
        item = self._inbox.get(timeout=PATIENCE)
        assert isinstance(item, BackupReport)
        self.table.on_report(item, self.now)
        return item

    def wait_password(self) -> DeskReport:
        item = self._inbox.get(timeout=PATIENCE)
        assert isinstance(item, DeskReport)
        self.table.on_report(item, self.now)
        return item

    def answer_until(self, is_done: Callable[[], bool]) -> None:
        """Answer requests until the condition holds; no slip may finish before."""
        while not is_done():
            try:
                item = self._inbox.get(timeout=0.05)
            except queue.Empty:
                continue
            assert isinstance(item, Request)
            self.table.handle_request(item, self.now)

    @property
    def text(self) -> list[str]:
        return list(screen_text(self.table.view, "pt-BR"))

    def status_text(self) -> list[str]:
        """What the page of the status says."""
        for _ in range(10):
            if self.table.view.screen is Screen.STATUS:
                return self.text
            self.press("menu")
        raise AssertionError("MENU never came to the status")


@contextmanager
def running_table(folder: Path, config: str) -> Iterator[InProcessTable]:
    """A table in this process, as ``scorer run`` would make it of this configuration."""
    inbox: Inbox = queue.SimpleQueue()
    with ExitStack() as stack:
        store = StoreHolder(folder / "store", stack)
        chosen = resolve(config, None, TolerantSettings(store.journal))
        assert chosen.problems == ()
        server = TableServer(listen_for_all(chosen.config.socket_path), "truco", inbox.put)
        server.start()
        stack.callback(server.close)
        simulated = SimulatedTable(
            config,
            MemoryHardware(start=START),
            store,
            stamp,
            observer=server,
            hooks=_build_hooks(chosen.config, inbox, None),
        )
        stack.callback(simulated.close)
        assert not simulated.table.has_failed
        yield InProcessTable(simulated.table, inbox)


def write_config(folder: Path, place: PrinterAddress, when: str = "game") -> str:
    config = CONFIG.format(folder=folder, device=place, when=when)
    (folder / "scorer.toml").write_text(config, encoding="utf-8")
    return config
