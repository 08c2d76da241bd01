"""Why a folder outside the database lacks what the hub writes there."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import NamedTuple


class FolderFault(NamedTuple):
    """Why the newest result is not in a folder; ``why`` "": its disk does not answer."""

    folder: Path
    why: str
    is_full: bool = False


def fault_of(folder: Path, error: OSError) -> FolderFault:
    """What an error of the system says about a folder."""
    return FolderFault(folder, error.strerror or str(error), error.errno == errno.ENOSPC)
