"""Values of a rule card, ready for wording or JSON."""

from __future__ import annotations

from typing import NamedTuple

Value = str | int | bool


class Worth(NamedTuple):
    """Points at 0-0, and why they differ at other scores.

    ``way`` is "" for a fixed number, else "game", "series", "falta", "resto" or "level" (as many
    as make the scores equal).
    """

    points: int
    way: str = ""


class BetLine(NamedTuple):
    """A chain of calls in the variant's words, by alternating sides, and its payments.

    A payment is None if that answer is not possible. ``note`` is the key of a remark about who has
    a flor.
    """

    calls: tuple[str, ...]
    accepted: Worth | None
    refused: Worth | None
    note: str = ""


class Example(NamedTuple):
    """An accepted falta at a score: what each side is paid if it wins."""

    scores: tuple[int, int]
    pays: tuple[int, int]


class Fact(NamedTuple):
    """A sentence by its key, and its numbers."""

    key: str
    numbers: tuple[tuple[str, int], ...] = ()


class OptionValue(NamedTuple):
    """A value of an option and its sources; without sources it is not documented.

    ``words`` gives its meaning where that is calls and numbers: a ladder.
    """

    value: Value
    sources: tuple[str, ...]
    words: str = ""


class OptionLine(NamedTuple):
    """One option of the card. For a number, ``choices`` are the documented values."""

    key: str
    default: Value
    chosen: Value
    choices: tuple[OptionValue, ...]
    low: int = 0
    high: int = 0  # 0: only the choices


class OpenQuestion(NamedTuple):
    """A point on which rulebooks are silent or differ, and the option that decides it."""

    key: str
    option: str | None = None


class RuleSource(NamedTuple):
    """One source: its code on the cards, kind of text, name and location."""

    code: str
    kind: str
    name: str
    address: str = ""


class RulebookLine(NamedTuple):
    """The rulebook of a game, its source, and the options that differ from it."""

    title: str
    source: str
    differing: tuple[str, ...]


class RuleCard(NamedTuple):
    """The rule card of a game. ``title`` and the calls are words of the variant."""

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
    duel_envido: tuple[BetLine, ...]  # if a duel pays otherwise
    flor: tuple[BetLine, ...]
    falta: str  # option value that defines an accepted falta, or ""
    resto: str
    examples: tuple[Example, ...]
    facts: tuple[Fact, ...]
    options: tuple[OptionLine, ...]
    questions: tuple[OpenQuestion, ...]
    books: tuple[RuleSource, ...]
    rulebook: RulebookLine | None = None
