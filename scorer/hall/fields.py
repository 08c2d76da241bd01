"""Bounded reading of JSON messages; what is wrong comes back as one sentence."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, NamedTuple, ParamSpec, TypeVar

VERSION = 1  # of link/v1
MAX_INTEGER = 2**62
MAX_BODY = 256 * 1024  # bytes of a message
_MAX_SHOWN = 40  # characters of a key or value in an error sentence

Json = dict[str, Any]
_Parameters = ParamSpec("_Parameters")
_Message = TypeVar("_Message")


class Malformed(NamedTuple):
    """Why a message cannot be used, in one sentence."""

    text: str


class Unreadable(ValueError):
    """Raised by the readers of fields; the parse functions return it as Malformed."""


def as_value(
    parse: Callable[_Parameters, _Message],
) -> Callable[_Parameters, _Message | Malformed]:
    """Let ``parse`` return Malformed instead of raising Unreadable."""

    def parsed(*args: _Parameters.args, **kwargs: _Parameters.kwargs) -> _Message | Malformed:
        try:
            return parse(*args, **kwargs)
        except Unreadable as error:
            return Malformed(str(error))

    parsed.__doc__ = parse.__doc__
    return parsed


def canonical(value: object) -> bytes:
    """JSON without spaces, with sorted keys, in ASCII: equal values give equal bytes."""
    return _ENCODER.encode(value).encode("ascii")


def read_object(body: bytes) -> Json:
    """The JSON object of a body. Raises Unreadable."""
    if len(body) > MAX_BODY:
        raise Unreadable(f"a message has at most {MAX_BODY} bytes, not {len(body)}")
    try:
        message = json.loads(body, parse_constant=_reject_constant)
    except (ValueError, RecursionError):
        raise Unreadable("the message is not JSON") from None
    if not isinstance(message, dict):
        raise Unreadable("the message is not a JSON object")
    return message


def read_request(body: bytes) -> Json:
    """The JSON object of a request of this version. Raises Unreadable."""
    message = read_object(body)
    version = message.get("v")
    if type(version) is not int or version != VERSION:
        raise Unreadable(f"v is {VERSION}; another version of the program speaks {shown(version)}")
    return message


def integer(message: Json, key: str, least: int = 0) -> int:
    return as_integer(message.get(key), key, least)


def optional_integer(message: Json, key: str, least: int = 0) -> int | None:
    return None if message.get(key) is None else integer(message, key, least)


def as_integer(value: object, key: str, least: int = 0) -> int:
    if type(value) is not int or not least <= value <= MAX_INTEGER:
        raise Unreadable(f"{key} is a number from {least} on, not {shown(value)}")
    return value


def text(message: Json, key: str, longest: int, *, may_be_empty: bool = False) -> str:
    return as_text(message.get(key), key, longest, may_be_empty=may_be_empty)


def as_text(value: object, key: str, longest: int, *, may_be_empty: bool = False) -> str:
    """A text that every database stores: no NUL and no half of a surrogate pair."""
    if not isinstance(value, str) or not (value or may_be_empty) or len(value) > longest:
        raise Unreadable(f"{key} is a text of at most {longest} characters, not {shown(value)}")
    if _UNSTORABLE.search(value):
        raise Unreadable(f"{key} has characters that cannot be stored")
    return value


def hexadecimal(message: Json, key: str, digits: int, *, may_be_empty: bool = False) -> str:
    value = message.get(key)
    if value == "" and may_be_empty:
        return ""
    if not isinstance(value, str) or len(value) != digits or not set(value) <= _HEX_DIGITS:
        raise Unreadable(f"{key} is {digits} hexadecimal digits, not {shown(value)}")
    return value


def boolean(message: Json, key: str) -> bool:
    return as_boolean(message.get(key), key)


def as_boolean(value: object, key: str) -> bool:
    if not isinstance(value, bool):
        raise Unreadable(f"{key} is true or false, not {shown(value)}")
    return value


def items(message: Json, key: str, most: int) -> list[Any]:
    return as_items(message.get(key), key, most)


def as_items(value: object, key: str, most: int) -> list[Any]:
    if not isinstance(value, list) or len(value) > most:
        raise Unreadable(f"{key} is a list of at most {most}")
    return value


def as_object(value: object, key: str) -> Json:
    if not isinstance(value, dict):
        raise Unreadable(f"{key} is an object, not {shown(value)}")
    return value


def shown(value: object) -> str:
    """``value`` in an error sentence: short, printable, without descending into it."""
    if value is None:
        return "nothing"
    if isinstance(value, (dict, list)):
        return "a list" if isinstance(value, list) else "an object"
    printed = ascii(value) if not isinstance(value, int) or abs(value) < 2**64 else "a huge number"
    return printed if len(printed) <= _MAX_SHOWN else f"{printed[:_MAX_SHOWN]}..."


_HEX_DIGITS = frozenset("0123456789abcdef")
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
# Made once: making an encoder costs as much as encoding a row.
_ENCODER = json.JSONEncoder(
    ensure_ascii=True, allow_nan=False, sort_keys=True, separators=(",", ":")
)


def _reject_constant(name: str) -> None:
    raise ValueError(name)
