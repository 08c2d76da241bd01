"""``scorer reset``: carries out a factory reset that the card or set-up asks for.

The order, which a power cut may end anywhere: the request is written beside the games' folder
(``pending``), the file that asked is renamed or deleted, then everything is deleted, then
``pending``. Without ``pending`` nothing is deleted; with it each start goes on deleting, before any
other program of the box runs. So a power cut leaves the box as before or reset, and no file resets
it twice. A card that cannot be written keeps its file, and nothing is deleted.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from scorer.api.reset_request import MENU_REQUEST, TOLD_DONE, TOLD_REFUSED
from scorer.backup import snapshot
from scorer.backup.options import BackupError, games_text
from scorer.config.page_file import FOLDER as PAGE_FOLDER
from scorer.config.sources import OWNER_FILE, store_directory
from scorer.config.toml_reader import read_optional
from scorer.ownership import give_to_owner_of, opened_folder
from scorer.records.game_log import GAME_KEYS
from scorer.store import epoch
from scorer.store.errors import StoreError
from scorer.store.file import FILE_NAME, sync_folder
from scorer.store.health import store_exists
from scorer.store.journal import Journal
from scorer.system.replace_text import replace_text
from scorer.system.wifi.joining import CONNECTIONS
from scorer.system.wifi.keyfile import FILE_NAME as JOINED
from scorer.system.wifi.own_network import OWN_FILE_NAME as OPENED

CARD_FOLDER = Path("/boot/firmware")
ASKS, DONE, REFUSED = "truco-reset.txt", "truco-reset-done.txt", "truco-reset-refused.txt"
STATE = Path("/var/lib/scorer-reset")
PENDING = "pending"
GAMES_TOO = "games"  # the word in the file of the card that has the games deleted too

EXAMPLE = """example:
  sudo scorer reset              what scorer-reset.service does with every start

A file truco-reset.txt in the first folder of the card asks for it: empty, or with the word games.

0: reset, or nothing was asked for; 1: refused, and nothing has changed."""


class ResetFolders(NamedTuple):
    """The folders of a box."""

    card: Path = CARD_FOLDER
    state: Path = STATE
    store: Path = Path("/var/lib/scorer")
    link: Path = Path("/var/lib/scorer-link")
    radio: Path = Path("/var/lib/scorer-radio")
    page: Path = PAGE_FOLDER
    caches: Path = Path("/var/cache")
    connections: Path = CONNECTIONS
    told: Path = Path("/run/scorer-reset")  # the outcome of this start, for the table


class RefusedError(Exception):
    """The reset is refused and nothing was deleted; the text says what to do."""


def main(argv: list[str]) -> int:
    """0: reset, or nothing was asked for; 1: refused, and nothing has changed."""
    parser = argparse.ArgumentParser(
        prog="scorer reset",
        description="Carry out a factory reset that the card or set-up asks for; games stay.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--config", type=Path, default=OWNER_FILE, metavar="FILE", help=f"({OWNER_FILE})"
    )
    parser.add_argument(
        "--root", type=Path, default=Path("/"), metavar="DIR", help="the box is mounted there (/)"
    )
    arguments = parser.parse_args(argv)
    store = store_directory(read_optional(arguments.config) or "").absolute()
    root: Path = arguments.root
    places = ResetFolders(*(root / path.relative_to("/") for path in ResetFolders(store=store)))
    try:
        told = reset(places)
    except RefusedError as error:
        _write_down(places.told / TOLD_REFUSED, [str(error)])
        sys.stderr.write(f"scorer reset: {error}\n")
        return 1
    except OSError as error:
        sys.stderr.write(f"scorer reset: not finished, the next start goes on: {error}\n")
        return 1
    if told:
        _write_down(places.told / TOLD_DONE, told)
    sys.stdout.writelines(f"deleted: {line}\n" for line in told)
    return 0


def reset(places: ResetFolders) -> list[str]:
    """Carry out the reset that is asked for; return what was deleted, by line.

    Raises RefusedError before anything is deleted, and OSError where the next call has to go on.
    """
    pending = places.state / PENDING
    if not pending.exists():
        games = _asked(places)
        if games is None:
            return []
        places.state.mkdir(parents=True, exist_ok=True)
        try:
            replace_text(pending, json.dumps({"games": games}))
        except OSError as error:
            raise RefusedError(f"{pending} cannot be written: {error.strerror}") from error
    has_games = json.loads(pending.read_text(encoding="utf-8"))["games"] is True
    _take_away(places, pending)
    told = list(_delete(places, has_games=has_games))
    _write_down(places.card / DONE, told)
    pending.unlink()
    return told


def _asked(places: ResetFolders) -> bool | None:
    """Whether the card or set-up asks to delete the games too; None: for no reset.

    A copy of games that go has been made then.
    """
    card = places.card / ASKS
    if card.exists():
        return _asked_by_card(places, card)
    menu = places.store / MENU_REQUEST
    if not menu.exists():
        return None
    with suppress(OSError, ValueError, AttributeError):
        asked = json.loads(menu.read_text(encoding="utf-8"))
        # Games that were played after the copy are in none: all of them stay then.
        return asked.get("games") is True and asked.get("row") == _newest_row(places)
    menu.unlink()
    raise RefusedError(f"{menu} was unreadable and is deleted: choose the reset in set-up again")


def _newest_row(places: ResetFolders) -> int | None:
    """The number of the newest row of the store; None if it cannot be read."""
    try:
        with Journal.open(places.store) as journal:
            return journal.last_seq()
    except StoreError:
        return None
    finally:
        _give_back(places.store)


def _asked_by_card(places: ResetFolders, card: Path) -> bool:
    words = card.read_text(encoding="utf-8", errors="replace").lower().split()
    if not words:
        return False
    try:
        if words != [GAMES_TOO]:
            found = " ".join(words)[:60]
            raise RefusedError(f"{ASKS} says {found!r}: leave it empty, or write {GAMES_TOO}")
        if store_exists(places.store):
            _copy_games(places)
    except RefusedError as error:
        # On a card that cannot be written, the log alone says it.
        with suppress(OSError):
            _write_down(places.card / REFUSED, [str(error)])
            card.unlink()
        raise
    return True


def _copy_games(places: ResetFolders) -> None:
    """A verified copy of all games on the card; only then may they go."""
    target = snapshot.dated_name(places.card)
    try:
        content = snapshot.take(places.store, target)
    except (BackupError, StoreError) as error:
        raise RefusedError(f"the games stay, they could not be copied first: {error}") from error
    sys.stdout.write(f"{target}: {games_text(content.games)}\n")


def _take_away(places: ResetFolders, pending: Path) -> None:
    """Rename the file that asks, or delete the request, before anything goes."""
    card = places.card / ASKS
    try:
        if card.exists():
            card.replace(places.card / DONE)
            sync_folder(places.card)
    except OSError as error:
        pending.unlink()
        refused = f"{card} cannot be renamed ({error.strerror}), so nothing was deleted"
        raise RefusedError(f"{refused}: the card is write-protected or damaged") from error
    (places.store / MENU_REQUEST).unlink(missing_ok=True)


def _delete(places: ResetFolders, *, has_games: bool) -> Iterator[str]:
    """Delete what a reset deletes; what is gone already is no fault. Raises OSError."""
    if has_games:
        _empty(places.store)
        yield "the games, with the choices of the box and the paired phones"
    else:
        yield _forget_choices(places.store)
    _empty(places.link)
    yield "the hall: token, keys and what waited to be sent"
    _empty(places.radio)
    yield "the keys of the button boxes over Wi-Fi"
    _empty(places.page)
    yield "what the settings page has saved"
    for folder in sorted(places.caches.glob("scorer-*")):
        _empty(folder)
    yield "the last good settings of each service"
    for name in (JOINED, OPENED):
        (places.connections / name).unlink(missing_ok=True)
    yield "the wireless networks with their passwords"


def _forget_choices(store: Path) -> str:
    """Remove the settings of the store but those of its games."""
    if (store / FILE_NAME).is_symlink():
        return "not the choices of the box and the phones: their file is a link"
    if not store_exists(store):
        return "no games were there, and no choices of the box"
    try:
        with Journal.open(store) as journal:
            for key in journal.settings().keys() - {epoch.KEY, *GAME_KEYS}:
                journal.remove_setting(key)
    except StoreError as error:
        return f"not the choices of the box and the phones, whose store cannot be read: {error}"
    finally:
        _give_back(store)
    return "the choices of the box, the names to choose from and the paired phones; games are kept"


def _give_back(store: Path) -> None:
    """Files that root has made belong to the owner of the folder again."""
    for path in store.iterdir():
        if path.is_file() and not path.is_symlink():
            give_to_owner_of(store, path)


def _empty(folder: Path) -> None:
    """Delete what is in a folder, which stays; links are not followed. Raises OSError."""
    if not folder.is_dir() or folder.is_symlink():
        return
    with opened_folder(folder) as handle:
        for name in [entry.name for entry in os.scandir(handle)]:
            found = os.stat(name, dir_fd=handle, follow_symlinks=False)
            if stat.S_ISDIR(found.st_mode):
                shutil.rmtree(name, dir_fd=handle)
            else:
                os.unlink(name, dir_fd=handle)
        os.fsync(handle)


def _write_down(path: Path, lines: list[str]) -> None:
    """Tell on the card what was done; a card that is full or missing is no fault."""
    with suppress(OSError):
        replace_text(path, "".join(f"{line}\n" for line in lines))
