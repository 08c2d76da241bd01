"""The pages of a published site as HTML, made of its documents.

A page loads nothing from other sites and needs no script; with one it looks for a newer self. All
text of people is escaped, and isolated in <bdi>.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, NamedTuple

from scorer.i18n import Say, languages, native_name, translator
from scorer.tournament.model import blank_name
from scorer.tournament.pasted_list import plain

Json = Mapping[str, Any]
WRITTEN = "\x01"  # stands for the time at which a page was written; no name has it
_REFRESH = 60  # seconds, without a script


class SiteFrame(NamedTuple):
    """What every page of a site shares.

    ``languages``: those of the site, of the hall first; ``version``: changes with style and script.
    """

    hall: str
    languages: Sequence[str]
    version: str


class SitePage(NamedTuple):
    """Where a page is; ``name``: such as "12"; ``is_top``: above the folders."""

    name: str
    language: str
    is_top: bool = False

    @property
    def path(self) -> str:
        """Its file in the site."""
        file = f"{self.name}.html"
        return file if self.is_top else f"{folder_of(self.language)}/{file}"

    def link(self, path: str) -> str:
        """The way from this page to a file of the site."""
        return path if self.is_top else f"../{path}"


def site_languages(own: str) -> list[str]:
    """``own``, that of the hall, and one of each other language, without its regions."""
    found = {folder_of(own): own}
    for language in languages():
        found.setdefault(folder_of(language), language)
    return [*found.values()]


def folder_of(language: str) -> str:
    """The folder of the pages in a language."""
    return language.partition("-")[0]


def index_page(frame: SiteFrame, page: SitePage, tournaments: Sequence[Json]) -> str:
    """The list of the tournaments; ``tournaments``: of ``documents.site_document``."""
    say = translator(page.language)
    rows = "".join(
        f'<li><a href="{page.link(SitePage(str(each["id"]), page.language).path)}">'
        f"{_bdi(each['title'])}</a>{_small(each['date'], _champion(say, each))}</li>\n"
        for each in tournaments
    )
    none = f"<p>{escape(say('hub.tournament.none'))}</p>\n"
    body = f'<ul class="tournaments">\n{rows}</ul>\n' if rows else none
    return _whole(frame, page, (frame.hall, "", ""), body, "")


def tournament_page(frame: SiteFrame, page: SitePage, document: Json) -> str:
    """A tournament: its champion, each phase, the latest first, and its teams."""
    say = translator(page.language)
    phases = [*reversed(document["phases"])]
    parts = [(f"phase-{each['id']}", each["title"]) for each in phases]
    parts.append(("teams", say("site.teams")))
    links = "".join(f'<li><a href="#{escape(at)}">{_bdi(title)}</a></li>' for at, title in parts)
    champion = _champion(say, document)
    body = f'<p class="champion">{escape(champion)}</p>\n' if champion else ""
    body += f'<nav aria-label="{escape(say("site.parts"))}"><ul>{links}</ul></nav>\n'
    body += "".join(_phase(say, each) for each in phases) + _teams(say, document["teams"])
    # Without a name of its own, a tournament is called as its format.
    format_ = "" if document["title"].startswith(document["format"]) else document["format"]
    about = " · ".join(filter(None, (document["date"], format_, frame.hall)))
    data = f'<a href="{page.link(f"{page.name}.json")}">{escape(say("site.data"))}</a>'
    return _whole(frame, page, (document["title"], about, "index"), body, f" {data}")


# ---- parts --------------------------------------------------------------------------------------


def _phase(say: Say, phase: Json) -> str:
    """Standings with the rounds of each zone, or the rounds of a bracket in columns."""
    count = f"{phase['played']}/{phase['matches']}"
    title = f"{_bdi(phase['title'])} <small>{escape(say('site.played', count=count))}</small>"
    rounds, tables = list(phase["rounds"]), phase["standings"]
    body = ""
    for standings in tables:
        zone, at = standings["zone"], f"{phase['id']}-{standings['zone']}"
        body += _standings(say, standings)
        if zone:
            own = [each for each in rounds if each["stage"]["zone"] == zone]
            rounds = [each for each in rounds if each not in own]
            body += _folded(say("paper.fixtures"), f"matches-{at}", _rounds(own))
        elif rounds[1:]:
            earlier = _rounds(rounds[-2::-1])
            body += _rounds(rounds[-1:]) + _folded(say("site.earlier"), f"matches-{at}", earlier)
            rounds = []
    if tables:
        body += f'<p class="legend">{escape(tables[0]["legend"])}</p>\n'
    # Play-offs of several zones, or a bracket.
    body += _rounds(rounds) if tables else _bracket(say, rounds)
    return (
        f'<section aria-labelledby="phase-{escape(phase["id"])}">\n'
        f'<h2 id="phase-{escape(phase["id"])}">{title}</h2>\n{body}</section>\n'
    )


def _standings(say: Say, standings: Json) -> str:
    columns = "".join(
        f'<th scope="col"><abbr title="{escape(long)}">{escape(short)}</abbr></th>'
        for short, long in standings["columns"]
    )
    rows = "".join(
        f"<tr{_class('gone' if each['is_withdrawn'] else '')}><td>{each['rank']}</td>"
        f'<th scope="row">{_bdi(each["name"])}</th>'
        + "".join(f"<td>{escape(str(value))}</td>" for value in (each["played"], *each["values"]))
        + "</tr>\n"
        for each in standings["rows"]
    )
    title = escape(standings["title"] if standings["zone"] else say("hub.standings"))
    return (
        f"<h3>{title}</h3>\n"
        f'<div class="wide" tabindex="0" role="region" aria-label="{title}">\n<table>\n'
        f'<thead><tr><th scope="col">{escape(say("paper.rank"))}</th>'
        f'<th scope="col">{escape(say("hub.team"))}</th>{columns}</tr></thead>\n'
        f"<tbody>\n{rows}</tbody>\n</table>\n</div>\n"
    )


def _bracket(say: Say, rounds: Sequence[Json]) -> str:
    region = f'tabindex="0" role="region" aria-label="{escape(say("desk.bracket"))}"'
    return f'<div class="bracket" {region}>\n{_columns(rounds, "h3")}</div>\n'


def _rounds(rounds: Sequence[Json]) -> str:
    """The matches below standings."""
    return f'<div class="rounds">\n{_columns(rounds, "h4")}</div>\n' if rounds else ""


def _columns(rounds: Sequence[Json], heading: str) -> str:
    return "".join(
        f'<div class="round"><{heading}>{escape(each["stage"]["text"])}</{heading}>\n<ul>\n'
        + "".join(map(_match, each["matches"]))
        + "</ul></div>\n"
        for each in rounds
    )


def _folded(title: str, at: str, body: str) -> str:
    """A part that a reader opens; ``at``: its id, by which it stays open."""
    summary = f"<summary>{escape(title)}</summary>"
    return f'<details id="{escape(at)}">{summary}\n{body}</details>\n' if body else ""


def _match(match: Json) -> str:
    result = match["result"]
    winner = None if result is None else result["winner"]
    sides = "".join(
        f"<div{_class('won' if at == winner else '')}><span>{_bdi(side['text'])}"
        f"{' ✓' if at == winner else ''}</span>"
        f" <b>{' · '.join(map(str, match['scores'][at]))}</b></div>"
        for at, side in enumerate(match["sides"])
    )
    ending = result["text"] if result is not None else ""
    return f"<li>{sides}{_small(match['name'], ending)}</li>\n"


def _teams(say: Say, teams: Iterable[Json]) -> str:
    rows = ""
    for each in sorted(teams, key=_by_name):
        gone = say("hub.team.withdrawn") if each["is_withdrawn"] else ""
        people = ", ".join((*each["players"], *each["reserves"]))
        number = blank_name(each["team"])
        about = (number if each["name"] != number else "", people, each["club"], gone)
        rows += f"<li>{_bdi(each['name'])}{_small(*about)}</li>\n"
    return (
        f'<section aria-labelledby="teams">\n<h2 id="teams">{escape(say("site.teams"))}</h2>\n'
        f'<ol class="teams">\n{rows}</ol>\n</section>\n'
    )


def _by_name(team: Json) -> tuple[bool, str, int]:
    """Teams without a name come last, in the order of their numbers."""
    is_blank = team["name"] == blank_name(team["team"])
    return is_blank, "" if is_blank else plain(team["name"]), team["team"]


def _champion(say: Say, document: Json) -> str:
    name = document["champion"]
    return f"{say('hub.champion')}: {name}" if name else ""


# ---- the frame ----------------------------------------------------------------------------------


def _whole(
    frame: SiteFrame, page: SitePage, head: tuple[str, str, str], body: str, foot: str
) -> str:
    """The whole HTML; ``head``: its title, what stands below, and the page above it."""
    title, about, above = head
    say = translator(page.language)
    others = "".join(
        f'<li><a lang="{each}" hreflang="{each}" href="'
        f'{page.link(SitePage(page.name, each).path)}">{escape(native_name(each))}</a></li>'
        for each in frame.languages
        if each != page.language
    )
    back = ""
    if above:
        path = page.link(SitePage(above, page.language).path)
        back = f'<p><a href="{path}">{escape(say("site.all"))}</a></p>\n'
    asset = {name: f"{page.link(name)}?v={frame.version}" for name in ("site.css", "site.js")}
    return (
        f'<!doctype html>\n<html lang="{page.language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n"
        '<link rel="icon" href="data:,">\n'
        f'<link rel="stylesheet" href="{asset["site.css"]}">\n'
        f'<noscript><meta http-equiv="refresh" content="{_REFRESH}"></noscript>\n'
        f'<script src="{asset["site.js"]}" defer></script>\n</head>\n<body>\n'
        f'<p id="stale" class="stale" role="status" hidden>{escape(say("site.stale"))}</p>\n'
        f"<header>\n{back}<h1>{_bdi(title)}</h1>\n<p>{escape(about)}</p>\n</header>\n"
        f'<main id="main">\n{body}</main>\n'
        f'<footer>\n<p id="written">{WRITTEN}{foot}</p>\n'
        f'<nav aria-label="{escape(say("site.languages"))}"><ul>{others}</ul></nav>\n</footer>\n'
        "</body>\n</html>\n"
    )


def written_html(language: str, moment: str, text: str) -> str:
    """What stands for WRITTEN; ``text``: the moment in the time of the hall."""
    if not moment:
        return ""
    shown = escape(translator(language)("site.written", time=WRITTEN))
    return shown.replace(WRITTEN, f'<time datetime="{moment}">{escape(text)}</time>')


def _bdi(text: str) -> str:
    return f"<bdi>{escape(text)}</bdi>"


def _small(*texts: str) -> str:
    shown = " · ".join(filter(None, texts))
    return f" <small>{_bdi(shown)}</small>" if shown else ""


def _class(name: str) -> str:
    return f' class="{name}"' if name else ""
