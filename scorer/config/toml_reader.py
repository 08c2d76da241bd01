"""What an owner wrote: bytes of a TOML file to plain values that can be judged and quoted.

Bounded in length, depth, numbers and letters, whatever the bytes are; every fault has its line.
What a setting means it must never know.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from scorer.rules.notation import one_line

Values = Mapping[str, Any]

MAX_CHARS = 64 * 1024  # characters; an owner's file has some hundreds
SECRET_SECTIONS = ("wifi",)  # sections of which nothing is ever quoted, nor kept anywhere else
MAX_DEPTH = 8  # tables and lists in each other; a configuration needs four
_MAX_INT = 2**63 - 1  # TOML's own bound of a whole number
# Bytes that are no UTF-8 (kept as half characters), and what would break a line or a screen.
_NOT_UTF8 = re.compile("[\ud800-\udfff]")
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_HEADING = re.compile(r"(\[\[?)([^\]]*)\]")
_KEY = re.compile(r"([\w.\"'-]+)[ \t]*=")
_AT_LINE = re.compile(r" \(at line (\d+), column \d+\)$")
_AT_END = " (at end of document)"


class Problem(NamedTuple):
    """Something wrong in a configuration: the line it stands in (0: nowhere) and a sentence."""

    line: int
    sentence: str


class ConfigError(ValueError):
    """A configuration that cannot be used; ``problems`` has all of them, in order of lines."""

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = tuple(sorted(problems))
        super().__init__("; ".join(f"line {p.line}: {p.sentence}" for p in self.problems))


class UnreadableFile(str):
    """The text of a file that is there and cannot be read: what the machine said about it."""

    __slots__ = ()


class KeyLines:
    """Where each key of a TOML text was written: ("table", "variant") -> 12."""

    def __init__(self, text: str) -> None:
        self._lines: dict[tuple[str, ...], int] = {}
        section: tuple[str, ...] = ()
        counts: dict[tuple[str, ...], int] = {}
        for number, line in enumerate(text.split("\n"), 1):
            stripped = line.strip()
            if heading := _HEADING.match(stripped):
                section = tuple(part.strip(" \t\"'") for part in heading[2].split("."))
                if heading[1] == "[[":
                    counts[section] = counts.get(section, -1) + 1
                    section = (*section, str(counts[section]))
                self._lines.setdefault(section, number)
            elif key := _KEY.match(stripped):
                parts = tuple(part.strip(" \"'") for part in re.findall(r'"[^"]*"|[^.]+', key[1]))
                # A dotted key writes every table on its way.
                for count in range(1, len(parts) + 1):
                    self._lines.setdefault((*section, *parts[:count]), number)

    def line_of(self, *path: str) -> int:
        """The line of the longest part of ``path`` that was written; 0 if none of it was."""
        for length in range(len(path), 0, -1):
            if path[:length] in self._lines:
                return self._lines[path[:length]]
        return 0


def read_text(path: Path) -> str:
    """The text of a file, as far as it can be of use. Raises OSError.

    Bytes that are no text stay in it, so that ``parsed`` can tell their line.
    """
    with path.open("rb") as file:
        raw = file.read(4 * MAX_CHARS + 1)
    text = raw.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def parse_toml(text: str) -> dict[str, Any]:
    """The values of a TOML text. Raises ConfigError where it is none, or none to be judged."""
    if isinstance(text, UnreadableFile):
        raise _config_error(0, f"the file cannot be read: {text}")
    if len(text) > MAX_CHARS:
        raise _config_error(
            0, f"this is longer than any configuration, {MAX_CHARS} letters at most"
        )
    if half := _NOT_UTF8.search(text):
        raise _config_error(
            _line_at(text, half.start()), "this is no UTF-8 text; save the file as UTF-8"
        )
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _syntax_error(str(error), text) from None
    except RecursionError:
        raise _config_error(_deepest_line(text), _TOO_DEEP) from None
    except ValueError:
        # Python itself takes no number of so many digits.
        digits = re.search(r"[\d_]{1000,}", text)
        raise _config_error(_line_at(text, digits.start()) if digits else 1, _TOO_LARGE) from None
    lines = KeyLines(text)
    if problems := [
        Problem(lines.line_of(*path) or 1, why) for path, why in find_unusable_values(values)
    ]:
        raise ConfigError(problems)
    return values


def find_unusable_values(values: Values) -> Iterator[tuple[tuple[str, ...], str]]:
    """What no setting could be, with the path to it: too deep, too large, not to be written."""
    waiting: list[tuple[tuple[str, ...], object]] = [((), values)]
    while waiting:
        path, value = waiting.pop()
        if why := _why_unusable(value, may_quote=not path or path[0] not in SECRET_SECTIONS):
            yield path, one_line(f"{'.'.join(path)}: {why}")
        elif not isinstance(value, Mapping | list):
            continue
        elif len(path) >= MAX_DEPTH:
            yield path, one_line(f"{'.'.join(path)}: {_TOO_DEEP}")
        elif isinstance(value, Mapping):
            waiting += [((*path, str(key)), inner) for key, inner in value.items()]
        else:
            waiting += [((*path, str(at)), inner) for at, inner in enumerate(value)]


_TOO_DEEP = "brackets in brackets in brackets; nothing here goes so deep"
_TOO_LARGE = "a number that is too large"
_NOT_FINITE = "a number without an end, or none at all"


def _why_unusable(value: object, *, may_quote: bool) -> str:
    if isinstance(value, int) and abs(value) > _MAX_INT:
        return _TOO_LARGE
    if isinstance(value, float) and not math.isfinite(value):
        return _NOT_FINITE
    if isinstance(value, str) and _UNPRINTABLE.search(value):
        start = f"'{value[:20]}'" if may_quote else "a text"
        return f"{start} has a letter in it that cannot be written"
    return ""


def _syntax_error(message: str, text: str) -> ConfigError:
    told = _AT_LINE.search(message)
    line = int(told[1]) if told else _line_at(text, len(text.rstrip("\n")))
    sentence = _AT_LINE.sub("", message).removesuffix(_AT_END)
    return _config_error(line, f"this is no TOML: {sentence[:1].lower()}{sentence[1:]}")


def _config_error(line: int, sentence: str) -> ConfigError:
    return ConfigError([Problem(line, one_line(sentence))])


def _line_at(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


def _deepest_line(text: str) -> int:
    """The line with the most brackets."""
    lines = text.split("\n")
    return max(range(len(lines)), key=lambda at: lines[at].count("[") + lines[at].count("{")) + 1
