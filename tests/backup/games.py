"""Stores with games that the rules accept, for the tests of this folder."""

from __future__ import annotations

from pathlib import Path

from scorer.rules import header_text
from scorer.store.journal import Journal, Stamp

BEGAN = Stamp("boot", 60_000, "2026-05-01T21:00:00+00:00", True)
ENDED = Stamp("boot", 960_000, "2026-05-01T21:15:00+00:00", True)
WON = ("A award 18",)
UNFINISHED = ("A truco", "B quiero", "A hand_won")
UNDONE = ("- undo",)


def header(name_a: str = "Los Pibes", name_b: str = "La Yunta") -> str:
    tags = (("Variant", "argentine"), ("Options", "target=18"))
    return header_text([*tags, ("NameA", name_a), ("NameB", name_b)])


def store_of(folder: Path, *games: tuple[str, ...], opens: str | None = None) -> Path:
    """A store with these games, each as its lines; closed like by a table that stops."""
    with Journal.open(folder) as journal:
        for lines in games:
            number = journal.newest_game() + 1
            journal.append(
                game=number, lines=lines[:1], source="A", stamp=BEGAN, opens=opens or header()
            )
            for line in lines[1:]:
                journal.append(game=number, lines=[line], source="phone Ana", stamp=ENDED)
    return folder


def games_in(folder: Path) -> int:
    """The number of games that a table finds there."""
    with Journal.open(folder) as journal:
        return len(list(journal.games()))
