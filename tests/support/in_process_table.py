"""The table in this process: the real one on its real store, with fake devices.

Time passes with ``press`` and ``wait`` alone.
"""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TypeVar

from scorer.api.backup_protocol import BackupReport
from scorer.api.print_protocol import PrintResult
from scorer.api.radio_protocol import RadioReport
from scorer.api.request import Request
from scorer.api.server import TableServer, listen_for_all
from scorer.config.sources import resolve
from scorer.display import screen_text
from scorer.hall.desk_protocol import DeskReport
from scorer.session.values.setup_view import LastHandsView, ListView
from scorer.session.values.shown import Screen
from scorer.store.journal import Stamp
from scorer.table.hooks import TableHooks
from scorer.table.main_loop import Inbox
from scorer.table.observers import StateObserver
from scorer.table.service import _build_hooks
from scorer.table.simulated_table import SimulatedTable
from scorer.table.startup import StoreHolder
from scorer.table.table import Table
from tests.support.fake_settings import FakeSettings
from tests.support.memory_hardware import MemoryHardware

START = 100.0  # seconds
PATIENCE = 60.0  # seconds: a slow machine with both cores busy
ARGENTINE = 'table.variant = "argentine"'
BOOT = "3b241101-e2bb-4255-8caf-4136c566a962"
WALL = "2026-05-01T21:00:00+00:00"
Report = TypeVar("Report", PrintResult, BackupReport, DeskReport, RadioReport)


def stamp(now: float) -> Stamp:
    """A stamp derived from the simulated time."""
    return Stamp(BOOT, int(now * 1000), WALL, trusted=True)


class InProcessTable:
    """A table moved by its caller.

    The ``wait_`` methods answer the requests of its socket until a report comes.
    """

    def __init__(self, simulated: SimulatedTable, store: StoreHolder, inbox: Inbox) -> None:
        self.simulated, self.store, self._inbox = simulated, store, inbox

    @property
    def table(self) -> Table:
        """The table, which another one replaces after a change of settings."""
        return self.simulated.table

    @property
    def now(self) -> float:
        return self.simulated.hardware.clock()

    def press(self, *buttons: str, held: float = 0.1, then: float = 5.0) -> None:
        """Press each of these buttons, and wait this many seconds after it."""
        for button in buttons:
            down, up = self.now, self.now + held
            self.simulated.advance([(down, button, 0), (up, button, 1)], up + then)

    def enter_code(self, code: str) -> None:
        """Turn to each digit of the owner's code by the shorter way, and take it."""
        for digit in map(int, code):
            turns = ("A.tantos",) * digit if digit <= 5 else ("B.tantos",) * (10 - digit)
            self.press(*turns, "A.quiero", then=0.9)

    def wait(self, seconds: float) -> None:
        self.simulated.settle(self.now + seconds)

    @property
    def score(self) -> dict[str, int]:
        return dict(self.table.document()["score"])

    @property
    def text(self) -> list[str]:
        return list(screen_text(self.table.view, self.table.language))

    def status_text(self) -> list[str]:
        """What the page of the status says."""
        for _ in range(10):
            if self.table.view.screen is Screen.STATUS:
                return self.text
            self.press("menu")
        raise AssertionError("MENU never came to the status")

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
        return self._wait_report(PrintResult)

    def wait_backup(self) -> BackupReport:
        return self._wait_report(BackupReport)

    def wait_password(self) -> DeskReport:
        return self._wait_report(DeskReport)

    def wait_box_key(self) -> RadioReport:
        return self._wait_report(RadioReport)

    def answer_until(self, is_done: Callable[[], bool]) -> None:
        """Answer requests until the condition holds; no report may come before."""
        while not is_done():
            try:
                item = self._inbox.get(timeout=0.05)
            except queue.Empty:
                continue
            assert isinstance(item, Request)
            self.simulated.handle_request(item)

    def _wait_report(self, kind: type[Report]) -> Report:
        while isinstance(item := self._inbox.get(timeout=PATIENCE), Request):
            self.simulated.handle_request(item)
        assert isinstance(item, kind)
        self.table.on_report(item, self.now)
        return item


@contextmanager
def table_in_process(
    store: Path,
    owner_text: str = ARGENTINE,
    stamps: Callable[[float], Stamp] = stamp,
    observer: StateObserver | None = None,
    hooks: TableHooks | None = None,
    inbox: Inbox | None = None,
) -> Iterator[InProcessTable]:
    """A table on ``store``, powered on with this text of its owner."""
    with ExitStack() as stack:
        holder = StoreHolder(store, stack)
        hardware = MemoryHardware(start=START)
        simulated = SimulatedTable(
            owner_text, hardware, holder, stamps, observer=observer, hooks=hooks
        )
        stack.callback(simulated.close)
        yield InProcessTable(simulated, holder, inbox or queue.SimpleQueue())


@contextmanager
def running_table(folder: Path, config: str) -> Iterator[InProcessTable]:
    """A table in this process, with its socket, as ``scorer run`` would make it."""
    inbox: Inbox = queue.SimpleQueue()
    chosen = resolve(config, None, FakeSettings())
    assert chosen.problems == ()
    server = TableServer(listen_for_all(chosen.config.socket_path), "truco", inbox.put)
    server.start()
    with ExitStack() as stack:
        stack.callback(server.close)
        hooks = _build_hooks(chosen.config, inbox, folder / "store", None)
        table = stack.enter_context(
            table_in_process(folder / "store", config, stamp, server, hooks, inbox)
        )
        assert not table.table.has_failed
        yield table
