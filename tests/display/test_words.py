"""One vocabulary from the labels to the panel; texts that both teams can read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import product

import pytest

from scorer.display import draw_view, tv
from scorer.i18n import languages, sentences, translator
from scorer.makers.labels.sheets import _words
from scorer.phrases import calling
from scorer.rules import Action, Refusal, Side, find_variant, rules_for, variant_ids
from scorer.samples import samples
from scorer.session.input.keymap import buttons
from scorer.session.values.keys import NoticeKey
from scorer.session.values.settings import Layout
from scorer.session.values.shown import Notice
from scorer.session.view.view import View
from scorer.web.report_phrases import viewer_scene
from tests.display.test_catalogues import catalogue
from tests.sampling import sample
from tests.session.rig import SessionRig
from tests.support.settings import settings_with

# Capitals that are no button: units, parts of a computer, marks on the cards of sources.
FREE_GROUPS = (
    *("doctor", "card", "option", "source", "terminal", "front", "trouble"),
    # Of the hall, where nothing has the buttons of a table.
    *("hub", "desk", "phrase", "paper", "entries", "import", "site"),
)
NO_BUTTONS = frozenset(
    {"PDF", "TV", "LED", "QR", "USB", "MB", "HTTPS", "MQTT", "ASCII", "POS", "TM", "BCM"}
)
CAPITALS = re.compile(r"\b[A-ZÀ-Ý]{2,}\b")

# What a panel must not say to one person of one team.
ADDRESSED = {
    "es": r"\b(vos|tú|tu|tus|te|dijiste|tenés|tienes)\b",
    "pt": r"\b(você|teu|tua|seu|sua)\b",
    "ca": r"\b(tu|teu|teua|tens|has)\b",
    "en": r"\b(you|your|yours|yourself)\b",
}
SHARED = (
    "stake", "half", "score", "state", "pending", "winner", "why", "over", "game", "match", "mao",
    "iron", "singing", "question", "answer", "refusal", "notice", "action", "page",
)  # fmt: skip

# Argentine voseo, and words that Venezuelans say otherwise at the table.
ARGENTINE = re.compile(
    r"\b(?:vos|acá|\w{2,}[áéí]s|poné|mirá|apretá|esperá|olvidá|medí|mantené|corregí|probá|usá|hacé"
    r"|partidos?|pardas?|malas|buenas|tantos?|anda|andan|chicharra|saltear|aprieta|apretado)\b",
    re.IGNORECASE,
)
NOT_VOSEO = {"después", "atrás", "través", "demás", "país", "estás", "más", "quizás", "detrás"}
WRITTEN_AS_IS = re.compile(r"{\w+}|\w+=\w+")  # fields; options as they are written in a file
NAMES_OF_OTHERS = ("source.",)  # titles of books

TELEVISION = (640, 360)
FEW = 24  # of the screens, per language
# Presses that lead to each screen with answers or a legend.
SCRIPTS = (
    "A truco",
    "A envido",
    "A flor",
    "A no_quiero hold",
    "A envido, B quiero",
    "menu hold",
    "undo hold",
)


@cache
def labels(language: str) -> frozenset[str]:
    """All words that the labels of both layouts have in this language."""
    return frozenset(
        word
        for layout in Layout
        for name in buttons(layout)
        for text in _words(layout, name, translator(language))
        for word in CAPITALS.findall(text)
    )


@cache
def names_of_buttons() -> frozenset[str]:
    """What an answering button might be called, in any language or variant."""
    answers = (Action.QUIERO, Action.NO_QUIERO, Action.MAO_PLAY, Action.MAO_RUN)
    shouted = {
        word.upper()
        for variant in map(find_variant, variant_ids())
        for action in answers
        for word in variant.word(action).split()
    }
    keys = ("quiero", "no_quiero", "tantos")
    printed = (translator(language)(f"label.{key}") for language in languages() for key in keys)
    return frozenset(shouted).union(*(label.split() for label in printed))


@pytest.mark.parametrize("language", languages())
def test_every_button_named_in_a_text_has_that_label(language: str) -> None:
    wrong = {
        key: found
        for key, text in catalogue(language).items()
        if key.partition(".")[0] not in FREE_GROUPS
        if (found := set(CAPITALS.findall(text)) - labels(language) - NO_BUTTONS)
    }
    assert wrong == {}


@cache
def shown_desks() -> tuple[tuple[str, View], ...]:
    return tuple(desks())


def desks() -> Iterator[tuple[str, View]]:
    for variant, layout, script in product(variant_ids(), Layout, SCRIPTS):
        rules = rules_for(find_variant(variant))
        eve = {Side.A: rules.target - 1, Side.B: 3}
        for score in (None, eve):
            desk = SessionRig(variant, score=score, settings=settings_with(layout=layout))
            desk.do(*script.split(", "))
            yield f"{variant} {layout} {script} {score}", desk.view


@pytest.mark.sampled(1)
@pytest.mark.parametrize("language", languages())
def test_the_buttons_of_every_screen_have_the_labels_of_the_box(language: str) -> None:
    foreign = names_of_buttons() - labels(language)
    for where, view in sample(shown_desks(), FEW, turn=languages().index(language)):
        pictures = draw_view(view, language), tv.draw_view(view, language, TELEVISION)
        texts = [text for picture in pictures if picture is not None for text in picture.texts]
        said = {word for text in texts for word in CAPITALS.findall(text)}
        assert said & foreign == set(), where


@pytest.mark.parametrize("language", languages())
def test_pages_call_the_answering_buttons_as_the_box_does(language: str) -> None:
    for where, view in shown_desks():
        for button in calling.answer_buttons(viewer_scene(view, translator(language), "A")):
            assert set(button.split()) <= labels(language), where


def test_no_is_named_as_a_hold_where_it_has_no_button() -> None:
    texts = {}
    for layout, variant in product(Layout, ("argentine", "paulista")):
        desk = SessionRig(variant, settings=settings_with(layout=layout))
        view = desk.view._replace(notice=Notice(NoticeKey.QUESTION))
        texts[layout, variant] = draw_view(view, "es-AR").texts[-1]
    assert texts == {
        (Layout.FULL, "argentine"): "primero: QUIERO o NO QUIERO",
        (Layout.FULL, "paulista"): "primero: QUIERO o NO QUIERO",
        (Layout.COMPACT, "argentine"): "primero: QUIERO o mantener QUIERO",
        (Layout.COMPACT, "paulista"): "primero: QUIERO o NO QUIERO",
    }


@pytest.mark.sampled(1)
@pytest.mark.parametrize("language", languages())
def test_a_hold_fits_wherever_no_is_named(language: str) -> None:
    notices = (None, Notice(NoticeKey.QUESTION), Notice(Refusal.FLOR_OR_NO, urgent=True))
    for turn, (name, view) in enumerate(samples().items()):
        held = view._replace(is_no_held=True)
        # What is not covered by a notice in both sizes, of the notices one.
        for size in ((128, 64), (128, 32)):
            for notice in (None, *sample(notices[1:], 1, turn=turn)):
                canvas = draw_view(held._replace(notice=notice), language, size)
                assert canvas.overflow == [], name


@pytest.mark.parametrize("language", languages())
def test_no_text_of_a_panel_addresses_one_person(language: str) -> None:
    address = re.compile(ADDRESSED[language.partition("-")[0]], re.IGNORECASE)
    texts = catalogue(language)
    assert [
        (key, text)
        for key, text in texts.items()
        if key.partition(".")[0] in SHARED and address.search(text)
    ] == []


def test_venezuela_is_not_spoken_to_in_the_words_of_argentina() -> None:
    shown = sentences("es-VE", "")
    found = {
        key: words
        for key, text in shown.items()
        if not key.startswith(NAMES_OF_OTHERS)
        if (
            words := set(map(str.lower, ARGENTINE.findall(WRITTEN_AS_IS.sub("", text)))) - NOT_VOSEO
        )
    }
    assert found == {}


def test_the_words_of_every_sample_are_those_of_a_variant() -> None:
    spoken = {
        tuple(variant.word(action) for action in (Action.QUIERO, Action.NO_QUIERO, Action.FOLD))
        for variant in map(find_variant, variant_ids())
    }
    assert {(view.accept, view.refuse, view.fold) for view in samples().values()} <= spoken


@pytest.mark.parametrize(
    ("variant", "language", "hint", "reason"),
    [
        ("argentine", "es-AR", "al mazo: mantené apretado", "se fueron al mazo"),
        ("paulista", "pt-BR", "correr: segure apertado", "correram"),
        ("gaucho", "pt-BR", "ao baralho: segure apertado", "foram ao baralho"),
        ("valencian", "ca", "me'n vaig: mantín premut", "se n'han anat"),
        ("venezuelan", "es-VE", "al mazo: mantén presionado", "se fueron al mazo"),
    ],
)
def test_folding_has_the_word_of_the_variant(
    variant: str, language: str, hint: str, reason: str
) -> None:
    desk = SessionRig(variant)
    desk.do("A no_quiero")
    assert draw_view(desk.view, language).texts[-1] == hint
    desk.do("A no_quiero hold")
    if desk.view.question is not None:
        desk.do("A quiero")
    assert any(text.startswith(reason) for text in draw_view(desk.view, language).texts)


def test_a_refused_press_does_not_read_as_done() -> None:
    done = {"es": "ya está", "pt": "já foi", "ca": "ja està", "en": "done"}
    for language in languages():
        text = catalogue(language)["notice.slap"]
        assert done[language.partition("-")[0]] not in text


@pytest.mark.parametrize("language", languages())
def test_no_name_is_joined_with_of(language: str) -> None:
    """The preposition and the name contract: "de Eles" is deles, "de Ells" is d'Ells."""
    joined = re.compile(r"\b(de|of) \{(side|gallo|side_to)\}")
    texts = catalogue(language)
    assert [key for key, text in texts.items() if joined.search(text)] == []


def test_nothing_yet_is_said_without_a_half() -> None:
    view = SessionRig().view
    for language, said in (("es-AR", "en cero"), ("ca", "a zero"), ("en", "zero")):
        assert draw_view(view, language).texts.count(said) == 2


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("A truco, A quiero", ("responde: Ellos", "responde: Nosotros")),
        (
            "A truco, B quiero, wait 3, A truco",
            ("tiene la palabra: Ellos", "tiene la palabra: Nosotros"),
        ),
    ],
)
def test_a_refusal_names_the_side_that_may_speak_on_both_panels(
    script: str, said: tuple[str, str]
) -> None:
    desk = SessionRig()
    desk.do(*script.split(", "))
    texts = [draw_view(desk.view, "es-AR", left_side=mine).texts[-1] for mine in (0, 1)]
    assert tuple(texts) == said


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", ["Los Pibes del Fondo", "Asociación Vecinal de Villa del Parque"])
def test_the_title_of_a_win_is_not_abbreviated(language: str, name: str) -> None:
    """A long name loses the verb, then its last words; no word becomes an initial."""
    view = samples()["game_over"]
    sides = tuple(side._replace(name=name) for side in view.sides)
    for size in ((128, 64), (128, 32)):
        title = draw_view(view._replace(sides=sides), language, size).texts[0]
        assert "." not in title
        assert name.split()[0].upper() in title


# One form for each word, in the whole interface of a language.
OTHER_FORMS = {
    # Central Catalan; the texts are in the forms of the Acadèmia Valenciana de la Llengua.
    "ca": r"avui|aquest\w*|d.aquí|seva|seves|\w+(?<!mat)(?<!apar)(?<!\bd)eix|disset|divuit"
    r"|dinou|vuit\w*|surt|surten|full|jocs?(?! fora)|respongui|publiquin|calli|traguis",
    "es-AR": r"aquí",
    "es-UY": r"aquí|tantos?",
    "pt-BR": r"contraflor|[«»]",
}
QUOTED = ("terminal.other_game", "desk.o.list_workbook", "source.sheet")  # another thing


@pytest.mark.parametrize("language", OTHER_FORMS)
def test_a_language_has_one_form_of_each_word(language: str) -> None:
    form = re.compile(rf"(?<!\w)(?:{OTHER_FORMS[language]})(?!\w)", re.IGNORECASE)
    found = {
        key: text
        for key, text in sentences(language, "").items()
        if key not in QUOTED and form.search(WRITTEN_AS_IS.sub("", text))
    }
    assert not found


def test_a_score_of_one_all_is_said_as_one_to_one() -> None:
    said = {level: SessionRig(score={Side.A: level, Side.B: level}).view for level in (1, 12)}
    scene = {level: viewer_scene(view, translator("es-AR"), "A") for level, view in said.items()}
    assert scene[1].score_wordings()[0] == "uno a uno"
    assert scene[12].score_wordings()[0] == "doce iguales"
