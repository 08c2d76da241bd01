"""The pages of the site: every document, with links that hold there."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from scorer.rules.registry import built_in_ids
from tests.docs.reading import translation_of
from tests.paths import ROOT
from tools.site import source
from tools.site.menu import menu


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "pages"
    source.collect(folder)
    return folder


def test_every_document_is_a_page(pages: Path) -> None:
    wanted = {source.site_path(name) for name in source.project_pages()} - {"index.md"}
    assert {name for name in wanted if not (pages / name).is_file()} == set()
    assert (pages / "index.md").read_text(encoding="utf-8") == source.rewritten("docs/index.md")


def test_every_truco_has_a_page_of_rules_in_every_language(pages: Path) -> None:
    for name in built_in_ids():
        for suffix in ("", ".es", ".pt"):
            text = (pages / "rules" / f"{name}{suffix}.md").read_text(encoding="utf-8")
            assert text.startswith("# Tru") or text.count("|") > 20
    spanish = (pages / "rules" / "argentine.es.md").read_text(encoding="utf-8")
    assert "| truco | querido | no querido |" in spanish


def test_the_menu_has_every_page_once(pages: Path) -> None:
    listed: list[str] = []
    for entry in menu(pages):
        listed += [entry] if isinstance(entry, str) else next(iter(entry.values()))
    english = [
        path.relative_to(pages).as_posix()
        for path in pages.rglob("*.md")
        if not path.stem.endswith((".es", ".pt"))
    ]
    assert sorted(listed) == sorted(english)


def test_a_page_that_no_section_names_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "index.md").write_text("# Start\n")
    (tmp_path / "stray.md").write_text("# Stray\n")
    with pytest.raises(ValueError, match=r"stray\.md"):
        menu(tmp_path)


@pytest.mark.parametrize(
    ("page", "link"),
    [
        ("docs/makers/build/parts.md", "](../wiring.md#a-light-in-team-colours)"),
        ("wiring.md", "](keypads.md)"),
        ("docs/index.md", "](rules/index.md)"),
        ("docs/index.md", "](developers/contributing.md)"),
    ],
)
def test_a_link_leads_to_the_place_of_its_page_on_the_site(page: str, link: str) -> None:
    assert link in source.rewritten(page)


@pytest.mark.parametrize(
    ("page", "link"),
    [
        ("docs/makers/build/assembly.md", "[Wiring](../wiring.md#a-light-in-team-colours)"),
        ("wiring.md", "[Button boxes](button-box.md)"),
        ("docs/operators/hall.es.md", "[Una caja en una sala](link.es.md)"),
    ],
)
def test_a_link_named_by_a_file_has_the_title_of_its_page(page: str, link: str) -> None:
    assert link in source.rewritten(page)


@pytest.mark.parametrize("page", tuple(source.project_pages()))
def test_no_link_of_the_site_is_named_by_a_file(page: str) -> None:
    text = re.sub(r"^```.*?^```$", "", source.rewritten(page), flags=re.MULTILINE | re.DOTALL)
    named = re.findall(r"(?<!!)\[([^][]*)\]\([^()\s]+\)|<a href=[^>]*>(.*?)</a>", text)
    assert [words for pair in named for words in pair if ".md" in words] == []


def test_a_translation_of_a_page_from_elsewhere_is_in_the_folder_of_documents() -> None:
    assert source.english_of("docs/makers/wiring.es.md") == "wiring.md"
    assert translation_of("wiring.md", "es") == "docs/makers/wiring.es.md"
    assert source.english_of("docs/operators/hall.pt.md") == "docs/operators/hall.md"
    assert translation_of("docs/operators/hall.md", "pt") == "docs/operators/hall.pt.md"


def test_a_link_to_a_file_that_is_no_page_is_plain_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "LICENSE").write_text("MIT")
    (tmp_path / "docs" / "a.md").write_text("# A\n\n[the licence](../LICENSE)\n")
    monkeypatch.setattr(source, "ROOT", tmp_path)
    assert source.rewritten("docs/a.md") == "# A\n\nthe licence\n"


def test_a_link_to_nothing_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("[gone](b.md)\n")
    monkeypatch.setattr(source, "ROOT", tmp_path)
    with pytest.raises(source.BrokenLinkError, match=r"docs/a\.md: b\.md"):
        source.rewritten("docs/a.md")


def test_lists_are_indented_as_the_builder_of_the_site_wants() -> None:
    text = "- one\n  more\n  - inner\n\nplain\n1. first\n\n   ```\n   code\n   ```\n"
    wanted = "- one\n    more\n    - inner\n\nplain\n1. first\n\n    ```\n    code\n    ```\n"
    assert source.indented(text) == wanted


def test_an_entry_after_one_of_several_paragraphs_has_a_blank_line_before_it() -> None:
    text = "1. one\n2. two\n\n   more\n3. three\n4. four\n"
    assert source.indented(text) == "1. one\n2. two\n\n    more\n\n3. three\n4. four\n"


def test_a_translation_has_the_anchors_of_the_english_page() -> None:
    english = "# Start\n\n## Tools\n\n## Parts\n"
    spanish = "# Inicio\n\n## Herramientas\n\n## Piezas\n"
    found = source.with_anchors(spanish, english)
    assert found == (
        '# Inicio\n\n<a id="tools"></a>\n\n## Herramientas\n\n<a id="parts"></a>\n\n## Piezas\n'
    )


def test_a_shorter_translation_has_them_below_its_title() -> None:
    found = source.with_anchors("# Inicio\ntexto\n", "# Start\n\n## Tools\n")
    assert found == '# Inicio\n\n<a id="tools"></a>\ntexto\n'


def test_nothing_of_the_site_is_kept_in_git() -> None:
    command = ["git", "check-ignore", "build/site/index.html", "build/site-pages/index.md"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode == 128:
        pytest.skip("not a checkout")
    assert len(done.stdout.split()) == 2
