"""Tables of a tournament as CSV for spreadsheets, without formulas."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from scorer.hub.tournament_phrases import Phrases
from scorer.plain_values.spreadsheet import MARK, Cell, csv_text
from scorer.tournament.format import PhaseFormat


def csv_tables(phrases: Phrases) -> dict[str, Callable[[], bytes]]:
    """What writes each table, by the name of its file."""
    standings = {
        f"standings-{phase.id}": partial(standings_csv, phrases, phase)
        for phase in phrases.state.format.phases
        if phase.id in phrases.state.stages
    }
    return {
        "teams": partial(teams_csv, phrases),
        "matches": partial(matches_csv, phrases),
        **standings,
        "final-order": partial(order_csv, phrases),
    }


def teams_csv(phrases: Phrases) -> bytes:
    """The teams, as ``entry_list.read_entries`` reads them."""
    format_ = phrases.state.format
    head = _team_head(phrases)
    head += [f"{phrases.say('paper.reserve')} {at}" for at in range(1, format_.reserves + 1)]
    head += [phrases.say("desk.o.club"), phrases.say("paper.seed"), phrases.say("paper.consent")]
    rows = (
        (
            *_team_cells(phrases, each.id),
            *_filled(each.reserves, format_.reserves),
            each.club,
            each.seed or "",
            phrases.say("paper.consent.yes") if each.consents else "",
        )
        for each in phrases.state.teams.values()
    )
    return _encoded(phrases, head, rows)


def matches_csv(phrases: Phrases) -> bytes:
    """Every match of the phases that have begun, with its result."""
    words = (
        "paper.match",
        "desk.o.phase",
        "paper.fixtures",
        "hub.team",
        "hub.team",
        "paper.winner",
    )
    head = [phrases.say(word) for word in words]
    numbers = ("desk.o.games", "desk.o.points")
    head += [f"{phrases.say(word)} {side}" for word in numbers for side in (1, 2)]
    head.append(phrases.say("desk.o.ended"))
    rows = []
    for match in phrases.state.matches():
        result = phrases.reader.result(match.id)
        row: list[Cell] = [
            phrases.name(match.id),
            phrases.phase(phrases.reader.phase_of(match.id)),
            phrases.stage(match),
            *phrases.sides(match),
            phrases.team(phrases.reader.winner(match.id)),
        ]
        row += [*result.games, *result.points] if result else [""] * 4
        row.append((phrases.ending(result) or phrases.say("paper.played")) if result else "")
        rows.append(row)
    return _encoded(phrases, head, rows)


def standings_csv(phrases: Phrases, phase: PhaseFormat) -> bytes:
    """The standings of a phase, zone after zone, with the values of the tie-breaks."""
    stage = phrases.state.stages[phase.id]
    head = [*_event_head(phrases), phrases.say("desk.o.phase"), phrases.say("paper.rank")]
    head += _team_head(phrases)
    head += [phrases.criterion(criterion)[1] for criterion in phase.tiebreaks]
    rows = []
    for zone in range(1, len(stage.zones) + 1) if stage.zones else (0,):
        title = phrases.zone(zone) or phrases.phase(phase)
        for each in phrases.reader.standings(phase.id, zone):
            pairs = zip(phase.tiebreaks, each.values, strict=False)
            values = [_number(phrases.value(*pair)) for pair in pairs]
            values += [""] * (len(phase.tiebreaks) - len(values))
            team = _team_cells(phrases, each.team)
            rows.append([*_event_cells(phrases), title, each.rank, *team, *values])
    return _encoded(phrases, head, rows)


def order_csv(phrases: Phrases) -> bytes:
    """All teams over all phases, each with the phase that has decided its place."""
    head = [*_event_head(phrases), phrases.say("paper.rank"), *_team_head(phrases)]
    head += [phrases.say("desk.o.club"), phrases.say("desk.o.phase")]
    rows: list[Sequence[Cell]] = [
        (
            *_event_cells(phrases),
            each.rank,
            *_team_cells(phrases, each.team),
            phrases.state.teams[each.team].club,
            phrases.phase_of_id(each.phase) if each.phase else "",
        )
        for each in phrases.reader.final_order()
    ]
    return _encoded(phrases, head, rows)


def _event_head(phrases: Phrases) -> list[str]:
    return [phrases.say("paper.tournament"), phrases.say("desk.o.date")]


def _event_cells(phrases: Phrases) -> tuple[str, str]:
    """The tournament and its day, by which rows of several evenings are parted."""
    return phrases.title, phrases.state.names.date


def _team_head(phrases: Phrases) -> list[str]:
    count = phrases.state.format.players
    players = (f"{phrases.say('paper.player')} {at}" for at in range(1, count + 1))
    return [phrases.say("hub.team"), *players]


def _team_cells(phrases: Phrases, team: int) -> list[str]:
    """The name of a team and its players."""
    found = phrases.state.teams[team]
    return [found.name, *_filled(found.players, phrases.state.format.players)]


def _filled(names: Sequence[str], count: int) -> list[str]:
    return [*names, *([""] * (count - len(names)))][:count]


def _number(text: str) -> Cell:
    """A whole number as such: a sign before it is no formula."""
    try:
        return int(text)
    except ValueError:
        return text


def _encoded(phrases: Phrases, head: Sequence[Cell], rows: Iterable[Sequence[Cell]]) -> bytes:
    # Where the comma is in numbers, spreadsheets part cells by semicolons.
    separator = "," if phrases.language.startswith("en") else ";"
    return (MARK + csv_text((head, *rows), separator)).encode()
