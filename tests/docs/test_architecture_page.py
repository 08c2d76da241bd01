"""The architecture page shows the imports as they are."""

from __future__ import annotations

from itertools import chain

from scorer.rules import Phase
from scorer.rules.model import Status
from scorer.session.values.state import Verdict
from tools.architecture import PAGE, imports, reduced, wings, with_diagram, with_questions


def test_the_diagram_is_that_of_the_imports_and_has_every_package() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == with_diagram(page), "run: python -m tools.architecture"


def test_the_map_has_every_package_once_in_five_wings() -> None:
    assert len(wings()) == 5
    mapped = sorted(chain.from_iterable(wings().values()))
    assert mapped == sorted(imports()), "docstring of scorer/__init__.py"


def test_who_reads_the_map_in_order_has_read_what_a_package_imports() -> None:
    order = [*chain.from_iterable(wings().values())]
    read_later = {
        package: later
        for at, package in enumerate(order)
        if (later := imports()[package] & {*order[at:]})
    }
    assert read_later == {}


def test_the_table_of_questions_is_that_of_the_program() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == with_questions(page), "run: python -m tools.architecture"


def test_the_page_of_an_evening_names_every_state() -> None:
    page = PAGE.with_name("evening.md").read_text(encoding="utf-8")
    states = {*Status, *Phase, *Verdict}
    assert [state for state in states if f"`{state}`" not in page] == []


def test_an_arrow_that_a_longer_path_implies_is_left_out() -> None:
    graph = {"a": {"b", "c"}, "b": {"c"}, "c": set()}
    assert reduced(graph) == {"a": {"b"}, "b": {"c"}, "c": set()}
