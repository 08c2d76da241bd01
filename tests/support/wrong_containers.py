"""Configurations with a value of a wrong kind, such as a list for a section.

The keys are those of ``packaging/scorer.toml``, which shows all.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from tests.paths import ROOT

Path = tuple[str, ...]

_LISTED = ("box", "panel", "scoreboard")
WRONG: tuple[object, ...] = (
    [], {}, [{}], [[]], [[{}]], {"a": {}}, {"0": 1}, [{"on": True}], [1], ["x"], 1, "x", True,
)  # fmt: skip


def example() -> dict[str, Any]:
    """Every section and key of the example file."""
    text = (ROOT / "packaging" / "scorer.toml").read_text(encoding="utf-8")
    return tomllib.loads(re.sub(r'(?m)^#(?=\[|["\w.]+ = )', "", text))


def keys(values: Mapping[str, Any], above: Path = ()) -> Iterator[Path]:
    """The path of every key, also in tables and in the first of a list of tables."""
    for key, value in values.items():
        yield (*above, key)
        inner = value[0] if isinstance(value, list) and value else value
        if isinstance(inner, dict):
            yield from keys(inner, (*above, key))


def with_wrong(path: Path, wrong: object) -> dict[str, Any]:
    """The value at this key, in the first of a list of tables if it is one."""
    section, *further = path
    for key in reversed(further):
        wrong = {key: wrong}
    return {section: [wrong] if further and section in _LISTED else wrong}


def toml(values: Mapping[str, Any]) -> str:
    """The values as TOML: one line for each section."""
    return "".join(f"{json.dumps(key)} = {_inline(value)}\n" for key, value in values.items())


def _inline(value: object) -> str:
    match value:
        case dict():
            pairs = (f"{json.dumps(key)} = {_inline(inner)}" for key, inner in value.items())
            return f"{{{', '.join(pairs)}}}"
        case list():
            return f"[{', '.join(map(_inline, value))}]"
        case _:
            return json.dumps(value)
