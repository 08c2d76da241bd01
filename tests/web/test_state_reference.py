"""docs/reference/state.md and its schema have the program's keys and words."""

from __future__ import annotations

import json

from scorer.rules import (
    Phase,
    Refusal,
    Side,
    Start,
    find_variant,
    new_game,
    rules_for,
    state_document,
)
from scorer.rules.model import PointsReason
from scorer.session.play import questions
from scorer.session.values.question import AnswerKey, QuestionKey, question_document
from tests.docs.reading import blocks, rows_with, section, text_of, words
from tests.web.contract import STATE

OPTIONAL = {"faults", "is_next_hand_shown", "next_game", "question", "rematches", "rule_change"}
PAGE = text_of("state.md")


def listed(anchor: str, head: str) -> list[str]:
    """The words in one column of the table behind ``anchor``."""
    return [word for row in rows_with(section(PAGE, anchor), head) for word in words(row[head])]


def test_the_page_the_schema_and_the_document_have_the_same_keys() -> None:
    document = state_document(
        new_game(Start(rules_for(find_variant("argentine")), rematches=(1, 0)))
    )
    of_the_rules = [*listed("game-keys", "Key"), *listed("hand-keys", "Key")]
    differing = set(of_the_rules) ^ set(document)
    assert differing == set(), "in docs/reference/state.md or in scorer/rules/document.py, not both"
    assert len(set(of_the_rules)) == len(of_the_rules)
    whole = [*of_the_rules, *listed("table-keys", "Key")]
    differing = set(whole) ^ set(STATE["properties"])
    assert differing == set(), "in docs/reference/state.md or in api/state.schema.json, not both"
    assert sorted(STATE["required"]) == sorted({*whole} - OPTIONAL)


def test_the_page_lists_every_phase_reason_and_refusal() -> None:
    assert sorted(listed("phase", "Phase")) == sorted(Phase)
    assert sorted(listed("why", "`why`")) == sorted(PointsReason)
    assert sorted(listed("refusals", "Reason")) == sorted(Refusal)
    assert sorted(STATE["properties"]["phase"]["enum"]) == sorted(Phase)


def test_the_page_lists_the_keys_of_a_pending_call() -> None:
    pending = STATE["properties"]["pending"]["anyOf"][1]
    assert sorted(listed("pending", "Key")) == sorted(pending["properties"])
    (example,) = [json.loads(each) for each in blocks(section(PAGE, "pending"), "json")]
    assert sorted(example) == sorted(pending["required"])


def test_the_page_lists_every_question_and_its_answers() -> None:
    named = rows_with(PAGE, "`key`", "Question")
    assert {word for row in named for word in words(row["`key`"])} == set(QuestionKey)
    answers = {word for row in named for head in ("`yes`", "`no`") for word in words(row[head])}
    assert answers <= set(AnswerKey)


def test_the_example_of_a_question_has_its_keys() -> None:
    (example,) = [json.loads(each) for each in blocks(PAGE.partition('id="question"')[2], "json")]
    assert sorted(example) == sorted(
        question_document(questions.same_game(), (Side.A, Side.B), ((), ()))
    )
    assert sorted(example) == sorted(listed("question", "Key"))
    assert sorted(example["yes"]) == ["by", "key", "points", "to"]
