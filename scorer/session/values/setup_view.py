"""What panels draw of set-up: the open level and the lines of its list."""

from typing import NamedTuple

from scorer.rulecards.card_page import CardPage
from scorer.session.values.keys import LineKey
from scorer.session.values.shown import HistoryLine, SideView


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
    marked: bool = False  # the current choice


class SetupView(NamedTuple):
    """The open level of set-up.

    A list, numbers (``values``), a confirmation, a name being spelled with the surrounding
    ``letters``, or a page of a rule card.

    """

    title: LineKey
    items: tuple[MenuLine, ...] = ()  # lines around the selected one
    at: int = 0  # index of the selected one
    above: int = 0  # lines of the list outside the items
    below: int = 0
    values: tuple[int, ...] = ()  # one per side, or one for ``side`` alone
    side: int | None = None  # the side whose value is being set
    missing: tuple[int, ...] = ()  # sides whose yes is awaited before ``items[at]`` is done
    option: str = ""  # the option that the number belongs to
    letters: tuple[
        str, ...
    ] = ()  # two before, the selected one, two after; or "done", "erase", "space"
    text: str = ""
    card: CardPage | None = None
    is_first_run: bool = False
    code: str = ""  # pairing code for a new phone
    address: str = ""  # the page to enter it on; "" without a web service
    hall: str = ""  # the hall that is being joined, with ``code`` once there is one
    sides: tuple[SideView, ...] = ()  # of the drafted game, if the level belongs to it
