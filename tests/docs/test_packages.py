"""CONTRIBUTING.md has a row for every package, and a package a short docstring."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.docs.reading import ROOT

LONGEST_SUMMARY = 80  # characters


def packages() -> list[str]:
    """The folders of all packages below scorer/: ``scorer/rules/``."""
    found = sorted((ROOT / "scorer").rglob("*/__init__.py"))
    return [f"{path.parent.relative_to(ROOT)}/" for path in found]


def rows() -> set[str]:
    """The packages in the first column of the tables of CONTRIBUTING.md."""
    text = Path(ROOT, "CONTRIBUTING.md").read_text(encoding="utf-8")
    cells = re.findall(r"^\| (`scorer/.*?) \|", text, flags=re.MULTILINE)
    return {name for cell in cells for name in re.findall(r"`([^`]+)`", cell)}


def summary(package: str) -> str:
    """The first paragraph of the docstring of a package."""
    tree = ast.parse(Path(ROOT, package, "__init__.py").read_text(encoding="utf-8"))
    return (ast.get_docstring(tree) or "").partition("\n\n")[0]


def test_contributing_has_a_row_for_every_package() -> None:
    assert set(packages()) - rows() == set(), "add it to 'Where things are' in CONTRIBUTING.md"


def test_contributing_names_no_package_that_is_gone() -> None:
    assert rows() - set(packages()) == set()


@pytest.mark.parametrize("package", packages())
def test_a_package_starts_with_one_short_sentence(package: str) -> None:
    first = summary(package)
    assert first.endswith(".") and ". " not in first, "one sentence"
    assert "\n" not in first and len(first) <= LONGEST_SUMMARY, "one line"
