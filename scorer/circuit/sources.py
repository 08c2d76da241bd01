"""The files of a season's evenings: from its folder, and from published sites."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from scorer.circuit.fetching import NotFetched
from scorer.circuit.season_file import is_address

MOST_FILES: Final = 3000  # with the older revisions of evenings
Fetch = Callable[[str], bytes]  # raises NotFetched


class Source(NamedTuple):
    """A file: its path below the folder of the season, or its address."""

    name: str
    data: bytes


class NoSource(NamedTuple):
    """Why a file, folder or address has no evening to read."""

    name: str
    text: str

    def __str__(self) -> str:
        return f"{self.name}: {self.text}"


def read_sources(
    folder: Path, named: tuple[str, ...], fetch: Fetch, most_bytes: int
) -> Iterator[Source | NoSource]:
    """Each file of the season, in the order of their names; too many of them are a fault."""
    found: dict[str, Path | NoSource | None] = {}
    for name in named:
        if is_address(name):
            found[name] = None
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
            yield _fetched(name, fetch) if path is None else _read(name, path, most_bytes)


def _fetched(address: str, fetch: Fetch) -> Source | NoSource:
    try:
        return Source(address, fetch(address))
    except NotFetched as error:
        return NoSource(address, str(error))


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
    try:
        real = path.resolve(strict=True)
    except FileNotFoundError:
        return NoSource(name, "there is no such file or folder")
    except (OSError, RuntimeError) as error:
        return NoSource(name, f"cannot be read: {error}")
    if not real.is_relative_to(folder.resolve()):
        return NoSource(name, "leaves the folder of the season; put the file itself there, no link")
    return path if real.is_file() else NoSource(name, "is no file")


def _read(name: str, path: Path, most_bytes: int) -> Source | NoSource:
    try:
        with path.open("rb") as file:
            return Source(name, file.read(most_bytes + 1))
    except OSError as error:
        return NoSource(name, f"cannot be read: {error.strerror}")
