"""Levels about rules: the new game, the house's options, the rule card.

They are made from a draft or from the house rules each time they are entered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType

from scorer.rulecards.card_page import CardPage
from scorer.rules import Phase, Rules, find_variant, games_won, variant_ids
from scorer.rules.model import RuleChange
from scorer.rules.options import Value, parse_value, rules_for
from scorer.rules.rulebooks import followed_rulebook, rulebooks_of
from scorer.rules.score import shown_scores
from scorer.rules.variant import Option
from scorer.session.setup.corrections_menu import ScoresLevel
from scorer.session.setup.effects import (
    Back,
    ChangeDraft,
    ChangeRules,
    Choose,
    Play,
    TakeBackChange,
)
from scorer.session.setup.levels import (
    Effect,
    Link,
    ListLevel,
    MenuEntries,
    MenuEntry,
    Open,
    Refuse,
    RefuseWith,
    leave_level,
    marked_list,
    open_level,
    refusable,
    replace_level,
)
from scorer.session.setup.name_entry import name_choice_level
from scorer.session.setup.preferences_menu import REMATCH, setting_entry
from scorer.session.values import game_draft
from scorer.session.values.box_settings import NAMES, Choice, rules_choices
from scorer.session.values.game_draft import Draft, draft_of
from scorer.session.values.game_queries import current_hand, is_untouched
from scorer.session.values.keys import NoticeKey, PlainKey, SetupKey, TextKey
from scorer.session.values.press import ButtonPress
from scorer.session.values.rule_changes import why_not_under
from scorer.session.values.setup_view import MenuLine, OptionNumberView, SetupView
from scorer.session.values.shown import ChangeStart
from scorer.session.values.state import Reaction, Session, SetupLevel

NO_SOURCES: Mapping[Value, str] = MappingProxyType({})
TARGETS = (12, 15, 18, 20, 24, 30, 40)  # common targets; any other number can be set too
TARGET, FLOR = TextKey("option.target"), TextKey("option.flor")
MAX_TARGETS = 6  # in a list: with one more line, each is three lines away at most
MAIN_OPTIONS = ("target", "flor", "best_of")  # options offered with every new game


class NumberLevel(SetupLevel):
    """The number of an option, of the draft or of the house rules."""

    key: str
    value: int
    lowest: int
    highest: int
    step: int = 1
    draft: Draft | None = None
    sources: Mapping[Value, str] = NO_SOURCES

    def adjust(self, down: int) -> SetupLevel:
        new = self.value - down * self.step
        return self._replace(value=new if self.lowest <= new <= self.highest else self.value)

    def enter(self, session: Session, press: ButtonPress) -> Reaction:
        rules = self.draft.rules if self.draft else session.next_rules
        return _option_effect(rules, self.key, self.value, self.draft).run(session, press)

    def view(self, session: Session) -> SetupView:
        return SetupView(self.title, OptionNumberView(self.value, self.sources.get(self.value, "")))


class OtherTarget(NumberLevel):
    """A target that is not common."""

    def enter(self, session: Session, press: ButtonPress) -> Reaction:
        entries = _target_entries_of(session, self.value)
        if len(entries) == 1:
            return entries[0].effect.run(session, press)
        return open_level(session, press, ListLevel(self.title, entries))


class CardLevel(SetupLevel):
    """A rule card, page by page."""

    pages: tuple[CardPage, ...]
    at: int = 0

    def adjust(self, down: int) -> SetupLevel:
        return self._replace(at=min(max(self.at + down, 0), len(self.pages) - 1))

    def enter(self, session: Session, press: ButtonPress) -> Reaction:
        if self.at + 1 == len(self.pages):
            return leave_level(session, press)
        return replace_level(session, press, self._replace(at=self.at + 1))

    def view(self, session: Session) -> SetupView:
        return SetupView(self.title, self.pages[self.at])


def new_game_level(session: Session, link: Link) -> SetupLevel:
    """The drafted game, with an entry for each value."""
    draft = draft_in(session, link)
    rules = draft.rules
    title = MenuLine(SetupKey.VARIANT, figure=rules.variant.title)
    start = MenuLine(SetupKey.START, scores=draft.scores)
    found = (rules.variant.option(key) for key in MAIN_OPTIONS)
    entries = (
        MenuEntry(MenuLine(SetupKey.PLAY), play_effect(session, draft)),
        MenuEntry(title, Link(variants_level, draft=draft)),
        *(
            _option_entry(rules, option, draft)
            for option in tuple(option for option in found if option is not None)
        ),
        MenuEntry(_mano_line(draft), Link(mano_level, draft=draft)),
        MenuEntry(start, Link(start_level, draft=draft)),
        *(
            MenuEntry(MenuLine(PlainKey.NAME, at), Link(name_choice_level, side=at, draft=draft))
            for at in range(len(draft.names))
        ),
    )
    made_from = link._replace(draft=draft)
    return ListLevel(SetupKey.NEW_GAME, entries, made_from=made_from, takes_choices=True)


def draft_in(session: Session, link: Link) -> Draft:
    """The draft of ``link``, else that of the game that follows."""
    return link.draft or draft_of(session.next_game, session.names)


def variants_level(session: Session, link: Link) -> ListLevel:
    """All variants by title."""
    entries = variant_entries(session, draft_in(session, link), ChangeDraft)
    return marked_list(SetupKey.VARIANT, entries, link)


def variant_entries(
    session: Session,
    draft: Draft,
    effect: Callable[[Draft], Effect],
    first: tuple[str, ...] = (),
) -> MenuEntries:
    """The variants ``first`` and then the others, each with the effect of its draft."""
    known = (draft.rules, session.next_rules, session.rules)
    others = sorted(map(find_variant, variant_ids()), key=lambda variant: variant.title)
    found = (*map(find_variant, first), *(each for each in others if each.id not in first))
    return tuple(
        MenuEntry(
            MenuLine(
                SetupKey.VARIANT, text=variant.title, marked=variant.id == draft.rules.variant.id
            ),
            effect(game_draft.with_rules(draft, game_draft.variant_rules(variant.id, *known))),
        )
        for variant in found
    )


def mano_level(session: Session, link: Link) -> SetupLevel:
    """The choice of the first mano; in pata de gallo, of the first gallo."""
    draft = draft_in(session, link)
    entries = tuple(
        MenuEntry(
            MenuLine(PlainKey.SIDE, at, marked=side is draft.first),
            ChangeDraft(draft.with_first(side)),
        )
        for at, side in enumerate(draft.rules.scoring_sides)
    )
    return marked_list(_mano_line(draft).key, entries, link)


def start_level(session: Session, link: Link) -> SetupLevel:
    """The starting scores of the game, which begin at those of a running game."""
    draft = draft_in(session, link)
    rules = draft.rules
    least, most = (
        (1, sum(rules.starting_score)) if any(rules.starting_score) else (0, rules.target - 1)
    )
    scores = draft.scores
    if scores == rules.starting_score and session.game.winner is None:
        running = _continued(session, draft.names, rules)
        scores = scores if running is None else running.scores
    return ScoresLevel(SetupKey.START, scores, most, least, draft=draft)


def _continued(session: Session, names: tuple[str, ...], rules: Rules) -> Draft | None:
    """The draft that goes on from the score of the running game under ``rules``.

    None if a game of these rules cannot have that score.
    """
    game, scores = session.game, shown_scores(session.game)
    draft = draft_of(current_hand(game), names).with_scores(scores)
    after = game_draft.with_rules(draft, rules)
    keeps = after.scores == scores or scores == game.rules.starting_score
    return after if keeps and not any(games_won(game)) and after.game() is not None else None


def flor_entries(session: Session) -> MenuEntries:
    """The entry for the flor, if the variant leaves it to the table."""
    rules = _asked_rules(session)
    if game_draft.with_flor(rules, has_flor=rules.flor is None) is None:
        return ()
    line = MenuLine(FLOR, value=_yes_no(rules.flor is not None))
    return (_unless_locked(session, line, flor_level),)


def target_entries(session: Session) -> MenuEntries:
    """The entry for the target."""
    line = MenuLine(TARGET, figure=str(_asked_rules(session).target))
    return (_unless_locked(session, line, target_level),)


def _unless_locked(
    session: Session, line: MenuLine, make: Callable[[Session, Link], SetupLevel]
) -> MenuEntry:
    link = None if session.is_match_locked else Link(make)
    return refusable(line, link, NoticeKey.MATCH_LOCKED)


def _asked_rules(session: Session) -> Rules:
    """The rules of the running game with its chosen change, else of the next."""
    if session.phase is Phase.MATCH_OVER:
        return session.next_rules
    change = _pending(session)
    return session.rules if change is None else change.rules


def _pending(session: Session) -> RuleChange | None:
    """The change that is chosen and will come into force; None without one."""
    return None if session.pending_change is None else session.game.change


def flor_level(session: Session, link: Link) -> SetupLevel:
    """With flor or without it."""
    sources = option_sources(_asked_rules(session), "flor")
    entries = tuple(
        entry
        for value in (True, False)
        for entry in _asked_value_entries(
            session,
            MenuLine(TextKey(_yes_no(value)), figure=sources.get(value, "")),
            partial(game_draft.with_flor, has_flor=value),
        )
    )
    # In a game at the other value, else at the current one.
    plays_on = _plays_on(session)
    at = next(at for at, entry in enumerate(entries) if entry.line.marked is not plays_on)
    return ListLevel(FLOR, entries, at, made_from=link)


def target_level(session: Session, link: Link) -> SetupLevel:
    """The common targets, and the entry for any other number."""
    rules = _asked_rules(session)
    option = rules.variant.option("target")
    assert option is not None
    numbers, sources = common_targets(rules), option_sources(rules, option.key)
    other = OtherTarget(TARGET, option.key, rules.target, option.low, option.high, sources=sources)
    last = MenuEntry(MenuLine(SetupKey.OTHER_TARGET), Open(other))
    if not _plays_on(session):
        entries = (entry for each in numbers for entry in _target_entries_of(session, each))
        at = numbers.index(rules.target)
        return ListLevel(TARGET, (*entries, last), at, made_from=link)
    # In a game, the default or its half is the likely one. From it the list goes down to the other
    # targets to play on with, and up to the same from a later game on.
    default = int(option.default)
    numbers.sort(key=lambda number: (number == rules.target, number not in (default, default // 2)))
    found = [_target_entries_of(session, number) for number in numbers]
    later = [entry for each in reversed(found) for entry in reversed(each[1:])]
    now = [each[0] for each in found]
    return ListLevel(TARGET, (*later, *now, last), len(later), made_from=link)


def common_targets(rules: Rules) -> list[int]:
    """The common targets near the default of the variant, and the chosen one."""
    option = rules.variant.option("target")
    assert option is not None
    default = int(option.default)
    near = [number for number in TARGETS if default <= 2 * number and number <= 2 * default]
    return sorted({*near[:MAX_TARGETS], default, rules.target})


def _target_entries_of(session: Session, number: int) -> MenuEntries:
    change = partial(game_draft.option_rules, key="target", value=number)
    source = option_sources(_asked_rules(session), "target").get(number, "")
    line = MenuLine(PlainKey.VALUE, text=str(number), figure=source)
    return _asked_value_entries(session, line, change)


def _asked_value_entries(
    session: Session, line: MenuLine, change: Callable[[Rules], Rules | None]
) -> MenuEntries:
    """The entries of a value that is asked before every game.

    In a game there are several: to play on at this score from the next hand, in a series from the
    next game of it, and from the game after that on.
    """
    base = _asked_rules(session)
    changed = change(base)
    later = change(session.next_rules) or changed
    from_next = MenuEntry(
        line,
        Refuse(NoticeKey.NOT_TOGETHER)
        if later is None
        else Choose(rules_choices(later), _from_next_key(session)),
    )
    game = session.game
    if session.phase is Phase.MATCH_OVER:
        is_current = later is session.next_rules
        return (MenuEntry(line._replace(marked=True), Back()) if is_current else from_next,)
    current = MenuEntry(line._replace(marked=True), Back())
    if is_untouched(game):
        at_once = _change_entry(session, line, changed, ChangeStart.IN_FORCE)
        return (current if changed is base else at_once,)
    after_series = session.rules.best_of > 1
    word = "setup.after_series" if after_series else "setup.from_next"
    from_next = from_next._replace(line=line._replace(value=word))
    if changed is base:
        return (current, from_next) if later is not session.next_rules else (current,)
    if changed is session.rules:
        # Only a chosen change can differ from the rules in force.
        assert session.change is not None and session.change.standing is not None
        return MenuEntry(line, TakeBackChange(session.change.standing)), from_next
    entries = (
        _change_entry(session, line._replace(value=f"setup.change.{start}"), changed, start)
        for start in _change_starts(session)
    )
    return (*entries, from_next)


def _plays_on(session: Session) -> bool:
    """True if a running game or series may go on under changed rules."""
    return session.phase is not Phase.MATCH_OVER and not is_untouched(session.game)


def _change_starts(session: Session) -> tuple[ChangeStart, ...]:
    """From when a change can be chosen; what is chosen with another one comes with it."""
    game = session.game
    hand = (session.next_hand_start,) if game.winner is None else ()
    follows = sum(games_won(game)) + (game.winner is None) < game.rules.best_of
    later = (ChangeStart.GAME,) if follows else ()
    pending = _pending(session)
    if pending is None or game.winner is not None:
        return (*hand, *later)
    return later if pending.from_game else hand


def _from_next_key(session: Session) -> NoticeKey:
    """From when the rules of the house count: after a series, all games of it."""
    runs = session.rules.best_of > 1 and session.phase is not Phase.MATCH_OVER
    return NoticeKey.AFTER_SERIES if runs else NoticeKey.FROM_NEXT


def _change_entry(
    session: Session, line: MenuLine, rules: Rules | None, start: ChangeStart
) -> MenuEntry:
    """The entry that goes on under ``rules``, or tells why it cannot."""
    if rules is None:
        return MenuEntry(line, Refuse(NoticeKey.NOT_TOGETHER))
    # The score of a game that follows is that of its start.
    why_not = None if start is ChangeStart.GAME else why_not_under(session.game, rules)
    return MenuEntry(line, ChangeRules(rules, start) if why_not is None else RefuseWith(why_not))


def is_under_way(session: Session) -> bool:
    """True in a game with a score, in which a correction is the likely wish."""
    game = session.game
    return (
        game.winner is None
        and session.record.is_scored
        and shown_scores(game) != game.rules.starting_score
    )


def house_rules_level(session: Session, link: Link) -> SetupLevel:
    """The options of the variant as the house plays, and the rematch."""
    rules = session.next_rules
    options = (_option_entry(rules, option, None) for option in rules.variant.options)
    entries = (*_rulebook_entries(rules), *options, setting_entry(session, REMATCH.key))
    return ListLevel(SetupKey.HOUSE, entries, made_from=link, takes_choices=True)


def _rulebook_entries(rules: Rules) -> MenuEntries:
    """The entry for the rulebook, if there are some of this variant."""
    if not rulebooks_of(rules.variant):
        return ()
    followed = followed_rulebook(rules)
    if followed is None:
        line = MenuLine(SetupKey.BY_RULEBOOK, value="setup.own_rules")
    else:
        others = f" +{len(followed.differing)}" if followed.differing else ""
        line = MenuLine(SetupKey.BY_RULEBOOK, figure=f"{followed.book.title}{others}")
    return (MenuEntry(line, Link(rulebook_level)),)


def rulebook_level(session: Session, link: Link) -> SetupLevel:
    """The rulebooks of the variant, and its defaults where they are of none."""
    rules = session.next_rules
    plain = rules_for(rules.variant)
    ways = [
        (MenuLine(PlainKey.VALUE, text=book.title), book.rules(rules.variant))
        for book in rulebooks_of(rules.variant)
    ]
    if plain not in [each for _, each in ways]:
        ways.append((MenuLine(SetupKey.OWN_RULES), plain))
    entries = tuple(
        MenuEntry(
            line._replace(marked=each is rules),
            Choose(rules_choices(each), _from_next_key(session)),
        )
        for line, each in ways
    )
    return marked_list(SetupKey.RULEBOOKS, entries, link)


def option_level(session: Session, link: Link) -> SetupLevel:
    """The values of one option, or its number."""
    rules = link.draft.rules if link.draft is not None else session.next_rules
    found = rules.variant.option(link.key)
    assert found is not None
    chosen, title = game_draft.value_of(rules, found.key), TextKey(f"option.{found.key}")
    sources = option_sources(rules, found.key)
    if not found.choices:
        limits = found.low, found.high, found.step
        return NumberLevel(title, found.key, int(chosen), *limits, link.draft, sources)
    entries = []
    for value in found.choices:
        if parse_value(found, value) is not None:
            key, text = value_words(found, value)
            source, marked = sources.get(value, ""), value == chosen
            line = MenuLine(key or PlainKey.VALUE, text=text, figure=source, marked=marked)
            entries.append(MenuEntry(line, _option_effect(rules, found.key, value, link.draft)))
    return marked_list(title, tuple(entries), link)


def option_sources(rules: Rules, key: str) -> Mapping[Value, str]:
    """The sources of the documented values of an option."""
    # Imported lazily: the rule cards play out every bet.
    from scorer.rulecards.content.sources import source_texts

    option = rules.variant.option(key)
    return NO_SOURCES if option is None else source_texts(rules.variant, option)


def card_level(session: Session, link: Link) -> SetupLevel:
    """The rule card of the match, else of the next game's rules."""
    # Imported lazily: building the card plays out every bet.
    from scorer.rulecards.content import card_of, pages

    box = session.box
    return CardLevel(
        SetupKey.CARD, pages(card_of(session.card_rules), box.card_columns, box.card_lines)
    )


def play_effect(session: Session, draft: Draft) -> Play:
    """The effect that starts ``draft`` and saves its new choices."""
    count = len(draft.names)
    same = draft.names == (*session.names, *("",) * count)[:count]
    rules = () if draft.rules is session.next_rules else rules_choices(draft.rules)
    return Play(draft, (*rules, *(() if same else (Choice(NAMES, draft.names),))))


def _mano_line(draft: Draft) -> MenuLine:
    key = SetupKey.GALLO if draft.has_gallo else SetupKey.MANO
    return MenuLine(key, chosen_side=draft.rules.scoring_sides.index(draft.first))


def _option_entry(rules: Rules, option: Option, draft: Draft | None) -> MenuEntry:
    value, figure = value_words(option, game_draft.value_of(rules, option.key))
    line = MenuLine(TextKey(f"option.{option.key}"), value=value or "", figure=figure)
    return MenuEntry(line, Link(option_level, option.key, draft=draft))


def _option_effect(rules: Rules, key: str, value: Value, draft: Draft | None) -> Effect:
    """The effect that sets ``value`` in the draft or, without one, the house rules."""
    chosen = game_draft.option_rules(rules, key, value)
    if chosen is None:
        return Refuse(NoticeKey.NOT_TOGETHER)
    if draft is not None:
        return ChangeDraft(game_draft.with_rules(draft, chosen))
    return Choose(rules_choices(chosen), NoticeKey.FROM_NEXT)


def value_words(option: Option, value: Value) -> tuple[TextKey | None, str]:
    """The catalogue key for a value of an option, or the value itself."""
    if isinstance(value, bool):
        return TextKey(_yes_no(value)), ""
    if isinstance(value, int) or option.key == "mineiro_ladder":
        return None, str(value)
    return TextKey(f"option.{option.key}.{value}"), ""


def _yes_no(value: bool) -> str:
    return "card.yes" if value else "card.no"
