"""Events of a table for other programs: what changes between two of its states.

An UNDO goes back to a state of before: an event may come again after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

State = Mapping[str, Any]
_OVER: Final = ("agreed",)
# Of the lamps, as the light strip of a team shows them.
COLORS: Final[Mapping[str, str]] = {
    "yellow": "FFAA00",
    "sky_blue": "0096FF",
    "red": "FF0000",
    "green": "00FF00",
    "blue": "0000FF",
    "white": "FFFFFF",
    "orange": "FF4600",
    "black": "8200FF",
}


class TableEvent(NamedTuple):
    """``name``: such as ``call.truco``; ``side`` "": none; ``points``: of ``score``."""

    name: str
    side: str = ""
    points: int = 0


def events_between(before: State | None, after: State) -> Iterator[TableEvent]:
    """The events that lead from one state to the next; none without a state before."""
    if before is None:
        return
    yield from _match_events(before.get("match"), after.get("match"))
    pending, was = after.get("pending"), before.get("pending")
    if pending and (was is None or _call(pending) != _call(was)):
        yield TableEvent(f"call.{pending.get('call')}", str(pending.get("by")))
    elif was and not pending:
        yield TableEvent("answer", str(was.get("by")))
    old, new = before.get("score") or {}, after.get("score") or {}
    if old.keys() == new.keys() and before.get("games") == after.get("games"):
        changed = {side: new[side] - old[side] for side in new if new[side] != old[side]}
        for side, points in changed.items():
            yield TableEvent("score", side, points)
    if after.get("winner") and not before.get("winner"):
        yield TableEvent("game.over", str(after["winner"]))


def event_document(event: TableEvent, state: State, device: str, table: int) -> dict[str, Any]:
    """The event as JSON values: docs/operators/link.md#events.

    ``table``: its number in the hall, 0 in none.
    """
    match, names = state.get("match") or {}, state.get("names") or {}
    offered = match.get("names")
    lamps = state.get("lamps") or {}
    return {
        "event": event.name,
        "device": device,
        "table": table,
        "side": event.side,
        "team": names.get(event.side, ""),
        "color": COLORS.get(str(lamps.get(event.side)), "FFFFFF"),
        "call": event.name.partition(".")[2] if event.name.startswith("call.") else "",
        "points": event.points,
        "match": str(match.get("id", "")),
        "teams": list(offered) if offered else [*names.values()],
        "score": state.get("score"),
    }


def _call(pending: Mapping[str, Any]) -> tuple[object, object]:
    return pending.get("by"), pending.get("call")


def _match_events(before: State | None, after: State | None) -> Iterator[TableEvent]:
    if after is None:
        return
    was = before or {}
    is_same = all(was.get(key) == after.get(key) for key in ("id", "rev"))
    phase = after.get("phase")
    if phase == "offered" and not (is_same and was.get("phase") == "offered"):
        yield TableEvent("match.called")
    if phase in _OVER and is_same and was.get("phase") not in _OVER:
        yield TableEvent("match.over")
