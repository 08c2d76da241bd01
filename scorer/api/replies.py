"""Error replies, and checks of what clients send."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scorer.rules import Rules, Side
from scorer.session.values.shown import Notice

Message = dict[str, Any]


def error_reply(error: str, text: str) -> Message:
    """Error reply: a code for programs and a sentence for people."""
    return {"ok": False, "error": error, "text": text}


def notice_fields(rules: Rules, notice: Notice) -> Message:
    """A notice as a message key of the panel, with its parameters."""
    group = "refusal" if notice.key.isupper() else "notice"
    sides = (*(side.value for side in rules.scoring_sides), Side.PAIR.value)
    side = None if notice.side is None else sides[notice.side]
    return {"say": f"{group}.{notice.key}", "side": side, "word": notice.word}


def is_stale(message: Mapping[str, Any], *, seq: int, number: int, seq_names_a_game: bool) -> bool:
    """Whether a request was meant for another state than the newest.

    ``seq`` and ``number`` are those of the newest. A request without a number names the row alone,
    which a later game without rows shares with the game before: there it names no state.
    """
    if "number" not in message and not seq_names_a_game:
        return True
    newest, seen = (number, message["number"]) if "number" in message else (seq, message.get("seq"))
    # Compare the type too: true would be equal to 1.
    return type(seen) is not int or seen != newest


def clean_text(text: object, max_chars: int) -> str:
    """Client text as the journal stores it: one line without control characters."""
    if not isinstance(text, str):
        return ""
    words = "".join(each if each.isprintable() else " " for each in text[: 2 * max_chars]).split()
    return " ".join(words)[:max_chars].strip()
