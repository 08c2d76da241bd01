"""The file of the settings page: what an owner has saved in a browser.

It is a layer of its own, over the owner's file and the card's, under the choices of the box.
``scorer settings`` alone writes it: a JSON object that every service may read, and one more file
per section for its secrets, which only the service of that section may read. The first names the
others, so that replacing it makes all of a change valid at once.

A value that is wrong is left out with a message; it never stops a program.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from scorer.config.nested_values import merge_values, remove_value, set_value
from scorer.config.toml_reader import Problem, Values, find_unusable_values
from scorer.plain_values import Path as ValuePath
from scorer.plain_values import json_object

FOLDER: Final = Path("/var/lib/scorer-settings")  # StateDirectory= of scorer-settings.service
FILE_NAME: Final = "page.json"
LAYER: Final = "the settings page"
# The group that may read the secrets of a section: that of the service that uses them.
READERS: Final[Mapping[str, str]] = {"owner": "scorer", "link": "scorer-link"}
_MAX_BYTES = 256 * 1024
_REMEDY = "take it back on the settings page, or delete the file"


class PageSettings(NamedTuple):
    """The values of the page, by section, and the problems of its file.

    ``secrets``: the paths of those that are set, also where this process may not read them.
    """

    values: Mapping[str, Any] = {}
    problems: tuple[Problem, ...] = ()
    secrets: frozenset[ValuePath] = frozenset()

    @property
    def digest_text(self) -> str:
        """A text that differs for other values; "" without any."""
        return json.dumps(self.values, sort_keys=True) if self.values else ""


NO_PAGE: Final = PageSettings()


def read_page(folder: Path = FOLDER) -> PageSettings:
    """The values of the page; a file that cannot be read is a problem, and sets nothing."""
    file = folder / FILE_NAME
    try:
        text = _read(file)
    except FileNotFoundError:
        return NO_PAGE
    except OSError as error:
        return _unreadable(file, error.strerror or "error")
    found = json_object(text)
    if found is None or not _has_sections(values := found.get("values")):
        return _unreadable(file, "it is not as the settings page writes it")
    merged: dict[str, Any] = dict(values)
    secrets: set[ValuePath] = set()
    named = found.get("secrets")
    for section, entry in (named if isinstance(named, Mapping) else {}).items():
        keys = entry.get("keys") if isinstance(entry, Mapping) else None
        for key in keys if isinstance(keys, list) else ():
            secrets.add((section, *str(key).split(".")))
        # Only its own service may read it.
        with suppress(OSError, TypeError, KeyError):
            own = json_object(_read(folder / Path(entry["file"]).name)) or {}
            merged[section] = merge_values(merged.get(section, {}), own)
    return PageSettings(merged, secrets=frozenset(secrets))


def problem_of(sentence: str) -> Problem:
    """The problem of a value of the page that is left out."""
    return Problem(0, f"{LAYER}: {sentence}; {_REMEDY}")


def changed(
    values: Values, section: str, sets: Mapping[str, object], back: tuple[str, ...]
) -> dict[str, Any]:
    """The values with those of ``sets`` in ``section``, and without those of ``back``.

    Keys below a section of a section have a dot: "mqtt.broker".
    """
    own = json.loads(json.dumps(values.get(section, {})))
    for key, value in sets.items():
        set_value(own, key.split("."), value)
    for key in back:
        remove_value(own, key.split("."))
    kept = {name: each for name, each in values.items() if name != section}
    return {**kept, section: own} if own else kept


def save_page(folder: Path, values: Values) -> None:
    """Replace the file of the page by these values; a power cut leaves all or nothing.

    Raises OSError.
    """
    # Imported lazily: programs that only read need none of them.
    from scorer.config.config import secrets_in, without_secrets
    from scorer.system.replace_text import replace_text

    before = _named_files(folder)
    secrets: dict[str, dict[str, Any]] = {}
    for (section, *path), value in secrets_in(values).items():
        set_value(secrets.setdefault(section, {}), path, value)
    named: dict[str, object] = {}
    for section, own in secrets.items():
        name = _unused_name(section, before)
        keys = [".".join(path) for (of, *path) in secrets_in(values) if of == section]
        _write_secret(folder / name, json.dumps(own), READERS.get(section, ""))
        named[section] = {"file": name, "keys": keys}
    plain = {name: each for name, each in without_secrets(values).items() if each}
    text = json.dumps({"values": plain, "secrets": named}, indent=1)
    replace_text(folder / FILE_NAME, text)
    (folder / FILE_NAME).chmod(0o644)
    kept = {entry["file"] for entry in named.values() if isinstance(entry, dict)}
    for name in before - kept:
        (folder / name).unlink(missing_ok=True)


def _write_secret(file: Path, text: str, group: str) -> None:
    """Write a file that only root and ``group`` may read."""
    import grp

    fresh = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
    try:
        os.write(fresh, text.encode())
        # Without the group, as on a developer's machine, the file stays its owner's alone.
        with suppress(KeyError, PermissionError):
            os.fchown(fresh, -1, grp.getgrnam(group).gr_gid)
            os.fchmod(fresh, 0o640)
        os.fsync(fresh)
    finally:
        os.close(fresh)


def _named_files(folder: Path) -> set[str]:
    """The files of secrets that are there, also of a change that a power cut has ended."""
    return {path.name for path in folder.glob("*-[0-9]*.json")}


def _unused_name(section: str, taken: set[str]) -> str:
    number = 1
    while f"{section}-{number}.json" in taken:
        number += 1
    return f"{section}-{number}.json"


def _read(file: Path) -> str:
    with file.open("rb") as opened:
        return opened.read(_MAX_BYTES + 1).decode("utf-8", "replace")


def _has_sections(values: object) -> bool:
    is_plain = isinstance(values, dict) and all(isinstance(each, dict) for each in values.values())
    return is_plain and not any(find_unusable_values(values))  # type: ignore[arg-type]


def _unreadable(file: Path, why: str) -> PageSettings:
    sentence = f"{file} cannot be read ({why}); nothing of it counts: save again on the page"
    return PageSettings(problems=(Problem(0, f"{LAYER}: {sentence}, or delete the file"),))
