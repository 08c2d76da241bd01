"""Run scripts of the pages in node, without a browser, on JSON values."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.paths import ROOT

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="the scripts of the pages run in node")
_LOOP = """
import { createInterface } from "node:readline";
import answer from "./driver.js";
for await (const line of createInterface({ input: process.stdin }))
  console.log(JSON.stringify(await answer(JSON.parse(line))));
"""


class PageScript:
    """A running driver; ``ask`` returns what it answers."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def ask(self, given: object) -> Any:  # noqa: ANN401 - any JSON
        assert self._process.stdin is not None and self._process.stdout is not None
        print(json.dumps(given), file=self._process.stdin, flush=True)
        return json.loads(self._process.stdout.readline())


@contextmanager
def page_script(folder: Path, driver: str) -> Iterator[PageScript]:
    """Run ``driver`` beside the scripts of the hub, as it serves them.

    ``driver``: a module whose default export answers one value with another.
    """
    assert NODE is not None
    for pages in ("serving", "hub"):
        for path in (ROOT / "scorer" / pages / "pages").glob("*.js"):
            (folder / path.name).symlink_to(path)
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "driver.js").write_text(driver)
    (folder / "loop.js").write_text(_LOOP)
    command = [NODE, "--preserve-symlinks", "--preserve-symlinks-main", "loop.js"]
    with subprocess.Popen(
        command, cwd=folder, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        yield PageScript(process)
        assert process.stdin is not None
        process.stdin.close()
