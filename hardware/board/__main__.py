"""``python -m hardware.board``: check the circuit board, write picture and parts.

Where kicad-cli is installed (or named by the variable KICAD), KiCad checks the board too, and
writes the files for a manufacturer.
"""

from __future__ import annotations

import sys
from pathlib import Path

from hardware.board import kicad
from hardware.board.copper import faults
from hardware.board.files import BOARD, FOLDER, SCHEMATIC, entries, read
from hardware.board.lists import bill_of_materials
from hardware.board.picture import picture

LIST = FOLDER / "parts.csv"
PICTURE = FOLDER.parents[1] / "docs" / "images" / "board.svg"


def main(out: Path) -> int:
    """Exit code 0: done; 1: the board has a fault, or files cannot be written."""
    board = read(BOARD)
    if problems := faults(board):
        print("\n".join(problems), file=sys.stderr)
        return 1
    try:
        LIST.write_text(bill_of_materials(entries(read(SCHEMATIC))), encoding="utf-8")
        PICTURE.write_text(picture(board), encoding="utf-8")
        if reason := kicad.lack():
            print(f"{reason}: no ERC, no DRC, no gerbers")
            return 0
        out.mkdir(parents=True, exist_ok=True)
        print(kicad.check(out))
        for path in kicad.export(out):
            print(path)
    except (OSError, kicad.KicadError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(Path("build/board").resolve()))
