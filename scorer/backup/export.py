"""Games as files for other programs: score sheets, JSON, and one table as CSV."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from scorer.ownership import give_to_owner_of
from scorer.plain_values.spreadsheet import MARK, Cell, csv_text
from scorer.records.replay import read_stored_header, replay_sheet, sheet_text
from scorer.records.standings import game_minutes
from scorer.rules import Header, SheetError, state_document
from scorer.rules.score import shown_scores
from scorer.rules.stored_header import with_rules_of_then
from scorer.session.values.record import Record
from scorer.store.archive import Entered

CSV_NAME = "games.csv"
_SIDES = ("A", "B", "C")
_COLUMNS = (
    *("game", "state", "began", "ended", "minutes", "variant", "target", "options"),
    *(f"name_{side}" for side in _SIDES),
    *(f"score_{side}" for side in _SIDES),
    *("winner", "hands", "steps"),
)


class ExportResult(NamedTuple):
    """The number of games written; ``unplayable``: those that the rules refuse."""

    games: int
    unplayable: tuple[int, ...]


class _Played(NamedTuple):
    """One game, as far as this version understands it."""

    entered: Entered
    header: Header | None
    record: Record | None

    @property
    def state(self) -> str:
        if self.record is None:
            return "unplayable"
        if self.record.taken_back:
            return "undone"
        return "unfinished" if self.record.game.winner is None else "won"

    @property
    def minutes(self) -> int:
        return game_minutes(self.entered.rows) if self.entered.rows else 0

    @property
    def moments(self) -> tuple[str, str]:
        """When it began and ended, in UTC; "" where the clock was not synchronised."""
        ends = [self.entered.rows[at] for at in (0, -1) if self.entered.rows]
        began, ended = [row.wall if row.trusted else "" for row in ends] or ["", ""]
        return began, ended


def export_games(games: Iterable[Entered], folder: Path) -> ExportResult:
    """Write every game to ``folder``, which exists.

    Raises OSError, and what ``games`` raises.
    """
    count, unplayable = 0, []
    table = folder / CSV_NAME
    with table.open("w", encoding="utf-8", newline="") as file:
        file.write(MARK + csv_text([_COLUMNS], ","))
        for entered in games:
            played = _read(entered)
            for path in _write_game(played, folder):
                give_to_owner_of(folder, path)
            cells = _cells(played)
            file.write(csv_text([[cells.get(column, "") for column in _COLUMNS]], ","))
            count += 1
            unplayable += [entered.game] if played.record is None else []
    give_to_owner_of(folder, table)
    return ExportResult(count, tuple(unplayable))


def _read(entered: Entered) -> _Played:
    try:
        header = read_stored_header(entered.header)
    except SheetError:
        return _Played(entered, None, None)
    try:
        return _Played(entered, header, replay_sheet(entered.header, entered.rows))
    except ValueError:
        return _Played(entered, header, None)


def _write_game(played: _Played, folder: Path) -> Iterator[Path]:
    entered = played.entered
    stem = f"game-{entered.game:05}"
    sheet = folder / f"{stem}.truco"
    # In bytes: the code on the slip of a game is the digest of exactly these.
    sheet.write_bytes(sheet_text(entered.header, (row.line for row in entered.rows)).encode())
    yield sheet
    document = json.dumps(_document(played), ensure_ascii=False)
    (folder / f"{stem}.json").write_text(f"{document}\n", encoding="utf-8")
    yield folder / f"{stem}.json"


def _document(played: _Played) -> dict[str, Any]:
    """The game as JSON (score-sheet.md#export)."""
    entered, record = played.entered, played.record
    began, ended = played.moments
    return {
        "game": entered.game,
        "state": played.state,
        "began": began,
        "ended": ended,
        "minutes": played.minutes,
        "names": dict(played.header.names) if played.header else {},
        "header": with_rules_of_then(entered.header),
        "steps": [
            {
                "seq": row.seq,
                "press": row.press,
                "line": row.line,
                "source": row.source,
                "time": row.wall if row.trusted else "",
            }
            for row in entered.rows
        ],
        "end": None if record is None else state_document(record.game),
    }


def _cells(played: _Played) -> dict[str, Cell]:
    """The row of the table by its columns; those that are not known are left out."""
    entered, header, record = played.entered, played.header, played.record
    began, ended = played.moments
    cells: dict[str, Cell] = {"game": entered.game, "state": played.state}
    cells |= {"began": began, "ended": ended, "minutes": played.minutes}
    cells["steps"] = len(entered.rows)
    if header is not None:
        rules, options = header.rules, dict(header.tags).get("Options", "")
        cells |= {"variant": rules.variant.id, "target": rules.target, "options": options}
        cells |= {f"name_{side}": name for side, name in header.names.items()}
    if record is not None:
        game = record.game
        scores = zip(game.rules.scoring_sides, shown_scores(game), strict=True)
        cells |= {f"score_{side}": points for side, points in scores}
        cells |= {"winner": str(game.winner or ""), "hands": game.hand_number}
    return cells
