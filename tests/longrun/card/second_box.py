"""A second box of a hall: a table in this process, and ``scorer link``."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from scorer.session.values.setup_view import ListView
from scorer.session.values.shown import HallState, HallView
from tests.link.test_command import started
from tests.support.in_process_table import running_table

PATIENCE = 300.0  # seconds for an emulated hub
CONFIG = """
[table]
language = "en"
time_zone = "America/Montevideo"
variant = "argentine"
[socket]
path = "{folder}/table.sock"
[store]
directory = "{folder}/store"
"""


class SecondBox:
    """A table, and its link, which knows the hub at a port of this machine; a context."""

    def __init__(self, folder: Path, port: int) -> None:
        self._folder, self._port, self._stack = folder, port, ExitStack()

    def __enter__(self) -> Self:
        place, link = self._folder / "scorer", self._folder / "link"
        for each in (place, link):
            each.mkdir(parents=True)
        self._table = self._stack.enter_context(running_table(place, CONFIG.format(folder=place)))
        (link / "table.sock").symlink_to(place / "table-hall.sock")
        config = f'[link]\nhub = "127.0.0.1:{self._port}"\n'
        self._stack.enter_context(started(link, config, STATE_DIRECTORY=str(link)))
        self.answer_until(lambda: self._hall.state is HallState.ALONE)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.__exit__(kind, error, trace)

    def press(self, *names: str) -> None:
        self._table.press(*names)

    def lines_to(self, key: str) -> int:
        """How often TANTOS of B leads to a line of set-up in a game at 2 to 0."""
        if not self._table.table.document()["score"]["A"]:
            self._table.press("A.truco", "B.quiero", "A.tantos", then=9.0)
        self._table.press("menu", held=1.5)
        keys = []
        for _ in range(60):
            keys.append(self._selected())
            self._table.press("B.tantos", then=0.5)
        self._table.press("menu")
        return keys.index(key)

    def ask_to_join(self) -> str:
        """Join the hall of the link in set-up; the digits on the panel."""
        self._table.choose("hall")
        self.answer_until(lambda: self._selected() == "hall_found")
        self._table.press("A.quiero")
        self.answer_until(lambda: bool(self._hall.digits))
        return self._hall.digits

    def say_same(self) -> None:
        """QUIERO, once the digits were there to be read: the desk shows them too."""
        self._table.wait(3.0)
        self._table.press("A.quiero")

    def is_member(self) -> bool:
        """Whether the desk has accepted it, after some time at most."""
        return self.answer_until(lambda: self._hall.is_member)

    def answer_until(self, is_done: Callable[[], bool]) -> bool:
        """Answer the link until the condition holds; False if it does not in time."""
        end = time.monotonic() + PATIENCE

        def is_over() -> bool:
            self._table.wait(0.0)
            return is_done() or time.monotonic() > end

        self._table.answer_until(is_over)
        return is_done()

    @property
    def _hall(self) -> HallView:
        return self._table.table.session.hall

    def _selected(self) -> str:
        setup = self._table.table.view.setup
        assert setup is not None and isinstance(setup.content, ListView)
        return setup.content.selected.key
