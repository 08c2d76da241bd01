"""The order of what leaves the table around a commit.

The list is in architecture.md, "After a commit".
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scorer.api.print_protocol import PrintResult
from scorer.api.request import Request
from scorer.api.rights import Right
from scorer.hw.outputs.memory import MemoryBuzzer, MemoryLamp
from scorer.hw.ports import Phrase
from scorer.session.values.state import Sound
from scorer.store.journal import Journal, Stamp
from scorer.store.salvage import SalvageResult
from scorer.table.buzzer_phrases import PHRASES
from scorer.table.hooks import TableHooks
from scorer.table.observers import NullObserver
from scorer.table.print_client import PrintClient
from scorer.table.simulated_table import SimulatedTable
from tests.support.memory_display import MemoryDisplay, Options
from tests.support.memory_hardware import MemoryHardware

if TYPE_CHECKING:
    from PIL.Image import Image

START = 100.0  # seconds
Log = list[str]
AFTER_A_PRESS = ["commit", "stored", "sound", "picture", "lamp", "state 1"]


class LoggedDisplay(MemoryDisplay):
    def __init__(self, log: Log) -> None:
        super().__init__(Options())
        self._log = log

    def show(self, image: Image) -> None:
        self._log.append("picture")
        super().show(image)


class LoggedLamp(MemoryLamp):
    def __init__(self, log: Log) -> None:
        super().__init__()
        self._log = log

    def set(self, on: bool) -> None:
        self._log.append("lamp")
        super().set(on)


class LoggedBuzzer(MemoryBuzzer):
    def __init__(self, log: Log) -> None:
        super().__init__()
        self._log = log

    def play(self, phrase: Phrase, now: float) -> float | None:
        self._log.append("refusal" if phrase == PHRASES[Sound.REFUSED] else "sound")
        return super().play(phrase, now)


class LoggedClient(NullObserver):
    def __init__(self, log: Log) -> None:
        self._log = log

    def publish(self, state: dict[str, Any], seq: int) -> None:
        self._log.append(f"state {seq}")

    def reply(self, client: int, message: dict[str, Any]) -> None:
        self._log.append("reply")


class LoggedPrinter(PrintClient):
    """The client of a guest; ``due``: the slip of game 1 is due at its next turn."""

    def __init__(self, log: Log) -> None:
        super().__init__(Path("/nowhere"), lambda result: None, auto_print=True)
        self._log, self.due = log, False

    def auto_print_due(self, game: int, now: float, *, won: bool) -> int | None:
        self._log.append("guest")
        due, self.due = self.due, False
        return 1 if due else None

    def request_slip(self, game: int, language: str) -> PrintResult:
        return PrintResult.SENT


class LoggedStore:
    """A store whose commits are in the log; ``is_full`` makes them fail."""

    salvaged: SalvageResult | None = None
    store_replaced = False

    def __init__(self, folder: Path, log: Log) -> None:
        self.is_full = False
        store = self

        class Connection(sqlite3.Connection):
            def execute(self, sql: str, *values: object) -> sqlite3.Cursor:
                if sql == "COMMIT":
                    if store.is_full:
                        raise sqlite3.OperationalError("database or disk is full")
                    log.append("commit")
                return super().execute(sql, *values)  # type: ignore[arg-type]

        def connect(path: Path) -> sqlite3.Connection:
            return sqlite3.connect(path, isolation_level=None, factory=Connection)

        self.journal = Journal.open(folder, connector=connect)

    def retry_open(self) -> bool:
        return True


@contextmanager
def logged_table(
    folder: Path, log: Log | None = None, printer: PrintClient | None = None
) -> Iterator[tuple[SimulatedTable, LoggedStore, Log]]:
    log = [] if log is None else log
    hardware = MemoryHardware(start=START)
    hardware.displays = {"A": LoggedDisplay(log)}
    hardware.lamp_drivers = {side: LoggedLamp(log) for side in "AB"}
    hardware.buzzer = LoggedBuzzer(log)
    store = LoggedStore(folder, log)
    table = SimulatedTable(
        'table.variant = "argentine"',
        hardware,
        store,
        lambda now: Stamp("boot", int(now * 1000), "2026-05-01T21:00:00+00:00", trusted=True),
        observer=LoggedClient(log),
        hooks=TableHooks(on_stored=lambda: log.append("stored"), print_client=printer),
    )
    try:
        yield table, store, log
    finally:
        table.close()
        store.journal.close()


def order(log: Log) -> Log:
    """Each kind of event where it first occurred."""
    return list(dict.fromkeys(log))


def tap(button: str) -> Sequence[tuple[float, str, int]]:
    return [(START + 1.0, button, 0), (START + 1.1, button, 1)]


def test_a_press_is_stored_before_anything_of_it_leaves_the_table(tmp_path: Path) -> None:
    with logged_table(tmp_path / "store") as (table, _, log):
        log.clear()
        table.advance(tap("A.truco"), START + 1.5)
        assert order(log) == AFTER_A_PRESS


def test_a_step_of_a_request_is_answered_after_its_state_was_published(tmp_path: Path) -> None:
    with logged_table(tmp_path / "store") as (table, _, log):
        log.clear()
        step = {"id": 1, "do": "step", "line": "A truco", "seq": 0, "who": "phone"}
        table.handle_request(Request(1, step, Right.TABLE, "root"))
        assert order(log) == [*AFTER_A_PRESS, "reply"]


def test_a_press_that_is_not_stored_leaves_a_refusal_and_a_notice(tmp_path: Path) -> None:
    with logged_table(tmp_path / "store") as (table, store, log):
        log.clear()
        store.is_full = True
        table.advance(tap("A.truco"), START + 1.5)
        assert log == ["refusal", "picture"]
        assert table.report()["state"]["seq"] == 0


def test_no_guest_works_before_the_outputs_of_a_press(tmp_path: Path) -> None:
    log: Log = []
    with logged_table(tmp_path / "store", log, LoggedPrinter(log)) as (table, _, _):
        table.move_pin("A.truco", 0, START + 1.0)
        log.clear()
        table.tick(START + 1.1)
        assert order(log) == [*AFTER_A_PRESS, "guest"]


def test_what_a_guest_changes_after_the_picture_is_shown_in_the_same_turn(tmp_path: Path) -> None:
    log: Log = []
    printer = LoggedPrinter(log)
    with logged_table(tmp_path / "store", log, printer) as (table, _, _):
        table.advance(tap("A.truco"), START + 1.5)
        log.clear()
        printer.due = True
        table.tick(START + 2.0)
        assert log[-2:] == ["guest", "picture"]
        assert table.table.session.notice is not None
        assert table.table.session.notice.key is PrintResult.SENT
