"""What the doctor says: one line a finding, in the language of the owner.

It knows words and nothing of what was looked at. ``ok``, ``look`` and ``bad`` are the same in every
language, so that a script and a person on the telephone mean the same line.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from scorer.i18n import Say


class Level(StrEnum):
    """How it is: fine, worth a look, broken."""

    OK = "ok"
    WARN = "look"
    FAIL = "bad"


class Finding(NamedTuple):
    """``key`` is "panel.silent"; its first part names the thing, ``name`` which of several."""

    level: Level
    key: str
    name: str = ""
    fields: Mapping[str, object] = {}

    @property
    def subject(self) -> str:
        return self.key.partition(".")[0]


def ok(key: str, name: str = "", **fields: object) -> Finding:
    return Finding(Level.OK, key, name, fields)


def warn(key: str, name: str = "", **fields: object) -> Finding:
    return Finding(Level.WARN, key, name, fields)


def fail(key: str, name: str = "", **fields: object) -> Finding:
    return Finding(Level.FAIL, key, name, fields)


def format_line(finding: Finding, say: Say) -> str:
    """The finding as a person reads it; always one line, whatever a device has said."""
    word = f"{say(f'doctor.word.{finding.subject}')} {finding.name}".strip()
    # A sentence of a device may be of several lines.
    sentence = " ".join(say(f"doctor.{finding.key}", **finding.fields).split())
    return f"{finding.level:4}  {word:13}  {sentence}"
