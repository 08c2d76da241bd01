"""``make release``: the files for people without Linux."""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pypdfium2
import pytest

from hardware.board import kicad
from tests.paths import ROOT
from tools.release import artefacts

COMMIT = 1790000000  # 2026-09-21 14:13:20


@pytest.fixture(autouse=True)
def time_of_the_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(COMMIT))


def names(archive: Path) -> list[str]:
    with zipfile.ZipFile(archive) as packed:
        return packed.namelist()


# ---- labels --------------------------------------------------------------------------------------


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """One language and two trucos, in place of all."""
    monkeypatch.setattr(artefacts, "languages", lambda: ("pt-BR",))
    monkeypatch.setattr(artefacts, "built_in_ids", lambda: ("mineiro", "venezuelan"))


@pytest.mark.sampled(0)
@pytest.mark.usefixtures("few")
def test_labels_and_cards_are_printed_from_the_archive(tmp_path: Path) -> None:
    archive = tmp_path / "truco-labels-1.zip"
    artefacts.write_labels(archive)
    sheets = ("cards/mineiro", "cards/venezuelan", "compact", "full", "keypad")
    assert names(archive) == [f"truco-labels-1/pt-BR/{sheet}.pdf" for sheet in sheets]
    with zipfile.ZipFile(archive) as packed:
        card = packed.read("truco-labels-1/pt-BR/cards/mineiro.pdf")
        times = {entry.date_time for entry in packed.infolist()}
    with pypdfium2.PdfDocument(io.BytesIO(card)) as document:
        pages = [page.get_textpage().get_text_range() for page in document]
    assert len(pages) == 2, "the full and the compact layout"
    assert all("Truco mineiro" in page and "doze" in page for page in pages)
    assert times == {(2026, 9, 21, 14, 13, 20)}


# ---- board ---------------------------------------------------------------------------------------


def kicad_that_is(version: str, folder: Path) -> str:
    program = folder / "kicad"
    program.write_text(f"#!/bin/sh\necho {version}\n", encoding="utf-8")
    program.chmod(0o755)
    return str(program)


@pytest.mark.parametrize(
    ("version", "why"),
    [
        ("", "kicad-cli is not installed"),
        ("7.0.11", "kicad-cli is of KiCad 7.0.11, and the files of KiCad 9"),
    ],
)
def test_without_kicad_the_list_of_parts_is_there_and_the_reason_told(
    version: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = kicad_that_is(version, tmp_path) if version else "no-such-program"
    monkeypatch.setenv("KICAD", program)
    told = artefacts.write_board(tmp_path, "board-1")
    assert told == [f"gerbers, positions and drawings of the board: {why}"]
    parts = (tmp_path / "board-1-parts.csv").read_bytes()
    assert parts == (ROOT / "hardware" / "board" / "parts.csv").read_bytes()


@pytest.mark.skipif(bool(kicad.lack()), reason=kicad.lack() or "-")
def test_what_a_manufacturer_of_the_board_needs_is_the_same_each_time(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("a", "b")]
    for folder in folders:
        folder.mkdir()
        assert artefacts.write_board(folder, "board-1") == []
    made = {path.name: path.read_bytes() for path in folders[0].iterdir()}
    assert sorted(made) == [
        "board-1-assembly.pdf",
        "board-1-gerbers.zip",
        "board-1-parts.csv",
        "board-1-positions.csv",
        "board-1-schematic.pdf",
    ]
    assert {"truco-board-F_Cu.gtl", "truco-board.drl"} <= {
        *names(folders[0] / "board-1-gerbers.zip")
    }
    assert made == {path.name: path.read_bytes() for path in folders[1].iterdir()}


@pytest.mark.parametrize(
    "line",
    [
        "%TF.CreationDate,{}-{}-{}T{}:{}:{}+00:00*%",
        "G04 Created by KiCad (PCBNEW 9.0.2) date {}-{}-{} {}:{}:{}*",
        '    "CreationDate": "{}-{}-{}T{}:{}:{}+00:00"',
        "; DRILL file {{KiCad 9.0.2}} date {}-{}-{}T{}:{}:{}+0000",
        "/CreationDate (D:{}{}{}{}{}{})",
    ],
)
def test_the_time_in_a_file_of_kicad_is_that_of_the_commit(line: str) -> None:
    now, commit = ("2027", "01", "02", "03", "04", "05"), ("2026", "09", "21", "14", "13", "20")
    drawn = b"\nX20270102Y20270102030405D02*\n"
    made = artefacts._with_our_time(line.format(*now).encode() + drawn)
    assert made == line.format(*commit).encode() + drawn


# ---- case ----------------------------------------------------------------------------------------


@pytest.mark.sampled(0)
def test_without_the_library_of_solids_the_plates_are_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(artefacts, "_install", lambda target: f"no network for {target}")
    told = artefacts.write_case(tmp_path / "case-1.zip")
    assert told == ["solids of the case: no network for case"]
    assert names(tmp_path / "case-1.zip") == [
        f"case-1/button-{size}/{box}-{layout}.{kind}"
        for size in (24, 30)
        for box in ("centre", "console")
        for layout in ("compact", "full")
        for kind in ("dxf", "svg")
    ]


# ---- page and site -------------------------------------------------------------------------------

MAKEFILE = """
%/ready: ; @{install}
table-page: ; @mkdir -p build/table && echo table > build/table/index.html
site: ; @{site} && mkdir -p build/site && echo site > build/site/index.html
"""


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tree whose make builds a page and a site of one file each, without npm."""
    root, tools = tmp_path / "source", tmp_path / "tools"
    tools.mkdir()
    for name in ("make", "mkdir", "sh"):
        (tools / name).symlink_to(str(shutil.which(name)))
    (root / "build" / "site").mkdir(parents=True)
    (root / "build" / "site" / "old.html").write_text("of another commit", encoding="utf-8")
    monkeypatch.setattr(artefacts, "ROOT", root)
    monkeypatch.setattr(artefacts, "BUILD", root / "build")
    monkeypatch.setattr(sys, "prefix", str(root / ".venv"))
    monkeypatch.setenv("PATH", str(tools))
    write_makefile(root)
    return root


def write_makefile(root: Path, install: str = ":", site: str = ":") -> None:
    text = MAKEFILE.format(install=install, site=site)
    (root / "Makefile").write_text(text, encoding="utf-8")


def add_npm(source: Path) -> None:
    npm = source.parent / "tools" / "npm"
    npm.write_text("#!/bin/sh\n", encoding="utf-8")
    npm.chmod(0o755)


def test_page_and_site_are_made_anew(source: Path, tmp_path: Path) -> None:
    add_npm(source)
    assert artefacts.write_pages(tmp_path, "1") == []
    assert names(tmp_path / "truco-table-1.zip") == ["truco-table-1/index.html"]
    assert names(tmp_path / "truco-site-1.zip") == ["truco-site-1/index.html"]


def test_without_npm_there_is_a_site_and_no_page(source: Path, tmp_path: Path) -> None:
    told = artefacts.write_pages(tmp_path, "1")
    assert told == ["the table as a page, alone and in the site: npm is not installed"]
    assert [path.name for path in tmp_path.glob("*.zip")] == ["truco-site-1.zip"]


def test_without_the_libraries_of_the_site_there_is_the_page(source: Path, tmp_path: Path) -> None:
    add_npm(source)
    write_makefile(source, install='echo "ERROR: No matching distribution"; exit 1')
    told = artefacts.write_pages(tmp_path, "1")
    assert told == ["the site: its libraries cannot be installed; ERROR: No matching distribution"]
    assert [path.name for path in tmp_path.glob("*.zip")] == ["truco-table-1.zip"]


def test_a_site_with_a_broken_link_is_no_release(source: Path, tmp_path: Path) -> None:
    write_makefile(source, site='echo "a.html: no page b.html"; exit 1')
    with pytest.raises(subprocess.CalledProcessError) as failed:
        artefacts.write_pages(tmp_path, "1")
    assert "a.html: no page b.html" in failed.value.stderr
