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
    """One table. ``events``: as ``event_names`` has them; ``clock``: as ``table_clock`` has it.

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
