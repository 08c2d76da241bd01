"""Checks of the configuration, the store and its disk. They write nothing.

The exception is ``salvage_store``, which replaces a damaged store at the owner's request.
"""

from __future__ import annotations

import os
import pwd
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from scorer.config.config import Config
from scorer.config.owner_variants import VARIANTS_FOLDER
from scorer.config.page_file import FOLDER, NO_PAGE, read_page
from scorer.config.sources import (
    OWNER_FILE,
    config_lines,
    fall_back,
    origin,
    resolve,
    store_directory,
)
from scorer.config.toml_reader import read_text
from scorer.doctor.findings import Finding, fail, ok, warn
from scorer.doctor.machine import user_name
from scorer.records.replay import require_known_words
from scorer.store import health
from scorer.store.archive import NumberedGames
from scorer.store.errors import StoreError
from scorer.store.salvage import salvage
from scorer.system import card_image
from scorer.system.start_attempts import StartAttempts

FULL_MB, TIGHT_MB = 10, 100  # free MB: too little for the log and an evening; worth a warning


class EffectiveConfig(NamedTuple):
    """The effective settings, and findings about them."""

    config: Config
    findings: tuple[Finding, ...]
    has_language: bool = True  # a language was chosen, in a file or on the box
    lines: tuple[str, ...] = ()  # all values, as ``scorer check`` prints them


def read_config(path: Path, card: Path | None = None) -> EffectiveConfig:
    """Resolve the settings like the table.

    The owner's file, those of card and settings page, and choices made on the box. Invalid files
    still give settings: the last valid ones, else the defaults.
    """
    text, unread = _read_file(path)
    page = read_page(FOLDER) if path == OWNER_FILE else NO_PAGE
    card_text = None
    if card is not None:
        with suppress(OSError):
            card_text = read_text(card)
    if card_text is not None and not path.exists():
        path, unread = card or path, []
    store, stored = store_directory(text), dict[str, str]()
    # Problems of the store are reported by check_store.
    with suppress(StoreError):
        if health.store_exists(store):
            stored = health.read_settings(store)
    settings = _MemorySettings(stored)
    settled = resolve(text, card_text, settings, VARIANTS_FOLDER, page)
    wrong = [
        fail("config.line", line=problem.line, why=problem.sentence)
        if problem.line
        else fail("config.why", why=problem.sentence)
        for problem in settled.problems
    ]
    found = [*unread, *wrong] or [ok("config.fine", path=path)]
    attempts = StartAttempts(store, text, card_text, page.digest_text)
    if attempts.unfinished(settings):
        before = fall_back(settled, text, card_text, settings)
        if before.is_fallback:
            found.append(warn("config.unfinished", line=before.problems[-1].line))
    has_language = origin(settled, "table", "language") != "default"
    return EffectiveConfig(settled.config, tuple(found), has_language, tuple(config_lines(settled)))


def _read_file(path: Path) -> tuple[str, list[Finding]]:
    try:
        return read_text(path), []
    except FileNotFoundError:
        return "", [warn("config.none", path=path)]
    except OSError as error:
        return "", [fail("config.unreadable", path=path, why=error.strerror)]


class _MemorySettings:
    """Settings of which changes are not stored."""

    def __init__(self, settings: Mapping[str, str]) -> None:
        self._settings = dict(settings)

    def settings(self) -> dict[str, str]:
        return self._settings

    def set_setting(self, key: str, value: str) -> None:
        """Change the setting in memory: the doctor writes nothing."""
        self._settings[key] = value


def check_store(directory: Path, user: str) -> Iterator[Finding]:
    """Check that the store is intact, has free space and belongs to ``user``."""
    if directory.is_dir() and not os.access(directory, os.R_OK | os.X_OK):
        yield warn("store.forbidden", path=directory)
        return
    if directory.is_dir() and (kind := health.volatile_file_system(directory)):
        yield fail("disk.forgets", path=directory, kind=kind)
    try:
        if not health.store_exists(directory):
            yield warn("store.none", path=directory)
            return
        health.check_integrity(directory)
        with NumberedGames.open(directory) as store:
            require_known_words(store)
        size, free = health.disk_space(directory)
    except StoreError as error:
        yield fail(f"store.{error.kind}", why=str(error))
    else:
        yield ok("store.fine", path=directory, size=kib(size))
        yield check_disk(free)
    yield from _check_owner(directory, user)


def _check_owner(directory: Path, user: str) -> Iterator[Finding]:
    """Check the owner: files created by root cannot be written by the service."""
    try:
        wanted = pwd.getpwnam(user).pw_uid
    except KeyError:
        return  # the service is not installed
    strangers = [uid for uid in health.owner_uids(directory) if uid != wanted]
    if strangers:
        owner = ", ".join(map(user_name, strangers))
        yield fail("store.owner", path=directory, owner=owner, user=user)


def check_card(marker: Path = card_image.DAMAGED) -> Iterator[Finding]:
    """Report a card image that was found damaged."""
    if card_image.is_damaged(marker):
        yield fail("disk.damaged")


def check_disk(free: int) -> Finding:
    """Check whether ``free`` bytes are enough."""
    left = free // 1_000_000
    if left < FULL_MB:
        return fail("disk.full", free=left)
    return warn("disk.tight", free=left) if left < TIGHT_MB else ok("disk.fine", free=left)


def kib(size: int) -> int:
    """Bytes as KiB, rounded up."""
    return -(-size // 1024)


def salvage_store(directory: Path) -> Finding:
    """Salvage a damaged store."""
    try:
        done = salvage(directory)
    except StoreError as error:
        return fail(f"store.{error.kind}", why=str(error))
    games, kept, lost, aside = done
    return ok("store.salvaged", games=games, kept=kept, lost=lost, aside=aside)
