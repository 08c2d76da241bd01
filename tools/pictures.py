"""``make pictures``: draw the pictures of the README, for review by a person.

Panels come from ``scorer preview``; the terminal is a real one, played in tmux and drawn as SVG;
the box is the page of ``scorer demo --front`` in Chromium (``make browser`` installs its driver).
"""

from __future__ import annotations

import html
import io
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

from scorer.config.printer import PrinterSection
from scorer.display import tv
from scorer.receipts.escpos_encoder import encode_slip
from scorer.receipts.escpos_simulator import SimulatedPrinter
from scorer.receipts.played_game import PlayedGame, SlipRow
from scorer.receipts.slip import build_slip
from scorer.samples import samples as views

if TYPE_CHECKING:
    from playwright.sync_api import ViewportSize

IMAGES = Path(__file__).parent.parent / "docs" / "images"
COLUMNS, LINES = 132, 42
SESSION = "truco-pictures"
DESK: ViewportSize = {"width": 1280, "height": 800}
# Keys of the front panel: hands of 4, 5 and 2, then truco and retruco.
HANDS = "w j d q j d i i a l u a l q j l u q"


# The game on the slip; the times are those of a table, in milliseconds.
SLIP = """A envido
B real_envido
A quiero
B envido_won
A truco
B no_quiero
- new_hand
B truco
A quiero
A retruco
B quiero
A hand_won
- new_hand
A envido
B quiero
A envido_won
B hand_won
- new_hand
B truco
A retruco
B vale_cuatro
A quiero
A hand_won
- new_hand
B fold
- new_hand
A truco
B quiero
A hand_won
- new_hand
A truco
B quiero
A hand_won"""
SLIP_HEADER = """[Variant "argentine"]
[Options "target=15"]
[NameA "Los Pibes"]
[NameB "La Yunta"]
"""
STEP_MS = 34_000


def main() -> int:
    IMAGES.mkdir(exist_ok=True)
    for name, picture in drawn():
        picture.save(IMAGES / name, optimize=True)
    (IMAGES / "terminal.svg").write_text(terminal(), encoding="utf-8")
    box().save(IMAGES / "box.jpg", quality=85, subsampling=0, optimize=True)
    return 0


def drawn() -> Iterator[tuple[str, Image.Image]]:
    """The pictures that need no other program, by the names of their files."""
    yield "playing.png", panel("es-AR", "playing")
    yield "hdmi.png", television("es-AR", "playing", "pending")
    yield "slip.png", slip("es-AR")


def panel(language: str, sample: str) -> Image.Image:
    """A panel at four times its size."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "scorer", "preview", "--language", language]
        command += ["--scale", "4", "--out", folder, sample]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return Image.open(io.BytesIO(Path(folder, f"{sample}.png").read_bytes()))


def television(language: str, *samples: str) -> Image.Image:
    """Pictures of a television side by side, each at half its width."""
    sheet = Image.new("RGB", (648 * len(samples) - 8, 360), "white")
    for at, sample in enumerate(samples):
        picture = tv.render(views()[sample], language, (1280, 720))
        sheet.paste(picture.resize((640, 360), Image.Resampling.LANCZOS), (648 * at, 0))
    return sheet.quantize(64)


def slip(language: str) -> Image.Image:
    """A game on paper of 58 mm, drawn from the bytes that a printer would get."""
    rows = tuple(
        SlipRow(
            seq=number,
            press=number,
            line=line,
            boot="",
            monotonic_ms=number * STEP_MS,
            wall="",
            trusted=False,
        )
        for number, line in enumerate(SLIP.splitlines(), 1)
    )
    made = build_slip(PlayedGame(12, SLIP_HEADER, rows, language, device="truco"), language, 32)
    paper = SimulatedPrinter(58)
    paper.feed(encode_slip(made, letters=PrinterSection().letters))
    return paper.picture()


def terminal() -> str:
    """The demo in a terminal after a few presses, as SVG."""
    from rich.console import Console
    from rich.text import Text

    with tempfile.TemporaryDirectory() as store, table(store):
        press("Escape")  # the guided hand, which hides the words of the panel
        for key in ("w", "k", "q", "j"):
            press(key)
        press("u")
        screen = tmux("capture-pane", "-e", "-p", "-t", SESSION)
    console = Console(record=True, width=COLUMNS, file=io.StringIO())
    console.print(Text.from_ansi(screen), end="")
    return draw_blocks(console.export_svg(title="make run"))


CELL, ROW, RISE = 12.2, 24.4, 18.5  # of rich's terminal: width, height, from its top to the letters
_BLOCKS = {"█": (0.0, 1.0), "▀": (0.0, 0.5), "▄": (0.5, 0.5)}  # top and height of a row


def draw_blocks(svg: str) -> str:
    """Draw the blocks of a terminal as rectangles, and name no font of others.

    Letters are as wide as their textLength in any font; blocks would have gaps in most.
    """
    svg = re.sub(r"@font-face \{.*?\}\n", "", svg, flags=re.DOTALL)
    svg = svg.replace("font-family: Fira Code, monospace", "font-family: monospace")
    svg = svg.replace("<svg ", '<svg shape-rendering="crispEdges" ', 1)

    def drawn(run: re.Match[str]) -> str:
        tag, letters = run[1], html.unescape(run[2])
        place = {name: float(value) for name, value in re.findall(r' (x|y)="([\d.]+)"', tag)}
        kind = re.search(r'class="[^"]+"', tag)
        if kind is None or not set(letters) & set(_BLOCKS):
            return run[0]
        rectangles = [
            f'<rect {kind[0]} x="{place["x"] + CELL * found.start():.1f}"'
            f' y="{place["y"] - RISE + ROW * _BLOCKS[found[1]][0]:.1f}"'
            f' width="{CELL * len(found[0]):.1f}" height="{ROW * _BLOCKS[found[1]][1] + 0.3:.1f}"/>'
            for found in re.finditer(r"([█▀▄])\1*", letters)
        ]
        left = re.sub("[█▀▄]", "\xa0", letters)
        text = f"<text{tag}>{html.escape(left).replace(chr(0xA0), '&#160;')}</text>"
        return "".join([*([text] if left.strip("\xa0") else []), *rectangles])

    return re.sub(r"<text([^>]*)>([^<]*)</text>", drawn, svg)


def box() -> Image.Image:
    """The front panel after some hands, while a retruco waits for its answer."""
    from playwright.sync_api import sync_playwright

    with (
        tempfile.TemporaryDirectory() as store,
        front_panel(store) as address,
        sync_playwright() as driver,
    ):
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_page(viewport=DESK, bypass_csp=True)
        page.goto(address)
        page.wait_for_selector("#box canvas")
        # The letters of the keyboard are not on a real box.
        page.add_style_tag(content="kbd { display: none }")
        for key in HANDS.split():
            page.keyboard.press(key)
            page.wait_for_timeout(1200)
        picture = page.locator("#box").screenshot()
        browser.close()
    with Image.open(io.BytesIO(picture)) as shot:
        return shot.convert("RGB")


@contextmanager
def front_panel(store: str) -> Iterator[str]:
    """The address of a ``scorer demo --front``."""
    command = [sys.executable, "-m", "scorer", "demo", "--front", "0", "--store", store]
    with subprocess.Popen(
        [*command, "--language", "es-AR"],
        stdout=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().split()[2]
        finally:
            process.terminate()


@contextmanager
def table(store: str) -> Iterator[None]:
    """``scorer demo`` in a terminal of its own, once its panel is drawn."""
    # Sizes of the environment would hide that of the window.
    command = f"env -u COLUMNS -u LINES {sys.executable} -m scorer demo --store {store}"
    command += " --language es-AR"
    tmux("new-session", "-d", "-s", SESSION, "-x", str(COLUMNS), "-y", str(LINES), command)
    try:
        wait_for("TANTOS")
        yield
    finally:
        tmux("kill-session", "-t", SESSION)


def press(key: str) -> None:
    tmux("send-keys", "-t", SESSION, key)
    # Guards count real seconds: press as slowly as people do.
    time.sleep(1.2)


def wait_for(word: str, seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while word not in tmux("capture-pane", "-p", "-t", SESSION):
        if time.monotonic() > end:
            raise TimeoutError(f"the terminal has not shown {word!r} for {seconds} s")
        time.sleep(0.1)


def tmux(*words: str) -> str:
    return subprocess.run(["tmux", *words], check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    sys.exit(main())
