"""Build the ``RuleCard`` of ``Rules``: payments, options and sources."""

from __future__ import annotations

from scorer.rulecards.content.bets import envido_lines, ladder_lines
from scorer.rulecards.content.facts import examples_of, facts_of
from scorer.rulecards.content.flor import flor_lines
from scorer.rulecards.content.model import OptionLine, RulebookLine, RuleCard
from scorer.rulecards.content.questions import questions_of
from scorer.rulecards.content.sources import cited_sources, option_values
from scorer.rules.model import HandKind
from scorer.rules.options import value_of
from scorer.rules.rulebooks import followed_rulebook
from scorer.rules.score import effective_falta
from scorer.rules.variant import FlorStyle, Option, Rules


def card_of(rules: Rules) -> RuleCard:
    """The card of these rules; equal rules give an equal card."""
    variant = rules.variant
    options = tuple(_option(rules, option) for option in variant.options)
    envido = envido_lines(rules)
    # Of a duel, the lines that its limit changes.
    duel_envido = envido_lines(rules, HandKind.PICA) if rules.seating.has_duels else ()
    # Elsewhere the falta does not depend on the score.
    has_falta = not rules.seating.each_alone and any(bid.adds == 0 for bid in rules.bids)
    followed = followed_rulebook(rules)
    rulebook = None
    if followed is not None:
        rulebook = RulebookLine(followed.book.title, followed.book.source, followed.differing)
    return RuleCard(
        variant=variant.id,
        title=variant.title,
        players=variant.players,
        deck=variant.deck,
        target=rules.target,
        half=rules.half,
        base=rules.base,
        chosen=rules.chosen,
        ladder=ladder_lines(rules),
        envido=envido,
        duel_envido=tuple(line for line in duel_envido if line not in envido),
        flor=flor_lines(rules),
        falta=str(effective_falta(rules)) if has_falta else "",
        resto="" if rules.flor in (None, FlorStyle.OPEN) else str(rules.resto),
        examples=examples_of(rules),
        facts=facts_of(rules),
        options=options,
        questions=questions_of(rules),
        rulebook=rulebook,
        books=cited_sources(tuple(choice for option in options for choice in option.choices)),
    )


def _option(rules: Rules, option: Option) -> OptionLine:
    chosen = value_of(rules, option)
    choices = option_values(rules.variant, option)
    is_followed = option.follows and option.key not in dict(rules.chosen)
    default = chosen if is_followed else option.default
    return OptionLine(option.key, default, chosen, choices, option.low, option.high)
