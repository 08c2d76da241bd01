"""``make gallery``: pages with every screen, and an animated hand for the README.

Screens are the samples of ``scorer preview``; the hand is played in ``scorer demo``.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from scorer.commands import preview

DOCS = Path(__file__).parent.parent / "docs"
PICTURES = DOCS / "images" / "gallery"
LANGUAGES = ("es-AR", "pt-BR")
SIZES = ("128x64", "128x32")
SCALE = 2
# The script of the hand, with the seconds that each picture is shown.
HAND = """B envido
wait 2
A quiero
wait 2
A tantos
wait 3
A truco
wait 2
B truco
wait 2
A quiero
wait 2
B tantos
wait 4
"""
BLINK_MS, LOOK_MS = 400, 1400
# How the page of each language begins.
PAGES = {
    "gallery.md": """# Every screen

Written by `make gallery` from the samples of `scorer preview`: the panel of 128x64 and
the low one of 128x32, in Spanish and in Portuguese. Call names belong to the variant.""",
    "gallery.es.md": """# Todas las pantallas

Las escribe `make gallery` con los ejemplos de `scorer preview`: la pantalla de 128x64 y la baja de
128x32, en castellano y en portugués. Los nombres de los cantos son los de cada truco.""",
    "gallery.pt.md": """# Todas as telas

Escritas por `make gallery` com os exemplos de `scorer preview`: a tela de 128x64 e a baixa de
128x32, em espanhol e em português. Os nomes dos pedidos são os de cada truco.""",
}


def main() -> int:
    PICTURES.mkdir(parents=True, exist_ok=True)
    for old in PICTURES.glob("*.png"):
        old.unlink()
    pictures = screens()
    for name, picture in pictures.items():
        picture.save(PICTURES / f"{name}.png")
    for name, beginning in PAGES.items():
        text = "\n".join(written(beginning, list(pictures)))
        (DOCS / "players" / name).write_text(text, encoding="utf-8")
    moving(DOCS / "images" / "hand.gif")
    return 0


def screens() -> dict[str, Image.Image]:
    """One picture per sample: both languages, on panels of 128x64 and 128x32."""
    with tempfile.TemporaryDirectory() as folder:
        rows = [Path(folder, f"{language}-{size}") for language in LANGUAGES for size in SIZES]
        for row in rows:
            language, _, size = row.name.rpartition("-")
            drawing = ("--size", size, "--scale", str(SCALE), "--out", str(row))
            with redirect_stdout(StringIO()):
                assert preview.main(["--language", language, *drawing]) == 0
        names = [path.stem for path in sorted(rows[0].glob("*.png"))]
        return {name: side_by_side([row / f"{name}.png" for row in rows]) for name in names}


def side_by_side(files: list[Path]) -> Image.Image:
    """Panels in a row on grey."""
    panels = [Image.open(file).convert("L") for file in files]
    gap = 4 * SCALE
    width = sum(each.width + gap for each in panels) + gap
    sheet = Image.new("L", (width, max(each.height for each in panels) + 2 * gap), 90)
    x = gap
    for each in panels:
        sheet.paste(each, (x, gap))
        x += each.width + gap
    return sheet.quantize(4)


def written(beginning: str, names: list[str]) -> Iterator[str]:
    """A page, line by line."""
    yield beginning
    for name in names:
        yield ""
        yield f"**{name.replace('_', ' ')}**"
        yield ""
        yield f"![{name}](../images/gallery/{name}.png)"
    yield ""


def moving(path: Path) -> None:
    """The hand as an animation, with the pressed button under each picture."""
    with tempfile.TemporaryDirectory() as folder:
        command = ("demo", "--variant", "argentine", "--language", "es-AR")
        results = scorer(*command, "--script", "-", "--json", "--frames", folder, given=HAND)
        frames, lasting = [], []
        pressed = ""
        for line in map(json.loads, results.splitlines()):
            pressed = pressed if line["line"].startswith("wait") else line["line"]
            shown = [file for file in line["files"] if file.startswith("A-")]
            for file in shown:
                frames.append(captioned(Path(folder) / file, pressed))
                lasting.append(BLINK_MS)
            if lasting:
                lasting[-1] = LOOK_MS if not shown or len(shown) == 1 else BLINK_MS
    lasting[-1] = 2 * LOOK_MS
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=lasting, loop=0)


def captioned(file: Path, pressed: str) -> Image.Image:
    panel = Image.open(file).convert("L")
    panel = panel.resize((panel.width * 4, panel.height * 4), 0)
    picture = Image.new("L", (panel.width + 32, panel.height + 64), 40)
    picture.paste(panel, (16, 16))
    console, _, button = pressed.partition(" ")
    draw = ImageDraw.Draw(picture)
    words = f"{'Nosotros' if console == 'A' else 'Ellos'}: {button.replace('_', ' ').upper()}"
    draw.text((20, panel.height + 26), words, 230, ImageFont.load_default(24))
    return picture.quantize(8)


def scorer(*words: str, given: str = "") -> str:
    """The output of a ``scorer`` command."""
    command = [sys.executable, "-m", "scorer", *words]
    done = subprocess.run(command, input=given, check=True, capture_output=True, text=True)
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
