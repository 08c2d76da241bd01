"""KiCad's own checks of the files, and the files for a manufacturer."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from hardware.board.sexpr import PROJECT, children, parse, value

GERBERS = "F.Cu,B.Cu,F.Mask,B.Mask,F.Paste,F.SilkS,B.SilkS,Edge.Cuts"


class KicadError(Exception):
    """A command of KiCad has failed; the message is what it printed."""


def command() -> list[str]:
    """kicad-cli, or the command in the variable KICAD; empty if there is none."""
    words = shlex.split(os.environ.get("KICAD", "") or "kicad-cli")
    return words if shutil.which(words[0]) else []


def check(folder: Path) -> str:
    """The result of ERC and DRC. Raises KicadError for an error or a warning."""
    schematic, board = _sources(folder)
    options = ("--severity-all", "--exit-code-violations")
    erc = _run("sch", "erc", *options, "--output", folder / "erc.txt", schematic)
    parity = ("--schematic-parity", *options)
    drc = _run("pcb", "drc", *parity, "--output", folder / "drc.txt", board)
    return "\n".join(line for line in (erc + drc).splitlines() if line.startswith("Found"))


def nets_of_schematic(folder: Path) -> dict[str, set[tuple[str, str]]]:
    """The nets with two pads or more that KiCad finds in the schematic."""
    path = folder / "kicad.net"
    _run("sch", "export", "netlist", "--output", path, _sources(folder)[0])
    return read_nets(path.read_text(encoding="utf-8"))


def read_nets(text: str) -> dict[str, set[tuple[str, str]]]:
    """The pads (reference, pad) of each net of a netlist; open pads are left out."""
    tree = parse(text)
    found: dict[str, set[tuple[str, str]]] = {}
    for net in (net for group in children(tree, "nets") for net in children(group, "net")):
        pads = {(value(node, "ref"), value(node, "pin")) for node in children(net, "node")}
        if len(pads) > 1:
            found[value(net, "name")] = pads
    return found


def export(folder: Path) -> Iterator[Path]:
    """Gerbers with drill file, positions, drawings, a picture. Raises KicadError."""
    schematic, board = _sources(folder)
    gerbers = folder / "gerbers"
    shutil.rmtree(gerbers, ignore_errors=True)
    gerbers.mkdir()
    _run("pcb", "export", "gerbers", "--layers", GERBERS, "--output", f"{gerbers}/", board)
    _run("pcb", "export", "drill", "--output", f"{gerbers}/", board)
    yield Path(shutil.make_archive(str(folder / f"{PROJECT}-gerbers"), "zip", gerbers))
    positions = folder / f"{PROJECT}-positions.csv"
    units = ("--format", "csv", "--units", "mm", "--side", "front", "--smd-only")
    _run("pcb", "export", "pos", *units, "--output", positions, board)
    yield positions
    drawing = folder / f"{PROJECT}-schematic.pdf"
    _run("sch", "export", "pdf", "--output", drawing, schematic)
    yield drawing
    assembly = folder / f"{PROJECT}-assembly.pdf"
    layers = ("--mode-single", "--black-and-white", "--layers", "F.Fab,F.SilkS,Edge.Cuts")
    _run("pcb", "export", "pdf", *layers, "--output", assembly, board)
    yield assembly
    picture = folder / f"{PROJECT}-top.png"
    _run("pcb", "render", "--side", "top", "--output", picture, board)
    yield picture


def _sources(folder: Path) -> tuple[Path, Path]:
    return folder / f"{PROJECT}.kicad_sch", folder / f"{PROJECT}.kicad_pcb"


def _run(*words: object) -> str:
    line = [*command(), *map(str, words)]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    if done.returncode:
        raise KicadError(f"{shlex.join(line)}\n{done.stdout}{done.stderr}")
    return done.stdout
