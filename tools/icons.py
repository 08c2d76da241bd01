"""``python tools/icons.py`` draws the icons of the phone page.

icon512.png is the icon itself; icon_full.png fills its square and keeps the drawing in the middle
four fifths, because phones cut a shape of their own out of it. Needs chromium and playwright.
"""

from __future__ import annotations

import io
import re
import shutil
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

PAGES = Path(__file__).parents[1] / "scorer" / "web" / "pages"
SIDE = 512  # pixels


def main() -> None:
    icon = (PAGES / "icon.svg").read_text("utf-8")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_page(viewport={"width": SIDE, "height": SIDE})
        for name, drawing in (("icon512", icon), ("icon_full", _without_corners(icon))):
            page.set_content(
                f"<style>body {{ margin: 0 }} svg {{ display: block }}</style>{drawing}"
            )
            shot = Image.open(io.BytesIO(page.screenshot(omit_background=True)))
            shot.quantize(64).save(PAGES / f"{name}.png", optimize=True)
        browser.close()


def _without_corners(icon: str) -> str:
    """The icon on a whole square, its drawing at four fifths of the size."""
    square = icon.replace(' rx="10"', "")
    inside = r"(<rect[^>]*/>)(.*)(</svg>)"
    scaled = r'\1<g transform="translate(32 32) scale(.8) translate(-32 -32)">\2</g>\3'
    return re.sub(inside, scaled, square, flags=re.DOTALL)


if __name__ == "__main__":
    main()
