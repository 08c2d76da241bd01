"""``make pictures``: draw the pictures of the README, for review by a person.

Panels come from ``scorer preview``; the terminal is a real one, played in tmux and drawn as SVG.
"""

from __future__ import annotations

import io
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

IMAGES = Path(__file__).parent.parent / "docs" / "images"
COLUMNS, LINES = 132, 42
SESSION = "truco-pictures"


def main() -> int:
    IMAGES.mkdir(exist_ok=True)
    panels("es-AR", "pending", "playing")
    panels("pt-BR", "mao")
    television(IMAGES / "hdmi.png", "es-AR", "playing", "pending")
    terminal(IMAGES / "terminal.svg")
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
    from scorer.display.samples import samples as views

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
