"""Error replies, and cleaning of text sent by clients."""

from __future__ import annotations

from typing import Any

Message = dict[str, Any]


def error_reply(error: str, text: str) -> Message:
    """Error reply: a code for programs and a sentence for people."""
    return {"ok": False, "error": error, "text": text}


def clean_text(text: object, max_chars: int) -> str:
    """Client text as the journal stores it: one line without control characters."""
    if not isinstance(text, str):
        return ""
    words = "".join(each if each.isprintable() else " " for each in text[: 2 * max_chars]).split()
    return " ".join(words)[:max_chars].strip()
