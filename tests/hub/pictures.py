"""Pictures of wall and desk: ``python -m tests.hub.pictures FOLDER``."""

from __future__ import annotations

import argparse
import io
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

from scorer.hall import wire
from scorer.hall.rows import Opening
from tests.hub.boxes import HEADER, greet, row, rows_message
from tests.hub.hub_process import Client, HubProcess, running_hub
from tests.hub.joining_box import JoiningBox, join_box, log_in
from tests.hub.pages.test_first_evening import PAGES, picture_name, play_evening
from tests.hub.pages.test_pages import desk_of, open_desk, send, wall_of
from tests.hub.test_tournament import Director
from tests.web.browser import blank, chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

TEAMS = (
    ("Los Pibes del Fondo", 21, "La Yunta", 18),
    ("Las Brujas", 9, "Tres de Copas", 12),
    ("El Ancho", 4, "Barrio Sur", 0),
    ("La Muestra", 27, "Falta Envido", 25),
)
WIDTH = 960


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    with (
        tempfile.TemporaryDirectory() as state,
        running_hub(Path(state) / "hub", 'name = "Club Tres de Copas"') as hub,
        chromium() as browser,
    ):
        desk = log_in(hub)
        boxes = [_seat(hub, desk, number, names) for number, names in enumerate(TEAMS, 1)]
        call = wire.CallRequest("c41", "Z1-R2-M3", "contest")
        send(boxes[2], wire.CALL_PATH, call)
        with blank(browser, "desktop") as page:
            page.goto(wall_of(hub))
            page.wait_for_selector(".table .score >> nth=7")
            _save(page, folder / "hall-wall.png")
        JoiningBox(hub.client(), hub.pin, "5" * 32, machine="b70e").show_digits()
        with blank(browser, "desktop", ignore_https_errors=True) as page:
            open_desk(page, hub)
            page.goto(desk_of(hub))
            page.wait_for_selector("#candidates .code")
            _save(page, folder / "hall-desk.png")
        for language in PAGES:
            _save_evening(browser, Path(state) / language, folder, language)


def _save_evening(browser: Browser, state: Path, folder: Path, language: str) -> None:
    """The pictures of the page about the first evening."""
    with running_hub(state, 'name = "Club Tres de Copas"\nviewers_each = 200') as hub:

        def look(page: Page, name: str) -> None:
            _save(page, folder / picture_name(name, language), is_whole=False)

        play_evening(Director(hub, log_in(hub)), browser, language, look)


def _seat(
    hub: HubProcess, desk: Client, number: int, game: tuple[str, int, str, int]
) -> JoiningBox:
    """A box that has joined and played."""
    box = join_box(hub, desk, str(number) * 32, number)
    ours, points, theirs, others = game
    header = f'{HEADER}\n[NameA "{ours}"]\n[NameB "{theirs}"]\n[Start "A={points} B={others}"]\n'
    send(box, wire.GREET_PATH, greet())
    rows = [row(1, "A truco")]
    send(box, wire.ROWS_PATH, rows_message(rows, openings=(Opening(1, 1, header),)))
    return box


def _save(page: Page, path: Path, *, is_whole: bool = True) -> None:
    with Image.open(io.BytesIO(page.screenshot(full_page=is_whole))) as shot:
        width = min(WIDTH, shot.width)
        small = shot.resize((width, shot.height * width // shot.width), Image.Resampling.LANCZOS)
        small.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)
    print(path)


if __name__ == "__main__":
    main()
