"""The files of a season's evenings: from its folder, and from published sites."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from scorer.circuit.fetching import NotFetched
from scorer.circuit.season_file import is_address
from scorer.plain_values import json_object
from scorer.system.replace_text import replace_text

SITE_INDEX: Final = "tournaments.json"  # of the published site of a hall
COPIES: Final = "fetched"  # the folder of the copies of what was fetched
MOST_NAME: Final = 1000  # characters of a path or address
MOST_FILES: Final = 3000  # with the older revisions of evenings
Fetch = Callable[[str], bytes]  # raises NotFetched


class SourceFile(NamedTuple):
    """A file: its path below the folder of the season, or its address."""

    name: str
    data: bytes


class FetchedFiles:
    """Files of addresses, and a copy of each below the folder of the season."""

    def __init__(self, folder: Path, fetch: Fetch, *, is_offline: bool) -> None:
        """``is_offline``: the copies are taken, nothing is fetched."""
        self._folder, self._fetch, self._is_offline = folder / COPIES, fetch, is_offline
        self._new: dict[Path, bytes] = {}

    def fetch(self, address: str) -> bytes:
        """The file of an address. Raises NotFetched."""
        copy = self._folder / f"{sha256(address.encode()).hexdigest()[:16]}.json"
        if not self._is_offline:
            try:
                self._new[copy] = self._fetch(address)
            except NotFetched as error:
                more = "; with --offline its copy counts" if copy.exists() else ""
                raise NotFetched(f"{error}{more}") from None
            return self._new[copy]
        try:
            return copy.read_bytes()
        except FileNotFoundError:
            raise NotFetched("there is no copy of it; fetch it once without --offline") from None
        except OSError as error:
            raise NotFetched(f"its copy {copy} cannot be read: {error.strerror}") from None

    def keep(self) -> None:
        """Write the copies of what was fetched. Raises OSError."""
        for copy, data in self._new.items():
            copy.parent.mkdir(exist_ok=True)
            if not copy.exists() or copy.read_bytes() != data:
                replace_text(copy, data.decode("utf-8", "surrogateescape"))


class NoSource(NamedTuple):
    """Why a file, folder or address has no evening to read."""

    name: str
    text: str

    def __str__(self) -> str:
        return f"{self.name}: {self.text}"


def read_sources(
    folder: Path, named: tuple[str, ...], fetch: Fetch, most_bytes: int
) -> Iterator[SourceFile | NoSource]:
    """Each file of the season by its name; too many of them are a fault."""
    found: dict[str, Path | NoSource | None] = {}
    for name in named:
        if is_address(name):
            found |= _addresses(name, fetch)
        else:
            found |= _files(folder, name)
        if len(found) > MOST_FILES:
            text = f"the season has more than {MOST_FILES} files; part it in two seasons"
            yield NoSource(name, text)
            return
    for name in sorted(found):
        path = found[name]
        if isinstance(path, NoSource):
            yield path
        else:
            yield _read(name, path, fetch, most_bytes)


def _addresses(address: str, fetch: Fetch) -> dict[str, Path | NoSource | None]:
    """The address of a file; of a site, which ends with "/", those of its evenings."""
    if not address.endswith("/"):
        return {address: None}
    index = address + SITE_INDEX
    try:
        document = json_object(fetch(index))
    except NotFetched as error:
        return {index: NoSource(index, str(error))}
    listed = document.get("tournaments") if document else None
    if not isinstance(listed, list):
        text = f"it is no list of tournaments; a site of a hall has one, {SITE_INDEX}"
        return {index: NoSource(index, text)}
    files = (each.get("evening") for each in listed if isinstance(each, dict))
    # A file of the site itself, whatever the list says.
    named = (each for each in files if isinstance(each, str) and re.fullmatch(r"[\w.-]+", each))
    return {address + each: None for each in named}


def _files(folder: Path, name: str) -> dict[str, Path | NoSource | None]:
    """The file of a path, or all files ``*.json`` of a folder and the folders in it."""
    start = folder / name
    paths = [start]
    if start.is_dir():
        paths = []
        for each in start.rglob("*.json"):
            paths.append(each)
            if len(paths) > MOST_FILES:
                break
        if not paths:
            return {name: NoSource(name, "the folder has no file whose name ends with .json")}
    found: dict[str, Path | NoSource | None] = {}
    for path in paths:
        shown = str(path.relative_to(folder))
        found[shown] = _inside(folder, shown, path)
    return found


def _inside(folder: Path, name: str, path: Path) -> Path | NoSource:
    """The path, unless it or a link of it leaves the folder."""
    if not name.isprintable() or len(name) > MOST_NAME:
        return NoSource(name[:MOST_NAME], "its name cannot be written in a list; rename the file")
    try:
        real = path.resolve(strict=True)
    except FileNotFoundError:
        return NoSource(name, "there is no such file or folder")
    except (OSError, RuntimeError) as error:
        return NoSource(name, f"cannot be read: {error}")
    if not real.is_relative_to(folder.resolve()):
        return NoSource(name, "leaves the folder of the season; put the file itself there, no link")
    return path if real.is_file() else NoSource(name, "is no file")


def _read(name: str, path: Path | None, fetch: Fetch, most_bytes: int) -> SourceFile | NoSource:
    """The file at a path; without one the name is its address."""
    try:
        if path is None:
            return SourceFile(name, fetch(name))
        with path.open("rb") as file:
            return SourceFile(name, file.read(most_bytes + 1))
    except NotFetched as error:
        return NoSource(name, str(error))
    except OSError as error:
        return NoSource(name, f"cannot be read: {error.strerror}")
