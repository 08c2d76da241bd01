"""A tournament on televisions, at the desk and for a team, from its documents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scorer.hub.drawn.fragment import TEMPLATES, Fragment, fragment
from scorer.i18n import Say

Json = Mapping[str, Any]


def drawn_tournament(document: Json, say: Say) -> dict[str, Any]:
    """A tournament as fragments in lists, which a page turns and fits.

    ``document``: of ``tournament_document`` with the ``id`` of the tournament.
    """
    return {
        **{key: document[key] for key in ("id", "title", "date", "champion")},
        "where": [
            {
                "name": row["name"],
                **_listed(
                    fragment(
                        f"where-{row['team']}", TEMPLATES.fragment("where.html", "where")(row, say)
                    )
                ),
            }
            for row in document["where"]
        ],
        "phases": [_phase(each, say) for each in document["phases"]],
    }


def drawn_team(document: Json, say: Say) -> dict[str, Any]:
    """The page of a team, of its ``team_document``; the newest result first."""
    gone = say("hub.team.withdrawn") if document["is_withdrawn"] else ""
    about = (document["title"], document["date"], document["club"], gone)
    following = document["next"]
    is_won = not following and document["champion"]
    is_called = following and following["state"] == "offered"
    key, own = f"team-{document['team']}", document["team"]
    draw = TEMPLATES.fragment("team.html", "next")
    result, zone = (TEMPLATES.fragment("team.html", each) for each in ("result", "zone"))
    over = [each for each in document["matches"] if each["result"]][::-1]
    return {
        "name": document["name"],
        "about": " · ".join(filter(None, about)),
        "message": _message(document, say),
        "next_title": say("hub.champion" if is_won else "hub.team.next"),
        # What changes with each call of a match that waits for its teams.
        "called": f"{following['id']} {following['table']}" if is_called else "",
        "next": _listed(fragment(key, draw(following, document["champion"], say))),
        "results": [_listed(fragment(f"match-{each['id']}", result(each))) for each in over],
        "standings": [
            _listed(fragment(f"zone-{each['phase']}-{each['zone']}", zone(each, own, say)))
            for each in document["standings"]
        ],
    }


def _message(document: Json, say: Say) -> str:
    """Where a team plays and what it has played, as a text for a messenger."""
    following, lines = document["next"], [f"{document['name']} · {document['title']}"]
    if following:
        where = say("hub.table", n=following["table"]) if following["table"] else following["place"]
        against = say("hub.against", name=following["opponent"])
        lines.append(f"{where}: {against} ({following['title']})")
    elif document["champion"]:
        lines.append(f"{say('hub.champion')}: {document['champion']}")
    for each in document["matches"]:
        if each["result"]:
            said = [each["outcome_text"], each["score"], each["opponent"]]
            lines.append(" ".join(filter(None, said)))
    for each in document["standings"]:
        own = next(row for row in each["rows"] if row["team"] == document["team"])
        lines.append(f"{each['title']}: {own['rank']}.")
    return "\n".join(lines)


def _phase(phase: Json, say: Say) -> dict[str, Any]:
    frame, row = (TEMPLATES.fragment("standings.html", each) for each in ("frame", "row"))
    draw, note = (TEMPLATES.fragment("match.html", each) for each in ("match", "in_hall"))
    clock = phase["clock"]
    return {
        "id": phase["id"],
        "title": phase["title"],
        "clock": f"{clock['text']}: {clock['clock']}" if clock else "",
        "standings": [
            {
                "zone": each["zone"],
                "title": each["title"],
                "legend": each["legend"],
                "frame": frame(each, say),
                "rows": [
                    _listed(fragment(f"row-{phase['id']}-{ranked['team']}", row(ranked)))
                    for ranked in each["rows"]
                ],
            }
            for each in phase["standings"]
        ],
        "bracket": [
            {
                "title": each["stage"]["text"],
                "is_open": any(match["result"] is None for match in each["matches"]),
                "matches": [
                    _listed(fragment(f"match-{match['id']}", draw(match, note(match).strip())))
                    for match in each["matches"]
                ],
            }
            for each in phase["bracket"]
        ],
    }


def _listed(made: Fragment) -> dict[str, str]:
    return made._asdict()
