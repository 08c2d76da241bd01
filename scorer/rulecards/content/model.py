"""The nouns of a rule card: plain values, ready to be worded or written as JSON."""

from __future__ import annotations

from typing import NamedTuple

Value = str | int | bool


class Worth(NamedTuple):
    """Points at 0-0, and why they are others at another score.

    ``way`` is "" for a fixed number, else "game", "series", "falta", "resto" or "level" (as many
    as make the scores equal).
    """

    points: int
    way: str = ""


class BetLine(NamedTuple):
    """A chain of calls in the variant's words, the sides taking turns, and what it pays.

    None where that answer is not possible. ``note`` is the key of a remark: who has a flor.
    """

    calls: tuple[str, ...]
    accepted: Worth | None
    refused: Worth | None
    note: str = ""


class Example(NamedTuple):
    """An accepted falta at a score: what either side takes if it wins."""

    scores: tuple[int, int]
    pays: tuple[int, int]


class Fact(NamedTuple):
    """One sentence by its key, and the numbers in it."""

    key: str
    numbers: tuple[tuple[str, int], ...] = ()


class OptionValue(NamedTuple):
    """A value of an option and who plays it so; no sources: nobody wrote about it.

    ``words`` is what it means where that is calls and numbers: a ladder.
    """

    value: Value
    sources: tuple[str, ...]
    words: str = ""


class OptionLine(NamedTuple):
    """One thing a table may choose. ``choices`` of a number are the values that somebody tells."""

    key: str
    default: Value
    chosen: Value
    choices: tuple[OptionValue, ...]
    low: int = 0
    high: int = 0  # 0: only the choices


class OpenQuestion(NamedTuple):
    """Where the rulebooks are silent or differ, and the option that changes what was decided."""

    key: str
    option: str | None = None


class RuleSource(NamedTuple):
    """One source: its code on the cards, what kind of text it is, its name and where it is."""

    code: str
    kind: str
    name: str
    address: str = ""


class RuleCard(NamedTuple):
    """Everything a table must agree on. ``title`` and the calls are words of the variant."""

    variant: str
    title: str
    players: tuple[int, ...]
    deck: str
    target: int
    half: int | None
    base: int
    chosen: tuple[tuple[str, Value], ...]
    ladder: tuple[BetLine, ...]
    envido: tuple[BetLine, ...]
    duel_envido: tuple[BetLine, ...]  # where a duel pays otherwise
    flor: tuple[BetLine, ...]
    falta: str  # value of the option that says how an accepted falta is reckoned, or ""
    resto: str
    examples: tuple[Example, ...]
    facts: tuple[Fact, ...]
    options: tuple[OptionLine, ...]
    questions: tuple[OpenQuestion, ...]
    books: tuple[RuleSource, ...]
