"""Files of a release for every PC: labels, case, board, page and site.

Each is made anew: nothing that lies in ``build`` is taken, because it may be of another commit.
What cannot be made here is left out, and told with the reason.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from datetime import UTC, datetime
from pathlib import Path

from hardware.board import kicad
from hardware.board.files import PROJECT
from scorer.i18n import languages
from scorer.makers.labels import KEYPAD, card_document, document
from scorer.rules.registry import built_in_ids
from scorer.session.values.settings import Layout

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
BUTTONS = (30, 24)  # mm, of the holes of the case
# The time at which KiCad has made a file, in its three forms.
_DATED = re.compile(rb"(?i)(?<=date)([^\n]{1,6}?)20\d\d(-?)\d\d-?\d\d([T ]?)\d\d(:?)\d\d:?\d\d")


def write_all(folder: Path, version: str) -> list[str]:
    """Write all into ``folder``; what is not among them, each with its reason.

    All times in them are SOURCE_DATE_EPOCH. Raises CalledProcessError, KicadError.
    """
    BUILD.mkdir(exist_ok=True)
    write_labels(folder / f"truco-labels-{version}.zip")
    return [
        *write_board(folder, f"truco-board-{version}"),
        *write_case(folder / f"truco-case-{version}.zip"),
        *write_pages(folder, version),
    ]


def write_labels(archive: Path) -> None:
    """Labels and templates in each language, with the quick card of each truco."""
    with tempfile.TemporaryDirectory() as scratch:
        for language in languages():
            (Path(scratch, language) / "cards").mkdir(parents=True)
            sheets = {name: document(name, language) for name in (*map(str, Layout), KEYPAD)}
            sheets |= {f"cards/{name}": card_document(language, name) for name in built_in_ids()}
            for name, pdf in sheets.items():
                pdf.set_creation_date(_moment())
                Path(scratch, language, f"{name}.pdf").write_bytes(bytes(pdf.output()))
        pack(Path(scratch), archive)


def write_board(folder: Path, name: str) -> list[str]:
    """The list of parts; gerbers, positions and drawings where KiCad is."""
    shutil.copyfile(ROOT / "hardware" / "board" / "parts.csv", folder / f"{name}-parts.csv")
    if reason := kicad.lack():
        return [f"gerbers, positions and drawings of the board: {reason}"]
    # In the project: a KiCad in a root of its own sees the same paths there.
    with tempfile.TemporaryDirectory(dir=BUILD) as scratch:
        made = Path(scratch)
        kicad.check(made)
        files = [path for path in kicad.export(made) if path.suffix in (".csv", ".pdf")]
        for path in (*files, *(made / "gerbers").iterdir()):
            path.write_bytes(_with_our_time(path.read_bytes()))
        # A manufacturer looks for them at the top.
        pack(made / "gerbers", folder / f"{name}-gerbers.zip", top="")
        for path in files:
            shutil.copyfile(path, folder / path.name.replace(PROJECT, name))
    return []


def write_case(archive: Path) -> list[str]:
    """Plates for both sizes of buttons, and solids where their library is."""
    reason = _install("case")
    with tempfile.TemporaryDirectory() as scratch:
        for size in BUTTONS:
            out = Path(scratch, f"button-{size}")
            if reason:
                options = ("--flat", "--button", str(size), "--out", str(out))
                _run(sys.executable, "-m", "hardware.case", *options)
            else:
                shutil.rmtree(BUILD / "case", ignore_errors=True)
                _make("case", f"BUTTON={size}")
                shutil.copytree(BUILD / "case", out)
        pack(Path(scratch), archive)
    return [f"solids of the case: {reason}"] if reason else []


def write_pages(folder: Path, version: str) -> list[str]:
    """The table as a page, and the documents as a site with that page."""
    lacking = list[str]()
    for name in ("table", "site"):
        shutil.rmtree(BUILD / name, ignore_errors=True)
    if shutil.which("npm"):
        _make("table-page")
        pack(BUILD / "table", folder / f"truco-table-{version}.zip")
    else:
        lacking.append("the table as a page, alone and in the site: npm is not installed")
    if reason := _install("site"):
        return [*lacking, f"the site: {reason}"]
    _make("site")
    pack(BUILD / "site", folder / f"truco-site-{version}.zip")
    return lacking


def pack(folder: Path, archive: Path, top: str | None = None) -> None:
    """A ZIP with the files of ``folder``; equal files give equal bytes.

    They are in the folder ``top`` of the archive, which has the archive's name by default.
    """
    inside = archive.stem if top is None else top
    moment = _moment().timetuple()[:6]
    with zipfile.ZipFile(archive, "w") as packed:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                name = Path(inside, path.relative_to(folder))
                entry = zipfile.ZipInfo(str(name), moment)
                entry.external_attr = 0o644 << 16
                packed.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED, 9)


def _moment() -> datetime:
    return datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), UTC)


def _with_our_time(data: bytes) -> bytes:
    """A file of KiCad as if it were made at SOURCE_DATE_EPOCH; its length stays."""

    def rewritten(found: re.Match[bytes]) -> bytes:
        between, dash, middle, colon = (part.decode() for part in found.groups())
        form = f"{between}%Y{dash}%m{dash}%d{middle}%H{colon}%M{colon}%S"
        return _moment().strftime(form).encode()

    return _DATED.sub(rewritten, data)


def _install(target: str) -> str:
    """Set up the environment of a target; "", or why it cannot be had here."""
    try:
        _make(f"{sys.prefix}-{target}/ready")
    except subprocess.CalledProcessError as error:
        lines = error.stderr.splitlines()
        said = [line for line in lines if line.startswith("ERROR:")] or lines
        return f"its libraries cannot be installed; {said[-1]}"
    return ""


def _make(*words: str) -> None:
    _run("make", "--no-print-directory", f"VENV={sys.prefix}", *words)


def _run(*command: str) -> None:
    """Raises CalledProcessError, whose ``stderr`` is all that was printed."""
    both = subprocess.STDOUT
    done = subprocess.run(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=both, text=True, check=False
    )
    if done.returncode:
        raise subprocess.CalledProcessError(done.returncode, command, stderr=done.stdout)
