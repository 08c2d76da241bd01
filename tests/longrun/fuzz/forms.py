"""Fuzz the forms of the pages of a desk: any bytes as their body."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request

from scorer.hub import desk, desk_message
from scorer.tournament.entry_list import read_entries
from scorer.tournament.pasted_list import decoded
from tests.longrun.fuzz.limits import bounded
from tests.tournament.play import Played, built_in

TARGET = "form"
_READERS: tuple[Callable[[Any, str], object], ...] = (
    desk_message.number,
    desk_message.numbers,
    desk_message.text,
    desk_message.texts,
    desk_message.boolean,
)
_STATE = Played(built_in("swiss"), 4).state


def check(data: bytes) -> None:
    """Assert that every field is read or refused, and a list of teams reported."""
    with bounded():
        try:
            message = _message(data)
        except HTTPException as error:
            assert error.status_code in (400, 403, 413), error
            return
        for key, value in message.items():
            for reader in _READERS:
                try:
                    reader(message, key)
                except HTTPException as error:
                    assert error.status_code == 400 and error.detail.isprintable()
            if isinstance(value, str):
                found = read_entries(decoded(value.encode("utf-8", "replace")), _STATE)
                assert all(each.line > 0 for each in (*found.errors, *found.questions))


def _message(data: bytes) -> dict[str, Any]:
    """The message of a request of a page with this body."""

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": data, "more_body": False}

    headers = [(b"content-type", b"application/json"), (b"x-truco", b"1")]
    request = Request({"type": "http", "method": "POST", "headers": headers}, receive)
    reading = desk._message(request)
    try:
        reading.send(None)
    except StopIteration as ended:
        return dict(ended.value)
    raise AssertionError("it waits, though the body is there")
