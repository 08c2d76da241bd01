"""The tables of a season for spreadsheets, and the list of the final for a hub."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scorer.circuit.documents import Json, qualified_rows
from scorer.i18n import Say, translator
from scorer.plain_values.spreadsheet import MARK, Cell, csv_text
from scorer.static_site.frame import Files
from scorer.tournament.entry_list import MAX_NAME


def csv_files(document: Json, language: str) -> Files:
    """The CSV of each table, and of those who play the final."""
    say = translator(language)
    files: Files = {}
    for at, table in enumerate(document["tables"]):
        number = f"-{at + 1}" if len(document["tables"]) > 1 else ""
        files[f"table{number}.csv"] = _encoded(_table(document, table, say), language)
        if qualified := [*qualified_rows(table)]:
            files[f"final{number}.csv"] = _encoded(_final(document, qualified, say), language)
    if document["clubs"]:
        keys = ("paper.rank", "desk.o.club", "circuit.points", "circuit.teams")
        rows = (
            [row["rank"], row["name"], row["points"], row["teams"]] for row in document["clubs"]
        )
        files["clubs.csv"] = _encoded([[say(key) for key in keys], *rows], language)
    return files


def _table(document: Json, table: Json, say: Say) -> Iterable[Sequence[Cell]]:
    """A row for each team or person, and a column for each evening.

    Points that do not count are in parentheses.
    """
    chosen = [
        at
        for at, each in enumerate(document["evenings"])
        if any(at == played["evening"] for row in table["rows"] for played in row["evenings"])
    ]
    evenings = [document["evenings"][at] for at in chosen]
    yield (
        say("paper.rank"),
        say("hub.team" if document["ranked"] == "pairs" else "circuit.person"),
        *(say(f"circuit.{each}") for each in ("points", "evenings", "wins", "firsts")),
        *(f"{each['date']} {each['hall']}" for each in evenings),
    )
    for row in table["rows"]:
        points: dict[int, Cell] = {
            each["evening"]: each["points"] if each["counts"] else f"({each['points']})"
            for each in row["evenings"]
        }
        yield (
            row["rank"] or "",
            row["name"],
            row["points"],
            len(row["evenings"]),
            row["wins"],
            row["firsts"],
            *(points.get(at, "") for at in chosen),
        )


def _final(document: Json, rows: Sequence[Json], say: Say) -> Iterable[Sequence[Cell]]:
    """A list as ``entry_list.read_entries`` reads it; seeds are the places here."""
    persons = {each["id"]: each["name"] for each in document["persons"]}
    teams = {each["id"]: each["players"] for each in document["teams"]}
    # A list names all players of a team or none.
    listed = ([persons[each] for each in teams.get(row["id"], ())] for row in rows)
    players = [[] if any(each.startswith("#") for each in row) else row for row in listed]
    count = max(map(len, players))
    # The last club of each team and person.
    clubs: dict[str, str] = {}
    for evening in document["evenings"]:
        for team in evening["teams"]:
            if team["club"]:
                clubs |= dict.fromkeys(filter(None, [team["team"], *team["persons"]]), team["club"])
    yield (
        say("hub.team"),
        *(f"{say('paper.player')} {at}" for at in range(1, count + 1)),
        say("desk.o.club"),
        say("paper.seed"),
        say("paper.consent"),
    )
    for seed, (row, named) in enumerate(zip(rows, players, strict=True), 1):
        yield (
            row["name"][:MAX_NAME],
            *named,
            *[""] * (count - len(named)),
            clubs.get(row["id"], ""),
            seed,
            say("paper.consent.yes") if named else "",
        )


def _encoded(rows: Iterable[Sequence[Cell]], language: str) -> bytes:
    # Where the comma is in numbers, spreadsheets part cells by semicolons.
    separator = "," if language.startswith("en") else ";"
    return (MARK + csv_text(rows, separator)).encode()
