"""Compare our job fetch with Procrastinate's, and count the lines of each part of the queue.

The source of the figures in ADR 0012. Run: `uv run python -m scripts.measure_jobs`.
"""

import json
import statistics
import time
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, LiteralString

import psycopg

from saegim.db.migrate import ensure_database, migrate
from saegim.localservers.postgres import LocalPostgres

FETCH: dict[str, LiteralString] = {
    "ours": "select id from saegim.job_fetch(%s)",
    "procrastinate": "select id from saegim.procrastinate_fetch_job_v2(null, %s)",
}
FINISH = "select saegim.procrastinate_finish_job_v1(%s, 'succeeded', true)"
ADD = """
insert into saegim.procrastinate_jobs (queue_name, task_name, priority, lock, args, status)
select 'default', 'extract', -n, %(lock)s, '{}', 'todo'
from generate_series(%(first)s::integer, %(last)s::integer) n
"""
HOLD = "update saegim.procrastinate_jobs set status = 'doing' where priority = -1"
FETCHES = 20
RUNS = 150
BLOCKED = 2_500
ROOT = Path(__file__).parents[1]


def main() -> None:
    """Print the figures as JSON."""
    with TemporaryDirectory() as folder:
        server = LocalPostgres.start(Path(folder))
        try:
            ensure_database(server.url(), "jobs")
            migrate(server.url("jobs"), server.url("jobs", user="saegim_app"))
            with psycopg.connect(server.url("jobs"), autocommit=True) as connection:
                connection.execute("set search_path to saegim, public")
                figures = {**_rates(connection), **_blocked(connection), **_lines()}
        finally:
            server.stop()
    print(json.dumps(figures, indent=1))


def _rates(connection: psycopg.Connection[Any]) -> dict[str, float]:
    """Measures how many jobs without a lock one connection fetches and finishes per second.

    Both fetches alternate, so that other load affects both.
    """
    worker = _prepare(connection, None, RUNS * len(FETCH))
    taken: dict[str, list[float]] = {name: [] for name in FETCH}
    for _ in range(RUNS):
        for name, fetch in FETCH.items():
            began = time.perf_counter()
            row = connection.execute(fetch, (worker,)).fetchone()
            assert row is not None, "a job waits"
            connection.execute(FINISH, row)
            taken[name].append(time.perf_counter() - began)
    return {
        f"jobs_per_second.{name}": round(1 / statistics.median(seconds))
        for name, seconds in taken.items()
    }


def _blocked(connection: psycopg.Connection[Any]) -> dict[str, float]:
    """Measures a fetch, in milliseconds, behind many jobs of one taken lock."""
    worker = _prepare(connection, "held", BLOCKED)
    connection.execute(HOLD)
    connection.execute(ADD, {"lock": None, "first": BLOCKED + 1, "last": BLOCKED + 1})
    taken: dict[str, list[float]] = {name: [] for name in FETCH}
    for _ in range(FETCHES):
        for name, fetch in FETCH.items():
            with connection.transaction(force_rollback=True):
                began = time.perf_counter()
                row = connection.execute(fetch, (worker,)).fetchone()
                taken[name].append(1000 * (time.perf_counter() - began))
                assert row is not None, "the last job is free"
    return {
        f"blocked_fetch_ms.{name}": round(statistics.median(milliseconds), 1)
        for name, milliseconds in taken.items()
    }


def _prepare(connection: psycopg.Connection[Any], lock: str | None, count: int) -> int:
    connection.execute("truncate saegim.procrastinate_jobs cascade")
    connection.execute(ADD, {"lock": lock, "first": 1, "last": count})
    connection.execute("analyze saegim.procrastinate_jobs")
    row = connection.execute("select * from saegim.procrastinate_register_worker_v1()").fetchone()
    assert row is not None, "a worker has an id"
    return int(row[0])


def _lines() -> dict[str, int]:
    """Counts the lines of our layer, and of the Procrastinate modules that a worker runs."""
    ours = ROOT / "src/saegim/jobs"
    found = find_spec("procrastinate")
    assert found is not None, "it is installed"
    assert found.origin is not None, "it is a package"
    theirs = Path(found.origin).parent
    names = ("worker", "manager", "jobs", "tasks", "retry", "job_context", "psycopg_connector")
    return {
        "lines.ours": _count([*ours.glob("*.py"), ours / "queries.sql"]),
        "lines.procrastinate_used": _count(theirs / f"{name}.py" for name in names),
    }


def _count(paths: Iterable[Path]) -> int:
    return sum(len(path.read_text("utf-8").splitlines()) for path in paths)


if __name__ == "__main__":
    main()
