"""Count statements, scripts, tests and functions with one use, of one tree or two.

Run with ``python -m tools.counts [COMMIT]``: the counts of the commit, if any, and of this tree.

A statement is a node of the syntax tree that is one; docstrings and comments are none. Scripts and
templates count by lines that are not blank, tests by all their lines, data of tests by bytes. A
function has one use if its own file mentions it once and no other file of ``scorer/`` does; one
whose name begins with an underscore is looked for in its own file only. It is called there, or it
is a property, a row of a table or an argument, which cannot be written where it is used.
"""

from __future__ import annotations

import ast
import io
import subprocess
import sys
import tarfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePath
from statistics import median
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PAGES = {".js", ".html", ".j2"}

# The contents of the files of a tree by their paths.
Tree = Mapping[str, bytes]


class Function(NamedTuple):
    """A function or method: its file, its name and the number of its statements.

    ``is_called``: in its file.
    """

    file: str
    name: str
    statements: int
    has_one_use: bool
    is_called: bool


class Count(NamedTuple):
    """The counts of a package of ``scorer/``, or of all."""

    statements: int
    page_lines: int
    functions: tuple[Function, ...]

    def share(self, *, private: bool = False, called: bool = False) -> float:
        """The percentage of functions with one use (private ones, those called there)."""
        counted = sum(
            function.has_one_use
            and (not private or function.name.startswith("_"))
            and (not called or function.is_called)
            for function in self.functions
        )
        return 100 * counted / max(1, len(self.functions))


NONE = Count(0, 0, ())


def main(arguments: list[str]) -> int:
    """Print the counts of this tree, or those of a commit and of this tree."""
    trees = {name: committed(name) for name in arguments[:1]} | {"now": working_tree()}
    print("\n".join(report(trees)))
    return 0


def working_tree() -> Tree:
    """The files that git tracks or would add, as they are on the disk."""
    listed = _git("ls-files", "-z", "--cached", "--others", "--exclude-standard", "scorer", "tests")
    paths = sorted(set(listed.decode().split("\0")) - {""})
    return {path: (ROOT / path).read_bytes() for path in paths if (ROOT / path).is_file()}


def committed(commit: str) -> Tree:
    """The files of a commit."""
    with tarfile.open(fileobj=io.BytesIO(_git("archive", commit, "scorer", "tests"))) as archive:
        files = {each.name: archive.extractfile(each) for each in archive if each.isfile()}
        return {name: file.read() for name, file in files.items() if file}


def _git(*arguments: str) -> bytes:
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True).stdout


def packages(tree: Tree) -> dict[str, Count]:
    """The counts of each package of ``scorer/``; modules of its root are ``-``."""
    modules = {
        path: ast.parse(content, path)
        for path, content in tree.items()
        if path.startswith("scorer/") and path.endswith(".py")
    }
    counts: dict[str, list[Count]] = defaultdict(list)
    for path, module in modules.items():
        counts[_package(path)].append(Count(_statements(module), 0, ()))
    for function in _functions(modules):
        counts[_package(function.file)].append(Count(0, 0, (function,)))
    for path, content in tree.items():
        if path.startswith("scorer/") and PurePath(path).suffix in PAGES:
            filled = sum(bool(line.strip()) for line in content.splitlines())
            counts[_package(path)].append(Count(0, filled, ()))
    return {name: _total(parts) for name, parts in sorted(counts.items())}


def _total(counts: Iterable[Count]) -> Count:
    parts = list(counts)
    return Count(
        sum(count.statements for count in parts),
        sum(count.page_lines for count in parts),
        tuple(function for count in parts for function in count.functions),
    )


def _functions(modules: Mapping[str, ast.Module]) -> Iterator[Function]:
    mentions = {path: Counter(_mentions(module)) for path, module in modules.items()}
    everywhere = sum(mentions.values(), Counter[str]())
    for path, module in modules.items():
        called = set(_called(module))
        for node in ast.walk(module):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                name = node.name
                counted = mentions[path] if name.startswith("_") else everywhere
                has_one_use = mentions[path][name] == counted[name] == 1
                # Python calls __init__ and its like.
                has_one_use = has_one_use and not name.startswith("__")
                yield Function(path, name, _statements(node) - 1, has_one_use, name in called)


def test_lines(tree: Tree) -> int:
    """The lines of the Python files of the tests, with their support."""
    return sum(len(content.splitlines()) for _, content in _tests(tree, python=True))


def test_data(tree: Tree) -> int:
    """The bytes of the other files of the tests."""
    return sum(len(content) for _, content in _tests(tree, python=False))


def _tests(tree: Tree, *, python: bool) -> Iterator[tuple[str, bytes]]:
    for path, content in tree.items():
        if path.startswith("tests/") and path.endswith(".py") == python:
            yield path, content


def _package(path: str) -> str:
    folders = PurePath(path).parts[1:-1]
    return folders[0] if folders else "-"


def _statements(tree: ast.AST) -> int:
    """The statements of a tree, with the definition that it is, without docstrings."""
    return sum(isinstance(node, ast.stmt) and not _is_text(node) for node in ast.walk(tree))


def _is_text(node: ast.AST) -> bool:
    match node:
        case ast.Expr(value=ast.Constant(value=str())):
            return True
    return False


def _mentions(module: ast.Module) -> Iterator[str]:
    for node in ast.walk(module):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name):
                yield name
            # A quoted annotation, or a name that is looked up.
            case ast.Constant(value=str(name)) if name.isidentifier():
                yield name


def _called(module: ast.Module) -> Iterator[str]:
    for node in ast.walk(module):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
                yield name


def report(trees: Mapping[str, Tree]) -> Iterator[str]:
    """The lines to print; of two trees also the files in which the share rose."""
    counts = [packages(tree) for tree in trees.values()]
    totals = [_total(count.values()) for count in counts]
    yield _row("", ("statements", "scripts", "functions", "with one use", "median", "p90"))
    for name in sorted({package for count in counts for package in count}):
        yield _row(name, _cells([count.get(name, NONE) for count in counts]))
    yield _row("scorer", _cells(totals))
    private = " > ".join(f"{total.share(private=True):.1f} %" for total in totals)
    yield f"private functions with one use: {private}"
    called = " > ".join(f"{total.share(called=True):.1f} %" for total in totals)
    yield f"functions that are called at one place: {called}"
    yield f"lines of test python: {' > '.join(f'{test_lines(tree):,}' for tree in trees.values())}"
    yield f"bytes of test data: {' > '.join(f'{test_data(tree):,}' for tree in trees.values())}"
    before, now = _shares(totals[0]), _shares(totals[-1])
    for file in sorted(before.keys() & now.keys()):
        if now[file] > before[file]:
            yield f"{file}: functions with one use {before[file]:.0f} % > {now[file]:.0f} %"


def _cells(counts: list[Count]) -> Iterator[str]:
    yield " > ".join(f"{count.statements:,}" for count in counts)
    yield " > ".join(f"{count.page_lines:,}" for count in counts)
    yield " > ".join(f"{len(count.functions):,}" for count in counts)
    yield " > ".join(f"{count.share():.1f} %" for count in counts)
    sizes = [sorted(function.statements for function in count.functions) or [0] for count in counts]
    yield " > ".join(f"{median(size):g}" for size in sizes)
    yield " > ".join(f"{size[len(size) * 9 // 10]}" for size in sizes)


def _row(title: str, cells: Iterable[str]) -> str:
    return title.ljust(14) + "".join(cell.rjust(18) for cell in cells)


def _shares(count: Count) -> dict[str, float]:
    files: dict[str, list[Function]] = defaultdict(list)
    for function in count.functions:
        files[function.file].append(function)
    return {file: Count(0, 0, tuple(found)).share() for file, found in files.items()}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
