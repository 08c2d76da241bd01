"""``scorer preview``: writes every screen, or the named ones, as PNG files.

Draws the samples of ``scorer.samples`` with the code of the panels, or of televisions for
sizes of a television.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from PIL import Image

from scorer.display import deferred, render
from scorer.i18n import DEFAULT_LANGUAGE, languages
from scorer.i18n.argument import parse_language
from scorer.plain_values import did_you_mean
from scorer.samples import samples
from scorer.session.values.shown import Screen
from scorer.session.view.view import View

MIN_SIZE, MAX_SIZE = (96, 32), (512, 256)
TV_SIZE_RANGE = (640, 480), (3840, 2160)
EXAMPLE = """example:
  scorer preview --language pt-BR --out pictures mao pending
  scorer preview --size 1280x720 playing     as a television shows it"""


def main(argv: list[str]) -> int:
    """Write the pictures; 0: done, 2: usage error (argparse exits with 2 as well)."""
    parser = argparse.ArgumentParser(
        prog="scorer preview",
        description="Draws screens to PNG files, one a sample.",
        epilog=f"{EXAMPLE}\n\nscreens: {', '.join(Screen)}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("screens", nargs="*", metavar="SCREEN", help="screen or sample (all)")
    parser.add_argument(
        "--language",
        type=parse_language,
        default=DEFAULT_LANGUAGE,
        metavar="L",
        help=", ".join(languages()),
    )
    parser.add_argument("--size", type=_size, default=(128, 64), metavar="WxH", help="128x64")
    parser.add_argument(
        "--scale", type=_scale, default=4, metavar="N", help="times as large, of a panel (4)"
    )
    parser.add_argument(
        "--out", type=Path, default=Path("preview"), metavar="DIR", help="folder (preview)"
    )
    wanted = parser.parse_args(argv)
    views = samples()
    for name in wanted.screens:
        if not _select(views, [name]):
            hint = did_you_mean(name, [*Screen, *views])
            print(f"scorer preview: no screen '{name}'{hint}", file=sys.stderr)
            return 2
    try:
        wanted.out.mkdir(parents=True, exist_ok=True)
        for name, view in _select(views, wanted.screens).items():
            path = wanted.out / f"{name}.png"
            _draw(view, wanted.language, wanted.size, wanted.scale).save(path)
            print(path)
    except OSError as error:
        print(f"scorer preview: cannot write to {wanted.out}: {error.strerror}", file=sys.stderr)
        return 1
    return 0


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.lower().partition("x")
    if not (width.isdecimal() and height.isdecimal()):
        raise argparse.ArgumentTypeError(f"'{text}' is not WxH, such as 128x64")
    size = int(width), int(height)
    if _is_television(size):
        return size
    if not all(low <= n <= high for low, n, high in zip(MIN_SIZE, size, MAX_SIZE, strict=True)):
        least, most = "x".join(map(str, MIN_SIZE)), "x".join(map(str, MAX_SIZE))
        raise argparse.ArgumentTypeError(f"{text} is not between {least} and {most}")
    return size


def _is_television(size: tuple[int, int]) -> bool:
    return all(
        low <= n <= high
        for low, n, high in zip(TV_SIZE_RANGE[0], size, TV_SIZE_RANGE[1], strict=True)
    )


def _scale(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 32:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 1 to 32")
    return int(text)


def _select(views: dict[str, View], names: list[str]) -> dict[str, View]:
    """The samples with these names or of these screens; all without names."""
    return {
        name: view
        for name, view in views.items()
        if not names or name in names or str(view.screen) in names
    }


def _draw(view: View, language: str, size: tuple[int, int], scale: int) -> Image.Image:
    if _is_television(size):
        return deferred.defer_view(view, language, lambda: size)()
    picture = render(view, language, size)
    enlarged = picture.width * scale, picture.height * scale
    return picture.resize(enlarged, Image.Resampling.NEAREST)
