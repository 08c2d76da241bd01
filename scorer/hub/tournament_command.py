"""The commands of ``scorer hub`` on the file of a tournament."""

from __future__ import annotations

import argparse
import csv
import re
import sys
from collections.abc import Callable
from pathlib import Path

from scorer.config.toml_reader import ConfigError
from scorer.config.tournament_formats import built_in_formats, load_format, load_owner_formats
from scorer.hub.paper import sheets
from scorer.hub.paper.reports import (
    entry_sentences,
    heading_sentence,
    preview,
    size_sentences,
)
from scorer.hub.paper.spreadsheets import csv_tables
from scorer.hub.times import WallClock
from scorer.hub.tournament_phrases import Phrases
from scorer.season.members import member_hash
from scorer.tournament import Format, Reader, Tournament, apply, as_logged, begin
from scorer.tournament.entry_list import MAX_CHARS, read_entries
from scorer.tournament.events import PairRound, StartPhase
from scorer.tournament.export import MAX_BYTES, NoTournamentFile, TournamentFile, decode
from scorer.tournament.names import name_key
from scorer.tournament.pasted_list import decoded
from scorer.tournament.sizes import ImpossiblePhase, sizes


def run(name: str, arguments: argparse.Namespace) -> int:
    """Run one command; 0: done, 1: it cannot be done, or the list has errors.

    Raises OSError or ValueError, whose text says why it cannot be done.
    """
    return _COMMANDS[name](arguments)


def _draw(arguments: argparse.Namespace) -> int:
    """Print order, zones and pairs; 1 if they are not what is drawn anew."""
    file = _load(arguments.file)
    state = file.state
    if not state.seed:
        raise ValueError("the number of the draw is not in the file")
    print(f"number: {state.seed}")
    for phase_id, stage in state.stages.items():
        print(f"{phase_id}: order")
        for place, team in enumerate(stage.entrants, 1):
            print(f"  {place:>3}  entry {team:>3}  {state.teams[team].name}")
        for number, zone in enumerate(stage.zones, 1):
            print(f"{phase_id}: zone {number}: " + ", ".join(state.teams[t].name for t in zone))
    reader = Reader(state)
    for match in state.matches():
        names = (state.teams[team].name if team else "?" for team in reader.sides(match.id))
        print(f"{match.id}: {' - '.join(names)}")
    if other := _not_as_drawn(file):
        print(f"scorer hub: not as drawn: {', '.join(other)}", file=sys.stderr)
    return 1 if other else 0


def _not_as_drawn(file: TournamentFile) -> list[str]:
    """The starts and rounds that are not what the number of the draw gives."""
    state, found = begin(file.state.format), []
    for event in file.log:
        match event:
            case StartPhase(phase, entrants) if entrants and as_logged(state, event) != event:
                found.append(f"{phase} start")
            case PairRound(phase, pairs) if pairs and as_logged(state, event) != event:
                found.append(f"{phase} round {1 + len(state.stages[phase].rounds)}")
        after = apply(state, event)
        assert isinstance(after, Tournament)  # reading the file has applied it
        state = after
    return found


def _paper(arguments: argparse.Namespace) -> int:
    return write_paper(_load(arguments.file).state, sheets.NO_TABLES, arguments)


def write_paper(
    state: Tournament, tables: sheets.Tables, arguments: argparse.Namespace, name: str = ""
) -> int:
    """Write one HTML page for a printer; ``name``: of the hall."""
    phrases = Phrases(Reader(state), arguments.language)
    printed = sheets.printed_text(phrases, WallClock())
    hall = sheets.Hall(tables, tuple(arguments.tables), arguments.address, name, printed)
    page = sheets.document(phrases, arguments.pages, hall, arguments.paper)
    arguments.out.write_text(page, encoding="utf-8")
    print(arguments.out)
    return 0


def _tables(arguments: argparse.Namespace) -> int:
    return write_tables(_load(arguments.file).state, arguments)


def write_tables(state: Tournament, arguments: argparse.Namespace) -> int:
    """Write teams, matches and standings as CSV in a folder."""
    arguments.out.mkdir(parents=True, exist_ok=True)
    for name, write in csv_tables(Phrases(Reader(state), arguments.language)).items():
        path = arguments.out / f"{name}.csv"
        path.write_bytes(write())
        print(path)
    return 0


def _entries(arguments: argparse.Namespace) -> int:
    """Report a list of teams, and what the format makes of them."""
    format_ = _format(arguments.format, arguments.formats)
    text = decoded(read_bytes(arguments.file, 4 * MAX_CHARS))
    found = read_entries(text, begin(format_))
    heading = heading_sentence(found.columns, arguments.language)
    sentences = [*filter(None, [heading]), *entry_sentences(found, arguments.language)]
    size = sizes(format_, len(found.entries))
    sentences += size_sentences(format_, size, arguments.language)
    if not isinstance(size, ImpossiblePhase):
        for phase_id, each in size.items():
            print(f"{phase_id}: {each.teams} teams, {each.matches} matches")
    for sentence in sentences:
        print(sentence)
    title, columns, rows = preview(found, arguments.language)
    shown = [columns, *([" · ".join(each) for each in row] for row in rows)]
    for line in [title, *map(" | ".join, shown)] if rows else ():
        print(line)
    return 1 if found.errors or isinstance(size, ImpossiblePhase) else 0


def member_hashes(members: Path | None, season_key: Path | None) -> dict[str, str]:
    """What stands for each member in a season, by ``name_key`` of the name.

    ``members``: a CSV of name and number; ``season_key``: a file with 64 hexadecimal digits. Raises
    OSError or ValueError.
    """
    if members is None or season_key is None:
        if members is not season_key:
            raise ValueError("--members and --season-key are given together")
        return {}
    key = read_bytes(season_key, 100).decode("ascii", "replace").strip()
    if not re.fullmatch("[0-9a-f]{64}", key):
        raise ValueError(
            f"{season_key} is no key of a season: it has 64 hexadecimal digits, as of"
            " `openssl rand -hex 32`"
        )
    found: dict[str, str] = {}
    text = decoded(read_bytes(members, 4 * MAX_CHARS))
    for line, row in enumerate(
        csv.reader(text.splitlines(), delimiter=max(";,\t", key=text.partition("\n")[0].count)), 1
    ):
        if not any(map(str.strip, row)):
            continue
        name, number = (*map(str.strip, row), "", "")[:2]
        if not name or not number:
            raise ValueError(f"{members}, line {line}: wants a name and a number")
        hashed = member_hash(key, number)
        if found.setdefault(name_key(name), hashed) != hashed:
            raise ValueError(
                f"{members}, line {line}: {name} has another number above; write the names apart"
            )
    return found


def _format(name: str, folder: Path) -> Format:
    owned = load_owner_formats(folder).formats
    try:
        return owned.get(name) or load_format(built_in_formats().get(name) or Path(name))
    except ConfigError as error:
        raise ValueError("; ".join(each.sentence for each in error.problems)) from None


def _load(path: Path) -> TournamentFile:
    """The tournament in a file. Raises OSError or ValueError."""
    found = decode(read_bytes(path, MAX_BYTES))
    if isinstance(found, NoTournamentFile):
        raise ValueError(f"{path}: {found.text}")
    return found


def read_bytes(path: Path, most: int) -> bytes:
    """The bytes of a file, at most one more than ``most``."""
    with path.open("rb") as file:
        return file.read(most + 1)


_COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "draw": _draw,
    "paper": _paper,
    "tables": _tables,
    "entries": _entries,
}
