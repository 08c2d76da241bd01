"""Rule cards: numbers equal the rules, words exist, and lines fit."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from scorer import cli
from scorer.display.oled import rule_card as panel
from scorer.i18n import Say, languages, sentences, translator
from scorer.rulecards.card_page import CardRow
from scorer.rulecards.content import (
    RULE_SOURCES,
    BetLine,
    RuleCard,
    Worth,
    card_of,
    document,
    pages,
)
from scorer.rulecards.content.pages import shorten_chain
from scorer.rulecards.content.questions import questions_of
from scorer.rulecards.markdown import variants_page
from scorer.rulecards.text import COLUMNS, card_text, list_text
from scorer.rules import (
    Action,
    Game,
    HandKind,
    Rules,
    Side,
    Start,
    Step,
    Variant,
    apply,
    common_tables,
    find_variant,
    legal,
    new_game,
    phase_of,
    rules_for,
    state_document,
    variant_ids,
)
from scorer.rules.flor import EVERY_RAISE
from scorer.rules.options import Value, value_text
from scorer.rules.seating import Seats
from tests.paths import ROOT
from tests.sampling import sample

PANELS = ((21, 6), (25, 6), (21, 3))  # columns, lines
NUMBERS = {
    "target": (1, 2, 9, 12, 15, 31, 99),
    "best_of": (3,),
    "pica_from": (0,),
    "pica_until": (15, 25),
}


def values_of(variant: Variant) -> Iterator[tuple[str, Value]]:
    """Every value of every option; samples for numbers, including odd ones."""
    for option in variant.options:
        for value in option.choices or NUMBERS[option.key]:
            yield option.key, value


FEW = 12  # games of a variant in a sample


@cache
def games_of(name: str) -> tuple[Rules, ...]:
    """The rules of a variant by default, with each value of each option, with flor."""
    variant = find_variant(name)
    games = [rules_for(variant), *(rules_for(variant, {k: v}) for k, v in values_of(variant))]
    if variant.option("flor") is not None:
        with_flor = ({"flor": True, key: value} for key, value in values_of(variant))
        games += [rules_for(variant, chosen) for chosen in with_flor]
    return tuple(dict.fromkeys(games))


@cache
def cards_of(name: str) -> tuple[RuleCard, ...]:
    return tuple(card_of(rules) for rules in games_of(name))


def games_and_cards(name: str) -> list[tuple[Rules, RuleCard]]:
    """A sample of the rules of a variant, with their cards."""
    return sample(zip(games_of(name), cards_of(name), strict=True), FEW)


every_variant = pytest.mark.parametrize("name", variant_ids())
every_language = pytest.mark.parametrize("language", languages())


def strict(language: str, asked: set[str] | None = None) -> Say:
    """Messages of the catalogue; a missing message or an unfilled field is an error."""
    plain = translator(language)

    def say(key: str, **fields: object) -> str:
        if asked is not None:
            asked.add(key)
        text = plain(key, **fields)
        assert text != key, key
        # Distinct markers show which fields a text uses.
        marked = plain(key, **{name: f"<{name}>" for name in fields})
        assert all(f"<{name}>" in marked or name in _SPARE for name in fields), (key, fields)
        return text

    return say


_SPARE = {"second", "points"}  # optional fields of sentences


def callers(rules: Rules) -> tuple[Side, Side]:
    """The side that calls first on a card, and its rival."""
    # The pair may have two flores.
    first, second = rules.speaking_sides[:2]
    return (second, first) if rules.seating.has_gallo else (first, second)


# The card agrees with the rules. The steps are played again from the words on the card.


def step_of(rules: Rules, words: str, side: Side, group: Callable[[Action], bool]) -> Step:
    """The spoken call ``words`` as a step with its number."""
    amount = next((int(word) for word in words.split() if word.isdigit()), None)
    plain = " ".join(word for word in words.split() if not word.isdigit())
    found = [a for a in Action if group(a) and rules.variant.word(a) == plain]
    assert len(found) == 1, (words, found)
    return Step(side, found[0], amount)


def in_turns(
    rules: Rules, line: BetLine, group: Callable[[Action], bool], at: int = 0
) -> list[Step]:
    return [
        step_of(rules, words, callers(rules)[(at + n) % 2], group)
        for n, words in enumerate(line.calls)
    ]


def say_all(game: Game, word: Action) -> Game:
    """Let every side that owes an answer give ``word``."""
    while phase_of(game).startswith("pending"):
        game = apply(game, next(step for step in legal(game) if step.action is word))
    return game


def gained(before: Game, after: Game) -> int:
    """The largest gain of a side; where piles only shrink, the points they lost."""
    if duels := after.hand.duels:
        paid = [credit.points for duel in duels for credit in duel]
        return max(paid, default=0)
    changes = [b - a for a, b in zip(before.score, after.score, strict=True)]
    return max(changes) if max(changes) > 0 else -min(changes)


def check(rules: Rules, called: Game, line: BetLine, won: Action, refusing: Action) -> None:
    """Accepted and won by the first speaking side, and refused: both as on the card."""
    if line.accepted is not None:
        wanted = say_all(called, Action.QUIERO)
        taken = apply(wanted, Step(callers(rules)[0], won))
        assert gained(called, taken) == line.accepted.points, (line, rules.chosen)
    if line.refused is not None:
        unwanted = say_all(called, refusing)
        assert gained(called, unwanted) == line.refused.points, (line, rules.chosen)


def said_of(rules: Rules, called: Game, worth: Worth | None, answer: str) -> None:
    """The state document gives the same value for the pending call."""
    pending = state_document(called)["pending"]
    told = pending[answer]
    if isinstance(told, dict):
        told = told[callers(rules)[0]]
    # In destantado the document has the stake, the card what a pile can still give.
    if worth is not None and told != "game" and rules.variant.seats is not Seats.ALONE:
        assert told == worth.points, (worth, pending, rules.chosen)


def bids_of(rules: Rules) -> Callable[[Action], bool]:
    return lambda action: action in {bid.action for bid in rules.bids}


def rungs_of(rules: Rules) -> Callable[[Action], bool]:
    return lambda action: action in {rung.action for rung in rules.ladder}


@pytest.mark.sampled(1)
@every_variant
def test_the_ladder_on_the_card_is_what_the_calls_pay(name: str) -> None:
    for rules, card in games_and_cards(name):
        game = new_game(Start(rules))
        for at, line in enumerate(card.ladder):
            game = apply(game, *in_turns(rules, line, rungs_of(rules), at))
            check(rules, game, line, Action.HAND_WON, Action.NO_QUIERO)
            said_of(rules, game, line.accepted, "quiero")
            said_of(rules, game, line.refused, "no_quiero")


@pytest.mark.sampled(1)
@every_variant
def test_the_envido_on_the_card_is_what_the_chains_pay(name: str) -> None:
    for rules, card in games_and_cards(name):
        for lines, kind in ((card.envido, None), (card.duel_envido, HandKind.PICA)):
            for line in lines:
                game = new_game(Start(rules, kind=kind))
                for step in in_turns(rules, line, bids_of(rules)):
                    game = apply(game, step)
                check(rules, game, line, Action.ENVIDO_WON, Action.NO_QUIERO)
                said_of(rules, game, line.accepted, "quiero")
                said_of(rules, game, line.refused, "no_quiero")


# Note of a line -> flores of the first side and of the other.
SUNG = {
    "alone": (1, 0),
    "both": (1, 1),
    "two_alone": (2, 0),
    "two_both": (2, 1),
    "all_four": (2, 2),
    "": (1, 0),
    "two": (2, 0),
}


def sung(rules: Rules, own: int, rivals: int) -> Game:
    game = new_game(Start(rules))
    for side, count in zip(callers(rules), (own, rivals), strict=True):
        for _ in range(count):
            game = apply(game, Step(side, Action.FLOR))
    return game


@pytest.mark.sampled(1)
@every_variant
def test_the_flor_on_the_card_is_what_the_calls_pay(name: str) -> None:
    for rules, card in games_and_cards(name):
        for line in card.flor:
            own, rivals = SUNG[line.note]
            if line.note in ("", "two"):
                _raised(rules, line, own)
                continue
            told = sung(rules, own, rivals)
            caller, rival = callers(rules)
            end = Step(caller, Action.FLOR_WON) if rivals else Step(rival, Action.NO_FLOR)
            assert line.accepted is not None
            assert gained(told, apply(told, end)) == line.accepted.points, (line, rules.chosen)
            if line.refused is not None:
                small = apply(sung(rules, own, 0), Step(rival, Action.ME_ACHICO))
                assert gained(told, small) == line.refused.points, (line, rules.chosen)


def _raised(rules: Rules, line: BetLine, own: int) -> None:
    bets = rules.flor == "open"  # flores bet after both sides announced
    game = sung(rules, own, 1 if bets else 0)
    group = EVERY_RAISE.__contains__
    for step in in_turns(rules, line, group, 0 if bets else 1):
        game = apply(game, step)
    check(rules, game, line, Action.FLOR_WON, Action.NO_QUIERO)


@pytest.mark.sampled(2)
@every_variant
def test_the_falta_at_two_scores_is_what_it_pays_there(name: str) -> None:
    for rules, card in games_and_cards(name):
        falta = next((bid.action for bid in rules.bids if bid.adds == 0), None)
        for example in card.examples:
            assert falta is not None
            game = new_game(Start(rules, example.scores))
            called = apply(game, Step(rules.scoring_sides[0], falta))
            wanted = apply(called, Step(rules.scoring_sides[1], Action.QUIERO))
            for side, points in zip(rules.scoring_sides, example.pays, strict=True):
                won = apply(wanted, Step(side, Action.ENVIDO_WON))
                assert gained(game, won) == points, (example, rules.chosen)


# The numbers printed in the rulebooks; the tests above would not detect a wrong engine.


def table(lines: tuple[BetLine, ...]) -> dict[str, tuple[int, int]]:
    return {
        ", ".join(line.calls): (line.accepted.points, line.refused.points)
        for line in lines
        if line.accepted is not None and line.refused is not None
    }


def default(name: str, **options: Value) -> RuleCard:
    return card_of(rules_for(find_variant(name), options))


def test_the_argentine_envido_is_the_table_of_the_rulebook() -> None:
    assert table(default("argentine").envido) == {
        "envido": (2, 1),
        "real envido": (3, 1),
        "falta envido": (30, 1),
        "envido, envido": (4, 2),
        "envido, real envido": (5, 2),
        "envido, falta envido": (30, 2),
        "real envido, falta envido": (30, 3),
        "envido, envido, real envido": (7, 4),
        "envido, envido, falta envido": (30, 4),
        "envido, real envido, falta envido": (30, 5),
        "envido, envido, real envido, falta envido": (30, 7),
    }


@pytest.mark.parametrize(
    ("name", "ladder"),
    [
        ("argentine", [(2, 1), (3, 2), (4, 3)]),
        ("venezuelan", [(3, 1), (6, 3), (9, 6), (24, 9)]),
        ("paulista", [(3, 1), (6, 3), (9, 6), (12, 9)]),
        ("mineiro", [(4, 2), (6, 4), (10, 6), (12, 10)]),
        ("valencian", [(2, 1), (3, 2), (4, 3), (18, 4)]),
        ("destantado", [(2, 1), (3, 2), (4, 3)]),
    ],
)
def test_the_ladder_is_the_table_of_the_rulebook(name: str, ladder: list[tuple[int, int]]) -> None:
    assert list(table(default(name).ladder).values()) == ladder


def test_other_options_show_other_numbers() -> None:
    assert table(default("argentine", target=18).envido)["falta envido"] == (18, 1)
    assert table(default("argentine_flor", contraflor_refused=4).flor)["contraflor"] == (6, 4)
    assert table(default("mineiro", mineiro_ladder="2-4-8-10-12").ladder)["seis"] == (8, 4)


def test_numbers_written_in_texts_are_those_of_the_rules() -> None:
    def both(pays: str) -> int:
        lines = default("argentine_flor", flor_vs_flor=pays).flor
        return next(x.accepted.points for x in lines if x.note == "both" and x.accepted)

    assert [both(pays) for pays in ("own", "four", "six")] == [3, 4, 6]
    assert table(default("argentine", falta="fixed").envido)["falta envido"] == (6, 1)
    resto = table(default("argentine_flor", resto="leader_plus_contraflor").flor)
    assert resto["contraflor al resto"][0] == 30 + resto["contraflor"][0] == 30 + 6


# Words.


@pytest.mark.sampled
@every_variant
@every_language
def test_every_card_finds_its_words_in_every_language(name: str, language: str) -> None:
    say = strict(language)
    for card in sample(cards_of(name), 2, turn=languages().index(language)):
        text = card_text(card, say)
        assert not re.search(r"[{}]|\bNone\b|\b(card|option|source)\.\w", text), text
        assert [line for line in text.splitlines() if len(line) > COLUMNS] == []
        assert [line for line in text.splitlines() if line != line.rstrip()] == []
        for option in find_variant(name).options:
            assert f"\n  {option.key} = " in text, option.key


@every_language
def test_the_list_names_every_variant_and_fits(language: str) -> None:
    text = list_text([cards_of(name)[0] for name in variant_ids()], strict(language))
    assert [line for line in text.splitlines() if len(line) > COLUMNS] == []
    for name in variant_ids():
        assert f"{find_variant(name).title}\n" in text
        assert re.search(rf"^{name} ", text, re.MULTILINE)


@pytest.mark.sampled(3)
@every_variant
def test_the_chosen_value_is_marked_and_a_different_default_is_named(name: str) -> None:
    say = strict("es")
    for rules, card in zip(games_of(name), cards_of(name), strict=True):
        text = card_text(card, say)
        for key, value in rules.chosen:
            assert f"\n  {key} = {value_text(value)}: " in text
        words = " ".join(text.split())
        # A number of duels that follows the players may be chosen, too.
        differing = [line for line in card.options if line.chosen != line.default]
        assert words.count("de fábrica: ") == len(differing)
        assert {line.key for line in differing} >= {
            key for key, value in rules.chosen if (key, value) != ("duels", 3)
        }


@pytest.mark.sampled(0)
def test_every_text_of_the_cards_is_used() -> None:
    asked = set[str]()
    say = strict("en", asked)
    for name in variant_ids():
        for card in cards_of(name):
            card_text(card, say)
            for columns, lines in PANELS:
                for page in pages(card, columns, lines):
                    panel.title(page, say)
                    for row in page.rows:
                        panel.row_text(row, columns, say)
    assert sentences("en", "card.", "option.", "source.").keys() - asked == set()


# Panels.


@pytest.mark.sampled
@every_variant
@every_language
def test_every_row_of_every_page_fits_on_a_panel(name: str, language: str) -> None:
    say = strict(language)
    for card in sample(cards_of(name), 2, turn=languages().index(language)):
        for columns, lines in PANELS:
            for page in pages(card, columns, lines):
                assert len(page.rows) < lines
                assert len(panel.title(page, say)) <= columns, panel.title(page, say)
                for row in page.rows:
                    left, right = panel.row_text(row, columns, say)
                    assert len(left) + bool(left and right) + len(right) <= columns, (left, right)


@pytest.mark.parametrize(("columns", "right"), [(30, "la falta 1/28"), (18, "1/28")])
def test_the_word_of_a_number_precedes_it_if_there_is_room(columns: int, right: str) -> None:
    row = CardRow(words="falta envido", numbers=(1, 28), ways=("", "falta"))
    assert panel.row_text(row, columns, strict("es-AR")) == ("falta envido", right)


@every_variant
def test_the_pages_hold_every_bet_and_every_option(name: str) -> None:
    card = cards_of(name)[0]
    for columns, lines in PANELS:
        found = pages(card, columns, lines)
        assert [page.number for page in found] == list(range(1, len(found) + 1))
        assert {page.total for page in found} == {len(found)}
        rows = [row for page in found for row in page.rows]
        keys = {row.key for row in rows}
        assert {f"option.{option.key}" for option in find_variant(name).options} <= keys
        bets = (*card.ladder, *card.envido, *card.duel_envido, *card.flor)
        shown = [row.numbers for row in rows if row.words and row.numbers]
        told = [
            tuple(worth.points for worth in (line.accepted, line.refused) if worth) for line in bets
        ]
        assert sorted(shown) == sorted(told)


def test_a_name_and_its_value_are_on_one_page() -> None:
    for name in variant_ids():
        for columns, lines in PANELS:
            for page in pages(cards_of(name)[0], columns, lines):
                first, last = page.rows[0], page.rows[-1]
                assert first.key or first.words, "a value without its name"
                assert last.words or last.numbers or last.value, "a name without its value"


@pytest.mark.parametrize(
    ("room", "text"),
    [
        (40, "contraflor contraflor al resto"),
        (21, "C contraflor al resto"),
        (15, "C CA resto"),
        (6, "C CAR"),
    ],
)
def test_a_chain_keeps_as_many_words_as_there_is_room_for(room: int, text: str) -> None:
    assert shorten_chain(("contraflor", "contraflor al resto"), room) == text


def test_a_page_without_room_is_an_error() -> None:
    card = cards_of("argentine")[0]
    for columns, lines in ((21, 2), (17, 6)):
        with pytest.raises(ValueError, match="no room"):
            pages(card, columns, lines)


# Sources and footnotes.


@pytest.mark.parametrize("name", variant_ids())
def test_every_variant_cites_a_source_for_its_target(name: str) -> None:
    (target,) = (each for each in cards_of(name)[0].options if each.key == "target")
    (played,) = (each for each in target.choices if each.value == target.default)
    assert played.sources, (
        f"name who plays {name}, and what: scorer/rulecards/content/sources.py, _VARIANT_CITATIONS"
    )


def test_every_citation_is_of_a_book_and_every_book_is_cited() -> None:
    cited = {
        source.split()[0]
        for name in variant_ids()
        for option in cards_of(name)[0].options
        for choice in option.choices
        for source in choice.sources
    }
    codes = [each.code for each in RULE_SOURCES]
    assert len(codes) == len(set(codes))
    assert cited == set(codes)


# Options that are one object in several variants cite one book for all of them.
SHARED = (
    common_tables.BEST_OF,
    common_tables.FINISH,
    common_tables.BUENAS,
    common_tables.HALF_INCLUSIVE,
    common_tables.ENVIDO_REFUSED,
    common_tables.REAL_ENVIDO_AGAIN,
    common_tables.FALTA_FLOOR,
    common_tables.RESTO_FLOOR,
    common_tables.NO_USELESS_RAISE,
)


@every_variant
def test_the_book_that_the_variant_names_first_for_an_option_stands_on_its_card(name: str) -> None:
    codes = {each.code for each in RULE_SOURCES}
    for option, line in zip(find_variant(name).options, cards_of(name)[0].options, strict=True):
        if option in SHARED:
            continue
        first = re.match(r"\w+", option.source)
        told = {source.split()[0] for choice in line.choices for source in choice.sources}
        if first is not None and first.group() in codes:
            assert first.group() in told, (option.key, option.source, sorted(told))


@every_variant
def test_a_footnote_names_an_option_of_its_variant(name: str) -> None:
    keys = {option.key for option in find_variant(name).options}
    for rules in games_of(name):
        for question in questions_of(rules):
            assert question.option is None or question.option in keys


def test_open_questions_are_on_every_card_they_concern() -> None:
    def asked(name: str, **options: Value) -> set[str]:
        return {question.key for question in default(name, **options).questions}

    assert {"mao_truco", "third_rung", "mao_run"} <= asked("mineiro")
    assert {"fold_first", "tied", "contraflor_refused", "resto"} <= asked("gaucho")
    assert {"plain_hand", "raise_refused"} <= asked("destantado")
    assert {"pica_until", "pica_add", "pica_cap"} <= asked("pica_pica")
    assert {"flor_vs_flor", "con_flor_envido", "fold_first"} <= asked("uruguayan")
    assert "no_half" in asked("argentine", target=15)
    assert "no_half" not in asked("argentine")
    assert "no_half" not in asked("argentine", target=15, falta="match")
    assert "flor_vs_flor" not in asked("pica_pica")


# JSON, the page and the command.


@pytest.mark.sampled(1)
@every_variant
def test_a_card_survives_json_and_names_its_options(name: str) -> None:
    for card in cards_of(name):
        plain = document(card)
        read = json.loads(json.dumps(plain))
        assert read == plain
        assert card_of(rules_for(find_variant(read["variant"]), read["chosen"])) == card


def test_the_page_in_docs_equals_the_generated_one() -> None:
    cards = [cards_of(name)[0] for name in variant_ids()]
    page = (ROOT / "docs" / "players" / "variants.md").read_text(encoding="utf-8")
    assert page == variants_page(cards, translator("en")), "run  make cards  and read it"


def test_the_command_prints_the_list_a_card_all_of_them_and_json(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main(["variants", "--language", "es"]) == 0
    assert "Truco uruguayo" in capsys.readouterr().out
    chosen = ["variants", "argentine", "--language", "pt", "--options", "target=18 falta=match"]
    assert cli.main(chosen) == 0
    text = capsys.readouterr().out
    assert "vai a 18: 9 malas e 9 boas" in text
    assert "falta = match" in text
    assert cli.main(["variants", "--all", "--language", "en"]) == 0
    assert capsys.readouterr().out.count("WHAT THE TABLE CHOOSES") == len(variant_ids())
    assert cli.main(["variants", "mineiro", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["base"] == 2
    assert cli.main(["variants", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == len(variant_ids())


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["argentin"], "did you mean 'argentine'?"),
        (["paulista", "--options", "falta=match"], "paulista has no option 'falta'"),
        (["argentine", "--options", "target=300"], "a number from 1 to 99"),
        (["argentine", "--options", "target"], "a number from 1 to 99"),
        (["--options", "target=3"], "belong to one variant"),
    ],
)
def test_a_wrong_word_prints_an_error_and_exits_with_two(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["variants", *words]) == 2
    captured = capsys.readouterr()
    assert told in captured.err
    assert captured.out == ""


def test_the_language_is_that_of_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.delenv("LC_MESSAGES", raising=False)
    monkeypatch.setenv("LANG", "pt_BR.UTF-8")
    assert cli.main(["variants", "paulista"]) == 0
    assert "baralho francês" in capsys.readouterr().out


def test_a_wrong_house_rule_error_lists_allowed_values_and_the_card(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "scorer.toml"
    file.write_text('[table]\nvariant = "gaucho"\n[table.house]\ntied = "nobody"\n', "utf-8")
    assert cli.main(["check", str(file)]) == 1
    told = capsys.readouterr().out
    assert "choose one of mano, none" in told
    assert "scorer variants gaucho" in told
