"""The questions of the first power-on: language, time zone, variant and target."""

from __future__ import annotations

from typing import Final

from scorer.session.setup.time_zones import CITIES, city, likely_zone
from scorer.session.values import game_draft
from scorer.session.values.box_settings import LANGUAGE, TIME_ZONE, Choice
from scorer.session.values.game_draft import Draft
from scorer.session.values.levels import (
    FIRST_RUN_TIMEOUT_S,
    Level,
    LineKey,
    ListLevel,
    MenuLine,
    PlainKey,
    Setup,
    SetupAction,
    SetupCommand,
    SetupKey,
    SubmenuLink,
    TextKey,
)
from scorer.session.values.state import Session

TIME_ZONE_QUESTION = SetupKey.FIRST_TIME_ZONE  # only where the zone is unknown
QUESTIONS: Final[tuple[LineKey, ...]] = (
    SetupKey.FIRST_LANGUAGE,
    TIME_ZONE_QUESTION,
    SetupKey.FIRST_VARIANT,
    SetupKey.FIRST_TARGET,
)
TARGETS = (12, 15, 18, 20, 24, 30, 40)  # common targets; set-up accepts any other number


def with_first_question(session: Session) -> Session:
    """The session with the first question shown."""
    level = language_level(session, SubmenuLink(QUESTIONS[0]))
    return session._replace(
        setup=Setup((level,), session.now + FIRST_RUN_TIMEOUT_S, is_first_run=True)
    )


def language_level(session: Session, link: SubmenuLink) -> Level:
    """The choice of the language."""
    box = session.box
    lines = tuple(
        MenuLine(
            TextKey(f"language.{each}"),
            SetupCommand(
                SetupAction.NEXT, choices=() if each == box.language else (Choice(LANGUAGE, each),)
            ),
            marked=each == box.language,
        )
        for each in box.languages
    )
    return _question_level(QUESTIONS[0], lines, link)


def time_zone_level(session: Session, link: SubmenuLink) -> Level:
    """The choice of the time zone; ``link.key`` is the language, which may be new."""
    likely = likely_zone(link.key or session.box.language)
    lines = tuple(
        MenuLine(
            PlainKey.VALUE,
            SetupCommand(SetupAction.NEXT, choices=(Choice(TIME_ZONE, zone),)),
            text=city(zone),
            marked=zone == session.box.time_zone,
        )
        for zone in CITIES
    )
    at = list(CITIES).index(likely)
    return ListLevel(
        TIME_ZONE_QUESTION, lines, at, made_from=link._replace(title=TIME_ZONE_QUESTION)
    )


def variant_level(every: ListLevel, link: SubmenuLink) -> Level:
    """The choice of the variant among ``every`` available one."""
    lines = tuple(_as_answer(line) for line in every.lines)
    return _question_level(QUESTIONS[2], lines, link)


def target_level(session: Session, link: SubmenuLink) -> Level:
    """The choice of the target score."""
    draft = link.draft or game_draft.draft_of(session.next_game, session.names)
    option = draft.rules.variant.option("target")
    assert option is not None
    default = draft.rules.target
    numbers = sorted({*TARGETS, option.default, default}) if default >= TARGETS[0] else [default]
    lines = tuple(_target_line(draft, int(number), int(number) == default) for number in numbers)
    return _question_level(QUESTIONS[3], lines, link)


def next_link(session: Session, title: LineKey, answer: SetupCommand) -> SubmenuLink | None:
    """The question after the one titled ``title``; None after the last."""
    following = [
        each
        for each in QUESTIONS[QUESTIONS.index(title) + 1 :]
        if session.box.asks_time_zone or each != TIME_ZONE_QUESTION
    ]
    if not following:
        return None
    link = SubmenuLink(following[0], draft=answer.draft)
    if link.title != TIME_ZONE_QUESTION:
        return link
    language = next((str(each.value) for each in answer.choices if each.path == LANGUAGE), "")
    return link._replace(key=language)


def _target_line(draft: Draft, number: int, chosen: bool) -> MenuLine:
    rules = game_draft.option_rules(draft.rules, "target", number)
    new = draft if rules is None else game_draft.with_rules(draft, rules)
    return MenuLine(
        PlainKey.VALUE, SetupCommand(SetupAction.NEXT, draft=new), text=str(number), marked=chosen
    )


def _as_answer(line: MenuLine) -> MenuLine:
    assert isinstance(line.leads_to, SetupCommand)
    return line._replace(leads_to=line.leads_to._replace(action=SetupAction.NEXT))


def _question_level(title: LineKey, lines: tuple[MenuLine, ...], link: SubmenuLink) -> Level:
    at = next((at for at, line in enumerate(lines) if line.marked), 0)
    return ListLevel(title, lines, at, made_from=link._replace(title=title))
