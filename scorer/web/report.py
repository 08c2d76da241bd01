"""A report: the state of the table, its history, the phrases of viewers.

The state document is passed on unchanged; derived values are added next to it, and left out if they
disagree.
"""

from __future__ import annotations

from typing import Any

from scorer import __version__
from scorer.i18n import translator
from scorer.rules import Game, Side
from scorer.session.values.settings import LAMPS
from scorer.session.view.build_view import view_of_game
from scorer.session.view.state_view import offered_game, question_view, shown_game, stated_change
from scorer.session.view.view import View
from scorer.web.audience import Audience
from scorer.web.journal_reader import JournalReader
from scorer.web.report_phrases import report_phrases, viewer_scene

RECENT_ENTRIES = 3  # entries of the history in every report
Report = dict[str, Any]


class GameReport:
    """What a report says of the game: ``fields``, and ``phrases`` for each audience."""

    def __init__(self, state: Report | None, seq: int, journal: JournalReader) -> None:
        """``seq``: the row of the journal that ``state`` has reached."""
        story, board = journal.timeline, None
        is_told = story is not None and journal.seq == seq and story.leads_to(state)
        self._view: View | None = None
        if story and state and is_told:
            game = shown_game(story.game, state)
            self._view = shown_view(game, state)
            board = board_document(game, self._view)
        self._phrases: dict[Audience, Report] = {}
        self.fields: Report = {
            "state": state,
            "board": board,
            "hands": story.hand_scores() if story and is_told else [],
            "recent": [dict(entry) for entry in story.entries[-RECENT_ENTRIES:]] if story else [],
            "night": journal.ranking(),
        }

    def phrases(self, viewers: Audience) -> Report | None:
        """The phrases of one audience, made once; None without a game and its history."""
        if self._view is None:
            return None
        if viewers not in self._phrases:
            scene = viewer_scene(self._view, translator(viewers.language), viewers.first)
            phrases = {"language": viewers.language, **report_phrases(scene, self.fields)}
            self._phrases[viewers] = phrases
        return self._phrases[viewers]


def shown_view(game: Game, state: Report) -> View:
    """The view of ``game`` with what only the state document of its table says."""
    names = tuple(state.get("names", {}).get(side, "") for side in state["sides"])
    view = view_of_game(game, names)
    return view._replace(
        question=question_view(state),
        change=stated_change(state),
        marks=tuple(state.get("faults", ())),
        lamps=tuple(state.get("lamps", {}).values()) or LAMPS,
        next_game=offered_game(state) or view.next_game,
    )


def board_document(game: Game, view: View) -> Report:
    """What pages draw without phrases: marks of the sides, and the ladder."""
    keys = [*(side.key for side in view.sides), Side.PAIR.value]
    owed = view.call.owed if view.call is not None else ()
    return {
        "title": game.rules.variant.title,
        "hand_kind": game.hand.kind,
        "mano": next((side.key for side in view.sides if side.mano), None),
        "gallo": None if view.gallo is None else keys[view.gallo],
        "owes": [keys[at] for at in owed],
        "ladder": [{"word": rung.word, "state": rung.state} for rung in view.ladder],
        "next_mano": None if view.next_hand is None else keys[view.next_hand.mano],
    }


def current_fields(
    *,
    epoch: str,
    rev: int,
    now: float,
    device: str,
    language: str,
    table: str,
    since: float | None,
) -> Report:
    """The fields of a report that depend on time. ``now``, ``since``: Unix time."""
    return {
        "id": f"{epoch}-{rev}",
        "epoch": epoch,
        "rev": rev,
        "at": round(now, 3),
        "version": __version__,
        "device": device,
        "language": language,
        "table": table,
        "since": None if since is None else round(since, 3),
    }
