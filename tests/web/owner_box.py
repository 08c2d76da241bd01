"""A box with a settings page: table, sockets, services.

All of them are real; only time and buttons of the table are the test's. systemctl is a file that
notes what it was asked for.
"""

from __future__ import annotations

import queue
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from scorer.api.backup_protocol import BackupReport, backup_socket_path
from scorer.api.request import Request
from scorer.api.rights import Right, socket_path
from scorer.api.server import TableServer, listen, listen_for_all
from scorer.api.settings_protocol import (
    MAX_LINE_BYTES,
    SettingsReport,
    TrialReport,
    settings_socket_path,
)
from scorer.backup.stick import StickCopies
from scorer.commands.settings import SettingsKeeper
from scorer.config.page_file import read_page
from scorer.session.values.setup_view import PairingView
from scorer.system import line_server
from scorer.table.backup_client import BackupClient
from scorer.table.hooks import TableHooks
from scorer.table.loop_commands import LoopCommand
from scorer.table.observers import StateObserver
from scorer.table.owner_settings import SettingsFiles
from scorer.table.settings_client import SettingsClient
from scorer.table.wiring_trial import TRIAL_S, TrialLedger
from tests.support.in_process_table import PATIENCE, InProcessTable, stamp, table_in_process
from tests.web.server_process import web

CODE = "403911"
CONFIG = f"""
[table]
variant = "argentine"
language = "es-AR"
[light]
dim = 90
[owner]
code = "{CODE}"
"""
Found = TypeVar("Found")


class OwnerBox:
    """A running box. ``do`` moves its table, in the thread of its requests."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.inbox, self.url = folder, queue.SimpleQueue[Any](), ""
        self._is_open, self._ends = threading.Event(), threading.Event()
        self._now = 0.0
        self.trials = TrialLedger(folder / "page", lambda: self._now)
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self, config: str, observer: StateObserver, hooks: TableHooks) -> None:
        self._config, self._observer, self._hooks = config, observer, hooks
        self._thread.start()
        assert self._is_open.wait(PATIENCE)

    def do(self, act: Callable[[InProcessTable], Found]) -> Found:
        done: Future[Found] = Future()
        self.inbox.put((act, done))
        return done.result(PATIENCE)

    def close(self) -> None:
        self._ends.set()
        self._thread.join()

    @property
    def saved(self) -> object:
        return read_page(self.folder / "page").values

    def show_digits(self) -> str:
        """Choose a new owner's phone in set-up, with the owner's code; the digits."""
        return self.do(_show_digits)

    def leave_setup(self) -> None:
        self.do(lambda table: table.press("menu", then=40.0))

    def play(self) -> None:
        self.do(lambda table: table.press("A.truco", "B.quiero"))

    def let_trial_end(self) -> None:
        """The minute of a trial passes without a press."""
        self.do(lambda table: table.wait(TRIAL_S + 1))

    def end_game(self) -> None:
        self.do(_end_game)

    def _run(self) -> None:
        """The store belongs to this thread."""
        while not self._ends.is_set():
            self._run_table()

    def _run_table(self) -> None:
        """Until the end, or a copy is put back: systemd starts the next process."""
        opened = (self.folder / "store", self._config, stamp, self._observer, self._hooks)
        self.trials.read_first()
        with table_in_process(*opened, self.inbox) as table:
            self._is_open.set()
            while not self._ends.is_set():
                self._now = table.now
                with suppress(queue.Empty):
                    self._take(table, self.inbox.get(timeout=0.02))
                    table.wait(0.05)
                if LoopCommand.STORE_RESTORED in table.simulated.commands:
                    return

    def _take(self, table: InProcessTable, item: Any) -> None:  # noqa: ANN401 - of the inbox
        if isinstance(item, Request):
            table.simulated.handle_request(item)
        elif isinstance(item, SettingsReport | TrialReport | BackupReport):
            table.table.on_report(item, table.now)
        else:
            act, done = item
            try:
                done.set_result(act(table))
            except BaseException as error:  # for the test
                done.set_exception(error)


def _show_digits(table: InProcessTable) -> str:
    table.choose("owners")
    table.press("A.quiero", then=0.9)
    table.enter_code(CODE)
    setup = table.table.view.setup
    assert setup is not None and isinstance(setup.content, PairingView)
    return setup.content.code


def show_phone_code(table: InProcessTable) -> str:
    """The digits for a new phone that presses."""
    table.choose("phones")
    table.press("A.quiero", then=1.0)
    setup = table.table.view.setup
    assert setup is not None and isinstance(setup.content, PairingView)
    return setup.content.code


def _end_game(table: InProcessTable) -> None:
    table.choose("end")
    table.press("A.quiero", then=1.0)
    table.press("A.quiero", "B.quiero", then=1.0)
    table.wait(40.0)


@contextmanager
def owner_box(folder: Path, copies: StickCopies | None = None) -> Iterator[OwnerBox]:
    """A box in ``folder``; ``copies``: its service of copies."""
    page, owner_file = folder / "page", folder / "scorer.toml"
    page.mkdir()
    owner_file.write_text(CONFIG, encoding="utf-8")
    path, box = folder / "table.sock", OwnerBox(folder)
    client = SettingsClient(settings_socket_path(path), box.inbox.put)
    server = TableServer(listen_for_all(path), "truco", box.inbox.put)
    server.start()
    hooks = TableHooks(
        owner_code=CODE,
        settings_files=SettingsFiles(CONFIG, None, page),
        request_settings=client.request,
        trials=box.trials,
        request_backup=BackupClient(
            backup_socket_path(path), folder / "store", box.inbox.put
        ).request,
    )
    keeper = SettingsKeeper(owner_file, folder / "none", page)
    try:
        with ExitStack() as stack:
            listener = stack.enter_context(listen(settings_socket_path(path)))
            _serve(listener, keeper.answer)
            if copies is not None:
                _serve(stack.enter_context(listen(backup_socket_path(path))), copies.answer)
            box.start(CONFIG, server, hooks)
            with web(socket_path(path, Right.TABLE), folder) as pages:
                box.url = pages.url
                yield box
    finally:
        box.close()
        server.close()


def _serve(listener: socket.socket, answer: Callable[[bytes], dict[str, Any]]) -> None:
    def run() -> None:
        with suppress(OSError):
            line_server.serve(listener, answer, MAX_LINE_BYTES, idle=300.0)

    threading.Thread(target=run, daemon=True).start()
