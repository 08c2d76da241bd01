"""Fragments, and the templates that make them."""

from __future__ import annotations

from typing import NamedTuple
from zlib import crc32

from markupsafe import Markup

from scorer.serving.templates import Templates

TEMPLATES = Templates("scorer.hub.drawn")


class Fragment(NamedTuple):
    """A piece of a page, in one language.

    ``key``: what it shows, such as ``table-7``, an id of the page; ``rev`` changes when its HTML
    does.
    """

    key: str
    rev: str
    html: Markup


def fragment(key: str, html: Markup) -> Fragment:
    """The fragment of this HTML."""
    return Fragment(key, f"{crc32(html.encode()):08x}", html)
