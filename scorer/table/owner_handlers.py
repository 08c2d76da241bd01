"""Handlers of requests of the settings page (socket.md#owner).

An owner authenticates with the key of its phone. Values are checked by the reader of the
configuration; all of a request or none is saved; one that was made for older values is refused.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple

from scorer.api.backup_protocol import MAX_COPY_NAME, BackupReport
from scorer.api.error_codes import ErrorCode
from scorer.api.paired_phones import Phone
from scorer.api.replies import Message, error_reply
from scorer.api.request import Request
from scorer.api.settings_protocol import Keys, SectionName, SettingsChange, Values, table_problems
from scorer.config.config import SECTIONS
from scorer.config.nested_values import merge_values
from scorer.config.page_file import FILE_NAME, NO_PAGE, PageSettings, changed, read_page
from scorer.config.page_keys import Way, problems_of_page, way_of
from scorer.config.settings_document import settings_document
from scorer.config.sources import Layer, ResolvedConfig, resolve, save_choices, stored_layers
from scorer.config.toml_reader import ConfigError, parse_toml
from scorer.config.toml_reader import Values as ConfigValues
from scorer.plain_values import Found, Text, read, secret_paths
from scorer.plain_values.names import are_different, is_visible
from scorer.records.row_source import with_user
from scorer.session.values.box_settings import NAMES, Choice
from scorer.session.values.state import Reaction, Verdict
from scorer.table import phone_handlers
from scorer.table.owner_settings import OwnerSettings, Saving
from scorer.table.table import Table

Handler = Callable[[Table, Request, float], Message]

MAX_PROBLEMS = 5
_SALT = secrets.token_bytes(16)  # a revision tells nothing of the values
_NO_VALUES: Mapping[str, object] = MappingProxyType({})


class _Save(NamedTuple):
    """The keys of ``owner_save``. ``private``: by HTTPS, or in the box's network."""

    section: SectionName
    rev: Annotated[str, Text(40)]
    values: Values = _NO_VALUES
    back: Keys = ()
    private: bool = False

    def find_problems(self) -> Iterator[Found]:
        yield from table_problems(self.values)


class _Restore(NamedTuple):
    """The key of ``owner_restore``: a copy of the list."""

    name: Annotated[str, Text(MAX_COPY_NAME)]


class _StoredSettings:
    """The settings of a store, which are not written."""

    def __init__(self, settings: dict[str, str]) -> None:
        self._settings = settings

    def settings(self) -> dict[str, str]:
        return self._settings

    def set_setting(self, key: str, value: str) -> None:
        """Ignored: a trial changes nothing."""


class _Newest(NamedTuple):
    """The settings as they are now."""

    store: _StoredSettings
    page: PageSettings
    owner_text: str
    rev: str

    def resolved(self) -> ResolvedConfig:
        return resolve(self.owner_text, None, self.store, page=self.page)

    def with_choices(self, choices: Sequence[Choice]) -> ResolvedConfig:
        """The configuration with these choices, which are not saved. Raises ConfigError."""
        return save_choices(self.owner_text, self.store, choices, page=self.page)


def pair(table: Table, request: Request, now: float) -> Message:
    """Give the right to a phone that sends the code of the panel."""
    if not table.session.is_between_games:
        return error_reply(ErrorCode.GAME, "a game is being played; end it first")
    if request.message.get("console") is True:
        sentence = "this phone is a console of the table: let it be forgotten first"
        return error_reply(ErrorCode.CONSOLE, sentence)
    return phone_handlers.pair_with(table, request, now, is_owner=True)


def status(table: Table, request: Request, owner: Phone, now: float) -> Message:
    """Say whether this phone has the right still, and all settings."""
    return {"ok": True, "name": owner.name, **_document(table)}


def save(table: Table, request: Request, owner: Phone, now: float) -> Message:
    """Save values of one section, and take others back: all of them or none."""
    wanted = read(_Save, request.message, skips_unknown=True)
    settings, newest = table.owner_settings, _newest(table)
    if wanted.rev != newest.rev:
        sentence = "the settings have changed since; look at them"
        return {**error_reply(ErrorCode.STALE, sentence), "last": settings.last}
    keys = (*wanted.values, *wanted.back)
    ways = {way_of(wanted.section, key) for key in keys}
    if not keys or Way.FILE in ways:
        sentence = "no value of this key is changed here; it is in scorer.toml"
        return error_reply(ErrorCode.FIXED, sentence)
    if _has_secret(wanted.section, keys) and not wanted.private:
        sentence = "a secret is sent over HTTPS, or in the network of the box, alone"
        return error_reply(ErrorCode.INSECURE, sentence)
    if (refused := _why_not_now(table, ways)) is not None:
        return refused
    change = SettingsChange(wanted.section, dict(wanted.values), wanted.back)
    if ways <= {Way.SERVICE, Way.TRIAL}:
        reply = _save_in_file(settings, newest, change)
    else:
        source = with_user(f"settings page, {owner.name}", request.user)
        reply = _save_choices(table, newest, change, source, now)
    if not reply.get("ok"):
        return reply
    settings.last = {"name": owner.name, "section": wanted.section, "keys": list(keys)}
    return {**reply, "name": owner.name, **_document(table)}


def list_copies(table: Table, request: Request, owner: Phone, now: float) -> Message:
    """Have the copies on the USB stick listed; later answers have the list."""
    if not table.copies.list_for_page():
        return _stick_in_use()
    return {"ok": True, "name": owner.name, **_document(table)}


def restore(table: Table, request: Request, owner: Phone, now: float) -> Message:
    """Put back a copy of the newest list; never during a game."""
    wanted = read(_Restore, request.message, skips_unknown=True)
    if not table.session.is_between_games:
        return error_reply(ErrorCode.GAME, "a game is being played; end it first")
    shown = table.copies.page_report
    if shown is None or wanted.name not in {copy.name for copy in shown.copies}:
        return error_reply(ErrorCode.STALE, "this copy is not in the list; have the stick read")
    source = with_user(f"settings page, {owner.name}", request.user)
    if not table.copies.restore_for_page(wanted.name, source):
        return _stick_in_use()
    return {"ok": True, "name": owner.name, **_document(table)}


def leave(table: Table, request: Request, owner: Phone, now: float) -> Message:
    """Take the right from this phone, at its own request."""
    table.owners.remove((owner.id,), with_user(f"phone {owner.name}", request.user), now)
    return {"ok": True}


def _stick_in_use() -> Message:
    return error_reply(ErrorCode.BUSY, "the stick is in use; again in a moment")


def _why_not_now(table: Table, ways: set[Way]) -> Message | None:
    """The error of a change that a trial keeps from being saved now, or None."""
    if table.wiring_trial.running is not None:
        return error_reply(ErrorCode.TRIAL, "other wiring is on trial; again in a minute")
    if Way.TRIAL not in ways:
        return None
    if table.owner_settings.restarts:
        # Wiring that was saved before is tried out first.
        return error_reply(ErrorCode.TRIAL, "the table starts anew first; again in a minute")
    if not table.session.is_between_games:
        return error_reply(ErrorCode.GAME, "a game is being played; try other wiring after it")
    if len(ways) > 1:
        return _wrong(["pins and drivers are saved apart, without other values"])
    return None


def _save_in_file(settings: OwnerSettings, newest: _Newest, change: SettingsChange) -> Message:
    """Have the service keep a change that this reader takes; it checks again itself."""
    after = changed(newest.page.values, change.section, change.values, change.back)
    written = _written(newest.owner_text)
    if settings.files.card_text is not None:
        written = merge_values(written, _written(settings.files.card_text))
    if problems := problems_of_page(written, newest.page.values, after, change.section):
        return _wrong(problems)
    if not settings.keep(change):
        return error_reply(ErrorCode.BUSY, "another change is being saved; again in a moment")
    return {"ok": True, "waits": False}


def _save_choices(
    table: Table, newest: _Newest, change: SettingsChange, source: str, now: float
) -> Message:
    """Save choices of the box: at once, or once no game is played."""
    settings = table.owner_settings
    try:
        choices = _choices(newest, settings.waiting, change)
        if problems := _name_problems(choices):
            return _wrong(problems)
        newest.with_choices((*settings.waiting, *choices))
    except ConfigError as error:
        return _wrong([problem.sentence for problem in error.problems])
    is_between = table.session.is_between_games
    at_once = [
        each
        for each in choices
        if is_between or way_of(each.path[0], ".".join(each.path[1:])) is Way.NOW
    ]
    later = [each for each in choices if each not in at_once]
    if at_once:
        reaction = table.commit(
            Reaction(table.session, Verdict.NONE, choices=tuple(at_once)), source, now
        )
        if reaction.verdict is not Verdict.NONE:
            return error_reply(ErrorCode.STORE, "it could not be stored; look at the panel")
    if later:
        settings.wait(later)
    return {"ok": True, "waits": bool(later)}


def _choices(
    newest: _Newest, waiting: Sequence[Choice], change: SettingsChange
) -> tuple[Choice, ...]:
    """The change as choices of the box; house rules are one choice with their variant.

    Raises ConfigError.
    """
    section, values, back, _ = change
    house: dict[str, Any] = {k.partition(".")[2]: each for k, each in values.items() if "." in k}
    gone = [key.partition(".")[2] for key in back if "." in key]
    plain: dict[str, Any] = {key: each for key, each in values.items() if "." not in key}
    plain |= dict.fromkeys(key for key in back if "." not in key)
    rules = newest.with_choices(waiting).config.header.rules
    if "variant" in plain:
        # Another variant has other options.
        plain["house"] = None if plain["variant"] is None else house
    elif house or gone:
        kept = {key: each for key, each in rules.chosen if key not in gone}
        plain |= {"variant": rules.variant.id, "house": {**kept, **house}}
    return tuple(Choice((section, key), each) for key, each in plain.items())


def _name_problems(choices: Sequence[Choice]) -> list[str]:
    """The box may leave a team without a name; two teams never have the same."""
    names = next((each.value for each in choices if each.path == NAMES), None)
    if not isinstance(names, list | tuple) or not all(isinstance(each, str) for each in names):
        return []
    written = [each for each in names if each]
    if len(names) in (0, 2, 3) and are_different(tuple(names)) and all(map(is_visible, written)):
        return []
    return ["table.names: a name for each team, all different, or none"]


def _has_secret(section: str, keys: Sequence[str]) -> bool:
    found = {".".join(path) for path in secret_paths(SECTIONS[section].record)}
    return bool(found.intersection(keys))


def _wrong(problems: Sequence[str]) -> Message:
    wrong = error_reply(ErrorCode.VALUE, problems[0])
    return {**wrong, "problems": list(problems[:MAX_PROBLEMS])}


def _newest(table: Table) -> _Newest:
    """Read the store and the file of the page. Raises StoreError."""
    settings, is_trial = table.owner_settings, table.wiring_trial.running is not None
    folder = settings.files.page_folder
    page = NO_PAGE if folder is None else read_page(folder, with_trial=is_trial)
    store = settings.journal.settings()
    raw = ""
    if folder is not None:
        with suppress(OSError):
            raw = (folder / FILE_NAME).read_text(encoding="utf-8", errors="replace")
    counted = [store.get("box", ""), store.get("card", ""), raw, str(settings.waiting), is_trial]
    digest = hashlib.sha256(_SALT + json.dumps(counted).encode()).hexdigest()[:16]
    return _Newest(_StoredSettings(store), page, settings.files.owner_text, digest)


def _document(table: Table) -> dict[str, Any]:
    """All settings, and what is being done with them."""
    settings = table.owner_settings
    newest = _newest(table)
    if settings.cached is None or settings.cached[0] != newest.rev:
        rows = settings_document(newest.resolved(), _layers(settings, newest))
        for section in rows:
            for row in section["rows"]:
                # A secret that the table may not read is set all the same.
                if row.get("secret") and tuple(row["path"].split(".")) in newest.page.secrets:
                    row["value"], row["layers"] = True, {**row["layers"], "page": None}
        settings.cached = (newest.rev, rows)
    saving, trial = settings.saving or Saving("", ""), table.wiring_trial
    waiting = {".".join(each.path): each.value for each in settings.waiting}
    return {
        "rev": newest.rev,
        "sections": settings.cached[1],
        "playing": not table.session.is_between_games,
        "saving": saving._asdict(),
        "waiting": waiting,
        "restarts": settings.restarts,
        "trial": {
            "section": "" if trial.running is None else trial.running.section,
            "result": trial.result,
        },
        "last": settings.last,
        "copies": _copies(table.copies.page_report),
    }


def _copies(shown: BackupReport | None) -> dict[str, Any]:
    """The newest report about copies on a stick."""
    if shown is None:
        return {"result": "", "games": 0, "label": "", "listed": []}
    listed = [each._asdict() for each in shown.copies]
    return {
        "result": shown.result,
        "games": shown.games,
        "label": shown.label,
        "listed": listed,
    }


def _layers(settings: OwnerSettings, newest: _Newest) -> tuple[Layer, ...]:
    """All sections of each layer, under the names that the page knows."""
    card, box = stored_layers(newest.store)
    others: ConfigValues = {}
    if settings.files.card_text is not None:
        written = _written(settings.files.card_text)
        others = {
            name: each
            for name, each in written.items()
            if name in SECTIONS and not SECTIONS[name].is_of_table
        }
    return (
        Layer("file", _written(newest.owner_text)),
        Layer("card", merge_values(others, card)),
        Layer("page", newest.page.values),
        Layer("box", box),
    )


def _written(text: str) -> ConfigValues:
    with suppress(ConfigError):
        return parse_toml(text)
    return {}


def _owner(answer: Callable[[Table, Request, Phone, float], Message]) -> Handler:
    """The handler of a request that only an owner may send."""

    def answer_owner(table: Table, request: Request, now: float) -> Message:
        owner_id, key = request.message.get("owner"), request.message.get("key")
        owner = table.owners.authenticate(owner_id, key, request.user, now)
        if owner is None:
            return error_reply(ErrorCode.UNPAIRED, "this phone has no right to the settings")
        return answer(table, request, owner, now)

    return answer_owner


HANDLERS: dict[str, Handler] = {
    "owner_pair": pair,
    "owner": _owner(status),
    "owner_save": _owner(save),
    "owner_copies": _owner(list_copies),
    "owner_restore": _owner(restore),
    "owner_leave": _owner(leave),
}
