"""The source of a row of the journal (docs/reference/socket.md#source).

A console, or for a request the sender and in brackets the user of its process: "tablet (hub)".
"""

from __future__ import annotations

MAX_USER_CHARS = 32  # as of useradd(8)


def with_user(sender: str, user: str) -> str:
    """The source of a request."""
    name = "".join(each for each in user if each.isprintable() and each not in "()")
    return f"{sender} ({name[:MAX_USER_CHARS]})"


def sender_of(source: str) -> str:
    """The source without the user; rows of older versions have none."""
    sender, bracket, user = source.rpartition(" (")
    return sender if bracket and user.endswith(")") else source
