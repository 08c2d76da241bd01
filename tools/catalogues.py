"""Compile the catalogues, each ``scorer.po`` to a ``scorer.json`` beside it.

``python -m tools.catalogues`` compiles them in a checkout, and hatchling calls the hook when it
builds or installs the package. A compiled file has the digest of what it was made from, so that a
second call changes nothing; git ignores it.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import runpy
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parents[1]
CATALOGUES = "scorer/i18n"
DIGEST = "digest"  # field of a compiled header

_OWN_FIELD = re.compile(r'^"(X-[\w-]+): (.+)\\n"$', re.MULTILINE)


class CatalogueHook(BuildHookInterface[Any]):
    """Compiles the catalogues for a wheel, an sdist or an editable install.

    A wheel and an sdist have no file that is in no commit, like the Debian package.
    """

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile those of the tree that is built.

        Ends the build if a file of a wheel or an sdist is in no commit. Raises PoFileError.
        """
        root = Path(self.root)
        if version == "standard":
            # Hatchling loads this module by its path: no other module can be imported.
            untracked = runpy.run_path(str(root / "packaging" / "untracked.py"))
            builder = self.build_config.builder
            included = {file.relative_path for file in builder.recurse_included_files()}
            if strays := sorted(included & {*untracked["untracked_files"](root)}):
                self.app.abort(untracked["refusal"](strays))
        compile_all(root)
        build_data["artifacts"].append(f"/{CATALOGUES}/*/LC_MESSAGES/scorer.json")


def compile_all(root: Path) -> None:
    """Compile each changed catalogue, and delete those whose source is gone.

    A file is replaced as a whole, because a running program or another build may read it. Raises
    PoFileError if a source cannot be read.
    """
    for source in sources(root):
        target, digest = source.with_suffix(".json"), _digest(source)
        if _digest_of_compiled(target) != digest:
            _replace(target, compile_catalogue(source, digest))
    for compiled in _files(root, "json"):
        if not compiled.with_suffix(".po").exists():
            compiled.unlink(missing_ok=True)
            with suppress(OSError):  # not empty: the folder has other files
                compiled.parent.rmdir()
                compiled.parents[1].rmdir()


def sources(root: Path = ROOT) -> list[Path]:
    """The ``.po`` of every language."""
    return _files(root, "po")


def compile_catalogue(source: Path, digest: str) -> str:
    """The JSON of ``source``, with a text on each line. Raises PoFileError."""
    # Imported late: most calls find every catalogue compiled.
    from babel.messages import pofile

    with source.open("rb") as file:
        catalogue = pofile.read_po(file, abort_invalid=True)
    texts = {str(message.id): str(message.string) for message in catalogue if message.id}
    compiled = {"": {**own_fields(source), DIGEST: digest}, **dict(sorted(texts.items()))}
    return json.dumps(compiled, ensure_ascii=False, indent=0) + "\n"


def own_fields(source: Path) -> dict[str, str]:
    """The fields ``X-…`` of a header, which Babel ignores."""
    return dict(_OWN_FIELD.findall(source.read_text(encoding="utf-8")))


def _files(root: Path, suffix: str) -> list[Path]:
    return sorted((root / CATALOGUES).glob(f"*/LC_MESSAGES/scorer.{suffix}"))


def _digest(source: Path) -> str:
    """Of the source and of this compiler."""
    return hashlib.sha256(Path(__file__).read_bytes() + source.read_bytes()).hexdigest()


def _digest_of_compiled(file: Path) -> str | None:
    try:
        digest: str | None = json.loads(file.read_bytes())[""].get(DIGEST)
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return None  # missing, torn or of an older compiler
    return digest


def _replace(target: Path, text: str) -> None:
    descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=".")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        Path(name).chmod(0o644)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


if __name__ == "__main__":
    compile_all(ROOT)
