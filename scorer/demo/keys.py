"""The keys of the buttons.

Team A has the left hand, team B the right, a third player the keys between them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from scorer.demo.buttons import CONSOLE_BUTTONS, HOLD, SHARED_BUTTONS

TOUCH = 0.12  # seconds a lower-case letter holds its button: a terminal reports no key-up

_CONSOLE_KEYS = {
    "A": ("q", "w", "e", "a", "s", "d"),
    "B": ("u", "i", "o", "j", "k", "l"),
    "C": ("r", "t", "y", "f", "g", "h"),
}
_SHARED_KEYS = {"undo": "z", "menu": "m"}


class KeyAction(NamedTuple):
    """The buttons a key presses, and for how many seconds."""

    lines: tuple[str, ...]
    held: float


def lines_by_letter(lines: Collection[str]) -> dict[str, str]:
    """The line of each letter, for the existing buttons, in the order of the legend."""
    of_consoles = {
        letter: f"{console}.{button}"
        for console, keys in _CONSOLE_KEYS.items()
        for letter, button in zip(keys, CONSOLE_BUTTONS, strict=True)
    }
    known = of_consoles | {_SHARED_KEYS[button]: button for button in SHARED_BUTTONS}
    return {letter: line for letter, line in known.items() if line in lines}


def key_action(key: str, keys: Mapping[str, str]) -> KeyAction | None:
    """The action of key ``key``: ``q``, ``Q`` (held), ``alt+q``, ``alt+Q`` (both)."""
    both = key.startswith("alt+")
    letter = key.removeprefix("alt+")
    if letter.startswith("shift+"):
        letter = letter.removeprefix("shift+").upper()
    if letter == "backspace":
        letter = "z"
    line = keys.get(letter.lower()) if len(letter) == 1 else None
    if line is None:
        return None
    lines: tuple[str, ...] = (line,)
    if both:
        # The same button of the first two consoles; a shared button alone.
        button = line.partition(".")[2]
        twins = (f"A.{button}", f"B.{button}")
        lines = tuple(each for each in keys.values() if each in twins) or lines
    return KeyAction(lines, HOLD if letter.isupper() else TOUCH)
