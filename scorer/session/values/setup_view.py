"""What panels draw of set-up: the open level and the lines of its list."""

from typing import Annotated, NamedTuple

from scorer.plain_values import SECRET
from scorer.rulecards.card_page import CardPage
from scorer.session.values.keys import LineKey
from scorer.session.values.shown import HandPayment, HistoryLine, SideView


class MenuLine(NamedTuple):
    """One line of set-up: a key with side, number and calls, or a point of the game.

    The current choice is shown on its right: the words of ``value``, a figure or a side.
    """

    key: LineKey
    side: int | None = None
    number: int = 0
    word: str = ""
    moment: HistoryLine | None = None
    text: str = ""  # shown instead of the key: a name, the title of a variant
    value: str = ""
    figure: str = ""
    chosen_side: int | None = None
    scores: tuple[int, ...] = ()
    scores_now: tuple[int, ...] = ()  # shown before ``scores``, which replace them
    marked: bool = False  # the current choice


class ListView(NamedTuple):
    """The lines of a list around the selected one."""

    items: tuple[MenuLine, ...]
    at: int = 0  # index of the selected one
    above: int = 0  # lines of the list outside the items
    below: int = 0

    @property
    def selected(self) -> MenuLine:
        """The line that QUIERO takes."""
        return self.items[self.at]


class AgreementView(NamedTuple):
    """A line that is done once every side has confirmed; some are ``missing``."""

    line: MenuLine
    missing: tuple[int, ...]


class LastHandsView(NamedTuple):
    """The last hands, the newest first, and a correction of the selected one.

    ``at`` is one past the last hand if the whole menu is selected. ``choice`` is the correction
    that QUIERO makes, None without one; there are ``choices`` of them. ``scores``: as they stand.
    """

    scores: tuple[int, ...]
    hands: tuple[tuple[HandPayment, ...], ...]
    at: int
    choice: MenuLine | None
    choices: int


class OptionNumberView(NamedTuple):
    """The number of an option, and its source if that is documented."""

    value: int
    source: str = ""


class SideNumberView(NamedTuple):
    """A number of one side."""

    side: int
    value: int


class EachNumberView(NamedTuple):
    """A number of every side; that of ``side`` is being set."""

    side: int
    values: tuple[int, ...]


class SpellingView(NamedTuple):
    """The name of a side so far, and the surrounding letters.

    They are two before, the selected one, two after; or "done", "erase", "space".
    """

    side: int
    text: str
    letters: tuple[str, ...]

    @property
    def selected(self) -> str:
        """The letter that QUIERO takes."""
        return self.letters[len(self.letters) // 2]


class PairingView(NamedTuple):
    """The code for a new phone, and the page to enter it on; "" without a web service.

    ``is_owner``: it gets the right to the settings, on their page.
    """

    code: str
    address: str
    is_owner: bool = False


class JoiningView(NamedTuple):
    """The hall that is being joined, and the digits to compare once there are some.

    ``is_same``: the panel has said that the desk shows them too.
    """

    hall: str
    code: str
    is_same: bool = False


class DeskPasswordView(NamedTuple):
    """A new password of the desk, its name, and the page to enter both on."""

    name: str
    password: Annotated[str, SECRET]
    address: str  # "https://192.168.1.7:8443/desk"; without a network "truco.local:8443/desk"

    def __repr__(self) -> str:
        return f"DeskPasswordView({self.name!r}, {self.address!r})"


SetupContent = (
    ListView
    | LastHandsView
    | AgreementView
    | OptionNumberView
    | SideNumberView
    | EachNumberView
    | SpellingView
    | CardPage
    | PairingView
    | JoiningView
    | DeskPasswordView
)


class SetupView(NamedTuple):
    """The open level of set-up."""

    title: LineKey
    content: SetupContent
    is_first_run: bool = False
    sides: tuple[SideView, ...] = ()  # of the drafted game, if the level belongs to it
