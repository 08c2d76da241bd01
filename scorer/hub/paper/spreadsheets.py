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
    }


def teams_csv(phrases: Phrases) -> bytes:
    """The teams, as ``entry_list.read_entries`` reads them."""
    format_ = phrases.state.format
    head = [phrases.say("hub.team")]
    head += [f"{phrases.say('paper.player')} {at}" for at in range(1, format_.players + 1)]
    head += [f"{phrases.say('paper.reserve')} {at}" for at in range(1, format_.reserves + 1)]
    head += [phrases.say("desk.o.club"), phrases.say("paper.seed"), phrases.say("paper.consent")]
    rows = (
        (
            each.name,
            *_filled(each.players, format_.players),
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
    head = [phrases.say(word) for word in ("desk.o.phase", "paper.rank", "hub.team")]
    head += [phrases.criterion(criterion)[1] for criterion in phase.tiebreaks]
    rows = []
    for zone in range(1, len(stage.zones) + 1) if stage.zones else (0,):
        title = phrases.zone(zone) or phrases.phase(phase)
        for each in phrases.reader.standings(phase.id, zone):
            pairs = zip(phase.tiebreaks, each.values, strict=False)
            values = [_number(phrases.value(*pair)) for pair in pairs]
            values += [""] * (len(phase.tiebreaks) - len(values))
            rows.append([title, each.rank, phrases.team(each.team), *values])
    return _encoded(phrases, head, rows)


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
