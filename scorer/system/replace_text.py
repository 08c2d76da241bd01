"""Replace a text file atomically, also on the FAT file system of a card."""

from __future__ import annotations

import os
from pathlib import Path


def replace_text(path: Path, text: str) -> None:
    """Write the file anew; a power cut leaves the old or the new one. Raises OSError."""
    fresh = path.with_name(f"{path.name}.new")
    with fresh.open("w", encoding="utf-8", errors="surrogateescape", newline="") as opened:
        opened.write(text)
        opened.flush()
        os.fsync(opened.fileno())
    fresh.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
