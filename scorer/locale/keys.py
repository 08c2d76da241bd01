"""Every key that a view may carry and that somebody must be told in words.

Session and screen meet here: a view holds the bare key ("slap"), the catalogue holds it under its
group ("notice.slap"). Keys that only a screen uses are not listed; it names them where it draws.
It knows no language and no rules; a test compares ``REFUSALS`` and ``WHYS`` with the enums.
"""

from __future__ import annotations

# Values of rules.Refusal: why a press was refused, in five words at most.
REFUSALS = (
    "GAME_OVER",
    "HAND_OVER",
    "ANSWER_FIRST",
    "NOTHING_TO_ANSWER",
    "OWN_CALL",
    "NOT_YOUR_RAISE",
    "OUT_OF_ORDER",
    "TOO_LATE",
    "ENVIDO_CLOSED",
    "WINNER_FIRST",
    "NO_WINNER_WANTED",
    "DECIDE_FIRST",
    "NO_RAISING_HERE",
    "TOO_MUCH",
    "TOO_LITTLE",
    "TIED",
    "NOT_IN_THIS_VARIANT",
    "NOTHING_TO_UNDO",
    "NOTHING_TO_REDO",
    "NOTHING_TO_REVERSE",
    "NOTHING_TO_DECIDE",
    "FLOR_CLOSED",
    "FLOR_OR_NO",
    "NO_MORE_FLORES",
    "NOT_OVER",
)

# Values of rules.Why, and "none" where nobody scored; "hand.word" where a call was won.
WHYS = (
    "hand",
    "hand.word",
    "truco_refused",
    "envido",
    "envido_refused",
    "flor",
    "flor_refused",
    "fold",
    "fold_envido",
    "mao_run",
    "mao_truco",
    "privo",
    "award",
    "correct",
    "concede",
    "time",
    "envido_reversed",
    "flor_reversed",
    "none",
)

# Notices that are no refusal of the rules: guards, undo, holds, the state of the box.
NOTICES = (
    "slap",
    "echo",
    "closed",
    "tap_fold",
    "late_envido",
    "question",
    "woke",
    "undone",
    "undone_word",
    "undone_points",
    "redone",
    "redone_word",
    "redone_points",
    "hold",
    "hold_fold",
    "hold_redo",
    "hold_menu",
    "hold_setup",
    "hold_safe",
    "half",
    "next_game",
    "press_quiero",
    "dropped",
    "dispute",
    "stuck",
    "unsaved",
    "store_full",
    "store_read_only",
    "stale",
    "locked",
    "config",
    "safe",
    "restored",
    "remote",
    "wrong_day",
)

# Questions; each is a sentence with two answers.
QUESTIONS = (
    "fold_first",
    "accepted_won",
    "mao_ran",
    "all_tied",
    "tied_bet",
    "next_game",
    "undo_far",
    "undo_far.gain",
    "undo_game",
    "mao_truco",
    "day",
    "achico",
    "which_third",
)

# What an answer means, in short.
ANSWERS = (
    "first",
    "later",
    "go_on",
    "new",
    "played",
    "ran",
    "accepted",
    "refused",
    "tied",
    "dispute",
    "undo",
    "keep",
    "yes_plain",
    "no_plain",
    "me_achico",
    "no_flor",
    "lose",
    "second",
    "third",
    "nothing",
)

# Words of the score sheet that nobody shouts, for undo and history.
ACTIONS = (
    "quiero",
    "no_quiero",
    "me_achico",
    "no_flor",
    "privo",
    "no_privo",
    "mao_play",
    "mao_run",
    "envido_won",
    "flor_won",
    "hand_won",
    "fold",
    "all_tied",
    "tricks",
    "first_trick_done",
    "new_hand",
    "envido_reversed",
    "flor_reversed",
    "award",
    "correct",
    "concede",
    "time",
    "undo",
    "redo",
    "start",
)

# What is wrong with the box; "none" where nothing is.
MARKS = (
    "unsaved",
    "stuck",
    "power",
    "safe",
    "unsynced",
    "buttons",
    "config",
    "clock",
    "none",
)

# Why nothing can be scored at all: the kinds of a store that cannot be opened.
TROUBLES = ("full", "read_only", "future", "not_a_store", "damaged", "busy", "io")

GROUPS = {
    "refusal": REFUSALS,
    "why": WHYS,
    "notice": NOTICES,
    "question": QUESTIONS,
    "answer": ANSWERS,
    "action": ACTIONS,
    "mark": MARKS,
    "trouble": TROUBLES,
}


def listed() -> tuple[str, ...]:
    """Every key above as the catalogues have it: "notice.slap"."""
    return tuple(f"{group}.{key}" for group, keys in GROUPS.items() for key in keys)
