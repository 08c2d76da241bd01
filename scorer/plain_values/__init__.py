"""Read plain values, as TOML and JSON give them, into records.

A record is a NamedTuple or a frozen dataclass, read by the annotations of its fields: a scalar, a
Literal, a StrEnum, another record, a tuple, a mapping, a union with None, or ``object`` for any
value. ``Annotated`` adds bounds (``Range``, ``Text``, ``Count``, ``Like``), another name (``Key``),
``REST`` and ``SECRET``.

Every problem is reported, as the path of its key and a sentence; a value of a wrong container is a
problem like any other. A misspelt key is rejected with the nearest valid one, because a silently
ignored setting would only be noticed during play.

A record may have ``find_problems()`` for what its values, each readable, say against each other.
"""

from scorer.plain_values.bounds import (
    MAX_INTEGER,
    REST,
    SECRET,
    Bound,
    Count,
    Key,
    Like,
    Range,
    Text,
)
from scorer.plain_values.problems import (
    NO_TABLE,
    Found,
    Path,
    ValueProblem,
    WrongValues,
    did_you_mean,
    shown,
)
from scorer.plain_values.reader import (
    is_record,
    kinds_of,
    read,
    read_tagged,
    reader_of,
    secret_fields,
)

__all__ = [
    "MAX_INTEGER",
    "NO_TABLE",
    "REST",
    "SECRET",
    "Bound",
    "Count",
    "Found",
    "Key",
    "Like",
    "Path",
    "Range",
    "Text",
    "ValueProblem",
    "WrongValues",
    "did_you_mean",
    "is_record",
    "kinds_of",
    "read",
    "read_tagged",
    "reader_of",
    "secret_fields",
    "shown",
]
