"""Translated pages follow the English ones; every link leads somewhere."""

from __future__ import annotations

import posixpath
import re

import pytest

from scorer.i18n import translator
from tests.docs.reading import tables, translation_of
from tests.paths import ROOT
from tools.site.source import LANGUAGES, english_of, headings, language_of, project_pages

PAGES = tuple(project_pages())
TRANSLATIONS = tuple(name for name in PAGES if english_of(name))
# Its examples are of truco paulista, the English ones of truco argentino.
PAULISTA = "docs/players/play.pt.md"
# Written from the rules; the site has it in every language.
GENERATED = "docs/players/variants.md"
IN_ENGLISH = {"es": "en inglés", "pt": "em inglês"}


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def levels(name: str) -> list[str]:
    return [mark for mark, _ in headings(read(name))]


def commands(name: str) -> list[str]:
    """The fenced blocks, without remarks at the ends of lines, which are translated."""
    blocks = re.findall(r"^```.*?^```", read(name), flags=re.MULTILINE | re.DOTALL)
    return [re.sub(r"(?m)(?<=\S) {2,}\S.*$", "", block) for block in blocks]


def rows(name: str) -> list[list[int]]:
    """The number of cells in each row of each table."""
    return [[len(row) for row in table] for table in tables(read(name))]


def figures(name: str) -> list[list[str]]:
    """The numbers in each cell of all tables, then those in each chapter."""
    cells = [cell for table in tables(read(name)) for row in table for cell in row.values()]
    text = re.sub(r"\]\([^)]*\)", "]", read(name))
    return [numbers(part) for part in (*cells, *re.split(r"(?m)^#+ .*$", text))]


def numbers(text: str) -> list[str]:
    """The numbers in a text in any order; a decimal comma is a point."""
    found = re.findall(r"\d+(?:[.,]\d+)*", text)
    return sorted(number.replace(",", ".") for number in found)


def pictures(name: str) -> list[str]:
    found = re.findall(r"!\[[^]]*\]\(([^)]+)\)", read(name))
    paths = [re.sub(rf"\.{language_of(name)}\.(svg|png)$", r".\1", path) for path in found]
    return [posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) for path in paths]


def marks(name: str) -> list[str]:
    """The anchors that are not headings."""
    return re.findall(r"<a id=\"([^\"]+)\">", read(name))


@pytest.mark.parametrize("name", TRANSLATIONS)
def test_a_translation_has_the_structure_of_the_english_page(name: str) -> None:
    english = english_of(name)
    assert levels(name) == levels(english)
    assert commands(name) == commands(english)
    assert rows(name) == rows(english)
    assert pictures(name) == pictures(english)
    assert set(marks(english)) <= set(marks(name))


@pytest.mark.parametrize("name", [name for name in TRANSLATIONS if name != PAULISTA])
def test_a_translation_has_the_figures_of_tables_and_chapters(name: str) -> None:
    pairs = zip(figures(name), figures(english_of(name)), strict=True)
    assert [pair for pair in pairs if pair[0] != pair[1]] == []


@pytest.mark.parametrize("name", TRANSLATIONS)
def test_a_translation_links_to_translations(name: str) -> None:
    language = language_of(name)
    others = []
    for target in re.findall(r"\]\(([^)#]+\.md)[^)]*\)", read(name)):
        path = posixpath.normpath(posixpath.join(posixpath.dirname(name), target))
        translated = ROOT / translation_of(path, language)
        if translated.exists():
            others.append(target)
    assert others == []


@pytest.mark.parametrize("name", TRANSLATIONS)
def test_a_link_to_an_english_page_says_so(name: str) -> None:
    """In its words or beside them, in the same sentence or list item."""
    unmarked = []
    for paragraph in re.split(r"\n\n|\n(?=- |\|)", read(name)):
        for target in re.findall(r"\]\(([^)#:]+\.md)[^)]*\)", paragraph):
            path = posixpath.normpath(posixpath.join(posixpath.dirname(name), target))
            is_page = path.startswith(("docs/", "firmware/")) and path != GENERATED
            said = IN_ENGLISH[language_of(name)] in " ".join(paragraph.split())
            if is_page and not english_of(path) and not said:
                unmarked.append(target)
    assert unmarked == []


def test_the_first_pages_exist_in_every_language() -> None:
    english = {english_of(name) for name in TRANSLATIONS}
    for suffix in [each for each in LANGUAGES if each != "en"]:
        assert {english_of(name) for name in TRANSLATIONS if language_of(name) == suffix} == english
    assert {"docs/index.md", "docs/players/play.md", "docs/makers/build/index.md"} <= english


# Suffixes of pages, and the language of the panel in them.
PANELS = pytest.mark.parametrize(
    ("suffix", "language"), [("", "en"), (".es", "es-AR"), (".pt", "pt-BR")]
)


@PANELS
def test_the_messages_of_the_printer_are_those_of_the_panel(suffix: str, language: str) -> None:
    say = translator(language)
    keys = "no_paper cover absent forbidden busy silent off failed".split()
    page = read(f"docs/operators/slips{suffix}.md")
    assert [key for key in keys if f"| {say(f'notice.slip_{key}')} |" not in page] == []


@PANELS
def test_the_states_of_a_button_box_are_those_of_the_panel(suffix: str, language: str) -> None:
    say = translator(language)
    keys = "absent forbidden taken silent version".split()
    page = read(f"docs/makers/button-box{suffix}.md")
    marks = {key: say(f"mark.console_{key}", name="B") for key in keys}
    assert [key for key, mark in marks.items() if f"| *{mark}* |" not in page] == []


@pytest.mark.parametrize(("suffix", "language"), [("", "en"), (".es", "es-AR"), (".pt", "pt-BR")])
def test_the_marks_in_the_table_of_faults_are_those_of_the_panel(
    suffix: str, language: str
) -> None:
    say = translator(language)
    page = read(f"docs/makers/build/faults{suffix}.md")
    assert [
        k for k in ("interference", "muted", "power") if f'"{say(f"mark.{k}")}"' not in page
    ] == []
    owner = {"en": "Us", "es-AR": "Nosotros", "pt-BR": "Nós"}[language]
    button = say("button.of", button=say("label.truco"), side=owner)
    assert f'"{say("mark.stuck", name=button)}"' in page
