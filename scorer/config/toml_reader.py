"""Parse a TOML file, given as bytes, to plain values with line numbers.

Length, depth, numbers and characters are limited; every fault has its line.
"""

import math
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from scorer.rules.notation import one_line

Values = Mapping[str, Any]

MAX_CHARS = 64 * 1024  # characters; a typical file has some hundreds
MAX_DEPTH = 8  # levels of nested tables and lists; a configuration needs four
MAX_KEY_PARTS = 8  # of a dotted key; tomllib keeps every beginning of it, and so does KeyLines
_MAX_INT = 2**63 - 1  # TOML's own bound of an integer
# Compiled when they are needed: a right file needs none of them.
_UNPRINTABLE = "[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]"  # controls; bytes that are no UTF-8
_HEADING = r"(\[\[?)([^\]]*)\]"
_KEY = r"([\w.\"'-]+)[ \t]*="
# A dotted key that is too long, or what may have dots and is none: comments, texts, shorter keys.
# Nothing is read twice: a text without its end goes on to the end of the line or file.
_PART = r"""(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')"""
_LONG_KEY = (
    rf"({_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{{MAX_KEY_PARTS}}})"
    r"|#[^\n]*+"
    r'|"""(?:[^"\\]|\\[\s\S]|"{1,2}+(?!"))*+(?:""")?+'
    r"|'''(?:[^']|'{1,2}+(?!'))*+(?:''')?+"
    r'|"(?:[^"\\\n]|\\.)*+"?+'
    r"|'[^'\n]*+'?+"
    r"|[\w-]++"
)
_AT_LINE = r" \(at line (\d+), column \d+\)$"
_AT_END = " (at end of document)"
_CURLY = "\u201c\u201d\u201e\u2018\u2019\xab\xbb"  # quotes of a word processor


class Problem(NamedTuple):
    """A problem in a configuration: its line (0: unknown) and a sentence."""

    line: int
    sentence: str


class ConfigError(ValueError):
    """An invalid configuration; ``problems`` has all problems by line."""

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = tuple(sorted(problems))
        super().__init__("; ".join(f"line {p.line}: {p.sentence}" for p in self.problems))


class UnreadableFile(str):
    """The text of a file that exists and cannot be read, with the system's error."""

    __slots__ = ()


class KeyLines:
    """The line of each key of a TOML text: ("table", "variant") -> 12."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def _lines(self) -> dict[tuple[str, ...], int]:
        """Found when the first line is wanted, of a problem."""
        found: dict[tuple[str, ...], int] = {}
        section: tuple[str, ...] = ()
        counts: dict[tuple[str, ...], int] = {}
        for number, line in enumerate(self.text.split("\n"), 1):
            stripped = line.strip()
            if heading := re.match(_HEADING, stripped):
                named = heading[2].split(".", MAX_KEY_PARTS)[:MAX_KEY_PARTS]
                section = tuple(part.strip(" \t\"'") for part in named)
                for count in range(1, len(section) + 1):
                    found.setdefault(section[:count], number)
                if heading[1] == "[[":
                    counts[section] = counts.get(section, -1) + 1
                    section = (*section, str(counts[section]))
                found.setdefault(section, number)
            elif key := re.match(_KEY, stripped):
                named = re.findall(r'"[^"]*"|[^.]+', key[1])[:MAX_KEY_PARTS]
                parts = tuple(part.strip(" \"'") for part in named)
                # A dotted key defines every table on its path.
                for count in range(1, len(parts) + 1):
                    found.setdefault((*section, *parts[:count]), number)
        return found

    def line_of(self, *path: str) -> int:
        """The line of the longest prefix of ``path`` in the text; 0 without one."""
        for length in range(len(path), 0, -1):
            if path[:length] in self._lines:
                return self._lines[path[:length]]
        return 0


def read_text(path: Path, most_chars: int = MAX_CHARS) -> str:
    """Read the text of a file, up to the maximum length. Raises OSError.

    Invalid bytes are kept as surrogates, so that ``parse_toml`` can report their line.
    """
    with path.open("rb") as file:
        raw = file.read(4 * most_chars + 1)
    text = raw.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_optional(path: Path) -> str | None:
    """Read a configuration file; None if it does not exist."""
    try:
        return read_text(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        return UnreadableFile(str(error))


def parse_toml(text: str, most_chars: int = MAX_CHARS) -> dict[str, Any]:
    """Parse a TOML text. Raises ConfigError if it is invalid or beyond the limits."""
    if isinstance(text, UnreadableFile):
        raise _config_error(0, f"the file cannot be read: {text}")
    if len(text) > most_chars:
        raise _config_error(
            0, f"this is longer than any configuration, {most_chars} letters at most"
        )
    try:
        text.encode()
    except UnicodeEncodeError as error:  # bytes that are no UTF-8 are decoded as surrogates
        raise _config_error(
            _line_at(text, error.start), "this is no UTF-8 text; save the file as UTF-8"
        ) from None
    if (at := _long_key_at(text)) >= 0:
        raise _config_error(_line_at(text, at), _LONG)
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _syntax_error(str(error), text) from None
    except RecursionError:
        brackets = [line.count("[") + line.count("{") for line in text.split("\n")]
        raise _config_error(brackets.index(max(brackets)) + 1, _TOO_DEEP) from None
    except ValueError:
        # Python itself rejects numbers with so many digits.
        digits = re.search(r"[\d_]{1000,}", text)
        raise _config_error(_line_at(text, digits.start()) if digits else 1, _TOO_LARGE) from None
    lines = KeyLines(text)
    if problems := [
        Problem(lines.line_of(*path) or 1, why) for path, why in find_unusable_values(values)
    ]:
        raise ConfigError(problems)
    return values


def _long_key_at(text: str) -> int:
    """Where a dotted key has too many parts; -1 without one."""
    if text.count(".") < MAX_KEY_PARTS:
        return -1
    found = (match.start() for match in re.finditer(_LONG_KEY, text) if match[1])
    return next(found, -1)


def find_unusable_values(values: Values) -> Iterator[tuple[tuple[str, ...], str]]:
    """Values beyond the limits, with their path: too deep, too large, unprintable."""
    waiting: list[tuple[tuple[str, ...], object]] = [((), values)]
    while waiting:
        path, value = waiting.pop()
        if why := _why_unusable(value):
            yield path, one_line(f"{'.'.join(path)}: {why}")
        elif not isinstance(value, Mapping | list):
            continue
        elif len(path) >= MAX_DEPTH:
            yield path, one_line(f"{'.'.join(path)}: {_TOO_DEEP}")
        elif isinstance(value, Mapping):
            waiting += [((*path, str(key)), inner) for key, inner in value.items()]
        else:
            waiting += [((*path, str(at)), inner) for at, inner in enumerate(value)]


_LONG = f"a name of more than {MAX_KEY_PARTS} parts with dots between; nothing here has so many"
_TOO_DEEP = "brackets in brackets in brackets; nothing here goes so deep"
_TOO_LARGE = "a number that is too large"
_NOT_FINITE = "a number without an end, or none at all"


def _why_unusable(value: object) -> str:
    """What is wrong with a value; it may be secret, so it is not quoted."""
    if isinstance(value, int) and abs(value) > _MAX_INT:
        return _TOO_LARGE
    if isinstance(value, float) and not math.isfinite(value):
        return _NOT_FINITE
    if isinstance(value, str) and not value.isprintable() and re.search(_UNPRINTABLE, value):
        return "a text has a letter in it that cannot be written"
    return ""


def _syntax_error(message: str, text: str) -> ConfigError:
    match = re.search(_AT_LINE, message)
    line = int(match[1]) if match else _line_at(text, len(text.rstrip("\n")))
    sentence = re.sub(_AT_LINE, "", message).removesuffix(_AT_END)
    hint = _syntax_hint(sentence, text.split("\n"), line)
    return _config_error(line, f"this is no TOML: {sentence[:1].lower()}{sentence[1:]}{hint}")


def _syntax_hint(sentence: str, lines: list[str], number: int) -> str:
    """What to write instead, for the commonest mistakes; values are not quoted."""
    written = lines[number - 1].strip() if 0 < number <= len(lines) else ""
    key, value = _key(written), written.partition("=")[2].strip()
    # Two keys, or a heading, of the same name: the first is at the nearest line above.
    if "overwrite" in sentence or "twice" in sentence or "already" in sentence:
        name = written if written.startswith("[") else key
        names = [line.strip() if name == written else _key(line) for line in lines[: number - 1]]
        if name not in names:
            return ""
        first = len(names) - names[::-1].index(name)
        remedy = "write its keys there" if name == written else "keep one"
        return f"; {name} is there twice, first in line {first}: {remedy}"
    if value.lower() in ("true", "false"):
        return f"; write it in small letters: {key} = {value.lower()}"
    if value and "value" in sentence and (value[0].isalpha() or value[0] in _CURLY):
        return f'; a text stands in straight quotes: {key} = "..."'
    return ""


def _key(line: str) -> str:
    return line.partition("=")[0].strip()


def _config_error(line: int, sentence: str) -> ConfigError:
    return ConfigError([Problem(line, one_line(sentence))])


def _line_at(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1
