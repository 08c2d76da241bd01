"""``make people``: hands and games as people play them, pressed on simulated pins.

Made-up games of every truco, and recordings of people where these are beside the checkout. Every
step of a recording is pressed as players would press it, with contact bounce, on the real
table. After every hand its score must equal the score sheet's, at the end the recorded score, and
after every payment the panel must show as gains what the score gained. Each recording is pressed
in each layout at each of ``PACES``. The first trick and the next deal need no press.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from enum import StrEnum
from functools import cache, partial
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Protocol

import yaml

from scorer.demo import buttons
from scorer.demo.table_process import TableReport
from scorer.display.presenter import build_scene
from scorer.i18n import translator
from scorer.rules import (
    Action,
    Header,
    History,
    Phase,
    Step,
    header_of,
    parse_step,
    state_document,
    variant_ids,
)
from scorer.session.values.settings import Layout
from tests.longrun import made_up_games
from tests.paths import SHARED
from tests.phrases import reasons_law
from tests.sampling import QUICK, TIMES
from tools.bench.in_process_table import InProcessTable, folder

GAMES = SHARED / "data" / "human_games.yaml"
HANDS = SHARED / "data" / "human_hands.yaml"
LAYOUTS = ("full", "compact")
WORKERS, CHUNK = 2, 8  # processes, recordings that one takes at a time
MORE_GAMES = 5  # of each truco, made anew in each run
HOLD = 0.9  # seconds
PAUSE = 1.0  # seconds between presses: faster than players, slower than the guard against echoes
BETWEEN_TAPS = 0.09  # seconds from a release to the next press in a finger's double tap
SAME_BUTTON = 3.2  # seconds until a button acts again: the guard against a partner's slap is over
AFTER_PAYMENT = 8.0  # seconds from a payment to the next TANTOS, which takes tricks or a deal
REFLEX = 1.2  # seconds from the release that caused a payment to a reflex TANTOS
PARTNER = 1.1  # seconds from a press to the same one by the partner, which is no slap any more
FAST = 5.2  # seconds from the payment of a bet to a hand that is won at once
NEXT_HAND = 5.0  # seconds for dealing the cards
OPEN = (0.001, 0.060)  # seconds that a worn contact opens within a press
CLOSED = 0.010  # seconds at least that it is closed before it opens
PRESSES_PER_WORD = 1.06  # at most, without reflexes
# In the order of the taps.
ENVIDO_CALLS = ("envido", "real_envido", "falta_envido")
ENVIT_CALLS = ("envit", "torne", "falta")
ANSWERS = ("torne", "con_flor_envido", "contraflor", "contraflor_resto")  # none opens a bet
FLOR_CALLS = ("flor", "con_flor_envido", "contraflor", "contraflor_resto")
COMPARED = ("score", "phase", "pending", "winner")  # of the states of table and sheet
WITHOUT_ENVIDO = ("paulista", "mineiro", "br_general")  # its button means NO QUIERO in compact
HELD_IN_COMPACT = {"no_quiero": "quiero", "flor": "envido"}
UNPRESSED = (Action.NEW_HAND, Action.FIRST_TRICK_DONE)
NAMED_WINNER = (Action.ENVIDO_WON, Action.FLOR_WON, Action.HAND_WON)


class Reflex(StrEnum):
    """Who presses TANTOS after a payment, and what becomes of a question."""

    ANSWERED = "answered"  # the side that is paid without a TANTOS of its own, and says no
    IGNORED = "ignored"  # the side that is paid; the play goes on
    LOSING = "losing"  # the other side; the play goes on
    PARTNERS = "partners"  # both partners of the side that is paid; the play goes on


class Pace(NamedTuple):
    """How a recording is pressed; ``tap``: seconds a button is down.

    ``has_reflexes``: TANTOS follows each payment, as ``reflex`` says. ``chatters``: contacts open
    within a press. ``is_fast``: a hand is won as soon after a bet as it
    can be; no question is answered, and TANTOS is pressed twice.
    """

    name: str
    tap: float = 0.15
    has_reflexes: bool = False
    reflex: Reflex = Reflex.ANSWERED
    chatters: bool = False
    is_fast: bool = False

    @property
    def adds_presses(self) -> bool:
        """True if more is pressed than the words of the recording."""
        return self.has_reflexes or self.is_fast


PEOPLE = Pace("people")
# A press with chatter is long enough for three of the longest openings, and too short for the panel
# to announce a hold.
PACES = (
    PEOPLE,
    Pace("reflexes", has_reflexes=True, reflex=Reflex.ANSWERED),
    Pace("chatter", tap=0.24, chatters=True),
    Pace("ignored", has_reflexes=True, reflex=Reflex.IGNORED),
    Pace("losing", has_reflexes=True, reflex=Reflex.LOSING),
    Pace("fast", is_fast=True),
    Pace("partners", has_reflexes=True, reflex=Reflex.PARTNERS),
)


class Pressed(NamedTuple):
    """The presses of a recording, and the first difference to it, "" without one.

    A word is a call, an answer, a fold or a team named as the winner.
    """

    words: int
    presses: int
    problem: str


class Checked(NamedTuple):
    """A recording as pressed, its payments, and those not explained."""

    pressed: Pressed
    payments: int
    unexplained: tuple[str, ...]


class Pressable(Protocol):
    """A table whose pins can be moved, in its own process or in this one."""

    @property
    def report(self) -> TableReport: ...
    def advance(self, edges: Sequence[buttons.PinEdge], until: float, /) -> TableReport: ...


class ExplainedTable:
    """A table that compares the gains on its panel with the score after each press.

    ``unexplained``: the payments at which they differ.
    """

    def __init__(self, table: InProcessTable) -> None:
        state: Mapping[str, Any] = table.report.state
        self._table, self._at_deal = table, state["score"]
        self.payments, self.unexplained = 0, list[str]()

    @property
    def report(self) -> TableReport:
        return self._table.report

    def advance(self, edges: Sequence[buttons.PinEdge], until: float) -> TableReport:
        before: Mapping[str, Any] = self.report.state
        after: Mapping[str, Any] = self._table.advance(edges, until).state
        if after["hand"] != before["hand"]:
            self._at_deal = before["score"]
        if after["score"] != before["score"]:
            self._check(after, before["score"])
        return self.report

    def _check(self, state: Mapping[str, Any], before: Mapping[str, int]) -> None:
        """The panel shows the newest payment, at the end of a hand all of it."""
        over = state["phase"] in (Phase.HAND_OVER, Phase.GAME_OVER, Phase.MATCH_OVER)
        since = self._at_deal if over else before
        gained = {side: points - since[side] for side, points in state["score"].items()}
        shown = reasons_law.listed(build_scene(self._table.view, translator("es-AR"), 0))
        self.payments += 1
        if shown != gained:
            self.unexplained.append(f"the panel shows {shown}, the score gained {gained}")


class Player:
    """Presses the buttons of the consoles, reading only what the table shows."""

    def __init__(self, child: Pressable, layout: str, seed: int | str, pace: Pace = PEOPLE) -> None:
        self._child, self._compact, self._pace = child, layout == "compact", pace
        self._chance, self._now, self._newest = Random(seed), 1.0, ""
        self._paid_at, self._bet_was_paid = -AFTER_PAYMENT, False
        self.presses = 0

    @property
    def state(self) -> Mapping[str, Any]:
        return self._child.report.state

    def press(self, button: str, held: float | None = None, *, taps: int = 1) -> str:
        """Press once or several times as people do, pause, and return the verdict.

        The same button is pressed again, and TANTOS after a payment, only after a while.
        """
        if button.endswith(".tantos"):
            pause = FAST if self._pace.is_fast and self._bet_was_paid else AFTER_PAYMENT
            self.wait(max(0.0, self._paid_at + pause - self._now))
        return self._press(button, held, taps)

    def wait(self, seconds: float) -> None:
        self._now += seconds
        self._child.advance([], self._now)

    def say(self, step: Step, *, first_trick: bool) -> None:
        """Press the buttons for ``step``, and what a reflex adds."""
        before = self.state["score"]
        self._say(step, first_trick=first_trick)
        paid = [side for side, points in self.state["score"].items() if points > before[side]]
        if self._pace.is_fast and step.action in NAMED_WINNER:
            self._press_again(f"{self._console(str(step.side))}.tantos")
        is_own = step.action in NAMED_WINNER and self._pace.reflex is Reflex.ANSWERED
        if not paid or is_own or not self._pace.has_reflexes:
            return
        others = self.state["score"].keys() - set(paid)
        pressing = sorted(others) if self._pace.reflex is Reflex.LOSING else paid
        for console in sorted({self._console(side) for side in pressing}):
            self._reflex(console)

    def _press(self, button: str, held: float | None, taps: int = 1) -> str:
        console, _, key = button.rpartition(".")
        if (self._compact or console == "C") and key in HELD_IN_COMPACT:
            if self.state.get("variant") in WITHOUT_ENVIDO:
                button = f"{console}.envido"
            else:
                button, held = f"{console}.{HELD_IN_COMPACT[key]}", HOLD
        if button == self._newest:
            self.wait(SAME_BUTTON)
        self._newest, before = button, self._points()
        self.presses += taps
        edges = []
        for _ in range(taps):
            edges += self._edges(button, held or self._pace.tap)
            self._now += (held or self._pace.tap) + BETWEEN_TAPS
        released = self._now - BETWEEN_TAPS
        self._now = released + PAUSE
        report = self._child.advance(buttons.sort_edges(edges), self._now)
        if self._points() != before:
            self._paid_at = released
            self._bet_was_paid = report.state.get("phase") == Phase.PLAYING
        return report.press[-1] if report.press else "-"

    def _edges(self, button: str, held: float) -> list[buttons.PinEdge]:
        edges = buttons.press_edges(button, self._now, held, self._chance)
        return edges + (self._openings(button, held) if self._pace.chatters else [])

    def _openings(self, button: str, held: float) -> list[buttons.PinEdge]:
        """One to three openings of the contact: at the start, in the middle, at the end."""
        edges, third = [], held / 3
        for part in self._chance.sample(range(3), self._chance.randint(1, 3)):
            length = self._chance.uniform(*OPEN)
            opens = self._now + part * third + self._chance.uniform(CLOSED, third - length)
            edges += [buttons.PinEdge(opens, button, 1), buttons.PinEdge(opens + length, button, 0)]
        return edges

    def _reflex(self, side: str) -> None:
        """Press TANTOS after a payment; only ``ANSWERED`` reads the table."""
        self.wait(REFLEX - PAUSE)
        verdict = self._press_at_once(f"{side}.tantos")
        if self._pace.reflex is Reflex.PARTNERS:
            self._press_again(f"{side}.tantos")
        elif self._pace.reflex is Reflex.ANSWERED and verdict == "question":
            # Without a button for it, a hold folds.
            self.press("undo" if self._compact else f"{side}.no_quiero")

    def _press_again(self, button: str) -> None:
        """The partner presses it too."""
        self.wait(PARTNER - PAUSE)
        self._press_at_once(button)

    def _press_at_once(self, button: str) -> str:
        """Press without regard to the press before; another finger does."""
        self._newest = ""
        return self._press(button, None)

    def _say(self, step: Step, *, first_trick: bool) -> None:
        side = self._console(str(step.side))
        match step.action:
            case Action.QUIERO | Action.MAO_PLAY | Action.PRIVO:
                self.press(f"{side}.quiero")
            case (
                Action.NO_QUIERO
                | Action.NO_FLOR
                | Action.ME_ACHICO
                | Action.MAO_RUN
                | Action.NO_PRIVO
            ):
                self.press(f"{side}.no_quiero")
            case Action.FLOR | Action.CONTRAFLOR | Action.CONTRAFLOR_RESTO:
                self._call(f"{side}.flor", step, FLOR_CALLS)
            case (
                Action.ENVIDO
                | Action.REAL_ENVIDO
                | Action.FALTA_ENVIDO
                | Action.ENVIT
                | Action.TORNE
                | Action.FALTA
            ):
                is_valencian = step.action not in ENVIDO_CALLS
                self._call(f"{side}.envido", step, ENVIT_CALLS if is_valencian else ENVIDO_CALLS)
            case Action.ENVIDO_WON | Action.FLOR_WON | Action.HAND_WON:
                self.press(f"{side}.tantos")
            case Action.FOLD:
                if self.press(f"{side}.no_quiero", HOLD) == "question":
                    self._answer(side, yes=first_trick)
            case _:
                self.press(f"{side}.truco")

    def _call(self, button: str, step: Step, calls: Sequence[str]) -> None:
        """Tap as often as the call is above the lowest one that is legal."""
        legal = [call for who, call in self.state["legal"] if who == str(step.side)]
        # A hand that is only announced is not dealt yet: every call that opens is legal in it.
        opening = [call for call in calls if call not in ANSWERS]
        calls = [call for call in calls if call in legal] or opening
        self.press(button, taps=1 + calls.index(str(step.action)))

    def _points(self) -> tuple[object, object]:
        """The score, and the points of this duel."""
        return self.state.get("score"), self.state.get("duel_points")

    def _console(self, side: str) -> str:
        """The console of that side: in pata de gallo the gallo has the first one."""
        if self.state.get("gallo") is None:
            return side
        return "A" if side in ("gallo", self.state["gallo"]) else "B"

    def _answer(self, console: str, *, yes: bool) -> None:
        """Answer a question of the table."""
        self.press(f"{console}.{'quiero' if yes else 'no_quiero'}")


def header(game: Mapping[str, Any]) -> Header:
    """The header for a table that plays this recording."""
    options = dict(game["options"])
    tags = [("Variant", game["variant"])]
    if "mano" in options:
        tags.append(("Mano", options.pop("mano")))
    for tag, values in (("Start", game.get("start", {})), ("Options", options)):
        if values:
            tags.append((tag, " ".join(f"{key}={value}" for key, value in values.items())))
    return header_of(tags)


def press(game: Mapping[str, Any], layout: str, table: Pressable, pace: Pace = PEOPLE) -> Pressed:
    """Press one recording on a table started with its header."""
    return press_by(game, Player(table, layout, seed=repr(game), pace=pace))


def press_by(game: Mapping[str, Any], player: Player) -> Pressed:
    """Press one recording by ``player``, at a table that has just opened its game.

    Stops at the first press after which table and sheet differ.
    """
    sheet = History(header(game).game())
    words, first_trick = 0, True
    for step in _steps(game, sheet):
        if step.action is Action.NEW_HAND:
            first_trick = True
            player.wait(NEXT_HAND)
        elif step.action is Action.FIRST_TRICK_DONE:
            first_trick = False
        else:
            words += 1
            player.say(step, first_trick=first_trick)
        duels = len(sheet.game.hand.duels)
        problem = sheet.play(step) or ""
        if not problem and step.action not in UNPRESSED:
            document = state_document(sheet.game)
            problem = _difference({key: document[key] for key in COMPARED}, player)
        if problem:
            where = f"hand {sheet.game.hand_number}, {step.side or '-'} {step.action}"
            return Pressed(words, player.presses, f"{where}: {problem}")
        if len(sheet.game.hand.duels) > duels:
            first_trick = True
            player.wait(NEXT_HAND)
    return Pressed(words, player.presses, _difference(game["expect"], player))


def _steps(game: Mapping[str, Any], sheet: History) -> Iterator[Step]:
    for side, action in game["steps"]:
        yield parse_step(f"{side} {action}", sheet.game.rules)


def _difference(expected: Mapping[str, Any], player: Player) -> str:
    for key, value in expected.items():
        if player.state[key] != value:
            return f"{key} is {json.dumps(player.state[key])}, not {json.dumps(value)}"
    return ""


@cache
def recorded(path: Path = GAMES) -> list[Mapping[str, Any]]:
    """The games that people played; none where the file is not beside the checkout."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8") as file:
        # The loader in Python takes three seconds.
        return list(yaml.load(file, Loader=yaml.CSafeLoader))


def all_games(variant: str = "") -> list[Mapping[str, Any]]:
    """The made-up games that are kept, and the recorded ones, of that truco or of all."""
    people = [game for game in recorded() if variant in ("", game["variant"])]
    return [*made_up_games.kept(variant), *people]


def press_checked(game: Mapping[str, Any], layout: Layout, pace: Pace) -> Checked:
    """Press a recording on a new table, and compare the gains that its panel shows."""
    with folder() as store, ExitStack() as stack:
        table = ExplainedTable(InProcessTable(header(game), store, stack, layout))
        pressed = press(game, layout, table, pace)
        return Checked(pressed, table.payments, tuple(table.unexplained))


def faults_of_reasons(game: Mapping[str, Any], turn: int) -> list[str]:
    """What is wrong with the reasons of each hand; ``turn`` chooses the outputs."""
    sheet, found = History(header(game).game()), list[str]()
    for step in _steps(game, sheet):
        before = sheet.game
        sheet.play(step)
        if sheet.game.hand.over or sheet.game.winner is not None:
            found += reasons_law.faults(reasons_law.End(before, step, sheet.game), turn)
    return found


def presses_per_word(played: Sequence[Checked]) -> float:
    """The presses of some recordings, divided by their words."""
    words = sum(checked.pressed.words for checked in played)
    return sum(checked.pressed.presses for checked in played) / words


def _tell(
    games: Sequence[Mapping[str, Any]],
    played: Sequence[Checked],
    layout: Layout,
    pace: Pace,
    *,
    is_limited: bool,
) -> int:
    """Print the faults and the totals; return the number of failures."""
    for game, checked in zip(games, played, strict=True):
        for fault in filter(None, (checked.pressed.problem, *checked.unexplained)):
            print(f"{layout:8} {pace.name:8} {game['id']:24} {fault}")
    differ = sum(bool(checked.pressed.problem) for checked in played)
    failed = sum(bool(checked.pressed.problem or checked.unexplained) for checked in played)
    payments = sum(checked.payments for checked in played)
    explained = payments - sum(len(checked.unexplained) for checked in played)
    ratio = presses_per_word(played)
    print(
        f"{layout:8} {pace.name:8} {differ} of {len(games)} scores differ from the recording, "
        f"{explained} of {payments} gains add up, {ratio:.3f} presses a word"
    )
    too_many = is_limited and not pace.adds_presses and ratio > PRESSES_PER_WORD
    if too_many:
        print(f"more than {PRESSES_PER_WORD:.2f} presses a word")
    return failed + too_many


def _more_games() -> Iterator[Mapping[str, Any]]:
    """Games of every truco that are made anew, beyond those that are kept."""
    for variant in () if QUICK else variant_ids():
        for seed in range(10, 10 + MORE_GAMES):
            yield made_up_games.recording_of(made_up_games.sheet_of(variant, seed))


def main(arguments: Sequence[str]) -> int:
    """Print the faults and totals of each pace; return 1 if there is one."""
    parser = argparse.ArgumentParser(prog="make people", description=__doc__)
    parser.add_argument("--layout", choices=LAYOUTS, action="append")
    parser.add_argument("--pace", choices=[pace.name for pace in PACES], action="append")
    of_some = "count presses a word without a limit, which is a mean over all trucos"
    parser.add_argument("--variant", choices=variant_ids(), action="append", help=of_some)
    chosen = parser.parse_args(arguments)
    found = (*recorded(HANDS)[:: TIMES if QUICK else 1], *all_games(), *_more_games())
    games = [each for each in found if not chosen.variant or each["variant"] in chosen.variant]
    layouts = [Layout(layout) for layout in chosen.layout or LAYOUTS]
    paces = [pace for pace in PACES if not chosen.pace or pace.name in chosen.pace]
    failed = 0
    with ProcessPoolExecutor(WORKERS) as pool:
        for layout, pace in product(layouts, paces):
            press_one = partial(press_checked, layout=layout, pace=pace)
            played = list(pool.map(press_one, games, chunksize=CHUNK))
            failed += _tell(games, played, layout, pace, is_limited=not chosen.variant)
        reasons = pool.map(faults_of_reasons, games, range(len(games)), chunksize=CHUNK)
        wrong = [(game, faults) for game, faults in zip(games, reasons, strict=True) if faults]
    for game, faults in wrong:
        print(*(f"{game['id']:24} {fault}" for fault in faults), sep="\n")
    print(f"{len(wrong)} of {len(games)} recordings have wrong reasons on an output")
    failed += len(wrong)
    total = len(games) * (len(layouts) * len(paces) + 1)
    print(f"{total - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
