"""The catalogues: one set of keys, with the same fields in every language."""

from __future__ import annotations

import string
from collections.abc import Mapping

import pytest
from babel.messages import pofile

import scorer.display
import scorer.phrases
from scorer.i18n import (
    DEFAULT_LANGUAGE,
    languages,
    native_name,
    nearest_language,
    terminal_language,
    translator,
)
from scorer.rules.model import Refusal
from scorer.session.values.shown import Screen
from tests.display.message_keys import (
    FILLS,
    OPTIONAL_FILLS,
    found_keys,
    needed_keys,
    unnamed_members,
    used_keys,
)
from tools.catalogues import own_fields, sources

FILES = {source.parts[-3].replace("_", "-"): source for source in sources()}
FALLBACKS = {
    language: header["X-Fallback"]
    for language, source in FILES.items()
    if "X-Fallback" in (header := own_fields(source))
}
MOST_ALIKE = 30  # percent of texts that two languages may share: a copied catalogue shares 100


def written(language: str) -> dict[str, str]:
    """Key to text, as in the ``.po``."""
    with FILES[language].open("rb") as file:
        read = pofile.read_po(file, abort_invalid=True)
    return {str(message.id): str(message.string) for message in read if message.id}


def catalogue(language: str) -> dict[str, str]:
    """Key to text, including the catalogue that it falls back to."""
    below = FALLBACKS.get(language)
    return (catalogue(below) if below else {}) | written(language)


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def test_the_languages_are_the_folders_that_have_a_catalogue() -> None:
    assert sorted(languages()) == sorted(FILES)
    assert languages() == ("es-AR", *languages()[1:])
    related = [language.startswith("es-") for language in languages()]
    assert related == sorted(related, reverse=True), "the regions of the default come first"


@pytest.mark.parametrize("language", FILES)
def test_a_language_says_its_own_name_and_what_it_leans_on(language: str) -> None:
    source = FILES[language]
    text = source.read_text(encoding="utf-8")
    assert own_fields(source).keys() <= {"X-Native-Name", "X-Fallback"}, f"{source}: header"
    assert own_fields(source).get("X-Native-Name"), f'{source}: the header wants "X-Native-Name: "'
    assert f'"Language: {language.replace("-", "_")}\\n"' in text, (
        f"{source}: Language of the header"
    )
    names = [native_name(each) for each in languages()]
    assert names.count(native_name(language)) == 1, f"{source}: another language has this name"
    assert translator("en")(f"language.{language}") == own_fields(source)["X-Native-Name"]
    assert FALLBACKS.get(language, "en") in FILES, f"{source}: X-Fallback is no language"
    assert FALLBACKS.get(FALLBACKS.get(language, "")) is None, f"{source}: X-Fallback leans itself"


@pytest.mark.parametrize("language", languages())
def test_every_language_has_every_key_and_a_text_for_it(language: str) -> None:
    texts, source = catalogue(language), FILES[language]
    english = catalogue("en")
    missing, unknown = sorted(english.keys() - texts.keys()), sorted(texts.keys() - english.keys())
    assert missing == [], f"{source}: write these, or an X-Fallback in its header"
    assert unknown == [], f"{source}: keys of no text in the English catalogue"
    empty = [key for key, text in texts.items() if not text.strip() or text != text.strip()]
    assert empty == [], f"{source}: empty, or with a space at an end"


@pytest.mark.parametrize("language", sorted(FILES.keys() - FALLBACKS - {DEFAULT_LANGUAGE}))
def test_a_catalogue_is_translated(language: str) -> None:
    """Short words and units may be the same in two languages; most texts are not."""
    own = written(language)
    for other in sorted(FILES.keys() - FALLBACKS.keys() - {language}):
        theirs = written(other)
        alike = [key for key, text in own.items() if text == theirs.get(key)]
        percent = 100 * len(alike) // max(1, len(own))
        assert percent < MOST_ALIKE, (
            f"{FILES[language]}: {percent} % of the texts are those of {other}; translate them, "
            f"or leave them out and write X-Fallback: {other} into the header"
        )


@pytest.mark.parametrize("language", FALLBACKS)
def test_a_region_has_only_what_is_said_otherwise_there(language: str) -> None:
    below = catalogue(FALLBACKS[language])
    assert [key for key, text in written(language).items() if text == below.get(key)] == []


def test_what_a_region_does_not_say_otherwise_is_said_as_below() -> None:
    say = translator("es-VE")
    assert say("half.malas", number=3) == "3 malos"
    assert say("pending.owes", side="Ellos") == "responde: Ellos"


@pytest.mark.parametrize("language", languages())
def test_a_text_uses_the_same_fields_in_every_language(language: str) -> None:
    english = catalogue("en")
    texts = catalogue(language)
    assert {key: fields(text) for key, text in texts.items()} == {
        key: fields(text) for key, text in english.items()
    }


@pytest.mark.parametrize("language", languages())
def test_a_short_reason_names_its_call_as_the_long_one_does(language: str) -> None:
    texts = catalogue(language)
    for key in texts:
        if key.startswith("why.short."):
            assert fields(texts[key]) == fields(texts[key.replace("short.", "")]), key


@pytest.mark.parametrize("language", languages())
def test_every_key_in_the_code_has_a_text(language: str) -> None:
    texts = catalogue(language)
    missing = {key: where for key, where in needed_keys().items() if key not in texts}
    assert missing == {}, f"write it into {FILES[language]}"


@pytest.mark.parametrize("language", languages())
def test_every_text_is_used_by_the_code(language: str) -> None:
    unused = catalogue(language).keys() - used_keys()
    assert unused == set(), f"no code has these keys: delete them from {FILES[language]}"


def test_every_key_of_an_enum_is_raised() -> None:
    assert unnamed_members() == [], "no code names these: delete them with their texts"


def test_what_fills_a_template_belongs_to_one_in_the_code() -> None:
    templates = {key for key, _ in found_keys()}
    assert {*FILLS, *OPTIONAL_FILLS} - templates == set()


@pytest.mark.parametrize("language", languages())
def test_a_refusal_says_why_in_five_words(language: str) -> None:
    for reason in Refusal:
        words = translator(language)(f"refusal.{reason}", no="NO QUIERO").split()
        assert 1 <= len(words) <= 5, reason


def test_a_mark_of_the_language_is_kept() -> None:
    for language, letters in (("es-AR", "¿¡áéíóú"), ("pt-BR", "ãçéêóà"), ("ca", "àéèíòç·")):
        text = "".join(catalogue(language).values())
        assert [letter for letter in letters if letter not in text] == []


@pytest.mark.parametrize(
    ("asked", "served"),
    [
        ("es-AR", "es-AR"),
        ("es_AR.UTF-8", "es-AR"),
        ("es-UY", "es-UY"),
        ("es_VE.UTF-8", "es-VE"),
        ("es-CL", "es-AR"),
        ("ca_ES", "ca"),
        ("pt", "pt-BR"),
        ("PT_br", "pt-BR"),
        ("en_GB", "en"),
        ("de-DE", "es-AR"),
        ("C", "es-AR"),
        ("", "es-AR"),
    ],
)
def test_a_language_is_served_by_the_nearest_catalogue(asked: str, served: str) -> None:
    assert nearest_language(asked) == served


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "pt_BR.UTF-8"}, "pt-BR"),
        ({"LANG": "pt_PT"}, "pt-BR"),
        ({"LANG": "es_CL.UTF-8"}, "es-AR"),
        ({"LANG": "en_US.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "pt_BR.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"}, "en"),
        ({"LC_MESSAGES": "pt_BR.UTF-8", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LC_ALL": "", "LANG": "pt_BR.UTF-8"}, "pt-BR"),
    ],
)
def test_a_terminal_has_the_language_of_its_locale_or_english(
    environment: Mapping[str, str], language: str
) -> None:
    assert terminal_language(environment) == language


def test_an_unknown_key_is_shown_rather_than_raised_about() -> None:
    assert translator("es-AR")("notice.nobody_wrote_this", side="Ellos") == (
        "notice.nobody_wrote_this"
    )


def test_a_missing_field_is_left_blank() -> None:
    assert translator("es-AR")("notice.echo") == "a la vez:  primero"


def test_messages_use_the_words_of_the_players() -> None:
    spanish, portuguese = translator("es-AR"), translator("pt-BR")
    assert spanish("refusal.OWN_CALL", side="Ellos") == "responde: Ellos"
    assert spanish("refusal.FLOR_OR_NO", no="NO QUIERO") == "FLOR o NO QUIERO"
    assert spanish("notice.undone", word="truco", side="Ellos") == "deshecho: truco · Ellos"
    assert spanish("half.buenas", number="seis") == "seis buenas"
    assert portuguese("half.malas", number="quinze") == "quinze malas"
    assert portuguese("score.to", mine="onze", theirs="nove") == "onze a nove"


def test_every_screen_has_a_draw_function() -> None:
    missing = set(Screen) - set(scorer.display.SCREENS)
    assert missing == set(), "add its function to SCREENS of scorer/display/__init__.py"
