"""The evening format: presses and expectations in a text file.

Comments tell the story, `@` lines give the options of the demo, every other line is a line of its
script, and the `=` lines below it are expectations of its result. `phone A concede` is a step sent
over the socket, `link assign 1 target=2` and `link release 2` are decisions of a hub. Results are
those of `scorer demo --json`, with the phrases of `scorer voice` that reach the synthesiser.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from scorer.display.light_frames import COLOURS
from tests.support.state_documents import lasting

Told = Mapping[str, Any]
PHONE = "phone "
LINK = "link "
TEAMS = '[NameA "Los Pibes"]\n[NameB "La Yunta"]\n'


class EveningError(ValueError):
    """The file is not a valid evening; the text says where and why."""


class Expectation(NamedTuple):
    """One `=` line: its keyword and its arguments."""

    number: int  # of the line in its file
    word: str
    said: str


class Moment(NamedTuple):
    """One line of the script with the expectations after it."""

    number: int
    line: str
    expectations: tuple[Expectation, ...]

    @property
    def request(self) -> dict[str, Any] | None:
        """The request that is sent over the socket, or None for a line of the script."""
        if self.line.startswith(PHONE):
            return {"do": "step", "line": self.line.removeprefix(PHONE), "who": "phone"}
        return decision(self.line.split()[1:]) if self.line.startswith(LINK) else None


def decision(words: Sequence[str]) -> dict[str, Any]:
    """The request of ``assign 3 target=2 leg=1/2``, match 3, or ``release 4``.

    Further pairs: ``lock=no cap=600 cap_start=1``.
    """
    do, rev, *pairs = words
    if do == "release":
        return {"do": do, "rev": int(rev)}
    values = dict(pair.split("=", 1) for pair in pairs)
    lock, leg = values.pop("lock", "yes") == "yes", values.pop("leg", "1/1")
    limits: dict[str, Any] = {
        key: int(values.pop(key)) for key in ("cap", "cap_start") if key in values
    }
    options = " ".join(f"{key}={value}" for key, value in values.items())
    tags = {"Variant": "argentine", "Options": options, "Match": f"M{rev}", "Leg": leg}
    header = "".join(f'[{name} "{value}"]\n' for name, value in tags.items()) + TEAMS
    return {"do": "assign", "rev": int(rev), "header": header, "lock": lock, **limits}


class Evening(NamedTuple):
    """A whole file."""

    name: str
    story: str
    options: tuple[str, ...]
    moments: tuple[Moment, ...]

    @property
    def is_spoken(self) -> bool:
        """Whether it expects phrases of the voice."""
        return any(each.word == "says" for moment in self.moments for each in moment.expectations)


def read(path: Path) -> Evening:
    """The evening in ``path``. Raises EveningError."""
    return parse(path.stem, path.read_text(encoding="utf-8"))


def parse(name: str, text: str) -> Evening:
    """Parse ``text``. Raises EveningError."""
    story: list[str] = []
    options: list[str] = []
    moments: list[Moment] = []
    for number, line in enumerate(map(str.strip, text.splitlines()), 1):
        match line[:1]:
            case "":
                continue
            case "#":
                story.append(line[1:].strip())
            case "@":
                options += shlex.split(line[1:])
            case "=":
                moments = _expecting(name, moments, number, line)
            case _:
                moments.append(Moment(number, line.partition("#")[0].strip(), ()))
    if not story:
        raise EveningError(f"{name}: begin with a comment that tells what happens and why")
    if not moments or not moments[-1].expectations:
        raise EveningError(f"{name}: the last line says nothing that must be true")
    return Evening(name, " ".join(story), tuple(options), tuple(moments))


def _expecting(name: str, moments: list[Moment], number: int, line: str) -> list[Moment]:
    if not moments:
        raise EveningError(f"{name}:{number}: nothing was pressed yet")
    word, _, said = line[1:].strip().partition(" ")
    words = PHONE_WORDS if moments[-1].request is not None else WORDS
    if word not in words:
        raise EveningError(f"{name}:{number}: '{word}' is none of {', '.join(sorted(words))}")
    last = moments[-1]
    added = (*last.expectations, Expectation(number, word, said.strip()))
    return [*moments[:-1], last._replace(expectations=added)]


class Past(NamedTuple):
    """Earlier results that an expectation may refer to."""

    before: Told | None  # the result before this one
    marks: dict[str, Any]  # remembered states, by name


def problem(expectation: Expectation, told: Told, past: Past) -> str | None:
    """Why ``expectation`` does not hold for the result ``told``, or None.

    Raises EveningError for an invalid expectation.
    """
    words = PHONE_WORDS if "state" not in told else WORDS
    try:
        wanted, got = words[expectation.word](told, expectation.said, past)
    except (ValueError, KeyError, IndexError) as error:
        where = f"line {expectation.number}: '{expectation.word} {expectation.said}'"
        raise EveningError(f"{where} cannot be understood: {error}") from error
    return None if wanted == got else f"{expectation.word}: expected {wanted!r}, got {got!r}"


Seen = tuple[object, object]  # expected, actual
Check = Callable[[Told, str, Past], Seen]


def _a_side(key: str) -> Check:
    """``score A 2 B 0``: a number for every side."""

    def check(told: Told, said: str, past: Past) -> Seen:
        words = said.split()
        wanted = dict(zip(words[::2], map(int, words[1::2]), strict=True))
        return wanted, dict(told["state"][key])

    return check


def _of_state(key: str) -> Check:
    """``stake 2``, ``phase playing``, ``winner none``: one value of the state."""

    def check(told: Told, said: str, past: Past) -> Seen:
        return _one(said), _plain(told["state"][key])

    return check


def _listed(one: str, several: str) -> Check:
    """``press taken guarded``: all verdicts of the line, in order; ``-`` for none."""

    def check(told: Told, said: str, past: Past) -> Seen:
        return said.split(), list(told.get(several) or [told[one]])

    return check


def _screen(told: Told, said: str, past: Past) -> Seen:
    return _one(said), told["screen"]


def _text(told: Told, said: str, past: Past) -> Seen:
    """The panel's text contains it, possibly across two lines."""
    return _found(told, said), True


def _no_text(told: Told, said: str, past: Past) -> Seen:
    return _found(told, said) is True, False


def _found(told: Told, said: str) -> object:
    if not said:
        raise ValueError("which text?")
    return said in " ".join(told["text"]) or f"{said} in {told['text']}"


def _call(key: str) -> Check:
    """``pending truco by A quiero 2 no_quiero 1``; parts after the call are optional."""

    def check(told: Told, said: str, past: Past) -> Seen:
        there = told["state"][key]
        if said == "none" or there is None:
            return said, _plain(there)
        call, *words = said.split()
        wanted = {"call": call, **dict(zip(words[::2], words[1::2], strict=True))}
        return wanted, {name: str(there[name]) for name in wanted}

    return check


def _lamp(told: Told, said: str, past: Past) -> Seen:
    side, wanted = said.split()
    return _among(wanted, "on", "off"), told["lamps"][side]


def _light(told: Told, said: str, past: Past) -> Seen:
    """``light yellow yellow dark dark``: the colour of each pixel of the team light."""
    colours = {"#{:02x}{:02x}{:02x}".format(*rgb): name for name, rgb in COLOURS.items()}
    return said, " ".join({**colours, "#000000": "dark"}[pixel] for pixel in told["light"])


def _paid(told: Told, said: str, past: Past) -> Seen:
    """``paid A 2 hand``: the points paid by the newest step, and the reasons."""
    last = told["state"]["last"] or []
    return said, " ".join(f"{each['to']} {each['points']} {each['why']}" for each in last) or "none"


def _phrases(key: str) -> Check:
    """``says ¡truco! vale dos.``: phrases separated by `` | ``, or none."""

    def check(told: Told, said: str, past: Past) -> Seen:
        return said, " | ".join(told[key]) or "none"

    return check


def _pid(told: Told, said: str, past: Past) -> Seen:
    # The demo reports the process id only when it changes.
    return _among(said, "changed", "same"), "changed" if "pid" in told else "same"


def _stored(told: Told, said: str, past: Past) -> Seen:
    """``stored nothing``, or the number of lines added to the journal."""
    before = 0 if past.before is None else past.before["seq"]
    return (0 if said == "nothing" else int(said)), told["seq"] - before


def _remember(told: Told, said: str, past: Past) -> Seen:
    past.marks[_one(said)] = _lasting(told)
    return None, None


def _same_as(told: Told, said: str, past: Past) -> Seen:
    return past.marks[_one(said)], _lasting(told)


def _lasting(told: Told) -> dict[str, Any]:
    """The state without its row of the journal."""
    return {key: value for key, value in lasting(told["state"]).items() if key != "seq"}


def _match(told: Told, said: str, past: Past) -> Seen:
    """``match ended A``: its phase and the sides that agree, or ``match none``."""
    match = told["state"]["match"]
    if match is None:
        return said, "none"
    return said, " ".join([match["phase"], *match["agreed"]])


def _names(told: Told, said: str, past: Past) -> Seen:
    """``names Los Pibes · -``: the names of the sides, ``-`` for none."""
    return said, " · ".join(name or "-" for name in told["state"]["names"].values())


def _answer(told: Told, said: str, past: Past) -> Seen:
    return _one(said), "ok" if told["ok"] else told["error"]


def _one(said: str) -> str:
    (word,) = said.split()
    return word


def _among(word: str, *known: str) -> str:
    if word not in known:
        raise ValueError(f"'{word}' is none of {', '.join(known)}")
    return word


def _plain(value: object) -> str:
    return "none" if value is None else str(value)


WORDS: Mapping[str, Check] = {
    "score": _a_side("score"),
    "games": _a_side("games"),
    "rematches": _a_side("rematches"),
    "phase": _of_state("phase"),
    "stake": _of_state("stake"),
    "winner": _of_state("winner"),
    "hand": _of_state("hand"),
    "mano": _of_state("mano"),
    "match": _match,
    "names": _names,
    "pending": _call("pending"),
    "suspended": _call("suspended"),
    "paid": _paid,
    "press": _listed("press", "presses"),
    "sound": _listed("sound", "sounds"),
    "screen": _screen,
    "text": _text,
    "no_text": _no_text,
    "lamp": _lamp,
    "light": _light,
    "says": _phrases("says"),
    "cut": _phrases("cut"),
    "pid": _pid,
    "stored": _stored,
    "remember": _remember,
    "same_as": _same_as,
}
PHONE_WORDS: Mapping[str, Check] = {"answer": _answer}


def failures(evening: Evening, answers: Sequence[Told]) -> list[str]:
    """Every failed expectation as a sentence with its line. Raises EveningError."""
    if len(answers) != len(evening.moments):
        return [f"{len(evening.moments)} lines were played and {len(answers)} answered"]
    found: list[str] = []
    past = Past(None, {})
    for moment, told in zip(evening.moments, answers, strict=True):
        for expectation in moment.expectations:
            wrong = problem(expectation, told, past)
            if wrong is not None:
                found.append(f"line {expectation.number}, after '{moment.line}': {wrong}")
        if "state" in told:
            past = past._replace(before=told)
    return found
