"""Options that contradict each other: combinations that no game is begun with.

A stored game that was begun with one goes on (``sheet.read_header``).
"""

from collections.abc import Iterator

from scorer.rules.variant import ConFlorEnvidoPays, FlorBetRefused, Rules


def contradictions_of(rules: Rules) -> Iterator[str]:
    """One sentence per contradiction, which says what to choose."""
    if rules.seating.has_duels and rules.players < 2 * rules.duels:
        yield (
            f"players={rules.players} is too few for duels={rules.duels}: "
            f"choose duels={rules.players // 2}, or players={2 * rules.duels}"
        )
    if rules.con_flor_envido_pays is ConFlorEnvidoPays.SIX:
        if rules.flor_bet_refused is FlorBetRefused.ALL:
            yield (
                "con_flor_envido_pays=six would pay no more than flor_bet_refused=all: "
                "choose con_flor_envido_pays=adds, or flor_bet_refused=own"
            )
        if rules.flor_value > 3:
            yield (
                f"con_flor_envido_pays=six is for flores of 3, not flor_value={rules.flor_value}: "
                "choose con_flor_envido_pays=adds, or flor_value=3"
            )
