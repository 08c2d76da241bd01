"""``make people-hall``: the presses of a match beyond the same game at home.

Games are pressed twice on the real table: at home, and as a match that the
hub has assigned. A match takes one press that accepts it and one of each team that agrees to its
result, or one that contests it; nothing else.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any

from scorer.rules import Start, new_game
from scorer.rules.model import Match
from scorer.session.values.hall import Assignment
from scorer.session.values.settings import Layout
from tests.longrun.made_up_games import recording_of, sheet_of
from tests.longrun.recorded_games import LAYOUTS, Player, all_games, header, press, press_by
from tests.sampling import QUICK
from tools.bench.in_process_table import InProcessTable, folder

Game = Mapping[str, Any]
ENDINGS = {"agreed": ("A.quiero", "B.quiero"), "contested": ("B.no_quiero",)}
MADE_UP, FEW = 30, 3  # games


def problem_of(game: Game, layout: Layout, ending: str) -> str:
    """What differs from the promised presses, or ""."""
    with at_table(game, layout) as table:
        at_home = press(game, layout, table)
    with at_table(game, layout) as table:
        table.assign(assignment_of(game))
        player = Player(table, layout, seed=len(game["steps"]))
        player.press("B.quiero")
        if (phase := phase_of(player)) != "accepted":
            return f"the match is {phase} after QUIERO"
        in_hall = press_by(game, player)
        if (phase := phase_of(player)) != "ended":
            return f"the match is {phase} at its end"
        for button in ENDINGS[ending]:
            player.press(button)
        if (phase := phase_of(player)) != ending:
            return f"the match is {phase}, not {ending}"
        beyond = player.presses - at_home.presses - 1 - len(ENDINGS[ending])
    problem = at_home.problem or in_hall.problem
    return problem or (f"{beyond:+} presses than promised" if beyond else "")


@contextmanager
def at_table(game: Game, layout: Layout) -> Iterator[InProcessTable]:
    """A table that begins with the header of the game."""
    with folder() as store, ExitStack() as stack:
        yield InProcessTable(header(game), store, stack, layout)


def assignment_of(game: Game) -> Assignment:
    """The game as a match of a tournament."""
    own = header(game).game()
    match = new_game(Start(own.rules, mano=own.mano, match=Match("Z1-R1-M1", "9f2c")))
    return Assignment(17, match, ("Los Pibes", "La Yunta"))


def phase_of(player: Player) -> str:
    """The phase of the match, "" without one."""
    match = player.state["match"]
    return str(match["phase"]) if match else ""


def games(count: int) -> list[Game]:
    """The games that are kept or recorded, and ``count`` made anew."""
    anew = (recording_of(sheet_of("gaucho", 100 + seed)) for seed in range(count))
    return [*all_games("gaucho"), *anew]


def main() -> int:
    """Print each fault and the totals; return 1 if there is one."""
    listed = games(FEW if QUICK else MADE_UP)
    failed = 0
    for layout in map(Layout, LAYOUTS):
        for ending, buttons in ENDINGS.items():
            problems = [problem_of(game, layout, ending) for game in listed]
            failed += sum(map(bool, problems))
            for place, problem in enumerate(problems):
                if problem:
                    print(f"{layout:8} game {place}: {problem}")
            beyond = 1 + len(buttons)
            right = problems.count("")
            print(f"{layout:8} {ending:10} {right} of {len(problems)} games: {beyond} presses more")
    print(f"{len(listed) * len(LAYOUTS) * len(ENDINGS) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
