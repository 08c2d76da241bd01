"""The frame of pages for browsers without scripts, which are loaded repeatedly.

A link stops that, which moves readers away from what they read (WCAG 2.2.1). A template of such a
page extends ``plain_frame.html`` and fills its blocks ``head`` and ``body``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple
from urllib.parse import urlencode

PATH = "/plain"
Say = Callable[[str], str]  # the words of a key
_STILL = ("reload", "no")  # the field of an address whose page is not loaded again


class PlainPage(NamedTuple):
    """What the frame of a plain page has.

    ``classes``: of its body; ``refresh``: seconds until it, or the page ``next`` of the same
    fields, is loaded; ``kept``: the fields of the query that its links keep.
    """

    language: str
    title: str
    refresh: int
    kept: tuple[str, ...]
    classes: Iterable[str] = ()
    next: str = ""


def frame_fields(page: PlainPage, say: Say, query: Mapping[str, str]) -> dict[str, object]:
    """What ``plain_frame.html`` is filled with.

    ``query``: the parameters of the request.
    """
    kept = [(name, query[name]) for name in page.kept if name in query]
    refresh = str(page.refresh)
    if page.next:
        turned = [(name, value) for name, value in kept if name != "page"]
        refresh += f"; url={PATH}?{urlencode([*turned, ('page', page.next)])}"
    reloads = query.get(_STILL[0]) != _STILL[1]
    return {
        "page": page,
        "say": say,
        "refresh": refresh if reloads else "",
        "still": f"{PATH}?{urlencode([*kept, _STILL])}",
        "moving": f"{PATH}?{urlencode(kept)}",
    }
