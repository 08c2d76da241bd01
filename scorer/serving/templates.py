"""HTML by templates, which escape every text that is not marked as HTML."""

from __future__ import annotations

from collections.abc import Callable
from importlib import resources

from jinja2 import BytecodeCache, Environment, FunctionLoader, StrictUndefined
from jinja2.bccache import Bucket
from markupsafe import Markup

_SHARED = "scorer.serving.pages"


class _CompiledTemplates(BytecodeCache):
    """Keeps the code of templates for the whole process; compiling delays a start."""

    def __init__(self) -> None:
        self._code: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if code := self._code.get(bucket.key):
            bucket.bytecode_from_string(code)

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._code[bucket.key] = bucket.bytecode_to_string()


_COMPILED = _CompiledTemplates()


class Templates:
    """The templates of packages, and those that all pages share.

    Each is read when it is used first.
    """

    def __init__(self, *packages: str) -> None:
        """``packages``: folders of templates; the first one that has a name counts."""
        self._folders = (*packages, _SHARED)
        self._environment = Environment(
            loader=FunctionLoader(self._read),
            bytecode_cache=_COMPILED,
            undefined=StrictUndefined,
            autoescape=True,
            auto_reload=False,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
        )

    def load(self) -> None:
        """Read all of them, so that no visitor waits for that."""
        for package in self._folders:
            for file in resources.files(package).iterdir():
                if file.name.endswith(".html"):
                    self._environment.get_template(file.name)

    def render(self, name: str, /, **fields: object) -> str:
        """The HTML of a template."""
        return self._environment.get_template(name).render(fields)

    def fragment(self, name: str, macro: str) -> Callable[..., Markup]:
        """The function that makes the HTML of one macro, which other templates take."""
        found: Callable[..., Markup] = getattr(self._environment.get_template(name).module, macro)
        return found

    def _read(self, name: str) -> str | None:
        for package in self._folders:
            file = resources.files(package).joinpath(name)
            if file.is_file():
                return file.read_text(encoding="utf-8")
        return None
