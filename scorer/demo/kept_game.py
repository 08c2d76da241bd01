"""The kept game of a store: its folder, the choices it overrides, its score."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from scorer.i18n import Say
from scorer.rules import RulesError, find_variant, header_of
from scorer.store.errors import StoreError
from scorer.store.lock import exclusive


class ChosenGame(NamedTuple):
    """The game of the command line; what was not written is empty.

    ``usual``: the variant where none is chosen.
    """

    usual: str
    variant: str = ""
    options: str = ""
    names: tuple[str, ...] = ()


def store_problem(store: Path, say: Say) -> str | None:
    """Why no table can be started on ``store``, or None. Opens no file of it."""
    if store.exists() and not store.is_dir():
        return say("terminal.store_file", folder=store)
    try:
        with exclusive(store):
            return None
    except StoreError:
        return say("terminal.store_used", folder=store)


def other_game(chosen: ChosenGame, state: Mapping[str, Any], store: str, say: Say) -> str:
    """A sentence if the table plays another game than the chosen one, else ""."""
    if not store or not state or not _differs(chosen, state):
        return ""
    try:
        game = find_variant(state["variant"]).title
    except RulesError:  # an owner's, whose file is gone
        game = state["variant"]
    return say("terminal.other_game", folder=store, game=game)


def _differs(chosen: ChosenGame, state: Mapping[str, Any]) -> bool:
    # Options without a variant are those of the usual one.
    variant = chosen.variant or (chosen.usual if chosen.options else state["variant"])
    if variant != state["variant"]:
        return True
    if chosen.options:
        header = header_of([("Variant", variant), ("Options", chosen.options)])
        if dict(header.rules.chosen) != state["options"]:
            return True
    return chosen.names not in ((), tuple(state["names"].values()))


def last_line(state: Mapping[str, Any], store: str, say: Say) -> str:
    """The score at the end of the demo, and where it is kept."""
    if not state:
        return ""  # the store could not be opened
    names = state["names"]
    score = " · ".join(
        f"{names.get(side) or side} {points}" for side, points in state["score"].items()
    )
    return say("terminal.left.kept" if store else "terminal.left.gone", score=score, folder=store)
