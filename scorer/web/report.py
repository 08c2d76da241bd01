"""A report: the state of the table, its history, the phrases of viewers.

The state document is passed on unchanged; derived values are added next to it, and left out if they
disagree.
"""

from __future__ import annotations

from typing import Any

from scorer import __version__
from scorer.api.message_lines import decoded
from scorer.i18n import Say, translator
from scorer.rules import state_document
from scorer.session.values.settings import LAMPS
from scorer.session.view.build_view import view_of_game
from scorer.session.view.state_view import offered_game, question_view, shown_game, stated_change
from scorer.session.view.view import View
from scorer.web.audience import Audience
from scorer.web.bare_view import bare_view
from scorer.web.board import board_document
from scorer.web.journal_reader import JournalReader
from scorer.web.report_phrases import report_phrases, viewer_scene
from scorer.web.timeline import Timeline

RECENT_ENTRIES = 3  # entries of the history in every report
_TABLE_ONLY_KEYS = (
    "seq",
    "number",
    "names",
    "lamps",
    "match",
    "next_game",
    "is_next_hand_shown",
    "question",
    "rule_change",
)  # keys of a running table, which the document of the rules lacks

Report = dict[str, Any]


class GameReport:
    """What a report says of the game: ``fields``, and ``phrases`` for each audience."""

    def __init__(self, state: Report | None, seq: int, journal: JournalReader) -> None:
        """``seq``: the row of the journal that ``state`` has reached."""
        self._state = state
        story = journal.timeline
        is_told = story is not None and journal.seq == seq and _agree(state, story)
        self._game = shown_game(story.game, state) if story and state and is_told else None
        self._phrases: dict[Audience, Report] = {}
        self.fields: Report = {
            "state": state,
            "board": None if self._game is None else board_document(self._game),
            "hands": story.hand_scores() if story and is_told else [],
            "recent": [dict(entry) for entry in story.entries[-RECENT_ENTRIES:]] if story else [],
            "night": journal.ranking(),
        }

    def phrases(self, viewers: Audience) -> Report | None:
        """The phrases of one audience, made once; None without a score."""
        if self._state is None:
            return None
        if viewers not in self._phrases:
            say = translator(viewers.language)
            scene = viewer_scene(self._view(self._state, say), say, viewers.first)
            phrases = {"language": viewers.language, **report_phrases(scene, self.fields)}
            self._phrases[viewers] = phrases
        return self._phrases[viewers]

    def _view(self, state: Report, say: Say) -> View:
        """The game as a view; without its history, from the state alone."""
        if self._game is None:
            view = bare_view(state, say)
        else:
            names = tuple(state.get("names", {}).get(side, "") for side in state["sides"])
            view = view_of_game(self._game, names)
        lamps = tuple(state.get("lamps", {}).values()) or LAMPS
        return view._replace(
            question=question_view(state),
            change=stated_change(state),
            lamps=lamps,
            next_game=offered_game(state) or view.next_game,
        )


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


def _agree(state: Report | None, story: Timeline) -> bool:
    """Whether the history leads to the state."""
    if state is None:
        return False
    document = {key: value for key, value in state.items() if key not in _TABLE_ONLY_KEYS}
    return document == decoded(state_document(story.game))
