"""A real server checked by schemathesis against docs/reference/api.

It generates valid and invalid requests from openapi.json, and expects no server error and no
undocumented response.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.table.table_process import running_table, table_on
from tests.web.contract import HERE
from tests.web.server_process import web

pytestmark = pytest.mark.browser

COMMAND = Path(sys.executable).with_name("schemathesis")
EXAMPLES = 40  # of each operation and phase
# Streams are endless and cannot be read as a whole; see tests/web/test_events.py.
ENDLESS = "/events"
# All requests come from one address, which has no other clients.
ALONE = "[web]\nviewers_each = 1000\n"


def asked(url: str, *more: str) -> tuple[int, str]:
    """What schemathesis found: 0 for nothing, and all that it said."""
    command = [str(COMMAND), "--config-file", str(Path(__file__).with_name("schemathesis.toml"))]
    command += ["run", str(HERE / "openapi.json"), "--url", url.rstrip("/")]
    command += ["--exclude-path", ENDLESS, "--max-examples", str(EXAMPLES), "--seed", "1"]
    command += ["--checks", "all", "--phases", "coverage,fuzzing", "--no-color", *more]
    # A run tells of this source, and not of what another one has found in it.
    command += ["--generation-database", "none"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.timeout(600)
def test_whatever_the_paper_allows_or_forbids_is_answered_as_it_says(tmp_path: Path) -> None:
    if shutil.which(COMMAND) is None:
        pytest.skip("schemathesis is not installed: pip install '.[browser]'")
    path = tmp_path / "table.sock"
    with (
        running_table(table_on(tmp_path / "store", socket=path)) as told,
        web(path, tmp_path, ALONE) as server,
    ):
        for line in ("A.truco", "B.quiero", "A.tantos", "B.envido"):
            told.press(line)
        before = told.state
        found, said = asked(server.url)
        assert (found, "0 generated" in said) == (0, False), said
        assert told.wait(1.0).state == before, "nobody has pressed anything"
        told.process.kill()
        # Which the paper has, and a table that is off is what 503 is for.
        found, said = asked(server.url, "--exclude-checks", "not_a_server_error")
    assert found == 0, said
