"""What ``Annotated`` says of the fields of a record.

These are no tuples: readers are found by equal annotations, and tuples of two classes may be equal.
"""

import re
from collections.abc import Sized
from enum import Enum
from typing import Any, Final, Protocol

from scorer.plain_values.value import Value

MAX_INTEGER: Final = 2**62  # of a Range without an end
_UNSTORABLE: Final = re.compile("[\0\ud800-\udfff]")  # NUL, and half of a surrogate pair


class Bound(Protocol):
    """A limit of a readable value, in ``Annotated``."""

    def problem(self, value: Any, /) -> str:  # noqa: ANN401
        """What is wrong with the value, without quoting it; "" if it is right."""


class Range(Value):
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


class Text(Value):
    """A text of ``fewest`` to ``most`` characters that every database stores."""

    most: int
    fewest: int = 1

    def problem(self, value: str) -> str:
        if not self.fewest <= len(value) <= self.most:
            return f"is not a text of {self.fewest} to {self.most} characters"
        return "has characters that cannot be stored" if _UNSTORABLE.search(value) else ""


class OneLine(Value):
    """A printable text of one line; spaces alone are no text."""

    most: int
    fewest: int = 1

    def problem(self, value: str) -> str:
        if self.fewest <= len(value.strip()) <= len(value) <= self.most and value.isprintable():
            return ""
        return f"is not a text of one line, of {self.fewest} to {self.most} characters"


class Count(Value):
    """A list or table of ``fewest`` to ``most`` entries."""

    fewest: int
    most: int

    def problem(self, value: Sized) -> str:
        if self.fewest <= len(value) <= self.most:
            return ""
        return f"has {len(value)} entries, not {self.fewest} to {self.most}"


class Like(Value):
    """A text of a form; ``sentence`` follows it: "is not like 23:00-08:00"."""

    pattern: str
    sentence: str

    def problem(self, value: str) -> str:
        return "" if re.fullmatch(self.pattern, value) else self.sentence


class Key(Value):
    """The key of a field whose name is a word of Python."""

    name: str


class _Mark(Enum):
    LISTED = "listed"
    REST = "rest"
    SECRET = "secret"


LISTED: Final = _Mark.LISTED  # a NamedTuple, written as the list of its values
REST: Final = _Mark.REST  # the field is read from the keys that no other field has
SECRET: Final = _Mark.SECRET  # a value that is not quoted, printed or stored
