"""Variants of an owner are validated, played, and stored with their games."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorer.commands import check, perft, replay, variants
from scorer.config import owner_variants
from scorer.config.sources import resolve, save_choices
from scorer.demo import command
from scorer.rules import (
    Action,
    Refusal,
    RulesError,
    Side,
    Start,
    Step,
    apply,
    attempt,
    find_variant,
    header_text,
    new_game,
    parse_step,
    read_header,
    registry,
    rules_for,
    tags_of,
    variant_ids,
)
from scorer.rules.playable import find_unplayable
from scorer.session.setup.house_rules_menu import variants_level
from scorer.session.setup.levels import Link
from scorer.session.values.game_draft import variant_rules
from scorer.session.values.settings import Settings
from tests.paths import ROOT
from tests.session.rig import SessionRig
from tests.support.fake_settings import FakeSettings

PAMPA = """
based_on = "argentine"
title = "Truco pampeano"
target = 20
half = false
hand = 1
players = [2, 4]

[[ladder]]
call = "truco"
value = 2
[[ladder]]
call = "retruco"
value = 4
word = "quiero más"
[[ladder]]
call = "vale_juego"
value = "game"
word = "vale todo"

[[envido]]
call = "envido"
adds = 3
times = 2
[[envido]]
call = "falta_envido"
adds = "falta"

[options]
falta = "match"

[words]
fold = "me voy"
"""


@pytest.fixture(autouse=True)
def no_owner_variants_are_left() -> Iterator[None]:
    yield
    registry.set_owner_variants(())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    written = tmp_path / "variants"
    written.mkdir()
    (written / "pampa.toml").write_text(PAMPA, encoding="utf-8")
    return written


def problems(folder: Path, text: str) -> list[str]:
    """What is wrong with a file, as ``scorer check`` prints it, without the folder."""
    (folder / "wrong.toml").write_text(text, encoding="utf-8")
    found = owner_variants.load(folder)
    assert [variant.id for variant in found.variants] == ["pampa"], "the other file works"
    return [str(each).removeprefix(f"{folder}/") for each in found.problems]


# --- what may be written -------------------------------------------------------------------------


def test_a_variant_differs_from_its_base_in_what_is_written(folder: Path) -> None:
    owner_variants.install(folder)
    pampa, argentine = find_variant("pampa"), find_variant("argentine")
    rules = rules_for(pampa)
    assert (pampa.title, pampa.players, rules.target, rules.half) == (
        "Truco pampeano",
        (2, 4),
        20,
        None,
    )
    assert [(rung.action, rung.value) for rung in rules.ladder] == [
        ("truco", 2),
        ("retruco", 4),
        ("vale_juego", -1),
    ]
    assert [(bid.action, bid.adds, bid.times) for bid in rules.bids] == [
        ("envido", 3, 2),
        ("falta_envido", 0, 1),
    ]
    kept = [option.key for option in argentine.options if option.key != "real_envido_again"]
    assert [option.key for option in pampa.options] == kept
    own = {"retruco": "quiero más", "fold": "me voy", "vale_juego": "vale todo"}
    assert dict(pampa.words) == {str(action): word for action, word in argentine.words} | own


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", ["wrong.toml: based_on: is missing: write based_on = \"argentine\", or another "
              "variant", "wrong.toml: title: is missing: the name that panels and menus show"]),
        ('based_on = "argentin"\ntitle = "x"',
         ["wrong.toml:1: based_on: no variant 'argentin' of this program; did you mean "
          "'argentine'?"]),
        ('based_on = "pampa"\ntitle = "x"',
         ["wrong.toml:1: based_on: no variant 'pampa' of this program; known are "
          f"{', '.join(sorted(registry.built_in_ids()))}"]),
        ('based_on = "argentine"\ntitle = 1\nplayers = [3]\n[[ladder]]\ncall = "truco"\n'
         'value = true\n[[envido]]\ncall = "envido"\nadds = "falta"\nopens = false',
         ["wrong.toml:2: title: wants a text, not 1",
          "wrong.toml:3: players: wants some of 2, 4, 6, as argentine is played",
          "wrong.toml:6: ladder.0.value: wants one value, not True",
          "wrong.toml:10: envido.0.opens: the first call of an envido opens it"]),
        ('based_on = "argentine"\ntitle = "x"\ntarjet = 20',
         ["wrong.toml:3: tarjet: no such key; did you mean 'target'?"]),
        ('based_on = "argentine"\ntitle = "x"\ntarget = 100',
         ["wrong.toml:3: target: a number from 1 to 99"]),
        ('based_on = "argentine"\ntitle = "x"\n[options]\nfalta = "mach"',
         ["wrong.toml:4: options.falta: choose one of malas_match, leader_to_target, "
          "loser_to_target, leader_half, loser_half, winner_half, match, fixed; did you mean "
          "'match'?"]),
        ('based_on = "argentine"\ntitle = "x"\n[words]\nquero = "quero"',
         ["wrong.toml:4: words.quero: no such key; did you mean 'quiero'?"]),
        ('based_on = "argentine"\ntitle = "x"\n[[ladder]]\ncall = "truko"\nvalue = 2',
         ["wrong.toml:4: ladder.0.call: no call 'truko' here; did you mean 'truco'?"]),
        ('based_on = "argentine"\ntitle = "x"\n[[ladder]]\ncall = "truco"\nvalue = 3\n'
         '[[ladder]]\ncall = "retruco"\nvalue = 3',
         ['wrong.toml:8: ladder.1.value: wants a number from 4 to 99, or "game"']),
        ('based_on = "argentine"\ntitle = "x"\n[[envido]]\ncall = "envido"\nadds = 2',
         ['wrong.toml:5: envido.0.adds: the last call, and no other, adds = "falta"']),
        ('based_on = "paulista"\ntitle = "x"\n[[envido]]\ncall = "envido"\nadds = "falta"',
         ["wrong.toml:3: envido: paulista has no envido; base the variant on one that has"]),
        ('based_on = "argentine"\ntitle = "x"\nhand = 2',
         ["wrong.toml:3: hand: is worth as much as a hand with truco; write a ladder, too"]),
        ('based_on = "argentine"\ntitle = "x"\ntarget = 20\n[options]\ntarget = 30',
         ["wrong.toml:3: target: is written twice"]),
        ('based_on = ["argentine"]\ntitle = "\\u00ad"',
         ["wrong.toml:1: based_on: wants a text, not a list",
          "wrong.toml:2: title: '\\xad' is not a text of one line, of 1 to 24 characters"]),
        ("based_on = ", ["wrong.toml:1: this is no TOML: invalid value"]),
    ],
)  # fmt: skip
def test_a_problem_is_reported_with_its_line_and_the_nearest_word(
    folder: Path, text: str, told: list[str]
) -> None:
    assert problems(folder, text) == told


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("argentine", "'argentine' is a variant of this program; give the file another name"),
        ("Mi Truco", "name the file as the variant's id: small letters, digits and _, 30 at most"),
    ],
)
def test_a_file_may_not_have_the_name_of_a_built_in_variant(
    folder: Path, name: str, told: str
) -> None:
    (folder / f"{name}.toml").write_text(PAMPA, encoding="utf-8")
    found = owner_variants.install(folder)
    assert [str(each) for each in found.problems] == [f"{folder / name}.toml: {told}"]
    assert find_variant("argentine").title == "Truco argentino"
    with pytest.raises(RulesError, match="'argentine' is a variant of this program"):
        registry.set_owner_variants([find_variant("argentine")])


def test_a_definition_is_as_long_as_a_line_of_a_sheet_can_hold(folder: Path) -> None:
    words = "\n".join(f'{action} = "{"ñ" * 21}"' for action, _ in find_variant("gaucho").words)
    rungs = "".join(
        f'[[ladder]]\ncall = "{call}"\nvalue = {at + 2}\nword = "{"ñ" * 21}"\n'
        for at, call in enumerate("truco retruco seis nove dez doze truc retruc".split())
    )
    text = f'based_on = "gaucho"\ntitle = "x"\nsource = "{"ñ" * 200}"\n{rungs}[words]\n{words}\n'
    (folder / "long.toml").write_text(text, encoding="utf-8")
    owner_variants.install(folder)
    if "long" not in variant_ids():
        (problem,) = owner_variants.load(folder).problems
        assert "this is longer than a header can hold, 3000 bytes" in str(problem)
        return
    header = header_text(tags_of(new_game(Start(rules_for(find_variant("long")))), {}))
    assert max(len(line.encode()) for line in header.splitlines()) < 4096


def test_the_example_of_the_package_is_right(tmp_path: Path) -> None:
    text = (ROOT / "packaging" / "variant.toml").read_text(encoding="utf-8")
    uncommented = "\n".join(
        line.removeprefix("#") if not line.startswith("# ") else line for line in text.splitlines()
    )
    (tmp_path / "club.toml").write_text(uncommented, encoding="utf-8")
    assert owner_variants.load(tmp_path).problems == ()
    assert [variant.id for variant in owner_variants.load(tmp_path).variants] == ["club"]


# --- it is played like the others ----------------------------------------------------------------


@pytest.mark.sampled(0)
def test_the_commands_know_it(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    option = ["--variants", str(folder)]
    assert variants.main(["pampa", "--language", "es", *option]) == 0
    assert "quiero más" in capsys.readouterr().out
    assert perft.main(["pampa", *option]) == 0
    assert perft.main(["pampa", "--write", *option]) == 2
    assert "an owner's variant" in capsys.readouterr().err
    sheet = tmp_path / "evening.truco"
    sheet.write_text('[Variant "pampa"]\n\nA truco\nB retruco\nA quiero\nA hand_won\n')
    assert replay.main([str(sheet), *option]) == 0
    assert "A 4, B 0" in capsys.readouterr().out


def test_the_demo_plays_a_hand_of_it(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "lines"
    script.write_text("A truco\nB truco\nA quiero\nA tantos\n", encoding="utf-8")
    wanted = ["--script", str(script), "--json", "--variant", "pampa", "--variants", str(folder)]
    assert command.main(wanted) == 0
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (last["state"]["variant"], last["state"]["score"]) == ("pampa", {"A": 4, "B": 0})


def test_a_table_goes_on_with_it_when_its_file_is_gone(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = ["--store", str(tmp_path / "store"), "--variants", str(folder), "--json"]
    script = tmp_path / "lines"
    script.write_text("A truco\nB quiero\n", encoding="utf-8")
    assert command.main(["--script", str(script), "--variant", "pampa", *store]) == 0
    (folder / "pampa.toml").unlink()
    script.write_text("B truco\nA no quiero\n", encoding="utf-8")
    assert command.main(["--script", str(script), *store]) == 0
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (last["state"]["variant"], last["state"]["target"]) == ("pampa", 20)
    assert last["state"]["score"] == {"A": 0, "B": 2}


def test_a_table_is_set_to_it_in_the_file_and_at_the_box(folder: Path) -> None:
    kept = FakeSettings()
    settled = resolve('[table]\nvariant = "pampa"\n', None, kept, folder)
    assert (settled.problems, settled.config.header.rules.variant.id) == ((), "pampa")
    chosen = save_choices("", kept, [(("table", "variant"), "pampa")])
    assert chosen.config.header.rules.variant is find_variant("pampa")


def test_the_set_up_menu_offers_it(folder: Path) -> None:
    owner_variants.install(folder)
    desk = SessionRig("argentine", settings=Settings())
    level = variants_level(desk.session, Link(variants_level))
    assert "Truco pampeano" in [line.text for line in level.lines]


# --- its games outlive its file ------------------------------------------------------------------


def header_of_a_game(folder: Path) -> str:
    owner_variants.install(folder)
    return header_text(tags_of(new_game(Start(rules_for(find_variant("pampa")))), {}))


def test_the_header_of_a_game_holds_the_whole_definition(folder: Path) -> None:
    written = header_of_a_game(folder)
    begun = read_header(written).rules
    assert begun is rules_for(find_variant("pampa")), "the same variant, while the file stays"
    registry.set_owner_variants(())
    assert read_header(written).rules is begun, "the file is gone"
    (folder / "pampa.toml").write_text(PAMPA.replace("target = 20", "target = 24"))
    owner_variants.install(folder)
    assert read_header(written).rules.target == 20, "the file has changed"
    assert variant_rules("pampa", begun).target == 24, "a new game is played by the new one"


@pytest.mark.parametrize(
    ("definition", "told"),
    [
        ("", "this is no definition of a variant"),
        ("[" * 2000, "this is no definition of a variant"),
        ("[]", "this is no definition of a variant"),
        ("{}", "based_on: is missing"),
        ('{"based_on":"argentine","title":"x","target":1e9}', "target: "),
        ('{"based_on":"argentine","title":"x","ladder":[[]]}', "ladder.0: "),
        ('{"based_on":{},"title":1,"options":[],"words":3,"players":{}}', "based_on: "),
    ],
)
def test_a_header_with_a_wrong_definition_is_refused(definition: str, told: str) -> None:
    with pytest.raises(ValueError, match=r".") as refused:
        read_header(header_text([("Variant", "x"), ("Definition", definition)]))
    assert told in str(refused.value)


# --- what is wrong never stops a table -----------------------------------------------------------


def test_a_broken_file_leaves_the_rest_of_the_configuration(folder: Path) -> None:
    (folder / "pampa.toml").write_text('based_on = "argentine"\n')
    text = '[table]\nvariant = "pampa"\nlanguage = "en"\n[table.house]\nfalta = "match"\n'
    settled = resolve(text, None, FakeSettings(), folder)
    assert [problem.sentence for problem in settled.problems] == [
        f"{folder}/pampa.toml: title: is missing: the name that panels and menus show",
        "table.variant: 'pampa' (the owner's file) is not there; its file is wrong or gone",
    ]
    table = settled.config.table
    assert (table.variant, table.language) == ("argentine", "en")


def test_a_file_that_is_gone_takes_nothing_else_with_it(folder: Path) -> None:
    kept = FakeSettings()
    text = '[table]\nlanguage = "en"\n'
    resolve(text, None, kept, folder)
    save_choices(text, kept, [(("table", "variant"), "pampa")])
    (folder / "pampa.toml").unlink()
    settled = resolve(text, None, kept, folder)
    assert [problem.sentence for problem in settled.problems] == [
        "table.variant: 'pampa' (the box) is not there; its file is wrong or gone"
    ]
    assert (settled.config.table.variant, settled.config.table.language) == ("argentine", "en")
    assert save_choices(text, kept, [(("sound", "on"), False)]).config.sound.on is False


def test_last_good_settings_survive_the_loss_of_their_variant(folder: Path) -> None:
    kept = FakeSettings()
    text = '[table]\nvariant = "pampa"\nlanguage = "en"\n'
    resolve(text, None, kept, folder)
    (folder / "pampa.toml").unlink()
    settled = resolve(text, None, kept, folder)
    assert "no variant 'pampa'" in settled.problems[0].sentence
    assert (settled.config.table.variant, settled.config.table.language) == ("argentine", "en")


def test_check_names_every_file_that_is_wrong_and_goes_on(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "scorer.toml"
    config.write_text('[table]\nvariant = "pampa"\n')
    assert check.main([str(config), "--variants", str(folder)]) == 0
    assert "variant    pampa  (the owner's file)" in capsys.readouterr().out
    (folder / "other.toml").write_text('based_on = "argentine"\ntitel = "x"\n')
    assert check.main([str(config), "--variants", str(folder)]) == 1
    told = capsys.readouterr().out
    assert f"{folder}/other.toml:2: titel: no such key; did you mean 'title'?" in told
    assert "variant    pampa  (the owner's file)" in told


def test_check_plays_some_hands(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With target 1 every hand is a mão de onze of both, in which no call is legal."""
    (folder / "short.toml").write_text('based_on = "paulista"\ntitle = "x"\ntarget = 1\n')
    config = tmp_path / "scorer.toml"
    config.write_text("")
    assert check.main([str(config), "--variants", str(folder)]) == 1
    assert "short: truco: this call is never legal" in capsys.readouterr().out


# ---- the complete files of the documents ---------------------------------------------------------

GUIDE = (ROOT / "docs" / "operators" / "variants.md").read_text("utf-8")
# By file: options and start, the steps, and the score and winner that its rules give.
DOCUMENTED = [
    ("truc_catala", "", "A truco; B no_quiero", "1-0"),
    ("truc_catala", "", "B truco; A retruco; B quiero; A hand_won", "3-0"),
    ("truc_catala", "A=11 B=9", "B truco; A quiero; B hand_won", "11-11"),
    ("truc_catala", "", "- all_tied", "0-0"),
    ("truc_catala", "", "A fold", "0-1"),
    ("truc_flou", "", "A flor; A flor; A flor; B no_flor", "9-0"),
    ("truc_flou", "", "A truco; B retruco; A vale_cuatro; B seis; A quiero; B hand_won", "0-6"),
    (
        "truc_flou",
        "A=20 B=11",
        "A truco; B retruco; A vale_cuatro; B seis; A vale_juego; B quiero; B hand_won",
        "20-25 B",
    ),
    ("cego", "", "A envido; B quiero; A envido_won; B truco; A quiero; B hand_won", "2-2"),
    ("cego", "A=11 B=3", "A envido; B real_envido; A falta_envido; B quiero; B envido_won", "11-8"),
]


@pytest.fixture
def documented(tmp_path: Path) -> Path:
    """A folder with the complete files of the guide."""
    folder = tmp_path / "documented"
    folder.mkdir()
    found = re.findall(r"`(\w+\.toml)`[^`]*\n\n```toml\n(.*?)```", GUIDE, re.DOTALL)
    for name, text in found:
        (folder / name).write_text(text, "utf-8")
    assert {each[0] for each in found} >= {f"{row[0]}.toml" for row in DOCUMENTED}
    return folder


@pytest.mark.parametrize(("name", "start", "steps", "ends"), DOCUMENTED)
def test_the_complete_files_of_the_guide_score_as_they_say(
    documented: Path, name: str, start: str, steps: str, ends: str
) -> None:
    owner_variants.install(documented)
    variant = find_variant(name)
    tags = [("Variant", name), ("Definition", variant.definition)]
    tags += [("Start", start)] if start else []
    game = read_header(header_text(tags)).game()
    for line in steps.split("; "):
        game = apply(game, parse_step(line, game.rules))
    score, _, winner = ends.partition(" ")
    assert "-".join(map(str, game.score)) == score
    assert (game.winner or "") == winner


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("base", "without", "calls"),
    [
        ("argentine", ["envido"], "envido real_envido falta_envido envido_won envido_reversed"),
        ("gaucho", ["flor"], "flor contraflor contraflor_resto no_flor me_achico flor_won"),
        ("uruguayan", ["flor", "envido"], "envido flor con_flor_envido envido_won flor_won"),
        ("venezuelan", ["envido"], "envido envido_mas falta_envido privo"),
        ("pica_pica", ["envido"], "envido falta_envido"),
    ],
)
def test_what_is_taken_away_is_not_in_the_variant(
    folder: Path, base: str, without: list[str], calls: str
) -> None:
    text = f'based_on = "{base}"\ntitle = "x"\nwithout = {json.dumps(without)}\n'
    (folder / "less.toml").write_text(text, "utf-8")
    variant = next(each for each in owner_variants.load(folder).variants if each.id == "less")
    assert find_unplayable(variant) == ()
    game = new_game(Start(rules_for(variant)))
    for call in calls.split():
        for played in (game, apply(game, parse_step("A hand_won", game.rules))):
            assert attempt(played, Step(Side.A, Action(call))) is Refusal.NOT_IN_THIS_VARIANT, call
    keys = {option.key for option in variant.options}
    assert "falta" not in keys or "envido" not in without
    assert "resto" not in keys or "flor" not in without


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('based_on = "argentine"\ntitle = "Truco Argentino"',
         "2: title: is the title of argentine; write one of your own, such as "
         "'Truco Argentino 2'"),
        ('based_on = "uruguayan"\ntitle = "x"\nplayers = [4]\nrulebook = "retruco"',
         "4: rulebook: players = [4], but the game is for 2: add 2, or leave the rulebook out"),
        ('based_on = "uruguayan"\ntitle = "x"\nplayers = [6]',
         "3: players: players = [6], but the game is for 4: write players = 6 in [options], too"),
        ('based_on = "uruguayan"\ntitle = "x"\nplayers = [2, 4]\n[options]\nplayers = 6',
         "5: options.players: players = [2, 4], but the game is for 6: write one of 2, 4"),
        ('based_on = "pica_pica"\ntitle = "x"\n[options]\nplayers = 4\nduels = 3',
         "3: options: players=4 is too few for duels=3: choose duels=2, or players=6"),
        ('based_on = "argentine"\ntitle = "x"\nwithout = ["flor"]',
         "3: without: argentine has no flor; leave it out"),
        ('based_on = "argentine"\ntitle = "x"\nwithout = ["enbido"]',
         "3: without: 'enbido' cannot be taken away; did you mean 'envido'?"),
        ('based_on = "gaucho"\ntitle = "x"\nwithout = ["envido"]\n[options]\nfalta = "match"',
         "5: options.falta: gaucho has no option 'falta'; known are best_of, buenas, "
         "contraflor_refused, finish, flor_value, flor_vs_flor, players, resto, resto_floor, "
         "resto_refused_after_contra, target, tied"),
    ],
)  # fmt: skip
def test_contradictions_are_refused_with_what_to_write(folder: Path, text: str, told: str) -> None:
    assert problems(folder, text) == [f"wrong.toml:{told}"]
