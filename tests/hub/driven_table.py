"""A real table in a hall: its process, pressed as by people, and its link."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from scorer.demo.table_process import TableCommand, TableProcess
from tests.hub.hub_process import HubProcess
from tests.longrun.hall.processes import link_process
from tests.longrun.recorded_games import Player

Json = dict[str, Any]
_LOOK = 1.0  # seconds at the table between two looks at its state


class DrivenTable:
    """A table that joined by a card; every step is a press of a button."""

    def __init__(self, hub: HubProcess, number: int, folder: Path) -> None:
        self.number = number
        folder.mkdir()
        socket = folder / "table.sock"
        store = str(folder / "store")
        command = TableCommand("argentine", "", "es-AR", "full", 1, store, str(socket))
        self._process = TableProcess(command.command(0.0))
        self._player = Player(self._process, "full", seed=number)
        words = ("cards", "--tables", f"{number}-{number}", "--out", str(folder))
        assert hub.run(*words, "--address", f"127.0.0.1:{hub.desk[1]}").returncode == 0
        self._link = link_process(number, folder, folder / f"table-{number}.toml", socket)

    def start(self) -> None:
        self._process.start()
        self._link.start()

    def close(self) -> None:
        """Cut the power of the box."""
        self._link.stop()
        self._process.kill()

    @property
    def match(self) -> Json:
        """The match of the state document; empty without one."""
        self._player.wait(_LOOK)
        return dict(self._player.state["match"] or {})

    @property
    def open_match(self) -> str:
        """The id of a match that waits for presses, or ""."""
        found = self.match
        is_open = found.get("phase") in ("offered", "accepted", "playing", "ended")
        return str(found["id"]) if is_open else ""

    @property
    def score(self) -> tuple[int, int]:
        points = self._player.state["score"]
        return points["A"], points["B"]

    def accept(self) -> None:
        self._press("A.quiero", "accepted")

    def win(self, side: str, hands: int) -> None:
        """Win hands without a call; a point each."""
        for _ in range(hands):
            self._player.press(f"{side}.tantos")

    def win_match(self, side: str) -> None:
        """Win by the falta until the match is over; both teams start each game."""
        other = {"A": "B", "B": "A"}[side]
        while self.match["phase"] in ("accepted", "playing"):
            if self._player.state["phase"] == "game_over":
                self.agree()
            self._player.press(f"{side}.envido", taps=3)
            self._player.press(f"{other}.quiero")
            self.win(side, 1)
            if self._player.state["phase"] == "playing":
                self.win(side, 1)

    def agree(self) -> None:
        """Press QUIERO at both consoles."""
        for side in ("A", "B"):
            self._player.press(f"{side}.quiero")

    def contest(self) -> None:
        self._press("B.no_quiero", "contested")

    def _press(self, button: str, phase: str) -> None:
        self._player.press(button)
        assert self.match["phase"] == phase


class DrivenHall:
    """The tables of a hub."""

    def __init__(self, hub: HubProcess, folder: Path, stack: ExitStack) -> None:
        self._hub, self._folder, self._stack = hub, folder, stack
        self._count = 0

    def add(self, number: int) -> DrivenTable:
        """A box that joins as this table; another one of that number may have been there."""
        self._count += 1
        table = DrivenTable(self._hub, number, self._folder / f"box-{self._count}")
        self._stack.callback(table.close)
        table.start()
        return table


@contextmanager
def driven_tables(hub: HubProcess, folder: Path) -> Iterator[DrivenHall]:
    """Tables that end with the block."""
    with ExitStack() as stack:
        yield DrivenHall(hub, folder, stack)
