"""The page for browsers that run no script: one report as HTML, asked for again every 5 seconds.

It tells the score, the call and the last entries, and how old they are. Everything that people
wrote is escaped. It knows a report and the words; no socket and no HTTP.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from scorer.i18n import Say, is_plural

REFRESH = 5  # seconds

_SEAT_NAMES = {"A": "side.first", "B": "side.second", "C": "side.third"}
_TEAM_NAMES = {"A": "side.ours", "B": "side.theirs"}

JsonObject = Mapping[str, Any]


def render_page(report: JsonObject, say: Say, language: str, theme: str) -> str:
    """The whole HTML of ``report``."""
    state = report.get("state")
    body = _no_state(report, say) if state is None else _body(_Page(report, state, say))
    stale = "" if report["table"] == "here" else " stale"
    return (
        f'<!doctype html>\n<html lang="{escape(language)}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="refresh" content="{REFRESH}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<title>{escape(_title(report, say))}</title>\n<link rel="icon" href="/static/icon.svg">\n'
        '<link rel="stylesheet" href="/static/plain.css">\n</head>\n'
        f'<body class="{escape(theme)}{stale}">\n<main>\n{body}</main>\n</body>\n</html>\n'
    )


class _Page:
    """A report and its words."""

    def __init__(self, report: JsonObject, state: JsonObject, say: Say) -> None:
        self.report, self.state, self.say = report, state, say
        self.board: JsonObject = report.get("board") or {}

    def name(self, side: str | None) -> str:
        """A side as people call it; "" of nobody."""
        state = self.state
        if side == "gallo":
            side = state["gallo"]
        if side == "pair":
            return self.say("side.pair")
        if side not in _SEAT_NAMES:
            return ""
        seats = _SEAT_NAMES if len(state["sides"]) > 2 else _TEAM_NAMES
        chosen = state.get("names", {}).get(side, "")
        return str(chosen) or self.say(seats[side])

    def score(self, side: str) -> int:
        """Never past the target, but a pile may grow past where it began."""
        points = int(self.state["score"][side])
        return points if self.state["pot"] is not None else min(points, self.state["target"])

    def points(self, value: object) -> str:
        """What something pays, in figures or in a word."""
        if isinstance(value, Mapping):
            return "/".join(dict.fromkeys(self.points(each) for each in value.values()))
        if value in ("game", "series"):
            return self.say(f"stake.{value}.short")
        return "" if value is None else str(value)


def _title(report: JsonObject, say: Say) -> str:
    state = report.get("state")
    if state is None:
        return "Truco"
    told = _Page(report, state, say)
    return say("web.title", score=" - ".join(str(told.score(side)) for side in state["sides"]))


def _no_state(report: JsonObject, say: Say) -> str:
    key = "web.trouble" if report["table"] == "trouble" else "web.connecting"
    return f'<p class="now">{escape(say(key))}</p>\n'


def _body(page: _Page) -> str:
    return "".join(
        (
            f"<h1>{escape(str(page.board.get('title', 'Truco')))}</h1>\n",
            *_age_note(page),
            _scores(page),
            *(f'<p class="now">{escape(line)}</p>\n' for line in _status_lines(page)),
            _recent_list(page),
            f'<p class="foot">{escape(page.say("web.refresh"))}</p>\n',
        )
    )


def _age_note(page: _Page) -> Iterator[str]:
    """That the table has gone, and how long ago."""
    report, say = page.report, page.say
    if report["table"] == "here":
        return
    ago = _ago(report["at"] - report["since"], say) if report["since"] else ""
    words = " · ".join(filter(None, (say(f"web.{report['table']}"), ago)))
    yield f'<p class="age">{escape(words)}</p>\n'


def _ago(seconds: float, say: Say) -> str:
    units = (("seconds", 90, 1), ("minutes", 5400, 60))
    for unit, below, length in units:
        if seconds < below:
            return say(f"web.ago.{unit}", number=max(0, int(seconds)) // length)
    return say("web.ago.hours", number=int(seconds) // 3600)


def _scores(page: _Page) -> str:
    cells = (_side(page, side) for side in page.state["sides"])
    kind = ' class="three"' if len(page.state["sides"]) > 2 else ""
    return f"<table{kind}><tr>\n{''.join(cells)}</tr></table>\n"


def _side(page: _Page, side: str) -> str:
    state, say = page.state, page.say
    number, half = state["spoken"][side]
    one = ".one" if number == 1 else ""
    spoken = say(f"half.{half}{one}", number=number) if half else ""
    mano = "\u00a0●" if state["mano"] == side else ""
    games = f" ({state['games'][side]})" if state["best_of"] > 1 else ""
    return (
        f"<td><h2>{escape(page.name(side))}{games}{mano}</h2>"
        f'<p class="score">{page.score(side)}</p><p>{escape(spoken)}</p></td>\n'
    )


def _status_lines(page: _Page) -> Iterator[str]:
    """What goes on, in one line or some."""
    state, say, board = page.state, page.say, page.board
    if state["winner"]:
        name = page.name(state["winner"])
        yield say("game.won.many" if is_plural(name) else "game.won", side=name)
        return
    call = board.get("call")
    if call is not None:
        yield from _call_lines(page, call)
    elif state["phase"] == "hand_over":
        for gain in board.get("gains", ()):
            yield _gain(page, gain["to"], gain["points"], gain["why"], gain["word"])
    else:
        yield from _hand_lines(page)


def _hand_lines(page: _Page) -> Iterator[str]:
    """What the hand is worth and who is mano; or that it is a special one."""
    state, say, special = page.state, page.say, page.board.get("special")
    if special is not None and special["kind"] in ("mao", "iron"):
        kind, number = special["kind"], special["number"]
        key = f"number.{number}"
        word = say(key)
        yield say(f"state.{kind}", number=number if word == key else word)
        yield say(f"state.{kind}.rest", points=page.points(special["worth"]))
        return
    stake = state["stake"]
    known = stake in ("game", "series")
    yield say(f"stake.{stake}") if known else say("stake.points", points=stake)
    yield say("state.mano", side=page.name(state["mano"]))


def _call_lines(page: _Page, call: JsonObject) -> Iterator[str]:
    say, yes, no = page.say, call["quiero"], call["no_quiero"]
    if call["family"] == "mao":
        yield say("mao.ask", side=page.name(call["by"]))
    elif no is None:
        yield say("winner.ask", word=call["word"])
        yield say("winner.pays", points=page.points(yes["points"]))
        return
    else:
        yield f"{page.name(call['by'])}: {call['word']}"
    answers = (f"{each['word']} {page.points(each['points'])}".strip() for each in (yes, no))
    yield " / ".join(answers).upper()


def _recent_list(page: _Page) -> str:
    lines = (f"<li>{escape(_entry(page, entry))}</li>\n" for entry in page.report["recent"][::-1])
    return f"<ul>\n{''.join(lines)}</ul>\n"


def _entry(page: _Page, entry: JsonObject) -> str:
    key, word, points = entry["key"], entry["word"], entry["points"]
    side = page.name(entry["side"]) if entry["side"] else ""
    if points:
        what = _gain(page, entry["side"], points, key, word)
    else:
        what = f"{side}: {word or page.say(f'action.{key}')}".removeprefix(": ")
    score = "-".join(str(entry["score"][each]) for each in page.state["sides"])
    undone = f"({page.say('web.undone')})" if entry["undone"] else ""
    return " ".join(filter(None, (entry["time"], what, score, undone)))


def _gain(page: _Page, side: str, points: int, why: str, word: str) -> str:
    key = "why.hand.word" if why == "hand" and word else f"why.{why}"
    reason = page.say(key, word=word)
    return page.say("web.gain", points=f"{points:+d}", side=page.name(side), why=reason)
