"""Open a store for a table, salvaging it first if it is damaged."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from scorer.store.errors import StoreError
from scorer.store.journal import Journal
from scorer.store.salvage import CountValidRows, SalvageResult, count_all_rows, salvage

# Folder beside a store of a newer program, with the games that an older one plays meanwhile.
BESIDE = "beside"
MAX_SALVAGES = 2  # a card may damage the salvaged store while it is written


class OpenedStore(NamedTuple):
    """An open journal; ``salvaged`` if the store was damaged, with what is lost."""

    journal: Journal
    salvaged: SalvageResult | None


def open_or_salvage(
    directory: Path,
    read_first: Callable[[Journal], object],
    count_valid: CountValidRows = count_all_rows,
) -> OpenedStore:
    """Open the store in ``directory``; create it if it is missing.

    ``read_first`` reads what the table reads first; a StoreError ("damaged") or KeyError in it
    triggers salvage, where ``count_valid`` returns how many rows of an incomplete game to keep. A
    StoreError ("future") leaves the store as it is. Raises StoreError.
    """
    salvaged: SalvageResult | None = None
    for _ in range(MAX_SALVAGES):
        try:
            return OpenedStore(_open_and_read(directory, read_first), salvaged)
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
    except KeyError as error:
        journal.close()
        raise StoreError("damaged", directory, str(error)) from error
    except BaseException:
        journal.close()
        raise
    return journal
