"""A file from which a hub can begin its tournament."""

from __future__ import annotations

from scorer.config.tournament_formats import rules_problems
from scorer.tournament.export import (
    ExportFault,
    ExportProblem,
    NoTournamentFile,
    TournamentFile,
    decode,
)


def read_tournament(data: bytes) -> TournamentFile | NoTournamentFile:
    """The tournament of a file; the tables of this hub know its variants and options."""
    found = decode(data)
    if isinstance(found, NoTournamentFile):
        return found
    problems = tuple(
        ExportProblem(
            ExportFault.FIELD, f"format.phase.{at}: {sentence}", field=f"format.phase.{at}"
        )
        for at, sentence in rules_problems(found.state.format)
    )
    return NoTournamentFile(problems) if problems else found
