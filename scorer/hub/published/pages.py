"""The pages of a published site as HTML, made of its documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from scorer.hub.tournament_phrases import score_text
from scorer.i18n import Say, translator
from scorer.static_site.frame import SiteFrame, SitePage, frame_fields, site_templates
from scorer.tournament.model import blank_name
from scorer.tournament.names import names_text, plain

Json = Mapping[str, Any]
WRITTEN = "\x01"  # stands for the time at which a page was written; no name has it
_TEMPLATES = site_templates("scorer.hub.published", "scorer.hub.drawn")


def index_page(frame: SiteFrame, page: SitePage, tournaments: Sequence[Json]) -> str:
    """The list of the tournaments; ``tournaments``: of ``documents.site_document``."""
    listed = [
        {**each, "href": page.link(SitePage(str(each["id"]), page.language).path)}
        for each in tournaments
    ]
    fields = frame_fields(frame, page, frame.name, "")
    return _TEMPLATES.render("site_index.html", **fields, written=WRITTEN, tournaments=listed)


def tournament_page(frame: SiteFrame, page: SitePage, document: Json) -> str:
    """A tournament: its champion, each phase, the latest first, and its teams."""
    # Without a name of its own, a tournament is called as its format.
    format_ = "" if document["title"].startswith(document["format"]) else document["format"]
    about = " · ".join(filter(None, (document["date"], format_, frame.name)))
    say = translator(page.language)
    # What each team has played, in the order of the phases and rounds.
    results: dict[int, list[dict[str, object]]] = {each["team"]: [] for each in document["teams"]}
    for phase in document["phases"]:
        for match in (match for each in phase["rounds"] for match in each["matches"]):
            if (result := match["result"]) is None:
                continue
            for at, side in enumerate(match["sides"]):
                if side["team"] in results:
                    scores = zip(match["scores"][at], match["scores"][1 - at], strict=True)
                    row = {
                        "opponent": match["sides"][1 - at]["text"],
                        "score": score_text(scores),
                        "is_won": result["winner"] == at,
                        "about": " · ".join(filter(None, (match["title"], result["text"]))),
                    }
                    results[side["team"]].append(row)
    places = {each["team"]: each["places"] for each in document["order"]}
    return _TEMPLATES.render(
        "site_tournament.html",
        **frame_fields(frame, page, document["title"], about),
        written=WRITTEN,
        above=page.link(SitePage("index", page.language).path),
        data=page.link(f"{page.name}.json"),
        evening=document["evening"] and page.link(document["evening"]),
        champion=document["champion"],
        is_over=document["is_over"],
        order=document["order"],
        phases=[_phase(each) for each in reversed(document["phases"])],
        entered=[
            {
                **each,
                "about": _about(each, say),
                "places": places.get(each["team"], ()),
                "results": results[each["team"]],
            }
            for each in sorted(document["teams"], key=_by_name)
        ],
    )


def team_address(site: str, tournament: int, team: int, language: str) -> str:
    """Where the published site has the evening of a team; ``site``: its address."""
    page = SitePage(str(tournament), language)
    return f"{site.rstrip('/')}/{page.path}#team-{team}"


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
