"""What a box says over a line that loses, doubles, cuts and garbles; no port and no thread here.

A story is fingers on a box, a line that treats it badly, and what came out at the other end.
"""

from __future__ import annotations

import random
from typing import NamedTuple

import pytest

from scorer.hw.serial.box_lines import (
    BUTTONS,
    MAX_CHANGES,
    MEMORY,
    BoxMessage,
    BoxTracker,
    Change,
    InitialLevels,
    Move,
    UnknownVersion,
    decode_line,
    encode_message,
)
from scorer.hw.serial.lines import MAX_LINE, LineBuffer, seal, unseal
from tests.hw.serial.button_box_model import FakeBox

SAID = BoxMessage("3f2a", 0x0017, 0x0010, 918233, (Change(4, True, 0), Change(6, False, 35)))
LINE = b"T1 3f2a 0017 0010 918233 +4:0 -6:35 %s\n"

# ---- a line -------------------------------------------------------------------------------------


def test_a_line_is_words_that_a_person_can_read_and_a_seal() -> None:
    line = encode_message(SAID)
    assert line.startswith(b"T1 3f2a 0017 0010 918233 +4:0 -6:35 ")
    assert decode_line(line.rstrip(b"\n")) == SAID


def test_the_seal_is_the_usual_crc() -> None:
    """The check value of CRC-32 in every catalogue: of 123456789 it is cbf43926."""
    assert seal("123456789") == b"123456789 cbf43926\n"


def test_the_longest_line_is_a_line() -> None:
    changes = tuple(Change(15, at % 2 == 0, 9999) for at in range(MAX_CHANGES))
    said = BoxMessage("ffff", 0xFFFF, 0xFFFF, 4294967295, changes)
    assert decode_line(encode_message(said).rstrip(b"\n")) == said


def test_every_flipped_bit_and_every_cut_is_noticed() -> None:
    line = encode_message(SAID).rstrip(b"\n")
    for at in range(len(line)):
        assert decode_line(line[:at]) is None
        assert decode_line(line[at + 1 :]) is None
        for bit in range(8):
            assert decode_line(line[:at] + bytes([line[at] ^ 1 << bit]) + line[at + 1 :]) is None


@pytest.mark.parametrize(
    "words",
    [
        "",
        "T1",
        "T1 3f2a 0017 0010",
        "T1 3F2A 0017 0010 5",  # capitals
        "T1 3f2a 17 0010 5",
        "T1 3f2a 0017 0010 -5",
        "T1 3f2a 0017 0010 4294967296",  # more than 32 bits
        "T1 3f2a 0017 0010 5 +4",
        "T1 3f2a 0017 0010 5 *4:0",
        "T1 3f2a 0017 0010 5 +16:0",  # there is no such button
        "T1 3f2a 0017 0010 5 -4:0",  # it is down, and has just gone up?
        "T1 3f2a 0017 0010 5 +4:0 +4:9",  # down twice
        "T1 3f2a 0017 0010 5 +4:9 -6:3",  # the newest comes first
        "T1 3f2a 0000 0000 5" + " -1:0 +1:0" * 9,  # more than there can be
        "T 3f2a 0017 0010 5",
        "S1 12 9",  # a scoreboard's
    ],
)
def test_what_is_sealed_and_still_no_line_is_noise(words: str) -> None:
    assert decode_line(seal(words).rstrip(b"\n")) is None


def test_a_box_of_another_version_is_known_whatever_it_says() -> None:
    assert decode_line(seal("T2 anything at all").rstrip(b"\n")) == UnknownVersion(2)
    assert decode_line(seal("T0").rstrip(b"\n")) == UnknownVersion(0)
    assert decode_line(b"T2 anything at all 00000000") is None


@pytest.mark.parametrize("text", ["a\nb", "a\r", "x" * MAX_LINE])
def test_what_would_be_no_line_is_not_sealed(text: str) -> None:
    with pytest.raises(ValueError, match="no line"):
        seal(text)


def test_a_letter_of_another_alphabet_is_no_line() -> None:
    with pytest.raises(ValueError, match="ascii"):
        seal("ñ")
    assert unseal("ñ 00000000".encode()) is None


# ---- lines out of pieces ------------------------------------------------------------------------


def test_lines_are_found_however_they_are_cut() -> None:
    text = b"one\ntwo\r\n\nthree\nfo"
    for at in range(len(text)):
        lines = LineBuffer()
        assert lines.feed(text[:at]) + lines.feed(text[at:]) == [b"one", b"two", b"three"]
        assert lines.feed(b"ur\n") == [b"four"]


def test_noise_without_an_end_neither_grows_nor_hides_the_next_line() -> None:
    lines = LineBuffer()
    for _ in range(1000):
        assert lines.feed(b"x" * 1000) == []
    assert len(lines._rest) <= MAX_LINE
    assert [decode_line(line) for line in lines.feed(b"\n" + encode_message(SAID))] == [None, SAID]


# ---- stories ------------------------------------------------------------------------------------


class Story(NamedTuple):
    """What fingers did, and what was told of it."""

    done: list[Move]
    told: list[InitialLevels | Move]

    @property
    def moves(self) -> list[Move]:
        return [each for each in self.told if isinstance(each, Move)]


class BadLine:
    """Carries lines to a follower, late by some milliseconds, and badly."""

    def __init__(self, chance: random.Random, *, most_lost: int, bad: float) -> None:
        self._chance, self._most_lost, self._bad = chance, most_lost, bad
        self._lost = 0
        self.follower, self._framing = BoxTracker(), LineBuffer()
        self.told: list[InitialLevels | Move] = []
        self._waiting = b""
        self.box: FakeBox

    def carry(self, line: bytes) -> None:
        """One line; as bad as it gets, but never more than ``most_lost`` in a row get lost."""
        chance = self._chance
        if chance.random() < self._bad and self._lost < self._most_lost:
            self._lost += 1
            self._waiting += self._ruined(line)
        else:
            self._lost = 0
            # A line that follows half of another one would be lost with it: that is counted there.
            self._waiting += b"\n" + line * chance.choice([1, 1, 1, 2, 3])
        # What is read together with the next line has waited for a tenth of a second, not for ten.
        if chance.random() < 0.8 or not self.box.is_repeating:
            self.arrive()

    def _ruined(self, line: bytes) -> bytes:
        chance = self._chance
        return chance.choice(
            [
                b"",
                line[: chance.randrange(len(line))],
                b"\n" + line[chance.randrange(1, len(line)) :],
                bytes(chance.randrange(256) for _ in range(chance.randrange(50))),
                line.replace(b"1", b"2"),
            ]
        )

    def mend(self) -> None:
        """Nothing gets lost any more."""
        self._most_lost = 0

    def arrive(self) -> None:
        """Everything that was on its way is read at once."""
        at = self.box.now + self._chance.random() * 0.003
        lines = [decode_line(line) for line in self._framing.feed(self._waiting)]
        self._waiting = b""
        self.told += self.follower.update(
            [each for each in lines if isinstance(each, BoxMessage)], at
        )


def story(seed: int, *, most_lost: int, bad: float = 0.4, presses: int = 60) -> Story:
    chance = random.Random(seed)
    line = BadLine(chance, most_lost=most_lost, bad=bad)
    line.box = box = FakeBox(line.carry, at=100.0)
    line.follower, done = BoxTracker(), []
    line.told += line.follower.update([said_by(box)], box.now)
    down: set[int] = set()
    for _ in range(presses):
        box.run_until(box.now + chance.choice([0.004, 0.02, 0.08, 0.15, 0.6, 3.0, 12.0]))
        button = chance.choice(sorted(down)) if down and chance.random() < 0.6 else 0
        button = button or chance.randrange(1, 8)
        (down.discard if button in down else down.add)(button)
        done.append(Move(box.now, button, button in down))
        box.press(button, down=button in down)
    line.mend()
    box.run_until(box.now + 30.0)
    line.arrive()
    return Story(done, line.told)


def said_by(box: FakeBox) -> BoxMessage:
    said = decode_line(box.line().rstrip(b"\n"))
    assert isinstance(said, BoxMessage)
    return said


@pytest.mark.parametrize("seed", range(12))
def test_no_press_is_lost_and_none_invented_while_one_line_in_four_arrives(seed: int) -> None:
    told = story(seed, most_lost=3)
    assert [move[1:] for move in told.moves] == [move[1:] for move in told.done]
    for move, done in zip(told.moves, told.done, strict=True):
        assert move.time == pytest.approx(done.time, abs=0.02), "told with the time of the finger"


@pytest.mark.parametrize("seed", range(12))
def test_whatever_is_lost_nothing_is_invented_and_in_the_end_the_levels_are_right(
    seed: int,
) -> None:
    told = story(seed, most_lost=30, bad=0.9)
    done = [(move.button, move.down) for move in told.done]
    for button in range(BUTTONS):
        levels = [move.down for move in told.moves if move.button == button]
        assert levels == [at % 2 == 0 for at in range(len(levels))], "down, up, down, up"
        assert levels.count(True) <= done.count((button, True))
        assert sum(levels) * 2 - len(levels) == sum(1 if d else -1 for b, d in done if b == button)


def test_times_never_go_back() -> None:
    times = [move.time for move in story(7, most_lost=3).moves]
    assert times == sorted(times)


def followed(seq: int = 0) -> tuple[BoxTracker, FakeBox, list[bytes]]:
    """A box that has just been met; what it says from here on is in the list."""
    said: list[bytes] = []
    box, follower = FakeBox(said.append, at=100.0), BoxTracker()
    box.seq = seq
    assert list(follower.update([said_by(box)], 100.0)) == [InitialLevels(0)]
    return follower, box, said


def tell(follower: BoxTracker, said: list[bytes], at: float) -> list[InitialLevels | Move]:
    lines = [decode_line(line.rstrip(b"\n")) for line in said]
    said.clear()
    return list(follower.update([line for line in lines if isinstance(line, BoxMessage)], at))


def test_what_is_read_late_and_all_at_once_keeps_its_own_times() -> None:
    """Told by their arrival a press would be as long as a bounce, and taken for one."""
    follower, box, said = followed()
    box.run_until(101.0)
    box.press(3, down=True)
    box.run_until(101.08)
    box.press(3, down=False)
    box.run_until(103.5)
    down, up = (each for each in tell(follower, said, 103.5) if isinstance(each, Move))
    assert up.time - down.time == pytest.approx(0.08, abs=0.002)


def test_a_slow_clock_in_the_box_dates_as_well_after_an_hour() -> None:
    follower, box, said = followed()
    for hour in range(360):
        # Every ten seconds its clock loses fifty milliseconds.
        box._began += 0.05
        box.run_until(110.0 + 10 * hour)
        tell(follower, said, box.now)
    box.press(3, down=True)
    (move,) = tell(follower, said, box.now)
    assert isinstance(move, Move)
    assert move.time == pytest.approx(box.now, abs=0.06)


def test_a_box_that_starts_anew_is_met_anew_and_presses_since_then_count() -> None:
    follower, box, said = followed()
    box.press(2, down=True)
    tell(follower, said, 100.0)
    fresh = FakeBox(said.append, boot_id="0002", at=101.0)
    fresh.levels = 1 << 5  # somebody leaned on it while it started
    fresh.run_until(101.3)
    fresh.press(2, down=True)
    fresh.run_until(101.4)
    fresh.press(2, down=False)
    del said[0]
    told = tell(follower, said, 101.4)
    assert told[0] == InitialLevels(1 << 5)
    assert [move[1:] for move in told[1:]] == [(2, True), (2, False)]
    assert follower.levels == 1 << 5


def test_a_box_without_a_number_of_its_own_is_met_anew_all_the_same() -> None:
    follower, box, said = followed()
    for _ in range(50):
        box.press(1, down=True)
        box.press(1, down=False)
    tell(follower, said, 101.0)
    again = FakeBox(said.append, at=200.0)
    again.press(4, down=True)
    again.run_until(201.0)
    again.press(4, down=False)
    assert isinstance(tell(follower, said, 201.0)[0], InitialLevels)
    again.press(6, down=True)
    assert [move[1:] for move in tell(follower, said, 201.0)] == [(6, True)]


def test_copies_of_old_lines_change_nothing() -> None:
    follower, box, said = followed()
    box.press(1, down=True)
    old = said[0]
    box.run_until(100.05)
    box.press(1, down=False)
    box.press(2, down=True)
    tell(follower, said, 100.05)
    assert tell(follower, [old, old], 100.06) == []
    assert follower.levels == 1 << 2


def test_numbers_go_round() -> None:
    follower, box, said = followed(0xFFFE)
    for _ in range(3):
        box.press(1, down=True)
        box.press(1, down=False)
    assert len(tell(follower, said, 100.0)) == 6


def test_more_changes_than_a_line_can_tell_leave_the_levels_right() -> None:
    follower, box, said = followed()
    box.press(9, down=True)
    for _ in range(MAX_CHANGES):
        box.press(1, down=True)
        box.press(1, down=False)
    del said[:-1]
    told = [each[1:] for each in tell(follower, said, 100.0) if isinstance(each, Move)]
    assert told[0] == (9, True), "it is down: it went down unseen"
    assert told[1:] == [(1, True), (1, False)] * (MAX_CHANGES // 2)


def test_the_first_line_tells_what_is_down_and_presses_nothing() -> None:
    said: list[bytes] = []
    box, follower = FakeBox(said.append, at=100.0), BoxTracker()
    box.press(3, down=True)
    assert tell(follower, said, 100.0) == [InitialLevels(1 << 3)]


def test_a_press_while_somebody_listened_counts_even_in_the_first_line() -> None:
    said: list[bytes] = []
    box, follower = FakeBox(said.append, at=100.0), BoxTracker()
    box.run_until(105.0)
    box.press(3, down=True)
    lines = [said_by(box)]
    assert list(follower.update(lines, 105.0, 101.0)) == [InitialLevels(0), Move(105.0, 3, True)]


def test_a_press_of_long_ago_is_none_any_more() -> None:
    """It was said into a line that nobody read; whoever pressed has seen that nothing came."""
    follower, box, said = followed()
    box.press(3, down=True)
    box.run_until(100.05)
    box.press(3, down=False)
    old = said[-1]
    box.run_until(100.0 + MEMORY / 1000 + 60)
    box.send_line()
    assert tell(follower, [old, said[-1]], box.now) == []


# ---- silence ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("what", "heard", "lost"),
    [
        # from 100 s on       the last line   it is given up
        ("nothing",          100.0,          112.0),
        ("a button is held", 100.0,          100.35),
        ("a button is held", 102.0,          102.35),
        ("a button is held", 104.0,          116.0),  # no hold is so long
    ],
)  # fmt: skip
def test_silence_is_long_for_an_idle_box_and_short_while_a_button_is_held(
    what: str, heard: float, lost: float
) -> None:
    follower, box, said = followed()
    if what != "nothing":
        box.press(2, down=True)
        tell(follower, said, 100.0)
        while box.now < heard - 0.001:
            box.run_until(box.now + 0.1)
            tell(follower, said, box.now)
    assert heard + follower.time_left(heard) == pytest.approx(lost, abs=0.01)
    assert follower.time_left(lost + 0.01) == 0.0
