"""[[hook]] of the owner's file: an address for the events of the table.

Imported only for a file with such a section. No message quotes an address or a secret: the address
of a webhook may be one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from string import Template
from typing import Annotated, Final, NamedTuple

from scorer.plain_values import SECRET, Count, Found, Like, Text

_ADDRESS: Final = re.compile(
    r"(https?)://(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]{1,253})(?::([0-9]{1,5}))?(/[!-~]{0,1000})?"
)
EVENTS: Final = ("call", "answer", "score", "game.over", "match.called", "match.over")
_EVENT: Final = r"call(\.[a-z_]{1,30})?|answer|score|game\.over|match\.called|match\.over"
_LIKE_EVENT: Final = f"is none of {', '.join(EVENTS)}, or one call such as call.truco"
# What a body may name, with values that any event may have.
SAMPLE: Final[Mapping[str, str]] = {
    "event": "call.truco",
    "device": "truco",
    "table": "7",
    "side": "A",
    "team": "A",
    "color": "FFAA00",
    "call": "truco",
    "points": "1",
    "match": "zonas-Z1-R1-M1",
}


class HookTarget(NamedTuple):
    """Where a hook sends to."""

    is_secure: bool
    host: str
    port: int
    path: str


class HookSection(NamedTuple):
    """An address, and the events that it gets.

    ``secret``: key of the header with the HMAC, "" for none. ``body``: JSON with ``$side`` and
    others in its texts, "" for the usual one. ``public``: the address may be outside of the
    private network.
    """

    address: Annotated[str, SECRET] = ""
    events: Annotated[tuple[Annotated[str, Like(_EVENT, _LIKE_EVENT)], ...], Count(1, 20)] = EVENTS
    secret: Annotated[str, Text(200, 0), SECRET] = ""
    body: Annotated[str, Text(4000, 0)] = ""
    public: bool = False

    @property
    def target(self) -> HookTarget:
        """The parts of the address. Raises ValueError."""
        found = _ADDRESS.fullmatch(self.address)
        port = int(found[3] or (443 if found[1] == "https" else 80)) if found else 0
        if found is None or not 1 <= port <= 65535:
            raise ValueError("is not like http://192.168.1.30/json/state")
        return HookTarget(found[1] == "https", found[2].strip("[]"), port, found[4] or "/")

    def wants(self, event: str) -> bool:
        """Whether it gets an event, such as ``call.truco``."""
        return any(event == each or event.startswith(f"{each}.") for each in self.events)

    def find_problems(self) -> Iterator[Found]:
        try:
            self.target  # noqa: B018 - raises
        except ValueError as error:
            yield "address", str(error)
        if self.body:
            try:
                json.loads(filled(self.body, SAMPLE))
            except (KeyError, ValueError) as error:
                words = ", ".join(f"${each}" for each in SAMPLE)
                yield "body", f"is no JSON in which {words} stand in texts: {error}"


def filled(body: str, values: Mapping[str, str]) -> str:
    """A body with these values in its texts. Raises KeyError or ValueError."""
    return Template(body).substitute({key: json.dumps(each)[1:-1] for key, each in values.items()})
