"""With no network at all, as on a machine that has only loopback.

How long a start takes is asserted by `make verify-start`, which runs with nothing beside it."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from typing import Any

import pytest

from tests.acceptance.dev.home import REPOSITORY

FIRST_START_SECONDS = 40.0
NEXT_START_SECONDS = 15.0


def alone(*command: str) -> list[str]:
    """The command in a network namespace with only loopback."""
    # Root keeps its user, because the database server runs as one of its own.
    own = [] if os.geteuid() == 0 else ["--user", "--map-current-user", "--keep-caps"]
    script = 'ip link set lo up && exec "$@"'
    return ["unshare", *own, "--net", "sh", "-c", script, "sh", *command]


def is_permitted() -> bool:
    if not shutil.which("unshare") or not shutil.which("ip"):
        return False
    return subprocess.run(alone("true"), capture_output=True, check=False).returncode == 0


@pytest.fixture(scope="module")
def seen_twice() -> dict[str, Any]:
    return run_offline("--again")


def run_offline(*options: str) -> dict[str, Any]:
    if not is_permitted():
        pytest.skip("no network namespace may be made here")
    with tempfile.TemporaryDirectory(prefix="saegim-test-") as folder:
        command = alone(sys.executable, "-m", "tests.acceptance.dev.offline", folder, *options)
        done = subprocess.run(
            command, cwd=REPOSITORY, capture_output=True, encoding="utf-8", check=False, timeout=900
        )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_readme_works_as_written() -> None:
    seen = run_offline()
    assert seen["network"] is False
    assert seen["answer"]["state"] == "done"
    assert "event: done" in seen["streamed"]
    assert seen["stopped"] == [0]


@pytest.mark.long
def test_the_next_start_finds_the_data(seen_twice: dict[str, Any]) -> None:
    assert seen_twice["network"] is False
    assert seen_twice["found_again"] == ["안녕하세요"]
    assert seen_twice["stopped"] == [0, 0]


@pytest.mark.long
def test_it_is_ready_in_time(
    seen_twice: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    first, following = seen_twice["seconds"]
    with capsys.disabled():
        sys.stdout.write(f"\nsaegim dev, no network: {first} s at first, {following} s after\n")
    assert first <= FIRST_START_SECONDS
    assert following <= NEXT_START_SECONDS
