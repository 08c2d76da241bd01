"""Keys that only the pages of `scorer web` use.

Separate from ``keys`` because of its length; keys shared with the panel are listed there.
"""

from __future__ import annotations

# Labels that the pages place themselves.
LABELS = (
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
    "chart",
    "night",
    "undone",
    "refresh",
    "refresh.stop",
    "refresh.now",
    "refresh.start",
)

# All keys of pages; those beside the labels become parts of finished phrases.
WEB = (
    *LABELS,
    "recent",
    "chart.alt",
    "night.player",
    "raise",
    "shout",
    "kind.pica",
    "kind.redonda",
    "gain",
    "title",
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
    "names",
    "save",
    "leave",
    "tied",
    "forget",
    "again",
    "board",
    "STALE",
    "UNPAIRED",
    "WRONG_CODE",
    "NO_CODE",
    "BLOCKED",
    "NAME",
    "RIVAL",
    "NO_SUCH_PAIR",
    "SLOW",
    "GONE",
    "STORE",
)
