"""A new password of the desk on every panel, and the QR code of its page."""

from __future__ import annotations

import pytest

from scorer.display import draw_view, render
from scorer.i18n import languages
from scorer.samples import samples
from scorer.session.values.setup_view import DeskPasswordView
from scorer.session.view.view import View
from scorer.system.shown_password import LENGTH, LETTERS
from tests.display.test_connection import decoded

SIZES = ((128, 64), (128, 32))
PAGES = (
    "https://192.168.1.7:8443/desk",
    "https://192.168.100.200:8443/desk",
    "truco.local:8443/desk",
)
WIDEST = "m" * LENGTH


def showing(password: str, address: str) -> View:
    view = samples()["setup-desk-password"]
    assert view.setup is not None
    content = DeskPasswordView("truco", password, address)
    return view._replace(setup=view.setup._replace(content=content))


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("address", PAGES)
@pytest.mark.parametrize("password", ["h4kwmzt7pd", WIDEST])
def test_name_and_password_are_there_in_any_language_on_any_panel(
    language: str, size: tuple[int, int], address: str, password: str
) -> None:
    canvas = draw_view(showing(password, address), language, size)
    assert "truco" in canvas.texts
    assert password in "".join(canvas.texts)
    assert canvas.overflow == []


@pytest.mark.parametrize("address", PAGES[:2])
def test_a_phone_reads_the_page_off_the_panel(address: str) -> None:
    assert decoded(render(showing("h4kwmzt7pd", address), "es-AR")) == address


def test_the_code_has_no_password() -> None:
    first, second = (
        decoded(render(showing(each, PAGES[0]), "es-AR")) for each in (WIDEST, "a" * 10)
    )
    assert first == second == PAGES[0]


@pytest.mark.parametrize("size", SIZES)
def test_without_a_code_the_page_is_written(size: tuple[int, int]) -> None:
    texts = draw_view(showing("h4kwmzt7pd", PAGES[2]), "es-AR", size).texts
    assert PAGES[2] in texts


def test_no_two_letters_of_a_password_look_alike() -> None:
    assert not set(LETTERS) & set("0o1liquv")
    assert len(set(LETTERS)) == len(LETTERS)
