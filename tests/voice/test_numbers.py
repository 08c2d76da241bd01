"""The words of numbers: whole tables, and agreement with the catalogues."""

from __future__ import annotations

import pytest

from scorer.i18n import languages, translator
from scorer.voice.numbers import Form, number_words

SPANISH = """
cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince
dieciséis diecisiete dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro
veinticinco veintiséis veintisiete veintiocho veintinueve treinta treinta_y_uno treinta_y_dos
treinta_y_tres treinta_y_cuatro treinta_y_cinco treinta_y_seis treinta_y_siete treinta_y_ocho
treinta_y_nueve cuarenta"""
PORTUGUESE = """
zero um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze
dezesseis dezessete dezoito dezenove vinte vinte_e_um vinte_e_dois vinte_e_três vinte_e_quatro
vinte_e_cinco vinte_e_seis vinte_e_sete vinte_e_oito vinte_e_nove trinta trinta_e_um trinta_e_dois
trinta_e_três trinta_e_quatro trinta_e_cinco trinta_e_seis trinta_e_sete trinta_e_oito
trinta_e_nove quarenta"""
CATALAN = """
zero un dos tres quatre cinc sis set huit nou deu onze dotze tretze catorze quinze setze
desset dihuit dènou vint vint-i-un vint-i-dos vint-i-tres vint-i-quatre vint-i-cinc vint-i-sis
vint-i-set vint-i-huit vint-i-nou trenta trenta-un trenta-dos trenta-tres trenta-quatre trenta-cinc
trenta-sis trenta-set trenta-huit trenta-nou quaranta"""
ENGLISH = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
fifteen sixteen seventeen eighteen nineteen twenty twenty-one twenty-two twenty-three twenty-four
twenty-five twenty-six twenty-seven twenty-eight twenty-nine thirty thirty-one thirty-two
thirty-three thirty-four thirty-five thirty-six thirty-seven thirty-eight thirty-nine forty"""
TABLES = {
    "es-AR": SPANISH,
    "es-UY": SPANISH,
    "es-VE": SPANISH,
    "pt-BR": PORTUGUESE,
    "ca": CATALAN,
    "en": ENGLISH,
}

GENDERS = [
    ("es-AR", 1, "un", "una"),
    ("es-AR", 2, "dos", "dos"),
    ("es-AR", 11, "once", "once"),
    ("es-AR", 21, "veintiún", "veintiuna"),
    ("es-AR", 31, "treinta y un", "treinta y una"),
    ("es-VE", 1, "un", "una"),
    ("pt-BR", 1, "um", "uma"),
    ("pt-BR", 2, "dois", "duas"),
    ("pt-BR", 12, "doze", "doze"),
    ("pt-BR", 21, "vinte e um", "vinte e uma"),
    ("pt-BR", 22, "vinte e dois", "vinte e duas"),
    ("ca", 1, "un", "una"),
    ("ca", 2, "dos", "dues"),
    ("ca", 21, "vint-i-un", "vint-i-una"),
    ("ca", 22, "vint-i-dos", "vint-i-dues"),
    ("ca", 31, "trenta-un", "trenta-una"),
    ("ca", 32, "trenta-dos", "trenta-dues"),
    ("en", 1, "one", "one"),
    ("en", 21, "twenty-one", "twenty-one"),
]


def test_every_language_has_a_table() -> None:
    assert set(TABLES) == set(languages())


@pytest.mark.parametrize("language", TABLES)
def test_the_words_from_zero_to_forty(language: str) -> None:
    expected = [word.replace("_", " ") for word in TABLES[language].split()]
    assert [number_words(number, language) for number in range(41)] == expected


@pytest.mark.parametrize(("language", "number", "masculine", "feminine"), GENDERS)
def test_the_gender_of_a_counted_noun(
    language: str, number: int, masculine: str, feminine: str
) -> None:
    assert number_words(number, language, Form.MASCULINE) == masculine
    assert number_words(number, language, Form.FEMININE) == feminine


@pytest.mark.parametrize("language", TABLES)
def test_the_catalogue_has_the_same_words(language: str) -> None:
    say = translator(language)
    for number in range(21):
        assert number_words(number, language) == say(f"number.{number}")


@pytest.mark.parametrize("language", TABLES)
def test_the_words_of_a_language_are_distinct_up_to_ninety_nine(language: str) -> None:
    words = [number_words(number, language) for number in range(100)]
    assert len(set(words)) == 100
    assert not any(character.isdigit() for word in words for character in word)


@pytest.mark.parametrize(("number", "language"), [(-1, "es-AR"), (100, "pt-BR"), (7, "xx")])
def test_other_numbers_and_languages_are_in_figures(number: int, language: str) -> None:
    assert number_words(number, language) == str(number)
