"""``python -m tests.web.screenshots FOLDER [LOOK...]`` draws the pages.

Every state in every size and theme, in Spanish and in Portuguese; ``--theme``, ``--size``,
``--lang``, ``--path`` select fewer.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from tests.web.browser import SIZES, chromium, visit
from tests.web.fake_reports import serving
from tests.web.page_states import PAGE_STATES


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("looks", nargs="*", default=sorted(PAGE_STATES))
    parser.add_argument("--theme", nargs="*", default=["dark"])
    parser.add_argument("--size", nargs="*", default=["tv"], choices=SIZES)
    parser.add_argument("--lang", nargs="*", default=["es-AR"])
    parser.add_argument("--path", default="/")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    with serving() as server, chromium() as browser:
        for size in asked.size:
            for theme in asked.theme:
                for language in asked.lang:
                    for look in asked.looks:
                        server.report = PAGE_STATES[look]
                        join = "&" if "?" in asked.path else "?"
                        address = f"{server.address}{asked.path}{join}theme={theme}&lang={language}"
                        with visit(browser, address, size, reduced_motion="reduce") as page:
                            page.evaluate("document.fonts.ready")
                            name = f"{look}-{size}-{theme}-{language}.png"
                            page.screenshot(
                                path=str(asked.folder / name), full_page=size == "phone"
                            )
                            print(name)


if __name__ == "__main__":
    main()
