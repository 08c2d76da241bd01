"""Lists about rules: the game that is put together, the options of the house, the rule card.

They are made from a draft or from what the house plays, each time they are entered. No button.
"""

from __future__ import annotations

from scorer.rules import Rules, find, variant_ids
from scorer.rules.options import Value, parse_value
from scorer.rules.variant import Option
from scorer.session.play.next_game import next_game
from scorer.session.setup import game_draft
from scorer.session.setup.box_settings import NAMES, Choice, house_of
from scorer.session.setup.game_draft import Draft, drafted
from scorer.session.setup.pages import (
    Act,
    Choosing,
    Correcting,
    Doing,
    Level,
    Line,
    Numbering,
    Opens,
    Reading,
)
from scorer.session.state import Session

MAIN = ("target", "flor", "best_of")  # options that are asked for with every new game


def next_draft(session: Session) -> Draft:
    """The game that would come next if nothing were changed."""
    return drafted(next_game(session), session.names)


def house(session: Session) -> Rules:
    """What the next game is played by."""
    return session.box.rules or session.rules


def new_game(session: Session, link: Opens) -> Level:
    """The game as it is put together, a line for each thing that may be changed."""
    draft = link.draft or next_draft(session)
    made = link._replace(draft=draft)
    lines = (
        Line("play", _play(session, draft)),
        Line("variant", Opens("variant", draft=draft), figure=draft.rules.variant.title),
        *(_option_line(draft.rules, option, draft) for option in _main(draft.rules)),
        _mano(draft),
        Line("start", Opens("start", draft=draft), scores=draft.start),
        *(_name(draft, at) for at in range(len(draft.names))),
    )
    return Choosing("new_game", lines, made_from=made)


def variants(session: Session, link: Opens) -> Level:
    """Every truco by its title."""
    draft = link.draft or next_draft(session)
    chosen = draft.rules.variant.id
    lines = tuple(
        Line(
            "variant",
            Act(Doing.DRAFT, draft=_as_played(session, draft, each)),
            text=find(each).title,
            marked=each == chosen,
        )
        for each in sorted(variant_ids(), key=lambda each: find(each).title)
    )
    return Choosing("variant", lines, _marked(lines), made_from=link)


def mano(session: Session, link: Opens) -> Level:
    """Who leads the first hand; in pata de gallo, who plays alone in it."""
    draft = link.draft or next_draft(session)
    lines = tuple(
        Line(
            "side",
            Act(Doing.DRAFT, draft=draft._replace(mano=side)),
            at,
            marked=side is draft.mano,
        )
        for at, side in enumerate(draft.rules.scoring_sides)
    )
    return Choosing(_mano(draft).key, lines, _marked(lines), made_from=link)


def start(session: Session, link: Opens) -> Level:
    """The scores that the game begins with."""
    draft = link.draft or next_draft(session)
    rules = draft.rules
    least, most = (
        (1, sum(rules.starting_score)) if any(rules.starting_score) else (0, rules.target - 1)
    )
    return Correcting("start", draft.start, most, least, draft=draft)


def house_rules(session: Session, link: Opens) -> Level:
    """Every option of the truco that is played here, and what the house has chosen."""
    rules = house(session)
    lines = tuple(_option_line(rules, option, None) for option in rules.variant.options)
    return Choosing("house", lines, made_from=link)


def option(session: Session, link: Opens) -> Level:
    """The values of one option, or the number that it takes."""
    rules = link.draft.rules if link.draft is not None else house(session)
    found = rules.variant.option(link.key)
    assert found is not None
    chosen, title = game_draft.value_of(rules, found.key), f"option.{found.key}"
    if not found.choices:
        step = 2 if found.key == "best_of" else 1
        return Numbering(title, found.key, int(chosen), found.low, found.high, step, link.draft)
    lines = tuple(
        _value_line(rules, found, value, link.draft)._replace(marked=value == chosen)
        for value in found.choices
        if parse_value(found, value) is not None
    )
    return Choosing(title, lines, _marked(lines), made_from=link)


def card(session: Session, link: Opens) -> Level:
    """The rule card of what the next game is played by."""
    # Every bet of the card is played to be told: nothing of it is loaded before it is asked for.
    from scorer.rulecards.content import card_of, pages

    box = session.box
    return Reading("card", pages(card_of(house(session)), box.card_columns, box.card_lines))


def set_option(session: Session, key: str, value: Value, draft: Draft | None) -> Act:
    """What choosing ``value`` does: to the game to be, or to the house from the next game on."""
    return _set(draft.rules if draft else house(session), key, value, draft)


def named(session: Session, at: int, name: str, draft: Draft | None) -> Act:
    """What giving ``name`` to side ``at`` does."""
    count = len(draft.names) if draft else len(session.rules.scoring_sides)
    names = list(draft.names if draft else (*session.names, *("",) * count)[:count])
    names[at] = name.strip()
    if draft is not None:
        return Act(Doing.DRAFT, draft=draft._replace(names=tuple(names)))
    return Act(Doing.CHOOSE, choices=(Choice(NAMES, tuple(names)),))


def kept(session: Session, draft: Draft) -> tuple[Choice, ...]:
    """What the box must keep of a game that begins: what is not so already."""
    count = len(draft.names)
    same = draft.names == (*session.names, *("",) * count)[:count]
    rules = () if draft.rules is house(session) else house_of(draft.rules)
    return (*rules, *(() if same else (Choice(NAMES, draft.names),)))


def _play(session: Session, draft: Draft) -> Act:
    return Act(Doing.PLAY, choices=kept(session, draft), draft=draft)


def _as_played(session: Session, draft: Draft, variant: str) -> Draft:
    known = (draft.rules, house(session), session.rules)
    return game_draft.with_rules(draft, game_draft.variant_rules(variant, *known))


def _main(rules: Rules) -> tuple[Option, ...]:
    found = (rules.variant.option(key) for key in MAIN)
    return tuple(option for option in found if option is not None)


def _mano(draft: Draft) -> Line:
    key = "gallo" if draft.has_gallo else "mano"
    return Line(
        key, Opens("mano", draft=draft), chosen_side=draft.rules.scoring_sides.index(draft.mano)
    )


def _name(draft: Draft, at: int) -> Line:
    return Line("name", Opens("naming", side=at, draft=draft), at)


def _option_line(rules: Rules, option: Option, draft: Draft | None) -> Line:
    leads = Opens("option", option.key, draft=draft)
    value, figure = words_of_value(option, game_draft.value_of(rules, option.key))
    return Line(f"option.{option.key}", leads, value=value, figure=figure)


def _set(rules: Rules, key: str, value: Value, draft: Draft | None) -> Act:
    chosen = game_draft.option_rules(rules, key, value)
    if chosen is None:
        return Act(Doing.DRAFT, notice_key="not_together")
    if draft is not None:
        return Act(Doing.DRAFT, draft=game_draft.with_rules(draft, chosen))
    return Act(Doing.CHOOSE, choices=house_of(chosen), notice_key="from_next")


def _value_line(rules: Rules, option: Option, value: Value, draft: Draft | None) -> Line:
    key, figure = words_of_value(option, value)
    act = _set(rules, option.key, value, draft)
    return Line(key or "value", act, text=figure)


def words_of_value(option: Option, value: Value) -> tuple[str, str]:
    """The key of the words for a value of an option, or the value as it is."""
    if isinstance(value, bool):
        return ("card.yes" if value else "card.no"), ""
    if isinstance(value, int) or option.key == "mineiro_ladder":
        return "", str(value)
    return f"option.{option.key}.{value}", ""


def _marked(lines: tuple[Line, ...]) -> int:
    return next((at for at, line in enumerate(lines) if line.marked), 0)
