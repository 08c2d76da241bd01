"""``python -m hardware.board``: write the board; refuses one with a fault.

Where kicad-cli is installed (or named by the variable KICAD), it checks the files and writes those
for a manufacturer.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from hardware.board import kicad, pcb, schematic
from hardware.board.circuit import full_name, nets, parts
from hardware.board.copper import faults, stitched
from hardware.board.lists import bill_of_materials, netlist, project
from hardware.board.picture import picture
from hardware.board.placement import Placed, placed
from hardware.board.router import Wiring, route
from hardware.board.sexpr import PROJECT, dump


def main(argv: list[str]) -> int:
    """Exit code 0: done; 1: a fault, or files cannot be written; 2: usage error."""
    options = _parser().parse_args(argv)
    there = placed()
    try:
        wiring = stitched(there, route(there))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    if problems := faults(there, wiring):
        print("\n".join(problems), file=sys.stderr)
        return 1
    folder = options.out.resolve()
    try:
        for name, text in files(there, wiring):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        print(folder)
        return _checked(folder)
    except OSError as error:
        print(f"cannot write to {options.out}: {error}", file=sys.stderr)
        return 1


def files(there: Sequence[Placed], wiring: Wiring) -> Iterator[tuple[str, str]]:
    """The name and the text of each file that needs no KiCad."""
    yield f"{PROJECT}.kicad_pro", project()
    yield f"{PROJECT}.kicad_sch", dump(schematic.schematic())
    yield f"{PROJECT}.kicad_pcb", dump(pcb.board(there, wiring, schematic.paths()))
    yield "board.kicad_sym", dump(schematic.library())
    for name, content in pcb.library():
        yield f"board.pretty/{name}.kicad_mod", dump(content)
    for table, kind in (("sym", "kicad_sym"), ("fp", "pretty")):
        uri = ("uri", f"${{KIPRJMOD}}/board.{kind}")
        library = ("lib", ("name", "board"), ("type", "KiCad"), uri, ("options", ""), ("descr", ""))
        yield f"{table}-lib-table", dump((f"{table}_lib_table", ("version", 7), library))
    yield f"{PROJECT}.net", dump(netlist(parts()))
    yield f"{PROJECT}-parts.csv", bill_of_materials(parts())
    yield f"{PROJECT}.svg", picture(there, wiring)


def _checked(folder: Path) -> int:
    if not kicad.command():
        print("kicad-cli is not installed: no ERC, no DRC, no gerbers")
        return 0
    try:
        print(kicad.check(folder))
        expected = {full_name(net): set(pads) for net, pads in nets(parts()).items()}
        if kicad.nets_of_schematic(folder) != expected:
            print("the schematic has other nets than the board", file=sys.stderr)
            return 1
        for path in kicad.export(folder):
            print(path)
    except kicad.KicadError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m hardware.board", description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("build/board"), metavar="DIR")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
