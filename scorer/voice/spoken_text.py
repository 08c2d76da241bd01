"""The texts of the panel as they are said: numbers in words, no signs."""

from __future__ import annotations

import re
from typing import Final

from scorer.i18n import Say, translator
from scorer.voice.numbers import Form, number_words

# The gender of what is counted, by language; its root otherwise. Both are masculine without a noun.
_POINTS: Final = {"es-VE": Form.FEMININE, "ca": Form.FEMININE}  # piedras, pedres
_HALVES: Final = {
    "es-VE": Form.MASCULINE,
    "es": Form.FEMININE,
    "ca": Form.FEMININE,
    "pt": Form.FEMININE,
}
_GAMES: Final = {"ca": Form.FEMININE}  # cames
_FIGURES: Final = re.compile(r"(?<![\w-])([+-]?)(\d+)(?!\w)")
_TIMES: Final = re.compile(r"\b(\w+) x(\d)\b")  # "flor x2"
_CAPITALS: Final = re.compile(r"\b[^\W\d_]{2,}\b")
_DOT, _PLUS = " · ", " + "
# A team named "Els Pitxers" is "per als Pitxers", the mão of eleven "mà d'onze".
_CONTRACTIONS: Final = {
    "ca": ((re.compile(r"\b(a|de) [Ee]l(s?) "), r"\1l\2 "), (re.compile(r"\bde (?=onze\b)"), "d'"))
}


def spoken_say(language: str) -> Say:
    """``say`` of a language whose fields with numbers are in words.

    It has the words of every number, which the catalogue has for a panel up to twenty, and an
    article before the default name of a side.
    """
    say = translator(language)
    games = _form(_GAMES, language)
    forms = {"points": points_form(language), "won": games, "lost": games}
    genders = {"f": _form(_HALVES, language), "points": forms["points"], "games": games}

    def spoken(key: str, **fields: object) -> str:
        group, _, rest = key.partition(".")
        if group == "number":
            number, _, gender = rest.partition(".")
            return number_words(int(number), language, genders.get(gender, Form.ALONE))
        if group == "side":
            named = {"lamp": "team", "pair": "pair"}.get(rest.partition(".")[0], "player")
            return say(f"voice.{named}", name=say(key).lower())
        words = {
            name: number_words(value, language, forms.get(name, Form.ALONE))
            if isinstance(value, int) and value >= 0
            else value
            for name, value in fields.items()
        }
        return say(key, **words)

    return spoken


def points_form(language: str) -> Form:
    """The form of a number of points."""
    return _form(_POINTS, language)


def _form(forms: dict[str, Form], language: str) -> Form:
    return forms.get(language, forms.get(language.partition("-")[0], Form.ALONE))


def as_spoken(text: str, language: str) -> str:
    """The text without capitals, dots and figures."""
    say, form = translator(language), points_form(language)

    def spell(sign: str, number: int) -> str:
        words = number_words(number, language, form)
        return f"{say('voice.minus')} {words}" if sign == "-" else words

    text = text.replace(_PLUS, f" {say('voice.and')} ")
    text = _TIMES.sub(lambda found: ", ".join([found[1]] * int(found[2])), text)
    text = _FIGURES.sub(lambda found: spell(found[1], int(found[2])), text.replace(_DOT, ", "))
    text = _CAPITALS.sub(lambda found: found[0].lower() if found[0].isupper() else found[0], text)
    for written, said in _CONTRACTIONS.get(language, ()):
        text = written.sub(said, text)
    return " ".join(text.split())
