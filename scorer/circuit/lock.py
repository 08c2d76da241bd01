"""``circuit.lock``: which evenings the last site was made of, with their digests.

By it an evening that is missing or altered is noticed. An evening with a newer revision takes the
place of its older one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Final, NamedTuple

from scorer.circuit.season_file import WrongFile
from scorer.circuit.sources import MOST_NAME
from scorer.config.owner_variants import FileProblem
from scorer.hall.fields import hexadecimal
from scorer.plain_values import OneLine, Range, WrongValues, json_object, read, wrong_value
from scorer.system.replace_text import replace_text

FILE: Final = "circuit.lock"
_HEAD: Final = {"truco_circuit_lock": 1}


class Locked(NamedTuple):
    """An evening that a site has; ``source``: its path or address."""

    evening: Annotated[str, hexadecimal(32)]
    revision: Annotated[int, Range(1)]
    digest: Annotated[str, hexadecimal(64)]
    source: Annotated[str, OneLine(MOST_NAME)]


def read_lock(path: Path) -> tuple[Locked, ...]:
    """The evenings of a lock; () without one. Raises OSError or WrongFile."""
    if not path.exists():
        return ()
    head, *lines = path.read_text(encoding="utf-8", errors="replace").splitlines() or [""]
    try:
        if json_object(head) != _HEAD:
            raise wrong_value("it is of another program or version")
        return tuple(read(Locked, json_object(each)) for each in lines if each)
    except WrongValues as error:
        why = "; ".join(map(str, error.problems[:3]))
        sentence = f"cannot be read ({why}); put it back as it was, or take it away"
        raise WrongFile(FileProblem(path, 0, sentence)) from None


def write_lock(path: Path, evenings: Iterable[Locked]) -> None:
    """Write the lock anew, if it is another one. Raises OSError."""
    # JSON with an evening on each line, so that any can go.
    lines = (_HEAD, *(each._asdict() for each in sorted(evenings)))
    text = "".join(f"{json.dumps(each, ensure_ascii=False)}\n" for each in lines)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        replace_text(path, text)


def find_differences(before: Iterable[Locked], now: Iterable[Locked]) -> Iterator[str]:
    """A sentence for each evening that is missing, altered or older now."""
    known = {each.evening: each for each in now}
    for each in before:
        found = known.get(each.evening)
        if found is None:
            yield (
                f"{each.source}: the evening is missing; put it back, or take its line out of "
                f"{FILE} if it shall not count any more"
            )
        elif found.revision < each.revision:
            yield (
                f"{found.source}: revision {found.revision} is older than {each.revision}, which "
                "the last site has; fetch the newest one"
            )
        elif found.revision == each.revision and found.digest != each.digest:
            yield (
                f"{found.source}: it was altered, with the same revision {each.revision}; ask the "
                f"hall which one is right, and take the line of the evening out of {FILE}"
            )
