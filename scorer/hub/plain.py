"""The hall for browsers without scripts: tables, teams and scores, in pages.

All text of people is escaped.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from math import ceil
from typing import Any

from scorer.hub.titles import event_title
from scorer.hub.tournament_phrases import clock_text
from scorer.i18n import Say
from scorer.serving.plain_page import PlainPage, plain_html

REFRESH = 10  # seconds until the next page
MOST = 16  # tables of a page
_KEPT = ("lang", "page")  # parameters that the links keep
FIELDS = (*_KEPT, "reload")  # parameters that the page depends on
_NAMES = ("side.ours", "side.theirs", "side.third")  # of teams without one

Json = Mapping[str, Any]


def plain_hall(document: Json, say: Say, language: str, query: Mapping[str, str]) -> str:
    """A page of the wall's ``document`` as HTML.

    ``query``: the parameters of the request.
    """
    tables = document["tables"]
    count = max(1, ceil(len(tables) / MOST))
    size = ceil(len(tables) / count)
    asked = query.get("page", "")
    at = (int(asked) - 1) % count if asked.isdecimal() and len(asked) < 5 else 0
    place = f" · {at + 1}/{count}" if count > 1 else ""
    events = _events(document, say)
    rows = "".join(
        _row(table, events.get(table["tournament"], ""), say)
        for table in tables[at * size : (at + 1) * size]
    )
    body = f"<h1>{escape(document['hall'])}{place}</h1>\n"
    if rows:
        body += f'<table class="hall">\n{rows}</table>\n'
    else:
        body += f'<p class="now">{escape(say("hub.none"))}</p>\n'
    if queue := document["queue"]:
        names = " · ".join(f"{at}. {' – '.join(teams)}" for at, teams in enumerate(queue, 1))
        body += f"<p>{escape(say('hub.next', names=names))}</p>\n"
    following = str((at + 1) % count + 1) if count > 1 else ""
    page = PlainPage(language, document["hall"], body, REFRESH, _KEPT, next=following)
    return plain_html(page, say, query)


def _events(document: Json, say: Say) -> dict[int, str]:
    """The name of each tournament, if there are several."""
    found = {
        each["id"]: event_title(each["name"], each["format"], each["category"], say)
        for each in document["tournaments"]
    }
    return found if len(found) > 1 else {}


def _row(table: Json, event: str, say: Say) -> str:
    """A table: number and tournament, teams with the score between them, a note."""
    number = " · ".join(filter(None, (say("hub.table", n=table["table"]), table["name"], event)))
    kind = ' class="silent"' if table["silent"] else ""
    cells = "".join(f"<td{width}>{text}</td>" for width, text in _cells(table, say))
    note = escape(_note(table, say))
    return f'<tr{kind}><th scope="row">{escape(number)}</th>{cells}<td>{note}</td></tr>\n'


def _cells(table: Json, say: Say) -> Iterator[tuple[str, str]]:
    """The attributes and HTML of the cells of teams and score, or of one cell."""
    game, called = table["game"], table["called"]
    if called:
        yield ' colspan="3"', escape(" – ".join(called))
    elif game is None:
        yield ' colspan="3"', ""
    else:
        sides = [
            (escape(side["name"] or say(name)), _score(game, side))
            for side, name in zip(game["sides"], _NAMES, strict=False)
        ]
        if len(sides) == 2:
            (ours, points), (theirs, others) = sides
            yield "", ours
            yield ' class="points"', f"{points} – {others}"
            yield "", theirs
        else:
            yield ' colspan="3"', " · ".join(f"{name} <b>{points}</b>" for name, points in sides)


def _score(game: Json, side: Json) -> str:
    """The points of a side, after the games of a series."""
    return f"({side['games']}) {side['score']}" if game["best_of"] > 1 else str(side["score"])


def _note(table: Json, say: Say) -> str:
    """As on the wall: of a contested match not that it was won."""
    game = table["game"]
    if table["silent"]:
        return say("hub.silent")
    if table["alarm"]:
        return say("hub.alarm")
    if table["called"]:
        return say("hub.state.offered")
    if game is None:
        return say("hub.free")
    for side, name in zip(game["sides"], _NAMES, strict=False):
        if side["side"] == game["winner"]:
            return say("hub.wins", name=side["name"] or say(name))
    return clock_text(time["left"], time["over"], say) if (time := table["time"]) else ""
