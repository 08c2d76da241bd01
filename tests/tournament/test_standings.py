"""Standings: laws over random records, a second calculation, and worked examples."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

import pytest

from scorer.tournament.format import Criterion as C
from scorer.tournament.standings import Outing, RankedTeam, Scoring, rank
from tests.sampling import amount

CHAINS = {
    "zones": (C.WINS, C.MET, C.GAMES_DIFFERENCE, C.POINTS_DIFFERENCE, C.POINTS_FOR, C.DRAW),
    "draws": (C.SCORE, C.MET, C.GAMES, C.POINTS_DIFFERENCE, C.WALKOVERS, C.DRAW),
    "swiss": (C.SCORE, C.BUCHHOLZ_CUT, C.BUCHHOLZ, C.SONNEBORN_BERGER, C.MET, C.DRAW),
    "met first": (C.MET, C.WINS, C.DRAW),
    "play-off": (C.WINS, C.MET, C.PLAYOFF, C.DRAW),
}  # fmt: skip
SCORING = Scoring(2, 1, 0)


class Game(NamedTuple):
    """One match on paper; ``other`` 0: a bye; ``absent``: sides 0, 1 or both."""

    round: int
    one: int
    other: int
    games: tuple[int, int] = (0, 0)
    points: tuple[int, int] = (0, 0)
    absent: tuple[int, ...] = ()


def random_games(rng: random.Random, teams: int, rounds: int) -> list[Game]:
    """Rounds of random pairs with few different results, so that many teams are tied."""
    games = []
    for number in range(1, rounds + 1):
        order = rng.sample(range(1, teams + 1), teams)
        while order:
            one = order.pop()
            if not order or rng.random() < 0.05:
                games.append(Game(number, one, 0, absent=(0,) if rng.random() < 0.5 else ()))
                continue
            other = order.pop()
            if rng.random() < 0.1:
                games.append(Game(number, one, other, absent=rng.choice([(0,), (1,), (0, 1)])))
            else:
                both = rng.choice([(1, 0), (0, 1), (1, 1)])
                games.append(Game(number, one, other, both, rng.choice([(3, 1), (1, 3), (2, 2)])))
    return games


def record_of(games: Sequence[Game], teams: Sequence[int]) -> dict[int, list[Outing]]:
    return {team: [outing_of(g, team) for g in games if team in (g.one, g.other)] for team in teams}


def outing_of(game: Game, team: int) -> Outing:
    at = 0 if team == game.one else 1
    score = score_of(game, team)
    return Outing(
        opponent=(game.other, game.one)[at],
        score=score,
        games=(game.games[at], game.games[1 - at]),
        points=(game.points[at], game.points[1 - at]),
        is_won=score == SCORING.win,
        is_played=bool(game.other) and not game.absent,
        is_absence=at in game.absent,
    )


# ---- the second calculation: each criterion as the reference defines it, compared two by two -----


def score_of(game: Game, team: int) -> int:
    at = 0 if team == game.one else 1
    if at in game.absent:
        return SCORING.defeat
    if not game.other or game.absent or game.games[at] > game.games[1 - at]:
        return SCORING.win
    return SCORING.draw if game.games[0] == game.games[1] else SCORING.defeat


def of_team(games: Sequence[Game], team: int) -> list[Game]:
    return [game for game in games if team in (game.one, game.other)]


def total(games: Sequence[Game], team: int) -> int:
    return sum(score_of(game, team) for game in of_team(games, team))


def as_opponent(games: Sequence[Game], team: int) -> int:
    """The score, with draws in place of the absences after the last other round."""
    own = of_team(games, team)
    there = [game.round for game in own if (0 if team == game.one else 1) not in game.absent]
    late = [game for game in own if game.round > max(there, default=0)]
    return total(games, team) + len(late) * (SCORING.draw - SCORING.defeat)


def opponents(games: Sequence[Game], team: int) -> list[tuple[int, int]]:
    """For each round the own score, and that of the opponent or of the dummy."""
    found = []
    for game in of_team(games, team):
        opponent = game.one + game.other - team
        dummy = not opponent or bool(game.absent)
        other = total(games, team) if dummy else as_opponent(games, opponent)
        found.append((score_of(game, team), other))
    return found


def slow_value(
    games: Sequence[Game], criterion: C, team: int, drawn: Mapping[int, int]
) -> Fraction:
    def each(pair: str) -> list[tuple[int, int]]:
        pairs = [(getattr(game, pair), game.one == team) for game in of_team(games, team)]
        return [both if first else both[::-1] for both, first in pairs]

    scores = [other for _, other in opponents(games, team)]
    stayed_away = any((0 if g.one == team else 1) in g.absent for g in of_team(games, team))
    cut = total(games, team) if stayed_away else min(scores, default=0)
    values = {
        C.SCORE: total(games, team),
        C.WINS: [score_of(g, team) for g in of_team(games, team)].count(SCORING.win),
        C.GAMES: sum(mine for mine, _ in each("games")),
        C.GAMES_DIFFERENCE: sum(mine - theirs for mine, theirs in each("games")),
        C.POINTS_DIFFERENCE: sum(mine - theirs for mine, theirs in each("points")),
        C.POINTS_FOR: sum(mine for mine, _ in each("points")),
        C.WALKOVERS: -sum((0 if g.one == team else 1) in g.absent for g in of_team(games, team)),
        C.BUCHHOLZ: sum(scores),
        C.BUCHHOLZ_CUT: sum(scores) - cut,
        C.SONNEBORN_BERGER: sum(Fraction(own, 2) * other for own, other in opponents(games, team)),
        C.DRAW: -drawn[team],
    }
    return Fraction(values[criterion])


def slow_met(games: Sequence[Game], tied: Sequence[int]) -> dict[int, Fraction] | None:
    among = [game for game in games if game.one in tied and game.other in tied]
    pairs = {frozenset((game.one, game.other)) for game in among}
    if len(pairs) < len(tied) * (len(tied) - 1) // 2:
        return None
    return {team: Fraction(sum(score_of(g, team) for g in of_team(among, team))) for team in tied}


class PlayOff(NamedTuple):
    """The matches of a play-off on paper; ``gone``: teams that have withdrawn."""

    games: Sequence[Game] = ()
    gone: frozenset[int] = frozenset()


NO_PLAYOFF = PlayOff()


def slow_playoff(playoff: PlayOff, tied: Sequence[int]) -> dict[int, Fraction] | None:
    here = [team for team in tied if team not in playoff.gone]
    won = slow_met(playoff.games, here) if len(here) > 1 else None
    return won and {team: won.get(team, Fraction(-1)) for team in tied}


def slow_order(
    games: Sequence[Game],
    tied: list[int],
    chain: Sequence[C],
    drawn: Mapping[int, int],
    at: int = 0,
    playoff: PlayOff = NO_PLAYOFF,
) -> list[int]:
    if len(tied) < 2 or at == len(chain):
        return tied
    if chain[at] is C.MET:
        values = slow_met(games, tied)
    elif chain[at] is C.PLAYOFF:
        values = slow_playoff(playoff, tied)
    else:
        values = {team: slow_value(games, chain[at], team, drawn) for team in tied}
    if values is None or len(set(values.values())) == 1:
        return slow_order(games, tied, chain, drawn, at + 1, playoff)
    best = max(values.values())
    first = [team for team in tied if values[team] == best]
    others = [team for team in tied if values[team] != best]
    again = {C.MET: 0, C.PLAYOFF: at}.get(chain[at], at + 1)
    ordered = slow_order(games, first, chain, drawn, again, playoff)
    # The others were parted by this criterion as well: compare them by it again.
    while others:
        best = max(values[team] for team in others)
        level = [team for team in others if values[team] == best]
        others = [team for team in others if values[team] != best]
        ordered = [*ordered, *slow_order(games, level, chain, drawn, again, playoff)]
    return ordered


def cases(few: int, most: int) -> list[tuple[list[Game], list[int], dict[int, int]]]:
    rng = random.Random(9)
    found = []
    for _ in range(amount(few, most)):
        number = rng.randrange(2, 12)
        teams = list(range(1, number + 1))
        games = random_games(rng, number, rng.randrange(1, 9))
        if rng.random() < 0.5:
            # All have met, so that MET applies to every group.
            results = [((1, 0), (3, 1)), ((0, 1), (1, 3))]
            games = [
                Game(at, *pair, *rng.choice(results))
                for at, pair in enumerate(combinations(teams, 2), 1)
            ]
        drawn = dict(zip(rng.sample(teams, number), range(1, number + 1), strict=True))
        found.append((games, teams, drawn))
    return found


@pytest.mark.sampled
@pytest.mark.parametrize("name", CHAINS)
def test_the_order_is_that_of_a_second_calculation(name: str) -> None:
    chain = CHAINS[name]
    for games, teams, drawn in cases(25, 1000):
        found = rank(record_of(games, teams), chain, SCORING, drawn)
        assert [each.team for each in found] == slow_order(games, teams, chain, drawn)
        assert [each.rank for each in found] == list(range(1, len(teams) + 1))
        for each in found:
            for criterion, value in zip(chain, each.values, strict=True):
                if criterion not in (C.MET, C.PLAYOFF):
                    assert value == slow_value(games, criterion, each.team, drawn)


@pytest.mark.sampled
@pytest.mark.parametrize("name", CHAINS)
def test_names_and_order_of_input_change_nothing(name: str) -> None:
    chain, rng = CHAINS[name], random.Random(5)
    for games, teams, drawn in cases(15, 600):
        before = rank(record_of(games, teams), chain, SCORING, drawn)
        other = {team: 100 + at for at, team in enumerate(rng.sample(teams, len(teams)))} | {0: 0}
        renamed = [game._replace(one=other[game.one], other=other[game.other]) for game in games]
        record = record_of(renamed, rng.sample(sorted(other.values())[1:], len(teams)))
        places = {other[team]: place for team, place in drawn.items()}
        after = rank(record, chain, SCORING, places)
        assert after == [each._replace(team=other[each.team]) for each in before]


@pytest.mark.sampled
def test_without_met_the_order_compares_two_teams_at_a_time() -> None:
    chain = (C.SCORE, C.BUCHHOLZ, C.GAMES_DIFFERENCE, C.DRAW)
    for games, teams, drawn in cases(15, 600):
        values = {t: [slow_value(games, each, t, drawn) for each in chain] for t in teams}
        found = [each.team for each in rank(record_of(games, teams), chain, SCORING, drawn)]
        assert all(values[a] > values[b] for a, b in combinations(found, 2))


@pytest.mark.sampled
def test_a_play_off_orders_as_in_a_second_calculation() -> None:
    chain, rng = (C.WINS, C.PLAYOFF, C.DRAW), random.Random(4)
    applied = 0
    for games, teams, drawn in cases(40, 1000):
        pairs = [each for each in combinations(teams, 2) if rng.random() < 0.95]
        won = [Game(1, *pair, rng.choice([(1, 0), (0, 1)])) for pair in pairs]
        gone = frozenset(team for team in teams if rng.random() < 0.1)
        here = {t: outings for t, outings in record_of(won, teams).items() if t not in gone}
        found = rank(record_of(games, teams), chain, SCORING, drawn, playoffs=here)
        order = slow_order(games, teams, chain, drawn, playoff=PlayOff(won, gone))
        assert [each.team for each in found] == order
        applied += any(each.values[1] for each in found)
        # A play-off changes no other value.
        without = {
            each.team: each.values for each in rank(record_of(games, teams), chain, SCORING, drawn)
        }
        assert all(each.values[0] == without[each.team][0] for each in found)
    assert applied > 10


# ---- examples -----------------------------------------------------------------------------------


def table(games: Sequence[Game], teams: int, *chain: C) -> list[RankedTeam]:
    drawn = {team: team for team in range(1, teams + 1)}
    return rank(record_of(games, range(1, teams + 1)), (*chain, C.DRAW), SCORING, drawn)


def rows(found: Sequence[RankedTeam]) -> list[tuple[object, ...]]:
    """Team and values without that of the draw."""
    return [(each.team, *each.values[:-1]) for each in found]


def test_two_tied_teams_are_parted_by_their_match() -> None:
    games = [
        Game(1, 1, 2, (0, 1)), Game(1, 3, 4, (1, 0)), Game(2, 1, 3, (1, 0)),
        Game(2, 2, 4, (0, 1)), Game(3, 1, 4, (1, 0)), Game(3, 2, 3, (1, 0)),
    ]  # fmt: skip
    found = table(games, 4, C.WINS, C.MET)
    # 2 and 1 have two wins, and 2 won their match; 4 and 3 have one, and 3 won theirs.
    assert rows(found) == [
        (2, 2, 2), (1, 2, 0), (3, 1, 2), (4, 1, 0),
    ]  # fmt: skip


def test_after_met_the_chain_begins_again_for_those_still_tied() -> None:
    # Four teams with two wins: 4 is last among them, and the circle 1, 2, 3 stays tied. Among
    # these three all have met again with one win each; games decide.
    games = [
        Game(1, 1, 2, (2, 0)), Game(1, 2, 3, (2, 1)), Game(1, 3, 1, (2, 1)),
        Game(2, 1, 4, (1, 0)), Game(2, 2, 4, (1, 0)), Game(2, 3, 4, (1, 0)),
        Game(3, 4, 5, (1, 0)), Game(4, 4, 6, (1, 0)),
    ]  # fmt: skip
    found = table(games, 6, C.WINS, C.MET, C.GAMES_DIFFERENCE)
    assert [each.team for each in found[:4]] == [1, 3, 2, 4]
    assert [each.values[1] for each in found[:4]] == [2, 2, 2, 0]


def test_met_does_not_apply_if_two_of_the_tied_have_not_met() -> None:
    games = [Game(1, 1, 2, (1, 0)), Game(2, 2, 3, (1, 0)), Game(3, 3, 1, (0, 0), absent=(1,))]
    found = table([*games, Game(1, 4, 3, (0, 1))], 4, C.WINS, C.MET)
    assert found[0].team == 3
    apart = table([Game(1, 1, 4, (1, 0)), Game(1, 2, 5, (1, 0))], 5, C.WINS, C.MET)
    assert [(each.team, each.values[1]) for each in apart[:2]] == [(1, None), (2, None)]


def test_zones_of_unequal_size_are_compared_by_match() -> None:
    # Two wins of three matches are more than two of four, and fewer points lost.
    games = [
        Game(1, 1, 11, (1, 0)), Game(2, 1, 12, (1, 0)), Game(3, 1, 13, (0, 1)),
        Game(1, 2, 21, (1, 0)), Game(2, 2, 22, (1, 0)), Game(3, 2, 23, (0, 1)),
        Game(4, 2, 24, (0, 1)),
    ]  # fmt: skip
    record = record_of(games, [2, 1])
    chain = (C.WINS, C.MET, C.GAMES_DIFFERENCE, C.DRAW)
    found = rank(record, chain, SCORING, {1: 2, 2: 1}, each_match=True)
    assert rows(found) == [
        (1, Fraction(2, 3), None, Fraction(1, 3)),
        (2, Fraction(1, 2), None, Fraction(0)),
    ]


def test_a_bye_is_a_win_without_differences() -> None:
    bye, win = Game(1, 1, 0), Game(1, 2, 3, (1, 0), (30, 20))
    found = table([bye, win], 3, C.WINS, C.GAMES_DIFFERENCE, C.POINTS_DIFFERENCE)
    assert rows(found) == [
        (2, 1, 1, 10), (1, 1, 0, 0), (3, 0, -1, -10),
    ]  # fmt: skip


def test_buchholz_counts_a_missed_round_against_a_dummy() -> None:
    # 1 beats 2 and has a bye: 2 has 2 points, the dummy the 4 of team 1.
    games = [Game(1, 1, 2, (1, 0)), Game(2, 1, 0), Game(2, 2, 3, (1, 0)), Game(1, 3, 0)]
    assert (1, 2 + 4, 4) in rows(table(games, 3, C.BUCHHOLZ, C.BUCHHOLZ_CUT))
    # An opponent that stayed away at the end counts draws for these rounds.
    gone = [Game(1, 1, 2, (0, 1)), Game(2, 2, 0, absent=(0,)), Game(3, 2, 0, absent=(0,))]
    assert (1, 2 + 1 + 1) in rows(table(gone, 2, C.BUCHHOLZ))


def test_buchholz_cut_leaves_out_an_absence_before_the_lowest_score() -> None:
    # 1 beats 2, then stays away: the dummy has its 2 points, more than team 2 has.
    games = [Game(1, 1, 2, (1, 0)), Game(2, 1, 0, absent=(0,))]
    assert (1, 2, 0) in rows(table(games, 2, C.BUCHHOLZ, C.BUCHHOLZ_CUT))
    # A bye is no absence: the lowest score is left out.
    games = [Game(1, 1, 2, (1, 0)), Game(2, 1, 0)]
    assert (1, 4, 4) in rows(table(games, 2, C.BUCHHOLZ, C.BUCHHOLZ_CUT))


def test_sonneborn_berger_counts_the_beaten() -> None:
    games = [Game(1, 1, 2, (1, 0)), Game(2, 1, 3, (1, 1)), Game(3, 2, 3, (1, 0))]
    found = {each.team: each.values[0] for each in table(games, 3, C.SONNEBORN_BERGER)}
    assert found == {1: Fraction(2) + Fraction(1, 2), 2: Fraction(1), 3: Fraction(3, 2)}


# ---- FIDE's exercises ---------------------------------------------------------------------------

# The crosstable of "Exercises in Tie-Breaking" (Mario Held, FIDE Technical Commission, C.07-2023,
# V01-1): https://tec.fide.com/wp-content/uploads/2024/04/C.07-2023-Tiebreak-exercises-V01-1.pdf
# Each round is a result (+ won, = drawn, - lost) and the opponent; "u": not played, "v": not played
# by the player's own choice or absence.
FIDE_CROSSTABLE = {
    1: "+9 =13 =2 +15 =4",
    2: "+10 +7 =1 +16 =3",
    3: "=11 +6 +8 =4 =2",
    4: "+12 =v +13 =3 =1",
    5: "-13 -15 +11 =7 +10",
    6: "-14 -3 +u +10 +8",
    7: "+15 -2 -16 =5 -11",
    8: "=16 +14 -3 +13 -6",
    9: "-1 -10 =v -v +u",
    10: "-2 +9 -15 -6 -5",
    11: "=3 -16 -5 +u +7",
    12: "-4 +u +u -v -v",
    13: "+5 =1 -4 -8 -14",
    14: "+6 -8 -v -v +13",
    15: "-7 +5 +10 -1 -16",
    16: "=8 +11 +7 -2 +15",
}
# Score, Buchholz, Buchholz cut 1 (None: no exercise asks for it) and Sonneborn-Berger.
FIDE_VALUES = {
    1: (3.5, 12.5, 11, 8),
    2: (4, 13, None, 9.5),
    3: (3.5, 15.5, 13, 10.5),
    4: (3.5, 15, 11.5, 9.75),
    5: (2.5, 8.5, 7.5, 4.25),
    6: (3, 12, None, 6.5),
    7: (1.5, 14.5, 12.5, 3.25),
    8: (2.5, 13.5, 12, 5.25),
    9: (1.5, 9, 7.5, 2.25),
    10: (1, 13, None, 1.5),
    11: (2.5, 13.5, 12, 5.75),
    12: (2, 11.5, 9.5, 4),
    13: (1.5, 14, 12, 4.25),
    14: (2, 11, 9, 4.5),
    15: (2, 12, 11, 3.5),
    16: (3.5, 12.5, 11, 7.25),
}


def fide_outing(text: str) -> Outing:
    sign, other = text[0], text[1:]
    is_played = other not in ("u", "v")
    return Outing(
        opponent=int(other) if is_played else 0,
        score={"+": SCORING.win, "=": SCORING.draw, "-": SCORING.defeat}[sign],
        games=(0, 0),
        points=(0, 0),
        is_won=sign == "+",
        is_played=is_played,
        is_absence=other == "v",
    )


def test_the_tie_breaks_have_the_values_of_the_exercises_of_fide() -> None:
    record = {
        player: [fide_outing(each) for each in rounds.split()]
        for player, rounds in FIDE_CROSSTABLE.items()
    }
    chain = (C.SCORE, C.BUCHHOLZ, C.BUCHHOLZ_CUT, C.SONNEBORN_BERGER, C.DRAW)
    for each in rank(record, chain, SCORING, {player: player for player in record}):
        # A win is one point there and two here.
        found = tuple(float(value) / 2 for value in each.values[:-1] if value is not None)
        expected = FIDE_VALUES[each.team]
        asked = tuple(
            shown if value is not None else None
            for shown, value in zip(found, expected, strict=True)
        )
        assert asked == expected, each.team
