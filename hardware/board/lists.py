"""The list of parts to buy, from the schematic."""

from __future__ import annotations

import csv
import io
import re

from hardware.board.files import Entry

# Manufacturer and its number for one part of each value and package, so that a manufacturer can
# place the board; any part of the same value, package and description will do.
ORDER_NUMBERS = {
    ("100uF", "CP_Radial_D6.3_P2.5"): "Panasonic ECA-1EM101",
    ("1uF", "0805"): "Samsung CL21B105KBFNNNE",
    ("100nF", "0805"): "Yageo CC0805KRX7R9BB104",
    ("1N4148W", "SOD-123"): "Diodes Incorporated 1N4148W-7-F",
    ("0.25A", "1206"): "Littelfuse 1206L025YR",
    ("socket 2x20", "Socket_2x20"): "Samtec SSW-120-01-T-D",
    ("screw 8", "Screw_8_P2.54"): "Phoenix Contact MPT 0,5/8-2,54",
    ("screw 6", "Screw_6_P2.54"): "Phoenix Contact MPT 0,5/6-2,54",
    ("screw 4", "Screw_4_P2.54"): "Phoenix Contact MPT 0,5/4-2,54",
    ("XH 2", "XH_2"): "JST B2B-XH-A",
    ("XH 4", "XH_4"): "JST B4B-XH-A",
    ("XH 7", "XH_7"): "JST B7B-XH-A",
    ("BC817-40", "SOT-23"): "Nexperia BC817-40,215",
    ("470R", "0805"): "Yageo RC0805FR-07470RL",
    ("1k", "0805"): "Yageo RC0805FR-071KL",
    ("3k3", "0805"): "Yageo RC0805FR-073K3L",
    ("10k", "0805"): "Yageo RC0805FR-0710KL",
    ("SRV05-4", "SOT-23-6"): "Semtech SRV05-4.TCT",
}


def bill_of_materials(entries: dict[str, Entry]) -> str:
    """A line for each kind of part, as CSV. Raises KeyError without an order number."""
    refs: dict[Entry, list[str]] = {}
    for ref in sorted(entries, key=_number):
        refs.setdefault(entries[ref], []).append(ref)
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(("References", "Quantity", "Value", "Package", "Description", "Order number"))
    for entry, names in refs.items():
        number = ORDER_NUMBERS[entry.value, entry.package]
        table.writerow((" ".join(names), len(names), *entry, number))
    return text.getvalue()


def _number(ref: str) -> tuple[str, int]:
    letters, number = re.findall(r"\D+|\d+", ref)
    return letters, int(number)
