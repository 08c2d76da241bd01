"""Every sample in every language and size equals its golden image.

``WRITE_GOLDEN=1 pytest tests/display/test_golden.py`` writes what has changed and fails, so that no
run both writes and passes: look at the pictures (``scorer preview``), then run again without it.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PIL import Image

from scorer.display import render
from scorer.samples import samples
from scorer.session.values.shown import Screen

GOLDEN = Path(__file__).parent / "golden"
SIZES = ((128, 64), (128, 32))
LANGUAGES = ("es-AR", "pt-BR")
SAMPLES = samples()
CASES = [
    (name, language, size) for name in SAMPLES for language in LANGUAGES for size in SIZES
]  # fmt: skip


def path_of(name: str, language: str, size: tuple[int, int]) -> Path:
    return GOLDEN / f"{size[0]}x{size[1]}" / language / f"{name}.png"


def same(image: Image.Image, path: Path) -> bool:
    """True if all pixels are equal; False for a missing file."""
    if not path.exists():
        return False
    with Image.open(path) as golden:
        return (golden.mode, golden.size) == (image.mode, image.size) and (
            golden.tobytes() == image.tobytes()
        )


@pytest.mark.parametrize("name", SAMPLES)
def test_a_screen_looks_as_it_did(name: str) -> None:
    drawn = {path_of(*case): render(SAMPLES[name], *case[1:]) for case in CASES if case[0] == name}
    changed = {path: image for path, image in drawn.items() if not same(image, path)}
    if not changed:
        return
    if os.environ.get("WRITE_GOLDEN"):
        for path, image in changed.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            image.save(path)
        pytest.fail(f"written: {name}; look at it and run again without WRITE_GOLDEN")
    differing = ", ".join(str(path.relative_to(GOLDEN)) for path in changed)
    pytest.fail(
        f"{differing} differs: look with scorer preview {name}; if it is meant: "
        "WRITE_GOLDEN=1 .venv/bin/python -m pytest tests/display/test_golden.py"
    )


def test_every_screen_has_a_sample_and_bears_its_name() -> None:
    missing = [str(screen) for screen in Screen if str(screen) not in SAMPLES]
    assert missing == [], "write a score sheet of that name into scorer/samples/sheets.py"
    for name, view in SAMPLES.items():
        assert name.partition("-")[0] == view.screen


def test_no_picture_is_left_of_a_sample_that_is_gone() -> None:
    kept = {path_of(*case) for case in CASES}
    assert set(GOLDEN.rglob("*.png")) - kept == set()


def test_two_samples_never_look_alike() -> None:
    pictures = {render(view, "es-AR").tobytes() for view in SAMPLES.values()}
    assert len(pictures) == len(SAMPLES)


def test_one_changed_pixel_is_seen(tmp_path: Path) -> None:
    image = render(SAMPLES["playing"], "es-AR")
    image.save(tmp_path / "golden.png")
    assert same(image, tmp_path / "golden.png")
    image.putpixel((64, 3), 1 - int(bool(image.getpixel((64, 3)))))
    assert not same(image, tmp_path / "golden.png")
    assert not same(image, tmp_path / "absent.png")
