"""The web pages: HTML, CSS, JavaScript and the keys of their words.

The other files of this folder are served unchanged; the texts come from the same catalogues as the
panel's.
"""

from __future__ import annotations

from itertools import chain

from scorer.i18n.keys import REFUSALS
from scorer.i18n.web_keys import LABELS, PHONE

# Labels of the pages; the texts about a game are in the report as phrases.
_GROUPS = {
    "side": ("gallo",),
    "winner": ("who",),
    "why": ("none",),
    "page": ("history.none",),
    "web": LABELS,
}

# The msgids that a page gets, each with its text in one language.
KEYS = tuple(
    chain.from_iterable((f"{group}.{key}" for key in keys) for group, keys in _GROUPS.items())
)

# Further texts of the phone's page, which no television has to load.
_PHONE_GROUPS = {
    "phone": PHONE,
    "refusal": REFUSALS,
    "notice": (
        "slap",
        "echo",
        "closed",
        "paid",
        "not_now",
        "tap_fold",
        "hold_raise",
        "hold_flor",
        "late_envido",
        "who_won",
        "offer_dropped",
        "dropped",
        "question",
        "locked",
        "next_game",
        "press_quiero",
        "phone_setup",
        "phone_undone",
        "phone_question",
        "phone_undo_far",
        "phone_busy",
        "cannot_choose",
    ),
    "label": ("truco", "tantos", "undo.small"),
}
PHONE_KEYS = (
    *KEYS,
    *(f"{group}.{key}" for group, keys in _PHONE_GROUPS.items() for key in keys),
)
