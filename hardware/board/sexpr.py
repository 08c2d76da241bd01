"""Files of KiCad as nested tuples, each of which begins with a keyword."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from typing import Union

Item = Union[str, int, float, "Word", tuple["Item", ...]]
PROJECT = "truco-board"
_SPACE = uuid.uuid5(uuid.NAMESPACE_URL, "truco-scorer/hardware/board")
_INLINE = 100  # characters
_TOKENS = re.compile(r'("(?:[^"\\]|\\.)*")|([()])|([^\s()"]+)')


class Word(str):
    """A keyword, which has no quotes."""

    __slots__ = ()


YES, NO = Word("yes"), Word("no")


def dump(item: tuple[Item, ...]) -> str:
    """The text of a file."""
    return _text(item, 0) + "\n"


def identity(*names: object) -> tuple[str, str]:
    """The identifier of a thing: the same for the same names."""
    return ("uuid", str(uuid.uuid5(_SPACE, "/".join(map(str, names)))))


def font(size: float, *justify: str, hidden: bool = False) -> tuple[Item, ...]:
    """The looks of a text of that height in mm."""
    look: tuple[Item, ...] = ("font", ("size", size, size), ("thickness", round(size * 0.15, 3)))
    side = (("justify", *map(Word, justify)),) if justify else ()
    return ("effects", look, *side, *((("hide", YES),) if hidden else ()))


def parse(text: str) -> tuple[Item, ...]:
    """A file as nested tuples; every atom is a string. Raises ValueError."""
    open_lists: list[list[Item]] = [[]]
    for quoted, bracket, word in _TOKENS.findall(text):
        if bracket == "(":
            open_lists.append([])
        elif bracket:
            done = tuple(open_lists.pop())
            open_lists[-1].append(done)
        else:
            open_lists[-1].append(word or quoted[1:-1].replace('\\"', '"').replace("\\\\", "\\"))
    (root,) = open_lists[0]
    if not isinstance(root, tuple):
        raise ValueError(f"not a list: {root}")
    return root


def children(item: tuple[Item, ...], head: str) -> Iterator[tuple[Item, ...]]:
    """The lists in a list that begin with that word."""
    return (each for each in item if isinstance(each, tuple) and each[0] == head)


def value(item: tuple[Item, ...], head: str) -> str:
    """The word behind the first of these."""
    return str(next(children(item, head))[1])


def _text(item: tuple[Item, ...], depth: int) -> str:
    head, *rest = item
    flat = f"({head} {' '.join(_atom(each) for each in rest)})" if rest else f"({head})"
    if len(flat) <= _INLINE:
        return flat
    indent = "\n" + "\t" * (depth + 1)
    lines = [f"({head}"]
    for each in rest:
        if isinstance(each, tuple):
            lines.append(f"{indent}{_text(each, depth + 1)}")
        else:
            lines.append(f" {_atom(each)}")
    return "".join(lines) + "\n" + "\t" * depth + ")"


def _atom(item: Item) -> str:
    if isinstance(item, tuple):
        return _text(item, 0).replace("\n", " ").replace("\t", "")
    if isinstance(item, Word):
        return item
    if isinstance(item, str):
        escaped = item.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    return str(item) if isinstance(item, int) else f"{item:.4f}".rstrip("0").rstrip(".")
