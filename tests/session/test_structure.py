"""The modules of the session form few layers and import few of each other."""

from __future__ import annotations

import ast
from functools import cache
from graphlib import TopologicalSorter

from tests.paths import ROOT

MAX_LEVELS = 14  # a level of set-up reacts by itself: menus are above play, one above another
MAX_IMPORTS = 10  # of one module, from others of the session; set-up begins with each menu

SOURCES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts): path
    for path in sorted((ROOT / "scorer" / "session").rglob("*.py"))
    if path.name != "__init__.py"
}
VALUES = {module for module in SOURCES if module.startswith("scorer.session.values.")}


def imported_by(module: str) -> set[str]:
    """The modules of the session that ``module`` imports, inside functions too."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(SOURCES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found & set(SOURCES) - {module}


@cache
def level(module: str) -> int:
    """1 for a module without imports from the session, else 1 + the highest of them."""
    return 1 + max((level(each) for each in imported_by(module)), default=0)


def test_the_longest_chain_of_imports_is_short() -> None:
    # Raises CycleError, which names the modules, where two import each other.
    TopologicalSorter({module: imported_by(module) for module in SOURCES}).prepare()
    levels = {module: level(module) for module in SOURCES}
    assert {each: n for each, n in levels.items() if n > MAX_LEVELS} == {}


def test_no_module_imports_most_of_the_others() -> None:
    counts = {module: len(imported_by(module) - VALUES) for module in SOURCES}
    assert {each: n for each, n in counts.items() if n > MAX_IMPORTS} == {}


def test_the_reducer_of_the_table_composes_play_and_setup() -> None:
    reducers = {"scorer.session.play.reducer", "scorer.session.setup.reducer"}
    users = {module for module in SOURCES if imported_by(module) & reducers}
    assert users == {"scorer.session.reducer"}
