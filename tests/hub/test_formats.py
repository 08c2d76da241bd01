"""The format of a new tournament at the desk: an owner's, or one with other rules."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scorer.config.tournament_formats import built_in_formats, load_format
from scorer.tournament.export import TournamentFile, decode
from scorer.tournament.names import plain
from tests.config.test_owner_formats import LEAGUE, write
from tests.hub.hub_process import HubProcess, running_hub
from tests.hub.joining_box import log_in
from tests.hub.test_tournament import LIST, Director


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("owner") / "formats", liga=LEAGUE, wrong="title = 3")


@pytest.fixture(scope="module")
def director(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Director]:
    """The desk of a hub with a format of the owner, and a file that is none."""
    state = tmp_path_factory.mktemp("hub")
    with running_hub(state, 'name = "Club"', "--formats", str(folder)) as hub:
        yield Director(hub, log_in(hub))


def offer(director: Director, language: str = "pt-BR") -> dict[str, Any]:
    return dict(director.client.get(f"/desk/formats?lang={language}").document)


def test_the_formats_are_offered_in_words_to_who_is_logged_in(director: Director) -> None:
    found = offer(director)
    formats = {each["id"]: each for each in found["formats"]}
    assert len(formats) == len(built_in_formats()) + 1
    assert formats["liga"]["title"] == "Liga del club"
    assert "wrong" not in formats
    assert [formats["swiss"][key] for key in ("players", "reserves")] == [2, 1]
    assert formats["zones_and_bracket"]["title"] == "Grupos e chave"
    phases = formats["zones_and_bracket"]["phases"]
    assert [(each["title"], each["zone_size"], each["best_of"]) for each in phases] == [
        ("Grupos", 4, 1),
        ("Chave", 0, 3),
    ]
    variants = {each["id"]: each for each in found["variants"]}
    assert "destantado" not in variants, "it has three teams"
    options = {each["key"]: each for each in variants["argentine"]["options"]}
    assert options["fold_first"]["values"] == [[2, "2 · MNG +2"], [1, "1 · UY4"]]
    assert options["fold_first"]["default"] == 2
    assert options["real_envido_again"]["values"] == [[False, "não · S1"], [True, "sim · S0"]]
    assert ["S1", "Envido y Truco"] in variants["argentine"]["books"]
    assert [24, "S24"] in variants["argentine"]["targets"]
    assert not {"target", "best_of"} & options.keys()
    assert director.hub.client().get("/desk/formats").status == 401


def test_a_format_that_is_added_or_mended_needs_no_restart(
    director: Director, folder: Path
) -> None:
    write(folder, wrong=LEAGUE.replace("Liga del club", "Copa"))
    assert "Copa" in {each["title"] for each in offer(director)["formats"]}
    write(folder, wrong="title = 3")
    assert "Copa" not in {each["title"] for each in offer(director)["formats"]}


def test_first_is_the_format_last_used_then_come_the_owners_then_the_others_by_title(
    director: Director, folder: Path
) -> None:
    write(folder, abierto=LEAGUE.replace("Liga del club", "Ñandú abierto"))
    regulations = {name for name, path in built_in_formats().items() if load_format(path).source}
    for name in ("swiss", "liga"):
        director.act("t.begin", format=name, teams=LIST, replaces=director.replaces)
        listed = [(each["id"], each["title"]) for each in offer(director, "es-AR")["formats"]]
        owned = [each for each in ("liga", "abierto") if each != name]
        first = [name, *owned, "zones_and_bracket"]
        assert [each for each, _ in listed[: len(first)]] == first
        rest = listed[len(first) :]
        assert rest == sorted(rest, key=lambda each: (each[0] in regulations, plain(each[1])))
    assert len(listed) == len(built_in_formats()) + 2
    (folder / "abierto.toml").unlink()


BRAZIL = {
    "every_phase": {"variant": "paulista", "target": 12, "cap": 60},
    "phase": {"zonas": {"zone_size": 3, "best_of": 3}},
}


def test_a_tournament_is_begun_with_other_rules_and_its_file_keeps_them(
    director: Director, tmp_path: Path
) -> None:
    chosen = {"format": "zones_and_bracket", "teams": LIST, "changes": BRAZIL}
    # Two zones of three instead of one of four and one of two.
    assert director.act("t.check", **chosen, language="en")["matches"] == 6 + 4
    director.act("t.begin", **chosen, replaces=director.replaces)
    data = director.client.get("/desk/tournament.json").body
    found = decode(data)
    assert isinstance(found, TournamentFile)
    zones, bracket = found.state.format.phases
    assert (zones.variant, zones.target, zones.cap, zones.best_of) == ("paulista", 12, 60, 3)
    assert (bracket.variant, bracket.best_of, bracket.third_place) == ("paulista", 3, True)
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    first.write_bytes(data)
    other = HubProcess(tmp_path / "other", director.hub.config)
    other.state.mkdir()
    assert other.run("tournament", "import", str(first)).returncode == 0
    assert other.run("tournament", "export", str(second)).returncode == 0
    assert second.read_bytes() == data


REFUSED = [
    {"every_phase": {"target": 0}},
    {"every_phase": {"variant": "nonsense"}},
    {"every_phase": {"variant": "destantado"}},
    {"every_phase": {"options": {"fold_first": 7}}},
    {"every_phase": {"options": {"colour": True}}},
    {"every_phase": {"title": "x"}},
    {"phase": {"llave": {"rounds": 3}}},
]


@pytest.mark.parametrize("changes", REFUSED)
def test_impossible_rules_are_refused_and_begin_nothing(
    director: Director, changes: dict[str, Any]
) -> None:
    before = director.replaces
    chosen = {"format": "zones_and_bracket", "teams": LIST, "changes": changes}
    assert director.refused("t.check", **chosen, language="en") == "t.format"
    assert director.refused("t.begin", **chosen, replaces=before) == "t.format"
    assert director.replaces == before


def test_too_many_rounds_are_explained_and_fewer_work(director: Director) -> None:
    chosen = {"format": "swiss", "teams": "Ana\nBia\nCaio\nDora", "language": "es-AR"}
    found = director.act("t.check", **chosen)
    assert found["lines"] == [
        "Suizo: 5 rondas sin repetir rival no se pueden jugar; se pueden 3.",
        "Lo más cercano que sirve: 5 equipos.",
    ]
    wrong = {**chosen, "teams": chosen["teams"] + "\n=1+1"}
    (line,) = director.act("t.check", **wrong)["lines"]
    assert line.startswith("Línea 5: «=1+1»")
    found = director.act("t.check", **chosen, changes={"phase": {"suizo": {"rounds": 3}}})
    assert (found["has_errors"], found["matches"]) == (False, 6)
