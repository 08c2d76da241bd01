"""Files for a forge: workflows, issue forms, reports of vulnerabilities."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.paths import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FORMS = sorted(
    path for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml") if path.stem != "config"
)
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def read(path: Path) -> dict[Any, Any]:
    return dict(yaml.safe_load(path.read_text(encoding="utf-8")))


def steps(workflow: dict[Any, Any]) -> list[dict[str, Any]]:
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_every_action_is_pinned_by_the_hash_of_a_commit(path: Path) -> None:
    used = [step["uses"] for step in steps(read(path)) if "uses" in step]
    for action in used:
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", action), action
    named = re.findall(r"uses: (\S+) # v[\d.]+$", path.read_text("utf-8"), re.MULTILINE)
    assert named == used, "each hash is followed by its version"


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_every_target_of_a_workflow_exists(path: Path) -> None:
    lines = " ".join(step.get("run", "") for step in steps(read(path)))
    targets = re.findall(r"\bmake ([a-z-]+)", lines)
    assert targets
    for target in targets:
        assert re.search(rf"^{target}:.*##", MAKEFILE, re.MULTILINE), target


def test_the_tests_run_on_push_and_pull_request_without_a_right_to_write() -> None:
    workflow = read(ROOT / ".github" / "workflows" / "test.yml")
    # YAML 1.1 reads `on` as true.
    assert {"push", "pull_request"} <= workflow[True].keys()
    assert workflow["permissions"] == {"contents": "read"}
    assert "make test" in [step.get("run") for step in steps(workflow)]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_job_with_a_secret_or_the_right_to_write_runs_no_tool_of_the_build(path: Path) -> None:
    workflow = read(path)
    assert workflow["permissions"] == {"contents": "read"}
    for job in workflow["jobs"].values():
        if "write" in job.get("permissions", {}).values() or "secrets." in str(job):
            runs = " ".join(step.get("run", "") for step in job["steps"])
            assert not re.search(r"\b(make|pip|npm|sudo)\b", runs), runs
            assert not any("setup-" in step.get("uses", "") for step in job["steps"])


def test_npm_installs_by_locks_alone() -> None:
    told = re.findall(r"npm (\S+)", "\n".join(re.findall(r"^\t.*$", MAKEFILE, re.MULTILINE)))
    assert set(told) & {"ci", "install", "i", "exec"} == {"ci"}
    for package in ROOT.glob("tools/*/package.json"):
        lock = json.loads(package.with_name("package-lock.json").read_text(encoding="utf-8"))
        written = json.loads(package.read_text(encoding="utf-8"))
        wanted = written.get("dependencies", {}) | written.get("devDependencies", {})
        own = lock["packages"].pop("")
        assert own.get("dependencies", {}) | own.get("devDependencies", {}) == wanted
        # A package that another one contains comes with it.
        fetched = [each for each in lock["packages"].values() if not each.get("inBundle")]
        assert all(each["integrity"].startswith("sha512-") for each in fetched)


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_an_issue_form_has_what_a_forge_asks_for(path: Path) -> None:
    form = read(path)
    assert {"name", "description", "body"} <= form.keys()
    fields = [field for field in form["body"] if field["type"] != "markdown"]
    names = [field["id"] for field in fields]
    assert len(names) == len(set(names))
    assert all(field["attributes"]["label"] for field in fields)
    assert {field["type"] for field in fields} <= {"dropdown", "input", "textarea"}


def required(name: str) -> str:
    form = read(ROOT / ".github" / "ISSUE_TEMPLATE" / f"{name}.yml")
    return "\n".join(
        field["attributes"]["label"]
        for field in form["body"]
        if field.get("validations", {}).get("required")
    )


def test_each_form_requires_what_its_answer_needs() -> None:
    assert "scorer doctor" in required("bug")
    assert "source" in required("house-rule")
    assert "sudo scorer doctor --language en" in required("built-box")


def test_a_vulnerability_can_be_reported_without_knowing_the_host() -> None:
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    (command,) = re.findall(r"`(git log -3 --format='%an <%ae>')`", text)
    if not (ROOT / ".git").exists():
        pytest.skip("a tree without git")
    done = subprocess.run(["sh", "-c", command], cwd=ROOT, capture_output=True, text=True)
    assert re.search(r"<\S+@\S+>", done.stdout)
