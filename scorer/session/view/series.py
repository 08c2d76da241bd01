"""The games of a series by rematches, by name."""

from scorer.rules.rematches import is_decider
from scorer.session.view.view import SeriesGame


def series_game(won: tuple[int, ...] | None) -> SeriesGame | None:
    """The game after these games won; None if it has no name or is no rematch."""
    if won is None:
        return None
    if is_decider(won):
        return SeriesGame.DECIDER
    return SeriesGame.REMATCH if sum(won) == 1 else None
