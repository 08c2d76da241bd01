"""Labels and templates: true size, all words present, in every language."""

from __future__ import annotations

import itertools
import os
from pathlib import Path

import pytest
from PIL import Image

from scorer.i18n import languages, translator
from scorer.makers import labels
from scorer.makers.labels import KEYPAD, main
from scorer.makers.labels.keypad_sheet import PAD, keypad_sheets, meanings
from scorer.makers.labels.sheets import LABEL, ROOM, card_lines, sheets, template_pages
from scorer.makers.plates import Face, Plate, Use, boxes
from scorer.rules.options import rules_for
from scorer.rules.registry import built_in_ids, find_variant
from scorer.session.input.keymap import buttons
from scorer.session.values.settings import Layout
from tests.sampling import sample

A4 = (297, 210)  # mm


def words_of(layout: Layout | str, language: str, variant: str = "argentine_flor") -> str:
    """The text within all pages of the PDF, page after page."""
    import pypdfium2

    rules = rules_for(find_variant(variant))
    made = (
        keypad_sheets(language, rules)
        if layout == KEYPAD
        else sheets(Layout(layout), language, rules)
    )
    with pypdfium2.PdfDocument(bytes(made.output())) as document:
        return "\n".join(page.get_textpage().get_text_bounded() for page in document)


def card_of(layout: Layout, language: str, variant: str) -> dict[str, str]:
    """The rows of the quick card, by the word of the button."""
    return dict(card_lines(layout, rules_for(find_variant(variant)), translator(language)))


def templates(layout: Layout) -> list[Plate]:
    return [plate for page in template_pages(layout) for _, plate in page]


@pytest.mark.parametrize("layout", Layout)
def test_the_templates_fit_their_pages(layout: Layout) -> None:
    for page in template_pages(layout):
        assert sum(plate.width for _, plate in page) <= ROOM[0]
        assert all(plate.height <= ROOM[1] for _, plate in page)


@pytest.mark.parametrize("layout", Layout)
def test_there_is_a_hole_for_every_button_and_no_other(layout: Layout) -> None:
    names = [name.rpartition(".")[2] for name in buttons(layout) if not name.startswith("B.")]
    holes = [hole.button for plate in templates(layout) for hole in plate.holes if hole.button]
    assert sorted(holes) == sorted(names)


@pytest.mark.parametrize("layout", Layout)
def test_two_panels_stand_back_to_back_in_the_middle_box(layout: Layout) -> None:
    plates = boxes(layout)[1].plates
    windows = {
        side: each
        for side, plate in plates.items()
        for each in plate.openings
        if each.use is Use.PANEL
    }
    assert set(windows) == {Face.FRONT, Face.BACK}
    # One template serves both.
    assert plates[Face.FRONT] == plates[Face.BACK]


@pytest.mark.parametrize("layout", Layout)
def test_every_part_of_the_middle_box_has_a_hole_on_a_template(layout: Layout) -> None:
    uses = {each.use for plate in templates(layout) for each in plate.cuts}
    assert uses == set(Use)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("layout", Layout)
def test_every_button_has_a_label_a_hole_and_a_line_on_the_card(
    layout: Layout, language: str
) -> None:
    say, text = translator(language), words_of(layout, language)
    for name in buttons(layout):
        word = say(f"label.{name.rpartition('.')[2]}")
        # On at least two labels or holes, and on the card.
        assert text.count(word) >= 3, word
    assert "label." not in text and "quick." not in text


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("turn", "layout", "language"),
    [(turn, *case) for turn, case in enumerate(itertools.product([*Layout, KEYPAD], languages()))],
)
def test_the_pdf_of_every_truco_has_the_whole_card(
    turn: int, layout: Layout | str, language: str
) -> None:
    """Read back from the PDF: no letter is lost, and no line leaves its page."""
    for variant in sample(built_in_ids(), 2, turn=turn):
        printed = letters(words_of(layout, language, variant))
        rows = card_of(Layout.FULL if layout == KEYPAD else Layout(layout), language, variant)
        missing = [row for row in rows.items() if not all(letters(part) in printed for part in row)]
        assert not missing, variant


def letters(text: str) -> str:
    """``text`` without blanks; hyphens at the ends of lines as they are elsewhere."""
    return "".join(text.replace("\ufffe", "-").replace("\x02", "-").split())


@pytest.mark.sampled(4)
@pytest.mark.parametrize("language", languages())
def test_a_keypad_has_a_label_for_every_button_in_two_sizes_and_a_legend(language: str) -> None:
    say, text = translator(language), letters(words_of(KEYPAD, language))
    for name in meanings().values():
        word = letters(say(f"label.{name}"))
        # Two teams, two sizes, two pads.
        assert text.count(word) >= 6, word


def test_the_legend_is_the_layout_that_the_table_reads() -> None:
    words = meanings()
    assert set(words) <= set(PAD)
    assert words == {
        "7": "truco", "8": "envido", "9": "flor", "1": "quiero", "3": "no_quiero",
        "Enter": "tantos", "0": "undo", ".": "menu",
    }  # fmt: skip
    cells = [
        (column + x, row + y)
        for column, row, wide, high in PAD.values()
        for x in range(wide)
        for y in range(high)
    ]
    assert sorted(cells) == [(x, y) for x in range(4) for y in range(5)]


def test_the_legend_of_a_truco_without_envido_leaves_its_keys_free() -> None:
    assert "8" not in meanings(rules_for(find_variant("paulista")))
    assert "9" not in meanings(rules_for(find_variant("argentine")))


def test_accents_and_marks_are_printed() -> None:
    assert "¿Error?" in words_of(Layout.FULL, "es-AR")
    assert "NÃO QUERO" in words_of(Layout.FULL, "pt-BR")
    assert "l'última pulsació" in words_of(Layout.FULL, "ca")


def test_a_label_of_the_compact_layout_gives_the_meaning_of_a_hold() -> None:
    text = words_of(Layout.COMPACT, "es-AR")
    assert "mantener: NO QUIERO" in text
    assert "mantener: FLOR" in text
    assert "mantener: MENU" in text


@pytest.mark.parametrize(
    ("language", "variant", "rows"),
    [
        (
            "es-AR",
            "argentine",
            {"ENVIDO": "envido; más toques seguidos: real envido, falta envido"},
        ),
        (
            "es-AR",
            "argentine_flor",
            {
                "FLOR": "flor; para responder a otra: flor; más toques seguidos: contraflor, "
                "contraflor al resto"
            },
        ),
        (
            "es-VE",
            "venezuelan",
            {
                "TRUCO": "el canto que sigue: truco, retruco, vale nueve, vale juego; también "
                "para responder subiendo",
                "NO QUIERO": "no lo acepta; las piedras se anotan solas",
            },
        ),
        ("pt-BR", "paulista", {"TENTOS": "ganhamos (mão)"}),
        (
            "pt-BR",
            "mineiro",
            {
                "TRUCO": "o pedido que segue: truco, seis, dez, doze; também para responder "
                "aumentando",
                "Segurar": "NÃO QUERO: correr · UNDO: refazer · "
                "MENU: ajustes: até quantos, corrigir",
            },
        ),
        # "torne" answers an envit and opens nothing: no tap of a first call reaches it.
        ("ca", "valencian", {"ENVIT": "envit; més tocs seguits: la falta"}),
    ],
)
def test_the_card_teaches_the_calls_of_its_truco(
    language: str, variant: str, rows: dict[str, str]
) -> None:
    card = card_of(Layout.FULL, language, variant)
    assert {button: card[button] for button in rows} == rows


@pytest.mark.parametrize("variant", built_in_ids())
@pytest.mark.parametrize("layout", Layout)
def test_the_card_has_no_row_of_a_button_without_a_meaning(layout: Layout, variant: str) -> None:
    rules, say = rules_for(find_variant(variant)), translator("es-AR")
    card = card_of(layout, "es-AR", variant)
    assert (say("label.envido") in card) == bool(rules.bids)
    assert (say("label.flor") in card) == (rules.flor is not None and layout is Layout.FULL)
    held = card[say("quick.hold")]
    assert (say("label.envido") in held) == bool(rules.bids) or layout is Layout.COMPACT
    assert (say("label.flor") in held) == (rules.flor is not None)


@pytest.mark.sampled(0)
def test_the_card_is_of_the_truco_of_its_language_or_of_the_chosen_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = ["--layout", "full", "--language", "pt-BR", "--out", str(tmp_path)]
    assert main(pages) == 0
    assert main([*pages, "--variant", "gaucho"]) == 0
    assert main([*pages, "--variant", "gaucha"]) == 2
    printed = capsys.readouterr()
    assert printed.out.split() == [
        str(tmp_path / "full-pt-BR.pdf"),
        str(tmp_path / "full-pt-BR-gaucho.pdf"),
    ]
    assert "gaucho" in printed.err


@pytest.mark.sampled(0)
def test_a_sheet_is_drawn_at_true_size(tmp_path: Path) -> None:
    assert main(["--layout", "full", "--language", "es", "--out", str(tmp_path)]) == 0
    page = Image.open(tmp_path / "full-es-AR-1.png").convert("L")
    millimetre = page.width / A4[0]
    assert page.height / millimetre == pytest.approx(A4[1], abs=0.5)
    # The first label is black and has its specified width.
    row = [page.getpixel((x, round(32 * millimetre))) for x in range(page.width)]
    dark = [x for x, shade in enumerate(row) if shade == 0]
    gap = next(x for x, after in itertools.pairwise(dark) if after - x > 1)
    assert (gap - dark[0]) / millimetre == pytest.approx(LABEL[0], abs=0.5)


def test_without_pypdfium2_poppler_draws_the_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tool = tmp_path / labels.POPPLER
    tool.write_text('#!/bin/sh\nfor last; do :; done\ntouch "$last-1.png"\n')
    tool.chmod(0o755)
    monkeypatch.setattr(labels, "_has_pdfium", lambda: False)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    words = ["--layout", "full", "--language", "es", "--out", str(tmp_path)]
    assert main(words) == 0
    assert (tmp_path / "full-es-AR-1.png").exists()
    assert capsys.readouterr().err == ""


def test_without_both_the_pdf_is_written_and_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(labels, "_has_pdfium", lambda: False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["--layout", "full", "--language", "es", "--out", str(tmp_path)]) == 0
    assert [each.name for each in tmp_path.iterdir()] == ["full-es-AR.pdf"]
    assert "apt install poppler-utils" in capsys.readouterr().err


@pytest.mark.sampled(0)
def test_by_default_every_layout_in_every_language_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    of_this_run = tuple(sample(languages(), 1))
    monkeypatch.setattr(labels, "languages", lambda: of_this_run)
    assert main(["--out", str(tmp_path)]) == 0
    paths = capsys.readouterr().out.split()
    assert len(paths) == len([*Layout, KEYPAD]) * len(of_this_run)
    assert all(Path(each).is_file() for each in paths)


def test_an_impossible_folder_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "taken").write_text("a file")
    assert main(["--out", str(tmp_path / "taken")]) == 1
    assert "cannot write to" in capsys.readouterr().err
