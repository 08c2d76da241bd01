"""The box protocol over lines that are lost, duplicated, cut or garbled; no port.

A session is a series of presses, an unreliable line, and the changes tracked at the other end.
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

MESSAGE = BoxMessage("3f2a", 0x0017, 0x0010, 918233, (Change(4, True, 0), Change(6, False, 35)))

# ---- a line -------------------------------------------------------------------------------------


def test_a_line_is_readable_text_and_a_checksum() -> None:
    line = encode_message(MESSAGE)
    assert line.startswith(b"\nT1 3f2a 0017 0010 918233 +4:0 -6:35 ")
    assert decode_line(line.strip(b"\n")) == MESSAGE


@pytest.mark.parametrize("percent", [0, 20, 100])
def test_a_box_with_a_battery_reports_its_percent(percent: int) -> None:
    line = encode_message(MESSAGE._replace(battery=percent))
    assert line.startswith(b"\nT1 3f2a 0017 0010 918233 b%d +4:0 -6:35 " % percent)
    assert decode_line(line.strip(b"\n")) == MESSAGE._replace(battery=percent)


def test_the_checksum_is_crc32() -> None:
    """The published check value of CRC-32: of 123456789 it is cbf43926."""
    assert seal("123456789") == b"123456789 cbf43926\n"


def test_the_longest_line_is_valid() -> None:
    changes = tuple(Change(15, at % 2 == 0, 9999) for at in range(MAX_CHANGES))
    said = BoxMessage("ffff", 0xFFFF, 0xFFFF, 4294967295, changes, 100)
    assert decode_line(encode_message(said).strip(b"\n")) == said


def test_every_flipped_bit_and_every_cut_is_detected() -> None:
    line = encode_message(MESSAGE).strip(b"\n")
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
        "T1 3f2a 0017 0010 5 b101",  # more than all of a battery
        "T1 3f2a 0017 0010 5 +4:0 b20",  # the battery comes first
        "T1 3f2a 0017 0010 5 +16:0",  # no such button
        "T1 3f2a 0017 0010 5 -4:0",  # down, but its newest change is a release
        "T1 3f2a 0017 0010 5 +4:0 +4:9",  # down twice
        "T1 3f2a 0017 0010 5 +4:9 -6:3",  # not newest first
        "T1 3f2a 0000 0000 5" + " -1:0 +1:0" * 9,  # more than the maximum
        "T 3f2a 0017 0010 5",
        "S1 12 9",  # of a scoreboard
    ],
)
def test_invalid_messages_with_a_valid_checksum_are_noise(words: str) -> None:
    assert decode_line(seal(words).strip(b"\n")) is None


def test_another_version_is_recognised_whatever_follows() -> None:
    assert decode_line(seal("T2 anything at all").strip(b"\n")) == UnknownVersion(2)
    assert decode_line(seal("T0").strip(b"\n")) == UnknownVersion(0)
    assert decode_line(b"T2 anything at all 00000000") is None


@pytest.mark.parametrize("text", ["a\nb", "a\r", "x" * MAX_LINE])
def test_text_that_fits_no_line_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no line"):
        seal(text)


def test_non_ascii_text_is_refused() -> None:
    with pytest.raises(ValueError, match="ascii"):
        seal("ñ")
    assert unseal("ñ 00000000".encode()) is None


# ---- framing ------------------------------------------------------------------------------------


def test_lines_are_found_however_they_are_split() -> None:
    text = b"one\ntwo\r\n\nthree\nfo"
    for at in range(len(text)):
        lines = LineBuffer()
        assert lines.feed(text[:at]) + lines.feed(text[at:]) == [b"one", b"two", b"three"]
        assert lines.feed(b"ur\n") == [b"four"]


def test_unterminated_noise_neither_grows_nor_hides_the_next_line() -> None:
    lines = LineBuffer()
    for _ in range(1000):
        assert lines.feed(b"x" * 1000) == []
    assert len(lines._rest) <= MAX_LINE
    assert [decode_line(line) for line in lines.feed(encode_message(MESSAGE))] == [
        None,
        MESSAGE,
    ]


@pytest.mark.parametrize("garbled", [0x00, 0x0A, 0x20, 0xFF])
def test_a_garbled_byte_costs_at_most_one_line(garbled: int) -> None:
    messages = [MESSAGE._replace(seq=seq) for seq in range(4)]
    sent = b"".join(map(encode_message, messages))
    for at in range(len(sent)):
        heard = LineBuffer().feed(sent[:at] + bytes([garbled]) + sent[at + 1 :])
        found = [message for message in map(decode_line, heard) if message is not None]
        assert len(found) >= len(messages) - 1, f"byte {at}"
        assert [message for message in messages if message in found] == found


def test_lines_of_a_box_that_sends_no_empty_lines_are_read() -> None:
    """As firmware of this version did at first."""
    messages = [MESSAGE._replace(seq=seq) for seq in range(4)]
    sent = b"".join(encode_message(message).lstrip(b"\n") for message in messages)
    assert list(map(decode_line, LineBuffer().feed(sent))) == messages


# ---- sessions -----------------------------------------------------------------------------------


class Session(NamedTuple):
    """The presses made, and the changes tracked."""

    done: list[Move]
    changes: list[InitialLevels | Move]

    @property
    def moves(self) -> list[Move]:
        return [each for each in self.changes if isinstance(each, Move)]


class BadLine:
    """Carries lines to a tracker, delayed by some milliseconds and unreliably."""

    def __init__(self, chance: random.Random, *, most_lost: int, bad: float) -> None:
        self._chance, self._most_lost, self._bad = chance, most_lost, bad
        self._lost = 0
        self.tracker, self._framing = BoxTracker(), LineBuffer()
        self.changes: list[InitialLevels | Move] = []
        self._waiting = b""
        self.box: FakeBox

    def carry(self, line: bytes) -> None:
        """Send one line; at most ``most_lost`` in a row are lost."""
        chance, line = self._chance, line.lstrip(b"\n")
        if chance.random() < self._bad and self._lost < self._most_lost:
            self._lost += 1
            self._waiting += self._ruined(line)
        else:
            self._lost = 0
            # A line that follows half of another would be lost with it, so begin on a new line.
            self._waiting += b"\n" + line * chance.choice([1, 1, 1, 2, 3])
        # Lines read together waited for a tenth of a second, not for ten seconds.
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
        """Stop losing lines."""
        self._most_lost = 0

    def arrive(self) -> None:
        """Read everything sent so far at once."""
        at = self.box.now + self._chance.random() * 0.003
        lines = [decode_line(line) for line in self._framing.feed(self._waiting)]
        self._waiting = b""
        self.changes += self.tracker.update(
            [each for each in lines if isinstance(each, BoxMessage)], at
        )


def run_session(seed: int, *, most_lost: int, bad: float = 0.4, presses: int = 60) -> Session:
    chance = random.Random(seed)
    line = BadLine(chance, most_lost=most_lost, bad=bad)
    line.box = box = FakeBox(line.carry, at=100.0)
    line.tracker, done = BoxTracker(), []
    line.changes += line.tracker.update([message_of(box)], box.now)
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
    return Session(done, line.changes)


def message_of(box: FakeBox) -> BoxMessage:
    said = decode_line(box.line().strip(b"\n"))
    assert isinstance(said, BoxMessage)
    return said


@pytest.mark.sampled(7)
@pytest.mark.parametrize("seed", range(12))
def test_all_presses_are_recovered_while_one_line_in_four_arrives(seed: int) -> None:
    changes = run_session(seed, most_lost=3)
    assert [move[1:] for move in changes.moves] == [move[1:] for move in changes.done]
    for move, done in zip(changes.moves, changes.done, strict=True):
        assert move.time == pytest.approx(done.time, abs=0.02), "dated with the time of the press"


@pytest.mark.sampled(8)
@pytest.mark.parametrize("seed", range(12))
def test_any_loss_invents_no_press_and_ends_with_the_right_levels(seed: int) -> None:
    changes = run_session(seed, most_lost=30, bad=0.9)
    done = [(move.button, move.down) for move in changes.done]
    for button in range(BUTTONS):
        levels = [move.down for move in changes.moves if move.button == button]
        assert levels == [at % 2 == 0 for at in range(len(levels))], "down, up, down, up"
        assert levels.count(True) <= done.count((button, True))
        assert sum(levels) * 2 - len(levels) == sum(1 if d else -1 for b, d in done if b == button)


def test_times_never_go_back() -> None:
    times = [move.time for move in run_session(7, most_lost=3).moves]
    assert times == sorted(times)


def new_box(seq: int = 0) -> tuple[BoxTracker, FakeBox, list[bytes]]:
    """A box that was just connected; what it sends from here on is in the list."""
    said: list[bytes] = []
    box, tracker = FakeBox(said.append, at=100.0), BoxTracker()
    box.seq = seq
    assert list(tracker.update([message_of(box)], 100.0)) == [InitialLevels(0)]
    return tracker, box, said


def track(tracker: BoxTracker, said: list[bytes], at: float) -> list[InitialLevels | Move]:
    lines = [decode_line(line.strip(b"\n")) for line in said]
    said.clear()
    return list(tracker.update([line for line in lines if isinstance(line, BoxMessage)], at))


def test_lines_read_late_and_together_keep_their_own_times() -> None:
    """Dated by arrival, a press would be as short as a bounce."""
    tracker, box, said = new_box()
    box.run_until(101.0)
    box.press(3, down=True)
    box.run_until(101.08)
    box.press(3, down=False)
    box.run_until(103.5)
    down, up = (each for each in track(tracker, said, 103.5) if isinstance(each, Move))
    assert up.time - down.time == pytest.approx(0.08, abs=0.002)


def test_a_slow_box_clock_still_dates_well_after_an_hour() -> None:
    tracker, box, said = new_box()
    for hour in range(360):
        # Its clock loses fifty milliseconds every ten seconds.
        box._began += 0.05
        box.run_until(110.0 + 10 * hour)
        track(tracker, said, box.now)
    box.press(3, down=True)
    (move,) = track(tracker, said, box.now)
    assert isinstance(move, Move)
    assert move.time == pytest.approx(box.now, abs=0.06)


def test_presses_since_a_restart_of_the_box_count() -> None:
    tracker, box, said = new_box()
    box.press(2, down=True)
    track(tracker, said, 100.0)
    fresh = FakeBox(said.append, boot_id="0002", at=101.0)
    fresh.levels = 1 << 5  # a button was held during the start
    fresh.run_until(101.3)
    fresh.press(2, down=True)
    fresh.run_until(101.4)
    fresh.press(2, down=False)
    del said[0]
    changes = track(tracker, said, 101.4)
    assert changes[0] == InitialLevels(1 << 5)
    assert [move[1:] for move in changes[1:]] == [(2, True), (2, False)]
    assert tracker.levels == 1 << 5


def test_a_restart_with_the_same_boot_id_is_detected() -> None:
    tracker, box, said = new_box()
    for _ in range(50):
        box.press(1, down=True)
        box.press(1, down=False)
    track(tracker, said, 101.0)
    again = FakeBox(said.append, at=200.0)
    again.press(4, down=True)
    again.run_until(201.0)
    again.press(4, down=False)
    assert isinstance(track(tracker, said, 201.0)[0], InitialLevels)
    again.press(6, down=True)
    assert [move[1:] for move in track(tracker, said, 201.0)] == [(6, True)]


def test_copies_of_old_lines_change_nothing() -> None:
    tracker, box, said = new_box()
    box.press(1, down=True)
    old = said[0]
    box.run_until(100.05)
    box.press(1, down=False)
    box.press(2, down=True)
    track(tracker, said, 100.05)
    assert track(tracker, [old, old], 100.06) == []
    assert tracker.levels == 1 << 2


def test_sequence_numbers_wrap() -> None:
    tracker, box, said = new_box(0xFFFE)
    for _ in range(3):
        box.press(1, down=True)
        box.press(1, down=False)
    assert len(track(tracker, said, 100.0)) == 6


def test_more_changes_than_fit_a_line_keep_the_levels_right() -> None:
    tracker, box, said = new_box()
    box.press(9, down=True)
    for _ in range(MAX_CHANGES):
        box.press(1, down=True)
        box.press(1, down=False)
    del said[:-1]
    changes = [each[1:] for each in track(tracker, said, 100.0) if isinstance(each, Move)]
    assert changes[0] == (9, True), "its change was lost, but it is down"
    assert changes[1:] == [(1, True), (1, False)] * (MAX_CHANGES // 2)


def test_buttons_down_in_the_first_line_are_not_pressed() -> None:
    said: list[bytes] = []
    box, tracker = FakeBox(said.append, at=100.0), BoxTracker()
    box.press(3, down=True)
    assert track(tracker, said, 100.0) == [InitialLevels(1 << 3)]


def test_a_press_after_opening_counts_even_in_the_first_line() -> None:
    said: list[bytes] = []
    box, tracker = FakeBox(said.append, at=100.0), BoxTracker()
    box.run_until(105.0)
    box.press(3, down=True)
    lines = [message_of(box)]
    assert list(tracker.update(lines, 105.0, 101.0)) == [InitialLevels(0), Move(105.0, 3, True)]


def test_an_old_press_is_ignored() -> None:
    """The line was not read in time; a late press would surprise the player."""
    tracker, box, said = new_box()
    box.press(3, down=True)
    box.run_until(100.05)
    box.press(3, down=False)
    old = said[-1]
    box.run_until(100.0 + MEMORY / 1000 + 60)
    box.send_line()
    assert track(tracker, [old, said[-1]], box.now) == []


# ---- silence ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("what", "last_line", "lost"),
    [
        # from 100 s on       last line        lost at
        ("nothing",          100.0,          112.0),
        ("a button is held", 100.0,          100.35),
        ("a button is held", 102.0,          102.35),
        ("a button is held", 104.0,          116.0),  # longer than any hold
    ],
)  # fmt: skip
def test_the_timeout_is_long_for_an_idle_box_and_short_during_a_hold(
    what: str, last_line: float, lost: float
) -> None:
    tracker, box, said = new_box()
    if what != "nothing":
        box.press(2, down=True)
        track(tracker, said, 100.0)
        while box.now < last_line - 0.001:
            box.run_until(box.now + 0.1)
            track(tracker, said, box.now)
    assert last_line + tracker.time_left(last_line) == pytest.approx(lost, abs=0.01)
    assert tracker.time_left(lost + 0.01) == 0.0
