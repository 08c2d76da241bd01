"""The host side of the virtual Pi: its cache of parts, and its error messages."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.longrun.virtual_pi import __main__ as starting
from tests.longrun.virtual_pi import card_image, recipe
from tests.packaging import installing
from tests.paths import ROOT

LEFT_OUT = "the virtual Pi is left out:"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VIRTUAL_PI_CACHE", str(tmp_path))
    return tmp_path


def kinds(cache: Path) -> set[str]:
    return {path.name for path in cache.iterdir()} - {"lock"}


@pytest.mark.parametrize(
    "debian", [card_image.CONTENTS, installing.CONTENTS], ids=["Pi", "container"]
)
def test_all_debian_dependencies_of_the_package_are_preinstalled(debian: list[str]) -> None:
    control = (ROOT / "packaging" / "control").read_text(encoding="utf-8")
    (line,) = (line for line in control.splitlines() if line.startswith("Depends: "))
    dependencies = {each.split()[0] for each in line.removeprefix("Depends: ").split(", ")}
    # The test brings its own package for this one.
    assert {name for name in dependencies if name.startswith("python3-")} - {
        *debian,
        "python3-lgpio",
    } == set()


def test_a_part_is_built_once() -> None:
    built: list[Path] = []

    def make(target: Path) -> None:
        built.append(target)
        target.write_text("whole", encoding="ascii")

    assert recipe.kept("part", make) == recipe.kept("part", make)
    assert len(built) == 1


def test_a_part_whose_build_fails_is_not_kept(cache: Path) -> None:
    def fail(target: Path) -> None:
        target.write_text("half", encoding="ascii")
        raise RuntimeError("no room")

    with pytest.raises(RuntimeError, match="no room"):
        recipe.kept("part", fail)
    assert kinds(cache) == set()


def test_leftovers_of_a_killed_build_are_deleted_by_the_next_one(cache: Path) -> None:
    (cache / f"{recipe.MAKING}killed").mkdir()
    (cache / f"{recipe.MAKING}killed" / "half").write_bytes(b"half")
    recipe.kept("part", Path.mkdir)
    assert kinds(cache) == {"part"}


def test_the_two_most_recently_used_parts_are_kept(cache: Path) -> None:
    for age, name in enumerate(("card-a.img", "card-b.img", "card-c.img", "other")):
        (cache / name).write_bytes(b"")
        os.utime(cache / name, (1000 + age, 1000 + age))
    recipe.kept("card-a.img", Path.touch)  # the oldest, and requested again
    recipe.keep_newest("card-*.img")
    assert kinds(cache) == {"card-a.img", "card-c.img", "other"}


def test_a_part_in_use_is_kept(cache: Path) -> None:
    recipe.kept("card-a.img", Path.touch)
    os.utime(cache / "card-a.img", (1000, 1000))
    for age, name in enumerate(("card-b.img", "card-c.img", "card-d.img")):
        (cache / name).write_bytes(b"")
        os.utime(cache / name, (2000 + age, 2000 + age))
    recipe.keep_newest("card-*.img")
    assert kinds(cache) == {"card-a.img", "card-c.img", "card-d.img"}


def test_an_unavailable_part_is_reported_in_one_line() -> None:
    with pytest.raises(recipe.OutOfReachError) as error:
        recipe.fetch("the moon", ["sh", "-c", "echo first; echo it is too far; exit 3"])
    assert str(error.value) == "the moon cannot be had (it is too far)"


def out_of_reach() -> recipe.Parts:
    raise recipe.OutOfReachError("its source cannot be had (no network)")


def broken() -> recipe.Parts:
    raise RuntimeError("make failed (2): no rule")


@pytest.mark.parametrize(
    ("user", "lacking", "parts", "said", "code"),
    [
        (1000, [], broken, f"{LEFT_OUT} its card is laid out by root", 0),
        (0, ["bc"], broken, f"{LEFT_OUT} not installed: bc (apt install them)", 0),
        (0, [], out_of_reach, f"{LEFT_OUT} its source cannot be had (no network)", 0),
        (0, [], broken, "make failed (2): no rule", 1),
    ],
)
def test_one_line_says_why_the_virtual_pi_cannot_run(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    user: int,
    lacking: list[str],
    parts: Callable[[], recipe.Parts],
    said: str,
    code: int,
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: user)
    monkeypatch.setattr(recipe, "lacking", lambda: lacking)
    monkeypatch.setattr(recipe, "parts", parts)
    assert starting.main() == code
    assert capsys.readouterr().out.splitlines() == [said, f"0 passed, {code} failed"]
