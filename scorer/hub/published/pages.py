"""The pages of a published site as HTML, made of its documents.

A page loads nothing from other sites and needs no script; with one it looks for a newer self.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from scorer.i18n import Say, languages, native_name, translator
from scorer.serving.templates import Templates
from scorer.tournament.model import blank_name
from scorer.tournament.names import names_text, plain

Json = Mapping[str, Any]
WRITTEN = "\x01"  # stands for the time at which a page was written; no name has it
_TEMPLATES = Templates("scorer.hub.published", "scorer.hub.drawn")


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
    listed = [
        {**each, "href": page.link(SitePage(str(each["id"]), page.language).path)}
        for each in tournaments
    ]
    fields = _frame_fields(frame, page, frame.hall, "")
    return _TEMPLATES.render("site_index.html", **fields, tournaments=listed)


def tournament_page(frame: SiteFrame, page: SitePage, document: Json) -> str:
    """A tournament: its champion, each phase, the latest first, and its teams."""
    # Without a name of its own, a tournament is called as its format.
    format_ = "" if document["title"].startswith(document["format"]) else document["format"]
    about = " · ".join(filter(None, (document["date"], format_, frame.hall)))
    say = translator(page.language)
    return _TEMPLATES.render(
        "site_tournament.html",
        **_frame_fields(frame, page, document["title"], about),
        above=page.link(SitePage("index", page.language).path),
        data=page.link(f"{page.name}.json"),
        champion=document["champion"],
        phases=[_phase(each) for each in reversed(document["phases"])],
        entered=[
            {**each, "about": _about(each, say)} for each in sorted(document["teams"], key=_by_name)
        ],
    )


def _frame_fields(frame: SiteFrame, page: SitePage, title: str, about: str) -> dict[str, object]:
    others = [
        {
            "language": each,
            "name": native_name(each),
            "href": page.link(SitePage(page.name, each).path),
        }
        for each in frame.languages
        if each != page.language
    ]
    return {
        "page": page,
        "say": translator(page.language),
        "version": frame.version,
        "title": title,
        "about": about,
        "others": others,
        "written": WRITTEN,
    }


def _phase(phase: Json) -> dict[str, object]:
    """Standings with the rounds of each zone, or the rounds of a bracket in columns.

    ``zones``: each with its standings, the ``last`` round, and those that a reader opens;
    ``rounds``: all others, such as the play-offs of several zones.
    """
    rounds, zones = list(phase["rounds"]), []
    for standings in phase["standings"]:
        zone, last, folded = standings["zone"], [], []
        if zone:
            folded = [each for each in rounds if each["stage"]["zone"] == zone]
            rounds = [each for each in rounds if each not in folded]
        elif rounds[1:]:
            last, folded, rounds = rounds[-1:], rounds[-2::-1], []
        at = f"matches-{phase['id']}-{zone}"
        zones.append({"standings": standings, "id": at, "last": last, "folded": folded})
    return {
        "id": phase["id"],
        "title": phase["title"],
        "count": f"{phase['played']}/{phase['matches']}",
        "zones": zones,
        "rounds": rounds,
    }


def _about(team: Json, say: Say) -> str:
    """Number, people and club of a team in one line."""
    gone = say("hub.team.withdrawn") if team["is_withdrawn"] else ""
    people = names_text((*team["players"], *team["reserves"]))
    number = blank_name(team["team"])
    about = (number if team["name"] != number else "", people, team["club"], gone)
    return " · ".join(filter(None, about))


def _by_name(team: Json) -> tuple[bool, str, int]:
    """Teams without a name come last, in the order of their numbers."""
    is_blank = team["name"] == blank_name(team["team"])
    return is_blank, "" if is_blank else plain(team["name"]), team["team"]


def written_html(language: str, moment: str, text: str) -> str:
    """What stands for WRITTEN; ``text``: the moment in the time of the hall."""
    if not moment:
        return ""
    time = Markup('<time datetime="{}">{}</time>').format(moment, text)
    return str(
        Markup.escape(translator(language)("site.written", time=WRITTEN)).replace(WRITTEN, time)
    )
