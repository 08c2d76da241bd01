"""Every refusal: a step that causes it in each applicable variant, and its text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pytest

from scorer.api.refusal_messages import SENTENCES
from scorer.i18n import languages, translator
from scorer.rules import History, Refusal, attempt, find_variant, parse_step, variant_ids
from scorer.rules.options import Value
from tests.rules.notation import deal
from tests.rules.variant_words import for_three, in_variant_words
from tests.rules.variants import names_of

BRAZIL = "paulista br_general mineiro"
FLOR = "argentine_flor pica_pica pata_gallo uruguayan venezuelan gaucho"
TWO_CAMPS = f"argentine valencian {FLOR}"  # with an envido and one answer to it
ENVIDO = f"{TWO_CAMPS} destantado"
ALL = f"{ENVIDO} {BRAZIL}"
_NOT_DESTANTADO = f"{TWO_CAMPS} {BRAZIL}"
OF_SIX = frozenset(("uruguayan_six", "gaucho_six", "amostra", "amostra_six"))
_TWO_A_SIDE = "argentine_flor uruguayan venezuelan gaucho"


R = Refusal


class Row(NamedTuple):
    """The last of ``steps`` is refused, in each of these variants."""

    reason: Refusal
    variants: str
    steps: str  # the steps played; the last one is refused
    start: str = ""
    options: tuple[tuple[str, Value], ...] = ()


ROWS = (
    Row(R.GAME_OVER, ALL, "A award 99; A truco"),
    Row(R.GAME_OVER, ALL, "A award 99; - new_hand"),
    Row(R.HAND_OVER, ALL, "A hand_won; B truco"),
    Row(R.ANSWER_FIRST, ALL, "A truco; B hand_won"),
    Row(R.ANSWER_FIRST, ENVIDO, "A envido; B truco"),
    Row(R.ANSWER_FIRST, FLOR, "A flor; B hand_won"),
    Row(R.ANSWER_FIRST, FLOR.replace("venezuelan ", ""), "- first_trick_done; A truco; B flor"),
    Row(R.NOTHING_TO_ANSWER, ALL, "A quiero"),
    Row(R.NOTHING_TO_ANSWER, ALL, "A no_quiero"),
    Row(R.NOTHING_TO_ANSWER, FLOR, "A me_achico"),
    Row(R.OWN_CALL, ALL, "A truco; A quiero"),
    Row(R.OWN_CALL, ENVIDO, "A envido; A falta_envido"),
    Row(R.OWN_CALL, FLOR, "A flor; A no_flor"),
    Row(R.NOT_YOUR_RAISE, _NOT_DESTANTADO, "A truco; B quiero; A retruco"),
    Row(R.NOT_YOUR_RAISE, "destantado", "A truco; B quiero; C quiero; A retruco"),
    Row(R.OUT_OF_ORDER, ALL, "A retruco"),
    Row(R.OUT_OF_ORDER, _NOT_DESTANTADO, "A truco; B quiero; B vale_cuatro"),
    Row(R.OUT_OF_ORDER, ENVIDO, "A falta_envido; B envido"),
    Row(R.TOO_LATE, ALL, "- first_trick_done; - first_trick_done"),
    Row(R.TOO_LATE, "destantado", "A truco; B no_quiero; B quiero"),
    Row(R.ENVIDO_CLOSED, ENVIDO, "- first_trick_done; A envido"),
    Row(R.ENVIDO_CLOSED, TWO_CAMPS, "A envido; B no_quiero; A envido"),
    Row(R.WINNER_FIRST, TWO_CAMPS, "A envido; B quiero; A envido"),
    Row(R.WINNER_FIRST, "venezuelan", "A envido; B quiero; A hand_won; A truco"),
    Row(R.WINNER_FIRST, "destantado", "A envido; B quiero; C no_quiero; A hand_won"),
    Row(R.NO_WINNER_WANTED, ENVIDO, "A envido_won"),
    Row(R.NO_WINNER_WANTED, FLOR, "A flor; A flor_won"),
    Row(R.NO_WINNER_WANTED, "destantado", "A envido; B quiero; C no_quiero; C envido_won"),
    Row(R.DECIDE_FIRST, "paulista br_general", "A hand_won", "11-3"),
    Row(R.DECIDE_FIRST, "mineiro", "A hand_won", "10-3"),
    Row(R.DECIDE_FIRST, "venezuelan", "A envido", "23-3"),
    Row(R.DECIDE_FIRST, BRAZIL, "B mao_run", "11-3"),
    Row(R.NO_RAISING_HERE, "paulista br_general", "A truco", "11-11"),
    Row(R.NO_RAISING_HERE, "mineiro", "A truco", "10-10"),
    Row(R.NO_RAISING_HERE, "br_general", "A mao_play; B truco", "11-3"),
    Row(R.NO_RAISING_HERE, "paulista mineiro", "A mao_play; B seis", "11-3"),
    Row(R.TOO_MUCH, ALL, "A correct 99"),
    Row(R.TOO_MUCH, _NOT_DESTANTADO.replace("pata_gallo ", ""), "- tricks A,A,B"),
    Row(R.TOO_MUCH, "pata_gallo", "- tricks gallo,gallo,pair"),
    Row(R.TOO_MUCH, BRAZIL, "A truco; B seis", "8-9", (("no_useless_raise", True),)),
    Row(R.TOO_MUCH, "venezuelan", "A envido 25"),
    Row(R.TIED, ALL, "- time"),
    Row(R.NOT_IN_THIS_VARIANT, f"{FLOR} argentine destantado {BRAZIL}", "A joc_fora"),
    Row(R.NOT_IN_THIS_VARIANT, "valencian", "A vale_nueve"),
    Row(R.NOT_IN_THIS_VARIANT, BRAZIL, "A envido"),
    Row(R.NOT_IN_THIS_VARIANT, "argentine valencian destantado", "A flor"),
    Row(R.NOT_IN_THIS_VARIANT, "destantado", "A envido_reversed"),
    Row(R.NOTHING_TO_REVERSE, TWO_CAMPS, "A envido_reversed"),
    Row(R.NOTHING_TO_REVERSE, FLOR, "A flor_reversed"),
    Row(R.NOTHING_TO_DECIDE, BRAZIL, "A mao_play"),
    Row(R.FLOR_CLOSED, FLOR.replace("venezuelan ", ""), "- first_trick_done; A flor"),
    Row(R.FLOR_CLOSED, FLOR, "A truco; B quiero; A flor; B no_flor; B flor"),
    Row(R.MUST_PLAY, "venezuelan", "B privo; A no_quiero", "23-22"),
    Row(R.TOO_LATE, "pica_pica", "A truco; - pica"),
    Row(R.FLOR_OR_NO, FLOR, "A flor; B quiero"),
    Row(R.NO_MORE_FLORES, _TWO_A_SIDE, "A flor; A flor; A flor"),
    Row(R.NO_MORE_FLORES, " ".join(sorted(OF_SIX)), "A flor; A flor; A flor; A flor"),
    Row(R.NO_MORE_FLORES, "pata_gallo", "A flor; A flor"),
    Row(R.NO_MORE_FLORES, "pata_gallo", "B flor; B flor; B flor"),
    Row(R.NO_MORE_FLORES, _TWO_A_SIDE, "A flor; A flor", options=(("players", 2),)),
    Row(R.NO_MORE_FLORES, "pica_pica", "A flor; A flor; A flor; A flor"),
    Row(R.NO_MORE_FLORES, "pica_pica", "A flor; A flor; A flor", options=(("duels", 2),)),
    Row(R.NOT_OVER, ALL, "- first_trick_done; - new_hand"),
    Row(R.TOO_LITTLE, ALL, "A award 0"),
    Row(R.TOO_LITTLE, "venezuelan", "A envido 1"),
)  # fmt: skip


def _said(each: object) -> str:
    return f"{each.reason}: {each.steps}" if isinstance(each, Row) else str(each)


def cases() -> Iterator[tuple[str, Row]]:
    """Every row in each of its variants, and in those that are like one of them."""
    for row in ROWS:
        told = set(row.variants.split())
        of_six = OF_SIX if row.variants == _TWO_A_SIDE else frozenset[str]()
        names = (name for name in variant_ids() if name not in of_six)
        yield from ((name, row) for name in names if told & names_of(name))


@pytest.mark.parametrize(("name", "row"), list(cases()), ids=lambda each: _said(each))
def test_a_step_is_refused_for_its_reason(name: str, row: Row) -> None:
    options = dict(row.options)
    if find_variant(name).option("flor") is not None and names_of(name) & set(FLOR.split()):
        options["flor"] = True
    game = deal(name, for_three(name, row.start) if row.start else "", "A", **options)
    *played, last = (in_variant_words(name, text) for text in row.steps.split("; "))
    for text in played:
        answer = attempt(game, parse_step(text, game.rules))
        assert not isinstance(answer, Refusal), text
        game = answer
    assert attempt(game, parse_step(last, game.rules)) is row.reason


def test_undo_and_redo_are_refused_at_the_ends_of_the_history() -> None:
    for name in variant_ids():
        history = History(deal(name))
        undo, redo = (parse_step(text, history.game.rules) for text in ("- undo", "- redo"))
        assert history.play(undo) is Refusal.NOTHING_TO_UNDO
        assert history.play(redo) is Refusal.NOTHING_TO_REDO


def test_every_reason_is_in_the_table() -> None:
    of_the_record = {Refusal.NOTHING_TO_UNDO, Refusal.NOTHING_TO_REDO}
    assert {row.reason for row in ROWS} == set(Refusal) - of_the_record


@pytest.mark.parametrize("name", variant_ids())
def test_every_variant_is_in_the_table(name: str) -> None:
    assert names_of(name) & set(ALL.split()), (
        f"add {name} to the groups at the top of {__file__}, "
        f"or like= to tests/rules/variants/{name}.py"
    )


SAME_IN_PORTUGUESE = {Refusal.OWN_CALL}  # "responde: Ana" is also Spanish


@pytest.mark.parametrize("reason", Refusal)
def test_every_reason_has_a_sentence_in_every_language(reason: Refusal) -> None:
    told = {
        language: translator(language)(f"refusal.{reason}", no="NO") for language in languages()
    }
    assert [language for language, text in told.items() if not text or "refusal." in text] == []
    assert told["en"] != told["es-AR"] and told["en"] != told["pt-BR"]
    assert told["es-AR"] != told["pt-BR"] or reason in SAME_IN_PORTUGUESE
    assert len(SENTENCES[reason]) > 10


def test_no_two_reasons_have_the_same_sentence() -> None:
    """A sentence shared by two reasons would be ambiguous."""
    for language in languages():
        say = translator(language)
        told = [say(f"refusal.{reason}", no="NO") for reason in Refusal]
        assert len(set(told)) == len(told), language
    assert len(set(SENTENCES.values())) == len(SENTENCES)
