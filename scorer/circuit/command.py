"""``scorer circuit``: the evenings of a season as a table, on a static site."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from scorer.circuit import lock, people
from scorer.circuit.fetching import FetchRules, fetch, trusted_authorities
from scorer.circuit.season_file import Season, WrongFile, load_season
from scorer.circuit.sources import FetchedFiles, read_sources
from scorer.system.libraries import how_to_install

EX_CONFIG = 78
EXAMPLE = """example:
  scorer circuit season.toml              site/, people.toml and circuit.lock beside the file
  scorer circuit season.toml --out /srv/www/circuit"""


def main(argv: list[str]) -> int:
    """0: the site is written or the same; 1: it cannot be made; 78: a file is wrong.

    Nothing is written then but new questions, in people.toml.
    """
    parser = argparse.ArgumentParser(
        prog="scorer circuit",
        description="The table of a season, from the signed files of its evenings.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("season", type=Path, help="the file of the season")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="that gets site/")
    parser.add_argument(
        "--offline", action="store_true", help="take the copies of what was fetched before"
    )
    arguments = parser.parse_args(argv)
    try:
        season = load_season(arguments.season)
        folder = arguments.season.parent
        answers = people.load_people(folder / people.FILE)
        rules = FetchRules(trusted_authorities(), season.season.private_addresses)
        fetched = FetchedFiles(
            folder, lambda address: fetch(address, rules), is_offline=arguments.offline
        )
        return _write(season, folder, arguments.out or folder, answers, fetched)
    except WrongFile as error:
        _complain(map(str, error.problems))
        return EX_CONFIG
    except ModuleNotFoundError as error:
        advice = how_to_install("circuit", "python3-cryptography")
        print(f"scorer circuit needs {error.name}: {advice}", file=sys.stderr)
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        print(f"scorer circuit: {place}{error.strerror or error}", file=sys.stderr)
    return 1


def _write(
    season: Season, folder: Path, out: Path, answers: people.PeopleFile, fetched: FetchedFiles
) -> int:
    """Read the evenings and write the site. Raises OSError or WrongFile."""
    # Imported lazily: they need the libraries of an extra.
    from scorer.circuit.evenings import read_evenings
    from scorer.circuit.results import Unanswered, results, where
    from scorer.circuit.site import INDEX, site_files
    from scorer.season.evening_file import MAX_BYTES
    from scorer.static_site.folder import SITE, replace_site

    before = lock.read_lock(folder / lock.FILE)
    sources = read_sources(folder, season.season.evenings, fetched.fetch, MAX_BYTES)
    found = read_evenings(season, sources)
    if not found.evenings and not found.problems:
        return _complain([f"{season.season.title}: there is no evening of this season yet"])
    now = [each.locked for each in found.evenings]
    # What cannot be read is not missing besides.
    differences = [] if found.problems else [*lock.find_differences(before, now)]
    if problems := [*found.problems, *differences]:
        return _complain(problems)
    result = results(season, found.evenings, answers)
    if isinstance(result, Unanswered):
        return _ask(folder / people.FILE, answers, result.questions, result.problems)
    files = site_files(season, result)
    is_new = replace_site(out, lambda _: files, INDEX)
    fetched.keep()
    lock.write_lock(folder / lock.FILE, now)
    for notice in result.notices:
        evenings = "; ".join(where(found.evenings[at]) for at in notice.evenings)
        name = f"{notice.entity.name}: " if notice.entity else ""
        print(f"{name}{notice.kind.value.replace('_', ' ')}: {evenings}")
    counted = f"{len(found.evenings)} evenings, {len(result.teams)} teams"
    print(f"{counted}: {out / SITE}{'' if is_new else ', the same as before'}")
    return 0


def _ask(
    path: Path,
    answers: people.PeopleFile,
    questions: Sequence[people.NameQuestion],
    problems: Sequence[str],
) -> int:
    """Write the questions that are new, and say what is open."""
    known = {each.key for each in answers.question}
    people.add_questions(path, [each for each in questions if each.key not in known])
    for each in questions:
        print(f"{each.kind.value}: '{each.one}', '{each.other}' ({each.where})")
    if questions:
        problems = [
            *problems,
            f"{path}: questions that are open: {len(questions)}; answer each, same = true or false",
        ]
    return _complain(problems)


def _complain(problems: Iterable[str]) -> int:
    for each in problems:
        print(each, file=sys.stderr)
    print("scorer circuit: no site is written", file=sys.stderr)
    return 1
