"""The entries of set-up, as a table of functions that make their current levels.

An entry keeps its place: what is impossible now is refused with its reason. Only what the rules or
the box never have is left out. A new entry is one more function in the table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from scorer.rules import (
    Action,
    Game,
    HandKind,
    Phase,
    Refusal,
    Side,
    Step,
    attempt,
)
from scorer.rules.destantado import pot_of
from scorer.rules.score import shown_scores
from scorer.session import late_envido, seating
from scorer.session.game_queries import NEW_HAND, current_hand, opening_steps, play_steps
from scorer.session.setup import (
    first_run,
    house_rules_menu,
    name_entry,
    pairing_menu,
    preferences_menu,
)
from scorer.session.setup.levels import (
    Level,
    ListLevel,
    MenuLine,
    NameLevel,
    NumberLevel,
    PointsLevel,
    ScoresLevel,
    SetupAction,
    SetupCommand,
    SubmenuLink,
)
from scorer.session.state import Session

MenuLines = tuple[MenuLine, ...]
Entries = tuple[Callable[[Session], MenuLines], ...]
_FOUL_REASON = "foul"
_NOT_NOW, _TIME_TIED = "not_now", "time_tied"  # notices
_OTHER_KIND: Final = {HandKind.REDONDA: Action.PICA, HandKind.PICA: Action.REDONDA}


def root_level(session: Session, key: str = "") -> ListLevel:
    """The root level; the line ``key`` is selected if it is offered."""
    lines = _lines(session, ENTRIES)
    at = next((at for at, line in enumerate(lines) if line.key == key), 0)
    return ListLevel("setup", lines, at)


def make_level(session: Session, link: SubmenuLink) -> Level:
    """The level that ``link`` opens, made from the current choices."""
    return _LEVELS[link.title](session, link)


def refresh_level(session: Session, level: Level) -> Level:
    """The same list, updated with the choices made since."""
    if not isinstance(level, ListLevel):
        return level
    if level.made_from is None:
        return refresh_root(session, level) if level.title == "setup" else level
    made = make_level(session, level.made_from)
    assert isinstance(made, ListLevel)
    return made._replace(at=min(level.at, len(made.lines) - 1))


def refresh_root(session: Session, level: ListLevel) -> ListLevel:
    """The root level with updated values; its other lines are unchanged."""
    knobs = {key: preferences_menu.setting_line(session, key) for key in _ROOT_SETTINGS}
    return level._replace(lines=tuple(knobs.get(line.key, line) for line in level.lines))


def needs_every_team(session: Session, command: SetupCommand) -> bool:
    """True if every team must confirm: to go back, leave a game or change its winner."""
    match command.action:
        case SetupAction.BACK | SetupAction.CLEAR_NIGHT:
            return True
        case SetupAction.CHOOSE:
            # The meaning of the buttons changes for all players.
            return preferences_menu.changes_buttons(command.choices)
        case SetupAction.PLAY:
            return session.phase is not Phase.MATCH_OVER
        case SetupAction.RECORD:
            after = play_steps(session.game, command.steps)
            return after is not None and after.winner is not session.game.winner
        case _:
            return False


def level_command(session: Session, level: ScoresLevel | NumberLevel | NameLevel) -> SetupCommand:
    """The command that applies the value set in ``level``."""
    match level:
        case ScoresLevel(scores=scores, draft=draft):
            assert draft is not None
            return SetupCommand(SetupAction.DRAFT, draft=draft._replace(start=scores))
        case NumberLevel(key=key, value=value, draft=draft):
            return house_rules_menu.option_command(session, key, value, draft)
        case NameLevel(side=side, text=text, draft=draft):
            sides = (draft.rules if draft else session.rules).scoring_sides
            return name_entry.name_command(session, sides.index(side), text, draft)


def next_question(
    session: Session, title: str, answer: SetupCommand
) -> Level | SetupCommand | None:
    """What follows the question ``title``: a level, a game, or None for this game."""
    draft = answer.draft
    follows = first_run.next_link(title, draft)
    if follows is not None:
        return make_level(session, follows)
    if draft is None or draft.rules is session.rules:
        return None
    return house_rules_menu.play_command(session, draft)


def correction_command(session: Session, scores: tuple[int, ...]) -> SetupCommand:
    """The command that corrects the scores to ``scores``; correct ones need no step."""
    game = session.game
    each = zip(game.rules.scoring_sides, game.score, scores, strict=True)
    changed = [
        (new > old, Step(side, Action.CORRECT, new)) for side, old, new in each if old != new
    ]
    # Decreases come first: piles grow from the points that others leave in the pot.
    steps = tuple(step for _, step in sorted(changed, key=lambda each: each[0]))
    return SetupCommand(SetupAction.RECORD if steps else SetupAction.LEAVE, steps)


def award_line(level: PointsLevel, session: Session) -> MenuLine:
    """The line that awards the entered points."""
    game, points = session.game, level.value
    act = SetupCommand(
        SetupAction.RECORD, late_envido.award_steps(game, level.side, points), reason=level.reason
    )
    # Points awarded to a player of destantado leave the pile.
    signed = -points if game.rules.seating.counts_down else points
    return MenuLine("points", act, seating.view_index(game, level.side), signed)


def _lines(session: Session, entries: Entries) -> MenuLines:
    return tuple(line for entry in entries for line in entry(session))


def _line(key: str, leads_to: SetupCommand | Level | None, why_not: str = _NOT_NOW) -> MenuLines:
    """The line ``key``; without ``leads_to`` it is refused with ``why_not``."""
    return (MenuLine(key, leads_to or SetupCommand(SetupAction.REFUSE, notice_key=why_not)),)


def _in_game(session: Session, key: str, leads_to: Callable[[], Level]) -> MenuLines:
    """The line ``key``, which is refused once the game is over."""
    return _line(key, leads_to() if _is_game_on(session) else None, Refusal.GAME_OVER)


def _is_game_on(session: Session) -> bool:
    return session.game.winner is None


def _go_on(session: Session) -> MenuLines:
    return (MenuLine("go_on", SetupCommand(SetupAction.LEAVE)),)


def _redo(session: Session) -> MenuLines:
    return (MenuLine("redo", SetupCommand(SetupAction.REDO)),)


def _points(session: Session) -> MenuLines:
    """The points before each press, newest first, described by the press before."""
    past = session.record.past
    starts = [at for at in range(1, len(past)) if past[at].press != past[at - 1].press]
    points = (*reversed(starts), 0) if past else ()
    lines = tuple(
        MenuLine("point", SetupCommand(SetupAction.BACK, kept_steps=keep), number=keep)
        for keep in points
    )
    return _line("back", ListLevel("back", lines) if lines else None, Refusal.NOTHING_TO_UNDO)


def _scores(session: Session) -> MenuLines:
    return _in_game(session, "correct", lambda: _scores_level(session))


def _scores_level(session: Session) -> Level:
    game, rules = session.game, session.rules
    scores = shown_scores(game)
    least, most = (
        (1, sum(scores) + pot_of(game)) if rules.seating.counts_down else (0, rules.target - 1)
    )
    return ScoresLevel("correct", scores, most, least)


def _fouls(session: Session) -> MenuLines:
    open_ = _is_game_on(session) or _may_reverse(session)
    level = ListLevel("fouls", _lines(session, FOULS)) if open_ else None
    return _line("fouls", level, Refusal.GAME_OVER)


def _may_reverse(session: Session) -> bool:
    """True if a lie can still be entered, also after the game."""
    sides, lies = session.rules.speaking_sides, (Action.ENVIDO_REVERSED, Action.FLOR_REVERSED)
    tried = (attempt(session.game, Step(side, lie)) for side in sides for lie in lies)
    return any(isinstance(result, Game) for result in tried)


def _new_game(session: Session) -> MenuLines:
    return (MenuLine("new_game", SubmenuLink("new_game")),)


def _house(session: Session) -> MenuLines:
    return MenuLine("house", SubmenuLink("house")), MenuLine("card", SubmenuLink("card"))


def _names(session: Session) -> MenuLines:
    return (MenuLine("names", SubmenuLink("names")),)


def _box(session: Session) -> MenuLines:
    language, layout = (preferences_menu.setting_line(session, key) for key in _ROOT_SETTINGS)
    return language, MenuLine("light", SubmenuLink("light")), layout


def _phones(session: Session) -> MenuLines:
    count = len(session.box.phones)
    return (
        MenuLine("phones", SubmenuLink(pairing_menu.TITLE), figure=str(count) if count else ""),
    )


def _night(session: Session) -> MenuLines:
    return (MenuLine("clear_night", SetupCommand(SetupAction.CLEAR_NIGHT)),)


def _slip(session: Session) -> MenuLines:
    return (
        (MenuLine("slip", SetupCommand(SetupAction.SLIP)),) if session.settings.has_printer else ()
    )


def _selftest(session: Session) -> MenuLines:
    return (MenuLine("selftest", SetupCommand(SetupAction.SELFTEST)),)


def _reversed(session: Session, action: Action) -> MenuLines:
    """The line for a side that took points without showing its cards."""
    tried = {
        side: attempt(session.game, Step(side, action)) for side in session.rules.speaking_sides
    }
    if Refusal.NOT_IN_THIS_VARIANT in tried.values():
        return ()
    possible = [side for side, result in tried.items() if isinstance(result, Game)]
    return tuple(
        MenuLine(
            str(action),
            SetupCommand(SetupAction.RECORD, (Step(side, action),)),
            seating.view_index(session.game, side),
        )
        for side in possible
    ) or _line(str(action), None, Refusal.NOTHING_TO_REVERSE)


def _envido_reversed(session: Session) -> MenuLines:
    return _reversed(session, Action.ENVIDO_REVERSED)


def _flor_reversed(session: Session) -> MenuLines:
    return _reversed(session, Action.FLOR_REVERSED)


def _award(session: Session) -> MenuLines:
    most, sides = session.rules.target, session.rules.scoring_sides
    level = _side_level(
        session, "award", sides, lambda side: PointsLevel("award", side, most, reason=_FOUL_REASON)
    )
    return (MenuLine("award", level),)


def _side_level(
    session: Session, key: str, sides: tuple[Side, ...], level: Callable[[Side], Level]
) -> ListLevel:
    game = session.game
    lines = tuple(MenuLine("side", level(side), seating.view_index(game, side)) for side in sides)
    return ListLevel(key, lines)


def _redeal(session: Session) -> MenuLines:
    game = session.game
    dealt = isinstance(attempt(game, NEW_HAND), Game)
    possible = (
        _is_game_on(session) and not game.hand.over and (session.record.steps_in_hand or dealt)
    )
    return _line("redeal", SetupCommand(SetupAction.REDEAL) if possible else None)


def _kind(session: Session) -> MenuLines:
    """The line that makes a hand without entries a pica or a redonda, at request."""
    other = _OTHER_KIND.get(current_hand(session.game).hand.kind)
    if other is None:
        return ()
    steps = (*opening_steps(session.game), Step(None, other))
    possible = play_steps(session.game, steps) is not None
    return _line(str(other), SetupCommand(SetupAction.RECORD, steps) if possible else None)


def _late_envido(session: Session) -> MenuLines:
    """The line for an envido that was played in time but not entered in time."""
    if not late_envido.is_in_the_rules(session.rules):
        return ()
    if not late_envido.is_possible(session.game):
        return _line("late_envido", None)
    actors = session.rules.speaking_sides
    return _line(
        "late_envido",
        _side_level(
            session, "late_envido", actors, lambda side: _late_envido_level(session.game, side)
        ),
    )


def _late_envido_level(game: Game, side: Side) -> Level:
    """Its possible payments; with open bids the number of stones is entered."""
    if game.rules.opens_with_numbers:
        return PointsLevel(
            "late_envido", side, game.rules.target, late_envido.MIN_OPEN_BET, late_envido.REASON
        )
    lines = (
        _payment_line(game, side, points, words)
        for points, words in late_envido.possible_payments(game, side)
    )
    return ListLevel("late_envido", tuple(lines))


def _payment_line(game: Game, side: Side, points: int, words: str) -> MenuLine:
    act = SetupCommand(
        SetupAction.RECORD, late_envido.award_steps(game, side, points), reason=late_envido.REASON
    )
    return MenuLine("late_paid" if words else "late_refused", act, number=points, word=words)


def _concede(session: Session) -> MenuLines:
    return _in_game(session, "end", lambda: _concede_level(session))


def _concede_level(session: Session) -> Level:
    lines = (
        MenuLine("concede", SetupCommand(SetupAction.RECORD, (Step(side, Action.CONCEDE),)), at)
        for at, side in enumerate(session.rules.scoring_sides)
    )
    return ListLevel("end", tuple(lines))


def _time(session: Session) -> MenuLines:
    step = Step(None, Action.TIME)
    tied = attempt(session.game, step) is Refusal.TIED
    command = None if tied else SetupCommand(SetupAction.RECORD, (step,))
    return _line("time", command, _TIME_TIED)


def _lock(session: Session) -> MenuLines:
    return (MenuLine("lock", SetupCommand(SetupAction.LOCK)),)


def _switch_off(session: Session) -> MenuLines:
    return (MenuLine("switch_off", SetupCommand(SetupAction.SWITCH_OFF)),)


ENTRIES: Final[Entries] = (
    _go_on,
    _redo,
    _points,
    _scores,
    _fouls,
    _redeal,
    _kind,
    _time,
    _new_game,
    _concede,
    _house,
    _names,
    _box,
    _phones,
    _night,
    _slip,
    _selftest,
    _lock,
    _switch_off,
)
FOULS: Final[Entries] = (_envido_reversed, _flor_reversed, _late_envido, _award)


def _first_variant_level(session: Session, link: SubmenuLink) -> Level:
    return first_run.variant_level(house_rules_menu.variants_level(session, link), link)


_ROOT_SETTINGS: Final = ("language", "layout")  # shown in the root level with their values
_LEVELS: Final[dict[str, Callable[[Session, SubmenuLink], Level]]] = {
    "new_game": house_rules_menu.new_game_level,
    "variant": house_rules_menu.variants_level,
    "mano": house_rules_menu.mano_level,
    "start": house_rules_menu.start_level,
    "house": house_rules_menu.house_rules_level,
    "option": house_rules_menu.option_level,
    "card": house_rules_menu.card_level,
    "names": name_entry.names_level,
    "naming": name_entry.name_choice_level,
    "light": preferences_menu.light_and_sound_level,
    pairing_menu.TITLE: pairing_menu.phones_level,
    "values": preferences_menu.values_level,
    "first_language": first_run.language_level,
    "first_variant": _first_variant_level,
    "first_target": first_run.target_level,
}
