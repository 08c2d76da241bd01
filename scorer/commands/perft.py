"""``scorer perft``: counts all possible hands, and writes the pins of the tests."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from scorer.config.owner_variants import add_variants_option, install
from scorer.rules.options import RulesError
from scorer.rules.perft_pins import pins_text
from scorer.rules.registry import find_variant
from scorer.rules.table_text import table_text
from scorer.rules.variant import Variant

EXAMPLE = """example:
  scorer perft argentine            count and show
  scorer perft argentine --write    and keep it with the table; read the difference, then commit"""


def main(argv: list[str]) -> int:
    """0: counted; 2: no such variant, or no checkout to write to."""
    parser = argparse.ArgumentParser(
        prog="scorer perft",
        description="Count every way one hand of a variant can go.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("variant", metavar="VARIANT", help="as in a score sheet: argentine, ...")
    parser.add_argument("--write", action="store_true", help="write pins and table for the tests")
    add_variants_option(parser)
    arguments = parser.parse_args(argv)
    install(arguments.variants)
    try:
        variant = find_variant(arguments.variant)
    except RulesError as error:
        return _print_error(str(error))
    text = pins_text(variant)
    if not arguments.write:
        sys.stdout.write(text)
        return 0
    if variant.definition:
        return _print_error(
            f"{variant.id} is an owner's variant: only those of the source are pinned"
        )
    folder = pin_folder()
    if not folder.is_dir():
        return _print_error(f"{folder} is not there: pins are written in a checkout of the source")
    path = folder / f"{variant.id}.perft"
    path.write_text(text, encoding="utf-8")
    sys.stdout.write(f"{path}: {text.count('digest')} counts written\n")
    return _write_table(variant)


def _write_table(variant: Variant) -> int:
    path = table_path(variant.id)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(table_text(variant), encoding="utf-8")
    sys.stdout.write(f"{path}: the table written\n")
    return 0


def table_path(variant_id: str) -> Path:
    """Path of the table of a variant in a checkout."""
    return pin_folder().parent / "variants" / f"{variant_id}.table"


def pin_folder() -> Path:
    """Folder of the pins in a checkout."""
    return Path(__file__).resolve().parents[2] / "tests" / "rules" / "perft"


def _print_error(sentence: str) -> int:
    sys.stderr.write(f"scorer perft: {sentence}\n")
    return 2
