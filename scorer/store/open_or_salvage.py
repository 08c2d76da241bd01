"""A store opened so that a table can go on with it, whatever the card has done to it.

What is damaged is salvaged, and whoever asked is told. It must never know what a row means: whether
a table can go on is for the caller to try.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from scorer.store.errors import StoreError
from scorer.store.journal import Journal
from scorer.store.salvage import Judge, Salvaged, everything, salvage


class Opened(NamedTuple):
    """An open journal; ``salvaged`` if rows had to be looked for first, or are lost."""

    journal: Journal
    salvaged: Salvaged | None


def open_sound(
    directory: Path, look: Callable[[Journal], object], judge: Judge = everything
) -> Opened:
    """The store in ``directory``, made if there is none, with which a table can go on.

    ``look`` reads what the table will read first; a StoreError, ValueError or KeyError of it means
    damage, and ``judge`` tells what is left of a game then. Raises StoreError.
    """
    try:
        return Opened(_looked_at(directory, look), None)
    except StoreError as error:
        if error.kind != "damaged":
            raise
    salvaged = salvage(directory, judge)
    return Opened(_looked_at(directory, look), salvaged)


def _looked_at(directory: Path, look: Callable[[Journal], object]) -> Journal:
    journal = Journal.open(directory)
    try:
        journal.settings()
        look(journal)
    except (ValueError, KeyError) as error:
        journal.close()
        raise StoreError("damaged", directory, str(error)) from error
    except BaseException:
        journal.close()
        raise
    return journal
