"""Encode the state document for big scoreboards (docs/makers/scoreboard.md).

Two lines; keys are only ever added, at the end of a line.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

VERSION = 1
MAX_NAME_CHARS = 48  # characters of an encoded name; %C3%B1 counts as six
_NONE = "-"

State = Mapping[str, Any]


def encode_state(state: State) -> tuple[str, str]:
    """The lines of names and score, without their checksums."""
    names = state.get("names") or {}
    sides: Sequence[str] = state["sides"]
    encoded = (f"{side}={_encode_name(names.get(side, ''))}" for side in sides)
    return (
        f"S{VERSION} names {' '.join(encoded)}",
        f"S{VERSION} score {' '.join(_score_fields(state))}",
    )


def encode_no_score() -> tuple[str]:
    """The line of a table without a score, whose store cannot be read."""
    return (f"S{VERSION} none",)


def _score_fields(state: State) -> Iterable[str]:
    sides: Sequence[str] = state["sides"]
    for side in sides:
        yield f"{side}={state['score'][side]}"
    for side in sides:
        said, half = state["spoken"][side]
        yield f"{side}.said={said}{(half or _NONE)[0]}"
    yield f"target={state['target']}"
    yield "games=" + ":".join(str(state["games"][side]) for side in sides)
    yield f"hand={state['hand']}"
    yield f"mano={state['mano']}"
    yield f"phase={state['phase']}"
    yield f"stake={state['stake']}"
    pending = state["pending"]
    if pending is None:
        yield f"call={_NONE} by={_NONE} yes={_NONE} no={_NONE}"
    else:
        yield f"call={pending['call']} by={pending['by']}"
        yield f"yes={_encode_points(pending['quiero'])} no={_encode_points(pending['no_quiero'])}"
    yield f"winner={state['winner'] or _NONE}"
    for key in ("gallo", "pot"):
        yield f"{key}={_NONE if state[key] is None else state[key]}"


def _encode_points(points: object) -> str:
    """Encode a number of points, or that of each side where they differ: A3/B15."""
    if isinstance(points, Mapping):
        return "/".join(f"{side}{points}" for side, points in sorted(points.items()))
    return _NONE if points is None else str(points)


def _encode_name(name: str) -> str:
    """A name as one word: percent-encoded UTF-8, cut between two characters."""
    written = ""
    for letter in name:
        is_plain = letter.isascii() and letter.isalnum()
        encoded = letter.encode("utf-8", "replace")
        more = written + (letter if is_plain else "".join(f"%{byte:02X}" for byte in encoded))
        if len(more) > MAX_NAME_CHARS:
            break
        written = more
    return written or _NONE
