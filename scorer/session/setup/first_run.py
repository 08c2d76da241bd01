"""The first power-on: which language, which truco, up to how many. Each may be skipped.

It knows the questions and their order; who asks them, and when, is not known here.
"""

from __future__ import annotations

from scorer.session.setup import game_draft
from scorer.session.setup.box_settings import LANGUAGE, Choice, words_of
from scorer.session.setup.game_draft import Draft
from scorer.session.setup.house_rules_menu import next_draft, variants
from scorer.session.setup.pages import Act, Choosing, Doing, Level, Line, Opens, Setup
from scorer.session.state import Session

QUESTIONS = ("first_language", "first_variant", "first_target")
TARGETS = (12, 15, 18, 20, 24, 30, 40)  # what people play to; set-up takes any other number
PATIENCE = 300.0  # seconds


def asked(session: Session) -> Session:
    """The table with the first question on its panels."""
    level = language(session, Opens(QUESTIONS[0]))
    return session._replace(setup=Setup((level,), session.now + PATIENCE, is_first_run=True))


def language(session: Session, link: Opens) -> Level:
    """Which language the box speaks."""
    box = session.box
    lines = tuple(
        Line(
            words_of("language", each)[0],
            Act(Doing.NEXT, choices=() if each == box.language else (Choice(LANGUAGE, each),)),
            marked=each == box.language,
        )
        for each in box.languages
    )
    return _question(QUESTIONS[0], lines, link)


def variant(session: Session, link: Opens) -> Level:
    """Which truco is played."""
    every = variants(session, link)
    assert isinstance(every, Choosing)
    lines = tuple(_goes_on(line) for line in every.lines)
    return _question(QUESTIONS[1], lines, link)


def target(session: Session, link: Opens) -> Level:
    """Up to how many points it is played."""
    draft = link.draft or next_draft(session)
    option = draft.rules.variant.option("target")
    assert option is not None
    default = draft.rules.target
    numbers = sorted({*TARGETS, option.default, default}) if default >= TARGETS[0] else [default]
    lines = tuple(_target(draft, int(number), int(number) == default) for number in numbers)
    return _question(QUESTIONS[2], lines, link)


def following(title: str, draft: Draft | None) -> Opens | None:
    """The question after the one of this title; None after the last."""
    at = QUESTIONS.index(title) + 1
    return Opens(QUESTIONS[at], draft=draft) if at < len(QUESTIONS) else None


def _target(draft: Draft, number: int, chosen: bool) -> Line:
    rules = game_draft.option_rules(draft.rules, "target", number)
    new = draft if rules is None else game_draft.with_rules(draft, rules)
    return Line("value", Act(Doing.NEXT, draft=new), text=str(number), marked=chosen)


def _goes_on(line: Line) -> Line:
    assert isinstance(line.leads_to, Act)
    return line._replace(leads_to=line.leads_to._replace(action=Doing.NEXT))


def _question(title: str, lines: tuple[Line, ...], link: Opens) -> Level:
    at = next((at for at, line in enumerate(lines) if line.marked), 0)
    return Choosing(title, lines, at, made_from=link._replace(title=title))
