"""Lists of chats and spreadsheets: what is taken, and what is asked."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from scorer.tournament.entry_list import read_entries
from scorer.tournament.events import Enter
from scorer.tournament.pasted_list import EntryFault, LineReport, decoded
from tests.tournament.play import Played, format_of

CLUB_SHEET = """Nombre;Club;Semilla
Los Bb1;Club B;1
Los Ordenados;Club B;2
La Yunta;Villa Mitre;
"""
FORM = (
    "Marca temporal\tNombre de la pareja\tJugador 1\tJugador 2\tTeléfono\tObservaciones\n"
    "21/11/2026 20:15:02\tLos Ordenados\tAna Ruiz\tLuis Paz\t+54 9 11 5555-1234\t\n"
    "21/11/2026 20:31:40\tVale Cuatro\tEva Sosa\tRaúl Gil\t+54 9 11 5555-9876\t=pagado\n"
)
WITHOUT_NAMES = "Jugador 1,Jugador 2,Celular\nAna Ruiz,Luis Paz,1155551234\nEva Sosa,Raúl Gil,\n"
TWO_NAMES = "N°;Equipo;Nombre y apellido;Nombre y apellido\n1;Los Ordenados;Ana Ruiz;Luis Paz\n"
BRAZIL = "Nº;Dupla;Jogador 1;Jogador 2;Cabeça de chave;Cidade\n1;Os Zé;Zé;Tião;1;Bagé\n"
TITLE = "Torneo de los viernes;;\n\nPareja;Institución;Ranking\nLos Ordenados;Sociedad Italiana;3\n"
STANDINGS = "Fase,Puesto,Equipo,Ganados\nZonas,1,Los Ordenados,3\nZonas,2,La Yunta,2\n"
TWO_CLUBS = "Equipo;Club;Club;Siembra;Ranking\nLos Pibes;Sur;Norte;1;7\n"

ORDENADOS = Enter("Los Ordenados", ("Ana Ruiz", "Luis Paz"))
HEADINGS = [
    # text, teams, (line, question, text) of each
    (
        CLUB_SHEET,
        [
            Enter("Los Bb1", (), (), "Club B", 1),
            Enter("Los Ordenados", (), (), "Club B", 2),
            Enter("La Yunta", (), (), "Villa Mitre", 0),
        ],
        [],
    ),
    (
        FORM,
        [ORDENADOS, Enter("Vale Cuatro", ("Eva Sosa", "Raúl Gil"))],
        [
            (1, "left_out", "Marca temporal"),
            (1, "left_out", "Teléfono"),
            (1, "left_out", "Observaciones"),
        ],
    ),
    (
        WITHOUT_NAMES,
        [
            Enter("Ana Ruiz / Luis Paz", ("Ana Ruiz", "Luis Paz")),
            Enter("Eva Sosa / Raúl Gil", ("Eva Sosa", "Raúl Gil")),
        ],
        [(1, "left_out", "Celular"), (1, "no_name_column", "Jugador 1, Jugador 2")],
    ),
    (TWO_NAMES, [ORDENADOS], []),
    (BRAZIL, [Enter("Os Zé", ("Zé", "Tião"), (), "", 1)], [(1, "left_out", "Cidade")]),
    (
        TITLE,
        [Enter("Los Ordenados", (), (), "", 3)],
        [(1, "before_heading", "Torneo de los viernes"), (3, "left_out", "Institución")],
    ),
    (
        STANDINGS,
        [Enter("Los Ordenados"), Enter("La Yunta")],
        [(1, "left_out", "Fase"), (1, "left_out", "Ganados")],
    ),
    (
        TWO_CLUBS,
        [Enter("Los Pibes", (), (), "Sur", 1)],
        [(1, "left_out", "Club"), (1, "left_out", "Ranking")],
    ),
    # A column without a title, and one that is empty.
    ("Pareja;;\nLos Pibes;1155551234;", [Enter("Los Pibes")], [(1, "left_out", "1155551234")]),
    ("Equipo\nLos Pibes", [Enter("Los Pibes")], []),
]


@pytest.mark.parametrize(("text", "teams", "questions"), HEADINGS)
def test_a_heading_names_the_columns_and_unknown_ones_are_asked_about(
    text: str, teams: list[Enter], questions: list[tuple[int, str, str]]
) -> None:
    found = read_entries(text, Played(format_of({})).state)
    assert found.errors == ()
    assert list(found.entries) == teams
    asked = [(each.line, each.fault.value, each.text) for each in found.questions]
    assert asked == questions


HEADING_WORDS = {
    "name": "Pareja, Nombre, Equipo, Dupla, Trío, Equipe, Team, Name, Nome, Nombre del equipo, "
    "Nome da dupla, Team name, NOMBRE",
    "seed": "Semilla, Siembra, Ranking, Cabeza de serie, Cabeza, Cabeça de chave, Seed",
    "player": "Jugador 1, Jogador 2, Player, Integrante 1, Nombre 1",
    "": "Teléfono, Localidad, N°, #",
}


def test_words_of_headings_have_their_column() -> None:
    state = Played(format_of({})).state
    for kind, words in HEADING_WORDS.items():
        for word in words.split(", "):
            titles = f"{word};Club" if kind == "name" else f"Equipo;{word}"
            found = read_entries(f"{titles}\nx;1", state)
            assert [each.kind for each in found.columns if each.title == word] == [kind], word


@pytest.mark.parametrize(
    "first", ["Equipo Sur;Ana;Luis", "La Pareja;Ana;Luis", "Los Pibes;Cap;Ana"]
)
def test_a_team_with_a_word_of_headings_is_no_heading(first: str) -> None:
    found = read_entries(first, Played(format_of({})).state)
    assert (len(found.entries), found.columns, found.questions) == (1, (), ())


class Chat(NamedTuple):
    """A list, the names that are taken, the questions by line."""

    text: str
    names: list[str]
    questions: list[tuple[int, str]]


def numbered(*lines: int) -> list[tuple[int, str]]:
    return [(line, "numbered") for line in lines]


CHATS = {
    "dots": Chat(
        "1. Los Ordenados\n2. La Yunta\n3.Vale Cuatro\n",
        ["Los Ordenados", "La Yunta", "Vale Cuatro"],
        numbered(1, 2, 3),
    ),
    "brackets, with the same number twice": Chat(
        "1) Los Ordenados\n2) La Yunta\n2) Vale Cuatro",
        ["Los Ordenados", "La Yunta", "Vale Cuatro"],
        numbered(1, 2, 3),
    ),
    "dashes": Chat("- Los Ordenados\n-La Yunta", ["Los Ordenados", "La Yunta"], numbered(1, 2)),
    "number and dash": Chat(
        "1 - Los Ordenados\n2- La Yunta", ["Los Ordenados", "La Yunta"], numbered(1, 2)
    ),
    "bullets": Chat("• Los Ordenados\n• La Yunta", ["Los Ordenados", "La Yunta"], numbered(1, 2)),
    "emoji": Chat(
        "9️⃣ Los Ordenados\n🔟 La Yunta\n1️⃣1️⃣ Vale Cuatro",
        ["Los Ordenados", "La Yunta", "Vale Cuatro"],
        numbered(1, 2, 3),
    ),
    "ticks and numbers": Chat(
        "✅ 1. Los Ordenados\n✅ 2. La Yunta", ["Los Ordenados", "La Yunta"], numbered(1, 2)
    ),
    "title above numbers": Chat(
        "TORNEO 5/12 🏆\n\n1. Los Ordenados\n2. La Yunta",
        ["TORNEO 5/12 🏆", "Los Ordenados", "La Yunta"],
        [(1, "not_numbered"), *numbered(3, 4)],
    ),
    "messages": Chat(
        "[20:15, 21/11/2026] Juan: Los Ordenados\n[20:16, 21/11/2026] +54 9 11 5555-1234: La Yunta",
        ["Los Ordenados", "La Yunta"],
        numbered(1, 2),
    ),
    "exported messages": Chat(
        "21/11/26, 20:15 - Juan: Los Ordenados\n21/11/26, 20:16 - Ana: La Yunta",
        ["Los Ordenados", "La Yunta"],
        numbered(1, 2),
    ),
    "counted without a dot": Chat(
        "1 Los Ordenados\n2 La Yunta\n3 7 Bravos",
        ["Los Ordenados", "La Yunta", "7 Bravos"],
        numbered(1, 2, 3),
    ),
    "one number": Chat("1. FC\nLos Pibes\nSur", ["1. FC", "Los Pibes", "Sur"], [(1, "mark_kept")]),
    "numbers that are names": Chat(
        "33 Orientales\n7 Bravos\n9 de Julio", ["33 Orientales", "7 Bravos", "9 de Julio"], []
    ),
    "thousands": Chat("10.000 Leguas\n20.000 Leguas", ["10.000 Leguas", "20.000 Leguas"], []),
}


@pytest.mark.parametrize("name", CHATS)
def test_numbers_and_signs_of_a_chat_are_asked_about_line_by_line(name: str) -> None:
    text, names, questions = CHATS[name]
    found = read_entries(text, Played(format_of({})).state)
    assert found.errors == ()
    assert [each.name for each in found.entries] == names
    asked = [(each.line, each.fault.value) for each in found.questions]
    assert asked == questions


def test_a_number_in_a_cell_of_its_own_is_no_name() -> None:
    text = "1\tLos Ordenados\tAna Ruiz\tLuis Paz\n2\tVale Cuatro\tEva Sosa\tRaúl Gil\n"
    found = read_entries(text, Played(format_of({})).state)
    assert found.entries == (ORDENADOS, Enter("Vale Cuatro", ("Eva Sosa", "Raúl Gil")))
    assert [(each.text, each.other_text) for each in found.questions] == [
        ("1 Los Ordenados", "Los Ordenados"),
        ("2 Vale Cuatro", "Vale Cuatro"),
    ]


def test_a_numbered_team_keeps_its_quoted_cells() -> None:
    text = '1. "Pibes, Los",Ana,Luis\n"2. Yunta, La",Eva,Raúl'
    found = read_entries(text, Played(format_of({})).state)
    assert found.entries == (
        Enter("Pibes, Los", ("Ana", "Luis")),
        Enter("Yunta, La", ("Eva", "Raúl")),
    )


PROPER = [
    "La Peña",
    "Ñandúes",
    "JOSÉ ÁVILA",
    "García",
    "à la cour",
    "Coração",
    "«Ñoño» 🏆",
    "O – K",
]
WRITTEN_AS = ("cp1252", "latin-1", "mac_roman", "cp850", "cp437")


@pytest.mark.parametrize("encoding", WRITTEN_AS)
@pytest.mark.parametrize("name", PROPER)
def test_utf_8_that_was_read_as_another_encoding_is_mended_and_asked_about(
    name: str, encoding: str
) -> None:
    spoilt = read_as(name.encode(), encoding)
    found = read_entries(f"{spoilt};Ana;Luis", Played(format_of({})).state)
    assert [each.name for each in found.entries] == [name]
    assert found.questions == (LineReport(1, EntryFault.REPAIRED, spoilt, 0, name),)


def read_as(data: bytes, encoding: str) -> str:
    """What a program shows of bytes: controls, where cp1252 has no letter."""
    lacking = b"\x81\x8d\x8f\x90\x9d" if encoding == "cp1252" else b""
    return "".join(bytes([b]).decode("latin-1" if b in lacking else encoding) for b in data)


def test_a_name_that_was_spoilt_twice_is_mended() -> None:
    spoilt = "La Peña".encode().decode("cp1252").encode().decode("cp1252")
    found = read_entries(spoilt, Played(format_of({})).state)
    assert [each.name for each in found.entries] == ["La Peña"]


@pytest.mark.parametrize("name", ["La Pe\ufffda", "La Pe?a", "Pe¤a", "Mart¡n", "GarcÃa", "ParanÃ "])
def test_letters_that_are_lost_are_asked_about(name: str) -> None:
    found = read_entries(f"La Yunta\n{name}", Played(format_of({})).state)
    assert [each.name for each in found.entries] == ["La Yunta", name.strip()]
    asked = [(each.line, each.fault.value, each.text) for each in found.questions]
    assert asked == [(2, "damaged", name.strip())]


@pytest.mark.parametrize(
    "name", [*PROPER, "JOÃO", "¿Quién?", "¡Truco!", "Ça va", "AÇÃO", "«água»", "Truco?"]
)
def test_proper_letters_are_not_asked_about(name: str) -> None:
    assert read_entries(name, Played(format_of({})).state).questions == ()


def test_equal_seeds_are_asked_about_with_the_team_that_goes_first() -> None:
    played = Played(format_of({}))
    played.do(Enter("La Peña", seed=2))
    text = "Equipo;Semilla\nLos Bb1;1\nLa Yunta;1\nLos Pibes;2\nVale Cuatro;\nContraflor;"
    found = read_entries(text, played.state)
    asked = [(each.line, each.fault.value, each.other, each.limit) for each in found.questions]
    assert asked == [(3, "same_seed", 2, 1), (4, "same_seed", 0, 2)]
    assert [each.other_text for each in found.questions] == ["Los Bb1", "La Peña"]


ODD = [
    ("Los Bb1;Club B;1", ["Club B", "1"]),
    ("Los Pibes;Ana;11 5555-1234", ["11 5555-1234"]),
    ("Los Pibes;Ana;Luis;1155551234", ["1155551234"]),
]


@pytest.mark.parametrize(("text", "asked"), ODD)
def test_a_further_column_never_becomes_players_unasked(text: str, asked: list[str]) -> None:
    found = read_entries(text, Played(format_of({})).state)
    assert found.errors == ()
    assert [each.text for each in found.questions] == asked


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"]
)
def test_a_file_is_read_in_the_encoding_of_its_program(encoding: str) -> None:
    text = "Pareja;Jugador 1;Jugador 2\r\nLa Peña – 2;José;Tião\r\n"
    found = read_entries(decoded(text.encode(encoding)), Played(format_of({})).state)
    assert found[:3] == ((Enter("La Peña – 2", ("José", "Tião")),), (), ())


@pytest.mark.parametrize("data", [b"", b"a", b"\x00", b"\xff\xfe\x00", b"\xd8\x81"])
def test_any_bytes_are_read(data: bytes) -> None:
    assert isinstance(decoded(data), str)


# The time of some patterns is the square of what they search; a cell has a limit in csv.
@pytest.mark.parametrize(
    ("text", "names", "errors"),
    [
        (" " * 199_999, [], []),
        ("\xa0" * 199_998 + "x", ["x"], []),
        ("1" * 199_999, [], ["too_long"]),
        ("é" * 199_999, [], ["too_long"]),
    ],
)
def test_a_list_of_one_long_line_is_answered(
    text: str, names: list[str], errors: list[str]
) -> None:
    found = read_entries(text, Played(format_of({})).state)
    assert [each.name for each in found.entries] == names
    assert [each.fault.value for each in found.errors] == errors
