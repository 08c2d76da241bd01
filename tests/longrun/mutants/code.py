"""Mutants of functions, as mutmut makes them.

mutmut's own runner is not used: it skips every decorated function (here all with ``lru_cache``),
slows down each call of the engine, and collects the tests again for each of some thousand mutants.
Here the code object of a function is replaced inside a forked process, so every reference to the
function sees the change. mutmut and libcst are imported late: each process of the tests imports
this module, and one of them needs the two.
"""

from __future__ import annotations

import difflib
import importlib
import re
import textwrap
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import libcst
    from mutmut.mutation.file_mutation import Mutation

PACKAGE = "scorer.rules"
MODULES = (
    "engine", "truco", "envido", "flor", "hand", "deal", "score", "fouls", "cantando", "destantado",
    "document", "history",
)  # fmt: skip
# mutmut skips decorated functions; without these decorators it mutates them.
REMEMBERED = re.compile(r"^ *@(?:property|cache|lru_cache).*\n", re.MULTILINE)


class Mutant(NamedTuple):
    """One changed function."""

    name: str  # "truco.call: old line -> new line"; stable as long as those lines are
    module: str  # "truco" of the rules, "session.reducer" of another package
    function: str  # with its class: "History.play"
    source: str


def mutants(module: str) -> Iterator[Mutant]:
    """All mutants of one module, in the order of its lines."""
    from mutmut.mutation.file_mutation import create_mutations

    path = Path(str(module_of(module).__file__))
    source = REMEMBERED.sub("", path.read_text(encoding="utf-8"))
    tree, mutations, *_ = create_mutations(path.name, source)
    owners = _owners(tree)
    counts = Counter[str]()
    for mutation in mutations:
        if mutation.contained_by_top_level_function in owners:
            mutant = _mutant(tree, module, owners, mutation)
            counts[mutant.name] += 1
            again = f" ({counts[mutant.name]})" if counts[mutant.name] > 1 else ""
            yield mutant._replace(name=mutant.name + again)


def put_in_place(mutant: Mutant) -> None:
    """Replace the function's code object, so that existing references see the change."""
    module = module_of(mutant.module)
    namespace = dict(vars(module))
    exec(compile(mutant.source, mutant.name, "exec"), namespace)
    function = function_of(module, mutant.function)
    changed = namespace[mutant.function.rpartition(".")[2]]
    function.__code__ = changed.__code__
    function.__defaults__, function.__kwdefaults__ = changed.__defaults__, changed.__kwdefaults__


def code_of(mutant: Mutant) -> CodeType:
    """The code object that the mutant replaces."""
    module = module_of(mutant.module)
    return function_of(module, mutant.function).__code__


def module_of(name: str) -> ModuleType:
    return importlib.import_module(f"{PACKAGE if name in MODULES else 'scorer'}.{name}")


def function_of(module: ModuleType, name: str) -> FunctionType:
    """The function of that name without its decorators."""
    found: Any = module
    for part in name.split("."):
        found = vars(found)[part]
    found = found.fget if isinstance(found, property) else found
    found = getattr(found, "__wrapped__", found)
    assert isinstance(found, FunctionType)
    return found


def _owners(tree: libcst.Module) -> dict[libcst.CSTNode | None, str]:
    """The qualified names of functions and methods by their node."""
    import libcst

    owners: dict[libcst.CSTNode | None, str] = {}
    for node in tree.body:
        if isinstance(node, libcst.FunctionDef):
            owners[node] = node.name.value
        elif isinstance(node, libcst.ClassDef):
            methods = (each for each in node.body.body if isinstance(each, libcst.FunctionDef))
            owners |= {each: f"{node.name.value}.{each.name.value}" for each in methods}
    return owners


def _mutant(
    tree: libcst.Module,
    module: str,
    owners: dict[libcst.CSTNode | None, str],
    mutation: Mutation,
) -> Mutant:
    import libcst
    from mutmut.mutation.file_mutation import deep_replace

    function = mutation.contained_by_top_level_function
    assert function is not None
    changed = deep_replace(function, mutation.original_node, mutation.mutated_node)
    assert isinstance(changed, libcst.FunctionDef)
    before, after = (_text(tree, each) for each in (function, changed))
    name = f"{module}.{owners[function]}: {_difference(before, after)}"
    return Mutant(name, module, owners[function], after)


def _text(tree: libcst.Module, function: libcst.FunctionDef) -> str:
    return textwrap.dedent(tree.code_for_node(function)).lstrip("\n")


def _difference(before: str, after: str) -> str:
    """The lines that differ: old -> new."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm="")
    changed = [line for line in lines if not line.startswith(("---", "+++", "@@"))]
    old, new = (" ".join(line[1:].strip() for line in changed if line[0] == sign) for sign in "-+")
    return f"{old} -> {new}"
