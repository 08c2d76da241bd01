"""Set-up as values: a stack of levels, each a list, a number, the scores, or a thing to agree on.

Which entries there are and what a button does to them is not known here.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

from scorer.rulecards.card_page import CardPage
from scorer.rules import Side, Step
from scorer.session.box_settings import Choice
from scorer.session.setup.game_draft import Draft

FIRST_RUN_TIMEOUT_S: Final = 300.0  # seconds that a first question waits
ERASE, DONE, SPACE = "erase", "done", "space"
# What is needed after every few letters stands one or two turns up from the first of them.
LETTERS: Final = "ABCDEFGHIJKLMNÑOPQRSTUVWXYZÁÉÍÓÚÇÃÕÂÊÔ0123456789"
RING: Final[tuple[str, ...]] = (*LETTERS, SPACE, ERASE, DONE)


class SetupAction(StrEnum):
    """What an entry does in the end."""

    LEAVE = "leave"
    RECORD = "book"
    REDO = "redo"
    REDEAL = "redeal"
    BACK = "back"
    PLAY = "play"  # the game that was put together begins
    CHOOSE = "choose"  # kept with the box
    DRAFT = "draft"  # the game that is put together changes
    NEXT = "next"  # the next question of a first power-on
    PARENT = "up"  # one level back
    SELFTEST = "selftest"
    CLEAR_NIGHT = "clear_night"
    PAIR = "pair"  # digits for a new phone are wanted
    FORGET = "forget"  # phones that may not press any more
    SLIP = "slip"  # the game so far, on paper
    LOCK = "lock"
    SWITCH_OFF = "switch_off"


class SetupCommand(NamedTuple):
    """One thing that set-up can do to the table."""

    action: SetupAction
    steps: tuple[Step, ...] = ()
    kept_steps: int = 0  # how many steps of the game stand after going back
    reason: str = ""  # goes with the step to the score sheet
    choices: tuple[Choice, ...] = ()
    draft: Draft | None = None
    notice_key: str = ""  # the notice after it
    phones: tuple[str, ...] = ()  # their ids


class SubmenuLink(NamedTuple):
    """A level that is made when it is entered, from what is chosen by then."""

    title: str
    key: str = ""  # of what is chosen in it
    side: int = 0
    draft: Draft | None = None


class MenuLine(NamedTuple):
    """One line of a list: what it says, and the act or the level behind it."""

    key: str
    leads_to: SetupCommand | Level | SubmenuLink
    side: int | None = None
    number: int = 0
    word: str = ""  # calls, in the variant's words
    text: str = ""  # what it says as it is: a name, the title of a variant
    value: str = ""  # key of the words for what is chosen there
    figure: str = ""  # what is chosen there, as it is
    chosen_side: int | None = None  # the side that is chosen there
    scores: tuple[int, ...] = ()  # where a game starts, a side
    marked: bool = False  # it is what counts now


class ListLevel(NamedTuple):
    """A list; there is always a line in it."""

    title: str
    lines: tuple[MenuLine, ...]
    at: int = 0
    made_from: SubmenuLink | None = None  # how it is made anew when something was chosen

    @property
    def draft(self) -> Draft | None:
        """The game that is put together in it."""
        return None if self.made_from is None else self.made_from.draft


class PointsLevel(NamedTuple):
    """How many points for ``side`` (one that speaks or scores): from 1 to ``most``."""

    title: str
    side: Side
    highest: int
    value: int = 1
    reason: str = ""


class ScoresLevel(NamedTuple):
    """The scores as they should be, one side after the other; ``at`` is the one being set."""

    title: str
    scores: tuple[int, ...]
    highest: int
    lowest: int = 0
    at: int = 0
    draft: Draft | None = None  # the game that begins with them


class NumberLevel(NamedTuple):
    """The number that an option takes, of the game to be or of the house."""

    title: str
    key: str
    value: int
    lowest: int
    highest: int
    step: int = 1
    draft: Draft | None = None


class NameLevel(NamedTuple):
    """A name as far as it is spelled, and where the ring stands."""

    title: str
    side: Side
    at: int = 0
    text: str = ""
    draft: Draft | None = None

    @property
    def selected(self) -> str:
        """The letter, or what else QUIERO would do."""
        return RING[self.at]

    @property
    def letters_around(self) -> tuple[str, ...]:
        """What stands on the ring from two before to two after."""
        return tuple(RING[(self.at + step) % len(RING)] for step in range(-2, 3))


class CardLevel(NamedTuple):
    """A rule card, page by page."""

    title: str
    pages: tuple[CardPage, ...]
    at: int = 0


class PairingLevel(NamedTuple):
    """The digits that a new phone has to say; they count as long as they are shown."""

    title: str
    code: str
    tries_left: int  # wrong ones that it takes until they count no more


class AgreementLevel(NamedTuple):
    """What was chosen and counts only when every console that is used has said yes."""

    title: str
    line: MenuLine
    confirmed: tuple[Side, ...] = ()


Level = (
    ListLevel
    | PointsLevel
    | ScoresLevel
    | NumberLevel
    | NameLevel
    | CardLevel
    | PairingLevel
    | AgreementLevel
)


class Setup(NamedTuple):
    """Set-up while it is open: the levels that were entered, until when (seconds) it stays."""

    levels: tuple[Level, ...]
    until: float
    is_first_run: bool = False  # nobody has used this box before: it asks what it must know

    @property
    def level(self) -> Level:
        """The one that is shown."""
        return self.levels[-1]

    @property
    def confirmed(self) -> tuple[Side, ...] | None:
        """Who has said yes, of those who speak; None where nobody is asked to."""
        return self.level.confirmed if isinstance(self.level, AgreementLevel) else None
