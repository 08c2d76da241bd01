"""Build the ``RuleCard`` of ``Rules``: payments, options and sources."""

from __future__ import annotations

from scorer.rulecards.content.bets import envido_lines, ladder_lines
from scorer.rulecards.content.facts import examples_of, facts_of
from scorer.rulecards.content.flor import flor_lines
from scorer.rulecards.content.model import BetLine, OptionLine, RulebookLine, RuleCard
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
        envido=envido_lines(rules),
        duel_envido=_in_a_duel(rules),
        flor=flor_lines(rules),
        falta=_falta(rules),
        resto="" if rules.flor in (None, FlorStyle.OPEN) else str(rules.resto),
        examples=examples_of(rules),
        facts=facts_of(rules),
        options=options,
        questions=questions_of(rules),
        rulebook=_rulebook(rules),
        books=cited_sources(tuple(choice for option in options for choice in option.choices)),
    )


def _option(rules: Rules, option: Option) -> OptionLine:
    chosen = value_of(rules, option)
    choices = option_values(rules.variant, option)
    is_followed = option.follows and option.key not in dict(rules.chosen)
    default = chosen if is_followed else option.default
    return OptionLine(option.key, default, chosen, choices, option.low, option.high)


def _rulebook(rules: Rules) -> RulebookLine | None:
    followed = followed_rulebook(rules)
    if followed is None:
        return None
    book = followed.book
    return RulebookLine(book.title, book.source, followed.differing)


def _in_a_duel(rules: Rules) -> tuple[BetLine, ...]:
    """The envido lines of a duel, if its envido is limited."""
    if not rules.seating.has_duels:
        return ()
    usual = set(envido_lines(rules))
    return tuple(line for line in envido_lines(rules, HandKind.PICA) if line not in usual)


def _falta(rules: Rules) -> str:
    """The option value of the falta, if the falta depends on the score; else ""."""
    if rules.seating.each_alone or not any(bid.adds == 0 for bid in rules.bids):
        return ""
    return str(effective_falta(rules))
