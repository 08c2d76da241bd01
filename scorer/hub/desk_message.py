"""Messages of the desk's pages: actions, their roles, readers of fields."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from starlette.exceptions import HTTPException

from scorer.hub.passwords import ROLES
from scorer.hub.store.log import Author

MAX_TEXT = 200  # characters

Json = dict[str, Any]


class DeskAction(NamedTuple):
    """What a request of the page does, and the least role for it.

    ``act`` returns what is added to the answer, or None.
    """

    role: str
    act: Callable[[Author, Json], Awaitable[Json | None]]


def require_role(author: Author, role: str) -> None:
    """Raises HTTPException unless the author may do what ``role`` may."""
    if ROLES.index(author.role) < ROLES.index(role):
        raise HTTPException(403, f"this needs the role {role}")


def number(message: Json, key: str) -> int:
    """Raises HTTPException."""
    value = message.get(key)
    if type(value) is not int or not 0 <= value < 2**62:
        raise HTTPException(400, f"{key} is a number")
    return value


def seen_of(message: Json) -> int | None:
    """The newest entry that the page shows, or None. Raises HTTPException."""
    return None if message.get("seen") is None else number(message, "seen")


def text(message: Json, key: str) -> str:
    """A text of one line; "" if it is missing. Raises HTTPException."""
    value = message.get(key, "")
    if not isinstance(value, str) or len(value) > MAX_TEXT or not value.isprintable():
        raise HTTPException(400, f"{key} is a text of one line")
    return value


def texts(message: Json, key: str) -> list[str]:
    """A list of texts of one line; [] if it is missing. Raises HTTPException."""
    values = message.get(key, [])
    if not isinstance(values, list):
        raise HTTPException(400, f"{key} is a list")
    return [text({key: each}, key) for each in values]


def boolean(message: Json, key: str) -> bool:
    """Raises HTTPException."""
    value = message.get(key)
    if not isinstance(value, bool):
        raise HTTPException(400, f"{key} is true or false")
    return value
