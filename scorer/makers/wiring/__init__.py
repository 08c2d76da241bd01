"""``scorer wiring``: the connection of each header pin, as a table or a drawing.

It uses the same pin map as the table, with default pins: buttons moved in the configuration are not
shown.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from scorer.makers.wiring.header import header_pins, markdown_table
from scorer.makers.wiring.page import draw_page
from scorer.session.settings import Layout

EXAMPLE = """example:
  scorer wiring --layout compact --out wiring.svg
  scorer wiring --layout full --table"""


def main(argv: list[str]) -> int:
    """Exit code 0: done; 1: file cannot be written; 2: usage error (from argparse)."""
    chosen = _parser().parse_args(argv)
    layout = Layout(chosen.layout)
    if chosen.out is not None:
        try:
            chosen.out.write_text(draw_page(layout), encoding="utf-8")
        except OSError as error:
            print(f"scorer wiring: cannot write {chosen.out}: {error.strerror}", file=sys.stderr)
            return 1
    if chosen.table or chosen.out is None:
        print(markdown_table(header_pins(layout)))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scorer wiring",
        description="What hangs on each pin of the header. Without --out, as a table.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--layout", choices=[*map(str, Layout)], default=str(Layout.FULL), help="(full)"
    )
    parser.add_argument("--out", type=Path, metavar="FILE.svg", help="write the drawing there")
    parser.add_argument("--table", action="store_true", help="print the table (Markdown)")
    return parser
