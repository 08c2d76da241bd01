"""A page of a rule card as values: keys, words of the variant and numbers.

Separate from ``content``, which takes a while to import: drawing a page needs only these types.
"""

from typing import NamedTuple


class CardRow(NamedTuple):
    """One line of a page: text on the left, numbers on the right.

    The text is ``words``, or the message of ``key``. ``ways`` has for each number "" or why it
    depends on the score ("falta", "game"...); None means that the answer is not possible. ``value``
    is the key of a word on the right.
    """

    key: str = ""
    words: str = ""
    numbers: tuple[int | None, ...] = ()
    ways: tuple[str, ...] = ()
    value: str = ""


class CardPage(NamedTuple):
    """Rows under a title: ``words``, or the message of ``key``.

    ``number`` counts from 1 to ``total``.
    """

    key: str
    words: str
    rows: tuple[CardRow, ...]
    number: int
    total: int
