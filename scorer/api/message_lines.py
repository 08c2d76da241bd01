"""Messages of the sockets as lines of JSON."""

import json
from typing import Any

from scorer.api.request import Message


class Encoded(bytes):
    """A value of a message that is JSON already."""

    __slots__ = ()


def encode_value(value: object) -> bytes:
    """A value as JSON. Raises ValueError for what JSON lacks."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False).encode()


def encode_line(message: Message) -> bytes:
    """A message as a line; encoded values come last. Raises ValueError."""
    encoded = {key: value for key, value in message.items() if isinstance(value, Encoded)}
    line = encode_value({key: each for key, each in message.items() if key not in encoded})
    for key, value in encoded.items():
        start = line[:-1] + b", " if len(line) > len(b"{}") else line[:-1]
        line = b"%b%b: %b}" % (start, encode_value(key), value)
    return line + b"\n"


def decoded(message: Message) -> Message:
    """The message as its reader has it."""
    found: dict[str, Any] = json.loads(encode_line(message))
    return found
