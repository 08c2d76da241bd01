"""Word the parts of a card in a language: chains, amounts, values, footnotes.

Each function takes ``say`` of ``scorer.i18n``.
"""

from __future__ import annotations

from collections.abc import Iterator

from scorer.i18n import Say
from scorer.rulecards.content import BetLine, OpenQuestion, OptionLine, OptionValue, RuleCard, Worth
from scorer.rulecards.content.pages import value_key
from scorer.rules.options import value_text


def headline(card: RuleCard, say: Say) -> tuple[str, str, str]:
    """Number of players, target, and kind of cards."""
    *most, last = map(str, card.players)
    players = f" {say('card.or')} ".join(([", ".join(most)] if most else []) + [last])
    return say("card.players", players=players), target(card, say), say(f"card.deck.{card.deck}")


def rulebook(card: RuleCard, say: Say) -> Iterator[str]:
    """As in "reglamento: GranAventura [GA], con a cuántos: 30"; nothing without one."""
    if card.rulebook is None:
        return
    title, source, differing = card.rulebook
    told = say("card.rulebook", title=title, source=source)
    if not differing:
        yield told
        return
    lines = (line for line in card.options if line.key in differing)
    others = (f"{say(f'option.{line.key}')}: {chosen_meaning(line, say)}" for line in lines)
    yield say("card.rulebook_differs", book=told, others="; ".join(others))


def target(card: RuleCard, say: Say) -> str:
    """As in "a 30: 15 malas y 15 buenas", or how piles shrink."""
    if _has_piles(card):
        return say("card.target_piles", points=card.target)
    if card.half is None:
        return say("card.target", points=card.target)
    rest = card.target - card.half
    return say("card.target_half", points=card.target, half=card.half, rest=rest)


def _has_piles(card: RuleCard) -> bool:
    return any(fact.key == "piles" for fact in card.facts)


def ladder(card: RuleCard, say: Say) -> str:
    """The trick ladder in one line: "1 · truco 2 · retruco 3"."""
    rungs = [str(card.base)]
    for line in card.ladder:
        assert line.accepted is not None
        points, way = line.accepted
        worth = f"({say(f'card.way.{way}')})" if way else points
        rungs.append(f"{line.calls[0]} {worth}")
    return " · ".join(rungs)


def chain(line: BetLine, say: Say) -> str:
    """The calls, and who has a flor where relevant."""
    words = ", ".join(line.calls)
    return f"{words} ({say(f'card.note.{line.note}')})" if line.note else words


def amount(worth: Worth | None, say: Say) -> str:
    """Points, after the reason why they change with the score, if any."""
    if worth is None:
        return "–"
    return f"{say(f'card.way.{worth.way}')} {worth.points}" if worth.way else str(worth.points)


def value_meaning(option: str, choice: OptionValue, say: Say) -> str:
    """The meaning of an option value."""
    if choice.words:
        return choice.words
    if isinstance(choice.value, bool):
        return say("card.yes" if choice.value else "card.no")
    if isinstance(choice.value, int):
        return str(choice.value)
    return say(f"{value_key(option, choice.value)}.what")


def chosen_meaning(line: OptionLine, say: Say) -> str:
    """The meaning of the chosen value of this option."""
    known = (choice for choice in line.choices if choice.value == line.chosen)
    return value_meaning(line.key, next(known, OptionValue(line.chosen, ())), say)


def facts(card: RuleCard, say: Say) -> Iterator[str]:
    """The sentences of the card."""
    for fact in card.facts:
        yield say(f"card.fact.{fact.key}", **dict(fact.numbers))


def table_notes(card: RuleCard, say: Say) -> Iterator[str]:
    """Why some amounts differ at other scores, and what the falta pays at two of them."""
    tables = (*card.ladder, *card.envido, *card.flor)
    worths = [worth for line in tables for worth in (line.accepted, line.refused) if worth]
    ways = {worth.way for worth in worths} - {""}
    if ways:
        yield say("card.at_zero")
    if "falta" in ways:
        yield say("card.falta", what=say(f"option.falta.{card.falta}.what"))
    if "resto" in ways:
        yield say("card.resto", what=say(f"option.resto.{card.resto}.what"))
    if "level" in ways:
        least = min(worth.points for worth in worths if worth.way == "level")
        yield say("card.level", points=least)
    # The falta is the last call of every chain that it ends.
    named = [
        line.calls[-1] for line in card.envido if line.accepted and line.accepted.way == "falta"
    ]
    for (a, b), (first, second) in card.examples:
        key = "card.example_same" if first == second else "card.example"
        yield say(key, a=a, b=b, word=named[0], first=first, second=second)


def footnote(card: RuleCard, question: OpenQuestion, say: Say) -> tuple[str, str]:
    """An open question of the rulebooks, and the decision."""
    asked = say(f"card.question.{question.key}")
    if question.option is None:
        return asked, say("card.decided_fixed", value=say(f"card.question.{question.key}.decided"))
    line = next(line for line in card.options if line.key == question.option)
    return asked, say("card.decided", value=chosen_meaning(line, say), option=line.key)


def purpose(card: RuleCard, line: OptionLine, say: Say) -> str:
    """What the option chooses; the target has other words where piles shrink."""
    piles = ".piles" if line.key == "target" and _has_piles(card) else ""
    return say(f"option.{line.key}{piles}.what")


def ranges(line: OptionLine, say: Say) -> str:
    """As in "un número de 1 a 99", or nothing if only the choices are allowed."""
    if not line.high:
        return ""
    key = "card.range_odd" if line.key == "best_of" else "card.range"
    return say(key, low=line.low, high=line.high)


def choice_line(line: OptionLine, choice: OptionValue, say: Say) -> str:
    """A value, its meaning and its sources: "match – el partido [MXG]".

    The chosen value is also marked if it is undocumented.
    """
    name, meaning = plain_value(choice.value), value_meaning(line.key, choice, say)
    text = name if meaning == name else f"{name} – {meaning}"
    sources = ", ".join(choice.sources)
    if not sources and choice.value == line.chosen:
        sources = say("card.no_source")
    return f"{text} [{sources}]" if sources else text


def setting_text(line: OptionLine) -> str:
    """As in a configuration: "falta = malas_match"."""
    return f"{line.key} = {plain_value(line.chosen)}"


def plain_value(value: str | int | bool) -> str:
    """A value as written in a configuration."""
    return value_text(value)
