"""The pages of the hub: HTML, CSS, JavaScript and the groups of their words.

Documents of a tournament carry the words of the group ``phrase.`` themselves.
"""

from __future__ import annotations

WALL_WORDS = ("hub.", "side.")
DESK_WORDS = (*WALL_WORDS, "desk.", "paper.", "import.")
