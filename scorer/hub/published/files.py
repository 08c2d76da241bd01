"""The files of a published site; those that have not changed keep their bytes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from importlib import resources
from typing import Any, NamedTuple

from scorer.hub.published.documents import Json, SiteTournament, published_document, site_document
from scorer.hub.published.folder import INDEX
from scorer.hub.published.pages import (
    WRITTEN,
    SiteFrame,
    SitePage,
    index_page,
    site_languages,
    tournament_page,
    written_html,
)
from scorer.hub.times import local_text, seconds_of

Files = dict[str, bytes]  # by their paths in the site
Old = Callable[[str], bytes | None]  # a file of the site before; None: it has none
_INDEX_PAGE = "index"


class SiteOptions(NamedTuple):
    """``hall``: its name; ``language``: of the hall, one with a catalogue."""

    hall: str
    language: str


class _Part(NamedTuple):
    """Files that are written at one time: a document, and the pages made of it."""

    path: str
    document: Json
    pages: tuple[tuple[SitePage, str], ...]


def site_files(
    tournaments: Iterable[SiteTournament], options: SiteOptions, old: Old, now: str
) -> Files:
    """All files of a site.

    ``now``: as ``utc_text``, "" while the clock is not to be trusted. What is the same as before
    keeps the time at which it was written.
    """
    assets = _assets()
    version = sha256(b"".join(assets.values())).hexdigest()[:8]
    frame = SiteFrame(options.hall, site_languages(options.language), version)
    files = dict(assets)
    for part in _parts([*tournaments], frame):
        before = _written(old(part.path))
        same = {} if before is None else _files_at(part, before)
        is_same = same and all(old(path) == body for path, body in same.items())
        files |= same if is_same else _files_at(part, now)
    return files


def published_ids(index: bytes | None) -> set[int]:
    """The tournaments of a site by its INDEX."""
    listed = _read(index).get("tournaments")
    found = listed if isinstance(listed, list) else []
    return {each["id"] for each in found if isinstance(each, dict) and "id" in each}


def _parts(tournaments: list[SiteTournament], frame: SiteFrame) -> Iterator[_Part]:
    own = frame.languages[0]
    documents: dict[str, list[Json]] = {each: [] for each in frame.languages}
    for tournament in tournaments:
        pages = []
        for language, listed in documents.items():
            listed.append(published_document(tournament, frame.hall, language))
            page = SitePage(str(tournament.id), language)
            pages.append((page, tournament_page(frame, page, listed[-1])))
        yield _Part(f"{tournament.id}.json", documents[own][-1], tuple(pages))
    index = {each: site_document(listed, frame.hall) for each, listed in documents.items()}
    places = [SitePage(_INDEX_PAGE, own, is_top=True)]
    places += [SitePage(_INDEX_PAGE, each) for each in frame.languages]
    shown = ((each, index[each.language]["tournaments"]) for each in places)
    yield _Part(
        INDEX, index[own], tuple((each, index_page(frame, each, listed)) for each, listed in shown)
    )


def _files_at(part: _Part, moment: str) -> Files:
    """The files of a part that is written at this time."""
    text = local_text(seconds_of(moment)) if moment else ""
    document = {**part.document, "written": moment or None}
    files = {part.path: json.dumps(document, ensure_ascii=False, separators=(",", ":")) + "\n"}
    for page, html in part.pages:
        files[page.path] = html.replace(WRITTEN, written_html(page.language, moment, text))
    return {path: text.encode() for path, text in files.items()}


def _written(document: bytes | None) -> str | None:
    """When a document was written; None: it is none."""
    found = _read(document).get("written", 0) or ""
    try:
        return found if not found or seconds_of(found) else None
    except (TypeError, ValueError):
        return None


def _read(document: bytes | None) -> Mapping[str, Any]:
    """A document of a site before; an empty one if another program has changed it."""
    try:
        found = json.loads(document or b"{}")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _assets() -> Files:
    """Style and script."""
    own, shared = resources.files(__package__), resources.files("scorer.serving.pages")
    style = shared.joinpath("felt.css").read_bytes() + own.joinpath("site.css").read_bytes()
    return {"site.css": style, "site.js": own.joinpath("site.js").read_bytes()}
