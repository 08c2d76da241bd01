"""``scorer replay``: replays score sheets and prints the result of every step."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

from scorer.api.refusal_messages import SENTENCES
from scorer.config.owner_variants import add_variants_option, install
from scorer.rules import (
    Action,
    Header,
    History,
    LineError,
    Phase,
    SheetLine,
    games_won,
    phase_of,
    state_document,
    step_text,
)
from scorer.rules.sheet import read_sheet

WriteText = Callable[[str], object]

EXAMPLE = """example:
  scorer replay evening.truco
  scorer replay --json - < evening.truco | tail -n 1"""


def main(argv: list[str]) -> int:
    """0: all steps accepted; 1: some were refused; 2: a sheet cannot be read."""
    parser = argparse.ArgumentParser(
        prog="scorer replay",
        description="Play score sheets through the rules.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a step")
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="a score sheet; - is standard input"
    )
    add_variants_option(parser)
    arguments = parser.parse_args(argv)
    install(arguments.variants)
    telling = JsonReport(sys.stdout.write) if arguments.json else TextReport(sys.stdout.write)
    code = 0
    for name in arguments.files:
        code = max(code, _replay_file(name, telling))
        if code == 2:
            break
    return code


def _replay_file(name: str, report: JsonReport | TextReport) -> int:
    try:
        if name == "-":
            return _replay(name, sys.stdin.buffer, report)
        with Path(name).open("rb") as file:
            return _replay(name, file, report)
    except OSError as error:
        report.finish()
        _print_error(f"{name}: {_read_error_text(error)}")
        return 2


def _read_error_text(error: OSError) -> str:
    match error:
        case FileNotFoundError():
            return "there is no such file"
        case IsADirectoryError():
            return "this is a folder; name a score sheet in it"
        case PermissionError():
            return "this file may not be read by you"
        case _:
            return f"cannot be read: {error.strerror}"


def _replay(name: str, file: BinaryIO, report: JsonReport | TextReport) -> int:
    refused = False
    try:
        # readline with a limit: a file without line ends must not be read as a whole.
        for record in read_sheet(iter(lambda: file.readline(1 << 16), b"")):
            if isinstance(record, Header):
                report.start_game(record)
            else:
                refused = report.play_step(record) or refused
    except LineError as error:
        report.finish()
        _print_error(f"{name}:{error.number}: {error}")
        return 2
    report.finish()
    return 1 if refused else 0


def _print_error(sentence: str) -> None:
    sys.stdout.flush()
    print(sentence, file=sys.stderr)


class JsonReport:
    """One JSON object per line: step 0 with the state at the deal, then each step."""

    def __init__(self, write_text: WriteText) -> None:
        self._write_text, self._games = write_text, 0

    def start_game(self, header: Header) -> None:
        self._games += 1
        self._steps, self._history = 0, History(header.game())
        self._write_record({})

    def play_step(self, line: SheetLine) -> bool:
        """Play one step; return whether it was refused."""
        self._steps += 1
        why = self._history.play(line.step)
        refusal = None if why is None else {"reason": why, "text": SENTENCES[why]}
        self._write_record({"line": step_text(line.step), "ok": why is None, "refusal": refusal})
        return why is not None

    def finish(self) -> None:
        """Do nothing: every step is printed at once."""

    def _write_record(self, extra: dict[str, Any]) -> None:
        record = {"game": self._games, "step": self._steps, **extra}
        record["state"] = state_document(self._history.game)
        self._write_text(json.dumps(record, sort_keys=True, ensure_ascii=False) + "\n")


class TextReport:
    """A table per game: a row per hand with its steps, what was won and the score."""

    def __init__(self, write_text: WriteText) -> None:
        self._write_text, self._games, self._open = write_text, 0, False

    def start_game(self, header: Header) -> None:
        self.finish()
        self._games, self._open = self._games + 1, True
        self._history, self._row = History(header.game()), list[str]()
        game = self._history.game
        names = " - ".join(header.names.get(side, side) for side in game.rules.scoring_sides)
        self._write_text(
            f"Game {self._games}: {game.rules.variant.title}, {names}, to {game.rules.target}\n"
        )

    def play_step(self, line: SheetLine) -> bool:
        """Play one step; return whether it was refused."""
        if line.step.action is Action.NEW_HAND:
            self._hand_row()
        why = self._history.play(line.step)
        if line.step.action is not Action.NEW_HAND or why is not None:
            text = step_text(line.step)
            self._row.append(text if why is None else f"{text} (refused: {SENTENCES[why]})")
        return why is not None

    def finish(self) -> None:
        if not self._open:
            return
        self._hand_row()
        game = self._history.game
        score = ", ".join(
            f"{side} {min(points, game.rules.target)}"
            for side, points in zip(game.rules.scoring_sides, game.score, strict=True)
        )
        outcome = phase_of(game).replace("_", " ")
        if game.winner is not None:
            games = " - ".join(str(count) for count in games_won(game))
            series = f" (games {games})" if game.rules.best_of > 1 else ""
            what = "match" if phase_of(game) is Phase.MATCH_OVER else "game"
            outcome = f"{game.winner} wins the {what}{series}"
        self._write_text(f"  {score}; {outcome}\n\n")
        self._open = False

    def _hand_row(self) -> None:
        game = self._history.game
        if self._row or game.last_credits:
            score = " - ".join(str(min(points, game.rules.target)) for points in game.score)
            self._write_text(f"  {game.hand_number:3}  {score:>7}  {', '.join(self._row)}\n")
        self._row = []
