"""The locks of `make setup`: complete, hashed, without an index."""

from __future__ import annotations

import re
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.paths import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
# The extras of each lock; each has the build tools as well.
EXTRAS = {
    "demo": ("demo", "labels"),
    "hall": ("demo", "hub", "labels"),
    "dev": ("demo", "dev"),
    "all": ("demo", "dev", "browser", "release"),
    "site": ("site",),
}
PYTHONS = ("3.11", "3.13")


def text_of(name: str) -> str:
    return (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")


def pins(name: str) -> list[Requirement]:
    """The lines of a lock as requirements, without their hashes."""
    lines = re.findall(r"^(\S+==.+?) *\\$", text_of(name), re.MULTILINE)
    return [Requirement(line) for line in lines]


def versions(name: str, python: str) -> dict[str, str]:
    """The locked version of each library for one Python on Linux."""
    values = {"python_version": python, "python_full_version": f"{python}.1"}
    return {
        canonicalize_name(pin.name): str(pin.specifier).removeprefix("==")
        for pin in pins(name)
        if pin.marker is None or pin.marker.evaluate(values)
    }


@pytest.mark.parametrize("name", EXTRAS)
@pytest.mark.parametrize("python", PYTHONS)
def test_a_lock_has_everything_that_the_project_requires(name: str, python: str) -> None:
    project, locked = PROJECT["project"], versions(name, python)
    wanted = [*project["dependencies"], *PROJECT["dependency-groups"]["build"]]
    wanted += [line for extra in EXTRAS[name] for line in project["optional-dependencies"][extra]]
    lacking = [
        line
        for line in wanted
        if not Requirement(line).specifier.contains(
            locked.get(canonicalize_name(Requirement(line).name), "0")
        )
    ]
    assert lacking == [], "make lock"


def test_the_build_tools_are_those_of_the_project() -> None:
    assert set(PROJECT["build-system"]["requires"]) <= set(PROJECT["dependency-groups"]["build"])


@pytest.mark.parametrize("name", EXTRAS)
def test_every_pin_has_hashes_and_no_index_is_named(name: str) -> None:
    text = text_of(name)
    blocks = re.split(r"^(?=[A-Za-z])", text, flags=re.MULTILINE)[1:]
    assert len(blocks) == len(pins(name)) > 20
    assert [block for block in blocks if not re.search(r"--hash=sha256:[0-9a-f]{64}", block)] == []
    assert re.findall(r"^-|index|https?:|file:|@ ", text, re.MULTILINE) == []


@pytest.mark.parametrize("python", PYTHONS)
def test_all_locks_have_the_same_versions(python: str) -> None:
    largest = versions("all", python)
    for name in ("demo", "hall", "dev"):
        assert versions(name, python).items() <= largest.items(), "make lock"


@pytest.mark.parametrize("python", PYTHONS)
def test_what_is_tested_is_what_the_package_brings(python: str) -> None:
    """Libraries of both locks differ in nothing, so that the desk is the box."""
    text = (ROOT / "packaging" / "libraries.txt").read_text(encoding="utf-8")
    packaged = {
        canonicalize_name(name): version
        for name, version in re.findall(r"^([\w.-]+)==(\S+)", text, re.MULTILINE)
    }
    locked = versions("dev", python)
    assert len(packaged.keys() & locked.keys()) > 10
    differing = {
        name: (version, locked[name])
        for name, version in packaged.items()
        if locked.get(name, version) != version
    }
    assert differing == {}


def test_setup_installs_nothing_without_a_hash() -> None:
    recipe = (ROOT / "Makefile").read_text(encoding="utf-8")
    installs = re.findall(r"\$\((?:SITE_)?PIP\) (.+)", recipe)
    assert len(installs) == 7
    assert all("--require-hashes" in line or "--no-deps" in line for line in installs)
    assert "--no-build-isolation" in installs[-1]
