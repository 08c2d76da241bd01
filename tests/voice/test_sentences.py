"""What is said of each moment of a game, in six languages."""

from __future__ import annotations

import re
from typing import NamedTuple, cast

import pytest

from scorer.i18n import languages
from scorer.rules import variant_ids
from scorer.session.values.question import AnswerKey, QuestionKey
from scorer.session.values.shown import SeriesGame
from scorer.session.view.view import QuestionView
from scorer.voice.sentences import Speech, TableInfo
from tests.sampling import sample
from tests.voice.spoken_games import NAMES, played, random_presses, said


class Moment(NamedTuple):
    """A game up to a press."""

    variant: str
    start: str
    lines: tuple[str, ...]
    options: str = ""


START = Moment("argentine", "", ())
CALL = Moment("argentine", "A=12 B=9", ("A truco",))
ACCEPTED = Moment("argentine", "A=12 B=9", ("A truco", "B quiero"))
TWO_PRICES = Moment("argentine", "A=12 B=9", ("A falta_envido",))
WHO_WON = Moment("argentine", "A=12 B=9", ("A envido", "B quiero"))
WON = Moment("argentine", "A=12 B=9", ("A falta_envido", "B quiero", "A envido_won"))
REFUSED = Moment("argentine", "A=11 B=9", ("A truco", "B no_quiero"), "buenas=false")
LEVEL = Moment("argentine", "A=11 B=12", ("A truco", "B no_quiero"), "buenas=false")
FOLDED = Moment("argentine", "A=12 B=9", ("B fold",))
HALF = Moment("argentine", "A=15 B=21", ("A truco", "B no_quiero"))
ONE_AWAY = Moment("argentine", "A=28 B=23", ("A truco", "B no_quiero"))
GAME = Moment("argentine", "A=29 B=22", ("A truco", "B no_quiero"))
TRUCO_WAITS = Moment("argentine", "A=12 B=9", ("A truco", "B envido", "A no_quiero"))
TIED = Moment("paulista", "A=1 B=2", ("- all_tied",))
ELEVEN = Moment("paulista", "A=10 B=7", ("A hand_won",))

SENTENCES = {
    START: {
        "es-AR": "cero a cero, son mano Los Pibes.",
        "es-UY": "cero a cero, son mano Los Pibes.",
        "es-VE": "cero a cero, son mano Los Pibes.",
        "pt-BR": "zero a zero, mão: Los Pibes.",
        "ca": "zero a zero, són mà Los Pibes.",
        "en": "nil, nil, Los Pibes are mano.",
    },
    CALL: {
        "es-AR": "¡truco! vale dos.",
        "es-UY": "¡truco! vale dos.",
        "es-VE": "¡truco! vale dos.",
        "pt-BR": "truco! vale dois.",
        "ca": "truco! val dues.",
        "en": "truco! worth two.",
    },
    ACCEPTED: {
        "es-AR": "quiero. vale dos.",
        "es-UY": "quiero. vale dos.",
        "es-VE": "quiero. vale dos.",
        "pt-BR": "quiero. vale dois.",
        "ca": "quiero. val dues.",
        "en": "quiero. worth two.",
    },
    TWO_PRICES: {
        "es-AR": "¡falta envido! vale dieciocho o veintiuno.",
        "es-UY": "¡falta envido! vale dieciocho o veintiuno.",
        "es-VE": "¡falta envido! vale dieciocho o veintiuna.",
        "pt-BR": "falta envido! vale dezoito ou vinte e um.",
        "ca": "falta envido! val dihuit o vint-i-una.",
        "en": "falta envido! worth eighteen or twenty-one.",
    },
    WHO_WON: {
        "es-AR": "quiero. envido: ¿quién?",
        "es-UY": "quiero. envido: ¿quién?",
        "es-VE": "quiero. envido: ¿quién?",
        "pt-BR": "quiero. envido: quem?",
        "ca": "quiero. envido: qui?",
        "en": "quiero. envido: who?",
    },
    WON: {
        "es-AR": "falta envido: dieciocho para Los Pibes. ¡partido para Los Pibes! treinta a "
        "nueve.",
        "es-UY": "falta envido: dieciocho para Los Pibes. ¡partido para Los Pibes! treinta a "
        "nueve.",
        "es-VE": "falta envido: dieciocho piedras para Los Pibes. ¡juego para Los Pibes! treinta"
        " a nueve.",
        "pt-BR": "falta envido: dezoito para Los Pibes. Los Pibes fecharam, trinta a nove!",
        "ca": "falta envido: dihuit per a Los Pibes. cama per a Los Pibes, trenta a nou!",
        "en": "falta envido: eighteen to Los Pibes. game to Los Pibes, thirty, nine.",
    },
    REFUSED: {
        "es-AR": "no quisieron el truco: uno para Los Pibes. doce a nueve, arriba Los Pibes.",
        "es-UY": "no quisieron el truco: uno para Los Pibes. doce a nueve, arriba Los Pibes.",
        "es-VE": "no quisieron el truco: una piedra para Los Pibes. doce a nueve, adelante Los "
        "Pibes.",
        "pt-BR": "correram do truco: um para Los Pibes. doze a nove para Los Pibes.",
        "ca": "no han volgut el truco: una per a Los Pibes. dotze a nou per a Los Pibes.",
        "en": "truco refused: one to Los Pibes. twelve, nine to Los Pibes.",
    },
    LEVEL: {
        "es-AR": "no quisieron el truco: uno para Los Pibes. doce iguales.",
        "es-UY": "no quisieron el truco: uno para Los Pibes. doce iguales.",
        "es-VE": "no quisieron el truco: una piedra para Los Pibes. doce iguales.",
        "pt-BR": "correram do truco: um para Los Pibes. doze a doze, tudo igual.",
        "ca": "no han volgut el truco: una per a Los Pibes. iguals a dotze.",
        "en": "truco refused: one to Los Pibes. twelve all.",
    },
    FOLDED: {
        "es-AR": "se fueron al mazo: dos para Los Pibes. Los Pibes, catorce malas; La Yunta, "
        "nueve malas.",
        "es-UY": "se fueron al mazo: dos para Los Pibes. Los Pibes, catorce malas; La Yunta, "
        "nueve malas.",
        "es-VE": "se fueron al mazo: dos piedras para Los Pibes. Los Pibes, catorce malos; La "
        "Yunta, nueve malos.",
        "pt-BR": "foram ao baralho: dois para Los Pibes. Los Pibes, catorze malas; La "
        "Yunta, nove malas.",
        "ca": "se n'han anat: dues per a Los Pibes. Los Pibes, catorze males; La Yunta, nou males.",
        "en": "folded: two to Los Pibes. Los Pibes, fourteen malas; La Yunta, nine malas.",
    },
    HALF: {
        "es-AR": "no quisieron el truco: uno para Los Pibes. ¡Los Pibes en buenas! La Yunta, "
        "seis buenas; Los Pibes, una buena.",
        "es-UY": "no quisieron el truco: uno para Los Pibes. ¡Los Pibes en buenas! La Yunta, "
        "seis buenas; Los Pibes, una buena.",
        "es-VE": "no quisieron el truco: una piedra para Los Pibes. ¡Los Pibes en buenos! La "
        "Yunta, seis buenos; Los Pibes, un bueno.",
        "pt-BR": "correram do truco: um para Los Pibes. Los Pibes nas boas! La Yunta, seis"
        " boas; Los Pibes, uma boa.",
        "ca": "no han volgut el truco: una per a Los Pibes. Los Pibes a bones! La Yunta, sis "
        "bones; Los Pibes, una bona.",
        "en": "truco refused: one to Los Pibes. Los Pibes in the buenas! La Yunta, six "
        "buenas; Los Pibes, one buena.",
    },
    TIED: {
        "es-AR": "tres pardas. no se anota nada.",
        "es-UY": "tres pardas. no se anota nada.",
        "es-VE": "tres tablas. nadie anota.",
        "pt-BR": "três empatadas. ninguém marca.",
        "ca": "tres empardades. no s'apunta res.",
        "en": "all tied. no score.",
    },
    ELEVEN: {
        "es-AR": "la mano: uno para Los Pibes. once a siete, arriba Los Pibes. mano de once. "
        "deciden Los Pibes.",
        "es-UY": "la mano: uno para Los Pibes. once a siete, arriba Los Pibes. mano de once. "
        "deciden Los Pibes.",
        "es-VE": "la mano: una piedra para Los Pibes. once a siete, adelante Los Pibes. mano de "
        "once. deciden Los Pibes.",
        "pt-BR": "a mão: um para Los Pibes. onze a sete para Los Pibes. mão de onze. decidem Los"
        " Pibes.",
        "ca": "la mà: una per a Los Pibes. onze a set per a Los Pibes. mà d'onze. decidixen "
        "Los Pibes.",
        "en": "the hand: one to Los Pibes. eleven, seven to Los Pibes. hand of eleven. "
        "Los Pibes decide.",
    },
}
CASES = [
    (moment, language, text)
    for moment, texts in SENTENCES.items()
    for language, text in texts.items()
]

# A part of what is said in Argentina.
SPANISH = [
    (
        ONE_AWAY,
        "no quisieron el truco: uno para Los Pibes. Los Pibes, catorce buenas; La Yunta, ocho"
        " buenas. Los Pibes, a una.",
    ),
    (
        GAME,
        "no quisieron el truco: uno para Los Pibes. ¡partido para Los Pibes! treinta a veintidós.",
    ),
    (
        TRUCO_WAITS,
        "no quisieron el envido: uno para La Yunta. Los Pibes, doce malas; La Yunta, diez malas."
        " ¡truco! vale dos.",
    ),
    (Moment("argentine", "", ("A truco", "B retruco")), "¡quiero retruco! vale tres."),
    (Moment("argentine", "", ("A truco", "B quiero", "B retruco")), "¡quiero retruco! vale tres."),
    (
        Moment("argentine", "", ("A falta_envido", "B no_quiero")),
        "no quisieron la falta envido: uno",
    ),
    (Moment("argentine", "A=3 B=2", ("- all_tied",)), "tres pardas, es de la mano: uno para Los"),
    (
        Moment("argentine", "A=3 B=7", ("A concede",)),
        "Los Pibes abandonan. ¡partido para La Yunta!",
    ),
    (
        Moment("argentine", "A=9 B=3", ("- time",)),
        "se acabó el tiempo. ¡partido para Los Pibes! nueve a tres.",
    ),
    (
        Moment("argentine", "", ("A award 30", "- new_hand"), "best_of=3"),
        "¡va la revancha! cero a cero, es mano La Yunta.",
    ),
    (
        # The game begins at a score as the time of its match is over.
        Moment(
            "argentine", "", ("A award 30", "- new_hand; A correct 10; B correct 10"), "best_of=3"
        ),
        "¡va la revancha! iguales en diez malas, es mano La Yunta.",
    ),
    (Moment("argentine", "A=14 B=13", ("B fold",)), "¡Los Pibes en buenas!"),
    (Moment("argentine", "A=3 B=4", ("A truco", "B no_quiero")), "iguales en cuatro malas."),
    (Moment("argentine", "", ("A truco", "B no_quiero")), "Los Pibes, una mala; La Yunta, en cero"),
    (Moment("argentine_flor", "A=3 B=4", ("A flor", "A flor")), "¡flor, flor!"),
    (Moment("uruguayan", "", ("B flor", "B flor", "A con_flor_envido")), "vale cinco u ocho"),
    (
        Moment("venezuelan", "A=22 B=2", ("A truco", "B no_quiero")),
        "Los Pibes están cantando. La Yunta: ¿mejor envite?",
    ),
    (Moment("destantado", "", ("A truco", "B no_quiero", "C no_quiero")), "menos uno para"),
]


@pytest.mark.parametrize(("moment", "language", "text"), CASES)
def test_a_moment_is_said_in_every_language(moment: Moment, language: str, text: str) -> None:
    assert said(played(*moment), language) == text


# A series by rematches: the question after the first game, the starts, the series won.
SERIES = {
    "es-AR": (
        "¿la revancha? quiero los dos.",
        "¡va la revancha!",
        "partidos: uno a uno. ¿el bueno? quiero los dos.",
        "¡va el bueno!",
        "dos a uno: se lo llevan Los Pibes.",
    ),
    "es-UY": (
        "¿la revancha? quiero los dos.",
        "¡va la revancha!",
        "partidos: uno a uno. ¿el bueno? quiero los dos.",
        "¡va el bueno!",
        "dos a uno: se lo llevan Los Pibes.",
    ),
    "es-VE": (
        "¿la revancha? quiero los dos.",
        "¡va la revancha!",
        "juegos: uno a uno. ¿el bonito? quiero los dos.",
        "¡va el bonito!",
        "dos a uno: se lo llevan Los Pibes.",
    ),
    "pt-BR": (
        "a revanche? quero os dois.",
        "é a revanche!",
        "partidas: um a um. a negra? quero os dois.",
        "é a negra!",
        "dois a um: queda para Los Pibes.",
    ),
    "ca": (
        "la revenja? vull els dos.",
        "la revenja!",
        "cames: una a una. desempat? vull els dos.",
        "el desempat!",
        "dues cames a una: partida per a Los Pibes.",
    ),
    "en": (
        "rematch? quiero, both.",
        "the rematch!",
        "games: one to one. decider? quiero, both.",
        "the decider!",
        "two to one: series to Los Pibes.",
    ),
}


@pytest.mark.parametrize(("language", "texts"), SERIES.items())
def test_a_series_by_rematches_is_said(language: str, texts: tuple[str, ...]) -> None:
    first = played("argentine", "", ("A award 30",))
    second = played("argentine", "", ("B award 30",), rematches="A=1 B=0")
    third = played("argentine", "", ("A award 30",), rematches="A=1 B=1")
    heard = (
        said(first, language, next_game=SeriesGame.REMATCH),
        said(played("argentine", "", (), rematches="A=1 B=0"), language),
        said(second, language, next_game=SeriesGame.DECIDER),
        said(played("argentine", "", (), rematches="A=1 B=1"), language),
        said(third, language),
    )
    for text, part in zip(heard, texts, strict=True):
        assert part in text
    assert heard[1].startswith(texts[1])
    assert heard[4].endswith(texts[4])


def test_every_language_has_its_sentences() -> None:
    assert set(SERIES) == set(languages())
    for texts in SENTENCES.values():
        assert set(texts) == set(languages())


@pytest.mark.parametrize(("moment", "part"), SPANISH)
def test_a_moment_is_said_as_at_a_table(moment: Moment, part: str) -> None:
    names = ("Los Pibes", "La Yunta", "Ana") if moment.variant == "destantado" else NAMES
    assert part in said(played(*moment), "es-AR", names)


# Three duels of a pica hand, press by press.
DUELS = (
    ("A truco", "¡truco! vale dos."),
    (
        "B no_quiero",
        "no quisieron el truco: uno para Los Pibes. uno a cero, arriba Los Pibes. duelo dos de"
        " tres: dos con cinco.",
    ),
    ("A envido; B quiero", "quiero. envido: ¿quién?"),
    ("B envido_won", "envido: dos para La Yunta. dos a uno, arriba La Yunta."),
    (
        "A hand_won",
        "la mano: uno para Los Pibes. dos iguales. duelo tres de tres: tres con seis.",
    ),
    (
        "A hand_won",
        "la mano: uno para Los Pibes. Los Pibes, tres malas; La Yunta, dos malas.",
    ),
)


def test_each_duel_is_said_with_its_points() -> None:
    for at, (_, text) in enumerate(DUELS, 1):
        record = played("pica_pica", "", [line for line, _ in DUELS[:at]], "hand_kind=pica")
        assert said(record, "es-AR") == text


def test_an_undo_in_a_duel_says_the_duel() -> None:
    game = played("pica_pica", "A=5 B=5", ("A truco", "B no_quiero"), "hand_kind=pica").game
    assert Speech("es-AR").of_undo(game, TableInfo(NAMES), is_redo=False) == (
        "se deshizo: iguales en cinco malas. uno a cero, arriba Los Pibes. duelo dos de tres: dos"
        " con cinco."
    )


def test_the_hand_of_the_duels_is_announced() -> None:
    record = played("pica_pica", "A=5 B=5", ("A hand_won", "- new_hand"))
    assert said(record, "pt-BR") == "duelo um de três: um com quatro."


UNNAMED = [
    ("es-AR", "no quisieron el truco: uno para los amarillos. doce a nueve, arriba los amarillos."),
    ("pt-BR", "correram do truco: um para os amarelos. doze a nove para os amarelos."),
    ("ca", "no han volgut el truco: una per als grocs. dotze a nou per als grocs."),
    ("en", "truco refused: one to yellow. twelve, nine to yellow."),
]


@pytest.mark.parametrize(("language", "text"), UNNAMED)
def test_a_side_without_a_name_is_called_by_its_lamp(language: str, text: str) -> None:
    assert said(played(*REFUSED), language, ()) == text


def test_a_player_without_a_name_is_called_by_the_seat() -> None:
    record = played("destantado", "", ("A truco", "B no_quiero", "C no_quiero"))
    assert "para el primero" in said(record, "es-AR", ()), said(record, "es-AR", ())


@pytest.mark.parametrize(
    ("language", "undone", "redone"),
    [
        ("es-AR", "se deshizo: once a nueve, arriba", "se rehizo: doce a nueve, arriba"),
        ("pt-BR", "desfeito: onze a nove para", "refeito: doze a nove para"),
        ("ca", "desfet: onze a nou per a", "refet: dotze a nou per a"),
        ("en", "undone: eleven, nine to", "redone: twelve, nine to"),
    ],
)
def test_an_undo_says_the_score_again(language: str, undone: str, redone: str) -> None:
    record, speech, table = played(*REFUSED), Speech(language), TableInfo(NAMES)
    assert speech.of_undo(record.start, table, is_redo=False).startswith(undone)
    assert speech.of_undo(record.game, table, is_redo=True).startswith(redone)


def test_an_undo_says_the_call_that_waits_again() -> None:
    game = played(*CALL).game
    text = Speech("es-AR").of_undo(game, TableInfo(NAMES), is_redo=False)
    assert text == "se deshizo: ¡truco! vale dos."


AGREED = [
    (("A agree",), "es-AR", "Los Pibes: está bien."),
    (("A agree", "B contest"), "pt-BR", "La Yunta contesta."),
    (("A contest",), "en", "Los Pibes contest."),
]


@pytest.mark.parametrize(("lines", "language", "text"), AGREED)
def test_a_side_that_agrees_to_a_result_is_named_without_the_result_again(
    lines: tuple[str, ...], language: str, text: str
) -> None:
    record = played("argentine", "A=29 B=22", ("A truco", "B no_quiero", *lines), match="M1")
    assert said(record, language) == text


# In Brazil: the shutout, a mão de onze that is played, and Venezuela's words beside Argentina's.
BRAZIL = [
    (
        Moment("paulista", "A=9 B=0", ("A truco", "B quiero", "A hand_won")),
        "truco aceito: três para Os Leões. Os Leões fecharam, doze a zero! por baixo da mesa!",
    ),
    (Moment("paulista", "A=11 B=9", ("A mao_play",)), "jogo. vale três."),
    (Moment("paulista", "A=8 B=9", ("A hand_won",)), "nove a nove, tudo igual."),
    (
        Moment("paulista", "A=2 B=0", ("A concede",)),
        "Os Leões desistiram. Ana fechou, zero a dois!",
    ),
]
VENEZUELA = [
    (
        Moment("venezuelan", "", ("A truco", "B no_quiero")),
        "no quisieron el truco: una piedra para Los Pibes. Los Pibes, un malo; La Yunta, en cero.",
    ),
    (
        Moment("venezuelan", "", ("A envido", "B envido_mas 3", "A no_quiero")),
        "no quisieron: dos piedras para La Yunta. La Yunta, dos malos; Los Pibes, en cero.",
    ),
    (
        Moment("venezuelan", "", ("A truco", "B quiero", "B retruco", "A vale_nueve")),
        "¡quiero y vale nueve!",
    ),
]


@pytest.mark.parametrize(("moment", "text"), BRAZIL)
def test_a_moment_is_said_as_in_brazil(moment: Moment, text: str) -> None:
    assert said(played(*moment), "pt-BR", ("Os Leões", "Ana")).endswith(text)


@pytest.mark.parametrize(("moment", "text"), VENEZUELA)
def test_a_moment_is_said_as_in_venezuela(moment: Moment, text: str) -> None:
    assert said(played(*moment), "es-VE") == text


# Starts with a score, with a duel, in a special hand, of three players.
STARTS = [
    (Moment("argentine", "A=3 B=9", ()), "La Yunta, nueve malas; Los Pibes, tres malas. son mano"),
    (
        Moment("argentine", "A=11 B=9", (), "buenas=false"),
        "once a nueve, arriba Los Pibes. son mano",
    ),
    (Moment("argentine", "A=4 B=4", (), "buenas=false"), "cuatro iguales, son mano Los Pibes."),
    (Moment("argentine", "A=29 B=9", ()), "son mano Los Pibes. Los Pibes, a una."),
    (
        Moment("paulista", "A=11 B=9", ()),
        "once a nueve, arriba Los Pibes. mano de once. deciden Los Pibes.",
    ),
    (Moment("argentine", "A=1 B=1", (), "buenas=false"), "uno a uno, son mano Los Pibes."),
    (Moment("paulista", "A=11 B=11", ()), "once iguales, son mano Los Pibes. mano de hierro."),
    (
        Moment("pica_pica", "", (), "hand_kind=pica"),
        "cero a cero. duelo uno de tres: uno con cuatro.",
    ),
]


@pytest.mark.parametrize(("moment", "text"), STARTS)
def test_a_start_says_the_score_once_and_who_begins(moment: Moment, text: str) -> None:
    assert text in said(played(*moment), "es-AR")


QUESTIONS = {
    "es-AR": "al mazo: ¿en la primera? quiero, en la primera: dos para La Yunta. no quiero,"
    " después: uno para La Yunta.",
    "pt-BR": "al mazo: na primeira? quero, na primeira: dois para La Yunta. não quero, depois: um"
    " para La Yunta.",
    "ca": "al mazo: a la primera? vull, a la primera: dues per a La Yunta. no vull, després: una"
    " per a La Yunta.",
    "en": "al mazo: in the first trick? quiero, in the first: two to La Yunta. no quiero, later:"
    " one to La Yunta.",
}


@pytest.mark.parametrize(("language", "text"), QUESTIONS.items())
def test_a_question_is_said_with_what_each_answer_pays(language: str, text: str) -> None:
    question = QuestionView(
        QuestionKey.FOLD_FIRST, AnswerKey.FIRST, AnswerKey.LATER, (1, 2), (1, 1), side=0
    )
    game = played("argentine", "", ()).game
    assert Speech(language).of_question(game, question, TableInfo(NAMES)) == text


# Questions that a panel asks with figures.
SPOKEN_QUESTIONS = [
    (
        QuestionView(
            QuestionKey.BID, AnswerKey.YES_PLAIN, AnswerKey.OTHER, word="real envido 5/2", side=1
        ),
        "La Yunta: ¿real envido, vale cinco? quiero, sí. no quiero, otro.",
    ),
    (
        QuestionView(
            QuestionKey.BID,
            AnswerKey.YES_PLAIN,
            AnswerKey.NOTHING,
            word="falta envido 18-21/1",
            side=0,
        ),
        "Los Pibes: ¿falta envido, vale dieciocho o veintiuno? quiero, sí. no quiero, nada.",
    ),
    (
        QuestionView(
            QuestionKey.BID, AnswerKey.YES_PLAIN, AnswerKey.NOTHING, word="la falta game/1", side=0
        ),
        "Los Pibes: ¿la falta, vale el partido? quiero, sí. no quiero, nada.",
    ),
    (
        QuestionView(QuestionKey.UNDO_FAR, AnswerKey.UNDO, AnswerKey.KEEP, (1, 3), number=7),
        "¿deshacer mano siete: tres para La Yunta? quiero, deshacer. no quiero, dejar.",
    ),
    (
        QuestionView(QuestionKey.DAY, AnswerKey.GO_ON, AnswerKey.NEW),
        "once a nueve, arriba Los Pibes. ¿sigue el partido o va uno nuevo? quiero, sigue."
        " no quiero, nuevo.",
    ),
]


@pytest.mark.parametrize(("question", "text"), SPOKEN_QUESTIONS)
def test_the_figures_of_a_question_are_said_as_sentences(question: QuestionView, text: str) -> None:
    game = played("argentine", "A=11 B=9", (), "buenas=false").game
    assert Speech("es-AR").of_question(game, question, TableInfo(NAMES)) == text


def test_a_catalan_article_contracts_with_the_preposition_before_it() -> None:
    text = said(played(*REFUSED), "ca", ("Els Pitxers", "El Barri"))
    assert text == "no han volgut el truco: una per als Pitxers. dotze a nou per als Pitxers."


def test_every_question_of_the_panel_can_be_said() -> None:
    newer = cast("QuestionKey", "of a newer table")
    game, speech = played("argentine", "", ()).game, Speech("es-AR")
    for key in QuestionKey:
        text = speech.of_question(game, QuestionView(key, "", "", side=0), TableInfo(NAMES))
        assert text.endswith("quiero, sí. no quiero, no."), text
    assert speech.of_question(game, QuestionView(newer, "", ""), TableInfo()) == ""


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("variant", "language"),
    [
        (variant, language)
        for turn, variant in enumerate(variant_ids())
        for language in sample(languages(), 2, turn=turn)
    ],
)
def test_no_figure_sign_or_key_is_left_to_be_read(variant: str, language: str) -> None:
    names = ("Ana", "Bea", "Cid")
    starts = [moment for moment, _ in STARTS if moment.variant == variant]
    for record in (*(played(*moment) for moment in starts), *random_presses(variant)):
        table = TableInfo(names[: len(record.game.rules.scoring_sides)])
        speech = Speech(language)
        for text in (
            said(record, language, table.names),
            speech.of_start(record.start, table),
            speech.of_undo(record.game, table, is_redo=False),
        ):
            assert not re.search(r"[0-9+·–{}_ª]|\b(voice|why|action|number)\.", text), text
            assert not text.startswith((":", ".")), text
