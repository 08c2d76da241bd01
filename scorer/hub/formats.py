"""The formats that the desk offers, and what a director changes of one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from scorer.config.tournament_formats import (
    built_in_formats,
    load_format,
    load_owner_formats,
    rules_problems,
)
from scorer.hub.titles import title_text
from scorer.hub.tournament_phrases import last_round
from scorer.i18n import Say, translator
from scorer.plain_values import ValueProblem
from scorer.rules.options import Value, rules_for, value_text
from scorer.rules.registry import find_variant, variant_ids
from scorer.rules.variant import Option, Variant
from scorer.tournament import Format, FormatError
from scorer.tournament.changes import changed
from scorer.tournament.format import Criterion, PhaseFormat, PhaseKind
from scorer.tournament.names import plain

Json = dict[str, Any]

_MOST_COMMON = "zones_and_bracket"
_TEAMS = 2  # of a match
_RANKED = (PhaseKind.ZONES, PhaseKind.ROUNDS)  # by tie-breaks
# The rounds of a bracket with a length of their own at the desk: final, semifinals, quarter-finals.
_NAMED_ROUNDS = {PhaseKind.BRACKET: 3, PhaseKind.DOUBLE: 1}
_OF_A_PHASE = ("target", "best_of")  # keys of a phase of their own


@cache
def _built_in() -> Mapping[str, Format]:
    return {name: load_format(path) for name, path in built_in_formats().items()}


def offered_formats(folder: Path) -> dict[str, Format]:
    """The formats of the program, and those in an owner's folder that are right."""
    return {**_built_in(), **load_owner_formats(folder).formats}


def with_changes(format_: Format, changes: Mapping[str, Any]) -> Format:
    """The format with other rules. Raises FormatError, also for house rules."""
    found = changed(format_, changes)
    if problems := list(rules_problems(found)):
        raise FormatError(ValueProblem(("phase", str(at)), text) for at, text in problems)
    return found


# ---- the form of a new tournament ---------------------------------------------------------------


def formats_document(folder: Path, language: str, last_used: str) -> Json:
    """The formats, and the variants with their house rules in words.

    The format with the id ``last_used`` is the first. The owner's come before those of the
    program, of which zones with a bracket are the first and published regulations the last; else
    they are in the order of their titles.
    """
    say = translator(language)

    def place(listed: tuple[str, Format]) -> tuple[bool, bool, bool, bool, str]:
        name, format_ = listed
        title = plain(title_text(format_.title, say))
        is_built_in, is_regulation = name in _built_in(), bool(format_.source)
        return name != last_used, is_built_in, name != _MOST_COMMON, is_regulation, title

    return {
        "formats": [
            {
                "id": name,
                "title": title_text(format_.title, say),
                "players": format_.players,
                "reserves": format_.reserves,
                "phases": [_phase_document(phase, say) for phase in format_.phases],
            }
            for name, format_ in sorted(offered_formats(folder).items(), key=place)
        ],
        "tiebreaks": [[each.value, say(f"phrase.criterion.{each}.long")] for each in Criterion],
        "variants": [
            _variant_document(variant, say)
            for variant in map(find_variant, variant_ids())
            if len(rules_for(variant).scoring_sides) == _TEAMS
        ],
    }


def _phase_document(phase: PhaseFormat, say: Say) -> Json:
    """``zone_size`` and ``rounds``: 0 where the phase has none to change.

    ``last_rounds``: those of a bracket whose matches may be longer, the last one first;
    ``tiebreaks``: none where places follow from rounds; ``bye``: null where there is none.
    """
    has_size = phase.kind is PhaseKind.ZONES and not phase.zones
    return {
        "id": phase.id,
        "title": title_text(phase.title, say) or phase.id,
        "variant": phase.variant,
        "target": phase.target,
        "best_of": phase.best_of,
        "legs": phase.legs,
        "best_of_last": [*phase.best_of_last],
        "last_rounds": [
            last_round(phase, at, say) for at in range(_NAMED_ROUNDS.get(phase.kind, 0))
        ],
        "tiebreaks": [*phase.tiebreaks] if phase.kind in _RANKED else [],
        "bye": phase.bye_score if phase.kind is PhaseKind.ROUNDS else None,
        "win": phase.score[0],
        "cap": phase.cap,
        "options": dict(phase.options),
        "zone_size": phase.zone_size if has_size else 0,
        "rounds": phase.rounds,
    }


def _variant_document(variant: Variant, say: Say) -> Json:
    """The target and the house rules of a variant, each value with its source."""
    # Imported lazily: a hub needs the rule cards for this form alone.
    from scorer.rulecards.content.sources import cited_sources, option_values, source_texts

    cited = [each for option in variant.options for each in option_values(variant, option)]
    target = variant.option("target")
    assert target is not None
    options = []
    for option in variant.options:
        if option.key not in _OF_A_PHASE:
            sources = source_texts(variant, option)
            values = option.choices or range(option.low, option.high + 1, option.step)
            document = {
                "key": option.key,
                "label": say(f"option.{option.key}"),
                "default": option.default,
                "values": [[each, _value_words(option, each, sources, say)] for each in values],
            }
            options.append(document)
    return {
        "id": variant.id,
        "title": variant.title,
        "target": target.default,
        "targets": list(map(list, source_texts(variant, target).items())),
        "books": [[book.code, book.name] for book in cited_sources(tuple(cited))],
        "options": options,
    }


def _value_words(option: Option, value: Value, sources: Mapping[Value, str], say: Say) -> str:
    key = f"option.{option.key}.{value_text(value)}"
    if isinstance(value, bool):
        key = "card.yes" if value else "card.no"
    words, source = say(key), sources.get(value)
    shown = value_text(value) if words == key else words
    return f"{shown} · {source}" if source else shown
