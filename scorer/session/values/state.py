"""State of a running table and the reactions to presses.

``Session.record`` is restored from the journal, and ``change`` from the settings of the store;
everything else is transient and lost after a power cut.
"""

import math
from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from scorer.plain_values.value import Value
from scorer.rules import Game, Phase, Rules, Side, Step, games_won, new_game, phase_of
from scorer.rules.agreement import is_settled
from scorer.rules.model import HandKind
from scorer.rules.offer import sides_to_answer
from scorer.rules.rematches import BEST_OF, following_rematches
from scorer.rules.score import speaker_of
from scorer.rules.truco import is_plain_contest
from scorer.session.values.box_settings import BoxSettings, Choice
from scorer.session.values.chosen_change import ChosenChange
from scorer.session.values.effects import Effect, StoredEffect
from scorer.session.values.game_draft import Draft
from scorer.session.values.game_queries import (
    current_hand,
    even_score,
    is_same_rules,
    is_untouched,
    next_game,
)
from scorer.session.values.hall import Assignment, MatchTime
from scorer.session.values.keys import LineKey, NoticeKey
from scorer.session.values.press import AcceptedPress, ButtonPress, Hint
from scorer.session.values.question import DEAL_S, Answer, Answering, Lifetime, Question, Remains
from scorer.session.values.record import Record, new_record, with_change
from scorer.session.values.rule_changes import change_view, why_not_under
from scorer.session.values.seating import CONSOLES, consoles_in_use, sides_at
from scorer.session.values.settings import Settings
from scorer.session.values.setup_view import SetupView
from scorer.session.values.shown import (
    ChangeStart,
    ChangeView,
    HallView,
    LinkView,
    Notice,
    Screen,
    SeriesGame,
    series_game,
)

if TYPE_CHECKING:
    from scorer.session.values.night_view import NightView

NEVER = float("-inf")


class Verdict(StrEnum):
    """The outcome of a press."""

    ACCEPTED = "taken"
    REFUSED = "refused"
    GUARDED = "guarded"
    QUESTION = "question"
    WOKE = "woke"
    NONE = "-"


class Sound(StrEnum):
    """Sounds of the buzzer."""

    CALL = "call"
    ACCEPT = "accept"
    REFUSE = "refuse"
    POINT = "point"
    REFUSED = "refused"
    WIN = "win"
    UNDO = "undo"
    KEY = "key"
    NONE = ""


class GameMove(StrEnum):
    """Which game of the night continues after a press."""

    STAY = ""
    BACK = "back"  # the previous game
    FORWARD = "forward"  # the next game, which had been undone


class DroppedOffer(NamedTuple):
    """A question to one console that another press made void."""

    console: str
    time: float
    by: int | None  # view index of the side that pressed; None for a shared button


class SetupLevel(Value):
    """One level of set-up; the menus of ``scorer.session.setup`` define each kind."""

    title: LineKey

    @property
    def draft(self) -> Draft | None:
        """The draft of the next game that the level edits."""
        return None

    @property
    def confirmed(self) -> tuple[Side, ...] | None:
        """The speaking sides that have confirmed; None if no confirmation is open."""
        return None

    def adjust(self, down: int) -> "SetupLevel | None":
        """The level after TANTOS, by ``down`` lines; None if it has nothing to adjust."""
        return None

    def without_last(self) -> "SetupLevel | None":
        """The level without its last letter, for NO QUIERO; None: NO QUIERO leaves it."""
        return None

    def refreshed(self, session: "Session") -> "SetupLevel":
        """The level updated with the choices made since."""
        return self

    def after_choice(self, session: "Session", draft: Draft | None) -> "SetupLevel | None":
        """The level with a choice made above it; None if it shows no choices."""
        return None

    def enter(self, session: "Session", press: ButtonPress) -> "Reaction":
        """The reaction to QUIERO."""
        raise NotImplementedError

    def view(self, session: "Session") -> SetupView:
        """What panels draw of the level."""
        raise NotImplementedError


class Setup(NamedTuple):
    """The open set-up: its stack of levels and its expiry time (seconds)."""

    levels: tuple[SetupLevel, ...]
    until: float
    is_first_run: bool = False  # the first power-on

    @property
    def level(self) -> SetupLevel:
        """The level shown."""
        return self.levels[-1]


class Session(NamedTuple):
    """State of one table. Times are seconds of the clock of presses and ticks."""

    settings: Settings
    record: Record
    change: ChosenChange | None = None  # of the rules of this game, from the next deal on
    names: tuple[str, ...] = ()
    opening_names: tuple[str, ...] = ()  # under which the game was opened
    ends_series: bool = False  # the next game is no rematch: another night, or hours later
    marks: tuple[str, ...] = ()  # problems of the machine, for the status page
    box: BoxSettings = BoxSettings()
    night: "NightView | None" = None  # the games of tonight, while their page is shown
    link: LinkView = LinkView()  # how phones reach the box; unaffected by presses
    hall: HallView = HallView()  # as the link reports it; unaffected by presses
    assignments: tuple[Assignment, ...] = ()  # the newest last; one before it is in play
    match_time: MatchTime | None = None  # None outside a match, and before its first step
    offer_until: float | None = None  # end of the tolerance of the offered match, if it is known
    asks_first_run: bool = False  # the questions of a new box return until a hand is scored
    has_earlier_game: bool = False  # an earlier game of tonight can be resumed
    has_later_game: bool = False  # the next game was undone and can be redone
    now: float = 0.0
    touched_at: float = 0.0  # newest gesture
    next_hand_seen: bool = False  # the hand after one that is over was shown before it
    woken_at: float = NEVER  # gestures of buttons that were down then are ignored
    newest_press: AcceptedPress | None = None
    replaced: tuple[Step, ...] = ()  # the call that the newest press replaced: UNDO restores it
    accepted_at: float = 0.0  # newest accepted press
    hand_closed_at: float = NEVER  # TANTOS closed a hand
    hand_paid_at: float = NEVER  # another press ended a hand, which was paid for
    bet_paid_at: float = NEVER  # an envido or flor was settled in a hand that goes on
    locked: bool = False  # presses are ignored until UNDO has been held for three seconds
    question: Question | None = None
    asked_at: float = NEVER  # time of the question
    question_until: float = math.inf  # when it is over by itself
    dropped_offer: DroppedOffer | None = None  # the newest one
    notice: Notice | None = None
    notice_until: float = NEVER
    hint: Hint | None = None
    ended_hint: Hint | None = None  # of a hold that was released before it fired
    page: Screen | None = None
    page_until: float = NEVER
    setup: Setup | None = None
    setup_touched_at: float = NEVER  # set-up has handled the TANTOS that went down then
    confirmed: tuple[Side, ...] = ()  # sides that agreed to the next game
    confirmed_until: float = NEVER
    paid_at: float = NEVER  # time of the newest payment
    milestone_at: float = NEVER  # the large tally is shown from here on
    flashing_console: int | None = None  # the console whose lamp flashes
    flash_until: float = NEVER
    sound_on_touch: Sound = Sound.NONE  # sound already played for a TANTOS that is not recorded yet

    @property
    def game(self) -> Game:
        return self.record.game

    def with_change(self, chosen: ChosenChange | None) -> "Session":
        """The session with another chosen change of the rules of its game."""
        standing = None if chosen is None else chosen.standing
        change = None if standing is None else standing.change
        return self._replace(record=with_change(self.record, change), change=chosen)

    @property
    def rules(self) -> Rules:
        return self.record.game.rules

    @property
    def phase(self) -> Phase:
        return phase_of(self.record.game)

    @property
    def next_rules(self) -> Rules:
        """The rules of the next game: those chosen on the box, else the current ones."""
        return self.box.rules or self.rules

    @property
    def card_rules(self) -> Rules:
        """The rules of the rule card: of an offered or locked match, else the next."""
        if self.offer is not None:
            return self.offer.game.rules
        return self.rules if self.is_match_locked else self.next_rules

    @property
    def next_game(self) -> Game:
        """The game that follows without further changes."""
        return next_game(self.game, self.next_rules, self.rematches, self.cap_start)

    @property
    def rematches(self) -> tuple[int, ...] | None:
        """Games won before the rematch that may follow; None if the next game is none.

        A rematch has the same rules and sides; a side may have got its first name since.
        """
        if not self.settings.table.rematch or self.ends_series:
            return None
        if not is_same_rules(self.rules, self.next_rules):
            return None
        named = zip(self.opening_names, self.names, strict=False)
        if any(old and old != new for old, new in named):
            return None
        return following_rematches(self.game)

    @property
    def series_game(self) -> SeriesGame | None:
        """What this game of a series is called, if it has a name."""
        rematches = self.game.start.rematches
        if rematches is not None:
            return series_game(rematches, BEST_OF)
        return series_game(self.game.games, self.rules.best_of)

    @property
    def next_series_game(self) -> SeriesGame | None:
        """What the game of a series is called that QUIERO of every team starts."""
        if self.phase is Phase.GAME_OVER:
            return series_game(games_won(self.game), self.rules.best_of)
        return series_game(self.rematches, BEST_OF)

    @property
    def offer(self) -> Assignment | None:
        """The assigned match, once the table is free to accept it."""
        if not self.assignments or not self._is_free:
            return None
        newest = self.assignments[-1]
        return None if newest is self.played_assignment else newest

    @property
    def offered_game(self) -> Game:
        """The game of the offer.

        One more game of a match whose time is over begins at ``cap_start``.
        """
        assert self.offer is not None
        game, start = self.offer.game, self.cap_start
        is_next = self.offer.match.follows(self.game.match)
        if start is None or not is_next or game.score != game.rules.starting_score:
            return game
        score = even_score(game.rules, start)
        return new_game(game.start._replace(score=score))

    @property
    def played_assignment(self) -> Assignment | None:
        """The assignment of the match in play or just ended; None if it was released."""
        match = self.game.match
        if match is None:
            return None
        return next((each for each in self.assignments if match.is_with(each.match)), None)

    @property
    def is_match_locked(self) -> bool:
        """True if rules, names and game are those of a match, until it is released."""
        played = self.played_assignment
        return played is not None and played.is_locked

    @property
    def is_between_games(self) -> bool:
        """True if no game and no locked match is being played."""
        is_open = self.game.winner is None and not is_untouched(self.game)
        return not is_open and not self.is_match_locked

    @property
    def _is_free(self) -> bool:
        """True if no game is running, and the result of a match is settled."""
        if not self.record.past:
            return True
        if self.phase is not Phase.MATCH_OVER:
            return False
        match = self.game.match
        return match is None or (match.is_last_leg and is_settled(self.game))

    @property
    def has_match_waiting(self) -> bool:
        """True if an assigned match waits for the end of another game."""
        if not self.assignments or self.offer is not None:
            return False
        return self.assignments[-1] is not self.played_assignment

    @property
    def minutes_left(self) -> int | None:
        """Minutes left of the match in play, 0 when over; None without a cap."""
        if self.match_time is None or self.phase is Phase.MATCH_OVER:
            return None
        return self._minutes_to(self.match_time.over_at)

    @property
    def cap_start(self) -> int | None:
        """Points at which the next game of the match begins.

        None: its time is not over, or it begins as ever.
        """
        played, time = self.played_assignment, self.match_time
        if played is None or time is None or self._minutes_to(time.over_at) != 0:
            return None
        return played.cap_start

    @property
    def tolerance_left(self) -> int | None:
        """Minutes that the offered match still waits for a team, 0 when over."""
        return None if self.offer is None else self._minutes_to(self.offer_until)

    def _minutes_to(self, time: float | None) -> int | None:
        return None if time is None else max(0, math.ceil((time - self.now) / 60))

    @property
    def asks_result(self) -> bool:
        """True once the result of a match is to be agreed or contested, or has been."""
        match = self.game.match
        return match is not None and match.is_last_leg and self.phase is Phase.MATCH_OVER

    def question_at(self, console: str) -> Question | None:
        """The open question, if ``console`` may say yes or no to it.

        A console that owes an answer gives that one.
        """
        question = self.question
        if question is None:
            return None
        match question.row.yes:
            case Answering.ASKING:
                may = console == question.console
            case Answering.LOSING | Answering.PAID:
                owing = sides_to_answer(current_hand(self.game))
                may = console != "" and not {*self._sides_at(console)} & {*owing}
            case Answering.OWING:
                may = False
            case Answering.ANY:
                may = console != ""
        return question if may else None

    def may_accept(self, console: str) -> bool:
        """Whether ``console`` may say yes to the open question."""
        question = self.question_at(console)
        if question is None:
            return False
        sides = {*self._sides_at(console)}
        match question.row.yes:
            case Answering.LOSING:
                # The speaking sides that gain by a yes; without a payment those that asked.
                return bool(sides) and not sides & {
                    *(self._sides_of(question.yes) or self._sides_at(question.console))
                }
            case Answering.PAID:
                return bool(sides & {*self._sides_of(question.no)})
            case _:
                return True

    @property
    def answerers(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The consoles, also of phones, that may say yes and no to the open question."""
        settings = self.settings.with_consoles(len(CONSOLES))
        each, of_phones = (
            consoles_in_use(self.rules, len(CONSOLES)),
            self._replace(settings=settings),
        )
        return (
            tuple(console for console in each if of_phones.may_accept(console)),
            tuple(console for console in each if of_phones.question_at(console) is not None),
        )

    def _sides_of(self, answer: Answer) -> tuple[Side, ...]:
        """The speaking sides that an answer pays."""
        if answer.points is None:
            return ()
        game, (at, _) = current_hand(self.game), answer.points
        scoring = game.rules.scoring_sides
        paid = scoring[at : at + 1] or game.rules.seating.pair_of(game.gallo)
        return tuple(speaker_of(game, side) for side in paid)

    def _sides_at(self, console: str) -> tuple[Side, ...]:
        return sides_at(console, self.rules, self.settings.consoles.count)

    def with_question(self, question: Question) -> "Session":
        """The session with a question that is asked now."""
        settings = self.settings
        match question.row.lives:
            case Lifetime.BET:
                end = self.bet_paid_at + settings.guards.paid_bet
            case Lifetime.HAND:
                end = self.hand_closed_at + settings.guards.closed
            case Lifetime.DEAL:
                end = self.now + DEAL_S
            case Lifetime.PAGE:
                end = self.now + settings.page_s
            case Lifetime.ALWAYS:
                end = math.inf
        # TANTOS counts a while after it went down: what it asks is seen all the same.
        until = max(end, self.now + settings.notice_s)
        return self._replace(question=question, asked_at=self.now, question_until=until)

    @property
    def remaining_steps(self) -> tuple[Step, ...]:
        """What the open question leaves when its time is over."""
        question = self.question
        if question is None:
            return ()
        is_reflex = self.asked_at < self.accepted_at + self.settings.guards.paid_bet
        match question.row.remains:
            case Remains.NO:
                return question.no.steps
            case Remains.NO_LATER:
                return () if is_reflex else question.no.steps
            case Remains.YES_LATER:
                is_accepted = current_hand(self.game).hand.truco.rung and not is_reflex
                return question.yes.steps if is_accepted else ()
            case Remains.NOTHING:
                return ()

    @property
    def awaits_winner_since(self) -> float | None:
        """Since when an accepted truco has waited for its winner; None without one."""
        truco = self.game.hand.truco
        goes_on = self.phase is Phase.PLAYING or self.awaits_flor
        return self.accepted_at if goes_on and truco.rung and not truco.pending else None

    @property
    def awaits_flor(self) -> bool:
        """True while announced flores wait for their winner and tricks are played."""
        return is_plain_contest(self.game) and self.game.hand.deferred_award is None

    @property
    def is_next_hand_shown(self) -> bool:
        """True if a hand is over for a while and the next one needs no decision.

        A hand that begins with a decision is announced until it is decided.
        """
        if self.phase is not Phase.HAND_OVER:
            return False
        since_touched = self.now - self.touched_at
        if not self.next_hand_seen and since_touched < self.settings.hand_over_s:
            return False
        return phase_of(current_hand(self.game)) is Phase.PLAYING

    @property
    def next_hand_start(self) -> ChangeStart:
        """The name of the deal with which a change of rules chosen now comes into force."""
        if self.is_next_hand_shown:
            return ChangeStart.THIS_HAND
        is_pica = self.game.hand.kind is HandKind.PICA and not self.game.hand.over
        return ChangeStart.REDONDA if is_pica else ChangeStart.HAND

    @property
    def pending_change(self) -> ChangeView | None:
        """The chosen change that will come into force; None without one."""
        game, change = self.game, self.game.change
        if change is None:
            return None
        if change.from_game or game.winner is not None:
            follows = self.phase is not Phase.MATCH_OVER
            return change_view(self.rules, change.rules, ChangeStart.GAME) if follows else None
        if why_not_under(game, change.rules) is not None:
            return None
        return change_view(self.rules, change.rules, self.next_hand_start)

    @property
    def change_notice(self) -> Notice | None:
        """The notice of a chosen change, or why it cannot come into force."""
        change, view = self.game.change, self.pending_change
        if view is not None:
            return Notice(NoticeKey.CHANGE, change=view)
        if change is None or self.game.winner is not None:
            return None
        return why_not_under(self.game, change.rules)

    @property
    def is_asked(self) -> bool:
        """True if a call or a decision waits for QUIERO or NO QUIERO."""
        return bool(sides_to_answer(current_hand(self.game)))

    @property
    def agreed_sides(self) -> tuple[Side, ...]:
        """The sides that agreed to the result of a match, else to the next game."""
        if self.asks_result:
            assert self.game.match is not None
            return self.game.match.agreed
        return self.confirmed

    def with_notice(self, notice: Notice) -> "Session":
        """The session with a notice that expires after the usual time."""
        return self._replace(notice=notice, notice_until=self.now + self.settings.notice_s)


class Reaction(NamedTuple):
    """Result of a press: store ``steps`` in one transaction, then adopt ``session``.

    ``new_game``: the press opens this empty game. ``move``: after storing, the previous or next
    game continues; restore it from its own rows and show ``session.notice``. If nothing must be
    stored, the session is adopted at once. ``source``: origin of the steps if not the console;
    ``reason``: stored with the last one. ``choices`` must be saved before the rest is applied.
    ``stored_effects`` come before the session is adopted, ``effects`` after it.
    """

    session: Session
    verdict: Verdict = Verdict.NONE
    sound: Sound = Sound.NONE
    steps: tuple[Step, ...] = ()
    new_game: Game | None = None
    move: GameMove = GameMove.STAY
    source: str = ""
    reason: str = ""
    choices: tuple[Choice, ...] = ()
    stored_effects: tuple[StoredEffect, ...] = ()
    effects: tuple[Effect, ...] = ()

    @property
    def must_store(self) -> bool:
        """True if something must be stored before the session is adopted."""
        return bool(self.steps) or self.new_game is not None


def new_session(
    record: Record | Game,
    settings: Settings | None = None,
    *,
    now: float = 0.0,
    names: Sequence[str] = (),
    has_earlier_game: bool = False,
    has_later_game: bool = False,
    box: BoxSettings | None = None,
    opening_names: Sequence[str] | None = None,
) -> Session:
    """A session at power-on, with a new game or the record restored from the journal.

    ``opening_names``: those in the header of the game, if ``names`` differ.
    """
    record = record if isinstance(record, Record) else new_record(record)
    return Session(
        settings or Settings(),
        record,
        names=tuple(names),
        opening_names=tuple(names if opening_names is None else opening_names),
        has_earlier_game=has_earlier_game,
        has_later_game=has_later_game,
        box=box or BoxSettings(),
        now=now,
        touched_at=now,
        accepted_at=now,
    )
