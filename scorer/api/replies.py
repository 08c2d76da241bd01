"""How the table answers a program: no, and why; and a text of somebody else's as it is kept.

It knows neither requests nor the table.
"""

from __future__ import annotations

from typing import Any

Message = dict[str, Any]


def error_reply(error: str, text: str) -> Message:
    """No, and why: a word for programs and a sentence for people."""
    return {"ok": False, "error": error, "text": text}


def clean_text(text: object, max_chars: int) -> str:
    """A text of somebody else's as the journal keeps it: one line, without what moves a cursor."""
    if not isinstance(text, str):
        return ""
    words = "".join(each if each.isprintable() else " " for each in text[: 2 * max_chars]).split()
    return " ".join(words)[:max_chars].strip()
