"""A store opened so that a table can go on with it, whatever the card has done to it.

What is damaged is salvaged, what is old is carried over, and both are told to whoever asked. It
must never know what a row means: whether a table can go on is for the caller to try.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from scorer.store.errors import StoreError
from scorer.store.journal import Journal
from scorer.store.salvage import Judge, Salvaged, everything, salvage

_TIMES = 3  # an old store may be carried over, found damaged and salvaged


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
    told: Salvaged | None = None
    for _ in range(_TIMES):
        try:
            return Opened(_looked_at(directory, look), told)
        except StoreError as error:
            if error.kind not in ("damaged", "old"):
                raise
            wrong = error
        if wrong.kind == "damaged":
            told = salvage(directory, judge)
        else:
            # Its bits cannot be told from what was written; what the rules refuse is found later.
            carried = salvage(directory)
            told = carried if carried.lost else told
    raise wrong


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
