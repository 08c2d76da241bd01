"""Expected values by rules.md#defaults and rules.md#uruguayan_six."""

from tests.rules.variants import Row, Rulebook

_THREE = "A hand_won; A hand_won; A hand_won"
_FALTA = f"A falta_envido; B quiero; B envido_won; {_THREE}"
_RESTO = f"A flor; B contraflor_resto; A quiero; B flor_won; {_THREE}"
RULEBOOK = Rulebook(
    start=(0, 0),
    target=40,
    half=20,
    truco_won=(2, 0),
    like="uruguayan",
    rows=(
        Row("players", 4, "A flor; A flor; A flor; B no_flor", "9-0", "NO_MORE_FLORES"),
        Row("pica_add", "live", "A hand_won", "39-39", "40-39 A", "39-39"),
        Row("pica_cap", 6, _FALTA, "13-18", "13-14", "10-8"),
        Row("pica_cap", "none", _FALTA, "13-18", "13-38", "10-8"),
        Row("pica_resto_cap", 12, _RESTO, "13-18", "13-20", "10-8"),
        Row("pica_resto_cap", "none", _RESTO, "13-18", "13-40 B", "10-8"),
    ),
)
