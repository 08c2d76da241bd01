"""The keys of the boxes, in a file that only this process may read."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from scorer.hw.serial.board_settings import KEY_BYTES
from scorer.hw.serial.radio_port import name_problem
from scorer.plain_values import json_object

FILE_NAME: Final = "keys.json"
_KEY = re.compile(f"[0-9a-f]{{{2 * KEY_BYTES}}}")


class KeyFileError(Exception):
    """The file cannot be read or written; the text says why, without a key."""


def parse_key(text: str) -> bytes:
    """The key from its hexadecimal digits. Raises ValueError, whose text has no key."""
    if not _KEY.fullmatch(text):
        raise ValueError(f"a key has {2 * KEY_BYTES} hexadecimal digits")
    return bytes.fromhex(text)


def read_keys(path: Path) -> dict[str, bytes]:
    """The keys by box; none if there is no file. Raises KeyFileError."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise KeyFileError(f"{path} cannot be read: {error}") from error
    values = json_object(text)
    if values is None or any(name_problem(name) for name in values):
        raise KeyFileError(f"{path} is no file of keys; delete it, and give each box a new key")
    try:
        return {name: parse_key(str(key)) for name, key in values.items()}
    except ValueError as error:
        raise KeyFileError(f"{path}: {error}") from None


def write_keys(path: Path, keys: Mapping[str, bytes]) -> None:
    """Replace the whole file: a power cut leaves one of both. Raises KeyFileError."""
    new = path.with_suffix(".new")
    text = json.dumps({name: keys[name].hex() for name in sorted(keys)}, indent=1) + "\n"
    try:
        handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        raise KeyFileError(f"{path} cannot be written: {error.strerror}") from error
