"""Every key that only the pages of `scorer web` say.

Apart from ``keys`` for its length alone; what the pages say as the panel does is listed with them.
"""

from __future__ import annotations

# What only a page says.
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

# What only the page of a paired phone says; in capitals, why it was refused.
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
