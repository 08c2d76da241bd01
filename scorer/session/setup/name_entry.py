"""A name letter by letter: one ring of letters that TANTOS turns, and what QUIERO takes of it.

It knows letters; whose name it is, and where it goes, is not known here.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from scorer.rules import Side
from scorer.session.setup.game_draft import Draft

MAX_LETTERS: Final = 12  # letters of a name
ERASE, DONE, SPACE = "erase", "done", "space"
# What is needed after every few letters stands one or two turns up from the first of them.
LETTERS: Final = "ABCDEFGHIJKLMNÑOPQRSTUVWXYZÁÉÍÓÚÇÃÕÂÊÔ0123456789"
RING: Final[tuple[str, ...]] = (*LETTERS, SPACE, ERASE, DONE)


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


def turn(level: NameLevel, down: int) -> NameLevel:
    """The ring turned by one letter."""
    return level._replace(at=(level.at + down) % len(RING))


def take_letter(level: NameLevel) -> NameLevel:
    """With the letter that the ring stands at; a name that is full takes no more.

    The ring goes home then: every letter is as far as it looks, and "done" is one turn up.
    """
    if level.selected == ERASE:
        return erase_letter(level)
    letter = " " if level.selected == SPACE else level.selected
    return level._replace(text=capitalize_words(level.text + letter)[:MAX_LETTERS], at=0)


def erase_letter(level: NameLevel) -> NameLevel:
    """Without its last letter."""
    return level._replace(text=level.text[:-1])


def capitalize_words(text: str) -> str:
    """ "LOS PIBES" as it is written: "Los Pibes"."""
    words = text.lstrip().split(" ")
    return " ".join(word[:1].upper() + word[1:].lower() for word in words)
