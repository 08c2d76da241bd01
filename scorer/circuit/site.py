"""The files of the site of a season."""

from __future__ import annotations

import json
from typing import Final

from scorer.circuit.documents import season_document
from scorer.circuit.lists import csv_files
from scorer.circuit.pages import page_files
from scorer.circuit.results import Results
from scorer.circuit.season_file import Season
from scorer.static_site.frame import Files, SiteFrame, site_assets, site_languages, version_of

INDEX: Final = "season.json"  # every site of a season has it


def site_files(season: Season, found: Results) -> Files:
    """All files of the site; of equal results they are equal."""
    document = season_document(season, found)
    lists = csv_files(document, season.language)
    document["files"] = [*lists]
    assets = site_assets()
    frame = SiteFrame(season.season.title, site_languages(season.language), version_of(assets))
    counting = season.counting
    rules = {each: getattr(counting, each) for each in ("best", "discards", "least_evenings")}
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":")) + "\n"
    pages = page_files(document, frame, rules)
    return {**assets, INDEX: text.encode(), **lists, **pages}
