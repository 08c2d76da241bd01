"""``python -m scorer.i18n compile`` compiles each ``.po`` to JSON.

Each text is a line. Reading a ``.po`` needs Babel, which only a development environment has;
compiled files are committed.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from babel.messages import pofile

from scorer.i18n import DOMAIN, HEADER

_OWN_FIELD = re.compile(r'^"(X-[\w-]+): (.+)\\n"$', re.MULTILINE)


def main(arguments: list[str]) -> int:
    """Compile every catalogue; 2: usage error."""
    if arguments != ["compile"]:
        print("usage: python -m scorer.i18n compile", file=sys.stderr)
        return 2
    for source in sources():
        source.with_suffix(".json").write_text(compile_catalogue(source), encoding="utf-8")
    return 0


def sources() -> list[Path]:
    """The ``.po`` of every language."""
    return sorted(Path(__file__).parent.glob(f"*/LC_MESSAGES/{DOMAIN}.po"))


def compile_catalogue(source: Path) -> str:
    """Compile ``source`` to JSON. Raises PoFileError if it cannot be read."""
    with source.open("rb") as file:
        catalogue = pofile.read_po(file, abort_invalid=True)
    texts = {str(each.id): str(each.string) for each in catalogue if each.id}
    ordered = {HEADER: own_fields(source), **dict(sorted(texts.items()))}
    return json.dumps(ordered, ensure_ascii=False, indent=0) + "\n"


def own_fields(source: Path) -> dict[str, str]:
    """Our fields of a ``.po`` header, which Babel ignores."""
    return dict(_OWN_FIELD.findall(source.read_text(encoding="utf-8")))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
