"""Compare the names of people and teams as they are typed in lists.

Capitals, accents, blanks and where the surname stands make no other name: "Pérez, Juan" and "PEREZ
JUAN" are "Juan Pérez". One wrong letter makes names alike: whether they are one is asked, never
taken for granted. In a word of under five letters that is a letter of the same sound, a letter
twice or two that are exchanged; any other one makes another name, as in Ana and Eva, Vera and Vega.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")

_LEAST_ALIKE = 5  # letters of a name, and of a word in which any letter may be wrong
_SAME_SOUND = frozenset(map(frozenset, "bv ck cs cz gj iy sz".split()))
_KEPT = 8192  # names whose parts are known
# Also the accents that are typed for it.
_APOSTROPHE = re.compile(r"(?<=\w)['`\u00b4\u02bc\u2018\u2019](?=\w)")
# They number the teams of a club, as a single letter does.
_ROMAN = frozenset("ii iii iv vi vii viii ix".split())
_MENS_ENDINGS = ("l", "n", "r", "s")  # to which a woman's name adds an a
# Words between names, in Spanish, Portuguese, Catalan and English.
_PARTICLES = frozenset("a al and da das de del do dos e el els i la las les los o os the y".split())


class Likeness(StrEnum):
    """How two names compare."""

    SAME = "same"
    ALIKE = "alike"  # a wrong letter, or a blank in a word: to be asked about
    OTHER = "other"


def likeness(one: str, other: str) -> Likeness:
    """How two names compare."""
    if name_key(one) == name_key(other):
        return Likeness.SAME
    return Likeness.ALIKE if _are_alike(_parts(one), _parts(other)) else Likeness.OTHER


def name_key(name: str) -> str:
    """What the same names have in common; its own key."""
    return _parts(name).key


class NameIndex(Generic[T]):
    """Names with a value each, found by a name like theirs."""

    def __init__(self, named: Iterable[tuple[str, T]] = ()) -> None:
        self._names: list[tuple[_Parts, T]] = []
        self._by_key: dict[str, list[int]] = defaultdict(list)
        self._by_spelling: dict[str, list[int]] = defaultdict(list)
        for name, value in named:
            self.add(name, value)

    def add(self, name: str, value: T) -> None:
        """Add a name; one that is added twice is found twice."""
        at, parts = len(self._names), _parts(name)
        self._names.append((parts, value))
        self._by_key[parts.key].append(at)
        for spelling in parts.spellings:
            self._by_spelling[spelling].append(at)

    def find(self, name: str) -> list[tuple[Likeness, T]]:
        """The values of the same names, then of those that are alike, as added."""
        parts = _parts(name)
        same = self._by_key.get(parts.key, ())
        near = {at for each in parts.spellings for at in self._by_spelling.get(each, ())}
        alike = (
            at for at in sorted(near.difference(same)) if _are_alike(parts, self._names[at][0])
        )
        return [
            *((Likeness.SAME, self._names[at][1]) for at in same),
            *((Likeness.ALIKE, self._names[at][1]) for at in alike),
        ]


# ---- texts --------------------------------------------------------------------------------------


def plain(text: str) -> str:
    """The text in small letters, without accents."""
    # Some signs become capitals, and some capitals become signs.
    parts = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return "".join(c for c in parts if not unicodedata.combining(c))


def plain_words(text: str) -> list[str]:
    """The plain words of a text, without punctuation."""
    return re.findall(r"[^\W_]+", plain(text))


def words_found(text: str) -> list[str]:
    """The plain words by which a text is found: "D'Artagnan" as one word and as two."""
    return list(dict.fromkeys([*words_of(text), *plain_words(text)]))


def name_words(name: str) -> list[str]:
    """The words by which a name is found, without those between names such as "de"."""
    return [word for word in words_found(name) if word not in _PARTICLES]


def is_word_alike(one: str, other: str) -> bool:
    """Whether two plain words differ by one wrong letter."""
    if len(one) > len(other):
        one, other = other, one
    if one == other or len(other) - len(one) > 1:
        return False
    at = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(one))
    if len(one) < len(other):
        is_twice = other[at] == other[at - 1 : at]
        return one[at:] == other[at + 1 :] and (is_twice or len(one) >= _LEAST_ALIKE)
    if one[at + 1 :] == other[at + 1 :]:
        is_same_sound = frozenset((one[at], other[at])) in _SAME_SOUND
        return is_same_sound or len(one) >= _LEAST_ALIKE
    return one[:at] + one[at + 1 : at + 2] + one[at] + one[at + 2 :] == other


def names_text(names: Iterable[str]) -> str:
    """The names in a row, parted by semicolons if one is "Pérez, Juan"."""
    listed = [*names]
    return ("; " if any("," in each for each in listed) else ", ").join(listed)


@lru_cache(maxsize=_KEPT)
def folded(name: str) -> str:
    """A name in which capitals and spaces make no difference.

    By it a tournament refuses a name twice: an answer to a question may keep apart what
    ``likeness`` asks about.
    """
    return " ".join(name.casefold().split())


# ---- parts of a name ----------------------------------------------------------------------------


class _Parts(NamedTuple):
    """``marks``: numbers and single letters, meant to differ; ``words``: the others.

    ``letters``: of the words in their order. Names that are alike have one of ``spellings`` in
    common.
    """

    key: str
    marks: tuple[str, ...]
    words: tuple[str, ...]
    letters: str
    spellings: tuple[str, ...]


def words_of(name: str) -> list[str]:
    """The plain words of a name, without punctuation; "D'Artagnan" is one."""
    return plain_words(_APOSTROPHE.sub("", name))


@lru_cache(maxsize=_KEPT)
def _parts(name: str) -> _Parts:
    before, comma, after = name.partition(",")
    listed = [*words_of(after), *words_of(before)] if comma else words_of(name)
    # Where the surname stands makes no difference, the order of given names does.
    turned = min((listed[at:] + listed[:at] for at in range(len(listed))), default=[])
    marks = sorted(
        each for word in listed for each in ([word] if _is_mark(word) else re.findall(r"\d+", word))
    )
    words = [re.sub(r"\d+", "", word) for word in listed if not _is_mark(word)]
    letters = "".join(words)
    key = " ".join(turned) or folded(name)
    found: tuple[str, ...] = ()
    if len(letters) >= _LEAST_ALIKE:
        # With the marks: a hundred teams may differ by their number alone.
        found = tuple(" ".join((*marks, each)) for each in _spellings(words))
    return _Parts(key, tuple(marks), tuple(words), letters, found)


def _is_mark(word: str) -> bool:
    return len(word) == 1 or word in _ROMAN


def _spellings(words: Sequence[str]) -> Iterator[str]:
    """The letters, and the words of which one lacks a letter or none."""
    yield "".join(words)
    for at, word in enumerate(words):
        rest = " ".join(sorted([*words[:at], *words[at + 1 :]]))
        for spelled in dict.fromkeys([word, *(word[:i] + word[i + 1 :] for i in range(len(word)))]):
            yield f"{rest} {spelled}"


def _are_alike(one: _Parts, other: _Parts) -> bool:
    if one.marks != other.marks or min(len(one.letters), len(other.letters)) < _LEAST_ALIKE:
        return False
    first, second = Counter(one.words), Counter(other.words)
    differing = [*(first - second).elements()], [*(second - first).elements()]
    if [*map(len, differing)] != [1, 1]:
        return one.letters == other.letters
    [word], [its] = differing
    return is_word_alike(word, its) and not _are_two_genders(word, its)


def _are_two_genders(one: str, other: str) -> bool:
    """Whether they differ as Mario and María do, or Martín and Martina."""
    if len(one) > len(other):
        one, other = other, one
    is_other_ending = one[:-1] == other[:-1] and {one[-1:], other[-1:]} == {"a", "o"}
    return is_other_ending or (f"{one}a" == other and one[-1:] in _MENS_ENDINGS)
