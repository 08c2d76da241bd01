"""The pages of the hub: HTML, CSS, JavaScript and the groups of their words.

Documents of a tournament carry the words of the group ``phrase.`` themselves.
"""

from __future__ import annotations

_EVERYWHERE = ("hub.", "side.")
WALL_WORDS = (*_EVERYWHERE, "format.")
DESK_WORDS = (*_EVERYWHERE, "desk.", "paper.", "import.")
