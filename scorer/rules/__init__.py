"""The rules of truco: legal calls and their value.

Pure: no I/O, clock, threads, logging or language.
"""

from scorer.rules.actions import Action, Side
from scorer.rules.deal import games_to_win, games_won, new_game
from scorer.rules.document import state_document
from scorer.rules.engine import IllegalStep, alphabet, apply, attempt, legal, phase_of, refusal
from scorer.rules.history import History
from scorer.rules.model import (
    Credit,
    Game,
    HandKind,
    Match,
    Phase,
    PointsReason,
    Refusal,
    Special,
    Start,
    Status,
    Step,
)
from scorer.rules.notation import SheetError, parse_step, split_comment, step_text
from scorer.rules.options import RulesError, rules_for
from scorer.rules.registry import find_variant, variant_ids
from scorer.rules.sheet import (
    Header,
    LineError,
    SheetLine,
    header_of,
    header_text,
    read_header,
    read_sheet,
    tags_of,
)
from scorer.rules.truco import stake_of
from scorer.rules.variant import GAME, Rules, Variant

__all__ = [
    "GAME",
    "Action",
    "Credit",
    "Game",
    "HandKind",
    "Header",
    "History",
    "IllegalStep",
    "LineError",
    "Match",
    "Phase",
    "PointsReason",
    "Refusal",
    "Rules",
    "RulesError",
    "SheetError",
    "SheetLine",
    "Side",
    "Special",
    "Start",
    "Status",
    "Step",
    "Variant",
    "alphabet",
    "apply",
    "attempt",
    "find_variant",
    "games_to_win",
    "games_won",
    "header_of",
    "header_text",
    "legal",
    "new_game",
    "parse_step",
    "phase_of",
    "read_header",
    "read_sheet",
    "refusal",
    "rules_for",
    "split_comment",
    "stake_of",
    "state_document",
    "step_text",
    "tags_of",
    "variant_ids",
]
