"""Every evening of this folder, played through the real demo on the real table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from scorer.rules import variant_ids
from scorer.session.input.edge_limit import EdgeLimit, Heard
from tests.evenings.evening import failures, read
from tests.evenings.playing import play, store_of
from tests.phrases.gains_law import journal_faults

FILES = sorted(Path(__file__).parent.glob("*.evening"))
EVENINGS = {
    "the last hands are put right": """last-hands-argentina last-hands-paulista last-hands-pica-pica
        last-hands-uruguay last-hands-venezuela""",
    "partners slap TANTOS together": "slap-tantos-envido slap-tantos-hand",
    "partners call twice": """envido-second-tap envido-held real-envido-answers-envido
        flor-second-tap flor-held compact-second-call no-quiero-twice""",
    "played first, pressed later": "next-hand-ends-the-guard envido-and-hand-entered-late",
    "both teams call at once": "both-truco",
    "an offer to one team": """offer-is-of-one-console offer-on-a-shared-panel
        offer-dropped-by-a-truco compact-offer-dropped-by-a-truco""",
    "an envido is refused by a truco": "truco-answers-envido compact-truco-answers-envido",
    "the rivals press TANTOS after ours": "rival-presses-tantos both-teams-claim-the-envido",
    "TANTOS after a payment by the box": """tantos-after-no-quiero tantos-after-no-quiero-compact
        tantos-after-al-mazo tantos-after-correr tantos-after-a-duel tantos-after-a-flor
        tantos-after-a-refused-envido tantos-after-a-refused-envit""",
    "nobody pressed QUIERO": """no-quiero-pressed-responder-wins
        no-quiero-pressed-caller-wins-accepted no-quiero-pressed-caller-wins-refused""",
    "a press that was wrong": """quiero-by-the-caller truco-on-the-wrong-console
        wrong-console-one-hand-later""",
    "envido and truco": "envido-after-truco envido-after-accepted-truco",
    "the flor is mandatory": "flor-after-accepted-truco flor-over-retruco six-players-three-flores",
    "al mazo": """mazo-first-trick mazo-later mazo-after-envido mazo-envido-pending
        mazo-flor-pending mazo-truco-pending""",
    "TANTOS of the envido forgotten": "tantos-forgotten-after-envido",
    "TANTOS of the hand forgotten": """forgotten-tantos compact-forgotten-tantos
        forgotten-tantos-and-a-late-envido""",
    "the winner had lied": """winner-lied-before-the-next-press winner-lied-after-the-next-press
        liar-one-hand-later refused-envido-is-not-shown venezuelan-priver-lied""",
    "deal again": """deal-again-fresh deal-again-after-calls deal-again-from-set-up
        mao-dealt-again""",
    "the hand at eleven": """mao-truco-said mao-truco-not-said mao-truco-forbidden
        mao-never-answered-own-tantos mao-never-answered-rival-tantos-played
        mao-never-answered-rival-tantos-ran""",
    "buttons by their labels": """brazil-asks-for-the-printed-buttons
        compact-says-no-by-a-hold""",
    "both TANTOS": "all-tied-for-the-mano all-tied-for-nobody both-tantos-a-dispute tied-envido",
    "buttons held down": """held-for-a-minute every-button-held undo-held-let-go-early
        compact-hold-let-go-early compact-flor-let-go-early""",
    "what the end of a hand shows": """reasons-add-up pica-pica-reasons next-hand-in-play
        next-hand-of-the-gallo match-over-stays
        correction-takes-points-away correction-in-the-next-hand""",
    "no player answers a question": """question-ignored-argentina question-ignored-late-argentina
        question-ignored-uruguay question-ignored-paulista question-ignored-venezuela
        question-ignored-pica-pica question-ignored-phones the-other-hand""",
    "UNDO": "undo-the-whole-night question-dropped-by-undo undone-before-another-game",
    "the plug is pulled": """plug-pulled-in-a-question plug-pulled-in-a-hold plug-pulled-in-a-fold
        plug-pulled-between-two-quieros plug-pulled-between-next-game-quieros
        plug-pulled-after-the-last-point""",
    "set-up": """setup-left-open-truco setup-correct-score setup-foul-envido setup-surrender
        setup-back-to-a-point setup-entries-keep-their-places setup-name-letters
        names-from-the-list
        setup-wrong-hand-in-three-presses setup-wrong-hand-in-three-presses-compact
        setup-wrong-point-in-six-presses setup-wrong-point-in-six-presses-compact""",
    "what is asked before every game": """setup-flor-and-target-before-the-game
        setup-flor-with-the-score-kept setup-flor-and-target-from-the-next-game-compact""",
    "rules change in a running game": """rules-changed-with-a-vale-cuatro
        rules-changed-with-flores-in-uruguay rules-changed-in-paulista
        rules-changed-in-venezuela rules-changed-in-a-pica-hand rules-changed-in-a-series
        rules-changed-to-a-target-that-is-reached""",
    "the mano was wrong": "mano-put-right",
    "left alone": """dim-panel dark-panel page-left-open six-hours-later-go-on
        six-hours-later-new-game""",
    "how a game begins and ends": """new-game-with-another-target setup-rulebook start-at-12-9
        time-up-at-a-tie surrender next-game-by-both
        next-game-of-a-series next-game-one-team-only next-game-after-six-hours
        pata-gallo-surrender-between-equals""",
    "the rematch": "rematch-and-decider rematch-by-the-brazilian-words rematch-undone-and-cut",
    "the night by pairs": "pairs-of-the-night",
    "the light of the team that owes an answer": "team-light",
    "the spoken score": """voice-argentine-calls voice-brazilian-calls voice-venezuelan-calls
        voice-undone-score voice-quiet-hours voice-rematch""",
    "what only one truco has": """venezuelan-raise-of-seven venezuelan-cantando-privo
        venezuelan-envite-after-truco venezuelan-flor-a-ley venezuelan-priver-must-be-played
        uruguayan-con-flor-envido-raised uruguayan-flores-wait uruguayan-bets-with-flor
        mineiro-run-costs-one pica-pica-at-request
        gaucho-four-flores valencian-joc-fora pica-pica-slap-between-duels
        pata-gallo-three-deals destantado-two-consoles destantado-three-consoles""",
    "a match of a tournament": """match-offer-to-agreement match-contested match-agree-undone
        match-power-cut match-waits-for-a-game match-locked match-of-two-legs
        match-by-a-compact-console match-start-by-time match-time-in-a-later-leg""",
    "a whole game of each": " ".join(f"game-{each.replace('_', '-')}" for each in variant_ids()),
}


@pytest.fixture(autouse=True)
def _heard(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No evening has a device that reports too much."""
    found, hear = set[Heard](), EdgeLimit.hear

    def hear_and_note(limit: EdgeLimit, line: str, down: bool, time: float) -> Heard:
        found.add(heard := hear(limit, line, down, time))
        return heard

    monkeypatch.setattr(EdgeLimit, "hear", hear_and_note)
    yield
    assert found <= {Heard.TAKEN}


@pytest.mark.sampled(65)  # the gains of its presses
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_expectation_of_an_evening_holds(
    path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    evening = read(path)
    answers = play(evening, tmp_path, monkeypatch)
    said = capsys.readouterr().err.splitlines()
    assert [line for line in said if not line.startswith("scorer run: button ")] == []
    wrong = [*failures(evening, answers), *journal_faults(store_of(tmp_path))]
    assert not wrong, "\n".join([evening.story, *wrong])


def test_no_evening_is_missing() -> None:
    names = {path.stem for path in FILES}
    assert set(" ".join(EVENINGS.values()).split()) == names
