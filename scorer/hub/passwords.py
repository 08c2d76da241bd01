"""Passwords of the desk (scrypt), and the cookies of who is logged in."""

from __future__ import annotations

import hashlib
import hmac
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from collections.abc import Mapping
from typing import NamedTuple

ROLES = ("spectator", "desk", "director", "admin")  # each may do what those before it may
MOST_NAME_CHARS = 80  # of the name of a person, as the database keeps it
LEAST_CHARS = 8
MOST_CHARS = 200
SESSION_SECONDS = 16 * 3600.0  # one day of a tournament
_COST, _BLOCK, _PARALLEL = 2**14, 8, 1  # 16 MB, about 50 ms on a Pi 4
_UNKNOWN = "scrypt$" + "00" * 16 + "$" + "00" * 32


class Person(NamedTuple):
    """Who may use the desk."""

    name: str
    role: str
    password: str  # as ``hash_password`` gives it


class Login(NamedTuple):
    """Who is logged in."""

    name: str
    role: str


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


class Sessions:
    """Signed cookies, valid in every process until the password changes."""

    def __init__(self, key: str) -> None:
        """``key``: hexadecimal."""
        self._key = bytes.fromhex(key)

    def cookie_for(self, person: Person, now: float) -> str:
        """``now``: seconds since 1970."""
        content = json.dumps([person.name, int(now + SESSION_SECONDS)]).encode()
        return f"{urlsafe_b64encode(content).decode()}.{self._sign(content, person)}"

    def find(self, cookie: str, people: Mapping[str, Person], now: float) -> Login | None:
        """Who has this cookie, or None."""
        encoded, _, signature = cookie.partition(".")
        try:
            content = urlsafe_b64decode(encoded.encode("ascii", "replace"))
            name, until = json.loads(content)
        except (Base64Error, ValueError, TypeError, RecursionError):
            return None
        person = people.get(name) if isinstance(name, str) else None
        if person is None or not hmac.compare_digest(
            self._sign(content, person), signature.encode("ascii", "replace").decode("ascii")
        ):
            return None
        return Login(person.name, person.role) if now < until else None

    def _sign(self, content: bytes, person: Person) -> str:
        signed = content + b"\n" + person.role.encode() + b"\n" + person.password.encode()
        return hmac.new(self._key, signed, hashlib.sha256).hexdigest()
