"""The device tree overlays compile, and apply to the tree of every board.

The trees here are made of boards.lock: the labels and paths of the real ones. `make image` applies
the overlays to the real trees as well.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from image import kernel
from tests.paths import ROOT

OVERLAYS = ROOT / "image" / "overlays"
BOARDS = {
    name: dict(each.split("=") for each in found)
    for name, *found in map(str.split, kernel.read_list("boards.lock"))
}

pytestmark = pytest.mark.skipif(
    shutil.which("dtc") is None or shutil.which("fdtoverlay") is None,
    reason="needs dtc and fdtoverlay: apt install device-tree-compiler",
)


def run(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def compiled(source: Path, target: Path) -> Path:
    run("dtc", "-@", "-I", "dts", "-O", "dtb", "-o", str(target), str(source))
    return target


def tree_of(board: str, folder: Path) -> Path:
    """A tree with the labels of a board, and nothing else."""
    nodes: list[str] = []
    for label, path in BOARDS[board].items():
        *folders, last = path.strip("/").split("/")
        inner = f"{label}: {last} {{ }};"
        for each in reversed(folders):
            inner = f"{each} {{ {inner} }};"
        nodes.append(f"/ {{ {inner} }};")
    source = folder / "tree.dts"
    source.write_text("/dts-v1/;\n" + "\n".join(nodes), encoding="ascii")
    return compiled(source, folder / "tree.dtb")


def applied(board: str, overlay: str, folder: Path) -> Path:
    part = compiled(OVERLAYS / f"{overlay}.dts", folder / "overlay.dtbo")
    target = folder / "result.dtb"
    run("fdtoverlay", "-i", str(tree_of(board, folder)), "-o", str(target), str(part))
    return target


@pytest.mark.parametrize("line", kernel.read_list("boards.list"))
def test_the_overlay_of_a_board_switches_its_bus_and_button_on(line: str, tmp_path: Path) -> None:
    board, overlay = line.split()
    result = applied(board, overlay, tmp_path)
    bus = BOARDS[board]["rp1_i2c1" if overlay.endswith("pi5") else "i2c1"]
    assert run("fdtget", str(result), bus, "status").strip() == "okay"
    assert run("fdtget", str(result), bus, "clock-frequency").strip() == "400000"
    button = "/truco-power-button/shutdown"
    assert run("fdtget", str(result), button, "linux,code").strip() == "116"


@pytest.mark.parametrize("board", [name for name, labels in BOARDS.items() if "spi" in labels])
def test_a_panel_on_spi_can_be_switched_on(board: str, tmp_path: Path) -> None:
    result = applied(board, "truco-spi", tmp_path)
    bus = BOARDS[board]["spi"]
    assert run("fdtget", str(result), bus, "status").strip() == "okay"
    assert run("fdtget", str(result), f"{bus}/panel@0", "compatible").strip() == "rohm,dh2228fv"


def test_an_overlay_does_not_apply_to_a_board_without_its_bus(tmp_path: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError):
        applied("bcm2712-rpi-5-b", "truco", tmp_path)
