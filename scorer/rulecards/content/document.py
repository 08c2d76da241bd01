"""A card as JSON-ready values; keys are only ever added."""

from __future__ import annotations

from scorer.rulecards.content.model import RuleCard

VERSION = 1


def document(card: RuleCard) -> dict[str, object]:
    """Dictionaries, lists, strings and numbers; unchanged by a JSON round trip."""
    fields = {key: _plain(value) for key, value in card._asdict().items()}
    return {**fields, "version": VERSION, "chosen": dict(card.chosen)}


def _plain(value: object) -> object:
    if not isinstance(value, tuple):
        return value
    names = getattr(value, "_fields", None)
    if names is None:
        return [_plain(each) for each in value]
    return {name: _plain(each) for name, each in zip(names, value, strict=True)}
