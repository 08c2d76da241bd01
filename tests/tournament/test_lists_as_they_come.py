"""Lists as clubs have them, each a file: what is taken, and what is asked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from scorer.hub.paper.reports import entry_sentences, preview
from scorer.i18n import languages
from scorer.tournament.entry_list import EntryList, read_entries
from scorer.tournament.events import Enter
from scorer.tournament.pasted_list import LineReport, decoded
from tests.tournament.play import Played, format_of

FOLDER = Path(__file__).with_name("lists")
PAIRS = [
    *[("Ana Ruiz", "Beto Paz"), ("Caio Luna", "Dora Mar"), ("Eva Sol", "Fito Ríos")],
    *[("Gina Roca", "Hugo Sala"), ("Iris Puig", "Jano Tur"), ("Kevin Rey", "Lía Mur")],
]


class Reading(NamedTuple):
    """The teams, and of each question: line, fault, text, other line, what is taken."""

    teams: list[Enter]
    asked: list[tuple[int, str, str, int, str]]
    errors: Sequence[tuple[int, str]] = ()


def teams(*names: str, clubs: str = "") -> list[Enter]:
    """Teams of PAIRS; ``clubs``: a word for each, "-" for none."""
    words = clubs.split() or ["-"] * len(names)
    listed = zip(names, PAIRS, words, strict=False)
    return [Enter(name, pair, (), club.strip("-")) for name, pair, club in listed]


THREE = teams("Los Ñatos", "La Yunta", "Vale Cuatro")
READINGS = {
    # Four columns and no heading.
    "four_columns.csv": Reading(
        teams(
            *("Los Ñatos", "La Yunta", "Vale Cuatro", "Los Primos", "Siete Bravo", "Ancho Falso"),
            clubs="Norte Sur Norte Este Sur Oeste",
        ),
        [(1, "club_column", "Norte", 3, "")],
    ),
    "two_pairs_of_a_club.csv": Reading(
        teams("Los Ñatos", "La Yunta", clubs="Norte Norte"), [(1, "club_column", "Norte", 2, "")]
    ),
    "a_club_each.csv": Reading(
        [Enter("Los Ñatos", PAIRS[0], ("Norte",)), Enter("La Yunta", PAIRS[1], ("Sur",))],
        [(1, "reserve_column", "Norte", 0, "")],
    ),
    "a_reserve_twice.csv": Reading(
        [Enter("Los Ñatos", PAIRS[0], ("Caio Luna",))],
        [(1, "reserve_column", "Caio Luna", 0, "")],
        [(2, "player_twice"), (3, "player_twice")],
    ),
    "names_and_clubs.csv": Reading(
        [
            Enter("Los Ñatos", club="Norte"),
            Enter("La Yunta", club="Sur"),
            Enter("Vale Cuatro", club="Norte"),
        ],
        [(1, "club_column", "Norte", 3, "")],
    ),
    "reserves_and_clubs.csv": Reading(
        [
            Enter("Los Ñatos", PAIRS[0], ("Eva Sol",), "Norte"),
            Enter("La Yunta", PAIRS[1], ("Norte",)),
        ],
        [(2, "odd_player", "Norte", 0, "")],
    ),
    "surnames_of_pairs.txt": Reading([], [], [(1, "players"), (2, "players"), (3, "players")]),
    # Seeds that are no places.
    "ranking_in_points.csv": Reading(
        [
            Enter(name, seed=at)
            for at, name in enumerate(
                ("A uno", "B dos", "C tres", "D cuatro", "E cinco", "F seis"), 1
            )
        ],
        [
            (
                *(2, "seeds_as_points", "1200–1850", 0),
                "1 A uno (1850), 2 B dos (1720), 3 C tres (1600), …, 6 F seis (1200)",
            )
        ],
    ),
    "seeds_with_gaps.csv": Reading(
        [
            Enter("La Yunta", seed=7),
            Enter("Los Ñatos", seed=1),
            Enter("Vale Cuatro"),
            Enter("Los Primos", seed=3),
        ],
        [
            (
                *(3, "seeds_not_counted", "1–7", 0),
                "1 Los Ñatos (1), 2 Los Primos (3), 3 La Yunta (7)",
            )
        ],
    ),
    # Alt+Enter in a cell.
    "line_break_in_a_cell.csv": Reading(
        THREE[:2],
        [
            (
                *(2, "read_as", '"Los ⏎ Ñatos";Ana Ruiz;"Beto ⏎ Paz"', 0),
                "Los Ñatos | Ana Ruiz | Beto Paz",
            )
        ],
    ),
    "line_break_from_the_clipboard.tsv": Reading(
        THREE[:2],
        [
            (
                *(1, "read_as", '"Los ⏎ Ñatos"\tAna Ruiz\tBeto Paz', 0),
                "Los Ñatos | Ana Ruiz | Beto Paz",
            ),
            (
                *(3, "read_as", 'La Yunta\tCaio Luna\t"Dora ⏎ Mar"', 0),
                "La Yunta | Caio Luna | Dora Mar",
            ),
        ],
    ),
    # Lines that are quoted as a whole.
    "lines_quoted_as_a_whole.csv": Reading(
        [THREE[0], Enter("La Yunta", ("Luna, Caio", "Dora Mar"))],
        [
            (
                *(2, "read_as", '"Los Ñatos;Ana Ruiz;Beto Paz"', 0),
                "Los Ñatos | Ana Ruiz | Beto Paz",
            ),
            (
                *(3, "read_as", '"La Yunta;""Luna, Caio"";Dora Mar"', 0),
                "La Yunta | Luna, Caio | Dora Mar",
            ),
        ],
    ),
    "whole_lines_with_commas.csv": Reading(
        THREE[:2],
        [
            (
                *(1, "read_as", '"Los Ñatos,Ana Ruiz,Beto Paz"', 0),
                "Los Ñatos | Ana Ruiz | Beto Paz",
            ),
            (
                *(2, "read_as", '"La Yunta,Caio Luna,Dora Mar"', 0),
                "La Yunta | Caio Luna | Dora Mar",
            ),
        ],
    ),
    "separator_in_the_first_line.csv": Reading(
        teams("Los Ñatos", "La Yunta, de Sur"), [(1, "separator_line", "sep=;", 0, "")]
    ),
    # A name that contains the separator.
    "comma_in_a_name.csv": Reading(
        teams("Los Ñatos", "Yunta, La", "Vale Cuatro"),
        [
            (
                *(2, "read_as", "Yunta, La,Caio Luna,Dora Mar", 0),
                "Yunta, La | Caio Luna | Dora Mar",
            )
        ],
    ),
    "comma_in_a_name_below_a_heading.csv": Reading(
        [
            Enter("Yunta, La", PAIRS[1], ("Eva Sol",)),
            Enter("Pibes", ("Los", "Fito Ríos"), ("Gina Roca",)),
        ],
        [
            (
                *(2, "read_as", "Yunta, La,Caio Luna,Dora Mar,Eva Sol", 0),
                "Yunta, La | Caio Luna | Dora Mar | Eva Sol",
            ),
            # As long as the heading: as it stands, and asked about.
            (
                *(3, "read_as", "Pibes, Los,Fito Ríos,Gina Roca", 0),
                "Pibes | Los | Fito Ríos | Gina Roca",
            ),
        ],
    ),
    "semicolon_in_a_name.csv": Reading(
        teams("Los Ñatos", "La Yunta; de Sur", "Vale Cuatro"),
        [
            (
                *(2, "read_as", "La Yunta; de Sur;Caio Luna;Dora Mar", 0),
                "La Yunta; de Sur | Caio Luna | Dora Mar",
            )
        ],
    ),
    "one_cell_more.csv": Reading(
        [THREE[0], Enter("La", ("Yunta", "Caio Luna"), ("Dora Mar",)), THREE[2]],
        [
            (
                *(2, "read_as", "La;Yunta;Caio Luna;Dora Mar", 0),
                "La | Yunta | Caio Luna | Dora Mar",
            ),
            (2, "reserve_column", "Dora Mar", 0, ""),
        ],
    ),
    "comma_in_a_list_of_names.txt": Reading(
        [Enter("Los Ñatos"), Enter("Pérez, Gómez"), Enter("Vale Cuatro")],
        [(2, "read_as", "Pérez, Gómez", 0, "Pérez, Gómez")],
    ),
    # Merged cells: the club stands in the first one.
    "merged_clubs.csv": Reading(
        teams(
            *("Los Ñatos", "La Yunta", "Vale Cuatro", "Los Primos", "Siete Bravo"),
            clubs="Norte Norte Sur Sur -",
        ),
        [
            (3, "merged_club", "La Yunta | Caio Luna | Dora Mar", 2, "Norte"),
            (5, "merged_club", "Los Primos | Gina Roca | Hugo Sala", 4, "Sur"),
        ],
    ),
    "merged_clubs_in_front.csv": Reading(
        [
            Enter("Los Ñatos", club="Norte"),
            Enter("La Yunta", club="Norte"),
            Enter("Vale Cuatro", club="Sur"),
        ],
        [(3, "merged_club", "La Yunta", 2, "Norte")],
    ),
    "surname_first.csv": Reading(
        [
            Enter("Los Uno", ("Pérez, Juan", "Gómez, Luis")),
            Enter("Los Dos", ("Ruiz, Ana", "Paz, Beto")),
        ],
        [],
    ),
    # Players and teams that are written in two ways.
    "two_spellings.csv": Reading(
        [
            Enter("Los Ñatos", ("José Pérez", "Ana Ruiz")),
            Enter("Las Flores", ("Jose Perez", "Eva Sol")),
            Enter("Los Natos", ("Ledezma, Juan", "Caio Luna")),
            Enter("Vale Cuatro", ("Juan Ledesma", "Fito Ríos")),
        ],
        [
            (3, "similar_player", "Jose Perez", 2, "José Pérez"),
            (4, "similar", "Los Natos", 2, "Los Ñatos"),
            (5, "similar_player", "Juan Ledesma", 4, "Ledezma, Juan"),
        ],
    ),
}


def read(name: str, *, reserves: int = 2) -> EntryList:
    text = decoded((FOLDER / name).read_bytes())
    return read_entries(text, Played(format_of({}, reserves=reserves)).state)


def asked(reports: tuple[LineReport, ...]) -> list[tuple[int, str, str, int, str]]:
    return [(line, str(fault), text, at, taken) for line, fault, text, at, taken, _ in reports]


def test_every_file_has_its_reading() -> None:
    assert READINGS.keys() == {each.name for each in FOLDER.iterdir()}


@pytest.mark.parametrize("name", READINGS)
def test_a_list_is_read_as_it_is_meant_and_what_is_not_plain_is_asked(name: str) -> None:
    reserves = 1 if name == "reserves_and_clubs.csv" else 2
    found, expected = read(name, reserves=reserves), READINGS[name]
    assert list(found.entries) == expected.teams
    assert asked(found.questions) == expected.asked
    assert [(each.line, str(each.fault)) for each in found.errors] == [*expected.errors]


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", READINGS)
def test_each_question_has_a_sentence_with_its_line(name: str, language: str) -> None:
    found = read(name)
    sentences = entry_sentences(found, language)
    for report, sentence in zip((*found.errors, *found.questions), sentences, strict=True):
        assert str(report.line) in sentence and report.text in sentence
        assert report.other_text in sentence
        assert "{" not in sentence


def test_a_format_without_reserves_reads_a_fourth_column_as_the_club() -> None:
    for name in ("four_columns.csv", "a_club_each.csv"):
        found = read(name, reserves=0)
        assert all(each.club for each in found.entries)
        assert not any(each.reserves for each in found.entries)


@pytest.mark.parametrize(
    "text",
    [
        '"Los Pibes\nLa Yunta',
        '"El Rey\n"La Reina\n"El Paje',
        'El "Rey"\n"Los" Ñatos\nLa "Yunta',
        '"Los Pibes\nLas "Flores"',
    ],
)
def test_a_quotation_mark_that_ends_no_cell_swallows_no_team(text: str) -> None:
    found = read_entries(text, Played(format_of({})).state)
    assert len(found.entries) == len(text.split("\n"))


def test_a_line_break_ends_in_the_next_lines_or_not_at_all() -> None:
    ten = "\n".join(['"Los', *map(str, range(11, 20)), 'Ñatos"'])
    assert len(read_entries(ten, Played(format_of({})).state).entries) == 11


SEEDS = [
    # title, seeds, the seeds that are taken, what is asked
    ("Ranking", "1 2 3", "1 2 3", ""),
    ("Ranking", "3 1 2", "3 1 2", ""),
    ("Ranking", "1 2 0", "1 2 0", ""),
    ("Ranking", "1 2 2", "1 2 2", "same_seed"),
    ("Ranking", "1900 1800 1700", "1 2 3", "seeds_as_points"),
    ("Ranking", "1900 0 1950", "2 0 1", "seeds_as_points"),
    ("Ranking", "1900 1900 1700", "1 1 2", "same_seed seeds_as_points"),
    ("Ranking", "1 1800 1700", "1 1800 1700", "seeds_not_counted"),
    ("Siembra", "1900 1800 1700", "1900 1800 1700", "seeds_not_counted"),
    ("Siembra", "10 20 30", "10 20 30", "seeds_not_counted"),
    # One seeded team is before all others, whatever its number.
    ("Ranking", "0 1800 0", "0 1800 0", ""),
]


@pytest.mark.parametrize(("title", "seeds", "taken", "asked_about"), SEEDS)
def test_seeds_that_are_not_counted_from_one_are_asked_about(
    title: str, seeds: str, taken: str, asked_about: str
) -> None:
    lines = [f"{name};{seed}" for name, seed in zip("XYZ", seeds.split(), strict=True)]
    found = read_entries("\n".join([f"Equipo;{title}", *lines]), Played(format_of({})).state)
    assert [each.seed for each in found.entries] == [int(each) for each in taken.split()]
    assert sorted(str(each.fault) for each in found.questions) == asked_about.split()


def test_a_late_team_continues_the_seeds_of_those_that_have_entered() -> None:
    played = Played(format_of({}))
    for at in (1, 2):
        played.do(Enter(f"Equipo {at}", seed=at))
    for seed, is_asked in ((3, False), (9, False), (0, False)):
        found = read_entries(f"Equipo;Siembra\nNuevo;{seed}", played.state)
        assert bool(found.questions) is is_asked
    found = read_entries("Equipo;Siembra\nNuevo;7\nOtro;8", played.state)
    assert [str(each.fault) for each in found.questions] == ["seeds_not_counted"]


def test_a_player_is_compared_with_those_who_have_entered() -> None:
    played = Played(format_of({}))
    played.do(Enter("Los Ñatos", ("José Pérez", "Ana Ruiz")))
    found = read_entries("Las Flores;Perez, Jose;Eva Sol", played.state)
    assert asked(found.questions) == [(1, "similar_player", "Perez, Jose", 0, "José Pérez")]
    played.do(*found.entries)


def test_two_players_of_a_pair_are_compared() -> None:
    found = read_entries("Los Ñatos;José Pérez;Jose Perez", Played(format_of({})).state)
    assert asked(found.questions) == [(1, "similar_player", "Jose Perez", 1, "José Pérez")]


def test_the_first_teams_are_shown_as_they_are_read() -> None:
    shown = preview(read("four_columns.csv"), "es-AR")
    assert shown.columns == ["equipo", "jugadores", "club"]
    assert len(shown.rows) == 5
    assert shown.rows[0] == [("Los Ñatos",), ("Ana Ruiz", "Beto Paz"), ("Norte",)]
    reserves = preview(read("a_club_each.csv"), "pt-BR")
    assert reserves.columns == ["equipe", "jogadores", "reservas"]
    seeds = preview(read("ranking_in_points.csv"), "en")
    assert seeds.columns == ["team", "seed"]
    assert seeds.rows[0] == [("A uno",), ("1",)]
