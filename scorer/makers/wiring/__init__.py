"""``scorer wiring``: the connection of each header pin, as a table or a drawing.

It uses the same pin map as the table, with default pins: buttons moved in the configuration are not
shown.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from scorer.makers.boot_config import boot_lines
from scorer.makers.wiring.header import default_claims, header_pins, markdown_table
from scorer.makers.wiring.page import draw_page
from scorer.session.values.settings import Layout

EXAMPLE = """example:
  scorer wiring --layout compact --out wiring.svg
  scorer wiring --layout full --table
  scorer wiring --consoles 3                 with a third console, for three single players
  scorer wiring --consoles 3 --config-txt    and its lines of config.txt"""


def main(argv: list[str]) -> int:
    """Exit code 0: done; 1: file cannot be written; 2: usage error (from argparse)."""
    parser = argparse.ArgumentParser(
        prog="scorer wiring",
        description="What hangs on each pin of the header; a table, if nothing else is asked for.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--layout", choices=[*map(str, Layout)], default=str(Layout.FULL), help="(full)"
    )
    parser.add_argument("--consoles", type=int, choices=(2, 3), default=2, help="(2)")
    parser.add_argument("--out", type=Path, metavar="FILE.svg", help="write the drawing there")
    parser.add_argument("--table", action="store_true", help="print the table (Markdown)")
    parser.add_argument("--config-txt", action="store_true", help="print the lines of config.txt")
    chosen = parser.parse_args(argv)
    layout, consoles = Layout(chosen.layout), chosen.consoles
    if chosen.out is not None:
        try:
            chosen.out.write_text(draw_page(layout, consoles), encoding="utf-8")
        except OSError as error:
            print(f"scorer wiring: cannot write {chosen.out}: {error.strerror}", file=sys.stderr)
            return 1
    if chosen.table or (chosen.out is None and not chosen.config_txt):
        print(markdown_table(header_pins(layout, consoles)))
    if chosen.config_txt:
        print("\n".join(boot_lines(default_claims(layout, consoles))))
    return 0
