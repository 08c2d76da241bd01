"""The Caddyfile of docs/operators/https.md with a real Caddy, if installed."""

from __future__ import annotations

import re
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.paths import ROOT
from tests.support.phone_pairing import show_new_code
from tests.table.table_process import running_table, table_on
from tests.web.server_process import PATIENCE, events, first_event, web
from tests.web.test_network import shown_on

PAPER = (ROOT / "docs" / "operators" / "https.md").read_text("utf-8")
CADDY = shutil.which("caddy")
# Not of the page: no port 80, no administration, nothing installed on this machine.
OPTIONS = "{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n}\n"


def block(language: str, starts: str) -> str:
    """The block of the page that starts with these words."""
    found = re.findall(rf"```{language}\n(.*?)```", PAPER, re.DOTALL)
    (text,) = (each for each in found if each.startswith(starts))
    return str(text)


@contextmanager
def caddy(folder: Path, upstream: int) -> Iterator[tuple[str, Path]]:
    """Caddy before a server; its host and port, and the certificate of its authority."""
    assert CADDY is not None
    with socket.create_server(("127.0.0.1", 0)) as free:
        site = f"localhost:{free.getsockname()[1]}"
    text = block("caddyfile", "truco.example.org").replace("truco.example.org", f"https://{site}")
    text = text.replace("127.0.0.1:8080", f"127.0.0.1:{upstream}")
    file = folder / "Caddyfile"
    file.write_text(OPTIONS + text.replace("{\n", "{\n\ttls internal\n", 1))
    process = subprocess.Popen(
        [CADDY, "run", "--config", str(file), "--adapter", "caddyfile"],
        env={"HOME": str(folder), "PATH": "/usr/bin:/bin"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        log = ""
        while "serving initial configuration" not in log:
            line = process.stderr.readline()
            assert line, log
            log += line
        yield site, folder / ".local/share/caddy/pki/authorities/local/root.crt"
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE)


@pytest.mark.skipif(CADDY is None, reason="caddy is not installed")
def test_behind_caddy_a_phone_is_paired_over_https(tmp_path: Path) -> None:
    path = tmp_path / "table.sock"
    settings = block("toml", '[web]\naddress = "127.0.0.1"').replace(
        "truco.example.org", "localhost"
    )
    with (
        running_table(table_on(tmp_path / "store", socket=path)) as table,
        web(path, tmp_path, settings) as serving,
        caddy(tmp_path, serving.port) as (site, authority),
        httpx.Client(
            base_url=f"https://{site}",
            verify=ssl.create_default_context(cafile=str(authority)),
            timeout=PATIENCE,
        ) as client,
    ):
        ours = {"X-Truco": "1", "Origin": f"https://{site}", "X-Forwarded-Proto": "http"}
        body = {"code": show_new_code(table), "name": "Ana"}
        answer = client.post("/api/v1/pair", json=body, headers=ours)
        assert answer.status_code == 200, answer.text
        assert "; secure" in answer.headers["set-cookie"].lower()
        assert client.get("/api/v1/phone").json()["paired"] is True
        with client.stream("GET", "/events") as response:
            stream = events(response)
            first_event(stream, lambda event: event.data.get("table") == "here")
            table.press("menu", duration_s=4.0)
            table.press("A.truco")
            first_event(stream, lambda event: event.data["state"]["pending"] is not None)
        for _ in range(5):
            table.press("menu")
        shown_on(table, "https://localhost")
