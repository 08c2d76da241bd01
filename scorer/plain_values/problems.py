"""What is wrong with plain values, as paths and sentences."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

Path = tuple[str, ...]
"""Keys and indices from the outermost value to the inner one: ("panel", "0", "size")."""

Found = tuple[str | Path, str]
"""A key of a record, or a path from it, and a sentence, as ``find_problems`` gives them."""

NO_TABLE: Final = "wants a table"
NO_KEY: Final = "no such key"
NO_LIST: Final = "wants a list"
_MAX_SHOWN = 60  # characters of a value in a sentence
_MAX_KNOWN = 40  # valid words in a sentence


class ValueProblem(NamedTuple):
    """The path of a wrong value, and a sentence about it."""

    path: Path
    sentence: str

    def __str__(self) -> str:
        path = ".".join(map(_shown_key, self.path))
        return f"{path}: {self.sentence}" if path else self.sentence


class WrongValues(ValueError):
    """Values that make no record; ``problems`` has every one."""

    def __init__(self, problems: Iterable[ValueProblem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(map(str, self.problems)))

    def below(self, *path: str) -> Iterator[ValueProblem]:
        """The problems of a value that stands at ``path`` of another one."""
        return (ValueProblem((*path, *found.path), found.sentence) for found in self.problems)


def wrong_value(sentence: str) -> WrongValues:
    """Values with one problem, of the value itself."""
    return WrongValues([ValueProblem((), sentence)])


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """The end of a sentence about a wrong word: the nearest valid word, or nothing."""
    # Imported lazily: only needed for an error.
    import difflib

    near = difflib.get_close_matches(word[:_MAX_SHOWN], list(words), n=1)
    return f"; did you mean '{near[0]}'?" if near else ""


def suggestion(word: str, words: Iterable[str]) -> str:
    """The end of a sentence about a wrong word: the nearest valid word, or all words.

    All only if they are few.
    """
    known = sorted(words)
    listed = f"; known are {', '.join(known)}" if len(known) <= _MAX_KNOWN else ""
    return did_you_mean(word, known) or listed


def _shown_key(key: str) -> str:
    printed = key if key.isprintable() else ascii(key)[1:-1]
    return printed if len(printed) <= _MAX_SHOWN else f"{printed[:_MAX_SHOWN]}..."


def shown(value: object) -> str:
    """A value in a sentence: short, printable, without descending into it."""
    if isinstance(value, Mapping):
        return "a table"
    if isinstance(value, list | tuple):
        return "a list"
    if isinstance(value, int) and abs(value) >= 2**64:
        return "a huge number"
    printed = "nothing" if value is None else repr(value)
    return printed if len(printed) <= _MAX_SHOWN else f"{printed[:_MAX_SHOWN]}..."
