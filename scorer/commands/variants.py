"""``scorer variants``: list of variants or rule cards, as text, JSON or Markdown."""

from __future__ import annotations

import argparse
import json
import os
import sys

from scorer.config.owner_variants import add_variants_option, install
from scorer.i18n import languages, terminal_language, translator
from scorer.i18n.argument import parse_language
from scorer.rulecards.content import card_of, document
from scorer.rulecards.markdown import variants_page
from scorer.rulecards.text import card_text, list_text
from scorer.rules import Rules, RulesError, find_variant, rules_for, variant_ids
from scorer.rules.registry import built_in_ids

EXAMPLE = """example:
  scorer variants                            every variant in three lines
  scorer variants venezuelan --language es   its rule card
  scorer variants argentine --options "target=24 falta=leader_half\""""


def main(argv: list[str]) -> int:
    """0: printed; 2: no such variant, or no such option of it."""
    arguments = _parser().parse_args(argv)
    for wrong in install(arguments.variants).problems:
        sys.stderr.write(f"scorer variants: {wrong}\n")
    try:
        games = _requested_rules(arguments)
    except RulesError as error:
        for problem in error.problems:
            sys.stderr.write(f"scorer variants: {problem}\n")
        return 2
    say = translator(arguments.language or terminal_language(os.environ))
    cards = [card_of(rules) for rules in games]
    if arguments.json:
        found = [document(card) for card in cards]
        whole = found[0] if arguments.variant else found
        text = json.dumps(whole, ensure_ascii=False, sort_keys=True, indent=2) + "\n"
    elif arguments.markdown:
        text = variants_page(cards, say)
    elif arguments.variant or arguments.all:
        text = "\n\n".join(card_text(card, say) for card in cards) + "\n"
    else:
        text = list_text(cards, say) + "\n"
    sys.stdout.write(text)
    return 0


def _requested_rules(arguments: argparse.Namespace) -> list[Rules]:
    """The rules whose cards are requested. Raises RulesError if unknown."""
    if arguments.variant:
        # Of ``"target=24 falta=match"``, without checking them.
        pairs = (word.partition("=") for word in arguments.options.split())
        options = {key: value for key, _, value in pairs}
        return [rules_for(find_variant(arguments.variant), options)]
    if arguments.options:
        raise RulesError(["--options belong to one variant; name it"])
    # The Markdown page is part of the documentation: it has no owner's variants.
    ids = built_in_ids() if arguments.markdown else variant_ids()
    return [rules_for(find_variant(each)) for each in ids]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scorer variants",
        description="The variants, and the rule card of each: calls, options, sources.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("variant", nargs="?", metavar="VARIANT", help="as in a score sheet (all, in short)")
    known = ", ".join(languages())
    add("--language", type=parse_language, metavar="L", help=f"{known} (of this terminal)")
    add("--options", default="", metavar="K=V", help="what the table plays otherwise")
    add("--all", action="store_true", help="the whole card of every variant")
    add_variants_option(parser)
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--json", action="store_true", help="for other programs")
    how.add_argument("--markdown", action="store_true", help="as a page to read on the web")
    return parser
