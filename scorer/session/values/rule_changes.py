"""A change of rules in a running game: obstacles, and values for views."""

from __future__ import annotations

from scorer.rules import Game, Rules
from scorer.rules.deal import under_rules
from scorer.session.values.game_draft import with_flor
from scorer.session.values.keys import NoticeKey
from scorer.session.values.shown import ChangeStart, ChangeView, Notice


def why_not_under(game: Game, rules: Rules) -> Notice | None:
    """Why ``game`` cannot go on at its score under ``rules``; None if it can."""
    if under_rules(game._replace(change=None), rules) is not None:
        return None
    counts_down = rules.seating.counts_down
    if not counts_down and max(game.score) >= rules.target:
        return Notice(NoticeKey.TARGET_REACHED, number=rules.target, urgent=True)
    return Notice(NoticeKey.START_IMPOSSIBLE, urgent=True)


def change_view(before: Rules, rules: Rules, start: ChangeStart) -> ChangeView:
    """What ``rules`` change of those ``before``."""
    has_flor, target = rules.flor is not None, rules.target
    return ChangeView(
        start,
        None if target == before.target else target,
        None if has_flor is (before.flor is not None) else has_flor,
    )


def played_rules(rules: Rules) -> ChangeView:
    """The target, and the flor where the table chooses it, of a continued game."""
    is_chosen = with_flor(rules, has_flor=rules.flor is None) is not None
    has_flor = rules.flor is not None if is_chosen else None
    return ChangeView(ChangeStart.IN_FORCE, rules.target, has_flor)
