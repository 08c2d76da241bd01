"""The keys of messages in the code, found as ``xgettext`` finds them.

A key is a whole string of the code ("card.yes"), or an f-string or a template of a page
("notice.{}") that is filled by the members of an enum or by other values of the product; a template
without such values uses all keys that it fits.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple, get_args

from scorer.api.backup_protocol import BackupResult
from scorer.api.error_codes import ErrorCode
from scorer.api.marks import CONFIG_LINE, CONSOLE_FAULTS, Mark
from scorer.api.print_protocol import PrintResult
from scorer.api.radio_protocol import RadioResult
from scorer.circuit.results import NoticeKind
from scorer.doctor.devices import PANEL_FINDINGS
from scorer.hall.desk_protocol import DeskResult
from scorer.hub.alarms import Counted
from scorer.hub.decisions import DecisionFault
from scorer.hub.store.projections import AlarmKind
from scorer.hub.tournament_phrases import StageKey
from scorer.hub.tournaments import SETTINGS
from scorer.i18n import sentences
from scorer.makers.plates import Use
from scorer.phrases.gains import reason_case
from scorer.phrases.match import UNSENT, WAITING
from scorer.rules.actions import Action
from scorer.rules.model import PointsReason, Refusal
from scorer.session.setup.name_entry import DONE, ERASE, SPACE
from scorer.session.setup.preferences_menu import MENU_SETTINGS, setting_words
from scorer.session.values.keys import AnswerKey, NoticeKey, QuestionKey, SetupKey
from scorer.session.values.settings import LampColour
from scorer.session.values.shown import HallState, LinkState, SeriesGame
from scorer.session.values.state import Verdict
from scorer.session.view.view import Half, NextHandKind
from scorer.store.errors import FailureKind
from scorer.table_link import LinkStatus
from scorer.tournament.consequences import Obstacle
from scorer.tournament.events import Event
from scorer.tournament.export import ExportFault
from scorer.tournament.format import Criterion
from scorer.tournament.model import Ending, Reason, ResultFault
from scorer.tournament.pasted_list import EntryFault
from scorer.tournament.results import Doubt
from scorer.tournament.sizes import Obstruction
from scorer.web.portal import PortalFault
from tests.paths import ROOT

# Enums whose members are raised one by one: each of them must be named somewhere.
KEY_ENUMS: Final = (NoticeKey, QuestionKey, AnswerKey, SetupKey, DecisionFault)

# A store is only replaced while it is open, when it shows a notice.
TROUBLES: Final = tuple(kind for kind in get_args(FailureKind) if kind != "replaced")
_DESK: Final = tuple(each for each in DeskResult if each is not DeskResult.DONE)
_BACKUP: Final = tuple(each for each in BackupResult if each is not BackupResult.LISTED)
NOTICES: Final = (*NoticeKey, *PrintResult, *_BACKUP, *_DESK, *RadioResult, *SeriesGame)
CONSOLE_MARKS: Final = tuple(f"console_{fault}" for fault in CONSOLE_FAULTS)
MARKS: Final = (
    *Mark,
    *CONSOLE_MARKS,
    CONFIG_LINE,
    *(result for result in PrintResult if result.is_failure),
    UNSENT,
    WAITING,
)
_REASONS: Final = {
    reason_case(why, word) for why in PointsReason for word in ("", "truco", "la falta", "correr")
}

_SETTINGS: Final = {
    words.removeprefix("setup.")
    for setting in MENU_SETTINGS.values()
    for value in setting.values
    if (words := setting_words(setting.key, value)[0]) and words.startswith("setup.")
}
_REQUEST_FAULTS: Final = ("login", "role", "slow", "store", "unanswered")
_CHANGES: Final = {each.__name__ for each in get_args(Event)} | {*SETTINGS, "assign", "release"}

# What fills a template; every value has a text.
FILLS: Final[dict[str, Iterable[str]]] = {
    "refusal.{}": Refusal,
    "notice.{}": NOTICES,
    "question.{}": QuestionKey,
    "answer.{}": AnswerKey,
    "setup.{}": SetupKey,
    "setup.{}.{}": _SETTINGS,
    "setup.letter.{}": (DONE, ERASE, SPACE),
    "mark.{}": MARKS,
    "trouble.{}": TROUBLES,
    "link.{}": LinkState,
    "portal.fault.{}": PortalFault,
    "hall.{}": HallState,
    "why.{}": _REASONS,
    "half.{}": Half,
    "half.{}.one": Half,
    "side.lamp.{}": LampColour,
    "circuit.{}": ("points", "evenings", "wins", "firsts"),
    "circuit.{}.short": ("evenings", "wins", "firsts"),
    "circuit.rule.{}": ("best", "discards", "least_evenings"),
    "circuit.notice.{}": NoticeKind,
    "entries.{}": (*EntryFault, *Obstruction),
    "entries.column.{}": (
        *("name", "player", "reserve", "club", "seed", "consent", "none"),
        *("players", "reserves"),
    ),
    "import.{}": ExportFault,
    "phrase.criterion.{}": Criterion,
    "phrase.criterion.{}.long": Criterion,
    "doctor.{}": PANEL_FINDINGS.values(),
    "desk.change.{}": (*_CHANGES, "begun", "closed", "reopened"),
    "phrase.stage.{}": StageKey,
    "hub.ending.{}": (*(set(Ending) - {Ending.PLAYED}), "won", "lost", "drawn"),
    "phrase.why.{}": Obstacle,
    "desk.error.t.{}": (*Reason, "cells"),
    "desk.error.{}": (
        *DecisionFault,
        *(f"t.{reason}" for reason in Reason),
        *(f"t.impossible.{fault}" for fault in ResultFault),
        *_REQUEST_FAULTS,
    ),
    "desk.o.{}": ("games", "points"),  # of a form of a result
    "desk.o.no_entry.{}": (Reason.FULL, Reason.TOO_LATE),
    "phrase.doubt.{}": Doubt,
}
# The same where a value may have none: another text, or no text, is shown instead.
OPTIONAL_FILLS: Final[dict[str, Iterable[str]]] = {
    "action.{}": (*Action, "undo", "redo", "start"),
    "question.{}.gain": QuestionKey,
    "why.short.{}": _REASONS,
    "over.next.{}": NextHandKind,
    "label.{}": (*Use, *Action, "tantos", "undo", "menu"),
    "quick.{}": (*Action, "tantos", "undo", "menu", "both", "lamp", "wrong", "again"),
    "terminal.{}": Verdict,
    "web.{}": (*LinkStatus, "offline"),
    "phone.{}": (*ErrorCode, "RIVAL", "SLOW", "GONE"),
    "desk.alarm.{}": (*AlarmKind, *Counted),
    "desk.alarm.{}.what": (*AlarmKind, *Counted),
    "doctor.word.{}": (),  # of the findings
}
FINDINGS: Final = ("ok", "warn", "fail")  # functions whose first argument is a key of the doctor
# A section of a file, two files, two events for other programs.
NOT_KEYS: Final = frozenset(
    {"link.mqtt", "hub.new", "desk.sock", "game.over", "match.called", "notice.backup_"}
)
FILE: Final = re.compile(r".+\.(css|csv|html|js|json|lock|sqlite)")

CATALOGUE: Final = sentences("en", "")
GROUPS: Final = {key.partition(".")[0] for key in CATALOGUE}
_KEY: Final = re.compile(r"([a-z]+)\.[\w.{}-]*[\w}]")
_HOLES: Final = re.compile(r"\{\}(\.\{\})*")  # also two of them with a dot between
_IN_PAGES: Final = re.compile(r"[`\"']([a-z]+\.(?:[\w.-]|\$\{[^{}`]*\})+)[`\"']")


class Found(NamedTuple):
    """A key or template, and the line of the code that has it."""

    key: str
    where: str


@cache
def found_keys() -> tuple[Found, ...]:
    """Every key and template of the code."""
    code = (found for module in _modules() for found in module.found)
    pages = (found for kind in ("*.js", "*.html", "*.toml") for found in _in_pages(kind))
    return tuple(found for found in (*code, *pages) if _is_key(found.key))


def _is_key(text: str) -> bool:
    shape = _KEY.fullmatch(text)
    is_other = text in NOT_KEYS or FILE.fullmatch(text) is not None
    return shape is not None and shape[1] in GROUPS and not is_other


def _files(kind: str) -> Iterator[Path]:
    return chain((ROOT / "scorer").rglob(kind), (ROOT / "tools/browser/page").rglob(kind))


class _Module(NamedTuple):
    """What is read of one module. ``named``: names with one of their attributes."""

    found: tuple[Found, ...]
    named: frozenset[tuple[str, str]]


@cache
def _modules() -> tuple[_Module, ...]:
    """Every module of the code, parsed once."""
    return tuple(_read_module(path) for path in _files("*.py"))


def _read_module(path: Path) -> _Module:
    nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    attributes = (node for node in nodes if isinstance(node, ast.Attribute))
    named = {(of.value.id, of.attr) for of in attributes if isinstance(of.value, ast.Name)}
    return _Module(tuple(_in_module(path, nodes)), frozenset(named))


def _in_module(path: Path, nodes: list[ast.AST]) -> Iterator[Found]:
    calls = (node for node in nodes if isinstance(node, ast.Call))
    findings = {id(call.args[0]) for call in calls if _name(call.func) in FINDINGS and call.args}
    fstrings = (node for node in nodes if isinstance(node, ast.JoinedStr))
    parts = {id(part) for fstring in fstrings for part in fstring.values}
    for node in nodes:
        if isinstance(node, ast.Constant | ast.JoinedStr) and id(node) not in parts:
            key, where = _template(node), f"{path.relative_to(ROOT)}:{node.lineno}"
            if id(node) in findings:
                yield Found(f"doctor.word.{key.partition('.')[0]}", where)
                key = f"doctor.{key}"
            yield Found(key, where)


def _template(node: ast.Constant | ast.JoinedStr) -> str:
    """The string, with {} for each of its holes; "" of another constant."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    return "".join(
        _template(part) if isinstance(part, ast.Constant) else "{}" for part in node.values
    )


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")


def _in_pages(kind: str) -> Iterator[Found]:
    for path in _files(kind):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            for text in _IN_PAGES.findall(line):
                yield Found(
                    re.sub(r"\$\{[^{}]*\}", "{}", text), f"{path.relative_to(ROOT)}:{number}"
                )


def needed_keys() -> dict[str, str]:
    """The keys that need a text, with the line that names each."""
    found = found_keys()
    whole = {key: where for key, where in found if not _HOLES.search(key)}
    return whole | {
        _HOLES.sub(value, key): where for key, where in found for value in FILLS.get(key, ())
    }


def used_keys() -> set[str]:
    """The keys that the code may use."""
    templates = {key for key, _ in found_keys() if _HOLES.search(key)}
    optional = {
        _HOLES.sub(value, key) for key in templates for value in OPTIONAL_FILLS.get(key, ())
    }
    others = templates - FILLS.keys() - OPTIONAL_FILLS.keys()
    fits = [re.compile(re.escape(key).replace(r"\{\}", ".+")) for key in others]
    fitting = {key for key in CATALOGUE if any(each.fullmatch(key) for each in fits)}
    return {*needed_keys(), *optional, *fitting}


def unnamed_members() -> list[str]:
    """The members of the enums of keys that no code names."""
    named = frozenset[tuple[str, str]]().union(*(module.named for module in _modules()))
    return [
        f"{enum.__name__}.{member.name}"
        for enum in KEY_ENUMS
        for member in enum
        if (enum.__name__, member.name) not in named
    ]
