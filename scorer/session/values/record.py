"""The steps of the running game, press by press, with undo and redo.

Live play and journal replay share this code, so that both lead to the same state.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby, takewhile
from typing import NamedTuple

from scorer.rules import (
    Action,
    Credit,
    Game,
    PointsReason,
    Refusal,
    Step,
    attempt,
    parse_step,
    split_comment,
)
from scorer.rules.model import RuleChange
from scorer.rules.score import standing

UNDO = Step(None, Action.UNDO)
REDO = Step(None, Action.REDO)
_MAY_PAY_NOBODY = (Action.ALL_TIED, Action.TRICKS, Action.HAND_WON)
HandId = tuple[int, int]  # games of the series won before, number of the hand


class RecordedStep(NamedTuple):
    """One step that stands or can be redone, with the game before it and its press."""

    step: Step
    press: int
    before: Game
    time: str = ""  # as the history shows it; "" if unknown
    paid: tuple[Credit, ...] = ()  # by this step alone
    # Of the first step of a press that undid steps before it: those, oldest first.
    replaced: tuple["RecordedStep", ...] = ()

    @property
    def corrects(self) -> bool:
        """True for the first step of a correction: it replaced steps that had ended a bet."""
        # The mano put right in a hand that is dealt anew plays none of its steps again.
        is_redeal = self.step.action is Action.MANO
        return not is_redeal and any(
            done.paid or done.step.action in _MAY_PAY_NOBODY for done in self.replaced
        )


class UndoneSteps(NamedTuple):
    """The steps that a press has undone, oldest first, and the game before that.

    ``followed_by``: the number of steps that the press has played since.
    """

    steps: tuple[RecordedStep, ...]
    game: Game
    followed_by: int = 0

    @property
    def restorable(self) -> tuple[RecordedStep, ...]:
        """The steps that a correction had replaced, if all of it is undone, and only it."""
        first, last = self.steps[0], self.steps[-1]
        return first.replaced if first.corrects and first.press == last.press else ()


class JournalLine(NamedTuple):
    """A journal row as the record needs it; rows of one press share its number."""

    press: int
    line: str
    time: str = ""


class RefusedPress(ValueError):
    """The rules refuse a press of the journal.

    ``press``: its number, the seq of its first row.
    """

    def __init__(self, press: int, sentence: str) -> None:
        super().__init__(sentence)
        self.press = press


class Record(NamedTuple):
    """One game as entered.

    ``press`` counts from 1. UNDO reaches back before the hand ``undo_home`` only if confirmed.
    """

    start: Game
    game: Game
    past: tuple[RecordedStep, ...] = ()
    future: tuple[RecordedStep, ...] = ()  # undone steps; the last one is redone first
    press: int = 0
    undo_home: HandId = (0, 1)
    taken_back: bool = False  # the whole game was undone
    undone: UndoneSteps | None = None  # by the newest press

    @property
    def is_corrected(self) -> bool:
        """True if the newest press corrected hands by playing them anew."""
        if self.undone is None or not self.undone.followed_by:
            return False
        first = self.newest_steps[0]
        return first.press == self.press and first.corrects

    @property
    def is_restored(self) -> bool:
        """True if the newest press undid a correction: the steps before it stand again."""
        undone = self.undone
        if undone is None or not undone.followed_by:
            return False
        return bool(undone.restorable) and self.past[-1].press != self.press

    @property
    def newest_steps(self) -> tuple[RecordedStep, ...]:
        """The steps of the newest press that stands, oldest first."""
        return _last_press(self.past)

    @property
    def undo_leaves_hand(self) -> bool:
        """True if UNDO would reach into a hand before ``undo_home``."""
        return hand_id(self.game) != self.undo_home

    @property
    def is_scored(self) -> bool:
        """True if points were paid."""
        return any(done.paid for done in self.past)

    @property
    def steps_in_hand(self) -> int:
        """Number of steps entered in the current hand."""
        hand = hand_id(self.game)
        return sum(1 for _ in takewhile(lambda done: hand_id(done.before) == hand, self.past[::-1]))

    @property
    def redo_steps(self) -> tuple[RecordedStep, ...]:
        """The steps that one REDO restores, oldest first."""
        return tuple(reversed(_last_press(self.future)))


def new_record(game: Game) -> Record:
    """An empty record of ``game``."""
    return Record(game, game, undo_home=hand_id(game))


def hand_id(game: Game) -> HandId:
    """Identifies a hand within a series; sorts in order of play."""
    return (sum(game.games), game.hand_number)


def with_change(record: Record, change: RuleChange | None) -> Record:
    """``record`` with another chosen change of its rules."""
    return record._replace(game=record.game._replace(change=change))


def append_press(
    record: Record, steps: Iterable[Step], time: str = "", press: int | None = None
) -> Record | Refusal:
    """``record`` with one more press, or the refusal of its first illegal step.

    ``press``: its number, if the steps of a press are appended one by one.
    """
    scribe = _RecordBuilder(record)
    why_not = scribe.add_press(tuple(steps), time, press)
    return why_not or scribe.build()


def replay_lines(start: Game, lines: Iterable[JournalLine], openings: Sequence[int] = ()) -> Record:
    """The record that results from replaying these journal rows in order.

    ``openings``: the presses that opened later games; steps of this game undone before them cannot
    be redone. Raises SheetError for a line that cannot be parsed, as a newer program may have
    written it, and RefusedPress for one that the rules refuse: a journal holds only accepted steps.
    """
    scribe, others = _RecordBuilder(new_record(start)), sorted(openings)
    for press, waiting in groupby(lines, lambda line: line.press):
        while others and others[0] < press:
            others.pop(0)
            scribe.drop_redo()
        scribe.replay_press(list(waiting))
    if others:
        scribe.drop_redo()
    return scribe.build()


class _RecordBuilder:
    """A mutable record, to replay a long journal without copying at every step."""

    def __init__(self, record: Record) -> None:
        # A change of rules comes into force with a game of its own: the steps of this one are
        # played, undone and corrected without it.
        self._change, self._game = record.game.change, record.game._replace(change=None)
        self._start, self._taken_back = record.start, record.taken_back
        self._past, self._future = list(record.past), list(record.future)
        self._press, self._undo_home = record.press, record.undo_home
        self._dropped = 0  # steps undone for good
        self._undone = record.undone

    def build(self) -> Record:
        past, future = tuple(self._past), tuple(self._future[self._dropped :])
        return Record(
            start=self._start,
            game=self._game._replace(change=self._change),
            past=past,
            future=future,
            press=self._press,
            undo_home=self._undo_home,
            taken_back=self._taken_back,
            undone=self._undone,
        )

    def drop_redo(self) -> None:
        """Drops all undone steps; they cannot be redone once another game has begun."""
        self._dropped = len(self._future)

    def replay_press(self, lines: list[JournalLine]) -> None:
        texts = [split_comment(line.line)[0] for line in lines]
        steps = tuple(parse_step(text, self._game.rules) for text in texts)
        why_not = self.add_press(steps, lines[0].time)
        if why_not is not None:
            sentence = f"the journal holds a press that is refused: {texts} ({why_not})"
            raise RefusedPress(lines[0].press, sentence)

    def add_press(
        self, steps: tuple[Step, ...], time: str, press: int | None = None
    ) -> Refusal | None:
        before = hand_id(self._game)
        if press is None or press != self._press:
            self._undone = None
        self._press = self._press + 1 if press is None else press
        for step in steps:
            why_not = self._play(step, time)
            if why_not is not None:
                return why_not
        # Undo keeps the current hand: going one hand further back needs a confirmation again.
        only_back = all(step.action is Action.UNDO for step in steps)
        self._undo_home = before if only_back else hand_id(self._game)
        return None

    def _play(self, step: Step, time: str) -> Refusal | None:
        if step.action is Action.UNDO:
            return self._undo()
        if step.action is Action.REDO:
            return self._redo()
        if self._taken_back:
            return Refusal.GAME_OVER
        result = attempt(self._game, step)
        if isinstance(result, Refusal):
            return result
        done = RecordedStep(step, self._press, self._game, time)
        if self._undone is None:
            self._append(done, result)
        else:
            self._append_anew(self._undone, done, result)
        self._future.clear()
        self._dropped = 0
        return None

    def _append_anew(self, undone: UndoneSteps, done: RecordedStep, after: Game) -> None:
        """Adds a step of a press that has undone others.

        It replaces them, or restores those that they had replaced: a correction that is undone, or
        taken back by another one, leaves no trace.
        """
        count, older = undone.followed_by, undone.restorable
        restoring = not count or self._past[-1].press != self._press
        self._undone = undone._replace(followed_by=count + 1)
        if restoring and count < len(older) and older[count].step == done.step:
            self._append(older[count], after)
            return
        if restoring and count:
            # Another correction that begins with the same steps.
            anew = [each._replace(press=self._press) for each in self._past[-count:]]
            self._past[-count:] = [anew[0]._replace(replaced=undone.steps), *anew[1:]]
        self._append(done if count else done._replace(replaced=undone.steps), after)
        if self._past[-count - 1].corrects:
            credits = _net_credits(undone.game, self._game)
            self._game = self._game._replace(last_credits=credits)

    def _append(self, done: RecordedStep, after: Game) -> None:
        """Adds a step; ``last_credits`` of the game are then those of its whole press."""
        paid = after.last_credits
        if self._past and self._past[-1].press == done.press:
            after = after._replace(last_credits=(*self._game.last_credits, *paid))
        self._past.append(done._replace(paid=paid))
        self._game = after

    def _undo(self) -> Refusal | None:
        if self._past:
            done = self._past.pop()
            if self._undone is None:
                self._undone = UndoneSteps((done,), self._game)
            elif not self._undone.followed_by:
                self._undone = self._undone._replace(steps=(done, *self._undone.steps))
            self._future.append(done)
            self._game = done.before
            return None
        if self._taken_back:
            return Refusal.NOTHING_TO_UNDO
        # One more undo than there are steps undoes the whole game.
        self._taken_back = True
        return None

    def _redo(self) -> Refusal | None:
        if self._taken_back:
            self._taken_back = False
            return None
        if not self._future:
            return Refusal.NOTHING_TO_REDO
        done = self._future.pop()
        self._dropped = min(self._dropped, len(self._future))
        result = attempt(self._game, done.step)
        if isinstance(result, Refusal):
            raise ValueError(f"{done.step} was played and cannot be played again: {result}")
        self._append(done._replace(press=self._press), result)
        return None


def _net_credits(before: Game, after: Game) -> tuple[Credit, ...]:
    """What a correction changed, as credits."""
    if before.games != after.games:
        return ()
    changes = zip(after.rules.scoring_sides, standing(before), standing(after), strict=True)
    return tuple(
        Credit(side, new - old, PointsReason.CORRECT) for side, old, new in changes if new != old
    )


def _last_press(steps: tuple[RecordedStep, ...]) -> tuple[RecordedStep, ...]:
    """The last entries of ``steps`` that share one press."""
    if not steps:
        return ()
    count = 1
    while count < len(steps) and steps[-count - 1].press == steps[-1].press:
        count += 1
    return steps[-count:]
