"""Nearly valid inputs: corpus seeds with a few changes, or random bytes.

It changes bytes, words and lines and is independent of the format.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

CORPUS = Path(__file__).parent / "corpus"
MOST_EDITS = 5
LONGEST = 200_000  # bytes of one input; larger inputs take too long

_WORD = re.compile(rb"[\w.\-]+|[^\w\s]")
_NUMBER = re.compile(rb"\d+")

# Numbers, bytes and letters that are likely to break a parser.
NUMBERS = (
    b"-1", b"0", b"00", b"+1", b"1.0", b"1e5", b"1e400", b"nan", b"inf", b"-inf", b"NaN",
    b"4294967296", b"9223372036854775807", b"9223372036854775808", b"-9223372036854775809",
    b"9" * 30, b"9" * 5000, b"0x3C", b"0x" + b"f" * 400, b"1_000", "٣".encode(), "²".encode(),
    "\uff11".encode(), b"true", b"null",
)  # fmt: skip
RUBBISH = (
    b"\0", b"\xff", b"\xfe", b"\xc3", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\r", b"\r\n", b"\n\n",
    b"\x1b[2J", b"\x07", b"\x0b", b"\x0c", b"\x1c", b"\x7f", "\x85".encode(), "\u2028".encode(),
    "\u2029".encode(), "\u202e".encode(), "\u00a0".encode(), "\U0001f0cf".encode(), b'"', b"'",
    b"\\", b"\\u0000", b"\\ud800", b"#", b"[", b"]", b"{", b"}", b"=", b",", b".", b":", b"-",
    b" ", b"\t",
)  # fmt: skip
# Letters that look like ASCII letters.
LOOKALIKES = {
    b"A": "\u0410", b"B": "\u0392", b"a": "\u0430", b"e": "\u0435", b"o": "\u043e", b"-": "\u2212",
}  # fmt: skip
TIMES = (2, 3, 40, 1000, 5000)


# Inputs too long to keep as files: name and bytes by target.
MADE = {"config": (("blank-lines", b"\n" * 20_000 + b"[\n"),)}


class Seed(NamedTuple):
    """One input of the corpus."""

    name: str
    data: bytes


Edit = Callable[[DrawFn, bytes, Sequence[bytes]], bytes]


def corpus(target: str) -> tuple[Seed, ...]:
    """All seeds of a target, files by name, including every input that ever failed."""
    files = sorted(path for path in (CORPUS / target).iterdir() if path.is_file())
    kept = (Seed(path.name, path.read_bytes()) for path in files)
    return (*kept, *(Seed(name, data) for name, data in MADE.get(target, ())))


def nearly_right(target: str) -> SearchStrategy[bytes]:
    """Seeds with up to ``MOST_EDITS`` changes, and sometimes random bytes."""
    seeds = tuple(seed.data for seed in corpus(target))
    return st.one_of(_changed(seeds), _changed(seeds), _changed(seeds), st.binary(max_size=200))


@st.composite
def _changed(draw: DrawFn, seeds: Sequence[bytes]) -> bytes:
    data = draw(st.sampled_from(seeds))
    for _ in range(draw(st.integers(0, MOST_EDITS))):
        data = draw(st.sampled_from(EDITS))(draw, data, seeds)[:LONGEST]
    return data


def _place(draw: DrawFn, data: bytes) -> int:
    return draw(st.integers(0, len(data)))


def _cut(draw: DrawFn, data: bytes, seeds: Sequence[bytes]) -> bytes:
    """Cut off the end of the file."""
    return data[: _place(draw, data)]


def _headless(draw: DrawFn, data: bytes, seeds: Sequence[bytes]) -> bytes:
    """Cut off the beginning of the file."""
    return data[_place(draw, data) :]


def _one_of(draw: DrawFn, found: Sequence[re.Match[bytes]]) -> re.Match[bytes] | None:
    return draw(st.sampled_from(found)) if found else None


def _word(draw: DrawFn, data: bytes) -> re.Match[bytes] | None:
    return _one_of(draw, list(_WORD.finditer(data)))


def _drop_word(draw: DrawFn, data: bytes, seeds: Sequence[bytes]) -> bytes:
    word = _word(draw, data)
    return data if word is None else data[: word.start()] + data[word.end() :]


def _repeat_word(draw: DrawFn, data: bytes, seeds: Sequence[bytes]) -> bytes:
    """Repeat a word: long lines, long names, nested brackets."""
    word = _word(draw, data)
    if word is None:
        return data
    between = draw(st.sampled_from((b"", b" ", b".", b",")))
    many = (word[0] + between) * draw(st.sampled_from(TIMES))
    return data[: word.start()] + many + data[word.end() :]


def _swap_words(draw: DrawFn, data: bytes, seeds: Sequence[bytes]) -> bytes:
    one, two = _word(draw, data), _word(draw, data)
    if one is None or two is None or one.start() == two.start():
        return data
    if two.start() < one.start():
        one, two = two, one
    between = data[one.end() : two.start()]
    return data[: one.start()] + two[0] + between + one[0] + data[two.end() :]


def _borrow_word(draw: DrawFn, data: bytes, seeds: Sequence[bytes]) -> bytes:
    """Replace a word by a word of another seed."""
    word, other = _word(draw, data), _word(draw, draw(st.sampled_from(seeds)))
    if word is None or other is None:
        return data
    return data[: word.start()] + other[0] + data[word.end() :]


def _number(draw: DrawFn, data: bytes, seeds: Sequence[bytes]) -> bytes:
    """Replace a number by another number, or by text that looks like one."""
    found = _one_of(draw, list(_NUMBER.finditer(data)))
    if found is None:
        return data
    return data[: found.start()] + draw(st.sampled_from(NUMBERS)) + data[found.end() :]


def _rubbish(draw: DrawFn, data: bytes, seeds: Sequence[bytes]) -> bytes:
    at, many = _place(draw, data), draw(st.sampled_from((1, 1, 1, *TIMES)))
    return data[:at] + draw(st.sampled_from(RUBBISH)) * many + data[at:]


def _flip(draw: DrawFn, data: bytes, seeds: Sequence[bytes]) -> bytes:
    at = _place(draw, data)
    return data[:at] + bytes([draw(st.integers(0, 255))]) + data[at + 1 :]


def _lookalike(draw: DrawFn, data: bytes, seeds: Sequence[bytes]) -> bytes:
    letter = draw(st.sampled_from(sorted(LOOKALIKES)))
    return data.replace(letter, LOOKALIKES[letter].encode(), draw(st.sampled_from((1, -1))))


def _drop_line(draw: DrawFn, data: bytes, seeds: Sequence[bytes]) -> bytes:
    lines = data.splitlines(keepends=True)
    at = draw(st.integers(0, len(lines)))
    return b"".join(lines[:at] + lines[at + 1 :])


def _repeat_line(draw: DrawFn, data: bytes, seeds: Sequence[bytes]) -> bytes:
    lines = data.splitlines(keepends=True)
    at, many = draw(st.integers(0, len(lines))), draw(st.sampled_from(TIMES))
    return b"".join(lines[:at] + lines[at : at + 1] * many + lines[at + 1 :])


def _swap_lines(draw: DrawFn, data: bytes, seeds: Sequence[bytes]) -> bytes:
    lines = data.splitlines(keepends=True)
    if len(lines) < 2:
        return data
    places = st.integers(0, len(lines) - 1)
    one, two = draw(places), draw(places)
    lines[one], lines[two] = lines[two], lines[one]
    return b"".join(lines)


def _splice(draw: DrawFn, data: bytes, seeds: Sequence[bytes]) -> bytes:
    """Append the end of another seed to the beginning of this one."""
    other = draw(st.sampled_from(seeds))
    return data[: _place(draw, data)] + other[_place(draw, other) :]


def _other_ends(draw: DrawFn, data: bytes, seeds: Sequence[bytes]) -> bytes:
    return data.replace(b"\n", draw(st.sampled_from((b"\r\n", b"\r", b"\n\r", b""))))


EDITS: tuple[Edit, ...] = (
    _cut, _headless, _drop_word, _repeat_word, _swap_words, _borrow_word, _number, _number,
    _rubbish, _rubbish, _flip, _lookalike, _drop_line, _repeat_line, _swap_lines, _splice,
    _other_ends,
)  # fmt: skip
