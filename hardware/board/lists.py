"""Lists of the board: parts to buy, netlist, settings of the project."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable

from hardware.board.circuit import Kind, Part, full_name, nets
from hardware.board.rules import CLEARANCE, EDGE, SIGNAL, VIA, VIA_DRILL
from hardware.board.sexpr import PROJECT, Item


def bill_of_materials(parts: Iterable[Part]) -> str:
    """A line for each kind of part, as CSV."""
    refs: dict[Kind, list[str]] = {}
    for part in parts:
        refs.setdefault(part.kind, []).append(part.ref)
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(("References", "Quantity", "Value", "Package", "Description"))
    for kind, names in refs.items():
        names.sort(key=_number)
        table.writerow((" ".join(names), len(names), kind.value, kind.footprint, kind.description))
    return text.getvalue()


def _number(ref: str) -> tuple[str, int]:
    letters = ref.rstrip("0123456789")
    return letters, int(ref.removeprefix(letters))


def netlist(parts: tuple[Part, ...]) -> tuple[Item, ...]:
    """In the format of KiCad."""
    pads = enumerate(nets(parts).items(), 1)
    return (
        "export", ("version", "E"), ("components", *map(_component, parts)),
        ("nets", *(_net(code, full_name(net), on) for code, (net, on) in pads)),
    )  # fmt: skip


def _component(part: Part) -> tuple[Item, ...]:
    package = ("footprint", f"board:{part.kind.footprint}")
    return ("comp", ("ref", part.ref), ("value", part.kind.value), package)


def _net(code: int, name: str, pads: Iterable[tuple[str, str]]) -> tuple[Item, ...]:
    nodes = (("node", ("ref", ref), ("pin", pad)) for ref, pad in pads)
    return ("net", ("code", str(code)), ("name", name), *nodes)


def project() -> str:
    """The rules that KiCad checks, as JSON."""
    rules = {
        "min_clearance": CLEARANCE,
        "min_copper_edge_clearance": EDGE,
        "min_track_width": SIGNAL,
        "min_via_diameter": VIA,
        "min_via_annular_width": (VIA - VIA_DRILL) / 2,
        "min_through_hole_diameter": VIA_DRILL,
        "min_hole_clearance": CLEARANCE,
        "min_hole_to_hole": 0.25,
        # A pad of a ground area on both layers is joined twice.
        "min_resolved_spokes": 1,
    }
    default = {
        "name": "Default",
        "clearance": CLEARANCE,
        "track_width": SIGNAL,
        "via_diameter": VIA,
        "via_drill": VIA_DRILL,
    }
    return json.dumps(
        {
            "board": {"design_settings": {"rules": rules}},
            "meta": {"filename": f"{PROJECT}.kicad_pro", "version": 3},
            "net_settings": {"classes": [default], "meta": {"version": 4}},
        },
        indent=2,
    )
