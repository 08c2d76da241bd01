"""A page of a rule card as values: keys, words of the variant and numbers.

They stand apart from what makes them, which takes a while to load: whoever draws a page needs only
these. How a card comes to its pages is not known here.
"""

from __future__ import annotations

from typing import NamedTuple


class CardRow(NamedTuple):
    """One line. On the left ``words`` as they are, or the words of ``key``; on the right numbers.

    ``ways`` has for each number "" or why it is another one at another score ("falta", "game"...);
    None is an answer that is not possible. ``value`` is the key of a word on the right.
    """

    key: str = ""
    words: str = ""
    numbers: tuple[int | None, ...] = ()
    ways: tuple[str, ...] = ()
    value: str = ""


class CardPage(NamedTuple):
    """Rows under a title: ``words`` as they are, or the words of ``key``.

    It is page ``number`` of ``total``, from 1.
    """

    key: str
    words: str
    rows: tuple[CardRow, ...]
    number: int
    total: int
