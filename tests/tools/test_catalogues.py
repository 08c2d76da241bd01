"""The build of the catalogues: what is changed is compiled, as a whole and once."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from babel.messages.pofile import PoFileError

from tests.paths import ROOT
from tools.catalogues import CATALOGUES, compile_all

ENGLISH = "scorer/i18n/en/LC_MESSAGES/scorer.json"
REGION = "scorer/i18n/es_UY"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The catalogues as git has them: none is compiled."""
    folder = tmp_path / "checkout"
    copy(CATALOGUES, folder)
    return folder


@pytest.fixture
def program(checkout: Path) -> Path:
    """The program with these catalogues, and what its build needs."""
    for name in ("scorer", "packaging"):
        copy(name, checkout)
    for name in ("pyproject.toml", "LICENSE", ".gitignore", "tools/catalogues.py"):
        (checkout / name).parent.mkdir(exist_ok=True)
        shutil.copyfile(ROOT / name, checkout / name)
    return checkout


def copy(name: str, checkout: Path) -> None:
    left_out = shutil.ignore_patterns("scorer.json", "__pycache__", "_version.py")
    shutil.copytree(ROOT / name, checkout / name, ignore=left_out, dirs_exist_ok=True)


def compiled(checkout: Path) -> dict[str, tuple[int, int]]:
    """File and time of each file beside the sources."""
    files = sorted((checkout / CATALOGUES).rglob("LC_MESSAGES/*"))
    states = {file: file.stat() for file in files if file.suffix != ".po"}
    return {
        str(file.relative_to(checkout)): (state.st_ino, state.st_mtime_ns)
        for file, state in states.items()
    }


def change(checkout: Path) -> None:
    source = (checkout / ENGLISH).with_suffix(".po")
    text = source.read_text(encoding="utf-8")
    assert 'msgstr "yes"' in text
    source.write_text(text.replace('msgstr "yes"', 'msgstr "indeed"'), encoding="utf-8")


def run(checkout: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", *words]
    return subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=False)


def test_each_language_is_compiled_and_a_second_build_writes_nothing(checkout: Path) -> None:
    compile_all(checkout)
    first = compiled(checkout)
    languages = [path.parent.parent for path in (checkout / CATALOGUES).rglob("*.po")]
    assert len(first) == len(languages) == 6, "and no temporary file is left"
    compile_all(checkout)
    assert compiled(checkout) == first


def test_a_changed_text_is_compiled_whatever_the_times_of_the_files_say(checkout: Path) -> None:
    compile_all(checkout)
    first = compiled(checkout)
    change(checkout)
    os.utime((checkout / ENGLISH).with_suffix(".po"), (0, 0))
    compile_all(checkout)
    changed = {name for name, state in compiled(checkout).items() if state != first[name]}
    assert changed == {ENGLISH}
    assert "indeed" in (checkout / ENGLISH).read_text(encoding="utf-8")


@pytest.mark.sampled(1)
@pytest.mark.parametrize("torn", ["", "{", "[]", '{"": 3}', "{}", '{"": {"digest": "old"}}'])
def test_what_is_no_catalogue_is_compiled_again(checkout: Path, torn: str) -> None:
    compile_all(checkout)
    whole = (checkout / ENGLISH).read_bytes()
    (checkout / ENGLISH).write_text(torn, encoding="utf-8")
    compile_all(checkout)
    assert (checkout / ENGLISH).read_bytes() == whole


def test_a_reader_has_the_old_texts_until_it_opens_the_new_file(checkout: Path) -> None:
    compile_all(checkout)
    with (checkout / ENGLISH).open("rb") as opened:
        change(checkout)
        compile_all(checkout)
        assert b"indeed" not in opened.read()


def test_the_catalogue_of_a_language_that_left_goes(checkout: Path) -> None:
    compile_all(checkout)
    (checkout / REGION / "LC_MESSAGES/scorer.po").unlink()
    compile_all(checkout)
    assert not (checkout / REGION).exists()


def test_a_source_that_cannot_be_read_leaves_the_compiled_one(checkout: Path) -> None:
    compile_all(checkout)
    first = compiled(checkout)
    source = (checkout / ENGLISH).with_suffix(".po")
    source.write_text(source.read_text(encoding="utf-8") + '\nmsgid "half', encoding="utf-8")
    with pytest.raises(PoFileError):
        compile_all(checkout)
    assert compiled(checkout) == first


@pytest.mark.sampled(0)
@pytest.mark.parametrize("missing", ["scorer/i18n/*/LC_MESSAGES/*.json", ENGLISH])
def test_the_program_compiles_nothing_and_says_what_to_do(program: Path, missing: str) -> None:
    compile_all(program)
    for file in program.glob(missing):
        file.unlink()
    left = compiled(program)
    done = run(program, "scorer", "variants", "argentine")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1 and "make locale" in done.stderr, done.stderr
    assert compiled(program) == left
    assert run(program, "scorer", "--version").returncode == 0


@pytest.mark.sampled(0)
def test_wheel_and_source_archive_have_what_their_build_compiled(
    program: Path, tmp_path: Path
) -> None:
    done = run(program, "hatchling", "build", "--directory", str(tmp_path / "dist"))
    assert done.returncode == 0, done.stderr
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        suffixes = [Path(name).suffix for name in archive.namelist() if "LC_MESSAGES" in name]
    assert suffixes == [".json"] * 6
    (source_archive,) = (tmp_path / "dist").glob("*.tar.gz")
    with tarfile.open(source_archive) as archive_of_sources:
        suffixes = [Path(name).suffix for name in archive_of_sources.getnames()]
    assert (suffixes.count(".json"), suffixes.count(".po")) == (6, 6)
