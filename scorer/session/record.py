"""The steps of the running game, press by press: what can be taken back and what put again.

A journal replayed line by line and a table that plays live go through the same few lines here, so
that both stand in the same place. It knows no button, no question and no time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from scorer.rules import Action, Game, Refusal, Step, attempt, parse_step, split_comment

UNDO = Step(None, Action.UNDO)
REDO = Step(None, Action.REDO)
HandId = tuple[int, int]  # games of the series won before, number of the hand


class Done(NamedTuple):
    """One step that stands (or that could be put again): where it started from and its press."""

    step: Step
    press: int
    before: Game
    time: str = ""  # as the history shows it; "" where nobody knew


class JournalLine(NamedTuple):
    """What the record needs of a row of the journal; rows of one press share its number."""

    press: int
    line: str
    time: str = ""


class Record(NamedTuple):
    """One game as it was entered. ``press`` counts from 1; ``home`` is the hand people are at."""

    start: Game
    game: Game
    past: tuple[Done, ...] = ()
    future: tuple[Done, ...] = ()  # what was undone; the next one to put again is the last
    press: int = 0
    home: HandId = (0, 1)
    gone: bool = False  # this whole game was taken back

    @property
    def newest(self) -> tuple[Done, ...]:
        """The steps of the newest press that stands, oldest first."""
        return _group(self.past)

    @property
    def next_again(self) -> tuple[Done, ...]:
        """The steps that one REDO would put again, in the order in which they were made."""
        return tuple(reversed(_group(self.future)))


def opened(game: Game) -> Record:
    """A record with nothing in it."""
    return Record(game, game, home=hand_id(game))


def hand_id(game: Game) -> HandId:
    """Tells the hands of a series apart, in order."""
    return (sum(game.games), game.number)


def write(record: Record, steps: Iterable[Step], time: str = "") -> Record | Refusal:
    """``record`` with one more press, or why its first impossible step is refused."""
    scribe = _Scribe(record)
    why_not = scribe.press(tuple(steps), time)
    return why_not or scribe.record()


def replay(start: Game, lines: Iterable[JournalLine], openings: Sequence[int] = ()) -> Record:
    """The record that these rows of a journal make, in their order.

    ``openings``: the presses, of other games, with which later games began; what had been taken
    back in this one by then cannot be put again. Raises SheetError for a line that cannot be read
    and ValueError for one that the rules refuse: a journal holds nothing but what was accepted.
    """
    scribe, others = _Scribe(opened(start)), sorted(openings)
    for press, waiting in groupby(lines, lambda line: line.press):
        while others and others[0] < press:
            others.pop(0)
            scribe.leave()
        scribe.press_again(list(waiting))
    if others:
        scribe.leave()
    return scribe.record()


class _Scribe:
    """A record in lists: a long night is replayed without copying it at every step."""

    def __init__(self, record: Record) -> None:
        self._start, self._game, self._gone = record.start, record.game, record.gone
        self._past, self._future = list(record.past), list(record.future)
        self._press, self._home = record.press, record.home
        self._final = 0  # so many steps were taken back for good

    def record(self) -> Record:
        past, future = tuple(self._past), tuple(self._future[self._final :])
        return Record(self._start, self._game, past, future, self._press, self._home, self._gone)

    def leave(self) -> None:
        """Another game begins: whoever comes back to this one finds nothing to put again."""
        self._final = len(self._future)

    def press_again(self, lines: list[JournalLine]) -> None:
        texts = [split_comment(line.line)[0] for line in lines]
        steps = tuple(parse_step(text, self._game.rules) for text in texts)
        why_not = self.press(steps, lines[0].time)
        if why_not is not None:
            raise ValueError(f"the journal holds a press that is refused: {texts} ({why_not})")

    def press(self, steps: tuple[Step, ...], time: str) -> Refusal | None:
        before = hand_id(self._game)
        self._press += 1
        for step in steps:
            why_not = self._play(step, time)
            if why_not is not None:
                return why_not
        # Whoever takes back stays where he was: one hand further back is asked for again.
        only_back = all(step.action is Action.UNDO for step in steps)
        self._home = before if only_back else hand_id(self._game)
        return None

    def _play(self, step: Step, time: str) -> Refusal | None:
        if step.action is Action.UNDO:
            return self._undo()
        if step.action is Action.REDO:
            return self._redo()
        if self._gone:
            return Refusal.GAME_OVER
        result = attempt(self._game, step)
        if isinstance(result, Refusal):
            return result
        self._past.append(Done(step, self._press, self._game, time))
        self._future.clear()
        self._final = 0
        self._game = result
        return None

    def _undo(self) -> Refusal | None:
        if self._past:
            done = self._past.pop()
            self._future.append(done)
            self._game = done.before
            return None
        if self._gone:
            return Refusal.NOTHING_TO_UNDO
        # One undo more than there are steps takes the whole game back.
        self._gone = True
        return None

    def _redo(self) -> Refusal | None:
        if self._gone:
            self._gone = False
            return None
        if not self._future:
            return Refusal.NOTHING_TO_REDO
        done = self._future.pop()
        self._final = min(self._final, len(self._future))
        result = attempt(self._game, done.step)
        if isinstance(result, Refusal):
            raise ValueError(f"{done.step} was played and cannot be played again: {result}")
        self._past.append(done._replace(press=self._press))
        self._game = result
        return None


def _group(line: tuple[Done, ...]) -> tuple[Done, ...]:
    """The last entries of ``line`` that share one press."""
    if not line:
        return ()
    count = 1
    while count < len(line) and line[-count - 1].press == line[-1].press:
        count += 1
    return line[-count:]
