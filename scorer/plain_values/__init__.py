"""Read plain values, as TOML and JSON give them, into records.

A record is a NamedTuple or a frozen dataclass, read by the annotations of its fields: a scalar, a
Literal, a StrEnum, another record, a tuple, a mapping, a union with None, or ``object`` for any
value. ``Annotated`` adds bounds (``Range``, ``Text``, ``OneLine``, ``Count``, ``Like``), another
name (``Key``), ``LISTED``, ``REST`` and ``SECRET``.

Every problem is reported, as the path of its key and a sentence; a value of a wrong container is a
problem like any other. A misspelt key is rejected with the nearest valid one, because a silently
ignored setting would only be noticed during play.

A reader descends only as far as its type, counts the entries of a list before it reads them, and
quotes the beginning of a value: the work is bounded by the type and the length of the text.

A record may have ``find_problems()`` for what its values, each readable, say against each other.
"""

from scorer.plain_values.bounds import (
    LISTED,
    MAX_INTEGER,
    REST,
    SECRET,
    Bound,
    Count,
    Key,
    Like,
    OneLine,
    Range,
    Text,
)
from scorer.plain_values.fields import (
    is_record,
    kinds_of,
    secret_paths,
    secrets_in,
    without_secrets,
)
from scorer.plain_values.json_text import json_object
from scorer.plain_values.problems import (
    NO_KEY,
    NO_TABLE,
    Found,
    Path,
    ValueProblem,
    WrongValues,
    did_you_mean,
    shown,
    suggestion,
    wrong_value,
)
from scorer.plain_values.reader import read, read_tagged, reader_of

__all__ = [
    "LISTED",
    "MAX_INTEGER",
    "NO_KEY",
    "NO_TABLE",
    "REST",
    "SECRET",
    "Bound",
    "Count",
    "Found",
    "Key",
    "Like",
    "OneLine",
    "Path",
    "Range",
    "Text",
    "ValueProblem",
    "WrongValues",
    "did_you_mean",
    "is_record",
    "json_object",
    "kinds_of",
    "read",
    "read_tagged",
    "reader_of",
    "secret_paths",
    "secrets_in",
    "shown",
    "suggestion",
    "without_secrets",
    "wrong_value",
]
