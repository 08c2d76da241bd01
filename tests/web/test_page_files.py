"""The files of the pages as text: size, keys, and forbidden content."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import scorer.serving.pages
import scorer.web.pages
from scorer.i18n import languages
from scorer.session.values.settings import LampColour
from scorer.web.pages import OWNER_WORDS, PHONE_WORDS, WORDS, page_words

FOLDER = Path(scorer.web.pages.__file__).parent
SHARED = Path(scorer.serving.pages.__file__).parent  # with the pages of a hall
PAGES = ("board.html", "overlay.html", "phone.html", "owner.html")
MOST = 64 * 1024  # bytes of a page with all that it asks for
GROUPS = {group.partition(".")[0] for group in (*PHONE_WORDS, *OWNER_WORDS)}
GROUNDS = ("ground", "panel")  # of the names of sides
# What asks for words that only these pages are given.
OWN_WORDS = {"phone.js": PHONE_WORDS, "owner.js": OWNER_WORDS}


def files(pattern: str) -> list[Path]:
    """The files of the pages, also those that the hub shares."""
    return sorted([*FOLDER.glob(pattern), *SHARED.glob(pattern)])


def text(name: str) -> str:
    (path,) = files(name)
    return path.read_text("utf-8")


def loaded(name: str) -> set[str]:
    """The files that ``name`` asks for, and those that they ask for."""
    found = set(re.findall(r"""["'](?:static|\.)/([\w.]+)""", text(name)))
    return found.union(*(loaded(each) for each in found if each.endswith(".js")))


def wanted(script: str = "") -> Iterator[str]:
    """Every key that a page uses, as a pattern with ``.+`` for parts filled in later.

    ``script``: of a page with words of its own; "" for all other scripts.
    """
    others = [*FOLDER.glob("*.js"), FOLDER / "plain.py"]
    others = [path for path in others if path.name not in OWN_WORDS]
    for path in [FOLDER / script] if script else others:
        code = path.read_text("utf-8")
        for said in re.findall(r'(?=["`]([a-z]+\.[^"`\n]+)["`])', code):
            key = re.sub(r"(\\\$)?\\\{.*?\\\}", ".+", re.escape(said))
            group, dot, _ = key.partition(r"\.")
            if dot and group in GROUPS:
                yield key


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("language", languages())
def test_a_page_weighs_little_with_all_that_it_asks_for(page: str, language: str) -> None:
    groups = OWN_WORDS.get(page.replace(".html", ".js"), WORDS)
    words = json.dumps(page_words(language, groups), ensure_ascii=False)
    asked = {page, *loaded(page)} - {"unsupported.js"}
    sizes = (path.stat().st_size for name in asked for path in files(name))
    assert sum(sizes) + len(words.encode()) <= MOST


@pytest.mark.parametrize("script", ["", *OWN_WORDS])
def test_every_key_that_a_page_asks_for_is_given_to_it(script: str) -> None:
    asked = set(wanted(script))
    assert len(asked) > 15
    given = page_words("en", OWN_WORDS.get(script, WORDS))
    assert [key for key in asked if not any(re.fullmatch(key, known) for known in given)] == []


@pytest.mark.parametrize("page", PAGES)
def test_nothing_is_written_in_line(page: str) -> None:
    """The server's Content-Security-Policy would not run it."""
    html = text(page)
    assert re.findall(r"<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon\w+=|javascript:", html) == []


@pytest.mark.parametrize("path", files("*.[chjs]*"), ids=lambda path: path.name)
def test_a_page_needs_no_other_place_of_the_world(path: Path) -> None:
    known = ("http://www.w3.org/2000/svg",)
    urls = re.findall(r"https?://[^\s\"'`)]+|//[\w.-]+\.\w+/", path.read_text("utf-8"))
    assert [url for url in urls if url not in known] == []
    assert "@import" not in path.read_text("utf-8")


@pytest.mark.parametrize("path", files("*.js"), ids=lambda path: path.name)
def test_nothing_becomes_html_but_as_text(path: Path) -> None:
    code = path.read_text("utf-8")
    forbidden = (
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|cookie"
    )
    assert re.findall(forbidden, code) == []


def luminance(colour: str) -> float:
    """The relative luminance of #rrggbb (WCAG 2.2)."""
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("look", ["dark", "light", "night"])
def test_the_colour_of_every_lamp_can_be_read_on_every_ground(look: str) -> None:
    def values(name: str) -> dict[str, str]:
        start = {"dark": r":root", "light": r':root\[data-look="light"\][^{]*'}.get(
            look, r':root\[data-look="night"\]'
        )
        found = re.search(rf"^{start} \{{(.*?)\}}", text(name), re.MULTILINE | re.DOTALL)
        assert found is not None
        return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", found[1]))

    lamps = values("lamps.css")
    assert {name.removeprefix("lamp-") for name in lamps} == set(LampColour)
    assert len(set(lamps.values())) == len(lamps)
    for page in ("board.css", "phone.css"):
        colours = {**values("felt.css"), **values(page)}
        grounds = {name: value for name, value in colours.items() if name in GROUNDS}
        low = [
            (lamp, ground, round(contrast(colour, value), 2))
            for lamp, colour in lamps.items()
            for ground, value in grounds.items()
            if contrast(colour, value) < 4.5
        ]
        assert grounds and low == []


@pytest.mark.parametrize("page", PAGES)
def test_language_and_theme_are_the_only_blanks(page: str) -> None:
    assert set(re.findall(r"\{\{(\w+)\}\}", text(page))) == {"language", "theme"}


def test_a_browser_that_knows_no_modules_is_sent_to_the_plain_page() -> None:
    html = text("board.html")
    assert 'nomodule src="static/unsupported.js"' in html
    assert '<noscript><meta http-equiv="refresh" content="0; url=/plain"></noscript>' in html
    assert "/plain" in text("unsupported.js")


# Features newer than ES2017, and flex gaps.
LATER_JS = (
    r"\?\.[a-z(\[]", r"\?\?", r"\{ ?\.\.\.", r", \.\.\.\w+ ?\}", r"catch \{", r"\*\*", r"\.flat\(",
    r"\.at\(", "replaceAll", "AbortController", r"\.finally\(", r"import\(", "for await",
)  # fmt: skip
LATER_CSS = (r"(?<!grid-)gap:", r"(?<![\w-])(?:min|max|clamp)\(", "inset:", r"[{;]\s*aspect-ratio:")


@pytest.mark.parametrize("path", files("*.js"), ids=lambda path: path.name)
def test_a_browser_of_2017_understands_it(path: Path) -> None:
    code = re.sub(r"//.*", "", path.read_text("utf-8"))
    assert [each for each in LATER_JS if re.search(each, code)] == []


@pytest.mark.parametrize("name", ["felt.css", "board.css", "plain.css"])
def test_a_television_of_2018_lays_it_out(name: str) -> None:
    assert [each for each in LATER_CSS if re.search(each, text(name))] == []
