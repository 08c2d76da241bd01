"""A tournament as texts for a messenger: who plays where, results, standings.

One short line an entry; the first line names the tournament, the last one is an address.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from scorer.hub.match_place import MatchPlaces
from scorer.hub.tournament_documents import where_documents
from scorer.hub.tournament_phrases import Phrases
from scorer.tournament.format import PhaseKind
from scorer.tournament.names import plain

_LAST = 1000  # of a match without a table


def messages(phrases: Phrases, places: MatchPlaces, address: str) -> dict[str, str]:
    """The text of each kind; "" where there is nothing to say yet."""
    say = phrases.say
    found = {
        "pairings": ("", _pairings(phrases, places)),
        "results": _results(phrases),
        "standings": _standings(phrases),
    }
    texts = {}
    for kind, (about, lines) in found.items():
        heading = " · ".join(filter(None, (phrases.heading, about, say(f"hub.share.{kind}"))))
        texts[kind] = "\n".join((heading, *lines, address)) if lines else ""
    return texts


def together(listed: Iterable[dict[str, str]]) -> dict[str, str]:
    """The texts of several tournaments, by their kind."""
    found: dict[str, list[str]] = {}
    for each in listed:
        for kind, text in each.items():
            found.setdefault(kind, []).append(text)
    return {kind: "\n\n".join(filter(None, texts)) for kind, texts in found.items()}


def _pairings(phrases: Phrases, places: MatchPlaces) -> list[str]:
    """Matches in the order of their tables, then those that wait, then who is free."""
    rows = where_documents(phrases, places)
    found = {row["match"]["id"]: row["match"] for row in rows if row["match"]}
    listed = sorted(found.values(), key=lambda each: (each["table"] or _LAST, each["queue"]))
    lines = []
    for match in listed:
        sides = " – ".join(side["text"] for side in match["sides"])
        table = phrases.say("hub.table", n=match["table"]) if match["table"] else ""
        lines.append(f"{table}: {sides}" if table else f"{sides} ({match['place']})")
    return lines + [f"{row['name']}: {phrases.say('hub.bye')}" for row in rows if not row["match"]]


def _results(phrases: Phrases) -> tuple[str, list[str]]:
    """The newest round that has results: its name, and each result."""
    for phase in reversed(phrases.state.format.phases):
        if phase.id not in phrases.state.stages:
            continue
        stage = phrases.state.stages[phase.id]
        over = [each for each in stage.matches.values() if phrases.reader.result(each.id)]
        if not over:
            continue
        newest = max(each.round for each in over)
        listed = [each for each in over if each.round == newest]
        lines = []
        for match in listed:
            one, other = phrases.sides(match)
            lines.append(f"{one} {phrases.result(match)} {other}")
        return f"{phrases.phase(phase)}, {phrases.round(listed[0])}", lines
    return "", []


def _standings(phrases: Phrases) -> tuple[str, list[str]]:
    """Those of the newest phase; of a bracket the order of all teams."""
    begun = [each for each in phrases.state.format.phases if each.id in phrases.state.stages]
    if not begun:
        return "", []
    phase, lines = begun[-1], list[str]()
    if phase.kind in (PhaseKind.BRACKET, PhaseKind.DOUBLE):
        for rank, level in groupby(phrases.reader.final_order(), lambda each: each.rank):
            teams = sorted((phrases.team(each.team) for each in level), key=plain)
            place = f"{rank}–{rank + len(teams) - 1}" if len(teams) > 1 else f"{rank}"
            lines += [f"{place}. {team}" for team in teams]
        return "", lines
    # Each team with its value of the first criterion.
    criterion, zones = phase.tiebreaks[0], phrases.state.stages[phase.id].zones
    for zone in range(1, len(zones) + 1) if zones else (0,):
        title = phrases.zone(zone)
        lines.append(f"{title} ({phrases.criterion(criterion)[1]})".strip())
        for each in phrases.reader.standings(phase.id, zone):
            value = phrases.value(criterion, each.values[0]) if each.values else ""
            place = f"{each.rank}. {phrases.team(each.team)}"
            lines.append(" · ".join(filter(None, (place, value))))
    return phrases.phase(phase), lines
