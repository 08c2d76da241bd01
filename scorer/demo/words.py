"""What the terminal around the panel says, in the languages of the interface, by key."""

from __future__ import annotations

from collections.abc import Mapping

from scorer.locale import known

_WORDS: Mapping[str, tuple[str, str, str]] = {
    #               es-AR                      pt-BR                      en
    "keys":       ("mayúscula: mantener · Alt+letra: los dos",
                   "maiúscula: segurar · Alt+letra: os dois",
                   "capital: hold · Alt+letter: both teams"),
    "panel":      ("Tab: otro panel",          "Tab: outro painel",       "Tab: other panel"),
    "unplug":     ("F8: cable del panel",      "F8: cabo do painel",      "F8: panel cable"),
    "cut":        ("F9: corte de luz",         "F9: queda de luz",        "F9: power cut"),
    "quit":       ("F10: salir",               "F10: sair",               "F10: quit"),
    "dark":       ("sin luz: ya vuelve",       "sem luz: já volta",       "no power: wait"),
    "small":      ("agrandá la ventana",       "aumente a janela",        "enlarge the window"),
    "unplugged":  ("desenchufado",             "desligado",               "unplugged"),
    "taken":      ("anotado",                  "anotado",                 "taken"),
    "refused":    ("rechazado",                "recusado",                "refused"),
    "guarded":    ("no cuenta",                "não conta",               "guarded"),
    "question":   ("pregunta",                 "pergunta",                "question"),
    "woke":       ("despertó",                 "acordou",                 "woke"),
}  # fmt: skip
_LANGUAGES = ("es-AR", "pt-BR", "en")


def words_in(language: str) -> dict[str, str]:
    """All words in the language nearest to ``language``; English where there is no table."""
    name = known(language)
    column = _LANGUAGES.index(name) if name in _LANGUAGES else _LANGUAGES.index("en")
    return {key: row[column] for key, row in _WORDS.items()}
