"""Keys that only the pages of `scorer web` use.

Separate from ``keys`` because of its length; keys shared with the panel are listed there.
"""

from __future__ import annotations

# Keys of pages only.
WEB = (
    "connecting",
    "gone",
    "trouble",
    "offline",
    "ago.seconds",
    "ago.minutes",
    "ago.hours",
    "mano",
    "malas",
    "buenas",
    "recent",
    "chart",
    "chart.alt",
    "night",
    "night.player",
    "raise",
    "shout",
    "kind.pica",
    "kind.redonda",
    "gain",
    "undone",
    "title",
    "refresh",
)

# Keys of the phone's page only; those in capitals are error codes.
PHONE = (
    "title",
    "how",
    "code",
    "name",
    "pair",
    "side",
    "swap",
    "tied",
    "forget",
    "again",
    "board",
    "STALE",
    "UNPAIRED",
    "WRONG_CODE",
    "NO_CODE",
    "NAME",
    "SLOW",
    "GONE",
    "STORE",
)
