"""The tables of the wall, from its document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scorer.hub.drawn.fragment import TEMPLATES, Fragment, fragment
from scorer.hub.titles import event_title
from scorer.hub.tournament_phrases import clock_text
from scorer.i18n import Say

Json = Mapping[str, Any]


def table_fragment(table: Json, events: Mapping[int, str], say: Say, clock: str = "") -> Fragment:
    """One table.

    ``events``: as ``event_names`` has them; ``clock``: as ``table_clock`` has it.
    Without the clock, a match that is played does not change its fragment from minute to minute.
    """
    draw = TEMPLATES.fragment("table.html", "table")
    html = draw(table, events.get(table["tournament"], ""), say, clock)
    return fragment(f"table-{table['table']}", html)


def table_clock(table: Json, say: Say) -> str:
    """How long the match in play has; "" without a limit."""
    time = table["time"]
    return clock_text(time["left"], time["over"], say) if time else ""


def event_names(document: Json, say: Say) -> dict[int, str]:
    """The name of each tournament, if there are several."""
    found = {
        each["id"]: event_title(each["name"], each["format"], each["category"], say)
        for each in document["tournaments"]
    }
    return found if len(found) > 1 else {}


def queue_text(document: Json, say: Say) -> str:
    """The teams of the next matches in one line; "" without one."""
    names = " · ".join(
        f"{at}. {' – '.join(teams)}" for at, teams in enumerate(document["queue"], 1)
    )
    return say("hub.next", names=names) if names else ""


class DrawnWall:
    """The wall in one language, of which only what changes is made again."""

    def __init__(self, say: Say) -> None:
        self._say = say
        self._events: Mapping[int, str] = {}
        self._tables: dict[int, tuple[Json, Fragment]] = {}  # by number, without their clocks
        self._shown: dict[str, Any] = {}

    def whole(self) -> dict[str, Any]:
        """All that a page shows: ``head`` above the tables, the tables, their clocks."""
        tables = [each._asdict() for _, each in self._tables.values()]
        return {**self._shown, "tables": tables}

    def update(self, document: Json) -> dict[str, Any]:
        """Draw a newer document; what of ``whole`` is another one now.

        It is empty if all is the same. Without ``keys``, the list of tables is the same as before,
        and those of ``tables`` have changed.
        """
        say, before = self._say, self._shown
        events = event_names(document, say)
        if events != self._events:
            self._events, self._tables = events, {}
        changed, tables = [], {}
        for table in document["tables"]:
            number, still = table["table"], {**table, "time": table["time"] and {}}
            known = self._tables.get(number)
            if known is None or known[0] != still:
                known = still, table_fragment(table, events, say)
                changed.append(known[1])
            tables[number] = known
        self._tables = tables
        clocks = {
            f"table-{each['table']}": table_clock(each, say)
            for each in document["tables"]
            if each["time"]
        }
        self._shown = {
            "version": document["version"],
            "head": {
                "hall": document["hall"],
                "has_teams": document["has_teams"],
                "next": queue_text(document, say),
            },
            "keys": [each.key for _, each in tables.values()],
            "clocks": clocks,
        }
        if not before or any(before[key] != self._shown[key] for key in ("version", "keys")):
            return self.whole()
        other = {key: self._shown[key] for key in before if before[key] != self._shown[key]}
        if not changed and not other:
            return {}
        return {**other, "tables": [each._asdict() for each in changed]}
