"""`saegim jobs` and `saegim doctor` show both cells by name."""

import asyncio
import json
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from typer.testing import CliRunner, Result

from saegim.api.metrics_page import page
from saegim.cli.main import app
from tests.integration.db.conftest import OtherCell
from tests.stack import FAILURE, JOB, Databases, Stack

# A number that jobs of both cells have: each cell counts by itself.
ALIKE = 70_000
COUNT_ON = "select setval('procrastinate_jobs_id_seq', %s, false)"


class Operator:
    """An operator whose settings name both cells."""

    def __init__(self, databases: Databases, other: OtherCell) -> None:
        home, place = databases.settings(), other.place()
        logins = ("postgres_url", "postgres_admin_url", "redis_url")
        cell = {name: getattr(place, name).get_secret_value() for name in logins}
        self._environment = {
            f"SAEGIM_{name.upper()}": getattr(home, name).get_secret_value()
            for name in (*logins, "keyring_url", "master_key")
        } | {"SAEGIM_CELLS": json.dumps({"b": cell})}

    async def run(self, *arguments: str) -> Result:
        runner = CliRunner()
        return await asyncio.to_thread(runner.invoke, app, arguments, env=self._environment)

    async def read(self, *arguments: str) -> Any:
        result = await self.run(*arguments, "--json")
        assert result.stdout, result.stderr
        return json.loads(result.stdout)

    async def failed(self) -> list[tuple[str, int]]:
        return [(job["cell"], job["id"]) for job in await self.read("jobs", "list", "--failed")]


@pytest.fixture
def operator(databases: Databases, other: OtherCell) -> Operator:
    """Failed jobs: one with the same id in both cells, and one more in `b`."""
    fail_jobs(databases.admin_url, 1)
    fail_jobs(other.admin_url, 2)
    return Operator(databases, other)


def fail_jobs(url: str, count: int) -> None:
    with psycopg.connect(url, autocommit=True) as admin:
        admin.execute("set search_path = saegim")
        admin.execute("delete from procrastinate_jobs")
        admin.execute(COUNT_ON, (ALIKE,))
        for _ in range(count):
            row = admin.execute(JOB, ("index_episode", "todo", uuid4(), uuid4())).fetchone()
            admin.execute("update procrastinate_jobs set status = 'failed' where id = %s", row)
            admin.execute(FAILURE, row)


async def test_jobs_of_every_cell_are_listed_under_its_name(operator: Operator) -> None:
    assert await operator.failed() == [("main", ALIKE), ("b", ALIKE), ("b", ALIKE + 1)]
    assert len(await operator.read("jobs", "list", "--most", "2")) == 2
    in_b = await operator.read("jobs", "list", "--cell", "b")
    assert [job["cell"] for job in in_b] == ["b", "b"]
    table = (await operator.run("jobs", "list")).stdout.splitlines()
    assert {"main", "b"} <= {line.split()[-1] for line in table if line.split()}


async def test_a_number_that_two_cells_have_wants_the_cells_name(operator: Operator) -> None:
    for command in ("show", "replay"):
        refused = await operator.run("jobs", command, str(ALIKE))
        assert refused.exit_code == 1
        assert "main, b" in refused.stderr
    assert (await operator.read("jobs", "show", str(ALIKE + 1)))["cell"] == "b"
    shown = await operator.read("jobs", "show", str(ALIKE), "--cell", "main")
    assert (shown["cell"], shown["id"]) == ("main", ALIKE)
    replayed = await operator.read("jobs", "replay", str(ALIKE), "--cell", "b")
    assert replayed == {"replayed": {"b": [ALIKE]}}
    assert await operator.failed() == [("main", ALIKE), ("b", ALIKE + 1)]


async def test_all_dead_letters_of_all_cells_go_back_in_line(operator: Operator) -> None:
    replayed = await operator.read("jobs", "replay", "--all")
    assert replayed == {"replayed": {"main": [ALIKE], "b": [ALIKE, ALIKE + 1]}}
    assert await operator.failed() == []


async def test_a_cell_that_nobody_knows_is_said(operator: Operator) -> None:
    assert (await operator.run("jobs", "list", "--cell", "c")).exit_code == 1


@pytest.mark.usefixtures("town")
async def test_the_doctor_looks_at_every_cell(operator: Operator) -> None:
    report = await operator.read("doctor")
    parts = {(each["cell"], each["part"]): each["level"] for each in report["findings"]}
    for cell in ("main", "b"):
        for part in ("postgres", "pgvector", "migrations", "isolation", "redis"):
            assert parts[cell, part] == "ok", (cell, part)
        assert parts[cell, "jobs"] == "warning", "some failed for good"
    # The tenant of the home cell has an index that only tests can make.
    assert (parts["main", "embedder"], parts["b", "embedder"]) == ("broken", "ok")
    # The keyring and the models are everybody's.
    assert parts[None, "keyring"] == "warning"


async def test_the_metrics_page_shows_every_cells_queue(operator: Operator, town: Stack) -> None:
    assert await operator.failed(), "the queues are as they are to be"
    shown = (await page(town.services)).decode()
    assert 'saegim_jobs_failed{cell="main"} 1.0\n' in shown
    assert 'saegim_jobs_failed{cell="b"} 2.0\n' in shown
    assert 'saegim_redis_up{cell="b"} 1.0\n' in shown


async def test_a_cell_that_is_away_hides_no_other(
    operator: Operator, other: OtherCell, town: Stack
) -> None:
    other.kill()
    try:
        report = await operator.read("doctor")
        listed = await operator.run("jobs", "list", "--json")
        shown = (await operator.run("doctor")).stdout
        metrics = (await page(town.services)).decode()
    finally:
        other.start()
    parts = {(each["cell"], each["part"]): each["level"] for each in report["findings"]}
    assert (parts["b", "postgres"], parts["b", "redis"]) == ("broken", "warning")
    assert (parts["main", "postgres"], parts["main", "redis"]) == ("ok", "ok")
    assert [job["cell"] for job in json.loads(listed.stdout)] == ["main"]
    assert (listed.exit_code, " b" in listed.stderr) == (1, True)
    assert any("postgres" in line and " b " in line for line in shown.splitlines())
    assert 'saegim_postgres_up{cell="b"} 0.0\n' in metrics
    assert 'saegim_jobs_failed{cell="main"} 1.0\n' in metrics
    assert 'saegim_jobs_failed{cell="b"}' not in metrics
