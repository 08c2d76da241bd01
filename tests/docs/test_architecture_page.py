"""The architecture page shows the imports as they are."""

from __future__ import annotations

from tools.architecture import PAGE, imports, reduced, with_diagram, with_questions


def test_the_diagram_is_that_of_the_imports_and_has_every_package() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == with_diagram(page), "run: python -m tools.architecture"
    assert [package for package in imports() if f" {package}" not in page] == []


def test_the_table_of_questions_is_that_of_the_program() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == with_questions(page), "run: python -m tools.architecture"


def test_an_arrow_that_a_longer_path_implies_is_left_out() -> None:
    graph = {"a": {"b", "c"}, "b": {"c"}, "c": set()}
    assert reduced(graph) == {"a": {"b"}, "b": {"c"}, "c": set()}
