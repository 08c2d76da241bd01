"""Set-up: settings chosen on the box, and drafting a new game."""

from __future__ import annotations

import random
from itertools import product

import pytest

from scorer.display import draw_view
from scorer.i18n import languages
from scorer.rules import Side, find_variant, rules_for, variant_ids
from scorer.rules.rulebooks import find_rulebook
from scorer.session.input.gestures import REPEAT_AFTER, REPEAT_EVERY
from scorer.session.setup.levels import ListLevel
from scorer.session.setup.name_entry import DONE, MAX_LETTERS, RING
from scorer.session.values.box_settings import BoxSettings, Choice
from scorer.session.values.effects import ClearNight, Task
from scorer.session.values.settings import Layout, Settings
from scorer.session.values.setup_view import (
    AgreementView,
    EachNumberView,
    LastHandsView,
    OptionNumberView,
    SpellingView,
)
from scorer.session.values.shown import Screen
from scorer.session.values.state import Reaction, Verdict
from scorer.session.view.view import CardPage
from tests.sampling import amount, sample
from tests.session.rig import SessionRig
from tests.session.test_setup import content, is_open, keys, listed, select, shown, through
from tests.support.settings import settings_with

KNOWN = ("Los Pibes", "La Yunta")


def box(
    variant: str = "argentine", settings: Settings | None = None, script: str = ""
) -> SessionRig:
    """A table on a box with all languages and two known names."""
    desk = SessionRig(variant, settings=settings)
    desk.session = desk.session._replace(box=BoxSettings(languages=languages(), known_names=KNOWN))
    desk.do(*(script.split(", ") if script else ()))
    return desk


def chosen(desk: SessionRig) -> tuple[Choice, ...]:
    """The choices of the newest press to be saved."""
    return next((each.choices for each in reversed(desk.reactions) if each.choices), ())


def turn_to(desk: SessionRig, text: str) -> None:
    """Goes to the line that says ``text`` as it is, and enters it."""
    for _ in range(40):
        if listed(desk).selected.text == text:
            desk.do("A quiero")
            return
        desk.do("B tantos")
    raise AssertionError(f"no line says {text}")


def spell(desk: SessionRig, text: str) -> None:
    """Takes the letters of ``text``, the first from the beginning of the ring."""
    at = 0
    for letter in text:
        desk.do(*("B tantos",) * ((RING.index(letter) - at) % len(RING)), "A quiero")
        at = RING.index(letter)


def turn_by_hand(desk: SessionRig, entry: str) -> int:
    """Turns the ring like a player; returns the presses.

    Up to three steps are taps. Further ones are one hold, released a step too late, and a tap
    back.
    """
    down = (RING.index(entry) - RING.index(content(desk, SpellingView).selected)) % len(RING)
    back = down > len(RING) // 2
    steps, button, other = (len(RING) - down if back else down), "B tantos", "A tantos"
    if back:
        button, other = other, button
    if steps <= 3:
        desk.do(*(button,) * steps)
        return steps
    desk.do(f"{button} hold {REPEAT_AFTER + (steps - 1) * REPEAT_EVERY + 0.07:.3f}", other)
    return 2


# ---- language, light, sound, layout


@pytest.mark.parametrize(
    ("path", "choice"),
    [
        (("language", "language.pt-BR"), Choice(("table", "language"), "pt-BR")),
        (("light", "brightness", "setup.brightness.high"), Choice(("light", "brightness"), "high")),
        (("light", "dim", "setup.dim.0"), Choice(("light", "dim"), 0)),
        (("light", "large_digits", "card.yes"), Choice(("light", "large_digits"), True)),
        (("light", "tally", "setup.tally.threes"), Choice(("light", "tally"), "threes")),
        (("house", "rematch", "card.yes"), Choice(("table", "rematch"), True)),
        (("light", "sound", "card.no"), Choice(("sound", "on"), False)),
        (("light", "quiet", "setup.quiet.23_08"), Choice(("sound", "quiet"), "23:00-08:00")),
    ],
)
def test_a_value_of_the_box_is_kept_and_its_list_comes_back(
    path: tuple[str, ...], choice: Choice
) -> None:
    desk = through(box(), *path[:-1])
    parent = "setup" if len(path) == 2 else path[0]
    select(desk, path[-1])
    assert chosen(desk) == (choice,)
    assert (shown(desk).title, desk.lines) == (parent, [])


def test_the_value_that_counts_is_marked_selected_and_changes_nothing() -> None:
    desk = through(box(settings=settings_with(dim=300.0)), "light", "dim")
    item = listed(desk).selected
    assert (item.key, item.marked) == ("setup.dim.300", True)
    desk.do("A quiero")
    assert chosen(desk) == ()
    assert shown(desk).title == "light"


def test_a_configured_value_that_is_not_offered_is_shown_as_it_is() -> None:
    owners = settings_with(dim=90.0, quiet="22:00-07:00")
    items = {str(item.key): item for item in listed(through(box(settings=owners), "light")).items}
    assert (items["dim"].figure, items["quiet"].figure) == ("90 s", "22:00-07:00")


def test_other_buttons_want_the_yes_of_both_teams() -> None:
    desk = through(box(), "layout", "setup.layout.compact")
    assert (content(desk, AgreementView).missing, chosen(desk)) == ((0, 1), ())
    desk.do("A quiero")
    assert chosen(desk) == ()
    desk.do("B quiero")
    assert chosen(desk) == (Choice(("table", "layout"), "compact"),)


# ---- names


def test_a_name_that_is_known_is_two_presses() -> None:
    desk = through(box(), "names", "name 1")
    turn_to(desk, "La Yunta")
    assert chosen(desk) == (Choice(("table", "names"), ("", "La Yunta")),)
    assert shown(desk).title == "names"


def test_a_known_pair_names_both_teams() -> None:
    desk = box()
    pairs = (("Los Pibes", "La Yunta"), ("Ana", "Beto", "Caro"))
    desk.session = desk.session._replace(box=desk.session.box._replace(known_pairs=pairs))
    through(desk, "names")
    assert [item.text for item in listed(desk).items] == ["", "", "", "Los Pibes · La Yunta"]
    turn_to(desk, "Los Pibes · La Yunta")
    assert chosen(desk) == (Choice(("table", "names"), ("Los Pibes", "La Yunta")),)


def with_usual_names(desk: SessionRig) -> SessionRig:
    """The desk with the usual names of a Spanish box."""
    usual = {
        "usual_pairs": (("Locales", "Visitantes"), ("Amarillos", "Celestes")),
        "colours": ("Amarillos", "Celestes", "Rojos"),
    }
    desk.session = desk.session._replace(box=desk.session.box._replace(**usual))  # type: ignore[arg-type]
    return desk


def test_the_usual_names_come_before_those_of_the_last_evenings() -> None:
    desk = with_usual_names(box())
    known = (("Locales", "Visitantes"), ("Los Pibes", "La Yunta"))
    desk.session = desk.session._replace(box=desk.session.box._replace(known_pairs=known))
    through(desk, "names")
    assert keys(desk) == ["name", "name", "no_names", "known", "known", "known"]
    assert [item.text for item in listed(desk).items[3:]] == [
        "Locales · Visitantes",
        "Amarillos · Celestes",
        "Los Pibes · La Yunta",
    ]
    desk.do("B tantos", "B tantos", "B tantos", "A quiero")
    assert chosen(desk) == (Choice(("table", "names"), ("Locales", "Visitantes")),)


def test_nosotros_and_ellos_are_no_names() -> None:
    desk = with_usual_names(box())
    desk.session = desk.session._replace(names=("Los Pibes", "La Yunta"))
    through(desk, "names", "no_names")
    assert chosen(desk) == (Choice(("table", "names"), ("", "")),)


def test_the_names_of_the_teams_are_marked() -> None:
    desk = with_usual_names(box())
    through(desk, "names")
    assert [item.key for item in listed(desk).items if item.marked] == ["no_names"]
    desk.session = desk.session._replace(names=("Amarillos", "Celestes"))
    marked = [item.text for item in listed(desk).items if item.marked]
    assert marked == ["Amarillos · Celestes"]


def test_a_team_chooses_among_known_and_usual_names_before_letters() -> None:
    desk = through(with_usual_names(box()), "names", "name 0")
    assert [item.text for item in listed(desk).items[:7]] == [
        *KNOWN,
        *("Locales", "Visitantes", "Amarillos", "Celestes", "Rojos"),
    ]
    desk.do("A tantos", "A tantos")
    assert listed(desk).selected.key == "letters"


@pytest.mark.parametrize("variant", ["pata_gallo", "destantado"])
def test_three_players_choose_among_known_names(variant: str) -> None:
    desk = through(with_usual_names(box(variant)), "names")
    assert keys(desk) == ["name"] * 3
    desk.do("A quiero")
    assert keys(desk) == ["known", "known", "letters", "no_name"]


def test_two_teams_need_two_names() -> None:
    desk = box()
    desk.session = desk.session._replace(names=("La Yunta", ""))
    through(desk, "names", "name 1")
    turn_to(desk, "La Yunta")
    assert desk.view.notice is not None and desk.view.notice.key == "name_twice"
    assert chosen(desk) == ()
    assert shown(desk).title == "naming"


@pytest.mark.parametrize("spelled", [(), ("space", "space")])
def test_a_name_without_letters_is_refused(spelled: tuple[str, ...]) -> None:
    desk = through(box(), "names", "name 0", "letters")
    for entry in (*spelled, DONE):
        turn_by_hand(desk, entry)
        desk.do("A quiero")
    assert desk.view.notice is not None and desk.view.notice.key == "name_blank"
    assert chosen(desk) == ()
    assert is_open(desk)


def test_a_new_name_is_spelled_letter_by_letter() -> None:
    desk = through(box(), "names", "name 0", "letters")
    spell(desk, "AÑA")
    assert content(desk, SpellingView).text == "Aña"
    desk.do("A no_quiero")
    assert content(desk, SpellingView).text == "Añ"
    desk.do("A tantos")
    assert content(desk, SpellingView).selected == DONE
    desk.do("A quiero")
    assert chosen(desk) == (Choice(("table", "names"), ("Añ", "")),)


def test_the_ring_keeps_its_position() -> None:
    desk = through(box(), "names", "name 0", "letters")
    spell(desk, "P")
    assert content(desk, SpellingView).selected == "P"
    desk.do("A no_quiero")
    assert content(desk, SpellingView).selected == "P"


@pytest.mark.parametrize("name", ["Pibes", "Yunta", "Tauro", "Zorro", "Duros", "Ñatos", "Aguas"])
def test_five_letters_are_twenty_five_presses_at_most(name: str) -> None:
    desk = through(box(), "names", "name 0", "letters")
    presses = 0
    for entry in (*name.upper(), DONE):
        presses += turn_by_hand(desk, entry)
        assert content(desk, SpellingView).selected == entry
        desk.do("A quiero")
        presses += 1
    assert chosen(desk) == (Choice(("table", "names"), (name, "")),)
    assert presses <= 25


def test_a_held_tantos_moves_on_and_counts_nothing() -> None:
    desk = box()
    desk.do("menu hold", "B tantos hold 1.1")
    assert listed(desk).at == 6  # at once, and from 0.6 s on every 0.15 s
    desk.do("A tantos hold 0.5")
    assert (listed(desk).at, desk.lines) == (5, [])


def test_a_tantos_that_is_held_when_set_up_closes_stops() -> None:
    desk = through(box(), "names")
    desk.press_together(["B.tantos", "A.truco"], gap=0.9)
    assert (is_open(desk), desk.lines) == (False, ["A truco"])


def test_leaning_on_tantos_in_set_up_ends() -> None:
    desk = through(box(), "names", "name 0", "letters")
    desk.do("B tantos hold 60")
    assert not is_open(desk)


def test_with_no_letter_left_no_quiero_goes_back() -> None:
    desk = through(box(), "names", "name 0", "letters")
    spell(desk, "A")
    desk.do("A no_quiero", "A no_quiero")
    assert shown(desk).title == "naming"


def test_a_name_has_twelve_letters_at_most() -> None:
    desk = through(box(), "names", "name 0", "letters")
    spell(desk, "A" * (MAX_LETTERS + 3))
    assert len(content(desk, SpellingView).text) == MAX_LETTERS


def test_a_name_can_be_taken_away() -> None:
    desk = box()
    desk.session = desk.session._replace(names=("Los Pibes", ""))
    through(desk, "names", "name 0", "no_name")
    assert chosen(desk) == (Choice(("table", "names"), ("", "")),)


# ---- house rules


def test_a_house_rule_counts_from_the_next_game_on_and_says_so() -> None:
    desk = through(box(script="A tantos"), "house", "option.fold_first")
    desk.do("B tantos", "A quiero")
    assert {choice.path for choice in chosen(desk)} == {("table", "variant"), ("table", "house")}
    assert (shown(desk).title, desk.session.notice and desk.session.notice.key) == (
        "house",
        "from_next",
    )
    assert desk.current == 0


def test_a_rulebook_is_chosen_in_one_step() -> None:
    desk = through(SessionRig("uruguayan"), "house", "by_rulebook")
    assert [item.text for item in listed(desk).items[:2]] == ["GranAventura", "ReTruco"]
    desk.do("B tantos", "A quiero")
    (house,) = (choice.value for choice in chosen(desk) if choice.path == ("table", "house"))
    assert house == dict(find_rulebook("granaventura").options)


def test_set_up_names_the_rulebook_of_the_house() -> None:
    rules = find_rulebook("granaventura").rules(find_variant("uruguayan"))
    differing = rules_for(rules.variant, {**dict(rules.chosen), "target": 30})
    for house, told in ((rules, "GranAventura"), (differing, "GranAventura +1")):
        desk = SessionRig("uruguayan")
        desk.session = desk.session._replace(box=BoxSettings(rules=house))
        assert listed(through(desk, "house")).items[0].figure == told
    assert listed(through(SessionRig("uruguayan"), "house")).items[0].value == "setup.own_rules"


def test_a_number_of_the_house_goes_up_with_a_and_stops_at_its_ends() -> None:
    desk = through(box(), "house", "option.best_of")
    desk.do("B tantos")
    assert shown(desk).content == OptionNumberView(1, "REN")
    desk.do("A tantos", "A quiero")
    assert Choice(("table", "house"), {"best_of": 3}) in chosen(desk)


def test_the_next_game_is_played_by_the_rules_of_the_house() -> None:
    desk = SessionRig("argentine", {"target": 1})
    house = through(SessionRig("argentine", {"target": 2}), "house").session.rules
    desk.session = desk.session._replace(box=BoxSettings(rules=house))
    desk.do("A tantos", "wait 6", "A quiero", "B quiero")
    assert (desk.current, desk.game.rules.target, desk.game.mano) == (1, 2, Side.B)


def test_the_rule_card_is_read_page_by_page_and_writes_nothing() -> None:
    desk = through(box(), "card")
    first = content(desk, CardPage)
    assert first is not None and first.number == 1
    desk.do("B tantos")
    second = content(desk, CardPage)
    assert second is not None and second.number == 2
    desk.do("A tantos", "A tantos")
    assert content(desk, CardPage) == first
    desk.do("A no_quiero")
    assert (shown(desk).title, desk.lines) == ("setup", [])


# ---- a new game


def test_a_new_game_is_put_together_and_begins_with_all_of_it() -> None:
    desk = through(box(script="A tantos"), "new_game", "variant")
    turn_to(desk, "Truco paulista")
    select(desk, "option.target")
    desk.do("A tantos", "A quiero")
    select(desk, "mano")
    select(desk, "side", 1)
    select(desk, "start")
    assert content(desk, EachNumberView).values == (1, 0), "the score of the running game"
    desk.do("A tantos", "A quiero", "A quiero")
    select(desk, "name", 0)
    turn_to(desk, "Los Pibes")
    assert desk.current == 0
    select(desk, "play")
    desk.do("A quiero")
    assert desk.do("B quiero").source == "menu"
    game = desk.game
    assert (game.rules.variant.id, game.rules.target, game.mano) == ("paulista", 13, Side.B)
    assert (game.score, desk.session.names, is_open(desk)) == ((2, 0), ("Los Pibes", ""), False)
    assert chosen(desk) == (
        Choice(("table", "variant"), "paulista"),
        Choice(("table", "house"), {"target": 13}),
        Choice(("table", "names"), ("Los Pibes", "")),
    )


def test_a_game_like_this_one_keeps_nothing_new() -> None:
    desk = through(box(script="A tantos"), "new_game", "play")
    desk.do("A quiero", "B quiero")
    assert (desk.current, chosen(desk)) == (1, ())


def test_piles_that_hold_more_than_there_is_cannot_be_begun_with() -> None:
    desk = through(box("destantado", settings_with(count=3)), "new_game", "start")
    desk.do(*("A tantos",) * 25, "A quiero", "A quiero", "A quiero")
    assert shown(desk).title == "new_game"
    select(desk, "play")
    desk.do("A quiero", "B quiero", "C quiero")
    assert desk.view.notice is not None and desk.view.notice.key == "start_impossible"
    assert (desk.current, is_open(desk)) == (0, True)


def test_a_lower_target_takes_the_start_with_it() -> None:
    desk = through(box(), "new_game", "start")
    desk.do(*("A tantos",) * 20, "A quiero", "A quiero")
    select(desk, "option.target")
    desk.do(*("B tantos",) * 15, "A quiero")
    items = {str(item.key): item for item in listed(desk).items}
    assert items["option.target"].figure == "15"
    assert _line(desk, "start") == (0, 0)


def _line(desk: SessionRig, key: str) -> tuple[int, ...]:
    level = desk.session.setup.level if desk.session.setup else None
    assert isinstance(level, ListLevel)
    return next(line.scores for line in level.lines if line.key == key)


@pytest.mark.parametrize("variant", variant_ids())
def test_every_variant_can_be_put_together_and_begun(variant: str) -> None:
    from scorer.rules import find_variant

    desk = through(box(script="A tantos"), "new_game", "variant")
    turn_to(desk, find_variant(variant).title)
    select(desk, "play")
    desk.do("A quiero", "B quiero")
    assert (desk.current, desk.game.rules.variant.id) == (1, variant)


# ---- self-test, night


def test_the_self_test_and_the_night_are_asked_for_and_not_done_here() -> None:
    desk = through(box(), "selftest")
    assert [each.effects for each in desk.reactions].count((Task.SELFTEST,)) == 1
    assert is_open(desk)
    desk = through(box(), "clear_night")
    assert content(desk, AgreementView).missing == (0, 1)
    desk.do("A quiero")
    assert not any(each.stored_effects for each in desk.reactions)
    desk.do("B quiero")
    assert desk.reactions[-1].stored_effects == (ClearNight(is_over=False),)


def test_a_call_closes_it_at_any_depth_and_counts() -> None:
    for path in (("names", "name 0", "letters"), ("new_game", "start"), ("card",), ("house",)):
        desk = through(box(), *path)
        assert desk.do("A truco").verdict is Verdict.ACCEPTED
        assert (is_open(desk), desk.lines) == (False, ["A truco"])


def test_left_alone_it_closes_and_nothing_is_kept() -> None:
    desk = through(box(), "names", "name 0", "letters")
    spell(desk, "A")
    desk.do("wait 30")
    assert (is_open(desk), desk.lines, desk.view.screen) == (False, [], Screen.PLAYING)


# ---- laws

STORM = ("A quiero", "A quiero", "B quiero", "A no_quiero", "A tantos", "B tantos", "B tantos")
LISTS = (
    *("new_game", "house", "card", "names", "language", "light", "layout", "clear_night"),
    *("fouls", "correct", "end", "back"),
)


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("variant", "layout", "consoles"),
    [
        ("argentine_flor", Layout.FULL, 2),
        ("paulista", Layout.COMPACT, 2),
        ("venezuelan", Layout.FULL, 2),
        ("pata_gallo", Layout.FULL, 2),
        ("destantado", Layout.FULL, 3),
    ],
)
def test_a_storm_in_it_raises_nothing_and_every_frame_fits(
    variant: str, layout: Layout, consoles: int
) -> None:
    rng = random.Random(variant)
    desk = box(variant, settings_with(layout=layout, count=consoles))
    seen = {}
    opens = "menu hold" if layout is Layout.FULL else "undo hold"
    # Rule cards are paged for the lowest panel.
    desk.session = desk.session._replace(box=desk.session.box._replace(card_lines=3))
    for at in range(amount(12, 24)):
        # Unlock directly if the storm has locked the table.
        desk.session = desk.session._replace(locked=False)
        while not is_open(desk):
            desk.do(opens)
        if isinstance(shown(desk).content, LastHandsView):
            held = "A quiero hold" if desk.game.rules.bids else "A envido"
            desk.do("A no_quiero" if layout is Layout.FULL else held)
        for _ in range(30):
            item = listed(desk).selected
            if item.key == LISTS[at % len(LISTS)]:
                desk.do("A quiero")
                break
            desk.do("B tantos")
        for press in rng.choices(STORM, k=14):
            if is_open(desk):
                seen[desk.view.setup] = desk.view
            desk.do(press if layout is Layout.FULL or "no_" not in press else "A quiero hold")
        desk.do(*(["undo"] if is_open(desk) else []))
        assert desk.replay_journal().game == desk.game
    assert len(seen) > 30
    for turn, view in enumerate(seen.values()):
        cases = product(languages(), ((128, 64), (128, 32)), range(len(view.sides)))
        for language, size, mine in sample(cases, 3, turn=turn):
            assert draw_view(view, language, size, mine).overflow == [], language


def test_a_reaction_that_only_chooses_stores_nothing_in_the_journal() -> None:
    desk = through(box(), "language")
    assert keys(desk)
    desk.do("B tantos", "A quiero")
    kept = [each for each in desk.reactions if each.choices]
    assert len(kept) == 1 and isinstance(kept[0], Reaction) and not kept[0].must_store
