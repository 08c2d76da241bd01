"""A machine without the libraries of the hub: the command names what to install."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from scorer.hub import command
from scorer.system import libraries
from tests.paths import ROOT

RUN = """
import sys
sys.modules.update(dict.fromkeys(sys.argv.pop(1).split()))
from scorer.hub import command
sys.exit(command.main(sys.argv[1:]))
"""
SUGGESTED = next(
    line
    for line in (ROOT / "packaging" / "control").read_text(encoding="utf-8").splitlines()
    if line.startswith("Suggests: ")
).split(", ")


def output_without(modules: str, folder: Path, settings: str = "") -> str:
    """What ``scorer hub cards`` prints where ``modules`` are not installed."""
    config = folder / "scorer.toml"
    config.write_text(f"[hub]\n{settings}\n", encoding="utf-8")
    words = ["--config", str(config), "--card", str(folder / "none"), "--state", str(folder)]
    done = subprocess.run(
        [sys.executable, "-c", RUN, modules, *words, "cards", "--tables", "1"],
        check=False,
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    assert (done.returncode, done.stdout) == (1, "")
    return done.stderr


@pytest.mark.sampled(1)
@pytest.mark.parametrize("module", ["sqlalchemy", "alembic", "cryptography", "jinja2"])
def test_it_names_what_the_hub_needs(module: str, tmp_path: Path) -> None:
    said = output_without(module, tmp_path)
    assert said.startswith(f"scorer hub needs {module}: ")
    assert said.endswith(f": run make setup in {ROOT}, and use {ROOT}/.venv/bin/scorer\n")


@pytest.mark.sampled(0)
def test_it_names_what_a_postgresql_needs(tmp_path: Path) -> None:
    settings = 'database = "postgresql+psycopg://hub@localhost/hub"'
    said = output_without("psycopg psycopg2", tmp_path, settings)
    assert said.startswith("scorer hub needs psycopg")


@pytest.mark.parametrize("module", ["networkx", "psycopg", "psycopg2", "sqlalchemy"])
def test_on_debian_it_names_packages_that_ours_suggests(
    module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(libraries.how_to_install, "__defaults__", ("", libraries.DEBIAN))
    advice = command.how_to_install_hub(module)
    assert advice.startswith("sudo apt install python3-")
    assert set(advice.removeprefix("sudo apt install ").split()) <= set(SUGGESTED)


def test_elsewhere_the_advice_is_for_a_copy_of_the_project(tmp_path: Path) -> None:
    assert "pip install '.[hub]'" in libraries.how_to_install("hub", root=tmp_path)


def test_the_package_suggests_what_the_hub_needs() -> None:
    wanted = {"python3-alembic", "python3-cryptography", "python3-sqlalchemy", "python3-psycopg"}
    assert wanted < set(SUGGESTED)
