"""Collect the pages of the site in one folder, with links that hold there.

Most pages are those of docs/; some come from the top of the project, and the rule cards are written
from the tables of the variants. A link to a file that is not on the site becomes plain text.
"""

from __future__ import annotations

import posixpath
import re
import shutil
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from scorer.i18n import translator
from scorer.rulecards.content import card_of
from scorer.rulecards.markdown import chapter, contents_line
from scorer.rules import find_variant, rules_for
from scorer.rules.registry import built_in_ids

ROOT = Path(__file__).resolve().parents[2]
# The suffix of a page's name, and the language of the rule cards. The first one has no suffix.
LANGUAGES = {"en": "en", "es": "es-AR", "pt": "pt-BR"}
# Pages that have another place on the site than in the project.
MOVED = {
    "README.md": "index.md",
    "wiring.md": "makers/wiring.md",
    "firmware/README.md": "makers/firmware.md",
    "CONTRIBUTING.md": "developers/contributing.md",
    "CHANGELOG.md": "changelog.md",
    "docs/players/variants.md": "rules/index.md",
}
# On the site other pages take their place.
NOT_COPIED = ("README.md", "docs/players/variants.md")
TABLE = "table/index.html"
RULES = {
    "en": ("Rules of every truco", "Every number on these pages is computed by the program."),
    "es": ("Reglas de cada truco", "Cada número de estas páginas lo calcula el programa."),
    "pt": ("Regras de cada truco", "O programa calcula cada número destas páginas."),
}
_FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^(#+) (.+)$", re.MULTILINE)
_MARK = re.compile(r"(?:-|[0-9]{1,2}\.) ")
# Where the built site has the table as a page, which the project has not.
_TABLE = re.compile(r"<!-- table: (.+?) -->")
_FILE_NAME = re.compile(r"[\w./-]+\.md\b")
_LINK = re.compile(r"(!?)\[([^][]*(?:\[[^][]*\][^][]*)*)\]\(([^()\s]+)\)")


class BrokenLinkError(Exception):
    """A page of the project names a file that does not exist."""


def collect(folder: Path) -> None:
    """Write the sources of the site into ``folder``; raises BrokenLinkError."""
    shutil.rmtree(folder, ignore_errors=True)
    for source in project_pages():
        if source not in NOT_COPIED:
            _write(folder / site_path(source), rewritten(source))
    for path in (ROOT / "docs").rglob("*"):
        if path.is_file() and path.suffix != ".md":
            target = folder / path.relative_to(ROOT / "docs")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
    for page, text in rule_pages():
        _write(folder / page, text)


def project_pages() -> Iterator[str]:
    """Paths of all pages, relative to the project."""
    yield from (name for name in MOVED if not name.startswith("docs/"))
    for path in sorted((ROOT / "docs").rglob("*.md")):
        yield path.relative_to(ROOT).as_posix()


def site_path(source: str) -> str:
    """The place of a page or picture on the site."""
    return MOVED.get(source) or source.removeprefix("docs/")


def rewritten(source: str) -> str:
    """The text of a page, with links relative to its place on the site."""
    text = (ROOT / source).read_text(encoding="utf-8")
    if english := english_of(source):
        text = with_anchors(text, (ROOT / english).read_text(encoding="utf-8"))
    text = _TABLE.sub(lambda found: _table_link(source, found[1]), text)
    parts = _FENCE.split(indented(text))
    return "".join(
        part if at % 2 else _LINK.sub(lambda found: _relink(source, found), part)
        for at, part in enumerate(parts)
    )


def indented(text: str) -> str:
    """The text with four spaces before what belongs to an entry of a list.

    On a forge the width of the mark is enough; Python-Markdown insists on four, and on a blank
    line between the last of several paragraphs of an entry and the next entry.
    """
    lines: list[str] = []
    width, parted = 0, False
    for line in text.split("\n"):
        if mark := _MARK.match(line):
            if parted and lines[-1]:
                lines.append("")
            width, parted = len(mark[0]), False
        elif line and not line.startswith(" "):
            width, parted = 0, False
        elif width:
            parted = parted or not line
            if line.startswith(" " * width):
                line = " " * (4 - width) + line
        lines.append(line)
    return "\n".join(lines)


def language_of(source: str) -> str:
    """The suffix of a page's language; "en" without one."""
    suffix = PurePosixPath(PurePosixPath(source).stem).suffix.removeprefix(".")
    return suffix if suffix in LANGUAGES else "en"


def english_of(source: str) -> str:
    """The page that this one translates; "" for an English page."""
    language = language_of(source)
    if language == "en":
        return ""
    page = source.replace(f".{language}.md", ".md")
    places = (name for name in MOVED if name not in NOT_COPIED and MOVED[name] == site_path(page))
    return next(places, page)


def title_of(source: str) -> str:
    """The first heading of a page."""
    return headings((ROOT / source).read_text(encoding="utf-8"))[0][1]


def with_anchors(text: str, english: str) -> str:
    """A translation with the anchors of the English page too.

    English pages without a translation link to them. Where the headings do not correspond, the
    anchors are at the top.
    """
    own, wanted = headings(text), headings(english)
    taken = {slug(title) for _, title in own}
    # The title of a page must stay its first line.
    taken.add(slug(wanted[0][1]))
    marks = [f'<a id="{slug(title)}"></a>' for _, title in wanted if slug(title) not in taken]
    if [level for level, _ in own] != [level for level, _ in wanted]:
        first, rest = text.split("\n", 1)
        return f"{first}\n\n{''.join(marks)}\n{rest}"
    anchors = iter(wanted)

    def mark(found: re.Match[str]) -> str:
        name = slug(next(anchors)[1])
        return found[0] if name in taken else f'<a id="{name}"></a>\n\n{found[0]}'

    parts = _FENCE.split(text)
    return "".join(part if at % 2 else _HEADING.sub(mark, part) for at, part in enumerate(parts))


def headings(text: str) -> list[tuple[str, str]]:
    """The marks and titles of the headings."""
    return _HEADING.findall(_FENCE.sub("", text))


def slug(title: str) -> str:
    """The anchor of a heading, as forges and the site make it."""
    words = re.sub(r"\[([^]]*)\]\([^)]*\)|[`*]", r"\1", title).lower()
    return re.sub(r"[^\w\- ]", "", words).strip().replace(" ", "-")


def links(source: str) -> Iterator[str]:
    """Targets of the links of a page that lead to files or to anchors."""
    text = (ROOT / source).read_text(encoding="utf-8")
    for found in _LINK.finditer(_FENCE.sub("", text)):
        if not _is_foreign(found[3]):
            yield found[3]


def _table_link(source: str, words: str) -> str:
    """A link to the table, from the place of a page and its language on the site."""
    level = site_path(source).count("/") + (language_of(source) != "en")
    return f'<a class="md-button md-button--primary" href="{"../" * level}{TABLE}">{words}</a>'


def _relink(source: str, found: re.Match[str]) -> str:
    image, words, target = found.groups()
    if _is_foreign(target) or target.startswith("#"):
        return found[0]
    path, _, anchor = target.partition("#")
    project_path = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
    if not (ROOT / project_path).exists():
        raise BrokenLinkError(f"{source}: {target}")
    if project_path not in MOVED and not project_path.startswith("docs/"):
        return words
    place = site_path(project_path)
    if project_path.endswith(".md"):
        words = _FILE_NAME.sub(lambda _: title_of(project_path), words)
    if place == "rules/index.md" and anchor:
        place, anchor = f"rules/{anchor}.md", ""
    relative = posixpath.relpath(place, posixpath.dirname(site_path(source)) or ".")
    ending = f"#{anchor}" if anchor else ""
    return f"{image}[{words}]({relative}{ending})"


def _is_foreign(target: str) -> bool:
    return re.match(r"[a-z]+:", target) is not None


def rule_pages() -> Iterator[tuple[PurePosixPath, str]]:
    """A page for each variant and language, and a list of them."""
    cards = [card_of(rules_for(find_variant(name))) for name in built_in_ids()]
    for suffix, language in LANGUAGES.items():
        say = translator(language)
        title, note = RULES[suffix]
        entries = "\n".join(
            f"- [{card.title}]({card.variant}.md): {contents_line(card, say)}" for card in cards
        )
        yield _localized("rules/index", suffix), f"# {title}\n\n{note}\n\n{entries}\n"
        for card in cards:
            heading = f"# {card.title}\n"
            yield (
                _localized(f"rules/{card.variant}", suffix),
                heading + indented(chapter(card, say)) + "\n",
            )


def _localized(name: str, suffix: str) -> PurePosixPath:
    return PurePosixPath(f"{name}.md" if suffix == "en" else f"{name}.{suffix}.md")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
