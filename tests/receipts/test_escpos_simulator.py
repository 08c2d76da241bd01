"""The bytes of a slip on a simulated printer: the printed text and its code."""

from __future__ import annotations

from typing import Any

import pytest
from PIL import ImageChops

from scorer.i18n import languages
from scorer.receipts.codepages import CODECS
from scorer.receipts.escpos_encoder import EncodeError, encode_slip, qr_picture
from scorer.receipts.escpos_simulator import DOTS, TABLES, SimulatedPrinter
from scorer.receipts.slip import COLUMNS, SlipLine, build_slip
from tests.receipts.games import LONG, SHEETS, game_of_sheet

PATA = next(sheet for sheet in SHEETS if "pata_gallo" in sheet.name)


def printed(data: bytes, width: int = 58) -> SimulatedPrinter:
    paper = SimulatedPrinter(width)
    # As a slow line brings them: no command in one piece.
    for at in range(0, len(data), 7):
        paper.feed(data[at : at + 7])
    return paper


@pytest.mark.sampled(8)
@pytest.mark.parametrize("width", sorted(COLUMNS))
@pytest.mark.parametrize("language", languages())
def test_what_is_printed_is_the_slip_letter_by_letter(language: str, width: int) -> None:
    made = build_slip(game_of_sheet(PATA, LONG), language, COLUMNS[width])
    paper = printed(encode_slip(made, letters="CP858"), width)
    assert paper.lines == [part.text for part in made if isinstance(part, SlipLine)]
    assert bytes(paper.strange) == b""
    assert paper.cuts == 1


@pytest.mark.parametrize("letters", [name for name in CODECS if name != "ASCII"])
def test_each_table_is_chosen_by_the_number_that_printers_give_it(letters: str) -> None:
    made = build_slip(game_of_sheet(PATA), "pt-BR", 32)
    data = encode_slip(made, letters=letters)
    number = data[data.index(b"\x1bt") + 2]
    assert TABLES[number] == CODECS[letters]
    assert "súmula" in printed(data).lines[-3] or letters == "CP437"


def test_a_printer_with_other_numbers_gets_its_own() -> None:
    made = build_slip(game_of_sheet(PATA), "pt-BR", 32)
    assert b"\x1bt\x1d" in encode_slip(made, letters="CP858", table_number=29)


def test_letters_of_every_printer_choose_no_table() -> None:
    data = encode_slip(build_slip(game_of_sheet(PATA), "pt-BR", 32), letters="ASCII")
    assert b"\x1bt" not in data.partition(b"\x1dv0")[0]
    assert "sumula" in printed(data).lines[-3]


@pytest.mark.parametrize(
    ("letters", "model", "sentence"),
    [
        ("CP858", "TM-T1000", "python-escpos knows no printer 'TM-T1000'; write 'default'"),
        ("CP1252", "simple", "a printer 'simple' has no CP1252; it has CP437"),
    ],
)
def test_a_printer_or_a_table_that_is_not_known_is_said(
    letters: str, model: str, sentence: str
) -> None:
    with pytest.raises(EncodeError) as caught:
        encode_slip(build_slip(game_of_sheet(PATA), "pt-BR", 32), letters=letters, model=model)
    assert str(caught.value) == sentence


def test_without_a_knife_the_paper_is_fed_to_where_it_is_torn() -> None:
    paper = printed(
        encode_slip(build_slip(game_of_sheet(PATA), "pt-BR", 32), letters="CP858", cut=False)
    )
    assert paper.cuts == 0


@pytest.mark.parametrize("width", sorted(COLUMNS))
def test_the_code_lies_in_the_middle_of_the_paper_dot_by_dot(width: int) -> None:
    game = game_of_sheet(PATA)
    paper = printed(encode_slip(build_slip(game, "es-AR", COLUMNS[width]), letters="CP858"), width)
    wanted = ImageChops.invert(qr_picture(f"TRUCO:SHA256:{game.digest.upper()}").convert("L"))
    (found,) = paper.pictures
    # A line of dots is whole bytes: some white may follow on the right.
    assert (
        ImageChops.difference(wanted, found.convert("L").crop((0, 0, *wanted.size))).getbbox()
        is None
    )
    assert wanted.width <= DOTS[width]


def test_a_phone_reads_the_digest_off_the_paper() -> None:
    cv2: Any = pytest.importorskip("cv2", reason="no decoder: pip install opencv-python-headless")
    numpy: Any = pytest.importorskip("numpy")
    game = game_of_sheet(PATA)
    paper = printed(encode_slip(build_slip(game, "es-AR", 32), letters="CP858"))
    said = cv2.QRCodeDetector().detectAndDecode(numpy.asarray(paper.picture()))[0]
    assert said == f"TRUCO:SHA256:{game.digest.upper()}"
