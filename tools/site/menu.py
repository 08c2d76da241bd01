"""The order of the pages in the menu of the site."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tools.site.source import LANGUAGES

Entry = dict[str, list[str]] | str

# A heading, and its pages in order; a folder stands for all of its pages that are not listed.
SECTIONS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "Try",
        ("players/table-page.md", "players/try.md", "players/get.md", "players/front-panel.md"),
    ),
    (
        "Build",
        (
            "makers/build/index.md",
            "makers/build/parts.md",
            "makers/build/card.md",
            "makers/build/assembly.md",
            "makers/build/faults.md",
            "makers/build/tested.md",
            "makers/wiring.md",
            "makers/",
        ),
    ),
    ("Play", ("players/play.md", "players/gallery.md", "players/")),
    (
        "Run a bar",
        (
            "operators/service.md",
            "operators/network.md",
            "operators/web.md",
            "operators/slips.md",
            "operators/voice.md",
            "operators/link.md",
            "operators/first-evening.md",
            "operators/hall.md",
            "operators/season.md",
            "operators/growing.md",
            "operators/",
        ),
    ),
    ("Rules", ("rules/index.md", "rules/")),
    ("Reference", ("reference/rules.md", "reference/score-sheet.md", "reference/")),
    (
        "Development",
        (
            "developers/contributing.md",
            "developers/architecture.md",
            "developers/",
            "changelog.md",
        ),
    ),
)


def menu(folder: Path) -> list[Entry]:
    """The menu of the pages in ``folder``: each in the first section that names it."""
    left = [
        path.relative_to(folder).as_posix()
        for path in sorted(folder.rglob("*.md"))
        if not path.stem.endswith(tuple(f".{suffix}" for suffix in LANGUAGES))
    ]
    left.remove("index.md")
    # Listed pages first, so that no folder takes them.
    listed = {page for _, pages in SECTIONS for page in pages}
    entries: list[Entry] = ["index.md"]
    for title, pages in SECTIONS:
        chosen = [page for name in pages for page in _pages(name, left, listed)]
        entries.append({title: chosen})
        left = [page for page in left if page not in chosen]
    if left:
        raise ValueError(f"no section of the menu has {', '.join(left)}")
    return entries


def _pages(name: str, left: Sequence[str], listed: set[str]) -> list[str]:
    if not name.endswith("/"):
        return [name]
    return [page for page in left if page.startswith(name) and page not in listed]
