"""``make people``: games that people really played, pressed on simulated pins.

Every step of a recorded game is pressed as players would press it, with contact bounce, on the real
table in its own process. After every hand its score must equal the score sheet's, and at the end
the recorded score. The first trick and the next deal need no press.

Single hands that people played are pressed from their recorded score: their score must equal the
recorded one, with few presses per word, and their reasons must add up on every output.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Protocol

import yaml

from scorer.demo import buttons
from scorer.demo.table_process import TableCommand, TableProcess, TableReport
from scorer.rules import (
    Action,
    Header,
    History,
    Step,
    header_of,
    parse_step,
    state_document,
)
from scorer.session.settings import Layout
from tests.paths import SHARED
from tests.phrases import reasons_law
from tests.sampling import QUICK, TIMES
from tools.bench.in_process_table import InProcessTable, folder

GAMES = SHARED / "data" / "human_games.yaml"
HANDS = SHARED / "data" / "human_hands.yaml"
LAYOUTS = ("full", "compact")
TAP, HOLD = 0.15, 0.9
PAUSE = 1.0  # seconds between presses: faster than players, slower than the guard against echoes
BETWEEN_TAPS = 0.2  # seconds between the taps of a raise
SAME_BUTTON = 3.2  # seconds until a button acts again: the guard against a partner's slap is over
NEXT_HAND = 5.0  # seconds for dealing the cards
PRESSES_PER_WORD = 1.10  # at most, over the recorded hands
ENVIDO_CALLS = ("envido", "real_envido", "falta_envido")  # in tap order


class Pressed(NamedTuple):
    """The number of presses of a game, and whether table and sheet agreed."""

    hands: int
    words: int
    presses: int
    questions: int
    problem: str  # "" if they agreed


class PressedHand(NamedTuple):
    """A recorded hand: the words, the presses for them, the faults of the outcome."""

    words: int
    presses: int
    faults: tuple[str, ...]


class Pressable(Protocol):
    """A table whose pins can be moved, in its own process or in this one."""

    @property
    def report(self) -> TableReport: ...
    def advance(self, edges: Sequence[buttons.PinEdge], until: float, /) -> TableReport: ...


class Player:
    """Presses the buttons of the consoles, reading only what the table shows."""

    def __init__(self, child: Pressable, layout: str, seed: int) -> None:
        self._child, self._compact = child, layout == "compact"
        self._chance, self._now, self._newest = Random(seed), 1.0, ""
        self.presses = self.questions = 0

    @property
    def state(self) -> Mapping[str, Any]:
        return self._child.report.state

    def press(self, button: str, held: float = TAP, *, taps: int = 1) -> str:
        """Press once or several times, pause, and return the verdict."""
        self.presses += taps
        if button == self._newest:
            self.wait(SAME_BUTTON)
        self._newest = button
        edges = []
        for _ in range(taps):
            edges += buttons.press_edges(button, self._now, held, self._chance)
            self._now += held + BETWEEN_TAPS
        self._now += PAUSE - BETWEEN_TAPS
        report = self._child.advance(buttons.sort_edges(edges), self._now)
        return report.press[-1] if report.press else "-"

    def wait(self, seconds: float) -> None:
        self._now += seconds
        self._child.advance([], self._now)

    def say(self, step: Step, *, first_trick: bool) -> None:
        """Press the buttons for ``step``."""
        side = str(step.side)
        match step.action:
            case Action.QUIERO:
                self.press(f"{side}.quiero")
            case Action.NO_QUIERO | Action.NO_FLOR | Action.ME_ACHICO:
                self._no(side)
            case Action.FLOR:
                self._flor(side)
            case Action.ENVIDO | Action.REAL_ENVIDO | Action.FALTA_ENVIDO:
                self._envido(side, step.action)
            case Action.ENVIDO_WON | Action.FLOR_WON | Action.HAND_WON:
                self.press(f"{side}.tantos")
            case Action.FOLD:
                self._fold(side, first_trick=first_trick)
            case _:
                self.press(f"{side}.truco")

    def _no(self, side: str) -> None:
        if self._compact:
            self.press(f"{side}.quiero", HOLD)
        else:
            self.press(f"{side}.no_quiero")

    def _flor(self, side: str) -> None:
        if self._compact:
            self.press(f"{side}.envido", HOLD)
        else:
            self.press(f"{side}.flor")

    def _envido(self, side: str, wanted: Action) -> None:
        """Tap as often as the call is above the lowest one that is legal."""
        legal = [call for who, call in self.state["legal"] if who == side]
        # The hand that is only announced is not dealt yet: every call is legal in it.
        calls = [call for call in ENVIDO_CALLS if call in legal] or ENVIDO_CALLS
        self.press(f"{side}.envido", taps=1 + calls.index(str(wanted)))

    def _fold(self, side: str, *, first_trick: bool) -> None:
        button = "quiero" if self._compact else "no_quiero"
        if self.press(f"{side}.{button}", HOLD) == "question":
            self.questions += 1
            if first_trick:
                self.press("A.quiero")
            else:
                self._no("A")


def play(game: Mapping[str, Any], layout: str, store: str) -> Pressed:
    """Press one recorded game on a new table process."""
    mano = game["options"]["mano"]
    child = TableProcess(
        TableCommand(game["variant"], f"mano={mano}", "es-AR", layout, 1, store).command(0.0)
    )
    child.start()
    try:
        return press(game, layout, child)
    finally:
        child.close()


def header(game: Mapping[str, Any]) -> Header:
    """The header for a table that plays this recorded game."""
    return header_of([("Variant", game["variant"]), ("Mano", game["options"]["mano"])])


def press(game: Mapping[str, Any], layout: str, table: Pressable) -> Pressed:
    """Press one recorded game on a table started with its header."""
    return press_by(game, Player(table, layout, seed=len(game["steps"])))


def press_by(game: Mapping[str, Any], player: Player) -> Pressed:
    """Press one recorded game by ``player``, at a table that has just opened its game."""
    sheet = History(header(game).game())
    hands, words, first_trick = 1, 0, True
    for step in _steps(game, sheet):
        if step.action is Action.NEW_HAND:
            problem = _difference(sheet, player, f"after hand {hands}")
            if problem:
                return Pressed(hands, words, player.presses, player.questions, problem)
            hands, first_trick = hands + 1, True
            player.wait(NEXT_HAND)
        elif step.action is Action.FIRST_TRICK_DONE:
            first_trick = False
        else:
            words += not step.action.endswith("_won")
            player.say(step, first_trick=first_trick)
        if (why := sheet.play(step)) is not None:
            return Pressed(hands, words, player.presses, player.questions, f"{step}: {why}")
    problem = _difference(sheet, player, "at the end") or _not_as_recorded(game, player)
    return Pressed(hands, words, player.presses, player.questions, problem)


def _steps(game: Mapping[str, Any], sheet: History) -> Iterator[Step]:
    for side, action in game["steps"]:
        yield parse_step(f"{side} {action}", sheet.game.rules)


def _difference(sheet: History, player: Player, when: str) -> str:
    expected = state_document(sheet.game)
    for key in ("score", "phase", "winner"):
        if player.state[key] != expected[key]:
            return f"{when}: {key} is {player.state[key]}, the sheet says {expected[key]}"
    return ""


def _not_as_recorded(game: Mapping[str, Any], player: Player) -> str:
    for key, value in game["expect"].items():
        if player.state[key] != value:
            return f"recorded {key} is {value}, the box has {player.state[key]}"
    return ""


def recorded(path: Path = GAMES) -> list[Mapping[str, Any]]:
    """The games of the file; OSError if it does not exist."""
    with path.open(encoding="utf-8") as file:
        return list(yaml.safe_load(file))


def press_hand(hand: Mapping[str, Any], turn: int, layout: Layout) -> PressedHand:
    """Press a recorded hand on a table that begins at its score.

    A word is a call, an answer, a fold or a team named as the winner.
    """
    sheet = History(_header_of_hand(hand).game())
    with folder() as store, ExitStack() as stack:
        table = InProcessTable(_header_of_hand(hand), store, stack, layout)
        player, words = Player(table, layout, seed=turn), 0
        first_trick = True
        for step in _steps(hand, sheet):
            if step.action is Action.FIRST_TRICK_DONE:
                first_trick = False
            else:
                words += 1
                player.say(step, first_trick=first_trick)
            if (why := sheet.play(step)) is not None:
                return PressedHand(words, player.presses, (f"{step}: {why}",))
        faults = [_not_as_recorded(hand, player), *reasons_law.faults(sheet.game, turn)]
        return PressedHand(words, player.presses, tuple(filter(None, faults)))


def _header_of_hand(hand: Mapping[str, Any]) -> Header:
    start = " ".join(f"{side}={points}" for side, points in hand["start"].items())
    options = dict(hand["options"])
    tags = [("Variant", hand["variant"]), ("Mano", options.pop("mano")), ("Start", start)]
    chosen = " ".join(f"{key}={value}" for key, value in options.items())
    return header_of([*tags, *([("Options", chosen)] if chosen else [])])


def _tell_hands(hands: list[Mapping[str, Any]], layout: Layout) -> int:
    """Print the faults of each hand and the totals; return the number of failures."""
    played = [press_hand(hand, turn, layout) for turn, hand in enumerate(hands)]
    for hand, each in zip(hands, played, strict=True):
        for fault in each.faults:
            print(f"{hand['id']:18} {fault}")
    failed = sum(bool(each.faults) for each in played)
    words, presses = sum(each.words for each in played), sum(each.presses for each in played)
    print(
        f"{layout:8} {len(hands) - failed} of {len(hands)} hands: score as recorded, reasons add up"
    )
    print(f"{layout:8} {presses} presses for {words} words: {presses / words:.3f} a word")
    too_many = presses > PRESSES_PER_WORD * words
    if too_many:
        print(f"more than {PRESSES_PER_WORD:.2f} presses a word")
    return failed + too_many


def main(arguments: Sequence[str]) -> int:
    """Print a line per game and the totals; return 1 if a score differed."""
    parser = argparse.ArgumentParser(prog="make people", description=__doc__)
    parser.add_argument("--games", type=Path, default=GAMES)
    parser.add_argument("--hands", type=Path, default=HANDS)
    parser.add_argument("--layout", choices=LAYOUTS, action="append")
    chosen = parser.parse_args(arguments)
    try:
        games, hands = recorded(chosen.games), recorded(chosen.hands)[:: TIMES if QUICK else 1]
    except OSError as error:
        print(f"{error.filename}: {error.strerror}; name the files with --games and --hands")
        return 2
    layouts = [Layout(layout) for layout in chosen.layout or LAYOUTS]
    failed = sum(_tell_hands(hands, layout) + _tell(games, layout) for layout in layouts)
    total = (len(hands) + len(games)) * len(layouts)
    print(f"{total - failed} passed, {failed} failed")
    return 1 if failed else 0


def _tell(games: list[Mapping[str, Any]], layout: str) -> int:
    failed, hands, words, presses, questions = 0, 0, 0, 0, 0
    for game in games:
        with tempfile.TemporaryDirectory() as store:
            done = play(game, layout, store)
        failed += bool(done.problem)
        hands, words = hands + done.hands, words + done.words
        presses, questions = presses + done.presses, questions + done.questions
        print(f"{layout:8} {game['id']:18} {done.hands:3} hands  {done.problem or 'agrees'}")
    print(
        f"{layout:8} a hand: {words / hands:.2f} words, {presses / hands:.2f} presses "
        f"(words + {(presses - words) / hands:.2f}), {questions / hands:.2f} questions"
    )
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
