"""The connection page: a QR code decoded from the picture, and text to type.

The decoder is OpenCV's, if it is installed; segno's modules are not used.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from itertools import count
from types import ModuleType
from typing import Any

import pytest
from PIL import Image

from scorer.api.web_status import MAX_PASSWORD_CHARS, MAX_VIEWERS
from scorer.display import draw_view, render
from scorer.display.fonts import SMALL, TINY
from scorer.display.oled import qr, text
from scorer.display.oled.qr import MIN_MODULE, MIN_QUIET_ZONE, qr_image, qr_text
from scorer.i18n import languages
from scorer.samples import samples
from scorer.session.values.shown import LinkState, LinkView
from scorer.session.view.view import View

PAGE = samples()["connection"]
SIZES = ((128, 64), (128, 32))
AWAY = 24  # pixels of the dark border around a panel in a photograph


def showing(address: str, name: str = "truco.local", wifi: str = "", clients: int = 0) -> View:
    return PAGE._replace(link=LinkView(LinkState.ONLINE, address, name, wifi, clients))


def photographed(image: Image.Image, times: int = 4) -> Image.Image:
    """A panel with a dark border, enlarged ``times``."""
    seen = Image.new("L", (image.width + 2 * AWAY, image.height + 2 * AWAY), 0)
    seen.paste(image.convert("L"), (AWAY, AWAY))
    return seen.resize((seen.width * times, seen.height * times), Image.Resampling.BILINEAR)


def decoded(image: Image.Image, times: int = 4) -> str:
    """The text that the decoder reads, or ""; ``times``: how large the camera sees it."""
    cv2: Any = pytest.importorskip("cv2", reason="no decoder: pip install opencv-python-headless")
    numpy: Any = pytest.importorskip("numpy")
    said = cv2.QRCodeDetector().detectAndDecode(numpy.asarray(photographed(image, times)))[0]
    return str(said)


@pytest.mark.parametrize(
    "address",
    [
        "http://10.0.0.2/",
        "http://192.168.1.7:8080/",
        "http://192.168.100.134:8080/",
        "http://255.255.255.255:65535/",
        "http://[fd12:3456:789a::1234]:8080/",
    ],
)
def test_a_phone_reads_the_address_off_the_panel(address: str) -> None:
    read = decoded(render(showing(address, wifi="Bar El Ombú", clients=12), "es-AR"))
    assert read.lower() == address.rstrip("/").lower()


def test_a_phone_joins_the_network_of_the_box_by_its_code() -> None:
    link = LinkView(
        LinkState.ONLINE, "http://10.42.0.1:8080/", wifi="Truco-7F3A", password="kx7m2p9dae"
    )
    canvas = draw_view(PAGE._replace(link=link), "es-AR")
    assert decoded(canvas.image) == "WIFI:T:WPA;S:Truco-7F3A;P:kx7m2p9dae;;"
    for size in SIZES:
        texts = draw_view(PAGE._replace(link=link), "es-AR", size).texts
        assert {"clave", "kx7m2p9dae", "10.42.0.1:8080"} <= set(texts)
        assert any("Truco-7F3A" in each for each in texts)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", languages())
def test_the_longest_name_and_password_of_the_box_fit(language: str, size: tuple[int, int]) -> None:
    link = LinkView(
        LinkState.ONLINE,
        "http://10.42.0.1:65535/",
        wifi="W" * 32,
        password="w" * MAX_PASSWORD_CHARS,
    )
    assert draw_view(PAGE._replace(link=link), language, size).overflow == []


def test_a_low_panel_has_the_letters_and_no_code() -> None:
    canvas = draw_view(showing("http://192.168.1.7:8080/", clients=3), "es-AR", (128, 32))
    assert canvas.texts == ["192.168.1.7:8080", "truco.local:8080", "miran 3", "con red"]
    assert decoded(canvas.image) == ""


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", languages())
def test_the_address_is_there_in_letters_too(language: str, size: tuple[int, int]) -> None:
    texts = draw_view(showing("http://192.168.100.134:8080/"), language, size).texts
    assert {"192.168.100.134:8080", "truco.local:8080"} <= set(texts)


@pytest.mark.parametrize("state", [state for state in LinkState if state is not LinkState.ONLINE])
def test_without_an_address_the_page_says_why(state: LinkState) -> None:
    said = set()
    for language in languages():
        view = PAGE._replace(link=LinkView(state, wifi="Bar El Ombú"))
        for size in SIZES:
            title, why = draw_view(view, language, size).texts
            assert title == title.upper()
            assert ("Bar El" in why) is (state in REJECTED)
            said.add(why)
    assert len(said) >= 4, "Spanish, Portuguese, Catalan, English"


REJECTED = (LinkState.PASSWORD, LinkState.ABSENT, LinkState.FAILED)
WIFI = ("", "W" * 32, "Wifi de la Señora de los Anillos", "a b c d e f g h i j k l m n o p")
NAMES = ("", "truco.local", "w" * 58 + ".local", "una-casa-larga.del-barrio.local")


@pytest.mark.parametrize("wifi", WIFI)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "address",
    [
        "",
        "http://255.255.255.255:65535/",
        "https://a.bar/",
        "https://truco.club-social.org.ar:8443/",
    ],
)
def test_no_name_of_a_network_or_a_machine_is_too_long(address: str, name: str, wifi: str) -> None:
    states = (LinkState.ONLINE,) if address else REJECTED
    links = [LinkView(state, address, name, wifi, MAX_VIEWERS) for state in states]
    for view in (PAGE._replace(link=link) for link in links):
        for language in languages():
            for size in SIZES:
                assert draw_view(view, language, size).overflow == [], (language, size)


def test_a_host_name_too_long_to_type_is_omitted_but_not_the_address() -> None:
    texts = draw_view(showing("http://192.168.1.7/", "w" * 58 + ".local"), "es-AR").texts
    assert texts == ["con red", "192.168.1.7", "nadie mira"]


def test_the_scheme_of_an_encrypted_page_is_shown_because_browsers_do_not_add_it() -> None:
    texts = draw_view(showing("https://truco.example.org:8443/", ""), "es-AR").texts
    assert "https://truco.example.org:8443" in texts


# ---- codes --------------------------------------------------------------------------------------


def test_a_code_is_dark_on_a_lit_ground_with_a_rim() -> None:
    image = qr_image("HTTP://192.168.1.7:8080", (128, 64))
    assert image is not None
    assert image.size == (58, 58), "21 modules of 2 pixels, and a rim of four modules"
    rim = image.copy()
    rim.paste(1, (8, 8, 50, 50))
    assert set(rim.tobytes()[:7]) == {0xFF}
    assert rim.getextrema() == (1, 1)
    assert image.getpixel((8, 8)) == 0


@pytest.mark.sampled(6)
@pytest.mark.parametrize("side", range(20, 200, 7))
def test_a_code_is_as_large_as_there_is_room_and_never_too_small(side: int) -> None:
    image = qr_image("HTTP://192.168.1.7:8080", (side + 30, side))
    if side < 21 * MIN_MODULE + 2 * MIN_QUIET_ZONE:
        assert image is None
    else:
        assert image is not None and image.width == image.height <= side
        assert decoded(image) == "HTTP://192.168.1.7:8080"


def test_a_result_is_read_off_both_sizes_of_panel() -> None:
    view = samples()["hall-qr"]
    assert view.hall is not None
    assert decoded(render(view, "es-AR", (128, 64))) == view.hall.qr
    # A pixel per module: only a camera that is held close resolves it.
    assert decoded(render(view, "es-AR", (128, 32)), times=12) == view.hall.qr


def test_a_text_too_long_for_a_panel_has_no_code() -> None:
    assert qr_image("http://192.168.1.7:8080/phone#" + "x" * 40, (64, 64)) is None


def test_a_code_is_made_while_another_thread_imports(monkeypatch: pytest.MonkeyPatch) -> None:
    is_segno, numbers = qr._is_segno, count()

    def import_meanwhile(name: str) -> bool:
        monkeypatch.setitem(sys.modules, f"other_{next(numbers)}", ModuleType("other"))
        return is_segno(name)

    monkeypatch.setattr(qr, "_is_segno", import_meanwhile)
    assert qr_image("HTTP://192.168.1.8:8080", (128, 64)) is not None


@pytest.mark.parametrize(
    ("address", "path", "spelled"),
    [
        ("http://192.168.1.7:8080/", "", "HTTP://192.168.1.7:8080"),
        ("http://truco.local:8080", "", "HTTP://TRUCO.LOCAL:8080"),
        ("http://192.168.1.7:8080/", "/phone", "http://192.168.1.7:8080/phone"),
        ("http://192.168.1.7:8080/own/Menu", "", "http://192.168.1.7:8080/own/Menu"),
    ],
)
def test_an_address_is_spelled_for_a_small_code(address: str, path: str, spelled: str) -> None:
    assert qr_text(address, path) == spelled


PAINTED = """
import sys
from scorer.display.oled.qr import qr_image
assert "segno" not in sys.modules
assert qr_image("HTTP://192.168.1.7:8080", (64, 64)) is not None
loaded = {name.partition(".")[0] for name in sys.modules}
assert not loaded & {"segno", "urllib.request", "http", "email"}, loaded
import segno
assert segno.make("a").matrix, "whoever wants the whole of it has it"
"""


def test_a_code_costs_a_table_no_more_than_the_encoder() -> None:
    subprocess.run([sys.executable, "-c", PAINTED], check=True)


def test_without_segno_there_are_the_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    qr_image.cache_clear()
    texts = draw_view(showing("http://192.168.1.7:8080/"), "es-AR").texts
    qr_image.cache_clear()
    assert texts == ["con red", "192.168.1.7:8080", "truco.local:8080", "nadie mira"]


# ---- addresses in letters -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "width", "lines"),
    [
        ("192.168.1.7:8080", 70, ("192.168.1.7:8080",)),
        ("192.168.1.7:8080", 62, ("192.168.1.7", ":8080")),
        ("192.168.100.134:8080", 62, ("192.168.100.", "134:8080")),
        ("raspberrypi.local:8080", 62, ("raspberrypi.", "local:8080")),
        ("w" * 20, 62, ("w" * 10, "w" * 10)),
    ],
)
def test_an_address_is_broken_where_it_may_be(
    address: str, width: int, lines: tuple[str, ...]
) -> None:
    setting = text.address(address, width, 100, (TINY,))
    assert (setting.lines, setting.text, setting.is_cut) == (lines, address, False)


def test_an_address_without_room_is_reported() -> None:
    assert text.address("192.168.100.134:8080", 62, 8, (SMALL, TINY)).is_cut
