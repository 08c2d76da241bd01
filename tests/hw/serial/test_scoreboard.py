"""The big scoreboard: what it is told, and that it is told again by a port that comes and goes.

Over real pseudo-terminals; the thread of the driver is waited for by what it says.
"""

from __future__ import annotations

import os
import queue
import re
import select
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import unquote

import pytest

from scorer.api.scoreboard_protocol import MAX_NAME_CHARS, encode_no_score, encode_state
from scorer.hw.boards import scoreboard
from scorer.hw.boards.scoreboard import Options
from scorer.hw.options import OptionsError, build
from scorer.hw.serial.lines import MAX_LINE, LineBuffer, seal, unseal
from scorer.rules import (
    Game,
    apply,
    header_of,
    legal,
    parse_step,
    state_document,
    variant_ids,
)
from scorer.table.observers import NullObserver
from scorer.table.scoreboard_publisher import ScoreboardPublisher
from tests.hw.serial.ptys import Cable
from tests.support.service_process import configuration, connected_client, running_service

PATIENCE = 30.0  # seconds: a slow machine with both cores busy
NEVER = 3600.0  # a beat that a test does not wait for


class Wall:
    """A scoreboard at the other end of a cable, and what its driver says of the port."""

    def __init__(self, cable: Cable) -> None:
        self.cable = cable
        self.news: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._lines, self._waiting = LineBuffer(), list[bytes]()
        self.noise = 0

    def line(self) -> str:
        """The next line whose seal fits."""
        return next(self._heard())

    def until(self, wanted: str) -> list[str]:
        """Every line up to this one."""
        told = [self.line()]
        while told[-1] != wanted:
            told.append(self.line())
        return told

    def until_score(self, wanted: str) -> list[str]:
        """Every line up to one with this score."""
        told = [self.line()]
        while not told[-1].startswith(f"S1 score {wanted} "):
            told.append(self.line())
        return told

    def _heard(self) -> Iterator[str]:
        while True:
            while self._waiting:
                words = unseal(self._waiting.pop(0))
                self.noise += words is None
                if words is not None:
                    yield words
            descriptor = self.cable.descriptor
            assert select.select([descriptor], [], [], PATIENCE)[0], "the scoreboard hears nothing"
            self._waiting += self._lines.feed(os.read(descriptor, 65536))

    def bytes(self, count: int) -> bytes:
        """So many, as they come."""
        told = b""
        while len(told) < count:
            assert select.select([self.cable.descriptor], [], [], PATIENCE)[0]
            told += os.read(self.cable.descriptor, count - len(told))
        return told

    def out_and_in(self) -> None:
        """The plug, and the driver has noticed both."""
        self.cable.pull()
        assert _next(self.news, empty=False)
        self.cable.plug()
        assert _next(self.news, empty=True) == ""

    def plug(self) -> None:
        self._waiting = []
        self._lines.reset()
        self.cable.plug()


@contextmanager
def board_at(folder: Path, *, beat: float = NEVER, plugged: bool = True) -> Iterator[Any]:
    """A driver that is open, and the wall that it speaks to."""
    wall = Wall(Cable(folder / "port"))
    if plugged:
        wall.plug()
    options = Options(str(wall.cable.path))
    board = scoreboard.create(options, on_fault=wall.news.put, pauses=(0.01,), resend_interval=beat)
    board.open()
    try:
        yield board, wall
    finally:
        board.close()
        wall.cable.pull()


def test_news_are_said_at_once_and_once(tmp_path: Path) -> None:
    with board_at(tmp_path) as (board, wall):
        for score in ("S1 score A=0", "S1 score A=1", "S1 score A=2"):
            board.send([score])
            assert wall.line() == score


def test_a_change_is_at_most_one_update_and_the_last_one_is_never_left_out(tmp_path: Path) -> None:
    with board_at(tmp_path) as (board, wall):
        for number in range(500):
            board.send([f"S1 score A={number}"])
        told = wall.until("S1 score A=499")
    numbers = [int(line.rpartition("=")[2]) for line in told]
    assert numbers == sorted(set(numbers))


def test_a_wall_that_does_not_read_hears_whole_lines_and_the_newest_at_last(tmp_path: Path) -> None:
    """Its buffer is full long before that: nobody waits, and no half line is gone on with."""
    filling = "x" * 200
    with board_at(tmp_path) as (board, wall):
        for number in range(200):
            board.send([f"S1 {filling} {number}"])
        board.send(["S1 last"])
        told = wall.until("S1 last")
        assert wall.noise == 0
    assert len(told) < 200


def test_the_same_is_said_again_to_a_wall_that_may_have_been_off(tmp_path: Path) -> None:
    with board_at(tmp_path, beat=0.01) as (board, wall):
        board.send(["S1 names A=N", "S1 score A=3"])
        told = [wall.line() for _ in range(6)]
    assert told == ["S1 names A=N", "S1 score A=3"] * 3


def test_a_hundred_unplugs_and_each_time_everything_is_said_again(tmp_path: Path) -> None:
    with board_at(tmp_path) as (board, wall):
        for number in range(100):
            board.send(["S1 names A=N", f"S1 score A={number}"])
            wall.until(f"S1 score A={number}")
            wall.cable.pull()
            assert _next(wall.news, empty=False)
            wall.plug()
            assert wall.until(f"S1 score A={number}") == ["S1 names A=N", f"S1 score A={number}"]
            assert _next(wall.news, empty=True) == ""


def test_a_plug_pulled_after_any_byte_leaves_whole_lines_alone(tmp_path: Path) -> None:
    """The wall has its own power and remembers half a line; it shows whole ones and no other."""
    said = ["S1 names A=N", "S1 score A=7"]
    everything = b"\n" + b"".join(map(seal, said))  # what each opening begins with
    with board_at(tmp_path) as (board, wall):
        board.send(said)
        for count in range(len(everything) + 1):
            lines = LineBuffer()
            shown = [unseal(line) for line in lines.feed(wall.bytes(count))]
            wall.out_and_in()
            shown += [unseal(line) for line in lines.feed(wall.bytes(len(everything)))]
            assert shown[-2:] == said
            assert set(shown) <= {None, *said}
            wall.out_and_in()


def test_a_port_that_is_not_there_is_told_once_and_then_that_it_is(tmp_path: Path) -> None:
    with board_at(tmp_path, plugged=False) as (board, wall):
        board.send(["S1 score A=1"])
        assert "it is not there" in _next(wall.news, empty=False)
        wall.plug()
        assert wall.line() == "S1 score A=1"
        assert _next(wall.news, empty=True) == ""
        assert wall.news.empty()


def test_what_a_wall_babbles_is_not_heard(tmp_path: Path) -> None:
    with board_at(tmp_path) as (board, wall):
        for number in range(50):
            wall.cable.send_to_table(os.urandom(4000))
            board.send([f"S1 score A={number}"])
            wall.until(f"S1 score A={number}")


def test_it_can_be_closed_at_any_moment(tmp_path: Path) -> None:
    board = scoreboard.create(Options(str(tmp_path / "nothing")))
    board.close()
    for _ in range(3):
        board.open()
        board.send(["S1 score A=1"])
        board.close()
        board.close()


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"port": "ttyUSB0"}, "port: 'ttyUSB0' is no path like"),
        ({"port": "/dev/ttyUSB0", "baud": 1200}, "baud: 1200 is not one of 9600"),
    ],
)
def test_a_port_that_cannot_be_is_refused_in_a_sentence(
    values: dict[str, object], sentence: str
) -> None:
    with pytest.raises(OptionsError, match=sentence):
        build(Options, values)


# ---- what it says -------------------------------------------------------------------------------


def after(variant: str, *steps: str) -> Game:
    """A game of this variant in which this was said."""
    game = header_of([("Variant", variant)]).game()
    for line in steps:
        game = apply(game, parse_step(line, game.rules))
    return game


def document(game: Game, **names: str) -> dict[str, Any]:
    return {**state_document(game), "seq": 1, "names": names}


def test_a_pending_call_is_told_with_both_outcomes() -> None:
    state = document(after("argentine", "A award 18", "A truco"), A="Los Pibes", B="Ñandú & Cía")
    assert encode_state(state) == (
        "S1 names A=Los%20Pibes B=%C3%91and%C3%BA%20%26%20C%C3%ADa",
        "S1 score A=18 B=0 A.said=3b B.said=0m target=30 games=0:0 hand=1 mano=A "
        "phase=pending_truco stake=1 call=truco by=A yes=2 no=1 winner=- gallo=- pot=-",
    )


def test_a_name_is_cut_between_two_letters() -> None:
    line, _ = encode_state(document(after("argentine"), A="Ñ" * 40, B=""))
    _, _, name, nobody = line.split(" ")
    assert len(name) <= MAX_NAME_CHARS + len("A=")
    assert set(unquote(name.removeprefix("A="))) == {"Ñ"}
    assert nobody == "B=-"


def test_a_price_that_depends_on_who_wins_names_both() -> None:
    state = document(after("argentine"))
    pending = {"by": "A", "call": "falta_envido", "quiero": {"A": 12, "B": 3}, "no_quiero": 1}
    assert "yes=A12/B3 no=1" in encode_state({**state, "pending": pending})[1]


@pytest.mark.parametrize("variant", variant_ids())
def test_every_state_of_a_random_night_is_a_line_that_is_short_enough(variant: str) -> None:
    chance, game = Random(7), after(variant)
    longest = 0
    for _ in range(400):
        steps = legal(game)
        game = apply(game, chance.choice(steps)) if steps else after(variant)
        for line in encode_state(document(game, A="Ñ" * 40, B="Ñ" * 40, C="Ñ" * 40)):
            longest = max(longest, len(seal(line)))
            words = line.split(" ")
            assert words[0] == "S1"
            assert all(re.fullmatch(r"[A-Za-z.]+=[\w:/%.-]+", word) for word in words[2:]), line
    assert longest <= MAX_LINE


class Told:
    """A board that keeps what it is told."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, ...]] = []

    def send(self, lines: Sequence[str]) -> None:
        self.lines.append(tuple(lines))


def test_every_board_hears_every_change_and_that_there_is_no_score() -> None:
    boards = Told(), Told()
    outside = ScoreboardPublisher(NullObserver(), boards)
    state = document(after("argentine"))
    outside.publish(state, 1)
    outside.publish_unavailable()
    assert boards[0].lines == boards[1].lines == [encode_state(state), encode_no_score()]


# ---- at a table ---------------------------------------------------------------------------------


def test_a_table_tells_its_wall_and_a_lost_one_stands_in_the_journal(tmp_path: Path) -> None:
    wall = Wall(Cable(tmp_path / "port"))
    wall.plug()
    text = f'[[scoreboard]]\nport = "{wall.cable.path}"\n'
    with running_service(tmp_path, configuration(tmp_path, text)) as table:
        assert wall.until_score("A=0 B=0")[0] == "S1 names A=- B=-"
        with connected_client(table.path) as calling:
            seq = calling.next_state()["seq"]
            assert calling.ask(do="step", line="A award 3", seq=seq)["ok"]
        assert wall.until_score("A=3 B=0")
        wall.cable.pull()
        wall.plug()
        assert wall.until_score("A=3 B=0"), "it is told again by itself"
        assert table.stop() == 0
        assert f"scoreboard {wall.cable.path}: it was unplugged" in table.stderr_text
    wall.cable.pull()


def _next(news: queue.SimpleQueue[str], *, empty: bool) -> str:
    """The next thing that is told of the port."""
    told = news.get(timeout=PATIENCE)
    while bool(told) is empty:
        told = news.get(timeout=PATIENCE)
    return told
