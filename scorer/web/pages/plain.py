"""The page for browsers without scripts: a report as HTML, reloaded every 5 s.

Shows the score, the call, the last entries and their age.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from scorer.i18n import Say
from scorer.serving.plain_page import PlainPage, frame_fields
from scorer.serving.templates import Templates

REFRESH = 5  # seconds
_KEPT = ("lang", "ours", "theme")  # parameters that the links keep
_NO_QUERY: Mapping[str, str] = MappingProxyType({})

JsonObject = Mapping[str, Any]
TEMPLATES = Templates("scorer.web.pages")


def render_page(
    report: JsonObject, say: Say, language: str, theme: str, query: Mapping[str, str] = _NO_QUERY
) -> str:
    """The whole HTML of ``report``. ``query``: the parameters of the request."""
    phrases, state = report["phrases"], report["state"]
    is_here = report["table"] == "here"
    title = "Truco" if phrases is None else phrases["title"]
    page = PlainPage(language, title, REFRESH, _KEPT, [theme] if is_here else [theme, "stale"])
    fields = frame_fields(page, say, query)
    if phrases is not None:
        is_series = state["best_of"] > 1
        fields |= {
            "age": "" if is_here else _age(report, say),
            "won": state.get("rematches", state["games"] if is_series else None),
            "status": _status_lines(phrases),
            "entries": _entries(report["recent"], phrases, say),
        }
    return TEMPLATES.render("plain.html", report=report, phrases=phrases, **fields)


def _age(report: JsonObject, say: Say) -> str:
    """That the table is offline, and since when."""
    offline = say(f"web.{report['table']}")
    if not report["since"]:
        return offline
    seconds = int(report["at"] - report["since"])
    units = (
        ("web.ago.seconds", 90, 1),
        ("web.ago.minutes", 5400, 60),
        ("web.ago.hours", math.inf, 3600),
    )
    key, _, length = next(unit for unit in units if seconds < unit[1])
    return f"{offline} · {say(key, number=max(0, seconds) // length)}"


def _status_lines(phrases: JsonObject) -> Iterator[str]:
    """The status in one or more lines, and what is wrong with the box."""
    call, gains = phrases["call"], [gained["line"] for gained in phrases["reasons"]]
    if phrases["result"] is not None:
        yield from filter(None, phrases["result"].values())
    elif call is not None:
        yield f"{call['by']}: {call['title']}" if call["no"] else call["title"]
        if call["asks"] not in call["line"]:
            yield call["asks"]
        yield from filter(None, (call["line"],))
        answers = (
            f"{each['word']} {each['pays']}".strip() for each in (call["yes"], call["no"]) if each
        )
        yield " / ".join(answers).upper()
    elif phrases["next"] is not None:
        yield from (*gains, phrases["next"]["text"])
    elif phrases["special"] is not None:
        yield from (*phrases["special"].values(), *gains)
    else:
        yield phrases["stake"]
        yield from gains or (phrases["state"],)
    yield from phrases["faults"]


def _entries(recent: Sequence[JsonObject], phrases: JsonObject, say: Say) -> Iterator[str]:
    """The newest first."""
    for entry, words in [*zip(recent, phrases["recent"], strict=True)][::-1]:
        what = " ".join(filter(None, (words["gain"], words["what"])))
        who = f"{words['who']}: {what}" if words["who"] else what
        undone = f"({say('web.undone')})" if entry["undone"] else ""
        yield " ".join(filter(None, (entry["time"], who, words["score"], undone)))
