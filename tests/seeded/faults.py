"""The seeded faults, and applying one to a tree."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import NamedTuple

FILE = Path(__file__).with_name("faults.toml")


class Fault(NamedTuple):
    """A change of a file that its test must find; ``old`` occurs once in it."""

    id: str
    what: str
    file: str
    old: str
    new: str
    test: str  # as pytest names it, from the root of the sources


class FaultError(Exception):
    """A fault that cannot be applied; the text says what to do."""


def faults() -> list[Fault]:
    """All faults, in the order of the file."""
    with FILE.open("rb") as file:
        return [Fault(**each) for each in tomllib.load(file)["fault"]]


def changed(fault: Fault, root: Path) -> str:
    """The text of its file with the fault. Raises FaultError."""
    path = root / fault.file
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    if (found := text.count(fault.old)) != 1:
        raise FaultError(
            f"{fault.id}: its old text occurs {found} times in {fault.file}; write in "
            f"{FILE.name} the place where that decision is made now"
        )
    return text.replace(fault.old, fault.new)
