"""KiCad's own checks of the files, and the files for a manufacturer."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from hardware.board.files import BOARD, PROJECT, SCHEMATIC

VERSION = 9  # that the files are of; an older KiCad does not read them
GERBERS = "F.Cu,B.Cu,F.Mask,B.Mask,F.Paste,F.SilkS,B.SilkS,Edge.Cuts"


class KicadError(Exception):
    """A command of KiCad has failed; the message is what it printed."""


def command() -> list[str]:
    """kicad-cli, or the command in the variable KICAD; empty if there is none."""
    words = shlex.split(os.environ.get("KICAD", "") or "kicad-cli")
    return words if shutil.which(words[0]) else []


def lack() -> str:
    """Why KiCad cannot be used here; "" if it can."""
    if not command():
        return "kicad-cli is not installed"
    version = run("version").strip()
    if int(version.partition(".")[0]) < VERSION:
        return f"kicad-cli is of KiCad {version}, and the files of KiCad {VERSION}"
    return ""


def check(folder: Path) -> str:
    """The result of ERC and DRC. Raises KicadError for an error or a warning."""
    options = ("--severity-all", "--exit-code-violations")
    erc = run("sch", "erc", *options, "--output", folder / "erc.txt", SCHEMATIC)
    parity = ("--schematic-parity", *options)
    drc = run("pcb", "drc", *parity, "--output", folder / "drc.txt", BOARD)
    return "\n".join(line for line in (erc + drc).splitlines() if line.startswith("Found"))


def export(folder: Path) -> Iterator[Path]:
    """Gerbers with drill file, positions, drawings, a picture. Raises KicadError."""
    gerbers = folder / "gerbers"
    shutil.rmtree(gerbers, ignore_errors=True)
    gerbers.mkdir()
    run("pcb", "export", "gerbers", "--layers", GERBERS, "--output", f"{gerbers}/", BOARD)
    run("pcb", "export", "drill", "--output", f"{gerbers}/", BOARD)
    yield Path(shutil.make_archive(str(folder / f"{PROJECT}-gerbers"), "zip", gerbers))
    positions = folder / f"{PROJECT}-positions.csv"
    units = ("--format", "csv", "--units", "mm", "--side", "front", "--smd-only")
    run("pcb", "export", "pos", *units, "--output", positions, BOARD)
    yield positions
    drawing = folder / f"{PROJECT}-schematic.pdf"
    run("sch", "export", "pdf", "--output", drawing, SCHEMATIC)
    yield drawing
    assembly = folder / f"{PROJECT}-assembly.pdf"
    layers = ("--mode-single", "--black-and-white", "--layers", "F.Fab,F.SilkS,Edge.Cuts")
    run("pcb", "export", "pdf", *layers, "--output", assembly, BOARD)
    yield assembly
    picture = folder / f"{PROJECT}-top.png"
    run("pcb", "render", "--side", "top", "--output", picture, BOARD)
    yield picture


def run(*words: object) -> str:
    """What a command of KiCad prints. Raises KicadError."""
    line = [*command(), *map(str, words)]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    if done.returncode:
        raise KicadError(f"{shlex.join(line)}\n{done.stdout}{done.stderr}")
    return done.stdout
