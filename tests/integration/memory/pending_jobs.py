"""The jobs that wait for a tenant, run one after the other, each of them twice."""

from functools import partial
from typing import Any
from uuid import UUID

from saegim.jobs.types import JobKind
from tests.stack import Stack

WAITING = """
    delete from procrastinate_jobs
    where args ->> 'tenant' = %s and status = 'todo' and scheduled_at is null
        and task_name = any(%s)
    returning id, task_name, args
"""


async def work(stack: Stack) -> int:
    """Does what waits, and what that sets off; how many jobs."""
    services = stack.services
    handlers: dict[str, Any] = {
        JobKind.EXTRACT: partial(services.memory.extraction.extract, at_once=True),
        JobKind.SUMMARISE: services.conversations.summaries.summarise,
        JobKind.INDEX_EPISODE: services.memory.episodes.index,
    }
    tenant, done = stack.tenant.tenant.id, 0
    while True:
        async with services.db.cells.home.connection() as connection:
            cursor = await connection.execute(WAITING, (str(tenant), list(handlers)))
            rows = await cursor.fetchall()
        if not rows:
            return done
        for row in sorted(rows, key=lambda row: row["id"]):
            for _ in range(2):
                await handlers[row["task_name"]](tenant, UUID(row["args"]["subject"]))
        done += len(rows)
