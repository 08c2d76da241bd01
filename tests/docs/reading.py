"""The reference documents as tests read them: anchors, tables, fenced blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tools.site.source import site_path

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = ROOT / "docs" / "reference"

_ANCHOR = re.compile(r'<a id="([^"]+)">')
_FENCED = re.compile(r"^```(\w*)\n(.*?)^```", flags=re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`([^`]+)`")

Row = dict[str, str]


def text_of(name: str) -> str:
    """The text of docs/reference/``name``."""
    return (REFERENCE / name).read_text(encoding="utf-8")


def translation_of(source: str, language: str) -> str:
    """Where an English page is in another language, if it has been translated.

    Also for pages from elsewhere: translations are in the folder docs/.
    """
    return f"docs/{site_path(source)}".replace(".md", f".{language}.md")


def anchors(text: str) -> set[str]:
    """Everything that a link may point to: explicit anchors and the slugs of headings."""
    plain = _FENCED.sub("", text)
    headings = re.findall(r"^#+ (.+)$", plain, flags=re.MULTILINE)
    return {*_ANCHOR.findall(plain), *map(_slug, headings)}


def _slug(heading: str) -> str:
    words = re.sub(r"[^\w\- ]", "", heading.lower().strip())
    return words.replace(" ", "-")


def section(text: str, anchor: str) -> str:
    """What stands between ``anchor`` and the next one."""
    return text.partition(f'<a id="{anchor}"></a>')[2].partition("<a id=")[0]


def blocks(text: str, language: str) -> list[str]:
    """The fenced blocks of ``language``, in order."""
    return [body for name, body in _FENCED.findall(text) if name == language]


def tables(text: str) -> Iterator[list[Row]]:
    """Every table as rows by the heads of their columns."""
    for part in re.findall(r"(?:^\|.*\n)+", text, flags=re.MULTILINE):
        head, _, *rows = [_cells(line) for line in part.splitlines()]
        yield [dict(zip(head, row, strict=True)) for row in rows]


def rows_with(text: str, *heads: str) -> list[Row]:
    """The rows of all tables that have these columns."""
    return [row for table in tables(text) for row in table if set(heads) <= set(row)]


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def words(cell: str) -> list[str]:
    """What a cell holds as code: "`a` or `b`" is a and b."""
    return _CODE.findall(cell)
