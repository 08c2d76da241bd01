"""A table without devices: gestures, session and journal in simulated time.

It composes them like the real table: the steps of a press are stored before they are adopted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scorer.hw.ports import Edge
from scorer.rules import (
    Game,
    Side,
    Start,
    find_variant,
    new_game,
    rules_for,
    state_document,
    step_text,
)
from scorer.session import reducer
from scorer.session.input import keymap
from scorer.session.input.gestures import Gestures
from scorer.session.input.holds import has_hold, hold_time, repeats
from scorer.session.play.external_steps import settle_question
from scorer.session.play.timers import expire, next_deadline
from scorer.session.values import dimming
from scorer.session.values.chosen_change import ChosenChange
from scorer.session.values.effects import StoreChange
from scorer.session.values.press import ButtonMeaning, ButtonPress, Gesture, GestureKind
from scorer.session.values.record import JournalLine, replay_lines
from scorer.session.values.settings import Settings
from scorer.session.values.state import GameMove, Reaction, Session, Sound, Verdict, new_session
from scorer.session.view.build_view import view_of
from scorer.session.view.view import View

TAP = 0.1
APART = 0.09  # seconds from a release to the next press: a fast double tap of a finger
_UNDO_LINES = ("- undo", "- redo")


class Row(NamedTuple):
    """A row of the journal; ``seq`` orders all games."""

    seq: int
    press: int
    line: str


def menu_press(now: float) -> ButtonPress:
    """QUIERO in the menu, of no console."""
    return ButtonPress(ButtonMeaning.QUIERO, Gesture(GestureKind.PRESS, "", now, now))


class SessionRig:
    """One table; ``do`` plays lines: ``A truco``, ``both tantos``, ``wait 2.5``."""

    def __init__(
        self,
        variant: str = "argentine",
        options: dict[str, str | int | bool] | None = None,
        *,
        score: dict[Side, int] | None = None,
        settings: Settings | None = None,
        mano: Side | None = None,
    ) -> None:
        rules = rules_for(find_variant(variant), options)
        usual = dict(zip(rules.scoring_sides, rules.starting_score, strict=True))
        game = new_game(Start(rules, tuple({**usual, **(score or {})}.values()), mano))
        self.games: list[Game] = [game]
        self.rows: list[list[Row]] = [[]]
        self.current = 0
        self.later: int | None = None
        self.change: tuple[int, ChosenChange | None] = 0, None  # stored: of a game
        self.time = 100.0
        self.session: Session = new_session(game, settings, now=self.time)
        self.reactions: list[Reaction] = []
        self._presses = self._seq = 0
        self._reset_gestures()

    def do(self, *lines: str) -> Reaction:
        """Plays the lines, one second apart; returns the reaction to the last."""
        reaction = Reaction(self.session)
        for line in lines:
            self.reactions = []
            self._run_line(line)
            self.pass_time(1.0)
            reaction = self._deciding_reaction()
        return reaction

    def _deciding_reaction(self) -> Reaction:
        """The last reaction with a verdict, with the sound played."""
        told = [each for each in self.reactions if each.verdict is not Verdict.NONE]
        sounds = [each.sound for each in self.reactions if each.sound is not Sound.NONE]
        last = told[-1] if told else Reaction(self.session)
        return last._replace(sound=sounds[-1] if sounds else Sound.NONE)

    def _run_line(self, line: str) -> None:
        words = line.split()
        if words[0] == "wait":
            self.pass_time(float(words[1]))
        elif words[0] == "restart":
            self.restart()
        elif words[0] == "both":
            self.press_together(
                [f"A.{words[1]}", f"B.{words[1]}"], gap=float((words[2:] or ["0.1"])[0])
            )
        elif words[0] in ("undo", "menu"):
            self.press_button(words[0], words[1:])
        else:
            self.press_button(f"{words[0]}.{words[1]}", words[2:])

    def press_button(self, button: str, how: Sequence[str] = ()) -> None:
        """One press; ``hold`` long enough or ``hold 3`` seconds; ``x2``: twice."""
        held = TAP
        if how and how[0].startswith("x"):
            for _ in range(int(how[0][1:])):
                self.press_button(button)
            return
        if how:
            held = float(how[1]) if len(how) > 1 else self.session.settings.consoles.hold + TAP
        self._edge(button, True)
        self.pass_time(held)
        self._edge(button, False)
        self.pass_time(APART)

    def press_together(self, names: list[str], gap: float) -> None:
        """Several buttons, each ``gap`` seconds after the one before; all released then."""
        for name in names:
            self._edge(name, True)
            self.pass_time(gap)
        for name in names:
            self._edge(name, False)
        self.pass_time(APART)

    def pass_time(self, seconds: float) -> None:
        """Advances from deadline to deadline, like the main loop."""
        end = self.time + seconds
        while True:
            due = [self.gestures.deadline(), next_deadline(self.session)]
            next_due = min((at for at in due if at is not None), default=end)
            self.time = min(max(next_due, self.time), end)
            self._handle(self.gestures.tick(self.time))
            self._settle_question()
            self.session = expire(self.session, self.time)
            if self.time >= end:
                return

    def send_gesture(self, button: str, kind: GestureKind = GestureKind.PRESS) -> Reaction:
        """Sends a gesture directly, for tests independent of edges."""
        self.reactions = []
        self._handle([Gesture(kind, button, self.time, self.time)])
        return self._deciding_reaction()

    def store_and_adopt(self, reaction: Reaction) -> Reaction:
        """Stores and adopts the reaction to set-up, a phone or the hub."""
        self._adopt(reaction)
        return reaction

    def restart(self) -> None:
        """Simulates a power cut and restart."""
        self._resume()
        self._reset_gestures()

    def replay_journal(self) -> Session:
        """Restores from the journal alone: the newest game that was not undone."""
        gone: list[tuple[int, int]] = []  # (seq of its last row, game)
        openings: list[int] = []
        for at in range(len(self.games) - 1, -1, -1):
            rows = self.rows[at]
            lines = (JournalLine(row.press, row.line) for row in rows)
            record = replay_lines(self.games[at], lines, openings)
            if record.taken_back:
                openings.append(rows[0].press)
                gone.append((rows[-1].seq, at))
                continue
            later = max(gone, default=None)
            said = [row.seq for row in rows if row.line not in _UNDO_LINES]
            returns = later is not None and max(said, default=0) < later[0]
            self._running_game = at, later[1] if later is not None and returns else None
            session = new_session(
                record,
                self.session.settings,
                now=self.time,
                names=self.session.names,
                has_earlier_game=at > 0,
                has_later_game=returns,
            )
            return session.with_change(self.change[1] if self.change[0] == at else None)
        raise AssertionError("the first game of all cannot be taken back")

    @property
    def game(self) -> Game:
        return self.session.game

    @property
    def score(self) -> tuple[int, ...]:
        return self.session.game.score

    @property
    def view(self) -> View:
        return view_of(self.session)

    @property
    def lamps(self) -> tuple[bool, ...]:
        return dimming.lamps_of(self.session)

    @property
    def lines(self) -> list[str]:
        """The journal of the current game."""
        return [row.line for row in self.rows[self.current]]

    @property
    def newest_lines(self) -> list[str]:
        """The lines of the newest press in the journal of the current game."""
        rows = self.rows[self.current]
        return [row.line for row in rows if row.press == rows[-1].press] if rows else []

    def document(self) -> dict[str, object]:
        return state_document(self.session.game)

    def _reset_gestures(self) -> None:
        settings = self.session.settings
        names = keymap.buttons(settings.table.layout, settings.consoles.count)
        levels = dict.fromkeys(names, False)
        self.gestures = Gestures(
            lambda name: has_hold(self.session, name),
            levels,
            self.time,
            debounce=settings.consoles.debounce,
            release=settings.consoles.release,
            hold_time=lambda name: hold_time(self.session, name),
            chord=settings.consoles.chord,
            repeats=lambda name: repeats(self.session, name),
        )

    def _edge(self, line: str, down: bool) -> None:
        self._handle(self.gestures.feed(Edge(self.time, line, down)))

    def _handle(self, gestures: list[Gesture]) -> None:
        for gesture in gestures:
            self._settle_question()
            reaction = reducer.press(self.session, gesture, self.time)
            self.reactions.append(reaction)
            self._adopt(reaction)

    def _settle_question(self) -> None:
        settled = settle_question(self.session, self.time)
        if settled is not None:
            self._adopt(settled)

    def _adopt(self, reaction: Reaction) -> None:
        if reaction.new_game is not None:
            self.games.append(reaction.new_game)
            self.rows.append([])
            self.current = len(self.games) - 1
        if reaction.move is GameMove.FORWARD:
            assert self.later is not None
            self.current = self.later
        self._presses += 1
        for step in reaction.steps:
            self._seq += 1
            row = Row(self._seq, self._presses, step_text(step))
            self.rows[self.current].append(row)
        for stored in reaction.stored_effects:
            if isinstance(stored, StoreChange):
                self.change = self.current, stored.chosen
        self.session = reaction.session
        if reaction.move is not GameMove.STAY:
            self._resume()

    def _resume(self) -> None:
        self.session = self.replay_journal()
        self.current, self.later = self._running_game
