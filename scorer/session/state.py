"""The values of a running table: what is entered, what is asked, what is shown for a while.

They decide nothing. ``Session.record`` is all that a journal brings back; the rest is of the moment
and gone after a power cut.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from scorer.rules import Game, Phase, Rules, Side, Step, phase_of
from scorer.session.input.keymap import Meaning
from scorer.session.record import Record
from scorer.session.settings import Settings
from scorer.session.setup.box_settings import Box, Choice
from scorer.session.setup.pages import Setup
from scorer.session.view.view import LinkView, NightView, Notice, Screen

NEVER = float("-inf")


class Verdict(StrEnum):
    """What became of a press."""

    TAKEN = "taken"
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


class Moves(StrEnum):
    """Which game of the night goes on after a press."""

    STAYS = ""
    BACK = "back"  # the game before this one
    FORWARD = "forward"  # the game after this one, which had been taken back


class Deed(StrEnum):
    """What an answer does besides writing steps."""

    BOOK = "book"
    DROP = "drop"  # nothing happened
    UNDO = "undo"
    BACK = "back"  # the whole game is taken back
    OPEN = "open"  # another game is opened
    ASK = "ask"  # the next question is put


class Answer(NamedTuple):
    """One answer of a question: the key of its words, what it writes, whom it pays what."""

    key: str = ""
    deed: Deed = Deed.DROP
    steps: tuple[Step, ...] = ()
    points: tuple[int, int] | None = None  # (side, points)
    asks: Question | None = None  # what is asked then


class Question(NamedTuple):
    """Something the box cannot know; while it stands nothing but an answer or UNDO counts."""

    key: str
    yes: Answer
    no: Answer
    word: str = ""
    side: int | None = None
    number: int = 0


class Press(NamedTuple):
    """The newest press that was accepted, for the guards."""

    button: str
    meaning: Meaning
    time: float
    side: int | None
    taps: int = 1  # of this button in a row


class Hint(NamedTuple):
    """A hold under way: what the panel said it would do."""

    button: str
    meaning: Meaning


class Session(NamedTuple):
    """One table. Times are seconds of the clock that presses and ticks bring along."""

    settings: Settings
    record: Record
    names: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()  # what the status page tells of the machine
    box: Box = Box()
    night: NightView | None = None  # the games of tonight, while their page is shown
    link: LinkView = LinkView()  # where phones find the box; no press changes it
    earlier: bool = False  # there is a game before this one to go back to
    later: bool = False  # the game after this one was taken back and may be put again
    now: float = 0.0
    touched: float = 0.0  # newest gesture
    woken: float = NEVER  # gestures of a finger that was down then are swallowed
    newest: Press | None = None
    closed: float = NEVER  # TANTOS closed a hand
    locked: bool = False  # nothing counts until UNDO has been held for three seconds
    question: Question | None = None
    notice: Notice | None = None
    notice_until: float = NEVER
    hint: Hint | None = None
    page: Screen | None = None
    page_until: float = NEVER
    setup: Setup | None = None
    steered: float = NEVER  # set-up has taken the TANTOS that went down then
    confirmed: tuple[Side, ...] = ()  # have said yes to the next game
    confirmed_until: float = NEVER
    paid: float = NEVER  # the newest payment was made
    milestone: float = NEVER  # the large tally is shown from here on
    flash: int | None = None  # the console whose lamp flashes
    flash_until: float = NEVER
    sounded: Sound = Sound.NONE  # TANTOS was heard already and is not booked yet

    @property
    def game(self) -> Game:
        return self.record.game

    @property
    def rules(self) -> Rules:
        return self.record.game.rules

    @property
    def phase(self) -> Phase:
        return phase_of(self.record.game)


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
    opens: Game | None = None
    moves: Moves = Moves.STAYS
    source: str = ""
    switch_off: bool = False  # the machine is to be switched off
    chooses: tuple[Choice, ...] = ()
    selftest: bool = False  # the box is to try itself
    slip: bool = False  # the slip of the game is wanted
    clears_night: bool = False  # the games that were played so far are of another night
    reason: str = ""
    pairs: bool = False  # digits for a new phone are wanted
    forgets: tuple[str, ...] = ()  # phones, by id, that may not press any more

    @property
    def stores(self) -> bool:
        """Must something be written before the session may be adopted?"""
        return bool(self.steps) or self.opens is not None
