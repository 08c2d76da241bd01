"""Whether the system on a card was found to differ from its image."""

from __future__ import annotations

from pathlib import Path

DAMAGED = Path("/var/lib/truco/damaged")  # written by truco-check.service of the card image


def is_damaged(marker: Path = DAMAGED) -> bool:
    """Whether the system differed at the comparison, or was not written completely."""
    return marker.exists()
