"""[link] and [link.mqtt] of the owner's file: the hub of a hall, and a broker.

Imported only for a file with such a section, so that other tables start faster. No message contains
a password or a key, not even an invalid one: messages go to a log and onto a panel.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final, NamedTuple, TypeVar

from scorer.config.toml_reader import SECRET
from scorer.hw.options import OptionsError, build
from scorer.rules.notation import shorten

HUB_PORT: Final = 8443
BROKER_PORT: Final = 1883
_ADDRESS = re.compile(r"(\[[0-9A-Fa-f:.]+(?:%\w+)?\]|[A-Za-z0-9._-]+)(?::(\d{1,5}))?")
_TOPIC = re.compile(r"[A-Za-z0-9_-]+(?:/[A-Za-z0-9_-]+)*")


_Section = TypeVar("_Section", bound="MqttSection | LinkSection")


class HostAddress(NamedTuple):
    """A host, and a port of it."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def parse_host(text: str, usual_port: int) -> HostAddress:
    """Parse "192.168.1.20:8443", "truco.local" or "[fe80::1]:8443". Raises ValueError."""
    found = _ADDRESS.fullmatch(text)
    port = int(found[2] or usual_port) if found else 0
    if found is None or not 1 <= port <= 65535:
        raise ValueError(f"is not like 192.168.1.20:{usual_port}")
    return HostAddress(found[1].strip("[]"), port)


@dataclass(frozen=True, slots=True)
class MqttSection:
    """A broker that gets the state; ``discovery``: Home Assistant's prefix or ""."""

    broker: str = ""
    user: str = ""
    password: str = field(default="", metadata=SECRET)
    topic: str = "truco"
    discovery: str = "homeassistant"

    def __post_init__(self) -> None:
        problems = _host_problems("broker", self.broker, BROKER_PORT)
        for key, topic in (("topic", self.topic), ("discovery", self.discovery)):
            if not _TOPIC.fullmatch(topic) and (topic or key == "topic"):
                problems.append(f"{key}: '{shorten(topic)}' is no topic like home/truco")
        if self.password and not self.user:
            problems.append("password: a password needs its user too")
        if problems:
            raise OptionsError(problems)


@dataclass(frozen=True, slots=True)
class LinkSection:
    """Where ``scorer link`` finds its hub, unless it remembers one.

    ``pin``: SHA-256 of the hub's certificate; ``key``: of a prepared card, it counts once.
    """

    hub: str = ""
    pin: str = ""
    key: str = field(default="", metadata=SECRET)
    mqtt: MqttSection = field(default_factory=MqttSection)

    def __post_init__(self) -> None:
        problems = _host_problems("hub", self.hub, HUB_PORT)
        if not re.fullmatch("(?:[0-9a-f]{64})?", self.pin):
            problems.append("pin: 64 hexadecimal digits, as `scorer hub cards` writes them")
        if not re.fullmatch("(?:[0-9a-f]{32})?", self.key):
            problems.append("key: 32 hexadecimal digits, as `scorer hub cards` writes them")
        if self.key and not (self.pin and self.hub):
            problems.append("key: a key needs the hub and its pin too")
        if problems:
            raise OptionsError(problems)


def parse_link(values: Mapping[str, Any]) -> LinkSection:
    """The section. Raises OptionsError with every problem, also those of [link.mqtt]."""
    problems: list[str] = []
    mqtt, broker = values.get("mqtt", {}), MqttSection()
    if not isinstance(mqtt, Mapping):
        problems.append("mqtt: is a section, write it as [link.mqtt]")
    else:
        try:
            broker = _build(MqttSection, mqtt)
        except OptionsError as error:
            problems += (f"mqtt.{problem}" for problem in error.problems)
    try:
        link = _build(LinkSection, {key: each for key, each in values.items() if key != "mqtt"})
    except OptionsError as error:
        raise OptionsError([*error.problems, *problems]) from None
    if problems:
        raise OptionsError(problems)
    return LinkSection(link.hub, link.pin, link.key, broker)


def _build(kind: type[_Section], values: Mapping[str, Any]) -> _Section:
    secrets = [each.name for each in fields(kind) if each.metadata == SECRET]
    wrong = [key for key in secrets if not isinstance(values.get(key, ""), str)]
    plain = {key: each for key, each in values.items() if key not in wrong}
    problems = [f"{key}: wants a text between quotes" for key in wrong]
    try:
        built = build(kind, plain)
    except OptionsError as error:
        raise OptionsError([*error.problems, *problems]) from None
    if problems:
        raise OptionsError(problems)
    return built


def _host_problems(key: str, text: str, usual_port: int) -> list[str]:
    if not text:
        return []
    try:
        parse_host(text, usual_port)
    except ValueError as error:
        return [f"{key}: '{shorten(text)}' {error}"]
    return []
