"""Labels and templates: true size, all words present, in every language."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import pytest
from PIL import Image

from scorer.i18n import languages, translator
from scorer.makers.labels import main
from scorer.makers.labels.plate import Plate, console, middle
from scorer.makers.labels.sheets import LABEL, sheets
from scorer.session.input.keymap import buttons
from scorer.session.settings import Layout

PLATES = [plate(layout) for layout in Layout for plate in (console, middle)]
A4 = (297, 210)  # mm


def words_of(layout: Layout, language: str) -> str:
    """The text of all sheets, page after page."""
    import pypdfium2

    with pypdfium2.PdfDocument(bytes(sheets(layout, language).output())) as document:
        return "\n".join(page.get_textpage().get_text_range() for page in document)


@pytest.mark.parametrize("plate", PLATES)
def test_no_hole_touches_another_or_the_edge(plate: Plate) -> None:
    for one, other in itertools.combinations(plate.holes, 2):
        distance = math.hypot(one.x - other.x, one.y - other.y)
        # Room for a nut and a finger around the hole.
        assert distance - (one.diameter + other.diameter) / 2 >= 8
    for hole in plate.holes:
        assert hole.diameter / 2 + 5 <= hole.x <= plate.width - hole.diameter / 2 - 5
        assert hole.diameter / 2 + 5 <= hole.y <= plate.height - hole.diameter / 2 - 5


@pytest.mark.parametrize("plate", PLATES)
def test_a_plate_fits_the_sheet(plate: Plate) -> None:
    assert plate.width <= A4[0] - 30
    assert plate.height <= A4[1] - 40


@pytest.mark.parametrize("layout", Layout)
def test_there_is_a_hole_for_every_button_and_no_other(layout: Layout) -> None:
    names = [name.rpartition(".")[2] for name in buttons(layout) if not name.startswith("B.")]
    holes = [hole.button for plate in (console(layout), middle(layout)) for hole in plate.holes]
    assert sorted(holes) == sorted([*names, "lamp"])


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


def test_accents_and_marks_are_printed() -> None:
    assert "¿Error?" in words_of(Layout.FULL, "es-AR")
    assert "NÃO QUERO" in words_of(Layout.FULL, "pt-BR")
    assert "l'última pulsació" in words_of(Layout.FULL, "ca")


def test_a_label_of_the_compact_layout_gives_the_meaning_of_a_hold() -> None:
    text = words_of(Layout.COMPACT, "es-AR")
    assert "mantener: NO QUIERO" in text
    assert "mantener: FLOR" in text
    assert "mantener: MENU" in text


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


def test_by_default_every_layout_in_every_language_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--out", str(tmp_path)]) == 0
    paths = capsys.readouterr().out.split()
    assert len(paths) == len(Layout) * len(languages())
    assert all(Path(each).is_file() for each in paths)


def test_an_impossible_folder_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "taken").write_text("a file")
    assert main(["--out", str(tmp_path / "taken")]) == 1
    assert "cannot write to" in capsys.readouterr().err
