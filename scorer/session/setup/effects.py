"""Effects of the entries of set-up that several menus share."""

from __future__ import annotations

from collections.abc import Callable

from scorer.rules import Phase, Rules, Step
from scorer.rules.deal import under_rules
from scorer.rules.engine import play_steps
from scorer.rules.model import RuleChange
from scorer.session.play.reactions import (
    accept_press,
    accepted_press,
    choose_change,
    open_game,
    record_steps,
    refuse,
)
from scorer.session.play.undo_redo import go_back_to, play_anew, redeal, redo
from scorer.session.setup.levels import (
    Effect,
    close,
    close_time,
    leave_level,
    levels_of,
    show_levels,
    with_levels,
)
from scorer.session.values.box_settings import LAYOUT, Choice, rules_choices
from scorer.session.values.chosen_change import ChosenChange
from scorer.session.values.effects import ClearNight, Task
from scorer.session.values.game_draft import Draft
from scorer.session.values.game_queries import CONFIRMED_ALWAYS, CONFIRMED_IN_MATCH
from scorer.session.values.keys import NoticeKey
from scorer.session.values.press import ButtonMeaning, ButtonPress
from scorer.session.values.rule_changes import change_view
from scorer.session.values.shown import ChangeStart, Notice
from scorer.session.values.state import (
    GameMove,
    Reaction,
    Session,
    Setup,
    SetupLevel,
    Sound,
    Verdict,
)


class Leave(Effect):
    """Closes set-up."""

    def run(self, session: Session, press: ButtonPress) -> Reaction:
        return close(session, press)


class Back(Effect):
    """Returns to the level below."""

    def run(self, session: Session, press: ButtonPress) -> Reaction:
        return leave_level(session, press)


class ClosingEffect(Effect):
    """An effect that closes set-up; a refusal of the rules leaves it open."""

    def perform(self, session: Session, press: ButtonPress) -> Reaction:
        """The reaction once set-up is closed."""
        raise NotImplementedError

    def afterwards(self, session: Session) -> Session:
        """``session`` once the effect is accepted in the same game."""
        return session

    def run(self, session: Session, press: ButtonPress) -> Reaction:
        reaction = self.perform(session._replace(setup=None), press)
        if reaction.verdict is not Verdict.ACCEPTED:
            # An agreement is over; it must be begun again.
            levels = tuple(level for level in levels_of(session) if level.confirmed is None)
            kept = reaction.session._replace(setup=Setup(levels, close_time(session)))
            return reaction._replace(session=kept)
        reaction = reaction._replace(source="menu")
        if reaction.new_game is not None or reaction.move is not GameMove.STAY:
            return reaction
        # Guards against a repeated QUIERO.
        quiero = press._replace(meaning=ButtonMeaning.QUIERO)
        newest = accepted_press(reaction.session, quiero)._replace(taps=1)
        done = self.afterwards(reaction.session._replace(newest_press=newest))
        return reaction._replace(session=done)


class RecordSteps(ClosingEffect):
    """Records steps; ``reason`` is stored with the last one in the score sheet."""

    steps: tuple[Step, ...]
    reason: str = ""

    def needs_every_team(self, session: Session) -> bool:
        confirmed = CONFIRMED_IN_MATCH if session.is_match_locked else CONFIRMED_ALWAYS
        if any(step.action in confirmed for step in self.steps):
            return True
        after = play_steps(session.game, self.steps)
        return after is not None and after.winner is not session.game.winner

    def perform(self, session: Session, press: ButtonPress) -> Reaction:
        return record_steps(session, self.steps, press)._replace(reason=self.reason)


class CorrectHand(ClosingEffect):
    """Plays hands anew (``undo_redo.play_anew``)."""

    steps: tuple[Step, ...]
    changes_winner: bool

    def needs_every_team(self, session: Session) -> bool:
        return self.changes_winner or session.is_match_locked

    def perform(self, session: Session, press: ButtonPress) -> Reaction:
        return play_anew(session, self.steps, press)


class Redo(ClosingEffect):
    """Redoes the newest undone press, and opens a root level for further ones."""

    root_level: Callable[[Session], SetupLevel]

    def perform(self, session: Session, press: ButtonPress) -> Reaction:
        return redo(session, press)

    def afterwards(self, session: Session) -> Session:
        return with_levels(session, (self.root_level(session),))


class Redeal(ClosingEffect):
    """Deals the hand anew."""

    def perform(self, session: Session, press: ButtonPress) -> Reaction:
        return redeal(session, press)


class GoBack(ClosingEffect):
    """Undoes all but the first ``kept_steps`` of the game."""

    kept_steps: int

    def needs_every_team(self, session: Session) -> bool:
        return True

    def perform(self, session: Session, press: ButtonPress) -> Reaction:
        return go_back_to(session, self.kept_steps, press)


class Play(ClosingEffect):
    """Starts the drafted game and saves the choices made for it."""

    draft: Draft
    choices: tuple[Choice, ...] = ()

    def needs_every_team(self, session: Session) -> bool:
        return session.phase is not Phase.MATCH_OVER

    def perform(self, session: Session, press: ButtonPress) -> Reaction:
        game = self.draft.game()
        if game is None:
            return refuse(session, Notice(NoticeKey.START_IMPOSSIBLE, urgent=True))
        session = accept_press(session, press)._replace(names=self.draft.names)
        return open_game(session, game, press)._replace(choices=self.choices)


class ChangeRules(ClosingEffect):
    """Plays on at this score under other rules, at once or from a later deal on.

    It takes nothing that is on the table, one UNDO takes it back, and every panel shows it, so
    that no team must confirm it.
    """

    rules: Rules
    start: ChangeStart

    def perform(self, session: Session, press: ButtonPress) -> Reaction:
        game = session.game
        if self.start is ChangeStart.IN_FORCE:
            begun = under_rules(game._replace(change=None), self.rules)
            if begun is None:
                return refuse(session, Notice(NoticeKey.START_IMPOSSIBLE, urgent=True))
            opened = open_game(accept_press(session, press), begun, press)
            view = change_view(session.rules, self.rules, self.start)
            told = Notice(NoticeKey.CHANGE, change=view)
            return opened._replace(
                session=opened.session.with_notice(told), choices=rules_choices(self.rules)
            )
        change = RuleChange(self.rules, self.start is ChangeStart.GAME)
        earlier = None if session.change is None else session.change.standing
        after, house = len(session.record.past), session.next_rules
        return choose_change(session, ChosenChange(change, after, house, earlier), press)


class TakeBackChange(ClosingEffect):
    """Takes back the change that is chosen and not in force yet."""

    chosen: ChosenChange

    def perform(self, session: Session, press: ButtonPress) -> Reaction:
        without = self.chosen._replace(earlier=None, is_undone=True)
        return choose_change(session, without, press)


class BeginNight(ClosingEffect):
    """Counts the games so far to another night."""

    def needs_every_team(self, session: Session) -> bool:
        return True

    def perform(self, session: Session, press: ButtonPress) -> Reaction:
        is_over = session.game.winner is not None
        session = accept_press(session, press).with_notice(Notice(NoticeKey.NIGHT_CLEARED))
        session, cleared = session._replace(ends_series=is_over), ClearNight(is_over)
        return Reaction(session, Verdict.ACCEPTED, Sound.KEY, stored_effects=(cleared,))


class Lock(ClosingEffect):
    """Ignores presses until UNDO is held."""

    def perform(self, session: Session, press: ButtonPress) -> Reaction:
        locked = accept_press(session, press)._replace(locked=True)
        return Reaction(locked.with_notice(Notice(NoticeKey.LOCKED)), Verdict.ACCEPTED, Sound.KEY)


class StartTask(ClosingEffect):
    """Starts a task of the table."""

    task: Task

    def perform(self, session: Session, press: ButtonPress) -> Reaction:
        session = accept_press(session, press)
        return Reaction(session, Verdict.ACCEPTED, Sound.KEY, effects=(self.task,))


class StartHere(Effect):
    """Starts a task of the table that shows its result in set-up."""

    task: Task

    def run(self, session: Session, press: ButtonPress) -> Reaction:
        shown = show_levels(session, press, levels_of(session))
        return shown._replace(effects=(self.task,))


class Choose(Effect):
    """Saves choices with the box, and returns to the list that shows them."""

    choices: tuple[Choice, ...]
    notice_key: NoticeKey | None = None  # shown while a game or series is being played

    def needs_every_team(self, session: Session) -> bool:
        # The meaning of the buttons changes for all players.
        return any(choice.path == LAYOUT for choice in self.choices)

    def run(self, session: Session, press: ButtonPress) -> Reaction:
        shown = _return_to_list(session, press, None)
        if self.notice_key is not None and session.phase is not Phase.MATCH_OVER:
            shown = shown._replace(session=shown.session.with_notice(Notice(self.notice_key)))
        return shown._replace(choices=self.choices)


class ChangeDraft(Effect):
    """Changes the draft of the next game, and returns to the list that shows it."""

    draft: Draft

    def run(self, session: Session, press: ButtonPress) -> Reaction:
        return _return_to_list(session, press, self.draft)


def _return_to_list(session: Session, press: ButtonPress, draft: Draft | None) -> Reaction:
    """Shows the nearest list below that takes choices, made from ``draft``."""
    below = levels_of(session)[:-1]
    while (parent := below[-1].after_choice(session, draft)) is None:
        below = below[:-1]
    return show_levels(session, press, (*below[:-1], parent))
