"""Check a built site: its links and anchors, and that it loads nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

# Attributes with an address that the browser loads without a click.
_LOADED = {("img", "src"), ("script", "src"), ("iframe", "src"), ("source", "src")}
_LOADED_LINKS = {"stylesheet", "icon", "preload", "prefetch", "preconnect"}


class Page(NamedTuple):
    """The anchors of a page, and its addresses."""

    anchors: frozenset[str]
    links: tuple[str, ...]
    loaded: tuple[str, ...]


class Result(NamedTuple):
    """The number of addresses that were checked, and the broken ones."""

    checked: int
    broken: tuple[str, ...]


def check_site(folder: Path, without: Sequence[Path] = ()) -> Result:
    """Check all pages in ``folder``. ``without``: pages that this site does not have."""
    pages = {path: read_page(path) for path in sorted(folder.rglob("*.html"))}
    checked, broken = 0, []
    for path, page in pages.items():
        name = path.relative_to(folder)
        for address in page.loaded:
            if urlsplit(address).netloc:
                broken.append(f"{name}: loads {address}")
        for address in (*page.links, *page.loaded):
            checked += 1
            if fault := _fault(path, address, folder, pages, without):
                broken.append(f"{name}: {fault}: {address}")
    return Result(checked, tuple(broken))


def read_page(path: Path) -> Page:
    """The anchors and addresses of an HTML file."""
    reader = _Reader()
    reader.feed(path.read_text(encoding="utf-8"))
    return Page(frozenset(reader.anchors), tuple(reader.links), tuple(reader.loaded))


def _fault(
    path: Path, address: str, folder: Path, pages: dict[Path, Page], without: Sequence[Path]
) -> str:
    parts = urlsplit(address)
    if parts.scheme or parts.netloc:
        return ""
    target = path if not parts.path else (path.parent / unquote(parts.path)).resolve()
    if not target.is_relative_to(folder.resolve()):
        return "leads out of the site"
    if target in without:
        return ""
    if not target.is_file():
        # A folder opens its index only on a server.
        return "is not a file"
    anchor = unquote(parts.fragment)
    if anchor and target.suffix == ".html" and anchor not in pages[target].anchors:
        return "has no such anchor"
    return ""


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.anchors: list[str] = []
        self.links: list[str] = []
        self.loaded: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep the ids and addresses of a tag."""
        values = {name: value or "" for name, value in attrs}
        if "id" in values:
            self.anchors.append(values["id"])
        if tag == "a" and "name" in values:
            self.anchors.append(values["name"])
        self.loaded += _loaded(tag, values)
        if tag == "a" and "href" in values:
            self.links.append(values["href"])


def _loaded(tag: str, values: dict[str, str]) -> Iterator[str]:
    for name, value in values.items():
        if (tag, name) in _LOADED and not value.startswith("data:"):
            yield value
    if tag == "link" and set(values.get("rel", "").split()) & _LOADED_LINKS:
        yield values["href"]
