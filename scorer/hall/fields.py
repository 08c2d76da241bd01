"""Bounded reading of JSON messages; what is wrong comes back as one sentence."""

import json
from collections.abc import Callable
from typing import Annotated, Any, NamedTuple, ParamSpec, TypeVar

from scorer.plain_values import Like, Range, WrongValues, json_object, read, shown, wrong_value

VERSION = 1  # of link/v1
MAX_BODY = 256 * 1024  # bytes of a message

Json = dict[str, Any]
Number = Annotated[int, Range(0)]
Positive = Annotated[int, Range(1)]
_Parameters = ParamSpec("_Parameters")
_Message = TypeVar("_Message")


class Malformed(NamedTuple):
    """Why a message cannot be used, in one sentence."""

    text: str


def as_value(
    parse: Callable[_Parameters, _Message],
) -> Callable[_Parameters, _Message | Malformed]:
    """Let ``parse`` return Malformed instead of raising WrongValues."""

    def parsed(*args: _Parameters.args, **kwargs: _Parameters.kwargs) -> _Message | Malformed:
        try:
            return parse(*args, **kwargs)
        except WrongValues as error:
            return Malformed(str(error.problems[0]))

    parsed.__doc__ = parse.__doc__
    return parsed


def canonical(value: object) -> bytes:
    """JSON without spaces, with sorted keys, in ASCII: equal values give equal bytes."""
    return _ENCODER.encode(value).encode("ascii")


def hexadecimal(digits: int) -> Like:
    """The bound of a text of so many hexadecimal digits."""
    return Like(f"[0-9a-f]{{{digits}}}", f"is not {digits} hexadecimal digits")


def optional_hexadecimal(digits: int) -> Like:
    """The bound of a text that is empty or has so many hexadecimal digits."""
    return Like(f"([0-9a-f]{{{digits}}})?", f"is not {digits} hexadecimal digits")


def read_object(body: bytes) -> Json:
    """The JSON object of a body. Raises WrongValues."""
    if len(body) > MAX_BODY:
        raise wrong_value(f"a message has at most {MAX_BODY} bytes, not {len(body)}")
    message = json_object(body)
    if message is None:
        raise wrong_value("the message is not a JSON object")
    return message


def read_request(body: bytes) -> Json:
    """The JSON object of a request of this version. Raises WrongValues."""
    message = read_object(body)
    version = message.get("v")
    if version != VERSION or version is True:
        raise wrong_value(f"v is {VERSION}; another version of the program speaks {shown(version)}")
    return message


def read_message(kind: type[_Message], message: Json) -> _Message:
    """A message by the annotations of its fields; a newer program may add fields.

    Raises WrongValues.
    """
    return read(kind, message, skips_unknown=True)


# Made once: making an encoder costs as much as encoding a row.
_ENCODER = json.JSONEncoder(
    ensure_ascii=True, allow_nan=False, sort_keys=True, separators=(",", ":")
)
