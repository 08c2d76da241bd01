"""What pages of a static site share: languages, addresses, frame, style, script.

A page loads nothing from other sites and needs no script; with one it looks for a newer self.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from importlib import resources
from typing import NamedTuple

from scorer.i18n import languages, native_name, translator
from scorer.serving.templates import Templates

Files = dict[str, bytes]  # by their paths in the site


class SiteFrame(NamedTuple):
    """What every page of a site shares.

    ``name``: of the hall or the season; ``languages``: those of the site, its own first;
    ``version``: changes with style and script.
    """

    name: str
    languages: Sequence[str]
    version: str


class SitePage(NamedTuple):
    """Where a page is; ``name``: such as "12"; ``is_top``: above the folders."""

    name: str
    language: str
    is_top: bool = False

    @property
    def path(self) -> str:
        """Its file in the site."""
        file = f"{self.name}.html"
        return file if self.is_top else f"{folder_of(self.language)}/{file}"

    def link(self, path: str) -> str:
        """The way from this page to a file of the site."""
        return path if self.is_top else f"../{path}"


def site_templates(*packages: str) -> Templates:
    """The templates of a site: those of ``packages``, and the frame that they extend."""
    return Templates(*packages, __package__)


def site_assets() -> Files:
    """Style and script."""
    own, shared = resources.files(__package__), resources.files("scorer.serving.pages")
    style = shared.joinpath("felt.css").read_bytes() + own.joinpath("site.css").read_bytes()
    return {"site.css": style, "site.js": own.joinpath("site.js").read_bytes()}


def version_of(assets: Files) -> str:
    """What changes with the style and the script of a site."""
    return sha256(b"".join(assets.values())).hexdigest()[:8]


def site_languages(own: str) -> list[str]:
    """``own``, that of the site, and one of each other language, without its regions."""
    found = {folder_of(own): own}
    for language in languages():
        found.setdefault(folder_of(language), language)
    return [*found.values()]


def folder_of(language: str) -> str:
    """The folder of the pages in a language."""
    return language.partition("-")[0]


def frame_fields(frame: SiteFrame, page: SitePage, title: str, about: str) -> dict[str, object]:
    """The fields of ``site_frame.html`` but ``written``.

    ``about``: the line below the title.
    """
    others = [
        {
            "language": each,
            "name": native_name(each),
            "href": page.link(SitePage(page.name, each).path),
        }
        for each in frame.languages
        if each != page.language
    ]
    return {
        "page": page,
        "say": translator(page.language),
        "version": frame.version,
        "title": title,
        "about": about,
        "others": others,
    }
