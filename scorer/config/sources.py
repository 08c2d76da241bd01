"""Combine the files of owner, card and settings page with the choices of the box.

Later layers override earlier ones, value by value. An invalid layer never prevents the start: the
last valid one is used instead, and the problems are reported. Nor does a valid one that ends the
table: ``fall_back`` uses the files before it. The owner's file is never written.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from scorer.config import owner_variants
from scorer.config.config import SECTIONS, Config, without_secrets
from scorer.config.loader import default_config, parse_config, validate
from scorer.config.nested_values import merge_values, remove_value, set_value
from scorer.config.owner_variants import OwnerVariants
from scorer.config.page_file import LAYER as _PAGE_LAYER
from scorer.config.page_file import NO_PAGE, PageSettings, problem_of
from scorer.config.pin_map import HEADER
from scorer.config.schema import StoreSection, value_text
from scorer.config.toml_reader import (
    ConfigError,
    KeyLines,
    Problem,
    Values,
    find_unusable_values,
    parse_toml,
)
from scorer.plain_values import is_record, json_object, secret_paths
from scorer.rules import variant_ids
from scorer.rules.notation import one_line

if TYPE_CHECKING:
    from argparse import ArgumentParser

OWNER_FILE = Path("/etc/scorer/scorer.toml")
CARD_FILE = Path("/boot/firmware/scorer.toml")

# Any character except line ends and control characters.
_DIRECTORY = r"""(?m)^[ \t]*(?:store\.)?(directory)[ \t]*=[ \t]*["']([^"'\\\x00-\x1f\x7f]+)["']"""

# Keys of the store's settings, values as JSON.
_CARD, _CARD_DIGEST, _CHOSEN, _LAST_GOOD = "card", "card_digest", "box", "last_good"
_STARTED = "started"  # the values of the files with which a table has started, and their digest
_OWNER_LAYER, _CARD_LAYER, _BOX_LAYER = "the owner's file", "the card", "the box"

# The files, with their keys in that record.
_STARTED_LAYERS = {"owner": _OWNER_LAYER, "card": _CARD_LAYER, "page": _PAGE_LAYER}

_NOT_STARTED = (
    "two starts after this change were not finished; the configuration before it is used. Correct "
    "it, or start once more: every start tries it once more"
)


def add_file_options(parser: "ArgumentParser") -> None:
    """Add ``--config`` and ``--card``, the files of the owner and of the card."""
    for name, file in (("--config", OWNER_FILE), ("--card", CARD_FILE)):
        parser.add_argument(name, type=Path, default=file, metavar="FILE", help=f"({file})")


class SettingsStore(Protocol):
    """The part of the store that this module needs."""

    def settings(self) -> dict[str, str]: ...
    def set_setting(self, key: str, value: str) -> None: ...


class Layer(NamedTuple):
    """Values, and their line numbers and file for messages."""

    name: str
    values: Values


class ResolvedConfig(NamedTuple):
    """The settings to run with, and the problems of those requested."""

    config: Config
    problems: tuple[Problem, ...]
    layers: tuple[Layer, ...]
    is_fallback: bool = False  # the files are those of an earlier start


def resolve(
    owner_text: str,
    card_text: str | None,
    store: SettingsStore,
    variants_folder: Path | None = None,
    page: PageSettings = NO_PAGE,
) -> ResolvedConfig:
    """Combine owner's text, card's text, the page's values and stored choices.

    ``card_text``: None without a card.
    Registers the variants in ``variants_folder``. One whose file is invalid or missing is replaced
    by the default; the rest of the configuration is kept.
    A valid card file is imported once: its values are stored, and the file is ignored until it
    changes. Sections of the page that are wrong are left out.
    """
    found = OwnerVariants() if variants_folder is None else owner_variants.install(variants_folder)
    problems = list(owner_variants.problems_of(found))
    problems += _import_card_file(card_text, store) if card_text is not None else ()
    problems += page.problems
    settings = store.settings()
    layers = [
        _without_lost_variant(layer, problems)
        for layer in (
            Layer(_CARD_LAYER, _stored_values(settings, _CARD)),
            Layer(_BOX_LAYER, _stored_values(settings, _CHOSEN)),
        )
    ]
    try:
        written = Layer(_OWNER_LAYER, _of_table(parse_toml(owner_text)))
        if _variant_of(written.values) in found.broken_ids:
            written = _without_lost_variant(written, problems)
        values = _merge_layers([written, *layers])
        names_are_chosen = _has_names(layers[-1])
        config = validate(values, KeyLines(owner_text), has_chosen_names=names_are_chosen)
        if page.values:
            fitting = _fitting_page([written, *layers], page, problems)
            layers.insert(1, fitting)
            values = _merge_layers([written, *layers])
            config = validate(values, KeyLines(owner_text), has_chosen_names=names_are_chosen)
    except ConfigError as error:
        good = _validated_or_default(_stored_values(settings, _LAST_GOOD))
        return ResolvedConfig(good, (*error.problems, *problems), tuple(layers))
    if _stored_values(settings, _LAST_GOOD) != without_secrets(values):
        _store_values(store, _LAST_GOOD, values)
    return ResolvedConfig(config, tuple(problems), (written, *layers))


def _fitting_page(layers: list[Layer], page: PageSettings, problems: list[Problem]) -> Layer:
    """The sections of the page that are valid with ``layers``, the box last."""
    fitting: dict[str, Any] = {}
    for name, section in _of_table(page.values).items():
        tried = Layer(_PAGE_LAYER, {**fitting, name: section})
        values = _merge_layers([*layers[:-1], tried, layers[-1]])
        try:
            validate(values, KeyLines(""), has_chosen_names=True)
        except ConfigError as error:
            problems += (problem_of(each.sentence) for each in error.problems)
        else:
            fitting[name] = section
    return Layer(_PAGE_LAYER, fitting)


def has_started(store: SettingsStore, digest: str) -> bool:
    """Whether the last recorded start was with the files of this digest."""
    return _started(store.settings()).get("digest") == digest


def record_start(resolved: ResolvedConfig, digest: str, store: SettingsStore) -> None:
    """Keep the values of the files with which a table has started, without secrets.

    Not those of a fallback, nor of an invalid file, whose layer is missing.
    """
    found = {layer.name: without_secrets(layer.values) for layer in resolved.layers}
    if resolved.is_fallback or _OWNER_LAYER not in found:
        return
    values = {key: found[name] for key, name in _STARTED_LAYERS.items() if name in found}
    started = json.dumps({"digest": digest, **values})
    if store.settings().get(_STARTED) != started:
        store.set_setting(_STARTED, started)


def fall_back(
    newest: ResolvedConfig, owner_text: str, card_text: str | None, store: SettingsStore
) -> ResolvedConfig:
    """The files of the last recorded start, with the choices made on the box.

    ``newest`` itself, if there was no such start, or with the same values. One problem more has the
    first line that has changed since.
    """
    before = _started_layers(store.settings())
    now = {layer.name: without_secrets(layer.values) for layer in newest.layers[:-1]}
    if not before or {layer.name: layer.values for layer in before} == now:
        return newest
    layers = (*before, newest.layers[-1])
    try:
        config = validate(
            _merge_layers(layers), KeyLines(""), has_chosen_names=_has_names(layers[-1])
        )
    except ConfigError:  # an older version has written it, or its variant is gone
        return newest
    # The layer of an invalid owner's file is missing; its problems have their lines.
    texts = {_OWNER_LAYER: owner_text, _CARD_LAYER: card_text or ""}
    lines = (
        _first_changed_line(texts.get(layer.name, ""), layer.values, now[layer.name])
        for layer in before
        if layer.name in now
    )
    problem = Problem(next(filter(None, lines), 0), _NOT_STARTED)
    return ResolvedConfig(config, (*newest.problems, problem), layers, is_fallback=True)


def store_directory(owner_text: str) -> Path:
    """The folder of the store from the owner's text if readable, else the default."""
    try:
        section = parse_toml(owner_text).get("store", {})
    except ConfigError:
        section = None
    if not isinstance(section, Mapping):
        # A mistake, here or elsewhere, must not move tonight's games to another store.
        section = dict(re.findall(_DIRECTORY, owner_text))
    written = section.get("directory")
    return Path(written) if isinstance(written, str) else Path(StoreSection().directory)


def origin(resolved: ResolvedConfig, *path: str) -> str:
    """The name of the layer that sets a value; "default" without one."""
    for layer in reversed(resolved.layers):
        values: Any = layer.values
        for key in path:
            values = values.get(key) if isinstance(values, Mapping) else None
        if values is not None:
            return layer.name
    return "default"


def save_choices(
    owner_text: str,
    store: SettingsStore,
    choices: Iterable[tuple[tuple[str, ...], object]],
    *,
    is_fallback: bool = False,
    page: PageSettings = NO_PAGE,
) -> ResolvedConfig:
    """Save choices made on the box; they override all other layers, all or none.

    The value None takes a choice back.
    ``is_fallback``: the table runs with the files of an earlier start.
    Raises ConfigError if they make no valid configuration with the rest, and errors of ``store``;
    nothing is saved then. Without a change nothing is written.
    """
    settings = store.settings()
    before = _stored_values(settings, _CHOSEN)
    if is_fallback:
        wrong, files = False, list(_started_layers(settings))
    else:
        wrong, values = _owner_or_last_good(owner_text, settings)
        card = _without_lost_variant(Layer(_CARD_LAYER, _stored_values(settings, _CARD)), [])
        files = [Layer(_OWNER_LAYER, values), card]
    box = _without_lost_variant(Layer(_BOX_LAYER, before), [])
    chosen = Layer(_BOX_LAYER, _with_choices(box.values, choices))
    if page.values and not is_fallback:
        files.append(_fitting_page([*files, chosen], page, []))
    layers = (*files, chosen)
    merged = _merge_layers(layers)
    config = validate(merged, KeyLines(owner_text), has_chosen_names=_has_names(layers[-1]))
    if layers[-1].values != before:
        # One value for all of them: a power cut leaves all of them or none.
        _store_values(store, _CHOSEN, layers[-1].values)
        if wrong:
            _store_values(store, _LAST_GOOD, merged)
    return ResolvedConfig(config, (), layers)


def stored_layers(store: SettingsStore) -> tuple[Values, Values]:
    """The values of the card and the choices of the box, as they are stored."""
    settings = store.settings()
    return _stored_values(settings, _CARD), _stored_values(settings, _CHOSEN)


def is_chosen(resolved: ResolvedConfig, *path: str) -> bool:
    """Whether a value at or below this path was chosen on the box."""
    return origin(resolved, *path) == _BOX_LAYER


def is_for_the_box(resolved: ResolvedConfig, section: str) -> bool:
    """Whether only choices made on the box set values of this section."""
    layers = (layer for layer in resolved.layers if layer.name != _BOX_LAYER)
    return not any(_sets_something(layer.values.get(section, {})) for layer in layers)


def _sets_something(value: object) -> bool:
    """Whether a value is more than headings."""
    if isinstance(value, Mapping):
        return any(map(_sets_something, value.values()))
    return True


def _has_names(box: Layer) -> bool:
    """Whether names were chosen on the box, perhaps of an older version."""
    table = box.values.get("table")
    return isinstance(table, Mapping) and "names" in table


def _with_choices(box: Values, choices: Iterable[tuple[tuple[str, ...], object]]) -> dict[str, Any]:
    """A layer with further values in it, and without those that are None."""
    changed: dict[str, Any] = json.loads(json.dumps(box))
    for path, value in choices:
        if value is None:
            remove_value(changed, path)
        else:
            # Round trip through JSON, so that tuples and lists compare equal.
            set_value(changed, path, json.loads(json.dumps(value)))
    return changed


def _owner_or_last_good(
    owner_text: str, settings: Mapping[str, str]
) -> tuple[bool, dict[str, Any]]:
    """The owner's values; if the file is invalid, the last valid ones."""
    try:
        values = _of_table(parse_toml(owner_text))
        validate(values, KeyLines(owner_text))
    except ConfigError:
        good = Layer("", _stored_values(settings, _LAST_GOOD))
        return True, dict(_without_lost_variant(good, []).values)
    return False, values


def _started(settings: Mapping[str, str]) -> dict[str, Any]:
    return _stored_values(settings, _STARTED)


def _started_layers(settings: Mapping[str, str]) -> tuple[Layer, ...]:
    """The layers of the files of the last recorded start, or none."""
    started = _started(settings)
    found = {name: started.get(key) for key, name in _STARTED_LAYERS.items() if key in started}
    if not {_OWNER_LAYER, _CARD_LAYER} <= found.keys():
        return ()
    layers = [Layer(name, each) for name, each in found.items() if isinstance(each, Mapping)]
    if len(layers) < len(found):
        return ()
    return tuple(_without_lost_variant(layer, []) for layer in layers)


def _first_changed_line(text: str, before: Values, now: Values) -> int:
    """The first line of a changed value; 0 if none has changed, or without a text.

    The line of what is gone is that of its section; the first one, if that is gone too.
    """
    if not text:
        return 0
    lines = KeyLines(text)
    changed = (lines.line_of(*path) or 1 for path in _changed_paths(before, now))
    return min(changed, default=0)


def _changed_paths(before: Values, now: Values) -> Iterator[tuple[str, ...]]:
    """The paths of values that were added, removed or changed."""
    for key in dict.fromkeys((*before, *now)):
        one, other = before.get(key), now.get(key)
        if one == other:
            continue
        if isinstance(one, list) and isinstance(other, list):  # a section per device
            one, other = ({str(at): each for at, each in enumerate(both)} for both in (one, other))
        if isinstance(one, Mapping) and isinstance(other, Mapping):
            yield from ((key, *path) for path in _changed_paths(one, other))
        else:
            yield (key,)


def _import_card_file(card_text: str, store: SettingsStore) -> tuple[Problem, ...]:
    # Imported lazily: tables without such a file start faster.
    import hashlib

    digest = json.dumps(hashlib.sha256(card_text.encode("utf-8", "surrogateescape")).hexdigest())
    if store.settings().get(_CARD_DIGEST) == digest:
        return ()
    try:
        parse_config(card_text)
    except ConfigError as error:
        return tuple(Problem(p.line, f"on the card: {p.sentence}") for p in error.problems)
    _store_values(store, _CARD, _of_table(parse_toml(card_text)))
    store.set_setting(_CARD_DIGEST, digest)
    return ()


def _of_table(values: Values) -> dict[str, Any]:
    """The sections of the table, and those that nothing reads: they may be meant so."""
    return {
        name: section
        for name, section in values.items()
        if name not in SECTIONS or SECTIONS[name].is_of_table
    }


def _store_values(store: SettingsStore, key: str, values: Values) -> None:
    store.set_setting(key, json.dumps(without_secrets(values)))


def _stored_values(settings: Mapping[str, str], key: str) -> dict[str, Any]:
    values = json_object(settings.get(key, "{}"))
    return {} if values is None or any(find_unusable_values(values)) else values


def _validated_or_default(values: Values) -> Config:
    # The file of an owner's variant may have changed since; keep the rest.
    for usable in (values, _without_variant(values)):
        with suppress(ConfigError):
            return validate(usable, KeyLines(""), has_chosen_names=True)
    return default_config()


def _variant_of(values: Values) -> str | None:
    table = values.get("table")
    variant = table.get("variant") if isinstance(table, Mapping) else None
    return variant if isinstance(variant, str) else None


def _without_variant(values: Values) -> dict[str, Any]:
    """Without the variant and its house rules."""
    table = values.get("table")
    if not isinstance(table, Mapping):
        return dict(values)
    kept = {key: each for key, each in table.items() if key not in _OF_RULES}
    return {**values, "table": kept}


def _without_lost_variant(layer: Layer, problems: list[Problem]) -> Layer:
    """The layer without an owner's variant whose file is invalid or missing."""
    variant = _variant_of(layer.values)
    if variant is None or variant in variant_ids():
        return layer
    sentence = f"table.variant: '{variant}' ({layer.name}) is not there; its file is wrong or gone"
    problems.append(Problem(0, one_line(sentence)))
    return Layer(layer.name, _without_variant(layer.values))


_OF_RULES = ("variant", "rulebook", "house")  # keys of the table


def _merge_layers(layers: Iterable[Layer]) -> dict[str, Any]:
    merged: dict[str, Any] = {}
    for layer in layers:
        chosen = layer.values.get("table", {})
        sets_house = isinstance(chosen, Mapping) and ("variant" in chosen or "house" in chosen)
        if layer.name == _BOX_LAYER and sets_house:
            # House rules belong to one variant; those chosen on the box replace all of them.
            table = merged.get("table")
            if isinstance(table, Mapping):
                kept = (each for each in table.items() if each[0] not in ("rulebook", "house"))
                merged["table"] = dict(kept)
        merged = merge_values(merged, layer.values)
    return merged


def config_lines(resolved: ResolvedConfig) -> Iterator[str]:
    """All values of the table with their origin, a line each, for ``scorer check``."""
    config = resolved.config
    for section in SECTIONS.values():
        name, found = section.name, getattr(config, section.field, None)
        records = found or () if section.is_list else (found,)
        for record in records:
            if not section.is_of_table or record is None:
                continue
            if hasattr(record, "summary"):
                yield f"{name:10} {record.summary}  ({origin(resolved, name)})"
                continue
            start = f"{name:10} " if name != "table" else ""
            for key, value in _record_lines(record):
                assigned = f"{key} = {value}" if start else f"{key:10} {value}"
                yield f"{start}{assigned}  ({origin(resolved, name, key)})"
        if name == "table":
            for key, option in config.header.rules.chosen:
                yield f"{'house':10} {key} = {option}  ({origin(resolved, 'table', 'house', key)})"
    claims = config.claims
    for number, gpio in enumerate(HEADER, start=1):
        if wires := [claim for claim in claims if claim.pin == gpio]:
            labels = ", ".join(dict.fromkeys(claim.label for claim in wires))
            yield f"{'pin':10} {number:2}  GPIO {gpio:<2}  {labels}"


def other_lines(config: Config) -> Iterator[str]:
    """The values of the sections that the table does not read."""
    for section in SECTIONS.values():
        found = None if section.is_of_table else getattr(config, section.field, None)
        records = found or () if section.is_list else (found,)
        waiting = [(section.name, each) for each in records if each is not None]
        for name, each in waiting:
            yield from (f"{name:10} {key} = {value}" for key, value in _record_lines(each))
            inner = each._asdict().items()
            waiting += [(f"{name}.{key}", value) for key, value in inner if is_record(type(value))]


def _record_lines(record: Any) -> Iterator[tuple[str, str]]:  # noqa: ANN401
    """The keys of a section and their values, with the options of its driver."""
    hidden = {path[0] for path in secret_paths(type(record))}
    for key, value in record._asdict().items():
        if key == "options":
            yield from ((option, str(chosen)) for option, chosen in value.items())
        elif key != "house" and value is not None and not is_record(type(value)):
            yield key, "hidden" if value and key in hidden else value_text(value)
