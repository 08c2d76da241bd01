"""The hall for browsers without scripts: tables, teams and scores, in pages."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil

from scorer.hub.drawn.fragment import TEMPLATES
from scorer.hub.drawn.tables import Json, event_names, queue_text, table_clock, table_fragment
from scorer.i18n import Say
from scorer.serving.plain_page import PlainPage, frame_fields

REFRESH = 10  # seconds until the next page
MOST = 16  # tables of a page
_KEPT = ("lang", "page")  # parameters that the links keep
FIELDS = (*_KEPT, "reload")  # parameters that the page depends on


def plain_hall(document: Json, say: Say, language: str, query: Mapping[str, str]) -> str:
    """A page of the wall's ``document`` as HTML.

    ``query``: the parameters of the request.
    """
    tables = document["tables"]
    count = max(1, ceil(len(tables) / MOST))
    size = ceil(len(tables) / count)
    asked = query.get("page", "")
    at = (int(asked) - 1) % count if asked.isdecimal() and len(asked) < 5 else 0
    events = event_names(document, say)
    following = str((at + 1) % count + 1) if count > 1 else ""
    page = PlainPage(language, document["hall"], REFRESH, _KEPT, next=following)
    return TEMPLATES.render(
        "plain_hall.html",
        **frame_fields(page, say, query),
        place=f" · {at + 1}/{count}" if count > 1 else "",
        tables=[
            table_fragment(each, events, say, table_clock(each, say))
            for each in tables[at * size : (at + 1) * size]
        ],
        queue=queue_text(document, say),
    )
