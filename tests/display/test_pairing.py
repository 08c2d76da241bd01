"""The pairing code on every panel, and the QR code of the page to enter it on."""

from __future__ import annotations

import pytest

from scorer.display import draw_view, render
from scorer.i18n import languages
from scorer.samples import samples
from scorer.session.values.setup_view import PairingView
from scorer.session.view.view import View
from tests.display.test_connection import decoded

SIZES = ((128, 64), (128, 32))
ADDRESS = "http://192.168.1.7:8080/"


def showing(digits: str, address: str = ADDRESS) -> View:
    view = samples()["setup-code"]
    assert view.setup is not None
    return view._replace(setup=view.setup._replace(content=PairingView(digits, address)))


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("address", [ADDRESS, ""])
def test_the_digits_are_there_in_any_language_on_any_panel(
    language: str, size: tuple[int, int], address: str
) -> None:
    canvas = draw_view(showing("408153", address), language, size)
    told = " ".join(canvas.texts)
    assert told.replace(" ", "").count("408153") == 1
    assert canvas.overflow == []


@pytest.mark.parametrize("address", [ADDRESS, "http://192.168.100.200:8080/"])
def test_a_phone_reads_the_page_off_the_panel(address: str) -> None:
    image = render(showing("000000", address), "es-AR")
    assert decoded(image) == f"{address}phone"


def test_a_low_panel_says_the_page_in_letters() -> None:
    assert "192.168.1.7:8080/phone" in draw_view(showing("408153"), "es-AR", (128, 32)).texts


def test_without_an_address_the_page_is_named() -> None:
    told = " ".join(draw_view(showing("408153", ""), "es-AR").texts)
    assert "/phone" in told
