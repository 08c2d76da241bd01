"""The modules that a program may import, read from its source, not from a run.

Imports inside functions count, those for a type checker alone do not.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator

# The text of a module and whether it is a package; None: not among the sources.
FindSource = Callable[[str], tuple[bytes, bool] | None]


def find_imports(name: str, source: bytes, *, is_package: bool) -> frozenset[str]:
    """What a module imports, as absolute names; of ``from a import b`` both a and a.b."""
    package = name if is_package else name.rpartition(".")[0]
    return frozenset(_imports(ast.parse(source), package))


def reachable(roots: Iterable[str], find: FindSource, left_out: Iterable[str] = ()) -> set[str]:
    """The modules of ``find`` that ``roots`` import, directly or through others.

    A module comes with its packages. ``left_out``: modules that are not followed.
    """
    omitted, found = frozenset(left_out), set[str]()
    waiting = list(roots)
    while waiting:
        name = waiting.pop()
        parent = name.rpartition(".")[0]
        if parent and parent not in found:
            waiting.append(parent)
        if name in found or any(part in omitted for part in _with_packages(name)):
            continue
        known = find(name)
        if known is None:
            continue
        found.add(name)
        waiting += find_imports(name, known[0], is_package=known[1])
    return found


def _with_packages(name: str) -> Iterator[str]:
    while name:
        yield name
        name = name.rpartition(".")[0]


def _imports(tree: ast.AST, package: str) -> Iterator[str]:
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.If(test=ast.Name(id="TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING")):
                for other in node.orelse:
                    yield from _imports(ast.Module([other], []), package)
            case ast.Import(names=names):
                yield from (each.name for each in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                base = _absolute(module or "", level, package)
                yield base
                yield from (f"{base}.{each.name}" for each in names)
            case _:
                yield from _imports(node, package)


def _absolute(module: str, level: int, package: str) -> str:
    if not level:
        return module
    parts = package.split(".")
    base = ".".join(parts[: len(parts) - level + 1])
    return f"{base}.{module}" if module else base
