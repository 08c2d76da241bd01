"""Sentences about a list of teams, the size of a tournament, and its file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scorer.hub.titles import title_text
from scorer.i18n import translator
from scorer.tournament import Format
from scorer.tournament.entry_list import EntryList
from scorer.tournament.export import MAX_BYTES, NoTournamentFile
from scorer.tournament.pasted_list import ListColumn
from scorer.tournament.sizes import ImpossiblePhase, Sizes, few_rounds, many_rounds

_MOST_PREVIEWED = 5  # teams
_MAX_FIELD = 60  # characters of the name of a field


def entry_sentences(found: EntryList, language: str) -> list[str]:
    """What is wrong, then what is asked, each with its line."""
    say, sentences = translator(language), []
    for each in (*found.errors, *found.questions):
        where = say("entries.where", line=each.other) if each.other else ""
        what = say(
            f"entries.{each.fault.value}",
            text=_isolated(each.text),
            other_text=_isolated(each.other_text),
            where=f" {where}" if where else "",
            limit=each.limit,
        )
        sentences.append(say("entries.line", line=each.line, what=what))
    return sentences


def heading_sentence(columns: Sequence[ListColumn], language: str) -> str:
    """What each column of a heading is taken as; "" without a heading."""
    say = translator(language)
    named = [(each.title, each.kind or "none") for each in columns if each.title]
    taken = ", ".join(
        f"{_isolated(title)} = {say(f'entries.column.{kind}')}" for title, kind in named
    )
    return say("entries.heading", columns=taken) if taken else ""


class Preview(NamedTuple):
    """The first teams of a list as they are read.

    ``columns``: their words, of those with a text; ``rows``: the texts of each cell.
    """

    title: str
    columns: list[str]
    rows: list[list[tuple[str, ...]]]


def preview(found: EntryList, language: str) -> Preview:
    """What is shown of a list before anything is taken."""
    say = translator(language)
    teams = found.entries[:_MOST_PREVIEWED]
    cells: dict[str, list[tuple[str, ...]]] = {
        "name": [(each.name,) for each in teams],
        "players": [each.players for each in teams],
        "reserves": [each.reserves for each in teams],
        "club": [(each.club,) if each.club else () for each in teams],
        "seed": [(str(each.seed),) if each.seed else () for each in teams],
    }
    shown = {kind: column for kind, column in cells.items() if any(column)}
    rows = [[*each] for each in zip(*shown.values(), strict=True)]
    return Preview(say("entries.preview"), [say(f"entries.column.{kind}") for kind in shown], rows)


def size_sentences(format_: Format, found: Sizes | ImpossiblePhase, language: str) -> list[str]:
    """Why a number of teams is impossible, what would work, or what may go wrong."""
    say = translator(language)

    def title(phase_id: str) -> str:
        phase = format_.phase(phase_id)
        return (title_text(phase.title, say) if phase else "") or phase_id

    if not isinstance(found, ImpossiblePhase):
        few = [
            say(
                "entries.few_rounds",
                phase=title(each.phase),
                rounds=each.rounds,
                teams=each.teams,
                proposed=each.proposed,
            )
            for each in few_rounds(format_, found)
        ]
        return few + [
            say(
                "entries.many_rounds",
                phase=title(each.phase),
                rounds=each.rounds,
                teams=each.teams,
                sure=each.sure,
            )
            for each in many_rounds(format_, found)
        ]
    reason = say(
        f"entries.{found.obstruction.value}",
        phase=title(found.phase),
        wanted=found.wanted,
        possible=found.possible,
    )
    numbers = ", ".join(str(each) for each in found.teams if each)
    return [reason, say("entries.works", numbers=numbers)] if numbers else [reason]


def file_sentences(found: NoTournamentFile, language: str) -> list[str]:
    """What is wrong with a file, each with its place."""
    say = translator(language)
    return [
        say(
            f"import.{problem.fault.value}",
            limit=MAX_BYTES // 1_000_000,
            where=f" {say('entries.where', line=problem.at)}" if problem.at else "",
            field=_isolated(problem.field[:_MAX_FIELD]),
            n=problem.at,
            reason=say(f"desk.error.t.{problem.reason.value if problem.reason else 'cells'}"),
        )
        for problem in found.problems
    ]


def _isolated(text: str) -> str:
    """The text between marks that keep letters from right to left in their place."""
    return f"\u2068{text}\u2069" if any(ord(each) > 0x58F for each in text) else text
