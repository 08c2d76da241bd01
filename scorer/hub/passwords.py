"""Passwords of the desk (scrypt)."""

from __future__ import annotations

import hashlib
import hmac
from typing import NamedTuple

ROLES = ("spectator", "desk", "director", "admin")  # each may do what those before it may
MOST_NAME_CHARS = 80  # of the name of a person, as the database keeps it
LEAST_CHARS = 8
MOST_CHARS = 200
_COST, _BLOCK, _PARALLEL = 2**14, 8, 1  # 16 MB, about 50 ms on a Pi 4
_UNKNOWN = "scrypt$" + "00" * 16 + "$" + "00" * 32


class Person(NamedTuple):
    """Who may use the desk."""

    name: str
    role: str
    password: str  # as ``hash_password`` gives it


def hash_password(password: str, salt: str) -> str:
    """``salt``: 32 hexadecimal digits."""
    return f"scrypt${salt}${_derive(password, salt)}"


def is_password(password: str, known: str | None) -> bool:
    """Whether it is the one that ``known`` was made from; as slow without a person."""
    _, salt, derived = (known or _UNKNOWN).split("$")
    return hmac.compare_digest(_derive(password, salt), derived) and known is not None


def _derive(password: str, salt: str) -> str:
    text = password.encode("utf-8", "surrogatepass")
    derived = hashlib.scrypt(
        text, salt=bytes.fromhex(salt), n=_COST, r=_BLOCK, p=_PARALLEL, dklen=32
    )
    return derived.hex()
