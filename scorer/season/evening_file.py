"""The file of an evening: canonical JSON with its digest and a signature.

Digest and signature are of the canonical JSON of the document without these two keys: JSON without
spaces, with sorted keys, in ASCII. A reader may so get the file in any layout.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from enum import StrEnum
from hashlib import sha256
from typing import Any, Final, NamedTuple

from scorer.hall.fields import canonical
from scorer.plain_values import WrongValues, shown
from scorer.season.evening import (
    VERSION,
    VERSION_KEY,
    Evening,
    evening_document,
    read_document,
)
from scorer.season.signing import is_signed_by, public_key_of, sign

MAX_BYTES: Final = 4_000_000
_MAX_PROBLEMS: Final = 10  # in one sentence
_DIGEST, _SIGNATURE = "digest", "signature"


class HallKey(NamedTuple):
    """A public key in hexadecimal, and the days of the evenings that it signs.

    ``since``, ``until``: the first and the last, such as ``2026-11-28``; "": any.
    """

    key: str
    since: str = ""
    until: str = ""


class EveningFault(StrEnum):
    """Why bytes are no evening that may be used."""

    TOO_LONG = "too_long"
    NO_JSON = "no_json"
    NO_EVENING = "no_evening"  # the file of something else
    VERSION = "version"
    UNSIGNED = "unsigned"
    ALTERED = "altered"  # not what the digest says
    SIGNATURE = "signature"  # not by the key that it names
    UNKNOWN_KEY = "unknown_key"
    KEY_DATE = "key_date"  # of a day for which the key is not
    FIELD = "field"


class EveningRefusal(NamedTuple):
    """Why bytes are no evening: a sentence that says what to do.

    ``key``: the public key that an UNKNOWN_KEY or KEY_DATE is about.
    """

    fault: EveningFault
    text: str
    key: str = ""


class SignedEvening(NamedTuple):
    """An evening that was read; ``digest``: of its document, 64 hexadecimal digits."""

    evening: Evening
    digest: str


def write_evening(evening: Evening, private_key: str) -> bytes:
    """The file of an evening; equal evenings and keys give equal bytes.

    Raises ValueError if the hall of the evening has another key.
    """
    if public_key_of(private_key) != evening.hall.key:
        raise ValueError("the evening names another key than the one that signs it")
    document = evening_document(evening)
    message = canonical(document)
    digest, signature = sha256(message).hexdigest(), sign(private_key, message)
    return canonical({**document, _DIGEST: digest, _SIGNATURE: signature}) + b"\n"


def read_evening(data: bytes, keys: Iterable[HallKey]) -> SignedEvening | EveningRefusal:
    """The evening of a file that one of these keys has signed."""
    document = _read_json(data)
    if isinstance(document, EveningRefusal):
        return document
    version = document.get(VERSION_KEY)
    if version is None:
        text = f"this is no file of an evening: it has no key {VERSION_KEY}; fetch evening.json"
        return EveningRefusal(EveningFault.NO_EVENING, text)
    if version != VERSION or version is True:
        text = (
            f"{VERSION_KEY} is {shown(version)}, this program reads {VERSION}; install a newer one"
        )
        return EveningRefusal(EveningFault.VERSION, text)
    digest, signature = document.pop(_DIGEST, None), document.pop(_SIGNATURE, None)
    if not _is_hexadecimal(digest, 64) or not _is_hexadecimal(signature, 128):
        text = "the file is not signed: export the evening again on its hub"
        return EveningRefusal(EveningFault.UNSIGNED, text)
    try:
        message = canonical(document)
    except RecursionError:
        return EveningRefusal(EveningFault.NO_JSON, "the file has too much in each other")
    if sha256(message).hexdigest() != digest:
        text = "the file was changed or damaged: its digest is another one; fetch it again"
        return EveningRefusal(EveningFault.ALTERED, text)
    try:
        evening = read_document(document)
    except WrongValues as error:
        problems = [*map(str, error.problems)]
        more = [f"and {len(problems) - _MAX_PROBLEMS} more"] if problems[_MAX_PROBLEMS:] else []
        text = "the file is wrong: " + "; ".join([*problems[:_MAX_PROBLEMS], *more])
        return EveningRefusal(EveningFault.FIELD, text)
    refusal = _find_wrong_key(evening, [*keys])
    if refusal is not None:
        return refusal
    if not is_signed_by(evening.hall.key, str(signature), message):
        text = "the signature is not that of the key in the file; ask the hall for the file again"
        return EveningRefusal(EveningFault.SIGNATURE, text, evening.hall.key)
    return SignedEvening(evening, str(digest))


def _find_wrong_key(evening: Evening, keys: Sequence[HallKey]) -> EveningRefusal | None:
    """Why the hall may not sign this evening; None: it may."""
    key, day = evening.hall.key, evening.date
    known = [each for each in keys if each.key == key]
    if not known:
        text = (
            f"the hall signs with {key}, which is no known key; ask the hall whether it is its own"
        )
        return EveningRefusal(EveningFault.UNKNOWN_KEY, text, key)
    if not any((each.since or day) <= day <= (each.until or day) for each in known):
        days = " or ".join(f"{each.since or '...'} to {each.until or '...'}" for each in known)
        text = f"the evening is of {day}, and its key signs those of {days}"
        return EveningRefusal(EveningFault.KEY_DATE, text, key)
    return None


def _read_json(data: bytes) -> dict[str, Any] | EveningRefusal:
    """The object of a file whose numbers are whole and whose keys are there once."""
    if len(data) > MAX_BYTES:
        text = f"the file has more than {MAX_BYTES} bytes: no evening has"
        return EveningRefusal(EveningFault.TOO_LONG, text)
    try:
        found = json.loads(
            data.decode(),
            object_pairs_hook=_object,
            parse_constant=_refuse_number,
            parse_float=_refuse_number,
        )
    except (ValueError, RecursionError) as error:
        why = str(error) if isinstance(error, _JsonFault) else type(error).__name__
        text = f"the file is no JSON of an evening ({why}): fetch it again"
        return EveningRefusal(EveningFault.NO_JSON, text)
    if isinstance(found, dict):
        return found
    return EveningRefusal(EveningFault.NO_EVENING, "this is no file of an evening: it is no object")


class _JsonFault(ValueError):
    """JSON that has several meanings; the text says which."""


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        raise _JsonFault("an object has a key twice")
    return values


def _refuse_number(text: str) -> Any:  # noqa: ANN401
    raise _JsonFault(f"{text[:20]} is no whole number")


def _is_hexadecimal(value: object, digits: int) -> bool:
    return isinstance(value, str) and re.fullmatch(f"[0-9a-f]{{{digits}}}", value) is not None
