"""Messages of the desk's pages: actions, their roles, readers of fields."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Any, NamedTuple

from starlette.exceptions import HTTPException

from scorer.hub.passwords import ROLES
from scorer.hub.store.log import Author
from scorer.plain_values import OneLine, Range, WrongValues, reader_of

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
    found: int = _read(_NUMBER, key, message.get(key))
    return found


def numbers(message: Json, key: str) -> tuple[int, ...]:
    """Numbers; none if the list is missing. Raises HTTPException."""
    found: tuple[int, ...] = _read(_NUMBERS, key, message.get(key, []))
    return found


def named_tournament(message: Json) -> int:
    """The tournament of a message; 0: the first open one. Raises HTTPException."""
    return 0 if message.get("tournament") is None else number(message, "tournament")


def seen_of(message: Json) -> int | None:
    """The newest entry that the page shows, or None. Raises HTTPException."""
    return None if message.get("seen") is None else number(message, "seen")


def text(message: Json, key: str) -> str:
    """A text of one line; "" if it is missing. Raises HTTPException."""
    found: str = _read(_LINE, key, message.get(key, ""))
    return found


def texts(message: Json, key: str) -> tuple[str, ...]:
    """Texts of one line; none if the list is missing. Raises HTTPException."""
    found: tuple[str, ...] = _read(_LINES, key, message.get(key, []))
    return found


def boolean(message: Json, key: str) -> bool:
    """Raises HTTPException."""
    found: bool = _read(_BOOLEAN, key, message.get(key))
    return found


_NUMBER = reader_of(Annotated[int, Range(0)])
_NUMBERS = reader_of(tuple[Annotated[int, Range(0)], ...])
_LINE = reader_of(Annotated[str, OneLine(MAX_TEXT, 0)])
_LINES = reader_of(tuple[Annotated[str, OneLine(MAX_TEXT, 0)], ...])
_BOOLEAN = reader_of(bool)


def _read(reader: Callable[[object], Any], key: str, value: object) -> Any:  # noqa: ANN401
    try:
        return reader(value)
    except WrongValues as error:
        raise HTTPException(400, "; ".join(map(str, error.below(key)))) from None
