"""The words of numbers from 0 to 99, with their gender, in each language."""

from enum import StrEnum
from typing import Final, NamedTuple


class Form(StrEnum):
    """The form of a number: alone, or counting a masculine or feminine noun."""

    ALONE = ""  # "uno"
    MASCULINE = "m"  # "un tanto"
    FEMININE = "f"  # "una piedra"


class _Numerals(NamedTuple):
    """``small``: 0 to 20; ``tens``: 20 to 90, joined to units by ``others``.

    ``forms``: words that end in the key have another ending before a noun.
    """

    small: tuple[str, ...]
    tens: tuple[str, ...]
    first: str  # between 20 and its units
    others: str
    forms: dict[str, tuple[str, str]]  # the end of a word: masculine, feminine
    special: dict[int, str]  # 21 to 29 that are no simple compound


_SPANISH: Final = _Numerals(
    tuple(
        "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince"
        " dieciséis diecisiete dieciocho diecinueve veinte".split()
    ),
    tuple("veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa".split()),
    "",
    " y ",
    {"veintiuno": ("veintiún", "veintiuna"), "uno": ("un", "una")},
    dict(
        enumerate(
            "veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete"
            " veintiocho veintinueve".split(),
            21,
        )
    ),
)
_PORTUGUESE: Final = _Numerals(
    tuple(
        "zero um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze"
        " dezesseis dezessete dezoito dezenove vinte".split()
    ),
    tuple("vinte trinta quarenta cinquenta sessenta setenta oitenta noventa".split()),
    " e ",
    " e ",
    {"um": ("um", "uma"), "dois": ("dois", "duas")},
    {},
)
_CATALAN: Final = _Numerals(
    tuple(
        "zero un dos tres quatre cinc sis set huit nou deu onze dotze tretze catorze quinze setze"
        " desset dihuit dènou vint".split()
    ),
    tuple("vint trenta quaranta cinquanta seixanta setanta huitanta noranta".split()),
    "-i-",
    "-",
    {"un": ("un", "una"), "dos": ("dos", "dues")},
    {},
)
_ENGLISH: Final = _Numerals(
    tuple(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
        " fifteen sixteen seventeen eighteen nineteen twenty".split()
    ),
    tuple("twenty thirty forty fifty sixty seventy eighty ninety".split()),
    "-",
    "-",
    {},
    {},
)
_NUMERALS: Final = {"es": _SPANISH, "pt": _PORTUGUESE, "ca": _CATALAN, "en": _ENGLISH}


def number_words(number: int, language: str, form: Form = Form.ALONE) -> str:
    """The number in words; in figures above 99 and in unknown languages."""
    numerals = _NUMERALS.get(language.partition("-")[0])
    if numerals is None or not 0 <= number <= 99:
        return str(number)
    word = _masculine_alone(numerals, number)
    if form is Form.ALONE:
        return word
    for end, (masculine, feminine) in numerals.forms.items():
        if word == end or word.endswith((f" {end}", f"-{end}")):
            return word.removesuffix(end) + (masculine if form is Form.MASCULINE else feminine)
    return word


def _masculine_alone(numerals: _Numerals, number: int) -> str:
    if number in numerals.special:
        return numerals.special[number]
    if number < len(numerals.small):
        return numerals.small[number]
    tens, units = divmod(number, 10)
    if not units:
        return numerals.tens[tens - 2]
    joint = numerals.first if tens == 2 else numerals.others
    return f"{numerals.tens[tens - 2]}{joint}{numerals.small[units]}"
