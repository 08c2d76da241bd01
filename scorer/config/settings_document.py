"""All values of a configuration as rows of the settings page, without secrets.

A row has the value, its default and limits, each layer that sets it and how it is changed. What a
value means is in the catalogues, by its path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

from scorer.config.config import NO_PINS, SECTIONS, Config, Section
from scorer.config.nested_values import merge_values
from scorer.config.page_file import path_of
from scorer.config.page_keys import Way, reason_of, way_of
from scorer.config.printer import BAUDS, CODEPAGES
from scorer.config.sources import Layer, ResolvedConfig
from scorer.hw.load import drivers
from scorer.i18n import languages, native_name
from scorer.plain_values import MAX_INTEGER, SECRET, Key, Range, WrongValues, is_record, kinds_of
from scorer.plain_values import read as read_record
from scorer.plain_values.fields import metadata_of
from scorer.rules import Rules, find_variant, variant_ids
from scorer.rules.options import value_of
from scorer.session.values.settings import LampColour, Rest

Row = dict[str, Any]
MAX_SHOWN: Final = 300  # characters of a value that only the files may have

# Choices that a type does not tell.
_CHOICES: Final[Mapping[tuple[str, str], Callable[[], tuple[object, ...]]]] = {
    ("table", "language"): languages,
    ("table", "variant"): variant_ids,
    # A keypad is a box.
    ("consoles", "driver"): lambda: (*sorted({*drivers("inputs")} - {"keypad"}), NO_PINS),
    ("consoles", "count"): lambda: (2, 3),
    ("table", "lamps"): lambda: tuple(LampColour),
    ("printer", "letters"): lambda: CODEPAGES,
    ("printer", "baud"): lambda: BAUDS,
}
# Tables whose entries have rows of their own.
_OWN_ROWS: Final = (("table", "house"), ("consoles", "lines"))
# What choices are called, where their words are in no catalogue.
_TITLES: Final[Mapping[tuple[str, str], Callable[[str], str]]] = {
    ("table", "language"): native_name,
    ("table", "variant"): lambda name: find_variant(name).title,
}
_LIMITS: Final[Mapping[tuple[str, str], Mapping[str, float]]] = {
    ("printer", "table_number"): {"least": -1, "most": 255},
}


def settings_document(resolved: ResolvedConfig, layers: tuple[Layer, ...]) -> list[Row]:
    """The sections with their rows; ``layers``: of all sections, the lowest first."""
    return [
        {"name": section.name, "rows": list(_rows(section, resolved, layers))}
        for section in SECTIONS.values()
    ]


def _rows(section: Section, resolved: ResolvedConfig, layers: tuple[Layer, ...]) -> Iterator[Row]:
    if section.is_list:
        found = getattr(resolved.config, section.field)
        shown = [str(getattr(each, "summary", each))[:MAX_SHOWN] for each in found]
        yield _row(section.name, "", object, (shown, []), layers)
        return
    record = getattr(resolved.config, section.field, None) if section.is_of_table else None
    values = _merged(section.name, layers)
    is_there = record is not None or bool(values)
    default = Config._field_defaults.get(section.field) or section.record()
    records = (record or _readable(section.record, values), default)
    rows = list(_record_rows(section.name, "", section.record, records, layers))
    if not is_there and all(row["way"] is Way.FILE for row in rows):
        # The box has no such device, and gets none here.
        rows = [_row(section.name, "", object, ("", ""), layers)]
    yield from rows
    if section.name == "consoles":
        usual = resolved.config.known_buttons
        for button, pin in resolved.config.pins.items():
            if button in usual:
                yield _row("consoles", f"lines.{button}", int, (pin, usual[button]), layers)
    if section.name == "table":
        yield from _house_rows(resolved.config.header.rules, layers)


def _record_rows(
    section: str,
    above: str,
    kind: Any,  # noqa: ANN401 - the type of a record
    records: tuple[Any, Any],
    layers: tuple[Layer, ...],
) -> Iterator[Row]:
    """The rows of a record, and of the records in it."""
    for name, hint in kinds_of(kind).items():
        if (section, name) in _OWN_ROWS:
            continue
        key = next((each.name for each in metadata_of(hint) if isinstance(each, Key)), name)
        value, default = values = tuple(getattr(record, name) for record in records)
        if is_record(hint):
            yield from _record_rows(section, f"{above}{key}.", hint, values, layers)
        elif hint == Rest:
            if value:
                yield _row(section, f"{above}{key}", object, (_text(value), ""), layers)
        else:
            yield _row(section, f"{above}{key}", hint, (value, default), layers)


def _row(
    section: str, key: str, hint: object, values: tuple[object, object], layers: tuple[Layer, ...]
) -> Row:
    """The row of a key; ``values``: that in force, and the default."""
    value, default = values
    path = f"{section}.{key}" if key else section
    way = way_of(section, key)
    row: Row = {"path": path, "key": key, "way": way, **_limits((section, key), hint)}
    if way is Way.FILE:
        row["why"] = reason_of(section, key)
    set_in = _set_in((section, *path_of(key)), layers)
    if row.get("secret"):
        # Whether it is set, and where; never what it is.
        return {**row, "value": bool(value), "default": False, "layers": dict.fromkeys(set_in)}
    plain = {"value": _plain(value), "default": _plain(default)}
    return {**row, **plain, "layers": {name: _plain(each) for name, each in set_in.items()}}


def _house_rows(rules: Rules, layers: tuple[Layer, ...]) -> Iterator[Row]:
    """A row per option of the variant of the next game."""
    for option in rules.variant.options:
        path = ("table", "house", option.key)
        kind: Row = {"kind": "int", "least": option.low, "most": option.high, "step": option.step}
        if option.choices:
            kind = {"kind": "choice", "choices": [_plain(each) for each in option.choices]}
        yield {
            "path": ".".join(path),
            "key": f"house.{option.key}",
            "way": way_of("table", f"house.{option.key}"),
            **kind,
            "value": _plain(value_of(rules, option)),
            "default": _plain(option.default),
            "layers": {name: _plain(each) for name, each in _set_in(path, layers).items()},
        }


def _set_in(path: tuple[str, ...], layers: tuple[Layer, ...]) -> dict[str, object]:
    """The value of each layer that sets this path, the lowest first."""
    found: dict[str, object] = {}
    for layer in layers:
        value: Any = layer.values
        for key in path:
            value = value.get(key) if isinstance(value, Mapping) else None
        if value is not None:
            found[layer.name] = value
    return found


def _merged(section: str, layers: tuple[Layer, ...]) -> dict[str, Any]:
    merged: dict[str, Any] = {}
    for layer in layers:
        written = layer.values.get(section)
        merged = merge_values(merged, written) if isinstance(written, Mapping) else merged
    return merged


def _readable(kind: type[Any], values: object) -> Any:  # noqa: ANN401
    """The record of these values; the default one if they make none."""
    try:
        return read_record(kind, values)
    except WrongValues:
        return kind()


def _limits(path: tuple[str, str], hint: object) -> Row:
    """What a value may be, as its type says."""
    bare, bounds = hint, tuple[object, ...]()
    while get_origin(bare) is Annotated:
        inner, *more = get_args(bare)
        bare, bounds = inner, (*bounds, *more)
    row: Row = {"secret": True} if SECRET in bounds else {}
    if path in _CHOICES:
        row["choices"] = [_plain(each) for each in _CHOICES[path]()]
        if path in _TITLES:
            row["titles"] = [_TITLES[path](str(each)) for each in row["choices"]]
    elif get_origin(bare) is Literal:
        row["choices"] = list(get_args(bare))
    elif isinstance(bare, type) and issubclass(bare, Enum):
        row["choices"] = [each.value for each in bare]
    for bound in bounds:
        if isinstance(bound, Range):
            row["least"] = bound.least
            row |= {} if bound.most == MAX_INTEGER else {"most": bound.most}
        elif hasattr(bound, "least"):
            row["least"] = bound.least
        elif hasattr(bound, "most"):
            row["letters"] = bound.most
    return {**row, **_LIMITS.get(path, {}), "kind": _kind(bare, has_choices="choices" in row)}


def _kind(bare: object, *, has_choices: bool) -> str:
    if get_origin(bare) in (Union, UnionType):
        (bare,) = [each for each in get_args(bare) if each is not NoneType][:1]
    if get_origin(bare) is tuple:
        return "list"
    if has_choices:
        return "choice"
    names: dict[object, str] = {bool: "bool", int: "int", float: "float", str: "text"}
    return names.get(bare, "table")


def _plain(value: object) -> object:
    """The value as JSON has it."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return _text(value)
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value


def _text(values: Mapping[str, object]) -> str:
    return ", ".join(f"{key} = {value}" for key, value in values.items())[:MAX_SHOWN]
