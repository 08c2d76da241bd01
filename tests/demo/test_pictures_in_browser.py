"""The pictures of pages that the documents show are those of today."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from tests.hub import pictures as hall
from tools import pictures

pytestmark = pytest.mark.browser

BLURRED = (80, 50)  # another Chromium draws other edges of letters
MAX_DIFFERENCE = 3.0  # of 255 grey levels, in the mean


def difference(one: Image.Image, other: Image.Image) -> float:
    """The mean difference of two pictures without their details."""
    assert abs(one.height / one.width - other.height / other.width) < 0.02
    first, second = (each.convert("L").resize(BLURRED) for each in (one, other))
    return float(ImageStat.Stat(ImageChops.difference(first, second)).mean[0])


def test_the_box_is_that_of_the_program() -> None:
    pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with Image.open(pictures.IMAGES / "box.jpg") as kept:
        assert difference(pictures.box(), kept) < MAX_DIFFERENCE, "make pictures"


def test_wall_and_desk_are_those_of_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["pictures", str(tmp_path)])
    hall.main()
    for name in ("hall-wall.png", "hall-desk.png"):
        with Image.open(tmp_path / name) as made, Image.open(pictures.IMAGES / name) as kept:
            assert difference(made, kept) < MAX_DIFFERENCE, "make pictures"
