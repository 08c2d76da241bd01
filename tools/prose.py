"""Lint docstrings, comments, documents and test names for plain standard English.

Run with ``python -m tools.prose [PATH...]``; prints ``file:line: phrase: what to write instead``.
"""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
LONGEST_SUMMARY = 80  # characters of the first line of a docstring

# Phrases that are never plain, and the advice.
PHRASES = {
    r"whoever|whomever": "name the function, module or player",
    r"nobody|somebody": "name the function, module or player; else use the passive",
    r"(?:is|are|was|were|be|being|been) told": "is passed, is notified, is shown, is given",
    r"what (?:came|comes) of": "the result of",
    r"of itself|of themselves|by themselves": "leave out, or: automatically",
    r"for ever": "forever, or: without end",
    r"seldom": "rarely",
    r"who turns the loop|who runs it": "the main loop, the caller",
}
PATTERN = re.compile("|".join(rf"\b({phrase})\b" for phrase in PHRASES), re.IGNORECASE)
ADVICE = list(PHRASES.values())

Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


class Finding(NamedTuple):
    """One phrase that is not plain."""

    file: str
    line: int
    phrase: str
    advice: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.phrase}: {self.advice}"


def main(arguments: list[str]) -> int:
    """Print the findings in these files, by default all; return 1 if there are any."""
    paths = [Path(each) for each in arguments] or list(project_files())
    findings = [finding for path in paths for finding in check(path)]
    for finding in findings:
        sys.stdout.write(f"{finding}\n")
    return 1 if findings else 0


def project_files() -> Iterator[Path]:
    """The Python files and documents that git tracks."""
    listed = subprocess.run(
        ["git", "ls-files", "*.py", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    # This file and its test name the phrases; the rule cards are made from catalogues.
    generated = {"tools/prose.py", "tests/tools/test_prose.py", "docs/players/variants.md"}
    yield from (ROOT / name for name in listed.stdout.splitlines() if name not in generated)


def check(path: Path) -> Iterator[Finding]:
    """All findings in one file."""
    name = str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        for number, line in enumerate(text.splitlines(), 1):
            # Words in backticks are those of a program.
            yield from _phrases(name, number, re.sub("`[^`]*`", "", line))
        return
    if PATTERN.search(text):  # to tokenize every file takes seconds
        yield from _comments(name, text)
    yield from _definitions(name, ast.parse(text))


def _phrases(name: str, line: int, text: str) -> Iterator[Finding]:
    for found in PATTERN.finditer(text):
        advice = ADVICE[(found.lastindex or 1) - 1]
        yield Finding(name, line, found[0], advice)


def _comments(name: str, text: str) -> Iterator[Finding]:
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield from _phrases(name, token.start[0], token.string)


def _definitions(name: str, tree: ast.Module) -> Iterator[Finding]:
    for node in _documented(tree):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield from _phrases(name, node.lineno, node.name.replace("_", " "))
        if ast.get_docstring(node, clean=False) is None:
            continue
        first = node.body[0]
        docstring = ast.get_docstring(node, clean=True) or ""
        for offset, line in enumerate((ast.get_docstring(node, clean=False) or "").splitlines()):
            yield from _phrases(name, first.lineno + offset, line)
        summary = docstring.partition("\n")[0]
        if len(summary) > LONGEST_SUMMARY:
            yield Finding(name, first.lineno, summary[:30] + "...", "80 characters at most")


def _documented(node: ast.AST) -> Iterator[Documented]:
    """The definitions in a node; expressions, which have none, are not searched."""
    if isinstance(node, Documented):
        yield node
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt | ast.excepthandler | ast.match_case):
            yield from _documented(child)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
