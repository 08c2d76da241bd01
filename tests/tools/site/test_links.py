"""The link checker of the site finds what a reader would find."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.site.links import check_site

GOOD = '<h2 id="parts">Parts</h2><a href="#parts">here</a><img src="box.svg">'


def site(folder: Path, text: str) -> Path:
    (folder / "makers").mkdir()
    (folder / "index.html").write_text(f"<html>{GOOD}{text}</html>", encoding="utf-8")
    (folder / "makers" / "index.html").write_text('<p id="tools">', encoding="utf-8")
    (folder / "box.svg").write_text("<svg/>", encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    "text",
    [
        '<a href="makers/index.html#tools">tools</a>',
        '<a href="https://www.example.org/">elsewhere</a>',
        '<a href="makers/index.html?h=word">found</a>',
        '<script src="data:text/javascript,"></script>',
    ],
)
def test_a_link_that_works_is_no_fault(tmp_path: Path, text: str) -> None:
    assert check_site(site(tmp_path, text)).broken == ()


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('<a href="makers/parts.html">', "is not a file: makers/parts.html"),
        ('<a href="makers/">', "is not a file: makers/"),
        ('<a href="makers/index.html#parts">', "has no such anchor: makers/index.html#parts"),
        ('<a href="#tools">', "has no such anchor: #tools"),
        ('<a href="../index.html">', "leads out of the site: ../index.html"),
        ('<img src="case.svg">', "is not a file: case.svg"),
        ('<script src="https://cdn.example.org/a.js">', "loads https://cdn.example.org/a.js"),
        ('<link rel="stylesheet" href="//fonts.example.org/a.css">', "loads //fonts.example.org"),
    ],
)
def test_a_broken_link_is_named_with_its_page(tmp_path: Path, text: str, fault: str) -> None:
    (broken,) = check_site(site(tmp_path, text)).broken
    assert broken.startswith(f"index.html: {fault}")


def test_every_address_is_counted(tmp_path: Path) -> None:
    assert check_site(site(tmp_path, '<a href="makers/index.html">')).checked == 3
