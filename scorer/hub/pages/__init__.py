"""The pages of the hub: HTML, CSS, JavaScript and the groups of their words.

Fragments, and documents of a tournament, carry their words themselves.
"""

from __future__ import annotations

WALL_WORDS = ("hub.",)
DESK_WORDS = ("hub.", "side.", "desk.", "paper.", "import.")
