"""[link] and [link.mqtt] of the owner's file: the hub of a hall, and a broker.

Imported only for a file with such a section, so that other tables start faster. No message contains
a password or a key, not even an invalid one: messages go to a log and onto a panel.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Annotated, Final, NamedTuple

from scorer.plain_values import SECRET, Found, Like
from scorer.rules.notation import shorten

HUB_PORT: Final = 8443
BROKER_PORT: Final = 1883
SECURE_BROKER_PORT: Final = 8883
# A label of a host name in DNS; scorer-hub-NAME is a user of the system: 31 characters at most.
HALL_NAME: Final = "[a-z](?:[a-z0-9-]{0,18}[a-z0-9])?"
_HALL = re.compile(f"(?:({HALL_NAME})@)?(.*)", re.DOTALL)
_ADDRESS = re.compile(r"(\[[0-9A-Fa-f:.]+(?:%\w+)?\]|[A-Za-z0-9._-]+)(?::(\d{1,5}))?")
_TOPIC = "[A-Za-z0-9_-]+(?:/[A-Za-z0-9_-]+)*"
_NO_TOPIC = "is no topic like home/truco"


class HostAddress(NamedTuple):
    """A host, and a port of it; ``hall``: which one of several at that port."""

    host: str
    port: int
    hall: str = ""

    def __str__(self) -> str:
        return f"{self.hall}@{self.place}" if self.hall else self.place

    @property
    def place(self) -> str:
        """The host and its port, without the hall."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def parse_host(text: str, usual_port: int) -> HostAddress:
    """Parse "192.168.1.20:8443", "truco.local" or "[fe80::1]:8443". Raises ValueError."""
    found = _ADDRESS.fullmatch(text)
    port = int(found[2] or usual_port) if found else 0
    if found is None or not 1 <= port <= 65535:
        raise ValueError(f"is not like 192.168.1.20:{usual_port}")
    return HostAddress(found[1].strip("[]"), port)


def parse_hub(text: str) -> HostAddress:
    """Parse the same of a hub, perhaps with its hall: "norte@halls.example:8443".

    Raises ValueError.
    """
    found = _HALL.fullmatch(text)
    assert found is not None  # it accepts every text
    return parse_host(found[2], HUB_PORT)._replace(hall=found[1] or "")


class MqttSection(NamedTuple):
    """A broker that gets the state; ``discovery``: Home Assistant's prefix or "".

    ``certificate``: a file in PEM with the authority, or the broker's own certificate; with it the
    connection is TLS, and the broker's name is checked.
    """

    broker: str = ""
    user: str = ""
    password: Annotated[str, SECRET] = ""
    topic: Annotated[str, Like(_TOPIC, _NO_TOPIC)] = "truco"
    discovery: Annotated[str, Like(f"(?:{_TOPIC})?", _NO_TOPIC)] = "homeassistant"
    certificate: str = ""

    @property
    def address(self) -> HostAddress:
        """Where the broker listens. Raises ValueError."""
        return parse_host(self.broker, SECURE_BROKER_PORT if self.certificate else BROKER_PORT)

    def find_problems(self) -> Iterator[Found]:
        yield from _host_problems(
            "broker", self.broker, partial(parse_host, usual_port=BROKER_PORT)
        )
        if self.certificate and not self.certificate.startswith("/"):
            path = shorten(self.certificate)
            yield "certificate", f"'{path}' is no whole path like /etc/scorer/broker.pem"
        if self.password and not self.user:
            yield "password", "a password needs its user too"


class LinkSection(NamedTuple):
    """Where ``scorer link`` finds its hub, unless it remembers one.

    ``hub``: as ``parse_hub`` reads it; ``pin``: SHA-256 of the hub's certificate;
    ``key``: of a prepared card, it counts once.
    """

    hub: str = ""
    pin: str = ""
    key: Annotated[str, SECRET] = ""
    mqtt: MqttSection = MqttSection()

    def find_problems(self) -> Iterator[Found]:
        yield from _host_problems("hub", self.hub, parse_hub)
        for key, digits, written in (("pin", 64, self.pin), ("key", 32, self.key)):
            if not re.fullmatch(f"(?:[0-9a-f]{{{digits}}})?", written):
                yield key, f"{digits} hexadecimal digits, as `scorer hub cards` writes them"
        if self.key and not (self.pin and self.hub):
            yield "key", "a key needs the hub and its pin too"


def _host_problems(key: str, text: str, parse: Callable[[str], HostAddress]) -> Iterator[Found]:
    if not text:
        return
    try:
        parse(text)
    except ValueError as error:
        yield key, f"'{shorten(text)}' {error}"
