"""Parse a JSON text that a file or another program has given."""

import json
from typing import Any


def json_object(text: str | bytes) -> dict[str, Any] | None:
    """The object of a JSON text; None if it is another value, no JSON, or too deep."""
    try:
        found = json.loads(text, parse_constant=_reject_constant)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _reject_constant(name: str) -> None:
    """NaN and Infinity are no JSON."""
    raise ValueError(name)
