"""Expected values of amostra, by rules.md#defaults and rules.md#amostra."""

from tests.rules.variants import Row, Rulebook

_THREE_FLORES = "A flor; A flor; A flor; B no_flor"
RULEBOOK = Rulebook(
    start=(0, 0),
    target=30,
    half=15,
    truco_won=(2, 0),
    like="uruguayan",
    rows=(
        Row("players", 4, _THREE_FLORES, "9-0", "NO_MORE_FLORES"),
        Row("players", 2, "A flor; A flor; B no_flor", "6-0", "NO_MORE_FLORES"),
        # With two points to play for a bid of five counts two.
        Row("falta_cap", False, "A envido 5; B quiero; B envido_won", "28-22", "28-25", "28-20",
            options=(("free_envido", True),)),
    ),
)  # fmt: skip
