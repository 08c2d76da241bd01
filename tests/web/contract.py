"""Checks of responses against docs/reference/api."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from tests.paths import ROOT

HERE = ROOT / "docs" / "reference" / "api"
STATE: dict[str, Any] = json.loads((HERE / "state.schema.json").read_text(encoding="utf-8"))
OPENAPI: dict[str, Any] = json.loads((HERE / "openapi.json").read_text(encoding="utf-8"))
SCHEMAS: dict[str, Any] = OPENAPI["components"]["schemas"]

_RESOURCES = [
    ("state.schema.json", Resource.from_contents(STATE)),
    ("openapi.json", DRAFT202012.create_resource(OPENAPI)),
]
_REGISTRY: Registry[Any] = Registry().with_resources(_RESOURCES)


def unnumbered(state: Mapping[str, Any]) -> dict[str, Any]:
    """A published state without its number, as a table has it."""
    return {key: value for key, value in state.items() if key != "number"}


def check(name: str, value: object) -> None:
    """Validate ``value`` against a schema of openapi.json; raises ValidationError."""
    # Imported lazily: it takes a second in each process that collects tests.
    from jsonschema import Draft202012Validator

    place = "state.schema.json"
    if name != "State":
        assert name in SCHEMAS
        place = f"openapi.json#/components/schemas/{name}"
    validator = Draft202012Validator({"$ref": place}, registry=_REGISTRY)
    validator.validate(json.loads(json.dumps(value)))


def check_answer(path: str, status: int, value: object, method: str = "get") -> None:
    """Holds a JSON answer against what its path promises for this status."""
    told = OPENAPI["paths"][path][method]["responses"][str(status)]
    schema = told["content"]["application/json"]["schema"]
    names = [each["$ref"].rpartition("/")[2] for each in schema.get("anyOf", [schema])]
    if len(names) > 1:
        names = ["Refused" if isinstance(value, dict) and "ok" in value else "Error"]
    check(names[0], value)
