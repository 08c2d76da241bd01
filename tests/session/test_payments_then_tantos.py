"""TANTOS by reflex just after a payment, in every variant and layout.

A player who has won presses TANTOS, also where the box has paid by itself. It must never enter a
hand that was not played: it is refused where the payment ended the hand, and asks where it goes on.
"""

from __future__ import annotations

import random
from typing import Final, NamedTuple

import pytest

from scorer.rules import Action, Side, Step, step_text, variant_ids
from scorer.session.input.guards import LATER_S
from scorer.session.phone_press import PhonePress, press
from scorer.session.play.external_steps import enter_step
from scorer.session.values.settings import Layout
from scorer.session.values.state import Reaction, Verdict
from tests.sampling import amount, sample
from tests.session.rig import SessionRig
from tests.support.settings import settings_with

OFFSETS: Final = (0.35, 0.6, 0.8, 1.2, 3.5, 4.5, 6.0, 6.95)
AFTER: Final = 7.05  # both windows are over
PRESSERS: Final = ("A", "B", "both")
LAYOUTS: Final = tuple(Layout)


class Payment(NamedTuple):
    """Presses of which the last one pays; ``score`` is at the deal."""

    variant: str
    script: str
    ends: bool  # the hand, the duel or the game
    score: tuple[int, int] | None = None

    def table(self, layout: Layout) -> SessionRig:
        """The table 0.3 s after the payment, when a single TANTOS has been recorded."""
        score = None if self.score is None else dict(zip((Side.A, Side.B), self.score, strict=True))
        desk = SessionRig(self.variant, score=score, settings=settings_with(layout=layout, count=3))
        for line in self.script.split(", "):
            desk.pass_time(1.0)
            play(desk, line)
        desk.pass_time(0.17)
        return desk


TEAMS: Final = (
    "argentine",
    "argentine_flor",
    "br_general",
    "gaucho",
    "mineiro",
    "paulista",
    "pica_pica",
    "uruguayan",
    "valencian",
    "venezuelan",
)
WITH_ENVIDO: Final = (
    "argentine",
    "argentine_flor",
    "gaucho",
    "pica_pica",
    "uruguayan",
    "valencian",
    "venezuelan",
)
WITH_FLOR: Final = ("argentine_flor", "gaucho", "uruguayan", "venezuelan")

ENDS: Final = (
    *(Payment(variant, "A truco, B no_quiero", True) for variant in (*TEAMS, "pata_gallo")),
    *(Payment(variant, "A truco, B truco, A no_quiero", True) for variant in TEAMS),
    *(Payment(variant, "A fold, A yes", True) for variant in TEAMS),
    Payment("pata_gallo", "A fold, A yes", True),
    Payment("destantado", "A truco, B no_quiero, C no_quiero", True),
    Payment("pica_pica", "- pica, A truco, B no_quiero", True),
    Payment("pica_pica", "- pica, A fold, A yes", True),
    Payment("paulista", "A no_quiero", True, score=(11, 5)),  # mão de onze
    Payment("mineiro", "A no_quiero", True, score=(10, 4)),  # mão de dez
    Payment("venezuelan", "B no_quiero", True, score=(23, 4)),  # the declared envite is good
    Payment("venezuelan", "B quiero, A no_quiero", True, score=(23, 4)),  # privo refused
    Payment("venezuelan", "A envido, B quiero, A truco, B no_quiero, B tantos", True),
    Payment("argentine", "A truco, A tantos, B no_quiero", True),  # not accepted, the caller says
    Payment("argentine", "A envido, B no_quiero", True, score=(29, 3)),  # ends the game
)
GOES_ON: Final = (
    *(Payment(variant, "A envido, B no_quiero", False) for variant in (*WITH_ENVIDO, "pata_gallo")),
    *(Payment(variant, "A envido, B quiero, A tantos", False) for variant in WITH_ENVIDO),
    *(Payment(variant, "A flor, B no_quiero", False) for variant in WITH_FLOR),
    *(Payment(variant, "A flor, A tantos", False) for variant in WITH_FLOR),
    *(Payment(variant, "A flor, B flor, A tantos", False) for variant in ("argentine_flor",)),
    Payment("destantado", "A envido, B quiero, C no_quiero, A tantos", False),
    Payment("pica_pica", "- pica, A envido, B no_quiero", False),
    Payment("argentine", "A truco, B quiero, B late, A quiero", False),
)


def play(desk: SessionRig, line: str) -> None:
    """A press by its meaning; ``fold``, ``flor`` and ``late`` are holds in a layout."""
    console, key = line.split()
    if key == "pica":
        step = Step(None, Action.PICA)
        desk.store_and_adopt(enter_step(desk.session, step, desk.time))
        return
    full = desk.session.settings.table.layout is Layout.FULL and console != "C"
    bids = bool(desk.session.rules.bids)
    if key == "yes":
        if desk.session.question is not None:
            desk.press_button(f"{console}.quiero")
        return
    if key == "late":
        key = "envido hold"
    elif key == "fold":
        key = "no_quiero hold" if full else "quiero hold" if bids else "envido hold"
    elif key == "no_quiero" and not full:
        key = "quiero hold" if bids else "envido"
    elif key == "flor" and not full:
        key = "envido hold"
    button, *how = key.split()
    desk.press_button(f"{console}.{button}", how)


def press_tantos(desk: SessionRig, presser: str, offset: float) -> Reaction:
    """TANTOS of ``presser``, so long after the newest payment, and its reaction."""
    session = desk.session
    times = (session.hand_paid_at, session.hand_closed_at, session.bet_paid_at)
    desk.pass_time(max(0.0, max(times) + offset - desk.time))
    desk.reactions = []
    if presser == "both":
        desk.press_together(["A.tantos", "B.tantos"], gap=0.1)
    else:
        desk.press_button(f"{presser}.tantos")
    desk.pass_time(0.5)
    return desk._deciding_reaction()


def expected_answer(payment: Payment, presser: str, offset: float) -> tuple[Verdict, str]:
    """The verdict on TANTOS and the key of the notice or question shown."""
    if payment.ends:
        return Verdict.GUARDED, "paid"
    # The button that has just settled the bet: a slap of the partner.
    is_slap = offset < LATER_S and payment.script.endswith(f"{presser} tantos")
    return (Verdict.GUARDED, "slap") if is_slap else (Verdict.QUESTION, "and_the_hand")


def ids(payment: Payment) -> str:
    return f"{payment.variant}: {payment.script}"


def key_of(desk: SessionRig) -> str:
    question, notice = desk.session.question, desk.session.notice
    return question.key if question is not None else notice.key if notice is not None else ""


@pytest.mark.sampled
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("payment", ENDS, ids=ids)
def test_tantos_after_a_payment_that_ended_the_hand_enters_nothing(
    payment: Payment, layout: Layout
) -> None:
    cases = [(presser, offset) for presser in PRESSERS for offset in OFFSETS]
    for presser, offset in sample(cases, 2, turn=len(payment.script)):
        desk = payment.table(layout)
        before = desk.session.record
        reaction = press_tantos(desk, presser, offset)
        expected = expected_answer(payment, presser, offset)
        assert (reaction.verdict, key_of(desk)) == expected, (presser, offset)
        assert desk.session.record == before


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("payment", ENDS, ids=ids)
def test_after_seven_seconds_tantos_is_guarded_no_longer(payment: Payment, layout: Layout) -> None:
    desk = payment.table(layout)
    assert press_tantos(desk, "A", AFTER).verdict is not Verdict.GUARDED


@pytest.mark.sampled
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("payment", GOES_ON, ids=ids)
def test_tantos_after_an_envido_or_flor_asks_for_the_hand(payment: Payment, layout: Layout) -> None:
    cases = [(presser, offset) for presser in "AB" for offset in OFFSETS]
    for presser, offset in sample(cases, 2, turn=len(payment.script)):
        desk = payment.table(layout)
        before = desk.session.record
        reaction = press_tantos(desk, presser, offset)
        expected = expected_answer(payment, presser, offset)
        assert (reaction.verdict, key_of(desk)) == expected, (presser, offset)
        assert desk.session.record == before


@pytest.mark.sampled
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("payment", GOES_ON, ids=ids)
def test_after_an_envido_or_flor_late_entry_costs_one_press(
    payment: Payment, layout: Layout
) -> None:
    """QUIERO of the rivals, or TANTOS again once a hand can be over."""
    answers = (("B quiero", 1.2), ("A tantos", 5.2), ("B quiero", 5.2))
    for answer, offset in sample(answers, 1, turn=LAYOUTS.index(layout) + len(payment.script)):
        desk = payment.table(layout)
        press_tantos(desk, "A", offset)
        desk.do("wait 0.2", answer)
        asked = (desk.newest_lines, desk.score)
        unasked = payment.table(layout)
        assert press_tantos(unasked, "A", AFTER).verdict is Verdict.ACCEPTED
        assert asked == (unasked.newest_lines, unasked.score)
        assert [line.split()[1] for line in desk.newest_lines] == ["hand_won"]


@pytest.mark.sampled
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("payment", GOES_ON, ids=ids)
def test_both_tantos_after_an_envido_or_flor_score_nothing_unasked(
    payment: Payment, layout: Layout
) -> None:
    """A slap after a TANTOS, else the question for three tied tricks."""
    for offset in sample(OFFSETS, 3, turn=len(payment.script)):
        desk = payment.table(layout)
        before = desk.session.record
        assert press_tantos(desk, "both", offset).verdict is not Verdict.ACCEPTED
        assert desk.session.record == before


@pytest.mark.sampled
@pytest.mark.parametrize("payment", [*ENDS, *GOES_ON], ids=ids)
def test_a_phone_gets_the_same_answer(payment: Payment) -> None:
    cases = [(console, offset) for console in "AB" for offset in OFFSETS]
    for console, offset in sample(cases, 2, turn=len(payment.script)):
        desk = payment.table(Layout.FULL)
        paid = max(desk.session.hand_paid_at, desk.session.bet_paid_at)
        desk.pass_time(max(0.0, paid + offset - desk.time))
        request = PhonePress("tantos", console)
        reaction = desk.store_and_adopt(press(desk.session, request, desk.time))
        assert (reaction.verdict, key_of(desk)) == expected_answer(payment, console, offset)
        if reaction.verdict is Verdict.QUESTION:
            desk.pass_time(0.7)
            sure = PhonePress("quiero", "B" if console == "A" else "A", question="and_the_hand")
            assert press(desk.session, sure, desk.time).verdict is Verdict.ACCEPTED


@pytest.mark.parametrize("gap", [0.35, 0.6, 0.8, 1.2, 1.3])
@pytest.mark.parametrize(
    ("variant", "script"),
    [
        *((variant, "A envido, B quiero") for variant in WITH_ENVIDO),
        *((variant, "A flor, B flor") for variant in ("argentine_flor", "gaucho")),
    ],
)
def test_both_teams_that_claim_the_bet_get_a_question_and_no_hand(
    variant: str, script: str, gap: float
) -> None:
    for layout in LAYOUTS:
        for first, second in (("A", "B"), ("B", "A")):
            desk = Payment(variant, script, False).table(layout)
            desk.press_together([f"{first}.tantos", f"{second}.tantos"], gap=gap)
            desk.pass_time(0.5)
            assert key_of(desk) == "and_the_hand"
            assert not desk.game.hand.over


def test_while_a_truco_waits_tantos_asks_too_and_answers_it_later() -> None:
    for offset, verdict in ((1.2, Verdict.QUESTION), (AFTER, Verdict.ACCEPTED)):
        desk = SessionRig()
        desk.do("A truco", "B envido", "A no_quiero")
        assert press_tantos(desk, "B", offset).verdict is verdict
    assert desk.newest_lines == ["B quiero", "B hand_won"]


WALK: Final = (
    *("truco", "envido", "quiero", "no_quiero", "tantos", "fold", "flor"),
    *("truco", "envido", "no_quiero", "no_quiero"),
)
REFLEXES: Final = (*(f"{console} tantos" for console in "AB"), "both tantos")
IDLE: Final = 21.0  # seconds after which no guard is left


def copy_of(desk: SessionRig, variant: str) -> SessionRig:
    """Another table in the same state."""
    other = SessionRig(variant, settings=desk.session.settings)
    other.session, other.time = desk.session, desk.time
    other._reset_gestures()
    return other


def paid_points(desk: SessionRig) -> int:
    """All points paid since the game began, also those that move or are not added yet."""
    record = desk.session.record
    games = (*(done.before for done in record.past[1:]), record.game)
    return sum(abs(credit.points) for game in games for credit in game.last_credits)


def waits_for_answer(desk: SessionRig) -> bool:
    return desk.session.is_asked or desk.session.question is not None


def is_fold(desk: SessionRig, line: str) -> bool:
    """True for a hold that folds, or may do so."""
    compact = desk.session.settings.table.layout is Layout.COMPACT
    held = ("no_quiero",) if desk.session.rules.bids else ("no_quiero", "flor")
    return line.endswith("fold") or (compact and line.endswith(held))


def press_and_settle(desk: SessionRig, line: str, seconds: float) -> None:
    """Presses ``line`` and passes time until so long after its beginning."""
    end = desk.time + seconds
    if line.startswith("both"):
        desk.press_together(["A.tantos", "B.tantos"], gap=0.02)
    else:
        play(desk, line)
    desk.pass_time(max(0.0, end - desk.time))


def other_console(line: str) -> str:
    console, key = line.split()
    return f"{'B' if console == 'A' else 'A'} {key}"


@pytest.mark.sampled(2)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("variant", variant_ids())
def test_two_presses_within_the_guards_pay_what_one_of_them_means(
    variant: str, layout: Layout
) -> None:
    """The second press is the same word, or TANTOS after a payment."""
    rng = random.Random(f"{variant} {layout}")
    checked = 0
    for _ in range(amount(3, 300)):
        desk = SessionRig(variant, settings=settings_with(layout=layout, count=3))
        for _ in range(12):
            first = f"{rng.choice('AB')} {rng.choice(WALK)}"
            checked += check_two_presses(desk, variant, first, rng)
            press_and_settle(desk, first, IDLE)
            if desk.session.question is not None:
                press_and_settle(desk, f"A {rng.choice(('quiero', 'no_quiero'))}", IDLE)
            if desk.game.winner is not None:
                break
    assert checked


def check_two_presses(desk: SessionRig, variant: str, first: str, rng: random.Random) -> int:
    """Checks ``first`` with a second press soon after it; 1 if either pays."""
    start = paid_points(desk)
    one = copy_of(desk, variant)
    press_and_settle(one, first, 1.0)
    paid = paid_points(one) - start
    closed = one.session.hand_closed_at >= desk.time
    again = [] if is_fold(desk, first) else [first, other_console(first)]
    # A call that waits is answered as ever; a hold that folds is announced by the panel.
    if waits_for_answer(one):
        return 0
    seconds = [*again, *REFLEXES] if paid else again
    if not seconds:
        return 0
    second = rng.choice(seconds)
    alone = copy_of(desk, variant)
    press_and_settle(alone, second, 1.0)
    gap = rng.uniform(0.32, 3.9 if closed else 6.9)
    both = copy_of(desk, variant)
    press_and_settle(both, first, gap)
    press_and_settle(both, second, 1.0)
    most = max(paid, paid_points(alone) - start)
    lines = [step_text(done.step) for done in both.session.record.past]
    assert paid_points(both) - start <= most, (lines, first, second, gap)
    return int(bool(most))
