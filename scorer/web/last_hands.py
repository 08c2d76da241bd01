"""The last hands of the running game in words, for a phone."""

from __future__ import annotations

from typing import Any

from scorer.i18n import Say
from scorer.phrases.last_hands import correction_text, hand_wordings
from scorer.session.setup.last_hands_menu import correction_line
from scorer.session.values.last_hands import corrections_of, last_hands, shown_standing
from scorer.session.values.record import Record
from scorer.session.view.build_view import view_of_game
from scorer.web.report_phrases import viewer_scene


def last_hands_document(record: Record, names: tuple[str, ...], say: Say) -> dict[str, Any]:
    """The hands, the newest first; ``scores`` now, and after each correction."""
    scene = viewer_scene(view_of_game(record.game, names), say, "")
    hands = [
        {
            "text": hand_wordings(scene, hand.payments)[0],
            "corrections": [
                {
                    "key": correction.key,
                    "text": correction_text(scene, correction_line(record, correction)),
                    "scores": scene.figures(correction.scores),
                }
                for correction in corrections_of(record, hand)
            ],
        }
        for hand in last_hands(record)
    ]
    return {"scores": scene.figures(shown_standing(record.game)), "hands": hands}
