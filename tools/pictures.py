"""``make pictures``: draw the pictures of the README, for review by a person.

Panels come from ``scorer preview``; the terminal is a real one, played in tmux and drawn as SVG;
the box is the page of ``scorer demo --front`` in Chromium (``make browser`` installs its driver).
"""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import ViewportSize

IMAGES = Path(__file__).parent.parent / "docs" / "images"
COLUMNS, LINES = 132, 42
SESSION = "truco-pictures"
DESK: ViewportSize = {"width": 1280, "height": 800}
# Keys of the front panel: hands of 4, 5 and 2, then truco and retruco.
HANDS = "w j d q j d i i a l u a l q j l u q"


def main() -> int:
    IMAGES.mkdir(exist_ok=True)
    panels("es-AR", "pending", "playing")
    panels("pt-BR", "mao")
    television(IMAGES / "hdmi.png", "es-AR", "playing", "pending")
    terminal(IMAGES / "terminal.svg")
    box(IMAGES / "box.jpg")
    return 0


def panels(language: str, *samples: str) -> None:
    """Single panels at four times their size."""
    for sample in samples:
        command = [sys.executable, "-m", "scorer", "preview", "--language", language]
        command += ["--scale", "4", "--out", str(IMAGES), sample]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        wanted = IMAGES / f"{sample}.png"
        for made in IMAGES.glob(f"{sample}-*.png"):
            made.unlink()
        assert wanted.is_file(), wanted


def television(path: Path, language: str, *samples: str) -> None:
    """Pictures of a television side by side, each at half its width."""
    from PIL import Image

    from scorer.display import tv
    from scorer.samples import samples as views

    sheet = Image.new("RGB", (648 * len(samples) - 8, 360), "white")
    for at, sample in enumerate(samples):
        picture = tv.render(views()[sample], language, (1280, 720))
        sheet.paste(picture.resize((640, 360), Image.Resampling.LANCZOS), (648 * at, 0))
    sheet.quantize(64).save(path, optimize=True)


def terminal(path: Path) -> None:
    """The demo in a terminal after a few presses."""
    from rich.console import Console
    from rich.text import Text

    with tempfile.TemporaryDirectory() as store, table(store):
        for key in ("w", "k", "q", "j"):
            press(key)
        press("u")
        screen = tmux("capture-pane", "-e", "-p", "-t", SESSION)
    console = Console(record=True, width=COLUMNS, file=io.StringIO())
    console.print(Text.from_ansi(screen), end="")
    path.write_text(console.export_svg(title="make run"), encoding="utf-8")


def box(path: Path) -> None:
    """The front panel after some hands, while a retruco waits for its answer."""
    from PIL import Image
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
        shot.convert("RGB").save(path, quality=85, subsampling=0, optimize=True)


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
    command = f"{sys.executable} -m scorer demo --store {store} --language es-AR"
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
