"""The stand-in for Pillow in the page draws what Pillow draws."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from itertools import product
from random import Random
from types import ModuleType

import pytest
from PIL import Image, ImageDraw

from tests.display.test_golden import CASES, path_of
from tests.paths import ROOT

STAND_IN = ROOT / "tools" / "browser" / "pillow"


def stand_in() -> tuple[ModuleType, ModuleType]:
    """The modules Image and ImageDraw of the stand-in, beside those of Pillow."""
    kept = {name: module for name, module in sys.modules.items() if name.split(".")[0] == "PIL"}
    for name in kept:
        del sys.modules[name]
    sys.path.insert(0, str(STAND_IN))
    try:
        return importlib.import_module("PIL.Image"), importlib.import_module("PIL.ImageDraw")
    finally:
        sys.path.remove(str(STAND_IN))
        for name in [name for name in sys.modules if name.split(".")[0] == "PIL"]:
            del sys.modules[name]
        sys.modules.update(kept)


def test_every_golden_picture_is_the_same_with_the_stand_in() -> None:
    path = os.pathsep.join([str(STAND_IN), str(ROOT)])
    done = subprocess.run(
        [sys.executable, str(ROOT / "tests/browser/stand_in_pictures.py")],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"a screen makes a call that the page lacks: {done.stderr}"
    drawn = {(name, lang, tuple(size)): bits for name, lang, size, bits in json.loads(done.stdout)}
    assert set(drawn) == set(CASES)
    for case, bits in drawn.items():
        with Image.open(path_of(*case)) as golden:
            assert golden.tobytes().hex() == bits, case


@pytest.mark.parametrize("ink", [0, 1])
def test_lines_and_rectangles_have_the_same_pixels(ink: int) -> None:
    ends = [(x, y) for x, y in product((-3, 0, 2, 5, 9, 14), repeat=2)]
    images, drawing = stand_in()
    for (left, top), (right, bottom) in product(ends, repeat=2):
        box = (left, top, right, bottom)
        real, own = Image.new("1", (12, 10), 1 - ink), images.new("1", (12, 10), 1 - ink)
        ImageDraw.Draw(real).line(box, fill=ink)
        drawing.Draw(own).line(box, fill=ink)
        if left + 2 < right and top < bottom:
            ImageDraw.Draw(real).rectangle((left, top, right - 2, bottom), outline=ink)
            drawing.Draw(own).rectangle((left, top, right - 2, bottom), outline=ink)
        assert own.tobytes() == real.tobytes(), box


def test_copies_have_the_same_pixels() -> None:
    rng = Random(5)
    images, drawing = stand_in()
    for _ in range(300):
        size, small = (rng.randint(1, 20), rng.randint(1, 9)), (rng.randint(1, 9), 4)
        ground, mark = rng.randbytes(27), rng.randbytes(8)
        at = (rng.randint(-9, 20), rng.randint(-5, 9))
        made = []
        for module, pens in ((Image, ImageDraw), (images, drawing)):
            picture = module.frombytes("1", size, ground)
            stamp = module.frombytes("1", small, mark)
            pens.Draw(picture).bitmap(at, stamp, fill=at[0] % 2)
            picture.paste(stamp, (at[1], at[0]))
            part = picture.crop((at[1], at[1], at[1] + 7, at[1] + 7))
            scaled = stamp.resize((small[0] * 3, 12), module.Resampling.NEAREST)
            results = (picture, part, scaled, picture.copy())
            made.append([(each.tobytes(), each.getbbox(), each.size) for each in results])
        assert made[0] == made[1]
