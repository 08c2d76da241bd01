"""The pages: fixtures, zones, score sheets, standings, brackets, posters, labels.

Each function gives the HTML of sections; ``document`` makes one page of them. All text that people
have typed is escaped, and isolated in <bdi>: a name may be written from right to left.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib import resources
from itertools import zip_longest
from typing import NamedTuple

import segno

from scorer.hub.paper import PAPERS
from scorer.hub.tournament_phrases import Phrases
from scorer.tournament import Reader
from scorer.tournament.bracket import double_elimination, first_places, single_elimination
from scorer.tournament.format import PhaseFormat, PhaseKind
from scorer.tournament.model import Ending, Fixture, Result, Team
from scorer.tournament.places import Entrant
from scorer.tournament.sizes import PhaseSize, sizes
from scorer.tournament.standings import RankedTeam
from scorer.tournament.tournament import Stage

Tables = Mapping[str, int]  # the table of each match that has or had one
NO_TABLES: Tables = {}
_MATCHES_OF_COLUMN = 16  # of a bracket on one page
_BRACKETS = (PhaseKind.BRACKET, PhaseKind.DOUBLE)


class Hall(NamedTuple):
    """What the hall adds to a tournament.

    ``tables``: where matches are or were played; ``numbers``: of all tables; ``address``: of the
    page of a team, without its number.
    """

    tables: Tables = NO_TABLES
    numbers: tuple[int, ...] = ()
    address: str = ""


def document(phrases: Phrases, kind: str, hall: Hall, style: str) -> str:
    """A whole HTML page of one of KINDS.

    ``style``: an element with or of its style sheet.
    """
    return (
        f'<!doctype html>\n<html lang="{phrases.language}">\n<head><meta charset="utf-8">'
        f"<title>{escape(phrases.title)}</title>\n{style}</head>\n"
        f"<body>\n{''.join(pages(phrases, kind, hall))}</body>\n</html>\n"
    )


def style_sheet(paper: str) -> str:
    """The style of the pages on one of PAPERS."""
    if paper not in PAPERS:
        raise ValueError(f"{paper} is none of {', '.join(PAPERS)}")
    style = resources.files(__package__).joinpath("paper.css").read_text(encoding="utf-8")
    return f"@page {{ size: {paper}; }}\n{style}"


# ---- lists of matches ---------------------------------------------------------------------------


def fixtures(phrases: Phrases, phase: PhaseFormat, number: int, tables: Tables = NO_TABLES) -> str:
    """The matches of a round: table, teams, room for the result."""
    stage = phrases.state.stages[phase.id]
    matches = [each for each in stage.matches.values() if each.round == number]
    byes = [each.bye for each in stage.rounds[number - 1 : number] if each.bye]
    notes = "".join(
        f"<p>{_text(phrases.say('paper.bye', team=phrases.team(team)))}</p>" for team in byes
    )
    heading = " · ".join(dict.fromkeys((phrases.phase(phase), *map(phrases.round, matches))))
    listed = [(phrases.name(match.id), match) for match in matches]
    return _section(phrases, heading, _fixtures_table(phrases, listed, tables) + notes)


def zone_sheet(phrases: Phrases, phase: PhaseFormat, zone: int, tables: Tables = NO_TABLES) -> str:
    """The teams and matches of a zone, with a table of all pairs to fill in."""
    stage = phrases.state.stages[phase.id]
    teams = stage.zones[zone - 1]
    head = "".join(f"<th>{at}</th>" for at in range(1, len(teams) + 1))
    rows = "".join(
        f"<tr><td>{at}</td><td class=team>{_text(phrases.team(team))}</td>"
        + "".join(
            f"<td class={'own' if other == at else 'free'}></td>"
            for other in range(1, len(teams) + 1)
        )
        + "</tr>"
        for at, team in enumerate(teams, 1)
    )
    cross = f"<table class=cross><tr><th></th><th></th>{head}</tr>{rows}</table>"
    matches = [each for each in stage.matches.values() if each.group == zone]
    listed = [(phrases.round(match), match) for match in matches]
    heading = f"{phrases.phase(phase)} · {phrases.zone(zone)}"
    rules = f"<p class=rules>{_text(phrases.rules(phase))}</p>"
    return _section(phrases, heading, rules + cross + _fixtures_table(phrases, listed, tables))


def _fixtures_table(
    phrases: Phrases, matches: Iterable[tuple[str, Fixture]], tables: Tables
) -> str:
    """A row for each match, which begins with the text that names it."""
    team = ("team", phrases.say("hub.team"))
    heads = (
        ("match", phrases.say("paper.match")),
        ("table", phrases.say("paper.table")),
        team,
        team,
        ("result", phrases.say("paper.result")),
    )
    rows = [
        (name, _number(tables.get(match.id)), *phrases.sides(match), phrases.result(match))
        for name, match in matches
    ]
    return _table(heads, rows, "fixtures")


def standings(phrases: Phrases, phase: PhaseFormat, zone: int = 0) -> str:
    """The table of a phase, or of a zone, with the values of its tie-breaks."""
    ranked = phrases.reader.standings(phase.id, zone)
    has_values = any(each.values for each in ranked)
    criteria = phase.tiebreaks if has_values else ()
    heads = [("rank", phrases.say("paper.rank")), ("team", phrases.say("hub.team"))]
    heads += [(each.value, phrases.criterion(each)[0]) for each in criteria]

    def row(each: RankedTeam) -> tuple[str, ...]:
        values = zip(criteria, each.values, strict=False)
        return (
            str(each.rank),
            phrases.team(each.team),
            *(phrases.value(*pair) for pair in values),
        )

    heading = _heading(phrases.say("hub.standings"), phrases.phase(phase))
    heading += f" · {phrases.zone(zone)}" if zone else ""
    legend = " · ".join(" ".join(phrases.criterion(each)) for each in criteria)
    table = _table(heads, map(row, ranked), "standings")
    return _section(phrases, heading, f"{table}<p class=rules>{_text(legend)}</p>")


def bracket(phrases: Phrases, phase: PhaseFormat) -> str:
    """A bracket as columns of rounds; what is not known yet is room to write."""
    matches = phrases.state.stages[phase.id].matches.values()
    return _bracket(phrases, phase, list(matches))


def empty_bracket(phrases: Phrases, phase: PhaseFormat, teams: int) -> str:
    """A bracket that has not begun: the places of the seeds, to write on."""
    return _bracket(*_seeded(phrases, phase, teams))


def _seeded(
    phrases: Phrases, phase: PhaseFormat, teams: int
) -> tuple[Phrases, PhaseFormat, list[Fixture]]:
    """A bracket of seeds that have numbers for names."""
    seeds = [Entrant(team, 0) for team in range(1, teams + 1)]
    if phase.kind is PhaseKind.DOUBLE:
        places = first_places(seeds)
        made = double_elimination(phase.id, places[0], second_final=phase.second_final)
    else:
        places = first_places(seeds, phase.survivors)
        made = single_elimination(phase.id, places, third_place=phase.third_place)
    teams_by_id = {each.team: Team(each.team, f"{each.team}.") for each in seeds}
    return _unbegun(phrases, phase, teams_by_id, made), phase, made


def _unbegun(
    phrases: Phrases, phase: PhaseFormat, teams: Mapping[int, Team], matches: Iterable[Fixture]
) -> Phrases:
    """The names of a tournament in which a phase has these teams and matches."""
    stage = Stage(tuple(teams), matches={each.id: each for each in matches})
    state = phrases.state._replace(
        teams=teams, stages={phase.id: stage}, results={}, withdrawn=frozenset()
    )
    return Phrases(Reader(state), phrases.language)


def _bracket(phrases: Phrases, phase: PhaseFormat, matches: Sequence[Fixture]) -> str:
    columns: dict[tuple[int, int], list[Fixture]] = {}
    for match in matches:
        columns.setdefault((match.group, match.round), []).append(match)
    most = max(map(len, columns.values()), default=0)
    pages = -(-most // _MATCHES_OF_COLUMN) or 1
    heading = _heading(phrases.say("desk.bracket"), phrases.phase(phase))
    found = []
    for page in range(pages):
        groups: dict[int, list[str]] = {}
        for (group, _), column in sorted(columns.items()):
            if part := _part(column, page, pages):
                title = f"<h3>{_text(phrases.stage(part[0]))}</h3>"
                boxes = "".join(_bracket_match(phrases, each) for each in part)
                groups.setdefault(group, []).append(
                    f"<div class=round>{title}<div class=column>{boxes}</div></div>"
                )
        body = "".join(f"<div class=bracket>{''.join(each)}</div>" for each in groups.values())
        kind = "dense" if most > _MATCHES_OF_COLUMN // 2 else ""
        number = f" · {page + 1}/{pages}" if pages > 1 else ""
        found.append(_section(phrases, heading + number, body, kind))
    return "".join(found)


def _part(column: Sequence[Fixture], page: int, pages: int) -> Sequence[Fixture]:
    """The matches of a column on one page; last rounds are on the last page."""
    if len(column) < pages:
        return column if page == pages - 1 else ()
    return column[len(column) * page // pages : len(column) * (page + 1) // pages]


def _bracket_match(phrases: Phrases, match: Fixture) -> str:
    winner = phrases.reader.winner(match.id)
    sides = "".join(
        f"<div class='side{' won' if team and team == winner else ''}'>{_text(name)}</div>"
        for name, team in zip(phrases.sides(match), phrases.reader.sides(match.id), strict=True)
    )
    shown = f"<span class=games>{_text(phrases.result(match))}</span>"
    return f"<div class=match><small>{_text(phrases.name(match.id))} {shown}</small>{sides}</div>"


# ---- score sheets -------------------------------------------------------------------------------


def score_sheets(
    phrases: Phrases,
    matches: Sequence[Fixture],
    tables: Tables = NO_TABLES,
    *,
    filled: bool = False,
) -> str:
    """Sheets to sign, two to a page, in the order of the tables.

    Matches without a table come last. The upper halves of all pages, then the lower halves, are in
    order: after the cut one stack is laid on the other.
    """
    listed = sorted(matches, key=lambda each: (each.id not in tables, tables.get(each.id, 0)))
    half = -(-len(listed) // 2)
    pairs = zip_longest(listed[:half], listed[half:])
    return "".join(
        "<section class=halves>"
        + "".join(_score_sheet(phrases, each, tables, filled=filled) for each in pair if each)
        + "</section>\n"
        for pair in pairs
    )


def _score_sheet(phrases: Phrases, match: Fixture, tables: Tables, *, filled: bool) -> str:
    phase = phrases.reader.phase_of(match.id)
    result = phrases.reader.result(match.id) if filled else None
    count = phase.legs or phase.best_of
    word = phrases.game(phase)
    heads = "".join(f"<th>{_text(word)} {at}</th>" for at in range(1, count + 1))
    rows = ""
    for side, name in enumerate(phrases.sides(match)):
        team = phrases.reader.sides(match.id)[side]
        people = phrases.state.teams[team].players if team else ()
        points = _points_of(result, side, count)
        cells = "".join(f"<td class=points>{each}</td>" for each in points)
        rows += (
            f"<tr><td class=team><b>{_text(name)}</b><br><small>{_text(', '.join(people))}</small>"
            f"</td>{cells}<td class=total>{_total(phrases, result, side)}</td></tr>"
        )
    lines = "".join(
        f"<div class=sign><span></span>{_text(label)}</div>"
        for label in (
            *(f"{phrases.say('paper.signature')}: {name}" for name in phrases.sides(match)),
            phrases.say("paper.director"),
        )
    )
    table = _number(tables.get(match.id)) or "____"
    return (
        f"<article><header><div><b>{_text(phrases.say('paper.score_sheet'))}</b> "
        f"{_text(phrases.name(match.id))}<br>"
        f"{_text(phrases.phase(phase))} · {_text(phrases.stage(match))}</div>"
        f"<div class=number>{_text(phrases.say('paper.table'))} "
        f"<b>{table}</b></div></header>"
        f"<p class=rules>{_text(phrases.title)} · {_text(phrases.rules(phase))}</p>"
        f"<table class=games><tr><th></th>{heads}<th>{_text(phrases.say('paper.result'))}</th></tr>"
        f"{rows}</table>"
        f"<p class=line>{_text(phrases.say('paper.remarks'))}: {_text(phrases.ending(result))}</p>"
        f"<div class=signs>{lines}</div></article>"
    )


def _points_of(result: Result | None, side: int, count: int) -> list[str]:
    """What the cells of the games show of a result.

    It has the points of a single game; of several it has the sum alone.
    """
    if count > 1 or result is None or result.ending is Ending.WALKOVER or not any(result.points):
        return [""] * count
    return [str(result.points[side])]


def _total(phrases: Phrases, result: Result | None, side: int) -> str:
    """The games won, and the points if any were counted."""
    if result is None:
        return ""
    won = " ✓" if result.winner == side else ""
    points = f"{phrases.say('desk.o.points')} {result.points[side]}" if any(result.points) else ""
    return f"{result.games[side]}{won}<br><small>{_text(points)}</small>"


# ---- posters and labels -------------------------------------------------------------------------


def finder(phrases: Phrases, address: str) -> str:
    """One poster for all, with the code and address of the page where a team is found."""
    return (
        f"<section class=poster><h1>{_text(phrases.say('hub.find'))}</h1>{_code(address)}"
        f"<p>{_text(address)}</p><p>{_text(phrases.say('paper.scan'))}</p>"
        f"<p class=rules>{_text(phrases.title)}</p></section>\n"
    )


def posters(phrases: Phrases, address: str) -> str:
    """A page for each team with the code of its page, ``address`` and its number."""
    return "".join(
        f"<section class=poster><h1>{_text(team.name)}</h1>{_code(f'{address}{team.id}')}"
        f"<p>{_text(phrases.say('paper.scan'))}</p><p class=rules>{_text(phrases.title)}</p>"
        "</section>\n"
        for team in phrases.state.teams.values()
    )


def box_labels(phrases: Phrases, tables: Iterable[int]) -> str:
    """Labels of tables to cut, eight to a page."""
    labels = [
        f"<div class=label>{_text(phrases.say('paper.table'))}<b>{each}</b></div>"
        for each in tables
    ]
    pages = (labels[at : at + 8] for at in range(0, len(labels), 8))
    return "".join(f"<section class=labels>{''.join(page)}</section>\n" for page in pages)


def complete_set(phrases: Phrases, tables: Tables = NO_TABLES) -> str:
    """All that a night without power needs: every page of the phases that have begun.

    Of a phase that has not begun, its score sheets and its bracket without teams.
    """
    found: list[str] = []
    expected = sizes(phrases.state.format, len(phrases.state.teams))
    for phase in phrases.state.format.phases:
        stage = phrases.state.stages.get(phase.id)
        if stage is None:
            if isinstance(expected, Mapping):
                found += _pages_without_teams(phrases, phase, expected[phase.id])
            continue
        matches = list(stage.matches.values())
        if phase.kind is PhaseKind.ZONES:
            zones = range(1, len(stage.zones) + 1)
            found += [zone_sheet(phrases, phase, zone, tables) for zone in zones]
        rounds = sorted({each.round for each in matches})
        found += [fixtures(phrases, phase, number, tables) for number in rounds]
        if phase.kind in _BRACKETS:
            found.append(bracket(phrases, phase))
        found.append(score_sheets(phrases, _without_result(phrases, phase), tables))
    return "".join(found)


def _pages_without_teams(phrases: Phrases, phase: PhaseFormat, size: PhaseSize) -> list[str]:
    if phase.kind is PhaseKind.ZONES:
        return []  # nothing can be written before the draw
    if phase.kind in _BRACKETS and not phase.redraw:
        seeded, _, made = _seeded(phrases, phase, size.teams)
        made.sort(key=_by_round)
        return [empty_bracket(phrases, phase, size.teams), score_sheets(seeded, made)]
    each_round = max(1, size.teams // 2)
    rounds = [divmod(at, each_round) for at in range(size.matches)]
    blank = {team: Team(team, "") for team in (1, 2)}
    made = [
        Fixture(f"{phase.id}-R{at + 1}-M{match + 1}", phase.id, 0, at + 1, (1, 2))
        for at, match in rounds
    ]
    return [score_sheets(_unbegun(phrases, phase, blank, made), made)]


def pages(phrases: Phrases, kind: str, hall: Hall) -> Iterable[str]:
    """The sections of one of KINDS, for all phases that have begun."""
    if kind == "set":
        return [complete_set(phrases, hall.tables)]
    if kind == "finder":
        return [finder(phrases, hall.address)] if hall.address else []
    if kind == "posters":
        return [posters(phrases, hall.address)]
    if kind == "labels":
        return [box_labels(phrases, hall.numbers)]
    return [
        section
        for phase in phrases.state.format.phases
        if phase.id in phrases.state.stages
        for section in _pages_of_phase(phrases, kind, phase, hall.tables)
    ]


def _pages_of_phase(
    phrases: Phrases, kind: str, phase: PhaseFormat, tables: Tables
) -> Iterable[str]:
    stage = phrases.state.stages[phase.id]
    zones = range(1, len(stage.zones) + 1)
    matches = sorted(stage.matches.values(), key=_by_round)
    match kind:
        case "zones":
            return [zone_sheet(phrases, phase, zone, tables) for zone in zones]
        case "fixtures":
            rounds = sorted({each.round for each in matches})
            return [fixtures(phrases, phase, each, tables) for each in rounds]
        case "blank-sheets":
            return [score_sheets(phrases, _without_result(phrases, phase), tables)]
        case "sheets":
            return [score_sheets(phrases, matches, tables, filled=True)]
        case "standings":
            return [standings(phrases, phase, zone) for zone in zones or (0,)]
        case "brackets" if phase.kind in _BRACKETS:
            return [bracket(phrases, phase)]
    return []


def _without_result(phrases: Phrases, phase: PhaseFormat) -> list[Fixture]:
    matches = sorted(phrases.state.stages[phase.id].matches.values(), key=_by_round)
    return [each for each in matches if phrases.reader.result(each.id) is None]


def _by_round(match: Fixture) -> tuple[int, int]:
    return match.round, match.group


# ---- HTML ---------------------------------------------------------------------------------------


def _code(text: str) -> str:
    code = segno.make(text, error="m", micro=False)
    return str(code.svg_inline(scale=8, border=4, omitsize=True))


def _heading(*words: str) -> str:
    """The words without repetition: a phase may have the name of what is shown."""
    return " · ".join({each.casefold(): each for each in words}.values())


def _section(phrases: Phrases, heading: str, body: str, kind: str = "") -> str:
    title = _text(phrases.title)
    return (
        f"<section class='{kind}'><p class=rules>{title}</p><h2>{_text(heading)}</h2>"
        f"{body}</section>\n"
    )


def _table(heads: Sequence[tuple[str, str]], rows: Iterable[Sequence[str]], kind: str) -> str:
    """A table; ``heads``: class and text of each column."""
    head = "".join(f"<th class={key}>{_text(text)}</th>" for key, text in heads)
    body = "".join(
        "<tr>"
        + "".join(f"<td class={key}>{_text(cell)}</td>" for (key, _), cell in pairs)
        + "</tr>"
        for pairs in (zip(heads, row, strict=True) for row in rows)
    )
    return f"<table class={kind}><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _number(number: int | None) -> str:
    return str(number) if number else ""


def _text(text: str) -> str:
    return f"<bdi>{escape(text)}</bdi>" if text else ""
