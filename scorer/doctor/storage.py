"""What is kept: the configuration, the store, the room on its disk. Nothing is written.

With one exception, which has a name: ``salvaged`` puts a rescued store in the place of a damaged
one, because the owner asked for it.
"""

from __future__ import annotations

import os
import pwd
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from scorer.config.loader import Config
from scorer.config.owner_variants import VARIANTS_FOLDER
from scorer.config.sources import resolve, store_directory
from scorer.config.toml_reader import read_text
from scorer.doctor.findings import Finding, fail, ok, warn
from scorer.store import health
from scorer.store.errors import StoreError
from scorer.store.salvage import salvage

FULL_MB, TIGHT_MB = 10, 100  # MB left: too little for the log and a night, worth a word


class EffectiveConfig(NamedTuple):
    """The settings that hold, and what is to be said about them."""

    config: Config
    findings: tuple[Finding, ...]


def read_config(path: Path) -> EffectiveConfig:
    """The settings as the table would find them: the owner's file, and what was chosen on the box.

    Whatever is wrong, there are settings: the last good ones, else the defaults.
    """
    text, unread = _read_file(path)
    settled = resolve(
        text, None, _ReadOnlySettings(_read_settings(store_directory(text))), VARIANTS_FOLDER
    )
    wrong = [
        fail("config.line", line=problem.line, why=problem.sentence)
        if problem.line
        else fail("config.why", why=problem.sentence)
        for problem in settled.problems
    ]
    found = [*unread, *wrong] or [ok("config.fine", path=path)]
    return EffectiveConfig(settled.config, tuple(found))


def _read_file(path: Path) -> tuple[str, list[Finding]]:
    try:
        return read_text(path), []
    except FileNotFoundError:
        return "", [warn("config.none", path=path)]
    except OSError as error:
        return "", [fail("config.unreadable", path=path, why=error.strerror)]


def _read_settings(store: Path) -> dict[str, str]:
    # What is wrong with the store is told where the store's turn is.
    with suppress(StoreError):
        if health.store_exists(store):
            return health.read_settings(store)
    return {}


class _ReadOnlySettings:
    """Settings that are only read."""

    def __init__(self, settings: Mapping[str, str]) -> None:
        self._settings = dict(settings)

    def settings(self) -> dict[str, str]:
        return self._settings

    def set_setting(self, key: str, value: str) -> None:
        """A doctor changes nothing."""


def check_store(directory: Path, user: str) -> Iterator[Finding]:
    """Whether the store in ``directory`` is whole, has room and belongs to ``user``."""
    if directory.is_dir() and not os.access(directory, os.R_OK | os.X_OK):
        yield warn("store.forbidden", path=directory)
        return
    try:
        if not health.store_exists(directory):
            yield warn("store.none", path=directory)
            return
        health.check_integrity(directory)
        size, free = health.disk_space(directory)
    except StoreError as error:
        yield fail(f"store.{error.kind}", why=str(error))
    else:
        yield ok("store.fine", path=directory, size=kib(size))
        yield check_disk(free)
    yield from _check_owner(directory, user)


def _check_owner(directory: Path, user: str) -> Iterator[Finding]:
    """A store that was once opened by root cannot be written by the service any more."""
    try:
        wanted = pwd.getpwnam(user).pw_uid
    except KeyError:
        return  # no service here, whose user it would be
    strangers = [uid for uid in health.owner_uids(directory) if uid != wanted]
    if strangers:
        owner = ", ".join(map(_user_name, strangers))
        yield fail("store.owner", path=directory, owner=owner, user=user)


def _user_name(uid: int) -> str:
    with suppress(KeyError):
        return pwd.getpwuid(uid).pw_name
    return str(uid)


def check_disk(free: int) -> Finding:
    """Whether ``free`` bytes will do."""
    left = free // 1_000_000
    if left < FULL_MB:
        return fail("disk.full", free=left)
    return warn("disk.tight", free=left) if left < TIGHT_MB else ok("disk.fine", free=left)


def kib(size: int) -> int:
    """Bytes as KiB, rounded up."""
    return -(-size // 1024)


def salvage_store(directory: Path) -> Finding:
    """Rescues what a damaged store still holds."""
    try:
        done = salvage(directory)
    except StoreError as error:
        return fail(f"store.{error.kind}", why=str(error))
    games, kept, lost, aside = done
    return ok("store.salvaged", games=games, kept=kept, lost=lost, aside=aside)
