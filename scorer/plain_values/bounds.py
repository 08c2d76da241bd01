"""What ``Annotated`` says of the fields of a record."""

import re
from collections.abc import Mapping
from enum import Enum
from typing import Any, Final, NamedTuple, Protocol

MAX_INTEGER: Final = 2**62  # of a Range without an end


class Bound(Protocol):
    """A limit of a readable value, in ``Annotated``."""

    def problem(self, value: Any, /) -> str:  # noqa: ANN401
        """What is wrong with the value, without quoting it; "" if it is right."""


class Range(NamedTuple):
    """A number from ``least`` to ``most``."""

    least: float
    most: float = MAX_INTEGER
    unit: str = ""

    def problem(self, value: float) -> str:
        if self.least <= value <= self.most:
            return ""
        if self.most == MAX_INTEGER:
            return f"is not a number from {self.least} on"
        return f"{self.unit}is not from {self.least} to {self.most}"


class Text(NamedTuple):
    """A text of ``fewest`` to ``most`` characters."""

    most: int
    fewest: int = 1

    def problem(self, value: str) -> str:
        if self.fewest <= len(value) <= self.most:
            return ""
        return f"is not a text of {self.fewest} to {self.most} characters"


class Count(NamedTuple):
    """A list or table of ``fewest`` to ``most`` entries."""

    fewest: int
    most: int

    def problem(self, value: tuple[object, ...] | Mapping[str, object]) -> str:
        if self.fewest <= len(value) <= self.most:
            return ""
        return f"has {len(value)} entries, not {self.fewest} to {self.most}"


class Like(NamedTuple):
    """A text of a form; ``sentence`` follows it: "is not like 23:00-08:00"."""

    pattern: str
    sentence: str

    def problem(self, value: str) -> str:
        return "" if re.fullmatch(self.pattern, value) else self.sentence


class Key(NamedTuple):
    """The key of a field whose name is a word of Python."""

    name: str


class _Mark(Enum):
    REST = "rest"
    SECRET = "secret"


REST: Final = _Mark.REST  # the field gets the keys that no other field has
SECRET: Final = _Mark.SECRET  # a value that is not quoted, printed or stored
