"""The meaning of a button by layout, gesture, phase and variant."""

from __future__ import annotations

from typing import Final

from scorer.rules import Phase, Rules, Side
from scorer.rules.variant import FlorAnnounced
from scorer.session.values.press import ButtonMeaning
from scorer.session.values.seating import CONSOLES, sides_at
from scorer.session.values.settings import Layout

# The buttons that answer a question, besides TANTOS.
ANSWERS: Final = (ButtonMeaning.QUIERO, ButtonMeaning.NO_QUIERO)
# Buttons that set-up captures while it is open, besides TANTOS.
NAVIGATION: Final = (
    *ANSWERS,
    ButtonMeaning.UNDO,
    ButtonMeaning.PAGE,
    ButtonMeaning.SETUP,
)
_CONSOLE_KEYS: Final = {
    Layout.FULL: ("truco", "envido", "flor", "quiero", "no_quiero", "tantos"),
    Layout.COMPACT: ("truco", "envido", "quiero", "tantos"),
}
_SHARED_KEYS: Final = {Layout.FULL: ("undo", "menu"), Layout.COMPACT: ("undo",)}

_TAPS: Final = {
    "truco": ButtonMeaning.TRUCO,
    "envido": ButtonMeaning.ENVIDO,
    "flor": ButtonMeaning.FLOR,
    "quiero": ButtonMeaning.QUIERO,
    "no_quiero": ButtonMeaning.NO_QUIERO,
    "tantos": ButtonMeaning.TANTOS,
    "undo": ButtonMeaning.UNDO,
    "menu": ButtonMeaning.PAGE,
}

_ANSWERING: Final = (
    Phase.PENDING_TRUCO,
    Phase.PENDING_ENVIDO,
    Phase.PENDING_FLOR,
    Phase.PENDING_PRIVO,
    Phase.MAO_DECISION,
    Phase.CANTANDO,
)
_IN_PLAY: Final = (Phase.PLAYING, *_ANSWERING, Phase.AWAITING_ENVIDO, Phase.AWAITING_FLOR)
_ANY: Final = tuple(Phase)
_CALLING: Final = (Phase.PLAYING, Phase.PENDING_TRUCO, Phase.PENDING_ENVIDO)
_SINGING: Final = (*_CALLING, Phase.PENDING_FLOR, Phase.AWAITING_FLOR)
_FOLDING: Final = (Phase.PLAYING, Phase.PENDING_ENVIDO, Phase.PENDING_FLOR)

# Meaning of a hold by layout, button and phases. A press of such a button acts on release.
_HOLDS: Final = (
    (Layout.FULL,    "no_quiero", _FOLDING,         ButtonMeaning.FOLD),
    (Layout.FULL,    "envido",    _CALLING,         ButtonMeaning.BIDS),
    (Layout.FULL,    "flor",      _SINGING,         ButtonMeaning.FLORES),
    (Layout.FULL,    "undo",      _ANY,             ButtonMeaning.REDO),
    (Layout.FULL,    "menu",      _ANY,             ButtonMeaning.SETUP),
    (Layout.COMPACT, "quiero",    _ANSWERING,       ButtonMeaning.NO_QUIERO),
    (Layout.COMPACT, "quiero",    (Phase.PLAYING,), ButtonMeaning.FOLD),
    (Layout.COMPACT, "envido",    _IN_PLAY,         ButtonMeaning.FLOR),
    (Layout.COMPACT, "envido",    _CALLING,         ButtonMeaning.BIDS),
    (Layout.COMPACT, "undo",      _ANY,             ButtonMeaning.PAGE),
)  # fmt: skip


def buttons(layout: Layout, consoles: int = 2) -> tuple[str, ...]:
    """All buttons of a table by console: ``A.truco``, ..., ``undo``, ``menu``."""
    names = CONSOLES[:consoles]
    own = (f"{name}.{key}" for name in names for key in _CONSOLE_KEYS[_layout_of(layout, name)])
    return (*own, *_SHARED_KEYS[layout])


def _layout_of(layout: Layout, console: str) -> Layout:
    """The layout of ``console``; the third has fewer buttons, on the spare pins."""
    return Layout.COMPACT if console == CONSOLES[-1] else layout


def console_of(button: str) -> str:
    """``A`` of ``A.truco``; "" for a shared button."""
    return button.partition(".")[0] if "." in button else ""


def side_of(button: str, rules: Rules) -> Side | None:
    """The side at the console of ``button``; None for a shared button."""
    console = console_of(button)
    if console not in CONSOLES:
        return None
    at = CONSOLES.index(console)
    return rules.speaking_sides[at] if at < len(rules.speaking_sides) else None


def sides_of(button: str, rules: Rules, console_count: int) -> tuple[Side, ...]:
    """The sides that may have pressed ``button``; empty for a shared button."""
    return sides_at(console_of(button), rules, console_count)


def tap_meaning(layout: Layout, button: str, rules: Rules) -> ButtonMeaning | None:
    """The meaning of pressing ``button``; None if this layout has no such button."""
    key, layout = button.rpartition(".")[2], _layout_of(layout, console_of(button))
    if key not in (_CONSOLE_KEYS if "." in button else _SHARED_KEYS)[layout]:
        return None
    return _TAPS[effective_key(layout, key, rules)]


def hold_meaning(
    layout: Layout,
    button: str,
    rules: Rules,
    phase: Phase,
    *,
    answers_question: bool = False,
    is_captured: bool = False,
    asks_match: bool = False,
) -> ButtonMeaning | None:
    """The meaning of holding ``button`` in ``phase``; None if it has no hold.

    ``answers_question``: QUIERO and NO QUIERO answer a question. ``is_captured``: set-up takes the
    button. ``asks_match``: a match is offered, or its result is asked, which takes a no too.
    """
    key, layout = button.rpartition(".")[2], _layout_of(layout, console_of(button))
    if key not in (_CONSOLE_KEYS if "." in button else _SHARED_KEYS)[layout]:
        return None
    if is_captured or (answers_question and effective_key(layout, key, rules) in ANSWERS):
        return held_no(layout, button, rules)
    if asks_match and (no := held_no(layout, button, rules)) is not None:
        return no
    if layout is Layout.COMPACT and not rules.bids and key in ("quiero", "envido"):
        # Here ENVIDO itself means no, so QUIERO needs no hold for it.
        folds = key == "envido" and phase is Phase.PLAYING
        return ButtonMeaning.FOLD if folds else None
    for where, name, phases, meaning in _HOLDS:
        if (where, name) == (layout, key) and phase in phases and _is_in_variant(meaning, rules):
            alone = meaning is ButtonMeaning.FOLD and rules.seating.each_alone
            return None if alone and phase is not Phase.PLAYING else meaning
    # While bets or flores wait to be compared, tricks and folds go on.
    no_button = "no_quiero" if layout is Layout.FULL else "quiero"
    late = rules.variant.bets_settled_at_showdown
    waits = (phase is Phase.AWAITING_ENVIDO and late) or (
        phase is Phase.AWAITING_FLOR and (late or rules.flor_announced is FlorAnnounced.BETS)
    )
    return ButtonMeaning.FOLD if waits and key == no_button else None


def held_no(layout: Layout, button: str, rules: Rules) -> ButtonMeaning | None:
    """NO QUIERO, if ``button`` is held for it in every phase; else None."""
    console, _, key = button.rpartition(".")
    is_no = key == "quiero" and is_no_held(_layout_of(layout, console), rules)
    return ButtonMeaning.NO_QUIERO if is_no else None


def is_no_held(layout: Layout, rules: Rules) -> bool:
    """Whether NO QUIERO is QUIERO held; without envido it has its own button."""
    return layout is Layout.COMPACT and bool(rules.bids)


def setup_hold_meaning(
    layout: Layout, button: str, rules: Rules, phase: Phase
) -> ButtonMeaning | None:
    """The meaning of holding ``button`` while set-up is open.

    Set-up captures QUIERO and NO QUIERO like a question; a call with ENVIDO counts, held or not,
    and on compact layouts the hold of UNDO goes on to the first page.
    """
    key = button.rpartition(".")[2]
    counts = ("envido", "undo") if layout is Layout.COMPACT else ("envido",)
    captured = effective_key(layout, key, rules) not in counts
    return hold_meaning(layout, button, rules, phase, is_captured=captured)


def effective_key(layout: Layout, key: str, rules: Rules) -> str:
    """The effective key: ENVIDO of compact means no in variants without envido."""
    replaced = layout is Layout.COMPACT and key == "envido" and not rules.bids
    return "no_quiero" if replaced else key


def _is_in_variant(meaning: ButtonMeaning, rules: Rules) -> bool:
    if meaning in (ButtonMeaning.FLOR, ButtonMeaning.FLORES):
        return rules.flor is not None
    return bool(rules.bids) or meaning is not ButtonMeaning.BIDS
