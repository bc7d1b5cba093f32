"""`python -m benchmarks.memory.windows`: compare a stored window with a range query of its turns.

Both read and decrypt the same windows of one conversation; milliseconds per window.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from statistics import median
from uuid import UUID

from benchmarks.evaluation import people
from benchmarks.evaluation.people import Recorder
from benchmarks.memory.bench_stack import bench_stack
from saegim.app.container import Services
from saegim.domain.scope import Scope
from saegim.encryption.cipher import FieldLocation
from saegim.evaluation.play import StageClock
from saegim.memory.episode_repository import PostgresEpisodes
from saegim.memory.episodes import WINDOW_TURNS, render

STORED = "select content from episode where tenant_id = %s and episode_id = %s"
ENDS = """
    select e.episode_id, t.turn_id from episode e
    join turn t on t.tenant_id = e.tenant_id and t.session_id = e.session_id
        and t.number = e.last_turn
    where e.tenant_id = %s order by e.episode_id limit %s
"""


async def windows(services: Services, scope: Scope, most: int) -> list[tuple[UUID, UUID]]:
    """Returns episodes of a tenant, each with the last turn of its window."""
    cell = await services.db.cells.for_tenant(scope.tenant)
    async with cell.transaction(scope.tenant) as connection:
        cursor = await connection.execute(ENDS, (scope.tenant, most))
        return [(row["episode_id"], row["turn_id"]) for row in await cursor.fetchall()]


async def stored(services: Services, scope: Scope, episode: UUID) -> str:
    """Reads a stored window: one row."""
    cell = await services.db.cells.for_tenant(scope.tenant)
    cipher = await services.encryption.keyring.user(scope.tenant, scope.user)
    async with cell.transaction(scope.tenant) as connection:
        cursor = await connection.execute(STORED, (scope.tenant, episode))
        row = await cursor.fetchone()
    assert row is not None
    return cipher.open(row["content"], FieldLocation("episode.content", episode))


async def by_range(services: Services, scope: Scope, turn: UUID) -> str:
    """Reads the same window by a range query of its turns."""
    store = PostgresEpisodes(services.db.cells, services.encryption.keyring, services.clock)
    found = await store.window(scope.tenant, turn, WINDOW_TURNS)
    assert found is not None
    return render(found)


async def timed(read: Callable[[UUID], Awaitable[str]], ids: Sequence[UUID]) -> float:
    """Returns the median milliseconds of one read."""
    took: list[float] = []
    for each in ids:
        began = time.perf_counter()
        await read(each)
        took.append(time.perf_counter() - began)
    return 1_000 * median(took)


async def main(most: int = 200) -> None:
    clock = StageClock(datetime(2024, 1, 5, 9, tzinfo=UTC))
    async with bench_stack(clock) as home:
        told = await Recorder(home.services, clock, home.key).record(people.read("p1"), "p1")
        scope = told.person.caller.scope
        found = await windows(home.services, scope, most)
        episodes, turns = [each for each, _ in found], [turn for _, turn in found]
        read_stored = partial(stored, home.services, scope)
        read_range = partial(by_range, home.services, scope)
        await timed(read_stored, episodes)
        await timed(read_range, turns)
        one, other = await timed(read_stored, episodes), await timed(read_range, turns)
    print(f"windows {len(found)}, stored {one:.2f} ms, by range {other:.2f} ms, {other / one:.1f}x")


if __name__ == "__main__":
    asyncio.run(main())
