"""The files that hosting, editors and pre-commit read are well-formed and call what exists."""

import json
import tomllib
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[3]


def read(path: str) -> Any:
    return yaml.safe_load((ROOT / path).read_text("utf-8"))


def test_ci_runs_the_script_of_the_repository() -> None:
    [job] = read(".github/workflows/ci.yml")["jobs"].values()
    assert ".ci/run" in [step.get("run") for step in job["steps"]]
    assert (ROOT / ".ci/run").stat().st_mode & 0o100


def test_issue_forms_have_labels_for_every_field() -> None:
    for name in ("bug", "feature"):
        form = read(f".github/ISSUE_TEMPLATE/{name}.yml")
        fields = [field for field in form["body"] if field["type"] != "markdown"]
        assert fields
        assert all(field["attributes"]["label"] for field in fields)


def test_pre_commit_uses_the_tools_of_the_lock_file() -> None:
    [local] = read(".pre-commit-config.yaml")["repos"]
    assert local["repo"] == "local"
    programs = {hook["entry"].split()[0] for hook in local["hooks"]}
    assert programs == {".venv/bin/ruff", ".venv/bin/lint-imports", "scripts/uv"}


def test_the_devcontainer_is_json() -> None:
    found = json.loads((ROOT / ".devcontainer/devcontainer.json").read_text("utf-8"))
    assert "make setup" in found["postCreateCommand"]


def test_the_group_dev_has_every_extra() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    extras = ",".join(sorted(project["project"]["optional-dependencies"]))
    assert f"saegim[{extras}]" in project["dependency-groups"]["dev"]


def test_the_docs_build_fails_on_warnings() -> None:
    """`--quiet` would hide warnings from `--strict`."""
    makefile = (ROOT / "Makefile").read_text("utf-8")
    [site] = [line for line in makefile.splitlines() if line.startswith("SITE :=")]
    assert "--strict" in site
    assert "--quiet" not in site
    assert makefile.count("\t$(SITE)") == 2  # make check and make docs
