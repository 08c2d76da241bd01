"""The pages for the television, the phones and the stream, and the keys of all that they say.

The files beside this one are served as they are; the sentences come from the same catalogues as
the panel's. It knows no socket and no HTTP.
"""

from __future__ import annotations

from itertools import chain

from scorer.i18n.keys import ACTIONS, ANSWERS, QUESTIONS, REASONS, REFUSALS
from scorer.i18n.web_keys import PHONE, WEB

# Said on a page as on the panel.
_SHARED = {
    "side": ("ours", "theirs", "first", "second", "third", "gallo", "pair"),
    "stake": ("points", "game", "game.short", "series", "series.short"),
    "half": ("malas", "malas.one", "buenas", "buenas.one"),
    "score": ("to",),
    "number": ("9", "10", "11", "12", "13", "14"),
    "state": (
        "mano",
        "hand",
        "one_away",
        "both_one_away",
        "in_buenas",
        "mao",
        "mao.rest",
        "iron",
        "iron.rest",
        "duel",
        "pot",
        "gallo",
    ),
    "pending": ("owes", "waits", "may_end", "wins"),
    "winner": ("ask", "who", "pays"),
    "singing": ("call", "both", "next", "ask"),
    "over": ("next", "next.redonda", "next.pica", "next.gallo"),
    "mao": ("ask", "next"),
    "iron": ("next",),
    "game": ("won", "won.many", "won.ours", "won.theirs", "by", "series"),
    "match": ("over",),
    "page": (
        "target",
        "history.none",
        "night",
        "night.one",
        "night.longest",
        "night.streak",
    ),
}
_GROUPS = {**_SHARED, "why": REASONS, "action": ACTIONS, "web": WEB}

# The msgids that a page is given, each with its text in one language.
KEYS = tuple(
    chain.from_iterable((f"{group}.{key}" for key in keys) for group, keys in _GROUPS.items())
)

# What the page of a paired phone says besides, which no television has to load.
_PHONE_GROUPS = {
    "phone": PHONE,
    "refusal": REFUSALS,
    "question": QUESTIONS,
    "answer": ANSWERS,
    "notice": (
        "slap",
        "echo",
        "closed",
        "tap_fold",
        "late_envido",
        "question",
        "locked",
        "next_game",
        "press_quiero",
        "phone_setup",
        "phone_undone",
        "phone_question",
        "phone_undo_far",
        "phone_busy",
    ),
    "label": ("truco", "tantos", "undo.small"),
}
PHONE_KEYS = (
    *KEYS,
    *(f"{group}.{key}" for group, keys in _PHONE_GROUPS.items() for key in keys),
)
