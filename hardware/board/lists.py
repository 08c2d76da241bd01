"""The list of parts to buy, from the schematic."""

from __future__ import annotations

import csv
import io
import re

from hardware.board.files import Entry


def bill_of_materials(entries: dict[str, Entry]) -> str:
    """A line for each kind of part, as CSV."""
    refs: dict[Entry, list[str]] = {}
    for ref in sorted(entries, key=_number):
        refs.setdefault(entries[ref], []).append(ref)
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(("References", "Quantity", "Value", "Package", "Description"))
    for entry, names in refs.items():
        table.writerow((" ".join(names), len(names), *entry))
    return text.getvalue()


def _number(ref: str) -> tuple[str, int]:
    letters, number = re.findall(r"\D+|\d+", ref)
    return letters, int(number)
