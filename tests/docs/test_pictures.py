"""Every picture of the documents is on a page, and is what its target draws.

Those of a browser are compared in ``make browser``, the drawings of the build guide, of the pins,
of the board and of the case beside what they draw.
"""

from __future__ import annotations

import html
import re
import shutil
from pathlib import Path

import pytest
from PIL import Image, ImageSequence

from tests.paths import ROOT
from tools import gallery, pictures
from tools.drawings import facts
from tools.site.source import project_pages

PAGES = {
    name: (ROOT / name).read_text(encoding="utf-8") for name in ("README.md", *project_pages())
}


def pixels(picture: Image.Image) -> tuple[tuple[int, int], bytes]:
    return picture.size, picture.convert("RGB").tobytes()


def pixels_of(path: Path) -> tuple[tuple[int, int], bytes]:
    with Image.open(path) as picture:
        return pixels(picture)


def test_every_picture_is_on_a_page() -> None:
    shown = {
        (ROOT / name).parent.joinpath(target).resolve()
        for name, text in PAGES.items()
        for target in re.findall(r"\]\(([^)\s]+\.(?:png|jpg|gif|svg))\)", text)
    }
    kept = {path for path in pictures.IMAGES.rglob("*") if path.is_file()}
    assert kept - shown == set(), "delete what no page shows"
    assert shown - kept == set()


@pytest.mark.sampled(0)
def test_the_pictures_are_those_that_the_program_draws() -> None:
    for name, picture in pictures.drawn():
        assert pixels(picture) == pixels_of(pictures.IMAGES / name), f"{name}: make pictures"


def test_the_facts_of_the_readme_are_true() -> None:
    assert facts.FILE.read_text(encoding="utf-8") == facts.draw(), "make drawings"


@pytest.mark.sampled(0)
def test_the_gallery_is_what_the_program_draws() -> None:
    drawn = gallery.screens()
    assert {path.stem for path in gallery.PICTURES.glob("*.png")} == drawn.keys(), "make gallery"
    for name, picture in drawn.items():
        kept = pixels_of(gallery.PICTURES / f"{name}.png")
        assert pixels(picture) == kept, f"{name}: make gallery"
    for name, beginning in gallery.PAGES.items():
        page = "\n".join(gallery.written(beginning, list(drawn)))
        assert PAGES[f"docs/players/{name}"] == page, "make gallery"


@pytest.mark.sampled(0)
def test_the_animated_hand_is_what_the_program_plays(tmp_path: Path) -> None:
    gallery.moving(tmp_path / "hand.gif")
    assert frames(tmp_path / "hand.gif") == frames(pictures.IMAGES / "hand.gif"), "make gallery"


def frames(path: Path) -> list[tuple[int, bytes]]:
    with Image.open(path) as film:
        return [
            (int(frame.info["duration"]), frame.convert("L").tobytes())
            for frame in ImageSequence.Iterator(film)
        ]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("tmux") is None, reason="needs tmux")
def test_the_terminal_is_that_of_the_program() -> None:
    kept = (pictures.IMAGES / "terminal.svg").read_text(encoding="utf-8")
    assert words(pictures.terminal()) == words(kept), "make pictures"


def words(svg: str) -> list[str]:
    """The words of a terminal without clock, port and blinking pixels."""
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", svg)
    plain = (html.unescape(text).replace("\xa0", " ") for text in texts)
    varying = re.compile(r"^\d+:\d\d|http://127\.0\.0\.1:\d+|♪")
    return [varying.sub("", text).strip() for text in plain if re.search(r"[^\W\d_]", text)]
