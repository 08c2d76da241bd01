"""Which names are one: what is asked, what an answer does, what is never guessed."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from scorer.circuit.command import main
from scorer.season.evening import Evening
from tests.circuit.few_evenings import (
    HALL,
    OTHER_KEY,
    evening,
    made,
    ranking,
    season_text,
    team,
    write_season,
)

ANA, LUIS, EVA = "a1" * 32, "b2" * 32, "c3" * 32  # hashes of members


def asked(folder: Path, evenings: list[Evening], text: str = "") -> list[tuple[str, str, str]]:
    """Kind and names of the open questions, after a run that wrote nothing else."""
    assert main([str(write_season(folder, evenings, text))]) == 1
    assert not (folder / "site").exists()
    assert not (folder / "circuit.lock").exists()
    listed = tomllib.loads((folder / "people.toml").read_text("utf-8"))["question"]
    return [(each["kind"], each["one"], each["other"]) for each in listed if each["same"] == "?"]


def answer(folder: Path, same: str) -> None:
    path = folder / "people.toml"
    path.write_text(path.read_text("utf-8").replace('same = "?"', f"same = {same}"), "utf-8")


def test_capitals_accents_and_where_the_surname_stands_make_no_other_person(tmp_path: Path) -> None:
    evenings = [
        evening(1, [team("Los Ñatos", "Juan Pérez", "Ana Ruiz")]),
        evening(2, [team("LOS NATOS", "PEREZ JUAN", "Ruiz, Ana")]),
    ]
    assert ranking(made(tmp_path, evenings)) == [(1, "LOS NATOS", 20)]


def test_what_is_alike_is_asked_once_and_the_answer_is_kept(tmp_path: Path) -> None:
    evenings = [evening(1, ["Los Ñatos"]), evening(2, ["Los Gatos del Sur", "Los Ñatoz"])]
    assert asked(tmp_path, evenings) == [("team", "Los Ñatos", "Los Ñatoz")]
    assert asked(tmp_path, evenings) == [("team", "Los Ñatos", "Los Ñatoz")]
    answer(tmp_path, "true")
    document = made(tmp_path, evenings)
    assert [(row["name"], row["points"]) for row in document["tables"][0]["rows"]] == [
        ("Los Ñatos", 16), ("Los Gatos del Sur", 10),
    ]  # fmt: skip
    # A third spelling is asked about; the first answer stays, with what the organiser wrote.
    path = tmp_path / "people.toml"
    path.write_text("# El Flaco dice que son ellos.\n" + path.read_text("utf-8"), "utf-8")
    assert main([str(write_season(tmp_path, [*evenings, evening(3, ["Loz Ñatos"])]))]) == 1
    text = path.read_text("utf-8")
    assert text.startswith("# El Flaco") and text.count("[[question]]") == 2


def test_an_answer_about_one_spelling_holds_for_all_of_them(tmp_path: Path) -> None:
    spelled = ("Los Ñatos", "Los Ñatoz", "Los Gnatos")
    evenings = [evening(at, [name]) for at, name in enumerate(spelled, 1)]
    (tmp_path / "people.toml").write_text(
        '[[question]]\nkind = "team"\none = "Los Ñatos"\nother = "Los Ñatoz"\nsame = true\n'
        '[[question]]\nkind = "team"\none = "Los Ñatoz"\nother = "Los Gnatos"\nsame = false\n',
        "utf-8",
    )
    # "Los Ñatos" and "Los Gnatos" are alike, and two by these answers.
    assert len(ranking(made(tmp_path, evenings))) == 2


def test_the_address_of_a_page_does_not_depend_on_the_order_of_an_answer(tmp_path: Path) -> None:
    evenings = [evening(1, ["Los Ñatos"]), evening(2, ["Los Ñatoz"])]
    ids = []
    for names in (("Los Ñatos", "Los Ñatoz"), ("Los Ñatoz", "Los Ñatos")):
        folder = tmp_path / names[0]
        folder.mkdir()
        (folder / "people.toml").write_text(
            '[[question]]\nkind = "team"\none = "{}"\nother = "{}"\nsame = true\n'.format(*names),
            "utf-8",
        )
        ids.append([row["id"] for row in made(folder, evenings)["tables"][0]["rows"]])
    assert ids[0] == ids[1]


def test_two_by_an_answer_stay_two(tmp_path: Path) -> None:
    evenings = [evening(1, ["Los Ñatos"]), evening(2, ["Los Ñatoz"])]
    asked(tmp_path, evenings)
    answer(tmp_path, "false")
    assert [name for _, name, _ in ranking(made(tmp_path, evenings))] == ["Los Ñatos", "Los Ñatoz"]


def test_two_names_of_one_evening_are_two_without_a_question(tmp_path: Path) -> None:
    document = made(tmp_path, [evening(1, ["Los Ñatos", "Los Ñatoz"])])
    assert len(ranking(document)) == 2


def test_an_answer_that_makes_one_of_two_in_an_evening_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    question = '[[question]]\nkind = "team"\none = "Los Ñatos"\nother = "Los Ñatoz"\nsame = true\n'
    (tmp_path / "people.toml").write_text(question, "utf-8")
    path = write_season(tmp_path, [evening(1, ["Los Ñatos", "Los Ñatoz"])])
    assert main([str(path)]) == 1
    assert "are in one evening, so they are two: answer same = false" in capsys.readouterr().err


def test_answers_that_contradict_each_other_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ("Los Ñatos", "Los Ñatoz", "Los Ñatox")
    answers = ((0, 1, "true"), (1, 2, "true"), (0, 2, "false"))
    (tmp_path / "people.toml").write_text(
        "".join(
            f'[[question]]\nkind = "team"\none = "{names[one]}"\nother = "{names[other]}"\n'
            f"same = {same}\n"
            for one, other, same in answers
        ),
        "utf-8",
    )
    evenings = [evening(at, [name]) for at, name in enumerate(names, 1)]
    assert main([str(write_season(tmp_path, evenings))]) == 1
    assert "are two by one answer of people.toml and one by others" in capsys.readouterr().err


def test_a_person_is_asked_about_not_the_pair(tmp_path: Path) -> None:
    evenings = [
        evening(1, [team("Los Ñatos", "Ana Ruiz", "Luis Paz")]),
        evening(2, [team("Otro nombre", "Ana Ruis", "Luis Paz")]),
    ]
    assert asked(tmp_path, evenings) == [("person", "Ana Ruis", "Ana Ruiz")]
    answer(tmp_path, "true")
    [row] = made(tmp_path, evenings)["tables"][0]["rows"]
    assert row["points"] == 20


def test_a_team_without_players_may_be_one_with_them(tmp_path: Path) -> None:
    evenings = [evening(1, [team("Los Ñatos", "Ana Ruiz", "Luis Paz")]), evening(2, ["los natos"])]
    assert asked(tmp_path, evenings) == [("team", "Ana Ruiz / Luis Paz", "los natos")]
    answer(tmp_path, "true")
    document = made(tmp_path, evenings)
    assert [points for _, _, points in ranking(document)] == [20]


def test_clubs_are_asked_about_too(tmp_path: Path) -> None:
    evenings = [
        evening(1, [team("Uno", club="Club Olimpo")]),
        evening(2, [team("Dos", club="Club Olinpo")]),
    ]
    text = season_text("[clubs]\n")
    assert asked(tmp_path, evenings, text) == [("club", "Club Olimpo", "Club Olinpo")]
    answer(tmp_path, "true")
    assert [each["points"] for each in made(tmp_path, evenings, text)["clubs"]] == [20]


# ---- members ------------------------------------------------------------------------------------


def test_a_member_is_one_person_whatever_the_name(tmp_path: Path) -> None:
    evenings = [
        evening(1, [team("Uno", "Ana Ruiz", "Luis Paz", members=(ANA, LUIS))]),
        evening(2, [team("#7", "#7.1", "#7.2", members=(ANA, LUIS))]),
        evening(3, [team("Tres", "Anita", "Luis Pas", members=(ANA, LUIS))]),
    ]
    assert [points for _, _, points in ranking(made(tmp_path, evenings))] == [30]


def test_a_name_without_a_member_is_the_only_member_of_that_name(tmp_path: Path) -> None:
    evenings = [
        evening(1, [team("Uno", "Ana Ruiz", "Luis Paz", members=(ANA, LUIS))]),
        evening(2, [team("Uno", "ANA RUIZ", "Luis Paz")]),
    ]
    assert [points for _, _, points in ranking(made(tmp_path, evenings))] == [20]


def test_two_members_of_one_name_are_two_and_a_third_sight_of_it_is_not_guessed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    two = [
        evening(1, [team("Uno", "Ana Ruiz", "Luis Paz", members=(ANA, LUIS))]),
        evening(2, [team("Dos", "Ana Ruiz", "Luis Paz", members=(EVA, LUIS))]),
    ]
    assert len(ranking(made(tmp_path / "two", two))) == 2
    third = evening(3, [team("Tres", "Ana Ruiz", "Luis Paz")], key=OTHER_KEY)
    path = write_season(tmp_path, [*two, third])
    assert main([str(path)]) == 1
    assert "'Ana Ruiz' (2026-03-03 Otro club" in (error := capsys.readouterr().err)
    assert "write an entry [[apart]]" in error
    apart = '[[apart]]\nwritten = "ana ruiz"\nhall = "Otro club"\nperson = "Ana Ruiz (Norte)"\n'
    (tmp_path / "people.toml").write_text(apart, "utf-8")
    assert main([str(path)]) == 0


def test_one_name_is_two_people_where_the_organiser_says_so(tmp_path: Path) -> None:
    evenings = [
        evening(1, [team("Uno", "Ana Ruiz", "Luis Paz")]),
        evening(2, [team("Uno", "Ana Ruiz", "Luis Paz")], key=OTHER_KEY),
    ]
    assert len(ranking(made(tmp_path / "one", evenings))) == 1
    folder = tmp_path / "two"
    folder.mkdir()
    apart = f'[[apart]]\nwritten = "Ana Ruiz"\nhall = "{HALL}"\nperson = "Ana Ruiz (Sur)"\n'
    (folder / "people.toml").write_text(apart, "utf-8")
    document = made(folder, evenings)
    assert len(ranking(document)) == 2
    assert "Ana Ruiz (Sur)" in {each["name"] for each in document["persons"]}


def test_one_person_in_two_teams_of_an_evening_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    teams = [team("Uno", "Ana Ruiz", "Luis Paz"), team("Dos", "RUIZ ANA", "Eva Sosa")]
    assert main([str(write_season(tmp_path, [evening(1, teams)]))]) == 1
    error = capsys.readouterr().err
    assert "is in the teams 1 and 2: correct a name at the desk and export the evening" in error


# ---- without names ------------------------------------------------------------------------------


def test_who_has_no_name_keeps_the_place_and_is_in_no_table(tmp_path: Path) -> None:
    document = made(tmp_path, [evening(1, [team("#1", "#1.1", "#1.2"), "Dos"])])
    assert ranking(document) == [(1, "Dos", 6)]
    [first, _] = document["evenings"][0]["teams"]
    assert (first["name"], first["team"], first["points"]) == ("#1", None, None)
