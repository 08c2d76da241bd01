"""State of set-up: a stack of levels such as lists, numbers and confirmations."""

from enum import StrEnum
from typing import Final, NamedTuple

from scorer.rulecards.card_page import CardPage
from scorer.rules import Side, Step
from scorer.session.values.box_settings import Choice
from scorer.session.values.game_draft import Draft
from scorer.session.values.hall import Wish
from scorer.session.values.keys import LineKey as LineKey
from scorer.session.values.keys import NoticeKey as NoticeKey
from scorer.session.values.keys import PlainKey as PlainKey
from scorer.session.values.keys import SetupKey as SetupKey
from scorer.session.values.keys import TextKey as TextKey

JOIN_TIMEOUT_S: Final = 120.0  # seconds for the desk to compare the digits
FIRST_RUN_TIMEOUT_S: Final = 300.0  # seconds until a question of the first run times out
ERASE, DONE, SPACE = "erase", "done", "space"
# The common commands are one or two turns up from the first letter.
LETTERS: Final = "ABCDEFGHIJKLMNÑOPQRSTUVWXYZÁÉÍÓÚÇÃÕÂÊÔ0123456789"
RING: Final[tuple[str, ...]] = (*LETTERS, SPACE, ERASE, DONE)


class SetupAction(StrEnum):
    """The effect of an entry."""

    LEAVE = "leave"
    RECORD = "book"
    REDO = "redo"
    REDEAL = "redeal"
    BACK = "back"
    PLAY = "play"  # start the drafted game
    CHOOSE = "choose"  # save with the box
    DRAFT = "draft"  # change the draft
    NEXT = "next"  # the next question of the first power-on
    PARENT = "up"  # one level back
    SELFTEST = "selftest"
    CLEAR_NIGHT = "clear_night"
    PAIR = "pair"  # show a pairing code for a new phone
    FORGET = "forget"  # unpair phones
    SLIP = "slip"  # print the slip of the game so far
    BACKUP = "backup"  # copy all games on a USB stick
    WISH = "wish"  # for the link
    LOCK = "lock"
    SWITCH_OFF = "switch_off"
    REFUSE = "refuse"  # the entry is impossible now: ``notice_key`` says why


class SetupCommand(NamedTuple):
    """A command of set-up to the table."""

    action: SetupAction
    steps: tuple[Step, ...] = ()
    kept_steps: int = 0  # steps of the game that remain after going back
    reason: str = ""  # stored with the step in the score sheet
    choices: tuple[Choice, ...] = ()
    draft: Draft | None = None
    notice_key: StrEnum | None = None  # the notice shown afterwards
    phones: tuple[str, ...] = ()  # ids
    wish: Wish | None = None
    opens: "Level | SubmenuLink | None" = None  # the level that a wish opens


class SubmenuLink(NamedTuple):
    """A level that is made from the current choices when it is entered."""

    title: LineKey
    key: str = ""  # of the value chosen in it
    side: int = 0
    draft: Draft | None = None


class MenuLine(NamedTuple):
    """One line of a list: its text, and the command or level it leads to."""

    key: LineKey
    leads_to: "SetupCommand | Level | SubmenuLink"
    side: int | None = None
    number: int = 0
    word: str = ""  # calls, in words of the variant
    text: str = ""  # literal text: a name, the title of a variant
    value: str = ""  # catalogue key of the current choice
    figure: str = ""  # the current choice as literal text
    chosen_side: int | None = None  # the chosen side
    scores: tuple[int, ...] = ()  # starting scores, per side
    marked: bool = False  # the current choice


MenuLines = tuple[MenuLine, ...]


class ListLevel(NamedTuple):
    """A list, never empty."""

    title: LineKey
    lines: tuple[MenuLine, ...]
    at: int = 0
    made_from: SubmenuLink | None = None  # link to remake it after a choice

    @property
    def draft(self) -> Draft | None:
        """The draft that the list edits."""
        return None if self.made_from is None else self.made_from.draft


class PointsLevel(NamedTuple):
    """The number of points for ``side`` (speaking or scoring), from 1 to the maximum."""

    title: LineKey
    side: Side
    highest: int
    value: int = 1
    reason: str = ""


class ScoresLevel(NamedTuple):
    """The corrected scores, one side after the other; ``at`` is the one being set."""

    title: LineKey
    scores: tuple[int, ...]
    highest: int
    lowest: int = 0
    at: int = 0
    draft: Draft | None = None  # the game that starts with them


class NumberLevel(NamedTuple):
    """The number of an option, of the draft or of the house rules."""

    title: LineKey
    key: str
    value: int
    lowest: int
    highest: int
    step: int = 1
    draft: Draft | None = None


class NameLevel(NamedTuple):
    """A partly spelled name and the position of the ring of letters."""

    title: LineKey
    side: Side
    at: int = 0
    text: str = ""
    draft: Draft | None = None

    @property
    def selected(self) -> str:
        """The letter or command that QUIERO would take."""
        return RING[self.at]

    @property
    def letters_around(self) -> tuple[str, ...]:
        """The entries of the ring from two before to two after."""
        return tuple(RING[(self.at + step) % len(RING)] for step in range(-2, 3))


class CardLevel(NamedTuple):
    """A rule card, page by page."""

    title: LineKey
    pages: tuple[CardPage, ...]
    at: int = 0


class PairingLevel(NamedTuple):
    """The pairing code for a new phone; valid while it is shown."""

    title: LineKey
    code: str
    wrong: tuple[str, ...] = ()  # the address of each wrong try


class JoinLevel(NamedTuple):
    """The digits of joining a hall, while its desk compares them."""

    title: LineKey
    hall: str  # name


class AgreementLevel(NamedTuple):
    """A choice that takes effect once every console in use has confirmed."""

    title: LineKey
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
    | JoinLevel
    | AgreementLevel
)


class Setup(NamedTuple):
    """The open set-up: its stack of levels and its expiry time (seconds)."""

    levels: tuple[Level, ...]
    until: float
    is_first_run: bool = False  # the first power-on

    @property
    def level(self) -> Level:
        """The level shown."""
        return self.levels[-1]

    @property
    def confirmed(self) -> tuple[Side, ...] | None:
        """The speaking sides that have confirmed; None if no confirmation is open."""
        return self.level.confirmed if isinstance(self.level, AgreementLevel) else None


def refusable_line(
    key: LineKey,
    leads_to: SetupCommand | Level | SubmenuLink | None,
    why_not: StrEnum = NoticeKey.NOT_NOW,
) -> MenuLines:
    """The line ``key``; without ``leads_to`` it is refused with ``why_not``."""
    return (MenuLine(key, leads_to or SetupCommand(SetupAction.REFUSE, notice_key=why_not)),)
