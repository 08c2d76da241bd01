"""A row of a card's page on a panel, in words: what stands on its left and on its right.

The rows come from ``scorer.rules.card.pages``; which letters they are drawn with is the screen's.
"""

from __future__ import annotations

from scorer.locale import Say
from scorer.rules.card import CardPage, CardRow

UNSEEN = "–"


def title(page: CardPage, say: Say) -> str:
    """What the page is about, and which of the pages it is: "TRUCO 2/9"."""
    name = page.words or say(f"card.{page.key}")
    return f"{name.upper()} {page.number}/{page.total}"


def row_text(row: CardRow, columns: int, say: Say) -> tuple[str, str]:
    """Left and right of a row; together with a blank they fit in ``columns`` letters.

    Where a word says why a number is another one at another score, the word goes before it if
    there is room, else alone in its place: the number is the less that it tells.
    """
    left = row.words or (say(_listed(row.key)) if row.key else "")
    rights = _rights(row, say)
    fitting = (each for each in rights if len(left) + bool(each) + len(each) <= columns)
    return left, next(fitting, rights[-1])


def _listed(key: str) -> str:
    return key if key.startswith("option.") else f"card.{key}"


def _rights(row: CardRow, say: Say) -> tuple[str, ...]:
    if row.value:
        return (say(_listed(row.value)),)
    figures = "/".join(UNSEEN if number is None else str(number) for number in row.numbers)
    way = next((way for way in row.ways if way), "")
    return (f"{say(f'card.way.{way}')} {figures}", figures) if way else (figures,)
