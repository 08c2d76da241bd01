"""The questions of the first power-on: language, time zone, variant and target.

They come again at each power-on, and when a dark panel is woken, until a hand was scored. Whatever
is proposed follows the language: QUIERO to every question begins a game of its country.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from scorer.rules import Start, new_game
from scorer.session.setup.house_rules_menu import (
    common_targets,
    draft_in,
    option_sources,
    play_effect,
    variant_entries,
)
from scorer.session.setup.levels import (
    FIRST_RUN_TIMEOUT_S,
    Effect,
    Link,
    ListLevel,
    MenuEntry,
    close,
    marked_list,
    show_levels,
)
from scorer.session.setup.time_zones import CITIES, city
from scorer.session.values import game_draft
from scorer.session.values.box_settings import LANGUAGE, TIME_ZONE, Choice
from scorer.session.values.countries import country_of
from scorer.session.values.game_draft import Draft
from scorer.session.values.keys import LineKey, PlainKey, SetupKey, TextKey
from scorer.session.values.press import ButtonMeaning, ButtonPress
from scorer.session.values.setup_view import MenuLine
from scorer.session.values.state import Reaction, Session, Setup, SetupLevel

TIME_ZONE_QUESTION = SetupKey.FIRST_TIME_ZONE  # only where the zone is unknown


class FirstRunAnswer(Effect):
    """Asks the next question, or starts the drafted game after the last one."""

    draft: Draft | None = None
    language: str = ""  # chosen before; "": as the box has it
    choices: tuple[Choice, ...] = ()

    def run(self, session: Session, press: ButtonPress) -> Reaction:
        assert session.setup is not None
        press = press._replace(meaning=ButtonMeaning.QUIERO)
        follows = self._next_question(session, session.setup.level)
        if follows is not None:
            return show_levels(session, press, (follows,))._replace(choices=self.choices)
        if self.draft is None or self.draft.rules is session.rules:
            return close(session, press)
        closed = session._replace(setup=None)
        # Nothing was scored, so that no mano follows: it is the first game of the table.
        first = game_draft.draft_of(new_game(Start(self.draft.rules)), session.names)
        return play_effect(session, first).perform(closed, press)._replace(source="menu")

    def _next_question(self, session: Session, asked: SetupLevel) -> SetupLevel | None:
        """The question after ``asked``; None after the last."""
        titles = list(QUESTIONS)
        for title in titles[titles.index(asked.title) + 1 :]:
            if title is not TIME_ZONE_QUESTION or session.box.asks_time_zone:
                link = Link(QUESTIONS[title], self.language, draft=self.draft)
                return link.make(session, link)
        return None


def with_first_question(session: Session) -> Session:
    """The session with the first question shown."""
    level = language_level(session, Link(language_level))
    return session._replace(
        setup=Setup((level,), session.now + FIRST_RUN_TIMEOUT_S, is_first_run=True)
    )


def language_level(session: Session, link: Link) -> SetupLevel:
    """The choice of the language."""
    chosen = session.settings.table.language
    entries = tuple(
        MenuEntry(
            MenuLine(TextKey(f"language.{language}"), marked=language == chosen),
            FirstRunAnswer(
                language=language,
                choices=() if language == chosen else (Choice(LANGUAGE, language),),
            ),
        )
        for language in session.box.languages
    )
    return marked_list(SetupKey.FIRST_LANGUAGE, entries, link)


def time_zone_level(session: Session, link: Link) -> SetupLevel:
    """The choice of the time zone; ``link.key`` is the language, which may be new."""
    table = session.settings.table
    likely = country_of(link.key or table.language).zone
    entries = tuple(
        MenuEntry(
            MenuLine(PlainKey.VALUE, text=city(zone), marked=zone == table.time_zone),
            FirstRunAnswer(language=link.key, choices=(Choice(TIME_ZONE, zone),)),
        )
        for zone in CITIES
    )
    return ListLevel(TIME_ZONE_QUESTION, entries, list(CITIES).index(likely), made_from=link)


def variant_level(session: Session, link: Link) -> SetupLevel:
    """The choice of the variant; ``link.key`` is the language.

    Proposed is the one chosen on the box before, if it belongs to the language.
    """
    draft, saved = draft_in(session, link), session.box.rules
    country = country_of(link.key or session.settings.table.language)
    if country.variants and (saved is None or saved.variant.id not in country.variants):
        rules = game_draft.variant_rules(country.proposed, draft.rules)
        draft = game_draft.with_rules(draft, rules)
    entries = variant_entries(session, draft, FirstRunAnswer, first=country.variants)
    return marked_list(SetupKey.FIRST_VARIANT, entries, link)


def target_level(session: Session, link: Link) -> SetupLevel:
    """The choice of the target score."""
    draft = draft_in(session, link)
    sources = option_sources(draft.rules, "target")
    entries = []
    for number in common_targets(draft.rules):
        rules = game_draft.option_rules(draft.rules, "target", number)
        new = draft if rules is None else game_draft.with_rules(draft, rules)
        source, marked = sources.get(number, ""), number == draft.rules.target
        line = MenuLine(PlainKey.VALUE, text=str(number), figure=source, marked=marked)
        entries.append(MenuEntry(line, FirstRunAnswer(new)))
    return marked_list(SetupKey.FIRST_TARGET, tuple(entries), link)


QUESTIONS: Final[dict[LineKey, Callable[[Session, Link], SetupLevel]]] = {
    SetupKey.FIRST_LANGUAGE: language_level,
    TIME_ZONE_QUESTION: time_zone_level,
    SetupKey.FIRST_VARIANT: variant_level,
    SetupKey.FIRST_TARGET: target_level,
}
