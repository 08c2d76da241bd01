"""Expected values of amostra_six, by rules.md#defaults and rules.md#amostra."""

from tests.rules.variants import Row, Rulebook

_THREE = "A hand_won; A hand_won; A hand_won"
_FALTA = f"A falta_envido; B quiero; B envido_won; {_THREE}"
_RESTO = f"A flor; B contraflor_resto; A quiero; B flor_won; {_THREE}"
RULEBOOK = Rulebook(
    start=(0, 0),
    target=30,
    half=15,
    truco_won=(2, 0),
    like="uruguayan",
    rows=(
        Row("players", 4, "A flor; A flor; A flor; B no_flor", "9-0", "NO_MORE_FLORES"),
        Row("pica_cap", 6, _FALTA, "13-18", "13-14", "10-8"),
        Row("pica_cap", "none", _FALTA, "13-18", "13-28", "10-8"),
        Row("pica_resto_cap", 12, _RESTO, "13-18", "13-20", "10-8"),
        Row("pica_resto_cap", "none", _RESTO, "13-18", "13-30 B", "10-8"),
        Row("pica_add", "live", "A hand_won", "29-29", "30-29 A", "29-29"),
        Row("falta_cap", False, "A envido 5; B quiero; B envido_won", "28-22", "28-25", "28-20",
            options=(("free_envido", True),)),
    ),
)  # fmt: skip
