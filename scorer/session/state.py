"""The values of a running table: what is entered, what is asked, what is shown for a while.

They decide nothing. ``Session.record`` is all that a journal brings back; the rest is of the moment
and gone after a power cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from scorer.rules import Game, Phase, Rules, Side, Step, phase_of
from scorer.session.box_settings import BoxSettings, Choice
from scorer.session.game_queries import next_game
from scorer.session.input.gestures import Gesture
from scorer.session.input.keymap import ButtonMeaning
from scorer.session.question import Question
from scorer.session.record import Record, new_record
from scorer.session.settings import Settings
from scorer.session.setup.levels import Setup
from scorer.session.view.view import LinkView, NightView, Notice, Screen

NEVER = float("-inf")


class Verdict(StrEnum):
    """What became of a press."""

    ACCEPTED = "taken"
    REFUSED = "refused"
    GUARDED = "guarded"
    QUESTION = "question"
    WOKE = "woke"
    NONE = "-"


class Sound(StrEnum):
    """What the buzzer says; phrases are chosen elsewhere."""

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
    """Which game of the night goes on after a press."""

    STAY = ""
    BACK = "back"  # the game before this one
    FORWARD = "forward"  # the game after this one, which had been taken back


class ButtonPress(NamedTuple):
    """A gesture, what it means now, and the hour as the history shows it."""

    meaning: ButtonMeaning
    gesture: Gesture
    time: str = ""


class AcceptedPress(NamedTuple):
    """The newest press that was accepted, for the guards."""

    button: str
    meaning: ButtonMeaning
    time: float
    side: int | None
    taps: int = 1  # of this button in a row


class Hint(NamedTuple):
    """A hold under way: what the panel said it would do."""

    button: str
    meaning: ButtonMeaning


class Session(NamedTuple):
    """One table. Times are seconds of the clock that presses and ticks bring along."""

    settings: Settings
    record: Record
    names: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()  # what the status page tells of the machine
    box: BoxSettings = BoxSettings()
    night: NightView | None = None  # the games of tonight, while their page is shown
    link: LinkView = LinkView()  # where phones find the box; no press changes it
    has_earlier_game: bool = False  # there is a game before this one to go back to
    has_later_game: bool = False  # the game after this one was taken back and may be put again
    now: float = 0.0
    touched_at: float = 0.0  # newest gesture
    woken_at: float = NEVER  # gestures of a finger that was down then are swallowed
    newest_press: AcceptedPress | None = None
    hand_closed_at: float = NEVER  # TANTOS closed a hand
    locked: bool = False  # nothing counts until UNDO has been held for three seconds
    question: Question | None = None
    notice: Notice | None = None
    notice_until: float = NEVER
    hint: Hint | None = None
    page: Screen | None = None
    page_until: float = NEVER
    setup: Setup | None = None
    setup_touched_at: float = NEVER  # set-up has taken the TANTOS that went down then
    confirmed: tuple[Side, ...] = ()  # have said yes to the next game
    confirmed_until: float = NEVER
    paid_at: float = NEVER  # the newest payment was made
    milestone_at: float = NEVER  # the large tally is shown from here on
    flashing_console: int | None = None  # the console whose lamp flashes
    flash_until: float = NEVER
    sound_on_touch: Sound = Sound.NONE  # TANTOS was heard already and is not booked yet

    @property
    def game(self) -> Game:
        return self.record.game

    @property
    def rules(self) -> Rules:
        return self.record.game.rules

    @property
    def phase(self) -> Phase:
        return phase_of(self.record.game)

    @property
    def next_rules(self) -> Rules:
        """The rules of the next game: those chosen on the box, else those of this one."""
        return self.box.rules or self.rules

    @property
    def next_game(self) -> Game:
        """The game that follows if nothing is changed."""
        return next_game(self.game, self.next_rules)

    def with_notice(self, notice: Notice) -> Session:
        """The session with a notice, which stays for as long as notices do."""
        return self._replace(notice=notice, notice_until=self.now + self.settings.notice_s)


class Reaction(NamedTuple):
    """What a press leads to. Store ``steps`` in one transaction, only then adopt ``session``.

    ``opens``: the press opens this new game, in which nothing has been entered. ``moves``: after
    storing, the game before (after) this one goes on; restore it from its own rows and put
    ``session.notice`` on it. Where nothing is to be stored the session is adopted at once.
    ``source``: who wrote the steps where it is not the console; ``reason``: goes with the last one.
    ``chooses`` is to be kept with the box before anything else of it counts.
    """

    session: Session
    verdict: Verdict = Verdict.NONE
    sound: Sound = Sound.NONE
    steps: tuple[Step, ...] = ()
    new_game: Game | None = None
    move: GameMove = GameMove.STAY
    source: str = ""
    open_setup: bool = False  # the press opens set-up
    switch_off: bool = False  # the machine is to be switched off
    choices: tuple[Choice, ...] = ()
    run_selftest: bool = False  # the box is to try itself
    print_slip: bool = False  # the slip of the game is wanted
    clear_night: bool = False  # the games that were played so far are of another night
    reason: str = ""
    show_pairing_code: bool = False  # digits for a new phone are wanted
    phones_to_forget: tuple[str, ...] = ()  # phones, by id, that may not press any more

    @property
    def must_store(self) -> bool:
        """Must something be written before the session may be adopted?"""
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
) -> Session:
    """A table at power-on, on a fresh game or on what the journal brought back."""
    record = record if isinstance(record, Record) else new_record(record)
    return Session(
        settings or Settings(),
        record,
        tuple(names),
        has_earlier_game=has_earlier_game,
        has_later_game=has_later_game,
        box=box or BoxSettings(),
        now=now,
        touched_at=now,
    )
