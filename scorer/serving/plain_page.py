"""The frame of pages for browsers without scripts, which are loaded repeatedly.

A link stops that, which moves readers away from what they read (WCAG 2.2.1).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from html import escape
from typing import NamedTuple
from urllib.parse import urlencode

PATH = "/plain"
Say = Callable[[str], str]  # the words of a key
_STILL = ("reload", "no")  # the field of an address whose page is not loaded again


class PlainPage(NamedTuple):
    """What a plain page has.

    ``body``: as HTML; ``classes``: of its body; ``refresh``: seconds until it, or the page ``next``
    of the same fields, is loaded; ``kept``: the fields of the query that its links keep.
    """

    language: str
    title: str
    body: str
    refresh: int
    kept: tuple[str, ...]
    classes: Iterable[str] = ()
    head: str = ""
    next: str = ""


def plain_html(page: PlainPage, say: Say, query: Mapping[str, str]) -> str:
    """The whole HTML. ``query``: the parameters of the request."""
    reloads = query.get(_STILL[0]) != _STILL[1]
    kept = [(name, query[name]) for name in page.kept if name in query]
    content = str(page.refresh)
    if page.next:
        turned = [(name, value) for name, value in kept if name != "page"]
        content += f"; url={PATH}?{urlencode([*turned, ('page', page.next)])}"
    refresh = f'<meta http-equiv="refresh" content="{escape(content)}">\n' if reloads else ""
    return (
        f'<!doctype html>\n<html lang="{escape(page.language)}">\n<head>\n<meta charset="utf-8">\n'
        f'{refresh}<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(page.title)}</title>\n{page.head}"
        '<link rel="stylesheet" href="/static/plain.css">\n</head>\n'
        f'<body class="{escape(" ".join(page.classes))}">\n<main>\n{page.body}'
        f"{_reload_links(say, kept, reloads=reloads)}</main>\n</body>\n</html>\n"
    )


def _reload_links(say: Say, kept: list[tuple[str, str]], *, reloads: bool) -> str:
    still = [*kept, _STILL]
    links = [("web.refresh.stop", still)]
    if not reloads:
        links = [("web.refresh.now", still), ("web.refresh.start", kept)]
    made = (
        f'<a href="{PATH}?{escape(urlencode(fields))}">{escape(say(key))}</a>'
        for key, fields in links
    )
    words = [escape(say("web.refresh"))] if reloads else []
    return f'<p class="foot">{" · ".join([*words, *made])}</p>\n'
