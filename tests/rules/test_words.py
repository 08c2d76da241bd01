"""Each word of a stored game is of the first level, or has one of its own.

``first_words.txt`` has the words of the first level. It is never written again: a store with a word
that it lacks is damaged for programs of that level, unless the word has a row in ``words.SINCE``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from scorer.rules import Action, Header, find_variant, read_header, words
from scorer.rules.registry import built_in_ids
from scorer.rules.sheet import KNOWN_TAGS

FIRST = set((Path(__file__).parent / "first_words.txt").read_text(encoding="utf-8").splitlines())
HEADER = '[Variant "gaucho"]\n[Options "target=24"]\n[Mano "A"]\n'


def words_of_program() -> Iterator[str]:
    """All words of this program; a number of an option by its bounds."""
    yield from (f"tag {tag}" for tag in KNOWN_TAGS)
    yield from (f"step {action}" for action in Action)
    for variant in map(find_variant, built_in_ids()):
        yield f"variant {variant.id}"
        if f"variant {variant.id}" in words.SINCE:
            continue  # a game of it is of that level
        for option in variant.options:
            yield f"option {variant.id} {option.key}"
            yield from (
                f"value {variant.id} {option.key}={value}" for value in words.values_of(option)
            )


def test_each_word_of_this_program_has_a_level() -> None:
    new = set(words_of_program()) - FIRST
    missing = new - words.SINCE.keys()
    assert not missing, f"give these a level in scorer/rules/words.py: {sorted(missing)}"
    assert not FIRST & words.SINCE.keys()


def test_the_newest_level_is_that_of_the_newest_word() -> None:
    assert max(words.SINCE.values(), default=1) == words.NEWEST
    assert all(level > 1 for level in words.SINCE.values())


@pytest.mark.parametrize(
    ("word", "level"),
    [
        ("variant gaucho", 2),
        ("option gaucho target", 2),
        ("value gaucho target=24", 2),
        ("value gaucho target=1..99/1", 2),
        ("tag Mano", 2),
        ("step truco", 2),
        ("variant paulista", 1),
        ("value gaucho target=12", 1),
        ("value argentine target=24", 1),
        ("tag Match", 1),
        ("step envido", 1),
    ],
)
def test_a_game_is_of_the_level_of_its_newest_word(
    monkeypatch: pytest.MonkeyPatch, word: str, level: int
) -> None:
    header: Header = read_header(HEADER)
    assert words.level_of(header, ["A truco", "- undo  # A"]) == 1
    monkeypatch.setattr(words, "SINCE", {word: 2})
    assert words.level_of(header, ["A truco", "- undo  # A"]) == level
