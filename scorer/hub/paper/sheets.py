"""The pages: fixtures, zones, score sheets, standings, brackets, posters, labels.

Each function gives blocks; ``document`` lays them out on sheets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import resources
from itertools import groupby, zip_longest
from typing import NamedTuple

import segno
from markupsafe import Markup

from scorer.hub.paper import PAPERS
from scorer.hub.paper.layout import (
    HEIGHTS,
    PADDING,
    ROOM,
    WIDTH,
    Block,
    PaperColumn,
    drawn,
    row_height,
    sheets,
    split,
    text_height,
    together,
)
from scorer.hub.times import Clock, local_text
from scorer.hub.tournament_documents import Json, match_document
from scorer.hub.tournament_phrases import Phrases
from scorer.tournament import Reader
from scorer.tournament.bracket import double_elimination, first_places, single_elimination
from scorer.tournament.format import Criterion, PhaseFormat, PhaseKind
from scorer.tournament.model import Ending, Fixture, Result, Team
from scorer.tournament.names import names_text, plain
from scorer.tournament.places import Entrant
from scorer.tournament.sizes import PhaseSize, sizes
from scorer.tournament.standings import RankedTeam
from scorer.tournament.tournament import Stage

Tables = Mapping[str, int]  # the table of each match that has or had one
NO_TABLES: Tables = {}
_NO_HEAD = Markup()
_CARDS = 8  # on a sheet
_DIPLOMAS = 3  # the last place that gets one
# Millimetres.
# Of one line, by the class of a table.
_ROWS = {"cross": 8.2, "fixtures": 8.2, "pairings": 7.8, "standings": 7.8, "order": 7.8}
_CROSS_CELL = 12.0
_HEADING, _NOTE, _GAP = 10.0, 7.0, 5.5
_MATCHES_OF_COLUMN = 16  # of a bracket on one page
_BRACKETS = (PhaseKind.BRACKET, PhaseKind.DOUBLE)


class Hall(NamedTuple):
    """What the hall adds to a tournament.

    ``tables``: where matches are or were played; ``numbers``: of all tables; ``address``: of the
    page of a team, without its number; ``name``: of the hall; ``printed``: when, in words.
    """

    tables: Tables = NO_TABLES
    numbers: tuple[int, ...] = ()
    address: str = ""
    name: str = ""
    printed: str = ""
    tournament: int = 0


def printed_text(phrases: Phrases, clock: Clock) -> str:
    """Date and time of printing; room for a date while nothing has set the clock."""
    if not clock.is_trusted:
        return phrases.say("paper.date")
    return phrases.say("paper.printed", time=local_text(clock.time()))


def document(phrases: Phrases, kind: str, hall: Hall, paper: str, style: str = "") -> str:
    """A whole HTML page of one of KINDS, in sheets of one of PAPERS.

    ``style``: an element with its style sheet, or a link to it; "" puts it into the page.
    """
    style = style or f"<style>\n{style_sheet(paper)}</style>"
    body = sheets(blocks(phrases, kind, hall), _head(phrases, hall), paper)
    return str(drawn("document", phrases, Markup(style), body))


def style_sheet(paper: str) -> str:
    """The style of the pages on one of PAPERS."""
    if paper not in PAPERS:
        raise ValueError(f"{paper} is none of {', '.join(PAPERS)}")
    style = resources.files(__package__).joinpath("paper.css").read_text(encoding="utf-8")
    return f"@page {{ size: {paper}; }}\nbody {{ --sheet: {HEIGHTS[paper]}mm; }}\n{style}"


# ---- lists of matches ---------------------------------------------------------------------------


def fixtures(
    phrases: Phrases, phase: PhaseFormat, number: int, tables: Tables = NO_TABLES
) -> list[Block]:
    """The matches of a round: table, teams, room for the result."""
    stage = phrases.state.stages[phase.id]
    matches = [each for each in stage.matches.values() if each.round == number]
    byes = [each.bye for each in stage.rounds[number - 1 : number] if each.bye]
    notes = [phrases.say("paper.bye", team=phrases.team(team)) for team in byes]
    heading = " · ".join(dict.fromkeys((phrases.phase(phase), *map(phrases.round, matches))))
    listed = [(phrases.name(match.id), match) for match in matches]
    found = _table_blocks(heading, *_fixtures_table(phrases, listed, tables))
    return [*found, *(Block(drawn("paragraph", "", note), _NOTE) for note in notes)]


def pairings(phrases: Phrases, tables: Tables = NO_TABLES) -> list[Block]:
    """Where each team plays next, by the name of the team."""
    columns = [
        PaperColumn("who", phrases.say("hub.team"), 0.38 * WIDTH),
        PaperColumn("table", phrases.say("paper.table"), 0.10 * WIDTH),
        PaperColumn("opponent", phrases.say("paper.opponent"), 0.35 * WIDTH),
        PaperColumn("match", phrases.say("paper.match"), 0.17 * WIDTH),
    ]
    matches, rows = _next_matches(phrases.reader), dict[int, Sequence[str]]()
    for match in matches:
        names, name = phrases.sides(match), phrases.name(match.id)
        table = _number(tables.get(match.id)) or phrases.result(match)
        for at, team in enumerate(phrases.reader.sides(match.id)):
            if team:
                rows.setdefault(team, (names[at], table, names[1 - at], name))
    for team, words in _without_opponent(phrases):
        rows.setdefault(team, (phrases.team(team), "", words, ""))
    listed = sorted(rows.items(), key=lambda row: (plain(row[1][0]), row[0]))
    if not listed:
        return []
    rounds = {_joined(phrases.phase_of_id(e.phase), phrases.round(e)) for e in matches}
    heading = _joined(phrases.say("paper.pairings"), *(rounds if len(rounds) == 1 else ()))
    return _table_blocks(heading, "pairings", columns, (row for _, row in listed))


def _next_matches(reader: Reader) -> list[Fixture]:
    """The matches that can be played, and all of a drawn round that is open."""
    listed = [
        match_id
        for phase_id, stage in reader.state.stages.items()
        if not reader.is_complete(phase_id)
        for match_id in (stage.rounds[-1].matches if stage.rounds else stage.matches)
        if stage.rounds or reader.result(match_id) is None
    ]
    found = [match for each in listed if (match := reader.state.match(each))]
    return sorted((each for each in found if None not in reader.sides(each.id)), key=_by_round)


def _without_opponent(phrases: Phrases) -> Iterator[tuple[int, str]]:
    """The teams that do not play the newest round of a phase, and why."""
    reader = phrases.reader
    for phase_id, stage in reader.state.stages.items():
        if not stage.rounds or reader.is_complete(phase_id):
            continue
        last = stage.rounds[-1]
        paired = {team for each in last.matches for team in reader.sides(each)}
        for team in stage.entrants:
            if team == last.bye:
                yield team, phrases.say("hub.bye")
            elif (phase_id, len(stage.rounds), team) in reader.state.absences - paired:
                yield team, phrases.say("hub.misses")


def zone_sheet(
    phrases: Phrases, phase: PhaseFormat, zone: int, tables: Tables = NO_TABLES
) -> list[Block]:
    """The teams and matches of a zone, with a table of all pairs to fill in."""
    stage = phrases.state.stages[phase.id]
    teams = stage.zones[zone - 1]
    matches = [each for each in stage.matches.values() if each.group == zone]
    listed = [(phrases.round(match), match) for match in matches]
    heading = f"{phrases.phase(phase)} · {phrases.zone(zone)}"
    names = [phrases.team(team) for team in teams]
    width = WIDTH - _CROSS_CELL * (len(teams) + 1)
    least = _ROWS["cross"]
    heights = (text_height(name, width, 9.5) + PADDING for name in names)
    height = _HEADING + least + sum(max(least, each) for each in heights) + _GAP
    start = Block(drawn("cross", heading, phrases.rules(phase), names), height)
    return together([start, *_table_blocks("", *_fixtures_table(phrases, listed, tables))])


def _fixtures_table(
    phrases: Phrases, matches: Iterable[tuple[str, Fixture]], tables: Tables
) -> tuple[str, list[PaperColumn], list[Sequence[str]]]:
    """The class of a table, its columns and its rows; a match begins with its name."""
    team = PaperColumn("team", phrases.say("hub.team"), 0.32 * WIDTH)
    columns = [
        PaperColumn("match", phrases.say("paper.match"), 0.13 * WIDTH),
        PaperColumn("table", phrases.say("paper.table"), 0.08 * WIDTH),
        team,
        team,
        PaperColumn("result", phrases.say("paper.result"), 0.15 * WIDTH),
    ]
    rows: list[Sequence[str]] = [
        (name, _number(tables.get(match.id)), *phrases.sides(match), phrases.result(match))
        for name, match in matches
    ]
    return "fixtures", columns, rows


def standings(phrases: Phrases, phase: PhaseFormat) -> list[Block]:
    """The table of a phase, or those of its zones, and what their columns mean."""
    zones = range(1, len(phrases.state.stages[phase.id].zones) + 1)
    tables = {zone: phrases.reader.standings(phase.id, zone) for zone in zones or (0,)}
    criteria = phase.tiebreaks if any(e.values for each in tables.values() for e in each) else ()
    found = [
        block
        for zone, ranked in tables.items()
        for block in _standings_table(phrases, phase, zone, criteria, ranked)
    ]
    legend = " · ".join(" ".join(phrases.criterion(each)) for each in criteria)
    note = Block(drawn("paragraph", "rules", legend), text_height(legend, WIDTH, 9) + _GAP)
    listed = [*found[:-1], *together([found[-1], note])] if legend else found
    won = _champion(phrases, phase)
    return [*together([won, listed[0]]), *listed[1:]] if won.html else listed


def _champion(phrases: Phrases, phase: PhaseFormat) -> Block:
    """Who has won the tournament, above its last phase; nothing elsewhere and before."""
    if not phrases.champion or phase is not phrases.state.format.phases[-1]:
        return Block(Markup(), 0)
    words = f"{phrases.say('hub.champion')}: {phrases.champion}"
    return Block(drawn("paragraph", "champion", words), text_height(words, WIDTH, 16) + _GAP)


def _standings_table(
    phrases: Phrases,
    phase: PhaseFormat,
    zone: int,
    criteria: Sequence[Criterion],
    ranked: Iterable[RankedTeam],
) -> list[Block]:
    """The table of a phase, or of a zone, with the values of its tie-breaks."""
    each_width = 0.6 * WIDTH / max(len(criteria), 1)
    columns = [
        PaperColumn("rank", phrases.say("paper.rank"), 0.06 * WIDTH),
        PaperColumn("team", phrases.say("hub.team"), 0.34 * WIDTH),
        *(PaperColumn(each.value, phrases.criterion(each)[0], each_width) for each in criteria),
    ]

    def row(each: RankedTeam) -> tuple[str, ...]:
        values = zip(criteria, each.values, strict=False)
        is_gone = each.team in phrases.state.withdrawn
        gone = f" ({phrases.say('hub.team.withdrawn')})" if is_gone else ""
        return (
            str(each.rank),
            _with_players(phrases, each.team, gone),
            *(phrases.value(*pair) for pair in values),
        )

    heading = _joined(phrases.say("hub.standings"), phrases.phase(phase))
    heading += f" · {phrases.zone(zone)}" if zone else ""
    return _table_blocks(heading, "standings", columns, map(row, ranked))


def final_order(phrases: Phrases) -> list[Block]:
    """All teams over all phases; before the last one is over, as far as it is known."""
    reader, listed = phrases.reader, phrases.reader.final_order()
    columns = [
        PaperColumn("rank", phrases.say("paper.rank"), 0.10 * WIDTH),
        PaperColumn("who", phrases.say("hub.team"), 0.50 * WIDTH),
        PaperColumn("club", phrases.say("desk.o.club"), 0.20 * WIDTH),
        PaperColumn("phase", phrases.say("desk.o.phase"), 0.20 * WIDTH),
    ]
    rows = [
        (
            f"{rank}–{rank + len(level) - 1}" if len(level) > 1 else str(rank),
            _with_players(phrases, each.team),
            phrases.state.teams[each.team].club,
            phrases.phase_of_id(each.phase) if each.phase else "",
        )
        for rank, level in ((rank, list(each)) for rank, each in groupby(listed, lambda e: e.rank))
        for each in level
    ]
    is_over = reader.is_complete(phrases.state.format.phases[-1].id)
    heading = phrases.say("paper.order" if is_over else "paper.order.open")
    return _table_blocks(heading, "order", columns, rows)


def diplomas(phrases: Phrases, hall: str) -> list[Block]:
    """A sheet for each of the first places, once the last phase is over."""
    if not phrases.reader.is_complete(phrases.state.format.phases[-1].id):
        return []
    return [
        _sheet(drawn("diploma", phrases, phrases.state.teams[each.team], each.rank, hall))
        for each in phrases.reader.final_order()
        if each.rank <= _DIPLOMAS
    ]


def _with_players(phrases: Phrases, team: int, after: str = "") -> str:
    """The name of a team, and below it its players who agree to be named."""
    found = phrases.state.teams[team]
    players = ", ".join(found.players) if found.consents else ""
    return "\n".join(filter(None, (found.name + after, players)))


def bracket(phrases: Phrases, phase: PhaseFormat) -> list[Block]:
    """A bracket as columns of rounds; what is not known yet is room to write."""
    matches = phrases.state.stages[phase.id].matches.values()
    return _bracket(phrases, phase, list(matches))


def _seeded(phrases: Phrases, phase: PhaseFormat, teams: int) -> tuple[Phrases, list[Fixture]]:
    """A bracket of seeds that have numbers for names."""
    seeds = [Entrant(team, 0) for team in range(1, teams + 1)]
    if phase.kind is PhaseKind.DOUBLE:
        places = first_places(seeds)
        made = double_elimination(phase.id, places[0], second_final=phase.second_final)
    else:
        places = first_places(seeds, phase.survivors)
        made = single_elimination(phase.id, places, third_place=phase.third_place)
    teams_by_id = {each.team: Team(each.team, f"{each.team}.") for each in seeds}
    return _unbegun(phrases, phase, teams_by_id, made), made


def _unbegun(
    phrases: Phrases, phase: PhaseFormat, teams: Mapping[int, Team], matches: Iterable[Fixture]
) -> Phrases:
    """The names of a tournament in which a phase has these teams and matches."""
    stage = Stage(tuple(teams), matches={each.id: each for each in matches})
    state = phrases.state._replace(
        teams=teams, stages={phase.id: stage}, results={}, withdrawn=frozenset()
    )
    return Phrases(Reader(state), phrases.language)


def _bracket(phrases: Phrases, phase: PhaseFormat, matches: Sequence[Fixture]) -> list[Block]:
    columns: dict[tuple[int, int], list[Fixture]] = {}
    for match in matches:
        columns.setdefault((match.group, match.round), []).append(match)
    most = max(map(len, columns.values()), default=0)
    pages = -(-most // _MATCHES_OF_COLUMN) or 1
    heading = _joined(phrases.say("desk.bracket"), phrases.phase(phase))
    won = _champion(phrases, phase)
    room = ROOM - _HEADING - won.height
    found = []
    for page in range(pages):
        parts = {
            key: part
            for key, column in sorted(columns.items())
            if (part := _part(column, page, pages))
        }
        groups: dict[int, list[list[Json]]] = {}
        for (group, _), part in parts.items():
            # Its document, with what is ``shown`` of its result.
            groups.setdefault(group, []).append(
                [
                    {**match_document(phrases, each.id, {}), "shown": phrases.result(each)}
                    for each in part
                ]
            )
        number = f" · {page + 1}/{pages}" if pages > 1 else ""
        # The final is on the last page.
        champion = won.html if page + 1 == pages else ""
        is_dense = _bracket_height(phrases, parts) > room
        found.append(
            _sheet(drawn("bracket", heading + number, champion, groups.values(), is_dense))
        )
    return found


def _bracket_height(
    phrases: Phrases, columns: Mapping[tuple[int, int], Sequence[Fixture]]
) -> float:
    """The height of the brackets of a sheet in the larger font, in millimetres."""
    rounds = Counter(group for group, _ in columns)
    heights = dict.fromkeys(rounds, 0.0)
    for (group, _), column in columns.items():
        width = WIDTH / rounds[group] - 5
        sides = (side for match in column for side in phrases.sides(match))
        boxes = sum(max(6, text_height(side, width, 8.5) + 2.3) for side in sides)
        heights[group] = max(heights[group], boxes + 7 * len(column) + 10)
    return sum(heights.values())


def _part(column: Sequence[Fixture], page: int, pages: int) -> Sequence[Fixture]:
    """The matches of a column on one page; last rounds are on the last page."""
    if len(column) < pages:
        return column if page == pages - 1 else ()
    return column[len(column) * page // pages : len(column) * (page + 1) // pages]


# ---- score sheets -------------------------------------------------------------------------------


def score_sheets(
    phrases: Phrases,
    matches: Sequence[Fixture],
    tables: Tables = NO_TABLES,
    *,
    filled: bool = False,
    head: Markup = _NO_HEAD,
) -> list[Block]:
    """Sheets to sign, two to a page, in the order of the tables.

    Matches without a table come last. The upper halves of all pages, then the lower halves, are in
    order: after the cut one stack is laid on the other. ``head``: what is above the lower halves.
    """
    listed = sorted(matches, key=lambda each: (each.id not in tables, tables.get(each.id, 0)))
    half = -(-len(listed) // 2)
    pairs = zip_longest(listed[:half], listed[half:])
    halves = (
        [each and _score_sheet(phrases, each, tables, filled=filled) for each in pair]
        for pair in pairs
    )
    return [_sheet(drawn("halves", *pair, head)) for pair in halves]


def _score_sheet(phrases: Phrases, match: Fixture, tables: Tables, *, filled: bool) -> Markup:
    phase = phrases.reader.phase_of(match.id)
    result = phrases.reader.result(match.id) if filled else None
    count = phase.legs or phase.best_of
    teams, names = phrases.reader.sides(match.id), phrases.sides(match)
    sides = [
        {
            "name": name,
            "people": names_text(phrases.state.teams[team].players if team else ()),
            **_score_of(phrases, result, side, count),
        }
        for side, (team, name) in enumerate(zip(teams, names, strict=True))
    ]
    sheet = {
        "name": phrases.name(match.id),
        "phase": phrases.phase(phase),
        "stage": phrases.stage(match),
        "table": _number(tables.get(match.id)) or "____",
        "rules": phrases.rules(phase),
        "game": phrases.game(phase),
        "sides": sides,
        "ending": phrases.ending(result),
        "signs": [
            *(f"{phrases.say('paper.signature')}: {name}" for name in names),
            phrases.say("paper.director"),
        ],
    }
    return drawn("score_sheet", phrases, sheet)


def _score_of(phrases: Phrases, result: Result | None, side: int, count: int) -> Json:
    """The cells of the games, the games won, and the points if any were counted.

    A result has the points of a single game; of several it has the sum alone.
    """
    points = [""] * count
    if result is None:
        return {"points": points, "games": "", "total": ""}
    won = " ✓" if result.winner == side else ""
    total = ""
    if any(result.points):
        total = f"{phrases.say('desk.o.points')} {result.points[side]}"
        if count == 1 and result.ending is not Ending.WALKOVER:
            points = [str(result.points[side])]
    return {"points": points, "games": f"{result.games[side]}{won}", "total": total}


# ---- posters and labels -------------------------------------------------------------------------


def finder(phrases: Phrases, address: str) -> Block:
    """One poster for all, with the code and address of the page where a team is found."""
    return _sheet(drawn("finder", phrases, address, _code(address)))


def posters(phrases: Phrases, address: str) -> list[Block]:
    """Cards to cut, one for each team, with the code of its page.

    ``address``: of the pages, without the number of the team.
    """
    return _cards(
        drawn("poster", phrases, team, _code(f"{address}{team.id}"))
        for team in phrases.state.teams.values()
    )


def box_labels(phrases: Phrases, tables: Iterable[int]) -> list[Block]:
    """Labels of tables to cut."""
    return _cards(drawn("label", phrases, each) for each in tables)


def _cards(cards: Iterable[Markup]) -> list[Block]:
    """Cards to cut, eight to a sheet."""
    listed = list(cards)
    groups = (listed[at : at + _CARDS] for at in range(0, len(listed), _CARDS))
    return [_sheet(drawn("cards", each)) for each in groups]


def complete_set(
    phrases: Phrases, tables: Tables = NO_TABLES, head: Markup = _NO_HEAD
) -> list[Block]:
    """All that a night without power needs: every page of the phases that have begun.

    Of a phase that has not begun, its score sheets and its bracket without teams.
    """
    found: list[Block] = []
    expected = sizes(phrases.state.format, len(phrases.state.teams))
    for phase in phrases.state.format.phases:
        stage = phrases.state.stages.get(phase.id)
        if stage is None:
            if isinstance(expected, Mapping):
                found += _blocks_without_teams(phrases, phase, expected[phase.id], head)
            continue
        matches = list(stage.matches.values())
        if phase.kind is PhaseKind.ZONES:
            for zone in range(1, len(stage.zones) + 1):
                found += zone_sheet(phrases, phase, zone, tables)
        for number in sorted({each.round for each in matches}):
            found += fixtures(phrases, phase, number, tables)
        if phase.kind in _BRACKETS:
            found += bracket(phrases, phase)
        found += score_sheets(phrases, _without_result(phrases, phase), tables, head=head)
    return found


def _blocks_without_teams(
    phrases: Phrases, phase: PhaseFormat, size: PhaseSize, head: Markup
) -> list[Block]:
    if phase.kind is PhaseKind.ZONES:
        return []  # nothing can be written before the draw
    if phase.kind in _BRACKETS and not phase.redraw:
        # The places of the seeds, to write on.
        seeded, made = _seeded(phrases, phase, size.teams)
        sheets = score_sheets(seeded, sorted(made, key=_by_round), head=head)
        return [*_bracket(seeded, phase, made), *sheets]
    each_round = max(1, size.teams // 2)
    rounds = [divmod(at, each_round) for at in range(size.matches)]
    blank = {team: Team(team, "") for team in (1, 2)}
    made = [
        Fixture(f"{phase.id}-R{at + 1}-M{match + 1}", phase.id, 0, at + 1, (1, 2))
        for at, match in rounds
    ]
    return score_sheets(_unbegun(phrases, phase, blank, made), made, head=head)


def blocks(phrases: Phrases, kind: str, hall: Hall) -> list[Block]:
    """The blocks of one of KINDS, for all phases that have begun."""
    if kind == "set":
        return complete_set(phrases, hall.tables, _head(phrases, hall))
    if kind == "finder":
        return [finder(phrases, hall.address)] if hall.address else []
    if kind == "posters":
        own = f"{hall.address}{hall.tournament}/" if hall.tournament else hall.address
        return posters(phrases, own)
    if kind == "labels":
        return box_labels(phrases, hall.numbers)
    if kind == "pairings":
        return pairings(phrases, hall.tables)
    if kind == "order":
        return final_order(phrases)
    if kind == "diplomas":
        return diplomas(phrases, hall.name)
    return [
        block
        for phase in phrases.state.format.phases
        if phase.id in phrases.state.stages
        for part in _parts_of_phase(phrases, kind, phase, hall)
        for block in part
    ]


def _parts_of_phase(
    phrases: Phrases, kind: str, phase: PhaseFormat, hall: Hall
) -> Iterable[list[Block]]:
    head, tables = _head(phrases, hall), hall.tables
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
            return [score_sheets(phrases, _without_result(phrases, phase), tables, head=head)]
        case "sheets":
            return [score_sheets(phrases, matches, tables, filled=True, head=head)]
        case "standings":
            return [standings(phrases, phase)]
        case "brackets" if phase.kind in _BRACKETS:
            return [bracket(phrases, phase)]
    return []


def _without_result(phrases: Phrases, phase: PhaseFormat) -> list[Fixture]:
    matches = sorted(phrases.state.stages[phase.id].matches.values(), key=_by_round)
    return [each for each in matches if phrases.reader.result(each.id) is None]


def _by_round(match: Fixture) -> tuple[int, int]:
    return match.round, match.group


# ---- HTML ---------------------------------------------------------------------------------------


def _code(text: str) -> Markup:
    code = segno.make(text, error="m", micro=False)
    return Markup(code.svg_inline(scale=8, border=4, omitsize=True))


def _joined(*words: str) -> str:
    """The words without repetition: a phase may have the name of what is shown."""
    return " · ".join({each.casefold(): each for each in words}.values())


def _head(phrases: Phrases, hall: Hall) -> Markup:
    """What every sheet, and every lower half of one, has above it."""
    first = [*filter(None, (hall.name, phrases.title, phrases.date))]
    return drawn("head", first, hall.printed)


def _sheet(html: Markup) -> Block:
    return Block(html, ROOM, is_sheet=True)


def _table_blocks(
    heading: str, kind: str, columns: Sequence[PaperColumn], rows: Iterable[Sequence[str]]
) -> list[Block]:
    """A table under its heading, in parts that are no higher than a sheet."""
    least = _ROWS[kind]
    height = text_height(heading, WIDTH, 14) + 2.5 if heading else 0.0
    height += row_height(columns, [each.text for each in columns], least) + _GAP

    def row(cells: Sequence[str]) -> tuple[Markup, float]:
        pairs = [(each.key, cell) for each, cell in zip(columns, cells, strict=True)]
        return drawn("row", pairs), row_height(columns, cells, least)

    parts = split(map(row, rows), ROOM - height)
    return [
        Block(drawn("table", heading, kind, columns, html), height + own) for html, own in parts
    ]


def _number(number: int | None) -> str:
    return str(number) if number else ""
