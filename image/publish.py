#!/usr/bin/env python3
"""Compress an image and describe it for Raspberry Pi Imager.

    publish.py IMAGE.img URL

Writes IMAGE.img.xz, os_list.json, its icon and SHA256SUMS beside the image. URL is the folder from
which the image will be downloaded.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

# The names by which Imager knows the boards.
ICON = Path(__file__).resolve().parent.parent / "scorer" / "web" / "pages" / "icon.svg"
DEVICES = ("pi5-64bit", "pi4-64bit", "pi3-64bit")


def main(words: list[str]) -> int:
    """Exit code 0: the files were written; 2: wrong arguments."""
    if len(words) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    image, url = Path(words[0]), words[1].rstrip("/")
    # Two threads always: the number of blocks, not of processors, decides about the bytes.
    subprocess.run(["xz", "--threads=2", "--keep", "--force", "-6", str(image)], check=True)
    packed = image.with_name(f"{image.name}.xz")
    listed = image.with_name("os_list.json")
    when = datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), UTC).date()
    text = json.dumps(imager_list(image, packed, url, when.isoformat()), indent=2)
    listed.write_text(f"{text}\n", encoding="utf-8")
    icon = Path(shutil.copyfile(ICON, image.with_name("truco-scorer.svg")))
    sums = "".join(f"{digest(each)}  {each.name}\n" for each in (packed, listed, icon))
    image.with_name("SHA256SUMS").write_text(sums, encoding="utf-8")
    print(f"{packed}: {packed.stat().st_size:,} bytes")
    return 0


def imager_list(image: Path, packed: Path, url: str, date: str) -> dict[str, object]:
    """The list that Raspberry Pi Imager reads, with one entry."""
    entry = {
        "name": "Truco Scorer (64-bit)",
        "description": "The score box of a truco table: Pi 3, 4, 5, Zero 2 W",
        "icon": f"{url}/truco-scorer.svg",
        "url": f"{url}/{packed.name}",
        "website": url,
        "release_date": date,
        "extract_size": image.stat().st_size,
        "extract_sha256": digest(image),
        "image_download_size": packed.stat().st_size,
        "image_download_sha256": digest(packed),
        "devices": list(DEVICES),
        # Settings are in scorer.toml on the card; what Imager would write is not read.
        "init_format": "none",
    }
    return {"os_list": [entry]}


def digest(file: Path) -> str:
    """SHA-256 in hexadecimal."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
