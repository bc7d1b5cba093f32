"""`saegim jobs`: what operators see of the queue, and dead letters put back in line."""

import asyncio
import json
import os
import subprocess
import sys
from typing import Any
from uuid import UUID, uuid4

import pytest
from typer.testing import CliRunner, Result

from saegim.cli.main import app
from saegim.cli.operators.jobs import STATES
from saegim.jobs.dead_letters import JobState
from tests.integration.jobs.queue_fixture import Line, Runs, until
from tests.stack import Databases

TENANT = uuid4()


def _environment(databases: Databases) -> dict[str, str]:
    settings = databases.settings().model_dump(exclude_none=True)
    secrets = ("postgres_url", "keyring_url", "redis_url", "master_key")
    return {f"SAEGIM_{name.upper()}": settings[name].get_secret_value() for name in secrets}


async def _jobs(databases: Databases, *arguments: str) -> Result:
    runner = CliRunner()
    return await asyncio.to_thread(
        runner.invoke, app, ["jobs", *arguments], env=_environment(databases)
    )


async def _json(databases: Databases, *arguments: str) -> Any:
    result = await _jobs(databases, *arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


async def _dead_letter(line: Line, lock: str | None = None) -> int:
    job = await line.add(TENANT, lock)
    await line.rows(
        "update procrastinate_jobs set status = 'failed' where id = %s returning id", job
    )
    await line.rows(
        "insert into job_failure values (%s, 5, 'ValueError', now()) returning job_id", job
    )
    return job


async def test_the_list_shows_every_state_and_failed_ones_alone_on_request(
    line: Line, databases: Databases
) -> None:
    dead, waiting = await _dead_letter(line), await line.add(TENANT)
    scheduled = await line.add(TENANT, delay=3600)
    running = await line.add(TENANT)
    await line.rows(
        "update procrastinate_jobs set status = 'doing' where id = %s returning id", running
    )
    found = await _json(databases, "list")
    assert {job["id"]: job["state"] for job in found} == {
        dead: "failed",
        waiting: "waiting",
        scheduled: "scheduled",
        running: "running",
    }
    assert [job["id"] for job in await _json(databases, "list", "--failed")] == [dead]
    assert len(await _json(databases, "list", "--most", "2")) == 2


async def test_a_job_is_shown_with_the_kind_of_its_last_error(
    line: Line, databases: Databases
) -> None:
    dead = await _dead_letter(line, lock="session")
    shown = await _json(databases, "show", str(dead))
    assert UUID(shown["tenant"]) == TENANT
    assert (shown["kind"], shown["lock"]) == ("index_episode", "session")
    assert (shown["error"], shown["failures"]) == ("ValueError", 5)
    text = await _jobs(databases, "show", str(dead))
    assert "ValueError" in text.stdout
    assert str(TENANT) in text.stdout


async def test_a_replayed_job_runs(line: Line, databases: Databases) -> None:
    dead, runs = await _dead_letter(line), Runs()
    assert await _json(databases, "replay", str(dead)) == {"replayed": {"main": [dead]}}
    async with line.working(runs):
        await until(lambda: len(runs.ended) >= 1)
    assert len(runs.ended) == 1
    assert await line.job(dead) is None


async def test_all_dead_letters_are_replayed_and_nothing_else(
    line: Line, databases: Databases
) -> None:
    dead = [await _dead_letter(line), await _dead_letter(line)]
    await line.add(TENANT, delay=3600)
    assert await _json(databases, "replay", "--all") == {"replayed": {"main": dead}}
    assert await _json(databases, "replay", "--all") == {"replayed": {"main": []}}
    assert await _json(databases, "list", "--failed") == []


@pytest.mark.parametrize("arguments", [[], ["7", "--all"]], ids=["neither", "both"])
async def test_replay_wants_a_number_or_all(databases: Databases, arguments: list[str]) -> None:
    result = await _jobs(databases, "replay", *arguments)
    assert result.exit_code == 1
    assert "--all" in result.stderr


async def test_what_is_not_there_or_did_not_fail_is_said(line: Line, databases: Databases) -> None:
    waiting = await line.add(TENANT)
    for arguments in (["show", "999999999"], ["replay", "999999999"], ["replay", str(waiting)]):
        result = await _jobs(databases, *arguments)
        assert result.exit_code == 1
        assert arguments[1] in result.stderr
    assert (await line.job(waiting) or {})["status"] == "todo"


@pytest.mark.parametrize(
    ("language", "said"),
    [("ko", "실패한 작업을 대기열에 다시 넣습니다."), ("en", "Put failed jobs back in the queue.")],
    ids=["ko", "en"],
)
def test_the_commands_explain_themselves_in_both_languages(language: str, said: str) -> None:
    command = [sys.executable, "-m", "saegim.cli.main", "jobs", "--help"]
    environment = os.environ | {"SAEGIM_LANG": language, "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(command, env=environment, capture_output=True, check=True)
    assert said in done.stdout.decode()


def test_every_state_has_a_text() -> None:
    assert set(STATES) == set(JobState)
