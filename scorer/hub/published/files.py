"""The files of a published site; those that have not changed keep their bytes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from scorer.hub.published.documents import (
    Json,
    SiteTournament,
    listed_document,
    published_document,
    site_document,
)
from scorer.hub.published.pages import WRITTEN, index_page, tournament_page, written_html
from scorer.hub.times import local_text, seconds_of
from scorer.static_site.frame import (
    Files,
    SiteFrame,
    SitePage,
    site_assets,
    site_languages,
    version_of,
)

INDEX = "tournaments.json"  # every site of a hall has it
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


class _Rendered(NamedTuple):
    """A tournament, its files, and its line of the list in each language."""

    tournament: SiteTournament
    part: _Part
    listed: dict[str, Json]


class SiteRenderer:
    """Makes the files of a site, anew those of tournaments that have changed."""

    def __init__(self, options: SiteOptions) -> None:
        self._assets = site_assets()
        languages = site_languages(options.language)
        self._frame = SiteFrame(options.hall, languages, version_of(self._assets))
        self._known: dict[int, _Rendered] = {}

    def files(self, tournaments: Iterable[SiteTournament], old: Old, now: str) -> Files:
        """All files of a site.

        ``now``: as ``utc_text``, "" while the clock is not to be trusted. What is the same as
        before keeps the time at which it was written.
        """
        rendered = [self._rendered(each) for each in tournaments]
        self._known = {each.tournament.id: each for each in rendered}
        files = dict(self._assets)
        # The list of the tournaments, at the top of the site and in each language.
        frame = self._frame
        own = frame.languages[0]
        places = [SitePage(_INDEX_PAGE, own, is_top=True)]
        places += [SitePage(_INDEX_PAGE, each) for each in frame.languages]
        pages = (
            (page, index_page(frame, page, [each.listed[page.language] for each in rendered]))
            for page in places
        )
        document = site_document([each.listed[own] for each in rendered], frame.name)
        for part in (*(each.part for each in rendered), _Part(INDEX, document, tuple(pages))):
            before = _written(old(part.path))
            same = {} if before is None else _files_at(part, before)
            is_same = same and all(old(path) == body for path, body in same.items())
            files |= same if is_same else _files_at(part, now)
        evenings = ((each.tournament.evening_path, each.tournament.evening) for each in rendered)
        return files | {path: data for path, data in evenings if path}

    def _rendered(self, tournament: SiteTournament) -> _Rendered:
        known = self._known.get(tournament.id)
        if known is not None and known.tournament == tournament:
            return known
        frame = self._frame
        documents = {
            language: published_document(tournament, frame.name, language)
            for language in frame.languages
        }
        places = {language: SitePage(str(tournament.id), language) for language in documents}
        pages = [
            (page, tournament_page(frame, page, documents[language]))
            for language, page in places.items()
        ]
        part = _Part(f"{tournament.id}.json", documents[frame.languages[0]], tuple(pages))
        listed = {language: listed_document(each) for language, each in documents.items()}
        return _Rendered(tournament, part, listed)


def published_ids(index: bytes | None) -> set[int]:
    """The tournaments of a site by its INDEX."""
    listed = _read(index).get("tournaments")
    found = listed if isinstance(listed, list) else []
    return {each["id"] for each in found if isinstance(each, dict) and "id" in each}


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
