"""Draws every sample with the stand-in for Pillow; prints the pictures as JSON.

Run as a program of its own, whose path begins with the folder of the stand-in.
"""

from __future__ import annotations

import json
import sys

from PIL import Image

from scorer.display import render
from scorer.samples import samples

LANGUAGES = ("es-AR", "pt-BR")
SIZES = ((128, 64), (128, 32))


def main() -> None:
    assert "browser/pillow" in str(Image.__file__), Image.__file__
    pictures = [
        [name, language, size, render(view, language, size).tobytes().hex()]
        for name, view in samples().items()
        for language in LANGUAGES
        for size in SIZES
    ]
    json.dump(pictures, sys.stdout)


if __name__ == "__main__":
    main()
