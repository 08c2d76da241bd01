"""``make site``: collect the pages, build the site, check it.

The last line is "N passed, N failed", counting pages and links.
"""

from __future__ import annotations

import logging
import shutil
import sys
from pathlib import Path

from tools.site.links import check_site
from tools.site.menu import menu
from tools.site.source import ROOT, TABLE, collect

HERE = Path(__file__).parent
TABLE_PAGE = ROOT / "build" / "table"
ASSETS = (
    HERE / "site.css",
    HERE / "iframe-worker.js",
    ROOT / "scorer" / "demo" / "front" / "page" / "icon.svg",
)


def main() -> int:
    """Exit code 0: built and all links hold; 1: a page or a link is broken."""
    from mkdocs.commands.build import build
    from mkdocs.config import load_config
    from mkdocs.exceptions import Abort

    logging.basicConfig(level=logging.WARNING, format="%(levelname)s: %(message)s")
    config_file = str(ROOT / "mkdocs.yml")
    pages = ROOT / "build" / "site-pages"
    collect(pages)
    (pages / "assets").mkdir()
    for path in ASSETS:
        shutil.copyfile(path, pages / "assets" / path.name)
    config = load_config(config_file, nav=menu(pages), strict=True)
    try:
        build(config)
    except Abort as error:
        sys.stderr.write(f"{error}\n0 passed, 1 failed\n")
        return 1
    write_search_script(Path(config["site_dir"]) / "search")
    # It has absolute addresses, for a server at the top of its host; this site has neither.
    (Path(config["site_dir"]) / "404.html").unlink()
    site = Path(config["site_dir"])
    has_table = (TABLE_PAGE / "index.html").exists()
    if has_table:
        shutil.copytree(TABLE_PAGE, site / "table")
    else:
        print("The site has no table: make table-page builds it (needs npm).")
    result = check_site(site, without=() if has_table else (site / TABLE,))
    for line in result.broken:
        print(line)
    print(f"{config['site_dir']}/index.html")
    print(f"{result.checked - len(result.broken)} passed, {len(result.broken)} failed")
    return 1 if result.broken else 0


def write_search_script(folder: Path) -> None:
    """Write the index of all languages as a script, for pages opened from a disk.

    Without it the last language that was built has the only index.
    """
    index = (folder / "search_index.json").read_text(encoding="utf-8")
    choice = (HERE / "search_language.js").read_text(encoding="utf-8")
    (folder / "search_index.js").write_text(f"var __index = {index};\n{choice}", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
