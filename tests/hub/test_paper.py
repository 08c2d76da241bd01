"""Paper and spreadsheets of a tournament: their contents, no markup of names."""

from __future__ import annotations

import csv
import re
import time
from html.parser import HTMLParser

import pytest
from markupsafe import Markup

from scorer.hub.paper import KINDS, PAPERS, layout, sheets
from scorer.hub.paper.layout import Block
from scorer.hub.paper.reports import entry_sentences, size_sentences
from scorer.hub.paper.spreadsheets import matches_csv, order_csv, standings_csv, teams_csv
from scorer.hub.times import seconds_of
from scorer.i18n import languages
from scorer.tournament import Result, begin
from scorer.tournament.entry_list import EntryList, read_entries
from scorer.tournament.events import (
    Enter,
    MissRound,
    NameTournament,
    PairRound,
    RecordResult,
    StartPhase,
    Withdraw,
)
from scorer.tournament.model import Ending
from scorer.tournament.pasted_list import EntryFault, LineReport
from scorer.tournament.sizes import ImpossiblePhase, sizes
from tests.hub.boxes import SetClock
from tests.hub.tournament_pages import phrases_of
from tests.plain_values.test_spreadsheet import formulas
from tests.tournament.play import Played, built_in, coin, format_of


def played_result(games: tuple[int, int], points: tuple[int, int]) -> Result:
    return Result(0, games, points)


NAMES = ("x;=cmd", "<script>alert(1)</script>", "الفرسان", "Ñandú & Cía", "x" * 40)
HALL = sheets.Hall(address="https://a.example/e/")


def zones_of(teams: int = 8) -> Played:
    """A tournament whose zones have begun."""
    played = Played(built_in("zones_and_bracket"))
    for at in range(teams):
        name = NAMES[at] if at < len(NAMES) else f"Equipo {at}"
        people = (f"Ana {at}", f"Luis {at}")
        played.do(Enter(name, people, club="=cmd"))
    played.draw().do(StartPhase("zonas"))
    return played


def bracket_of(played: Played) -> Played:
    """The same with the first round of its bracket played."""
    played.play_phase("zonas", coin(3))
    played.do(StartPhase("llave"))
    played.play_open("llave", coin(4))
    return played


def page_of(blocks: list[Block]) -> str:
    """The sheets of blocks on A4."""
    return layout.sheets(blocks, Markup(), "A4")


class Balance(HTMLParser):
    """Compares the tags that open with those that close."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.add(tag)
        if tag not in ("meta", "br", "path"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag != "path":
            assert self.open.pop() == tag


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("kind", KINDS)
def test_a_page_is_whole_and_has_no_markup_of_a_name(kind: str, language: str) -> None:
    phrases = phrases_of(bracket_of(zones_of()), language)
    page = sheets.document(phrases, kind, HALL, "A4", "<style></style>")
    balance = Balance(page)
    assert balance.open == []
    assert "script" not in balance.tags
    assert not re.search(r"paper\.|entries\.", page)
    if kind not in ("brackets", "labels", "blank-sheets", "finder", "pairings", "diplomas"):
        assert "&lt;script&gt;" in page
        assert "<bdi>الفرسان</bdi>" in page


def test_a_paper_that_printers_lack_is_a_broken_contract() -> None:
    assert "size: Letter" in sheets.style_sheet("Letter")
    with pytest.raises(ValueError, match="A4, Letter"):
        sheets.style_sheet("A5")


@pytest.mark.parametrize("count", range(1, 8))
def test_the_stack_of_score_sheets_is_in_order_after_the_cut(count: int) -> None:
    played = zones_of()
    matches = list(played.state.matches())[:count]
    page = page_of(sheets.score_sheets(phrases_of(played, "en"), matches))
    cut = [re.findall(r"Z\d-R\d-M\d", each) for each in page.split("<section")[1:]]
    upper = [each[0] for each in cut]
    lower = [each[1] for each in cut if len(each) > 1]
    assert [*upper, *lower] == [each.id.removeprefix("zonas-") for each in matches]


def test_score_sheets_are_in_the_order_of_the_tables() -> None:
    played = zones_of()
    ids = [each.id for each in played.state.matches()][:4]
    tables = {ids[3]: 2, ids[1]: 10}
    page = page_of(
        sheets.score_sheets(phrases_of(played, "en"), list(played.state.matches())[:4], tables)
    )
    cut = [re.findall(r"Z\d-R\d-M\d", each) for each in page.split("<section")[1:]]
    found = [cut[0][0], cut[1][0], cut[0][1], cut[1][1]]
    assert found == [ids[at].removeprefix("zonas-") for at in (3, 1, 0, 2)]
    assert re.findall(r"<b>(\d+|____)</b>", page) == ["2", "____", "10", "____"]


# The games of a phase, its result, and what its sheet shows of both sides.
SCORES = [
    ({}, played_result((1, 0), (30, 17)), [["30"], ["17"]], ["1 ✓ 30", "0 17"]),
    ({"best_of": 3}, played_result((2, 1), (80, 74)), [[""] * 3, [""] * 3], ["2 ✓ 80", "1 74"]),
    ({}, Result(0, (1, 0), (30, 0), Ending.WALKOVER), [[""], [""]], ["1 ✓ 30", "0 0"]),
    ({}, Result(1, (0, 1), (0, 0), Ending.DECIDED), [[""], [""]], ["0 ", "1 ✓ "]),
]


@pytest.mark.parametrize(("keys", "result", "cells", "totals"), SCORES)
def test_a_filled_score_sheet_has_the_points(
    keys: dict[str, object], result: Result, cells: list[list[str]], totals: list[str]
) -> None:
    played = Played(format_of(keys), 2).draw()
    played.do(StartPhase("a"))
    played.do(RecordResult("a-R1-M1", result))
    phrases = phrases_of(played, "en")
    page = page_of(sheets.score_sheets(phrases, list(played.state.matches()), filled=True))
    rows = page.split("<tr>")[2:]
    assert [re.findall(r"class=points>(.*?)<", each) for each in rows] == cells
    found = [re.findall(r"class=total>(.*?)<br><small>(?:<bdi>Points (\d+))?", e) for e in rows]
    assert [" ".join(each[0]) for each in found] == totals


@pytest.mark.parametrize(
    ("variant", "word"),
    [("argentine", "Chico"), ("gaucho", "Perna"), ("paulista", "Queda"), ("uruguayan", "Chico")],
)
def test_a_game_has_the_word_of_its_truco(variant: str, word: str) -> None:
    played = Played(format_of({"variant": variant, "target": 12, "best_of": 3}), 2).draw()
    played.do(StartPhase("a"))
    page = page_of(sheets.score_sheets(phrases_of(played, "es-AR"), list(played.state.matches())))
    assert [f"{word}</bdi> {at}" in page for at in (1, 2, 3, 4)] == [True, True, True, False]


def test_the_complete_set_has_every_match_and_an_empty_bracket() -> None:
    played = zones_of(32)
    page = page_of(sheets.complete_set(phrases_of(played, "pt-BR")))
    assert len(list(played.state.matches())) == 48
    assert page.count("Súmula") == 48 + 16, "those of the bracket too"
    assert "<bdi>Vencedor de R1-M1</bdi>" in page
    assert page.count("Rodada 1</bdi></h2>") == 1
    assert "<bdi>R4-M1</bdi>" in page
    assert "<bdi>16.</bdi>" in page


TITLES = {"es-AR": "Llave", "pt-BR": "Chave", "en": "Bracket"}


def test_the_heading_of_a_phase_named_like_its_kind_has_one_word() -> None:
    played = Played(built_in("lnt"), 40).draw().play(coin(2))
    pages = {
        name: page_of(sheets.blocks(phrases_of(played, name), "brackets", HALL)) for name in TITLES
    }
    for name, title in TITLES.items():
        assert f"<h2><bdi>{title} · Fase final</bdi></h2>" in pages[name]
        named = phrases_of(bracket_of(zones_of()), name)
        page = page_of(sheets.blocks(named, "brackets", HALL))
        assert f"<h2><bdi>{title}</bdi></h2>" in page


def test_the_titles_of_our_own_formats_are_in_the_language_of_the_page() -> None:
    phrases = phrases_of(zones_of(), "pt-BR")
    page = sheets.document(phrases, "zones", HALL, "A4")
    assert "<title>Grupos e chave</title>" in page
    assert "<bdi>Grupos · Grupo 1</bdi>" in page
    found = sizes(built_in("swiss"), 4)
    assert isinstance(found, ImpossiblePhase)
    assert size_sentences(built_in("swiss"), found, "pt-BR") == [
        "Suíço: 5 rodadas sem repetir adversário são impossíveis; dá para jogar 3.",
        "O mais próximo que serve: 5 equipes.",
    ]


def test_a_match_that_was_played_needs_no_sheet() -> None:
    played = zones_of()
    played.play_open("zonas", coin(1))
    phrases = phrases_of(played, "en")
    page = page_of(sheets.complete_set(phrases))
    assert "Score sheet</bdi></b> <bdi>R1-M1" in page
    assert "Score sheet</bdi></b> <bdi>Z" not in page
    assert "<bdi>Z" not in page_of(sheets.blocks(phrases, "blank-sheets", HALL))


def test_a_night_without_power_has_the_sheets_of_rounds_that_are_not_paired() -> None:
    played = Played(built_in("swiss"), 9).draw()
    page = page_of(sheets.complete_set(phrases_of(played, "en")))
    assert page.count("Score sheet") == 5 * 4
    assert "<bdi>R5-M4</bdi>" in page


def test_a_large_bracket_has_all_matches_on_pages_of_sixteen() -> None:
    played = Played(format_of({}), 64).draw()
    played.do(StartPhase("a"))
    page = page_of(sheets.bracket(phrases_of(played, "en"), played.phase("a")))
    pages = page.split("<section")[1:]
    assert len(pages) == 2
    shown = re.findall(r"<small><bdi>(R\d-M\d+)", page)
    assert sorted(shown) == sorted(each.id.removeprefix("a-") for each in played.state.matches())


def test_tables_have_their_labels() -> None:
    played = zones_of()
    phrases, tables = phrases_of(played, "en"), {"zonas-Z1-R1-M1": 77}
    assert "<bdi>77</bdi>" in page_of(sheets.fixtures(phrases, played.phase("zonas"), 1, tables))
    assert page_of(sheets.box_labels(phrases, range(1, 10))).count("<section") == 2


def cells_of(page: str, key: str) -> list[str]:
    """What the cells of a column show, from the top."""
    found = re.findall(rf"<td class={key}>(?:<bdi>)?([^<]*)", page)
    return [*found]


def test_each_team_finds_its_table_by_its_name_on_paper() -> None:
    names = ("Zorro", "álamo", "El Ancho", "Ñandú", "Barro", "ZETA", "Nube")
    played = Played(built_in("swiss"))
    for name in names:
        played.do(Enter(name))
    played.draw().do(StartPhase("suizo"))
    played.do(MissRound("suizo", 1, 2))
    played.do(MissRound("suizo", 1, 3))
    played.do(PairRound("suizo"))
    first, second = (match.id for match in played.state.matches())
    one, other = played.reader.sides(second)
    assert one and other
    played.win(second, one)
    phrases = phrases_of(played)
    page = page_of(sheets.pairings(phrases, {first: 12}))
    assert cells_of(page, "who") == ["álamo", "Barro", "El Ancho", "Ñandú", "Nube", "ZETA", "Zorro"]
    against = dict(zip(cells_of(page, "who"), cells_of(page, "opponent"), strict=True))
    tables = dict(zip(cells_of(page, "who"), cells_of(page, "table"), strict=True))
    # Free is who wins the round, missing who loses it: two words.
    assert against["álamo"] == against["El Ancho"] == "no juega esta ronda"
    assert [against[each] for each in names].count("libre esta ronda") == 1
    for match in (first, second):
        ours, theirs = map(phrases.team, played.reader.sides(match))
        assert (against[ours], against[theirs]) == (theirs, ours)
    assert [tables[phrases.team(each)] for each in played.reader.sides(first)] == ["12", "12"]
    # A match that is over has its result, and no table.
    assert tables[phrases.team(one)] == phrases.result(played.state.match(second)) != ""  # type: ignore[arg-type]
    assert "Quién juega dónde · Suizo · Ronda 1" in page
    while played.play_open("suizo", coin(1)) or played.next_round("suizo"):
        pass
    assert sheets.pairings(phrases_of(played)) == []


def test_forty_eight_pairs_find_themselves_on_two_sheets() -> None:
    played = Played(built_in("swiss"))
    for at in range(48):
        played.do(Enter(f"Los Pibes del Fondo {at}"))
    played.draw().do(StartPhase("suizo"))
    played.do(PairRound("suizo"))
    page = page_of(sheets.pairings(phrases_of(played)))
    assert (page.count("<section>"), page.count("<td class=who>")) == (2, 48)


def test_standings_and_the_final_order_name_players_who_agree() -> None:
    played = Played(built_in("swiss"))
    played.do(Enter("Uno", ("Ana Ruiz", "Beto Sol"), consents=True))
    for at, name in enumerate(("Dos", "Tres", "Cuatro", "Cinco", "Seis")):
        played.do(Enter(name, (f"Zoilo {at}", f"Eva {at}")))
    played.draw().do(StartPhase("suizo"))
    for kind, key in (("standings", "team"), ("order", "who")):
        page = page_of(sheets.blocks(phrases_of(played), kind, HALL))
        cells = cells_of(page, key)
        assert sorted(cells)[-1] == "Uno\nAna Ruiz, Beto Sol" and "Zoilo" not in page


def test_the_final_order_has_all_teams_over_all_phases() -> None:
    played = Played(built_in("zones_and_bracket"), 12).draw()
    played.play_phase("zonas", coin(1))
    played.do(StartPhase("llave"))
    assert "Orden hasta ahora" in page_of(sheets.final_order(phrases_of(played)))
    played.play_phase("llave", coin(2))
    phrases = phrases_of(played)
    page = page_of(sheets.final_order(phrases))
    assert "Orden final" in page
    assert cells_of(page, "rank") == ["1", "2", "3", "4", "5–6", "5–6", *map(str, range(7, 13))]
    assert cells_of(page, "who")[0] == phrases.champion
    assert cells_of(page, "phase") == ["Llave"] * 6 + ["Zonas"] * 6


@pytest.mark.parametrize("language", languages())
def test_the_first_places_get_a_diploma_once_all_is_over(language: str) -> None:
    played = Played(built_in("zones_and_bracket"))
    for at in range(12):
        played.do(Enter(f"Equipo {at}", (f"Ana {at}", f"Luis {at}")))
    played.do(NameTournament("Copa", "2026-11-28"))
    played.draw().play_phase("zonas", coin(1))
    hall = HALL._replace(name="Club Sur")
    assert sheets.blocks(phrases_of(played, language), "diplomas", hall) == []
    played.play_phase("llave", coin(2))
    phrases = phrases_of(played, language)
    page = sheets.document(phrases, "diplomas", hall, "A4")
    found = [re.sub("<[^>]*>", " ", each) for each in page.split("<div class=diploma>")[1:]]
    assert len(found) == page.count("<section>") == 3
    for rank, (text, place) in enumerate(zip(found, phrases.reader.final_order(), strict=False), 1):
        team = phrases.state.teams[place.team]
        said = (phrases.say("paper.diploma.place", n=rank), team.name, " · ".join(team.players))
        assert all(each in text for each in (*said, "Copa", phrases.date, "Club Sur"))


# ---- spreadsheets -------------------------------------------------------------------------------


def rows_of(data: bytes) -> list[list[str]]:
    text = data.decode("utf-8")
    assert text.startswith("\ufeff")
    separator = text.split('"', 3)[2]
    return list(csv.reader(text[1:].splitlines(), delimiter=separator))


@pytest.mark.parametrize("language", languages())
def test_a_table_of_teams_is_read_as_the_same_teams(language: str) -> None:
    played = Played(built_in("zones_and_bracket"), 6, clubs=2, seeds=3)
    played.do(Enter("Los Pibes, del Fondo", ("Ana", "Luis"), ("Eva",), "Club Sur"))
    data = teams_csv(phrases_of(played, language))
    found = read_entries(data.decode(), begin(played.state.format))
    assert (found.errors, list(found.entries)) == (
        (),
        [e for e in played.log if e in found.entries],
    )
    assert len(found.entries) == 7


@pytest.mark.parametrize("language", languages())
def test_no_cell_of_a_table_is_a_formula(language: str) -> None:
    played = bracket_of(zones_of())
    phrases = phrases_of(played, language)
    tables = [teams_csv(phrases), matches_csv(phrases)]
    tables += [standings_csv(phrases, played.phase(each)) for each in ("zonas", "llave")]
    tables.append(order_csv(phrases))
    for table in tables:
        assert len({len(row) for row in rows_of(table)}) == 1
        assert formulas(table.decode()) == []
    assert "'=cmd" in tables[0].decode() and "x;'=cmd" in tables[1].decode()
    assert len(rows_of(tables[1])) == len(list(played.state.matches())) + 1


def test_standings_of_several_evenings_can_be_put_together() -> None:
    played = Played(built_in("zones_and_bracket"))
    for at in range(6):
        played.do(Enter(f"Equipo {at}", (f"Ana {at}", f"Luis {at}"), club="Sur"))
    played.do(NameTournament("Copa", "2026-11-28", "B"))
    played.draw().play(coin(1))
    phrases = phrases_of(played)
    zones, order = standings_csv(phrases, played.phase("zonas")), order_csv(phrases)
    for head, *rows in (rows_of(zones), rows_of(order)):
        assert head[:2] == ["Torneo", "Fecha"]
        assert {(row[0], row[1]) for row in rows} == {(phrases.title, "2026-11-28")}
        at = head.index("Jugador 1")
        assert sorted(row[at : at + 2] for row in rows) == [
            [f"Ana {n}", f"Luis {n}"] for n in range(6)
        ]
    assert [row[2] for row in rows_of(order)[1:]] == ["1", "2", "3", "4", "5", "6"]
    # What was saved is a list of teams again.
    found = read_entries(order.decode(), begin(played.state.format))
    assert found.errors == ()
    assert {(each.name, each.players, each.club) for each in found.entries} == {
        (f"Equipo {n}", (f"Ana {n}", f"Luis {n}"), "Sur") for n in range(6)
    }


# ---- sentences ----------------------------------------------------------------------------------


def test_a_report_names_both_lines_and_isolates_letters_from_right_to_left() -> None:
    one, other = "الفرسار", "الفرسان"
    report = LineReport(3, EntryFault.SIMILAR, one, 1, other)
    found = EntryList((), (LineReport(2, EntryFault.NO_NAME),), (report,))
    assert entry_sentences(found, "es-AR") == [
        "Línea 2: el equipo no tiene nombre",
        f"Línea 3: ¿«\u2068{one}\u2069» es otro equipo que «\u2068{other}\u2069» (línea 1)?",
    ]


def test_an_impossible_size_says_what_would_work() -> None:
    format_ = format_of({"kind": "rounds", "rounds": 5, "pairing": "swiss"})
    found = sizes(format_, 4)
    assert isinstance(found, ImpossiblePhase)
    assert size_sentences(format_, found, "en") == [
        "a: 5 rounds without a rematch are impossible; 3 are possible.",
        "Nearest numbers of teams that work: 5.",
    ]


@pytest.mark.parametrize(("teams", "proposed"), [(32, 0), (33, 6), (64, 6), (65, 7), (200, 8)])
def test_a_swiss_phase_with_few_rounds_is_answered_with_a_proposal(
    teams: int, proposed: int
) -> None:
    format_ = format_of({"kind": "rounds", "rounds": 5, "pairing": "swiss"})
    warning = (
        f"a: after 5 rounds several of {teams} teams may be unbeaten. Proposed: {proposed} rounds."
    )
    found = size_sentences(format_, sizes(format_, teams), "en")
    assert found == ([warning] if proposed else [])


@pytest.mark.parametrize(("teams", "is_sure"), [(10, True), (11, False), (14, False), (15, True)])
def test_rounds_that_may_have_no_pairing_are_announced(teams: int, is_sure: bool) -> None:
    format_ = format_of({"kind": "rounds", "rounds": 8, "pairing": "swiss"})
    warning = (
        f"a: 8 rounds for {teams} teams: the last ones may have no pairing without a rematch."
        f" Up to {(teams + 1) // 2} rounds always have one."
    )
    found = size_sentences(format_, sizes(format_, teams), "en")
    assert found == ([] if is_sure else [warning])


def test_a_play_off_is_on_the_papers_of_its_zone_and_by_its_name() -> None:
    played = Played(format_of({"id": "a", "kind": "zones", "tiebreaks": ["playoff", "draw"]}), 3)
    played.draw().do(StartPhase("a"))
    while played.play_open("a", coin(1)):
        pass
    played.do(PairRound("a"))
    phrases = phrases_of(played, "es-AR")
    assert "Desempate" in page_of(sheets.zone_sheet(phrases, played.phase("a"), 1))
    assert "Desempate" in page_of(sheets.blocks(phrases, "fixtures", HALL))
    assert "Zona 1 · Desempate" in matches_csv(phrases).decode()


# ---- sheets -------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("paper", PAPERS)
def test_every_sheet_has_hall_tournament_date_and_its_number(kind: str, paper: str) -> None:
    played = bracket_of(zones_of(16))
    if kind == "diplomas":
        played.play_phase("llave", coin(5))
    phrases = phrases_of(played, "es-AR")
    hall = sheets.Hall(
        numbers=tuple(range(1, 17)),
        address="http://a/e/",
        name="Club <Sur>",
        printed="impreso 27/11/2026 21:05",
    )
    page = sheets.document(phrases, kind, hall, paper)
    found = page.split("<section>")[1:]
    assert found
    for number, each in enumerate(found, 1):
        assert each.startswith(
            "<p class=head><span><bdi>Club &lt;Sur&gt;</bdi> · <bdi>Zonas y llave</bdi></span>"
            f"<span><bdi>impreso 27/11/2026 21:05</bdi></span><b>{number}/{len(found)}</b></p>"
        )
        # What is cut in halves has it on both.
        assert each.count("27/11/2026") == (2 if each.count("<article>") == 2 else 1)


def test_the_time_of_printing_is_that_of_a_clock_that_was_set(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TZ", "America/Argentina/Buenos_Aires")
    time.tzset()
    phrases = phrases_of(zones_of(), "es-AR")
    clock = SetClock(seconds_of("2026-11-28T00:05:00Z"))
    assert sheets.printed_text(phrases, clock) == "impreso 27/11/2026 21:05"
    clock.is_trusted = False
    assert sheets.printed_text(phrases, clock) == "fecha ____ / ____ / ________"
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(
    ("kind", "expected"), [("standings", 4), ("zones", 6), ("posters", 6), ("brackets", 1)]
)
def test_a_tournament_of_48_teams_needs_few_sheets(kind: str, expected: int) -> None:
    played = Played(built_in("zones_and_bracket"))
    for at in range(48):
        played.do(Enter(f"Los Pibes del Fondo {at}"))
    played.draw().do(StartPhase("zonas"))
    phrases = phrases_of(bracket_of(played), "es-AR")
    page = sheets.document(phrases, kind, HALL, "A4")
    assert page.count("<section>") == expected
    if kind == "posters":
        assert page.count("<svg") == 48


def test_a_block_begins_a_sheet_where_it_would_not_fit() -> None:
    half, whole = Block(Markup("a"), 140.0), Block(Markup("s"), 10.0, is_sheet=True)
    small = Block(Markup("b"), 100.0)
    page = page_of([half, small, half, whole, small])
    assert [re.sub("<.*?>", "", each) for each in page.split("<section>")[1:]] == [
        "1/4ab\n",
        "2/4a\n",
        "3/4s\n",
        "4/4b\n",
    ]


def test_paper_and_spreadsheets_name_what_is_annulled_and_who_has_left() -> None:
    played = zones_of(8)
    first = played.open_matches("zonas")[0]
    team = played.reader.sides(first)[1]
    assert team is not None
    played.win(first, team)
    played.do(Withdraw(team, "lesión", ("zonas",)))
    phrases = phrases_of(played)
    phase, name = played.phase("zonas"), phrases.team(team)
    zone = played.state.match(first).group  # type: ignore[union-attr]
    shown = page_of(sheets.zone_sheet(phrases, phase, zone))
    assert shown.count("1–30 (anulado)") == 1 and shown.count(">anulado<") == 2
    ranked = page_of(sheets.standings(phrases, phase))
    assert f"{name} (se retiró)" in re.sub("<[^>]*>", "", ranked)
    rows = list(csv.reader(matches_csv(phrases).decode("utf-8-sig").splitlines(), delimiter=";"))
    annulled = [row for row in rows if row[-1] == "anulado"]
    assert len(annulled) == 3 and all(row[5] == "" for row in annulled)
    (last,) = [row for row in rows_of(standings_csv(phrases, phase)) if name in row]
    assert last[3] == "4" and {*last[7:]} == {""}


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("zones_and_bracket", "brackets"),
        ("zones_and_bracket", "standings"),
        ("zones_and_bracket", "set"),
        ("double", "brackets"),
        ("swiss", "standings"),
    ],
)
def test_paper_of_a_tournament_that_is_over_names_the_champion_once(name: str, kind: str) -> None:
    played = Played(built_in(name), 8).draw()
    *before, last = played.state.format.phases
    for phase in before:
        played.play_phase(phase.id, coin(1))
    played.do(StartPhase(last.id))

    def shown() -> str:
        page = sheets.document(phrases_of(played), kind, HALL, "A4", style="<style></style>")
        return re.sub("<[^>]*>", "", page)

    assert "Campeones" not in shown()
    played.play_phase(last.id, coin(2))
    champion = played.state.teams[played.order(last.id)[0]].name
    assert shown().count(f"Campeones: {champion}") == 1
    assert shown().count("Campeones") == 1
