"""Levels about rules: the new game, the house's options, the rule card.

They are made from a draft or from the house rules each time they are entered.
"""

from __future__ import annotations

from scorer.rules import Rules, find_variant, variant_ids
from scorer.rules.options import Value, parse_value
from scorer.rules.variant import Option
from scorer.session.values import game_draft
from scorer.session.values.box_settings import HOUSE, NAMES, VARIANT, Choice
from scorer.session.values.game_draft import Draft, draft_of
from scorer.session.values.keys import NoticeKey
from scorer.session.values.levels import (
    CardLevel,
    Level,
    ListLevel,
    MenuLine,
    NumberLevel,
    PlainKey,
    ScoresLevel,
    SetupAction,
    SetupCommand,
    SetupKey,
    SubmenuLink,
    TextKey,
)
from scorer.session.values.state import Session

MAIN_OPTIONS = ("target", "flor", "best_of")  # options offered with every new game


def new_game_level(session: Session, link: SubmenuLink) -> Level:
    """The drafted game, with a line for each value."""
    draft = link.draft or draft_of(session.next_game, session.names)
    made = link._replace(draft=draft)
    lines = (
        MenuLine(SetupKey.PLAY, play_command(session, draft)),
        MenuLine(
            SetupKey.VARIANT,
            SubmenuLink(SetupKey.VARIANT, draft=draft),
            figure=draft.rules.variant.title,
        ),
        *(_option_line(draft.rules, option, draft) for option in _main_options(draft.rules)),
        _mano_line(draft),
        MenuLine(SetupKey.START, SubmenuLink(SetupKey.START, draft=draft), scores=draft.start),
        *(_name_line(draft, at) for at in range(len(draft.names))),
    )
    return ListLevel(SetupKey.NEW_GAME, lines, made_from=made)


def variants_level(session: Session, link: SubmenuLink) -> ListLevel:
    """All variants by title."""
    draft = link.draft or draft_of(session.next_game, session.names)
    chosen = draft.rules.variant.id
    lines = tuple(
        MenuLine(
            SetupKey.VARIANT,
            SetupCommand(SetupAction.DRAFT, draft=_draft_of_variant(session, draft, each)),
            text=find_variant(each).title,
            marked=each == chosen,
        )
        for each in sorted(variant_ids(), key=lambda each: find_variant(each).title)
    )
    return ListLevel(SetupKey.VARIANT, lines, _marked_index(lines), made_from=link)


def mano_level(session: Session, link: SubmenuLink) -> Level:
    """The choice of the first mano; in pata de gallo, of the first gallo."""
    draft = link.draft or draft_of(session.next_game, session.names)
    lines = tuple(
        MenuLine(
            PlainKey.SIDE,
            SetupCommand(SetupAction.DRAFT, draft=draft._replace(mano=side)),
            at,
            marked=side is draft.mano,
        )
        for at, side in enumerate(draft.rules.scoring_sides)
    )
    return ListLevel(_mano_line(draft).key, lines, _marked_index(lines), made_from=link)


def start_level(session: Session, link: SubmenuLink) -> Level:
    """The starting scores of the game."""
    draft = link.draft or draft_of(session.next_game, session.names)
    rules = draft.rules
    least, most = (
        (1, sum(rules.starting_score)) if any(rules.starting_score) else (0, rules.target - 1)
    )
    return ScoresLevel(SetupKey.START, draft.start, most, least, draft=draft)


def house_rules_level(session: Session, link: SubmenuLink) -> Level:
    """All options of the current variant with the house's choices."""
    rules = session.next_rules
    lines = tuple(_option_line(rules, option, None) for option in rules.variant.options)
    return ListLevel(SetupKey.HOUSE, lines, made_from=link)


def option_level(session: Session, link: SubmenuLink) -> Level:
    """The values of one option, or its number."""
    rules = link.draft.rules if link.draft is not None else session.next_rules
    found = rules.variant.option(link.key)
    assert found is not None
    chosen, title = game_draft.value_of(rules, found.key), TextKey(f"option.{found.key}")
    if not found.choices:
        step = found.step
        return NumberLevel(title, found.key, int(chosen), found.low, found.high, step, link.draft)
    lines = tuple(
        _value_line(rules, found, value, link.draft)._replace(marked=value == chosen)
        for value in found.choices
        if parse_value(found, value) is not None
    )
    return ListLevel(title, lines, _marked_index(lines), made_from=link)


def card_level(session: Session, link: SubmenuLink) -> Level:
    """The rule card of the match, else of the next game's rules."""
    # Imported lazily: building the card plays out every bet.
    from scorer.rulecards.content import card_of, pages

    box = session.box
    return CardLevel(
        SetupKey.CARD, pages(card_of(session.card_rules), box.card_columns, box.card_lines)
    )


def option_command(session: Session, key: str, value: Value, draft: Draft | None) -> SetupCommand:
    """The command that sets ``value`` in the draft or, without one, the house rules."""
    return _option_command(draft.rules if draft else session.next_rules, key, value, draft)


def choices_to_save(session: Session, draft: Draft) -> tuple[Choice, ...]:
    """The choices of a new game that differ from the stored ones."""
    count = len(draft.names)
    same = draft.names == (*session.names, *("",) * count)[:count]
    rules = () if draft.rules is session.next_rules else _rules_choices(draft.rules)
    return (*rules, *(() if same else (Choice(NAMES, draft.names),)))


def play_command(session: Session, draft: Draft) -> SetupCommand:
    return SetupCommand(SetupAction.PLAY, choices=choices_to_save(session, draft), draft=draft)


def _draft_of_variant(session: Session, draft: Draft, variant: str) -> Draft:
    known = (draft.rules, session.next_rules, session.rules)
    return game_draft.with_rules(draft, game_draft.variant_rules(variant, *known))


def _main_options(rules: Rules) -> tuple[Option, ...]:
    found = (rules.variant.option(key) for key in MAIN_OPTIONS)
    return tuple(option for option in found if option is not None)


def _mano_line(draft: Draft) -> MenuLine:
    key = SetupKey.GALLO if draft.has_gallo else SetupKey.MANO
    return MenuLine(
        key,
        SubmenuLink(SetupKey.MANO, draft=draft),
        chosen_side=draft.rules.scoring_sides.index(draft.mano),
    )


def _name_line(draft: Draft, at: int) -> MenuLine:
    return MenuLine(PlainKey.NAME, SubmenuLink(SetupKey.NAMING, side=at, draft=draft), at)


def _option_line(rules: Rules, option: Option, draft: Draft | None) -> MenuLine:
    leads = SubmenuLink(PlainKey.OPTION, option.key, draft=draft)
    value, figure = value_words(option, game_draft.value_of(rules, option.key))
    return MenuLine(TextKey(f"option.{option.key}"), leads, value=value or "", figure=figure)


def _option_command(rules: Rules, key: str, value: Value, draft: Draft | None) -> SetupCommand:
    chosen = game_draft.option_rules(rules, key, value)
    if chosen is None:
        return SetupCommand(SetupAction.DRAFT, notice_key=NoticeKey.NOT_TOGETHER)
    if draft is not None:
        return SetupCommand(SetupAction.DRAFT, draft=game_draft.with_rules(draft, chosen))
    return SetupCommand(
        SetupAction.CHOOSE, choices=_rules_choices(chosen), notice_key=NoticeKey.FROM_NEXT
    )


def _value_line(rules: Rules, option: Option, value: Value, draft: Draft | None) -> MenuLine:
    key, figure = value_words(option, value)
    act = _option_command(rules, option.key, value, draft)
    return MenuLine(key or PlainKey.VALUE, act, text=figure)


def value_words(option: Option, value: Value) -> tuple[TextKey | None, str]:
    """The catalogue key for a value of an option, or the value itself."""
    if isinstance(value, bool):
        return TextKey("card.yes" if value else "card.no"), ""
    if isinstance(value, int) or option.key == "mineiro_ladder":
        return None, str(value)
    return TextKey(f"option.{option.key}.{value}"), ""


def _marked_index(lines: tuple[MenuLine, ...]) -> int:
    return next((at for at, line in enumerate(lines) if line.marked), 0)


def _rules_choices(rules: Rules) -> tuple[Choice, ...]:
    """The choices to save so that later nights start with these rules."""
    return (Choice(VARIANT, rules.variant.id), Choice(HOUSE, dict(rules.chosen)))
