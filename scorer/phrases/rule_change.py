"""A change of rules in a running game, in words."""

from __future__ import annotations

from scorer.i18n import Say
from scorer.session.values.shown import ChangeView


def change_text(say: Say, change: ChangeView) -> str:
    """From when, and what changes: "desde la próxima mano: a 15, con flor"."""
    return say(f"change.{change.start}", rules=rules_text(say, change))


def change_wordings(say: Say, change: ChangeView) -> tuple[str, ...]:
    """The same, then shorter, at last without the time."""
    rules = rules_text(say, change)
    return change_text(say, change), say(f"change.{change.start}.short", rules=rules), rules


def rules_text(say: Say, change: ChangeView) -> str:
    """ "a 15, con flor": what changes, without the time."""
    parts = []
    if change.target is not None:
        parts.append(say("slip.target", points=change.target))
    if change.has_flor is not None:
        parts.append(say("change.flor" if change.has_flor else "change.no_flor"))
    return ", ".join(parts)
