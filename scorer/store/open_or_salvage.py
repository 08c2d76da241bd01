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
from scorer.store.salvage import CountValidRows, SalvageResult, count_all_rows, salvage


class OpenedStore(NamedTuple):
    """An open journal; ``salvaged`` if rows had to be looked for first, or are lost."""

    journal: Journal
    salvaged: SalvageResult | None


def open_or_salvage(
    directory: Path,
    read_first: Callable[[Journal], object],
    count_valid: CountValidRows = count_all_rows,
) -> OpenedStore:
    """The store in ``directory``, made if there is none, with which a table can go on.

    ``look`` reads what the table will read first; a StoreError, ValueError or KeyError of it means
    damage, and ``judge`` tells what is left of a game then. Raises StoreError.
    """
    try:
        return OpenedStore(_open_and_read(directory, read_first), None)
    except StoreError as error:
        if error.kind != "damaged":
            raise
    salvaged = salvage(directory, count_valid)
    return OpenedStore(_open_and_read(directory, read_first), salvaged)


def _open_and_read(directory: Path, read_first: Callable[[Journal], object]) -> Journal:
    journal = Journal.open(directory)
    try:
        journal.settings()
        read_first(journal)
    except (ValueError, KeyError) as error:
        journal.close()
        raise StoreError("damaged", directory, str(error)) from error
    except BaseException:
        journal.close()
        raise
    return journal
