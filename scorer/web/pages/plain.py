"""The page for browsers without scripts: a report as HTML, reloaded every 5 s.

Shows the score, the call, the last entries and their age. All text from players is escaped.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from types import MappingProxyType
from typing import Any

from scorer.i18n import Say
from scorer.serving.plain_page import PlainPage, plain_html

REFRESH = 5  # seconds
_KEPT = ("lang", "ours", "theme")  # parameters that the links keep
_NO_QUERY: Mapping[str, str] = MappingProxyType({})

JsonObject = Mapping[str, Any]


def render_page(
    report: JsonObject, say: Say, language: str, theme: str, query: Mapping[str, str] = _NO_QUERY
) -> str:
    """The whole HTML of ``report``. ``query``: the parameters of the request."""
    phrases = report["phrases"]
    body = _no_state(report, say) if phrases is None else _body(report, phrases, say)
    page = PlainPage(
        language,
        "Truco" if phrases is None else phrases["title"],
        body,
        REFRESH,
        _KEPT,
        [theme] if report["table"] == "here" else [theme, "stale"],
        '<link rel="icon" href="/static/icon.svg">\n',
    )
    return plain_html(page, say, query)


def _no_state(report: JsonObject, say: Say) -> str:
    key = "web.trouble" if report["table"] == "trouble" else "web.connecting"
    return f'<p class="now">{escape(say(key))}</p>\n'


def _body(report: JsonObject, phrases: JsonObject, say: Say) -> str:
    return "".join(
        (
            f"<h1>{escape(phrases['game'])}</h1>\n",
            *_age_note(report, say),
            _scores(report["state"], phrases),
            *(f'<p class="now">{escape(line)}</p>\n' for line in _status_lines(phrases)),
            _recent_list(report["recent"], phrases, say),
        )
    )


def _age_note(report: JsonObject, say: Say) -> Iterator[str]:
    """A note that the table is offline, and since when."""
    if report["table"] == "here":
        return
    ago = _ago(report["at"] - report["since"], say) if report["since"] else ""
    words = " · ".join(filter(None, (say(f"web.{report['table']}"), ago)))
    yield f'<p class="age">{escape(words)}</p>\n'


def _ago(seconds: float, say: Say) -> str:
    units = (("web.ago.seconds", 90, 1), ("web.ago.minutes", 5400, 60))
    for key, below, length in units:
        if seconds < below:
            return say(key, number=max(0, int(seconds)) // length)
    return say("web.ago.hours", number=int(seconds) // 3600)


def _scores(state: JsonObject, phrases: JsonObject) -> str:
    cells = (_side(state, side, phrases["sides"][side]) for side in phrases["order"])
    kind = ' class="three"' if len(phrases["order"]) > 2 else ""
    return f"<table{kind}><tr>\n{''.join(cells)}</tr></table>\n"


def _side(state: JsonObject, side: str, phrases: JsonObject) -> str:
    mano = "\u00a0●" if state["mano"] == side else ""
    won = state.get("rematches", state["games"] if state["best_of"] > 1 else None)
    games = "" if won is None else f" ({won[side]})"
    return (
        f"<td><h2>{escape(phrases['name'])}{games}{mano}</h2>"
        f'<p class="score">{phrases["score"]}</p><p>{escape(phrases["spoken"])}</p></td>\n'
    )


def _status_lines(phrases: JsonObject) -> Iterator[str]:
    """The status in one or more lines."""
    call, gains = phrases["call"], [gained["line"] for gained in phrases["reasons"]]
    if phrases["result"] is not None:
        yield from filter(None, phrases["result"].values())
    elif call is not None:
        yield from _call_lines(call)
    elif phrases["next"] is not None:
        yield from (*gains, phrases["next"]["text"])
    elif phrases["special"] is not None:
        yield from (*phrases["special"].values(), *gains)
    else:
        yield phrases["stake"]
        yield from gains or (phrases["state"],)


def _call_lines(call: JsonObject) -> Iterator[str]:
    yield f"{call['by']}: {call['title']}" if call["no"] else call["title"]
    if call["asks"] not in call["line"]:
        yield call["asks"]
    yield from filter(None, (call["line"],))
    answers = (
        f"{each['word']} {each['pays']}".strip() for each in (call["yes"], call["no"]) if each
    )
    yield " / ".join(answers).upper()


def _recent_list(recent: Sequence[JsonObject], phrases: JsonObject, say: Say) -> str:
    pairs = [*zip(recent, phrases["recent"], strict=True)][::-1]
    lines = (f"<li>{escape(_entry(entry, phrases, say))}</li>\n" for entry, phrases in pairs)
    return f"<ul>\n{''.join(lines)}</ul>\n"


def _entry(entry: JsonObject, phrases: JsonObject, say: Say) -> str:
    what = " ".join(filter(None, (phrases["gain"], phrases["what"])))
    who = f"{phrases['who']}: {what}" if phrases["who"] else what
    undone = f"({say('web.undone')})" if entry["undone"] else ""
    return " ".join(filter(None, (entry["time"], who, phrases["score"], undone)))
