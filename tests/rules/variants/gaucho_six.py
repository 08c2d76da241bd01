"""Expected values of gaucho_six, by rules.md#defaults and rules.md#gaucho_six."""

from tests.rules.variants import Row, Rulebook

_THREE = "A hand_won; A hand_won; A hand_won"
_FALTA = f"A falta_envido; B quiero; B envido_won; {_THREE}"
_LEADER = (("falta", "leader_to_target"),)
RULEBOOK = Rulebook(
    start=(0, 0),
    target=24,
    half=12,
    truco_won=(2, 0),
    like="gaucho",
    rows=(
        Row("players", 4, "A flor; A flor; A flor; B no_flor", "9-0", "NO_MORE_FLORES"),
        Row("pica_add", "end", "A hand_won", "24-22 A", "23-22", "23-22"),
        Row("pica_cap", 6, _FALTA, "13-22", "13-14", "10-8", options=_LEADER),
        Row("pica_cap", 10, _FALTA, "13-22", "13-18", "10-8", options=_LEADER),
        Row("duels", 2, "A hand_won; A hand_won; A hand_won", "13-8", "HAND_OVER", "10-8"),
    ),
)
