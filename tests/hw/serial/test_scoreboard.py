"""The scoreboard driver and protocol: updates, repeats, reconnection.

Runs on real pseudo-terminals; tests wait for the driver's thread by what it sends.
"""

from __future__ import annotations

import os
import queue
import re
import select
import termios
import threading
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
from scorer.hw.serial.lines import MAX_LINE, LineBuffer, seal, unseal
from scorer.hw.serial.port import Port
from scorer.plain_values import WrongValues, read
from scorer.rules import Game, apply, header_of, legal, parse_step, state_document, variant_ids
from scorer.table.observers import NullObserver
from scorer.table.scoreboard_publisher import ScoreboardPublisher
from tests.hw.serial.ptys import Cable
from tests.sampling import amount
from tests.support.service_process import configuration, running_service
from tests.support.table_client import TableClient

PATIENCE = 30.0  # seconds; allows for a slow machine with both cores busy
NEVER = 3600.0  # seconds; a resend interval that a test does not wait for


class BoardEnd:
    """A scoreboard at the other end of a cable, and the fault reports of its driver."""

    def __init__(self, cable: Cable) -> None:
        self.cable = cable
        self.faults: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._lines, self._waiting = LineBuffer(), list[bytes]()
        self.noise = 0

    def line(self) -> str:
        """The next line with a valid checksum."""
        return next(self._heard())

    def until(self, wanted: str) -> list[str]:
        """All lines up to this one."""
        lines = [self.line()]
        while lines[-1] != wanted:
            lines.append(self.line())
        return lines

    def until_score(self, wanted: str) -> list[str]:
        """All lines up to one with this score."""
        lines = [self.line()]
        while not lines[-1].startswith(f"S1 score {wanted} "):
            lines.append(self.line())
        return lines

    def _heard(self) -> Iterator[str]:
        while True:
            while self._waiting:
                words = unseal(self._waiting.pop(0))
                self.noise += words is None
                if words is not None:
                    yield words
            descriptor = self.cable.descriptor
            assert select.select([descriptor], [], [], PATIENCE)[0], (
                "the scoreboard received nothing"
            )
            self._waiting += self._lines.feed(os.read(descriptor, 65536))

    def bytes(self, count: int) -> bytes:
        """Read exactly ``count`` bytes."""
        lines = b""
        while len(lines) < count:
            assert select.select([self.cable.descriptor], [], [], PATIENCE)[0]
            lines += os.read(self.cable.descriptor, count - len(lines))
        return lines

    def reconnect(self) -> None:
        """Unplug and plug in, waiting until the driver has reported both."""
        self.cable.pull()
        assert _next(self.faults, empty=False)
        self.cable.plug()
        assert _next(self.faults, empty=True) == ""

    def plug(self) -> None:
        self._waiting = []
        self._lines.reset()
        self.cable.plug()


@contextmanager
def board_at(
    folder: Path, *, resend_interval: float = NEVER, plugged: bool = True
) -> Iterator[Any]:
    """An open driver, and the scoreboard that it writes to."""
    end = BoardEnd(Cable(folder / "port"))
    if plugged:
        end.plug()
    options = Options(str(end.cable.path))
    board = scoreboard.create(
        options, on_fault=end.faults.put, pauses=(0.01,), resend_interval=resend_interval
    )
    board.open()
    try:
        yield board, end
    finally:
        board.close()
        end.cable.pull()


def test_an_update_is_sent_once_and_at_once(tmp_path: Path) -> None:
    with board_at(tmp_path) as (board, end):
        for score in ("S1 score A=0", "S1 score A=1", "S1 score A=2"):
            board.send([score])
            assert end.line() == score


def test_updates_may_be_skipped_but_never_the_last(tmp_path: Path) -> None:
    with board_at(tmp_path) as (board, end):
        for number in range(500):
            board.send([f"S1 score A={number}"])
        lines = end.until("S1 score A=499")
    numbers = [int(line.rpartition("=")[2]) for line in lines]
    assert numbers == sorted(set(numbers))


def test_a_stalled_scoreboard_gets_whole_lines_and_finally_the_newest(tmp_path: Path) -> None:
    """The buffer is full long before; the driver does not block and splits no line."""
    filling = "x" * 200
    with board_at(tmp_path) as (board, end):
        for number in range(200):
            board.send([f"S1 {filling} {number}"])
        board.send(["S1 last"])
        lines = end.until("S1 last")
        assert end.noise == 0
    assert len(lines) < 200


def test_the_newest_lines_are_repeated_periodically(tmp_path: Path) -> None:
    with board_at(tmp_path, resend_interval=0.01) as (board, end):
        board.send(["S1 names A=N", "S1 score A=3"])
        lines = [end.line() for _ in range(6)]
    assert lines == ["S1 names A=N", "S1 score A=3"] * 3


class PacedPort(Port):
    """A port whose reading lasts as long as it may.

    ``done`` is set after three repeats.
    """

    def __init__(self) -> None:
        super().__init__("/dev/paced")
        self.now, self.written, self.done = 0.0, list[float](), threading.Event()

    def open(self) -> None:
        """Do nothing: it is open."""

    def write(self, data: bytes) -> int:
        self.written.append(self.now)
        return len(data)

    def read(self, timeout: float) -> bytes:
        self.now += timeout
        if len(self.written) > 3:
            self.done.set()
        return b""


def test_a_message_is_repeated_after_each_interval_and_not_before() -> None:
    port = PacedPort()
    board = scoreboard.create(
        Options("/dev/paced"), resend_interval=10.0, now=lambda: port.now, port=lambda *_: port
    )
    board.send(["S1 score A=3"])
    board.open()
    assert port.done.wait(PATIENCE)
    board.close()
    assert port.written[:4] == [0.0, 10.0, 20.0, 30.0]


def test_everything_is_sent_again_after_each_of_a_hundred_reconnections(tmp_path: Path) -> None:
    with board_at(tmp_path) as (board, end):
        for number in range(100):
            board.send(["S1 names A=N", f"S1 score A={number}"])
            end.until(f"S1 score A={number}")
            end.cable.pull()
            assert _next(end.faults, empty=False)
            end.plug()
            assert end.until(f"S1 score A={number}") == ["S1 names A=N", f"S1 score A={number}"]
            assert _next(end.faults, empty=True) == ""


@pytest.mark.parametrize("call", ["tcsetattr", "tcflush", "tcgetattr"])
def test_a_board_that_is_unplugged_within_the_opening_is_found_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    """The kernel answers with an error of the module termios, which is no OSError."""
    with board_at(tmp_path, plugged=False) as (board, end):
        assert _next(end.faults, empty=False)
        real, tried = getattr(termios, call), threading.Event()

        def unplugged(*arguments: Any) -> Any:  # noqa: ANN401
            monkeypatch.setattr(termios, call, real)
            end.cable.pull()
            tried.set()
            return real(*arguments)

        monkeypatch.setattr(termios, call, unplugged)
        board.send(["S1 score A=1"])
        end.plug()
        assert tried.wait(PATIENCE)
        end.plug()
        assert end.line() == "S1 score A=1"


def test_unplugging_after_any_byte_corrupts_no_line(tmp_path: Path) -> None:
    """The scoreboard keeps its power and half a line; it shows whole lines only."""
    sent = ["S1 names A=N", "S1 score A=7"]
    everything = b"\n" + b"".join(map(seal, sent))  # what the driver sends on each opening
    with board_at(tmp_path) as (board, end):
        board.send(sent)
        for count in range(len(everything) + 1):
            lines = LineBuffer()
            shown = [unseal(line) for line in lines.feed(end.bytes(count))]
            end.reconnect()
            shown += [unseal(line) for line in lines.feed(end.bytes(len(everything)))]
            assert shown[-2:] == sent
            assert set(shown) <= {None, *sent}
            end.reconnect()


def test_a_missing_port_is_reported_once_and_then_its_recovery(tmp_path: Path) -> None:
    with board_at(tmp_path, plugged=False) as (board, end):
        board.send(["S1 score A=1"])
        assert "it is not there" in _next(end.faults, empty=False)
        end.plug()
        assert end.line() == "S1 score A=1"
        assert _next(end.faults, empty=True) == ""
        assert end.faults.empty()


def test_data_from_the_scoreboard_is_ignored(tmp_path: Path) -> None:
    with board_at(tmp_path) as (board, end):
        for number in range(50):
            end.cable.send_to_table(os.urandom(4000))
            board.send([f"S1 score A={number}"])
            end.until(f"S1 score A={number}")


def test_it_can_be_closed_at_any_time(tmp_path: Path) -> None:
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
def test_invalid_options_are_refused_with_a_sentence(
    values: dict[str, object], sentence: str
) -> None:
    with pytest.raises(WrongValues, match=sentence):
        read(Options, values)


# ---- the protocol -------------------------------------------------------------------------------


def after(variant: str, *steps: str) -> Game:
    """A game of this variant after these steps."""
    game = header_of([("Variant", variant)]).game()
    for line in steps:
        game = apply(game, parse_step(line, game.rules))
    return game


def document(game: Game, **names: str) -> dict[str, Any]:
    return {**state_document(game), "seq": 1, "names": names}


def test_a_pending_call_is_sent_with_both_outcomes() -> None:
    state = document(after("argentine", "A award 18", "A truco"), A="Los Pibes", B="Ñandú & Cía")
    assert encode_state(state) == (
        "S1 names A=Los%20Pibes B=%C3%91and%C3%BA%20%26%20C%C3%ADa",
        "S1 score A=18 B=0 A.said=3b B.said=0m target=30 games=0:0 hand=1 mano=A "
        "phase=pending_truco stake=1 call=truco by=A yes=2 no=1 winner=- gallo=- pot=-",
    )


def test_a_long_name_is_cut_between_two_characters() -> None:
    line, _ = encode_state(document(after("argentine"), A="Ñ" * 40, B=""))
    _, _, name, other_name = line.split(" ")
    assert len(name) <= MAX_NAME_CHARS + len("A=")
    assert set(unquote(name.removeprefix("A="))) == {"Ñ"}
    assert other_name == "B=-"


def test_a_stake_that_depends_on_the_winner_names_both() -> None:
    state = document(after("argentine"))
    pending = {"by": "A", "call": "falta_envido", "quiero": {"A": 12, "B": 3}, "no_quiero": 1}
    assert "yes=A12/B3 no=1" in encode_state({**state, "pending": pending})[1]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("variant", variant_ids())
def test_every_state_of_a_random_game_fits_a_line(variant: str) -> None:
    chance, game = Random(7), after(variant)
    longest = 0
    for _ in range(amount(120, 400)):
        steps = legal(game)
        game = apply(game, chance.choice(steps)) if steps else after(variant)
        for line in encode_state(document(game, A="Ñ" * 40, B="Ñ" * 40, C="Ñ" * 40)):
            longest = max(longest, len(seal(line)))
            words = line.split(" ")
            assert words[0] == "S1"
            assert all(re.fullmatch(r"[A-Za-z.]+=[\w:/%.-]+", word) for word in words[2:]), line
    assert longest <= MAX_LINE


class RecordingBoard:
    """A board that records its lines."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, ...]] = []

    def send(self, lines: Sequence[str]) -> None:
        self.lines.append(tuple(lines))


def test_every_board_gets_every_change_and_the_loss_of_the_score() -> None:
    boards = RecordingBoard(), RecordingBoard()
    publisher = ScoreboardPublisher(NullObserver(), boards)
    state = document(after("argentine"))
    publisher.publish(state, 1)
    publisher.publish_unavailable()
    assert boards[0].lines == boards[1].lines == [encode_state(state), encode_no_score()]


# ---- with a table -------------------------------------------------------------------------------


def test_a_table_updates_its_scoreboard_and_logs_a_lost_one(tmp_path: Path) -> None:
    end = BoardEnd(Cable(tmp_path / "port"))
    end.plug()
    text = f'[[scoreboard]]\nport = "{end.cable.path}"\n'
    with running_service(tmp_path, configuration(tmp_path, text)) as table:
        assert end.until_score("A=0 B=0")[0] == "S1 names A=- B=-"
        with TableClient(table.path) as client:
            seq = client.next_state()["seq"]
            assert client.ask(do="step", line="A award 3", seq=seq)["ok"]
        assert end.until_score("A=3 B=0")
        end.cable.pull()
        end.plug()
        assert end.until_score("A=3 B=0"), "the score was not sent again"
        assert table.stop() == 0
        assert f"scoreboard {end.cable.path}: it was unplugged" in table.stderr_text
    end.cable.pull()


def _next(faults: queue.SimpleQueue[str], *, empty: bool) -> str:
    """The next fault report that is (not) empty."""
    lines = faults.get(timeout=PATIENCE)
    while bool(lines) is empty:
        lines = faults.get(timeout=PATIENCE)
    return lines
