"""Write the import diagram and question table of the architecture page.

Run with ``python -m tools.architecture``. The boxes of the diagram are the wings of the map, the
docstring of ``scorer``. An arrow implied by a longer path is omitted.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import scorer
from scorer.session.values.question import QUESTIONS

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "developers" / "architecture.md"
BEGIN = "<!-- imports -->"
END = "<!-- end of imports -->"

Graph = dict[str, set[str]]


def main() -> None:
    """Replace the diagram and the table in the page."""
    page = with_questions(with_diagram(PAGE.read_text(encoding="utf-8")))
    PAGE.write_text(page, encoding="utf-8")


def with_diagram(page: str) -> str:
    """The page with the diagram of the current imports between its two markers."""
    return _between(page, BEGIN, diagram(), END)


def with_questions(page: str) -> str:
    """The page with the table of the questions between its two markers."""
    return _between(page, "<!-- questions -->", question_table(), "<!-- end of questions -->")


def _between(page: str, begin: str, content: str, end: str) -> str:
    head, _, rest = page.partition(begin)
    tail = rest.partition(end)[2]
    return f"{head}{begin}\n{content}\n{end}{tail}"


def question_table() -> str:
    """Every question of the box with its rules, as a Markdown table."""
    rows = [
        "| question | asked by | yes by | dismissed by | lives | remains | its button again |",
        "|---|---|---|---|---|---|---|",
    ]
    for key, row in QUESTIONS.items():
        asked = row.asked_by + (", on its own panel" if row.is_private else "")
        dismissed = row.dismissed_by + (f" ({row.why})" if row.why else "")
        cells = (f"`{key}`", asked, row.yes, dismissed, row.lives, row.remains, row.again)
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def diagram() -> str:
    """The packages of scorer/ as a Mermaid flow chart with a box for each wing."""
    lines = []
    for title, packages in wings().items():
        lines += [f"    subgraph {title}", *(f"        {name}" for name in packages), "    end"]
    graph = reduced(imports())
    lines += [f"    {one} --> {other}" for one in sorted(graph) for other in sorted(graph[one])]
    return "\n".join(["```mermaid", "flowchart TD", *lines, "```"])


def wings() -> dict[str, list[str]]:
    """The packages of each wing of the map, in the order of reading."""
    packages: dict[str, list[str]] = {}
    for line in (scorer.__doc__ or "").splitlines():
        if package := re.match(r"    (\w+)  +\S", line):
            packages[[*packages][-1]].append(package[1])
        elif title := re.match(r"(\w[\w ]+): ", line):
            packages[title[1]] = []
    return {title: names for title, names in packages.items() if names}


@cache
def imports() -> Graph:
    """The imports between packages of scorer/, including those inside functions."""
    graph: Graph = {}
    for path in sorted((ROOT / "scorer").glob("*/**/*.py")):
        package = path.relative_to(ROOT / "scorer").parts[0]
        tree = ast.parse(path.read_text(encoding="utf-8"))
        graph.setdefault(package, set()).update(set(_imported(tree)) - {package})
    return graph


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        parts = [name.split(".") for name in names]
        yield from (p[1] for p in parts if p[0] == "scorer" and (ROOT / "scorer" / p[1]).is_dir())


def reduced(graph: Graph) -> Graph:
    """The graph without arrows implied by a longer path; it must have no cycle."""

    @cache
    def reach(package: str) -> set[str]:
        beyond = (reach(each) for each in graph.get(package, ()))
        return set(graph.get(package, ())).union(*beyond)

    return {
        package: {
            each
            for each in imported
            if not any(each in reach(other) for other in imported if other != each)
        }
        for package, imported in graph.items()
    }


if __name__ == "__main__":
    main()
