"""``scorer labels``: labels, drilling templates and a quick card as PDF and PNG.

One PDF per layout and language, and one for the keys of numeric keypads. The quick card teaches one
truco: that of the language, or ``--variant``.
"""

from __future__ import annotations

import argparse
import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from scorer.i18n import languages, nearest_language, translator
from scorer.i18n.argument import parse_language
from scorer.makers.labels.keypad_sheet import keypad_sheets
from scorer.makers.labels.page import new_document
from scorer.makers.labels.sheets import draw_card, sheets
from scorer.rules.options import RulesError, rules_for
from scorer.rules.registry import find_variant
from scorer.session.values.countries import country_of
from scorer.session.values.settings import Layout
from scorer.system.libraries import how_to_install

if TYPE_CHECKING:
    from fpdf import FPDF

EXAMPLE = """example:
  scorer labels --layout compact --language pt-BR --variant mineiro --out labels"""
KEYPAD = "keypad"  # the sheets of level 1: a keypad for each team
POPPLER = "pdftoppm"  # draws where pypdfium2 is missing, as on Debian 12
NO_PICTURES = "pdftoppm is missing (sudo apt install poppler-utils); the PDF is complete"
PIXELS_A_POINT = 2.0  # 144 dpi: legible on a screen; the PDF is for printing


def main(argv: list[str]) -> int:
    """Exit code 0: done; 1: files cannot be written; 2: usage error."""
    chosen = _parser().parse_args(argv)
    layouts = [chosen.layout] if chosen.layout else [*map(str, Layout), KEYPAD]
    chosen_languages = [chosen.language] if chosen.language else languages()
    try:
        chosen.out.mkdir(parents=True, exist_ok=True)
        for layout in layouts:
            for language in chosen_languages:
                print(write(layout, language, chosen.out, chosen.variant))
    except RulesError as error:
        print(f"scorer labels: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"scorer labels: cannot write to {chosen.out}: {error.strerror}", file=sys.stderr)
        return 1
    except ModuleNotFoundError as error:
        print(f"scorer labels needs {error.name}: {how_to_install('labels')}", file=sys.stderr)
        return 1
    if not _has_pdfium() and shutil.which(POPPLER) is None:
        print(f"no pictures of the pages: {NO_PICTURES}", file=sys.stderr)
    return 0


def write(layout: str, language: str, folder: Path, variant: str = "") -> Path:
    """Write the PDF of ``document``, and its pages as PNG beside it.

    Raises RulesError.
    """
    path = folder / f"{'-'.join(filter(None, (layout, language, variant)))}.pdf"
    path.write_bytes(bytes(document(layout, language, variant).output()))
    if _has_pdfium():
        import pypdfium2

        with pypdfium2.PdfDocument(path) as pdf:
            for number, page in enumerate(pdf, 1):
                image = page.render(scale=PIXELS_A_POINT).to_pil()
                image.save(path.with_name(f"{path.stem}-{number}.png"))
    elif poppler := shutil.which(POPPLER):
        resolution = str(round(72 * PIXELS_A_POINT))
        words = [poppler, "-png", "-r", resolution, str(path), str(path.with_suffix(""))]
        subprocess.run(words, check=False)  # it says itself why it failed
    return path


def document(layout: str, language: str, variant: str = "") -> FPDF:
    """All sheets of one layout in one language.

    ``layout``: one of Layout, or KEYPAD. ``variant``: the id of the truco of the quick card; "" is
    that of the language. Raises RulesError for an unknown id.
    """
    own = country_of(nearest_language(language)).proposed
    rules = rules_for(find_variant(variant or own))
    if layout == KEYPAD:
        return keypad_sheets(language, rules)
    return sheets(Layout(layout), language, rules)


def card_document(language: str, variant: str) -> FPDF:
    """The quick cards of one truco, a page for each layout. Raises RulesError."""
    rules = rules_for(find_variant(variant))
    pdf = new_document(f"Truco Scorer, {rules.variant.title}, {language}")
    for layout in Layout:
        draw_card(pdf, layout, rules, translator(language))
    return pdf


def _has_pdfium() -> bool:
    return importlib.util.find_spec("pypdfium2") is not None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scorer labels",
        description="Labels to cut out, templates to drill through and a quick card, as PDF and "
        "PNG. Without a layout or a language: all of them.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--layout", choices=[*map(str, Layout), KEYPAD], help="(all)")
    known = ", ".join(languages())
    parser.add_argument("--language", type=parse_language, metavar="L", help=f"{known} (all)")
    parser.add_argument(
        "--variant", default="", metavar="T", help="truco of the quick card (its own)"
    )
    parser.add_argument("--out", type=Path, default=Path("labels"), metavar="DIR", help="(labels)")
    return parser
