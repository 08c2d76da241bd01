"""``scorer wiring``: what hangs on each pin of the header, as a table or as a drawing.

It opens no device: paper is made of the same list of pins that the table reads. An owner who moves
a button in the configuration moves it for himself; that is not on this paper.
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
    """0: done; 1: the drawing cannot be written; 2: used wrongly (argparse leaves with it)."""
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
