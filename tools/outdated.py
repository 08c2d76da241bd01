"""Compare the locked libraries with the newest versions in the package index.

`python -m tools.outdated` covers the libraries of the Debian package (packaging/libraries.txt),
those of `make setup` (requirements/), and Python for the table in a web page. A version counts as
the newest if nothing newer is allowed by pyproject.toml and by the libraries that are installed
here.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from tools.browser.runtime import PACKAGE, VERSION

ROOT = Path(__file__).resolve().parent.parent
LOCKS = ("packaging/libraries.txt", "requirements/all.txt")  # the second has all others
PYTHONS = ("3.11", "3.13")
_PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^ \\;]+)(?: *; *([^\\]+?))? *\\?$", re.MULTILINE)
_AT_ONCE = 8  # queries; each waits for the index

# Takes a name and a Python version; returns the published versions, none if the index is silent.
FindVersions = Callable[[str, str], list[Version]]


class Pin(NamedTuple):
    """One line of a lock: a library, its version, and the Python it is for."""

    lock: str
    name: str
    version: Version
    python: str


class Row(NamedTuple):
    """A pin beside the newest version, and the newest that is allowed; None: unknown."""

    pin: Pin
    newest: Version | None
    allowed: Version | None

    @property
    def is_newest(self) -> bool:
        """Whether nothing newer may be taken."""
        return self.allowed is not None and self.pin.version >= self.allowed

    @property
    def verdict(self) -> str:
        if self.allowed is None:
            return "unknown: the index does not answer"
        if not self.is_newest:
            return f"behind: {self.allowed}"
        held = self.newest is not None and self.newest > self.pin.version
        return f"held back: {self.newest} is not allowed" if held else "newest"


def main() -> int:
    """0: nothing is behind; 1: something is, or the index does not answer."""
    pins = [pin for lock in LOCKS for pin in read_pins(lock, (ROOT / lock).read_text("utf-8"))]
    allowed = allowed_versions(requirements())
    rows = [*compare(pins, allowed, versions_in_index), runtime_row(versions_on_npm)]
    print(table(rows))
    passed = sum(row.is_newest for row in rows)
    print(f"{passed} passed, {len(rows) - passed} failed")
    return int(passed < len(rows))


def read_pins(lock: str, text: str) -> Iterator[Pin]:
    """The pins of a lock, each with the oldest Python of ours that it is for."""
    for name, version, condition in _PIN.findall(text):
        marker = Marker(condition) if condition else None
        for python in PYTHONS:
            full = {"python_version": python, "python_full_version": f"{python}.0"}
            if marker is None or marker.evaluate(full):
                yield Pin(lock, canonicalize_name(name), Version(version), python)
                break


def requirements() -> Iterator[Requirement]:
    """What the project and every installed library require."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    for line in (*project["dependencies"], *(each for extra in extras for each in extra)):
        yield Requirement(line)
    for distribution in metadata.distributions():
        for line in distribution.requires or ():
            found = Requirement(line)
            if found.marker is None or found.marker.evaluate({"extra": ""}):
                yield found


def allowed_versions(found: Iterable[Requirement]) -> dict[str, SpecifierSet]:
    """The versions that all requirements together allow, by name."""
    allowed: dict[str, SpecifierSet] = {}
    for each in found:
        name = canonicalize_name(each.name)
        allowed[name] = allowed.get(name, SpecifierSet()) & each.specifier
    return allowed


def compare(pins: Sequence[Pin], allowed: dict[str, SpecifierSet], find: FindVersions) -> list[Row]:
    """A row for each pin."""
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        published = pool.map(lambda pin: find(pin.name, pin.python), pins)
        return [
            Row(pin, _newest(versions), _newest(allowed.get(pin.name, _ANY).filter(versions)))
            for pin, versions in zip(pins, published, strict=True)
        ]


_ANY = SpecifierSet()


def _newest(versions: Iterable[Version]) -> Version | None:
    return max(versions, default=None)


def versions_in_index(name: str, python: str) -> list[Version]:
    """Ask pip, which knows the index of this machine."""
    command = [sys.executable, "-m", "pip", "index", "versions", name]
    command += ["--python-version", python, "--disable-pip-version-check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.search(r"^Available versions: (.+)$", done.stdout, re.MULTILINE)
    return list(_parsed(found[1].split(", "))) if found else []


def runtime_row(find: Callable[[str], list[Version]]) -> Row:
    """Python for the table in a web page; every newer version is allowed."""
    pin = Pin("tools/browser/package.json", PACKAGE, Version(VERSION), "")
    newest = _newest(each for each in find(PACKAGE) if not each.is_prerelease)
    return Row(pin, newest, newest)


def versions_on_npm(name: str) -> list[Version]:
    """Ask npm, which knows the registry of this machine; none without it."""
    command = ["npm", "view", name, "versions", "--json"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return list(_parsed(json.loads(done.stdout or "[]")))
    except (OSError, ValueError):
        return []


def _parsed(texts: Iterable[str]) -> Iterator[Version]:
    """The versions among the texts; old libraries have some that are none."""
    for text in texts:
        with suppress(InvalidVersion):
            yield Version(text)


def table(rows: Sequence[Row]) -> str:
    """The rows as text, those that are behind last."""
    heads = ("lock", "library", "locked", "state")
    cells = [
        (row.pin.lock, row.pin.name, str(row.pin.version), row.verdict)
        for row in sorted(rows, key=lambda row: (not row.is_newest, row.pin))
    ]
    widths = [max(map(len, column)) for column in zip(heads, *cells, strict=True)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in (heads, *cells)
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
