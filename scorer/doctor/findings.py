"""Findings of the doctor, formatted one per line in the owner's language.

``ok``, ``look`` and ``bad`` are the same in every language, for scripts and for help by telephone.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from scorer.i18n import Say


class Level(StrEnum):
    """The severity: fine, worth a look, broken."""

    OK = "ok"
    WARN = "look"
    FAIL = "bad"


class Finding(NamedTuple):
    """``key`` is e.g. "panel.silent".

    Its first part is the subject, ``name`` the instance.
    """

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
    """The finding as a single line."""
    word = f"{say(f'doctor.word.{finding.subject}')} {finding.name}".strip()
    # The message of a device may contain line breaks.
    sentence = " ".join(say(f"doctor.{finding.key}", **finding.fields).split())
    return f"{finding.level:4}  {word:13}  {sentence}"
