"""Tables that play recorded games, pressed at the pace of people, or faster."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from scorer.demo import buttons
from scorer.demo.table_process import TableCommand, TableEnded, TableProcess, TableReport
from tests.longrun import recorded_games
from tests.longrun.recorded_games import Player

Game = Mapping[str, Any]
OTHER = {"A": "B", "B": "A", "-": "-"}


class Stopped(Exception):
    """The evening is over."""


class PacedTable:
    """A table whose simulated time passes in real time, divided by ``speed``."""

    def __init__(self, table: TableProcess, speed: float, stop: threading.Event) -> None:
        self._table, self._speed, self._stop = table, speed, stop

    @property
    def report(self) -> TableReport:
        return self._table.report

    def advance(self, edges: Sequence[buttons.PinEdge], until: float) -> TableReport:
        """Wait, then advance the table. Raises Stopped and TableEnded."""
        if self._stop.wait((until - self.report.now) / self._speed):
            raise Stopped
        return self._table.advance(edges, until)


class PlayedTable:
    """A table with a player in a thread; subclasses choose what is played."""

    def __init__(self, folder: Path, number: int, variant: str, mano: str, speed: float) -> None:
        self.socket = folder / f"table-{number}.sock"
        self.games_played = 0
        self.problem = ""
        self._speed, self._stop = speed, threading.Event()
        self._process = TableProcess(
            TableCommand(
                variant, f"mano={mano}", "es-AR", "full", 1,
                str(folder / f"store-{number}"), str(self.socket),
                names=(f"Equipo {2 * number - 1}", f"Equipo {2 * number}"),
            ).command(0.0)
        )  # fmt: skip
        self._thread = threading.Thread(target=self._play, name=f"table {number}")

    def start(self) -> None:
        self._process.start()
        self._thread.start()

    def pause(self) -> None:
        """Press no more; the table goes on."""
        self._stop.set()
        if self._thread.ident is not None:
            self._thread.join()

    def stop(self) -> None:
        """End the table too."""
        self.pause()
        self._process.close()

    def play_with(self, player: Player) -> str:
        """Play until Stopped is raised; a returned problem ends the thread."""
        raise NotImplementedError

    def _play(self) -> None:
        paced = PacedTable(self._process, self._speed, self._stop)
        try:
            self.problem = self.play_with(Player(paced, "full", seed=len(self.socket.name)))
        except Stopped:
            return
        except TableEnded as error:
            self.problem = str(error)


class RecordedTable(PlayedTable):
    """A table that plays one recorded game after another."""

    def __init__(
        self, folder: Path, number: int, games: Sequence[Game], speed: float, seed: int
    ) -> None:
        self._games, self._chance = games, Random(seed)
        self._first = self._chance.choice(games)
        variant, mano = self._first["variant"], self._first["options"]["mano"]
        super().__init__(folder, number, variant, mano, speed)

    def play_with(self, player: Player) -> str:
        game = self._first
        while not (problem := recorded_games.press_by(game, player).problem):
            self.games_played += 1
            player.wait(20)
            for side in ("A", "B"):
                player.press(f"{side}.quiero")
            game = with_mano(self._chance.choice(self._games), str(player.state["mano"]))
        return problem


def with_mano(game: Game, mano: str) -> Game:
    """The same game with ``mano`` as its first mano: the sides change places."""
    if game["options"]["mano"] == mano:
        return game
    steps = [(OTHER[side], action) for side, action in game["steps"]]
    expect = {key: _swapped(value) for key, value in game["expect"].items()}
    return {**game, "options": {"mano": mano}, "steps": steps, "expect": expect}


def _swapped(value: object) -> object:
    if isinstance(value, Mapping):
        return {OTHER.get(key, key): each for key, each in value.items()}
    return OTHER.get(value, value) if isinstance(value, str) else value


def games() -> list[Game]:
    """The games of gaucho that are kept or recorded."""
    return recorded_games.all_games("gaucho")
