"""``make drawings``: build guide, wiring, facts and addresses of the pages."""

from __future__ import annotations

import sys

from tools.drawings import addresses, facts
from tools.drawings.pages import FOLDER, IMAGES, drawings, wiring_pages


def main() -> int:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for old in FOLDER.glob("*.svg"):
        old.unlink()
    for name, picture in drawings():
        (FOLDER / name).write_text(picture, encoding="utf-8")
    for name, picture in wiring_pages():
        (IMAGES / name).write_text(picture, encoding="utf-8")
    facts.FILE.write_text(facts.draw(), encoding="utf-8")
    for page, text in addresses.pages(addresses.addresses()).items():
        page.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
