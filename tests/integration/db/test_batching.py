"""Statements of a pipeline go to the server together, and come to the same as one by one."""

from collections.abc import AsyncIterator

import pytest
from psycopg import AsyncConnection, AsyncPipeline
from psycopg.errors import DivisionByZero
from psycopg.rows import dict_row

from saegim.db.pool import BatchingConnection
from tests.stack import Databases

DOUBLE = b"select %s::int * 2 as double"
# More than any buffer between client and server holds, in both directions.
LARGE = 4_000_000


@pytest.fixture
async def connection(databases: Databases) -> AsyncIterator[BatchingConnection]:
    async with await BatchingConnection.connect(
        databases.admin_url, autocommit=True, row_factory=dict_row
    ) as opened:
        yield opened


def test_psycopg_still_has_what_batching_replaces() -> None:
    """Without these, pipelines would silently be psycopg's own, and slower."""
    for name in ("_communicate_gen", "_fetch_gen"):
        assert any(name in vars(kind) for kind in AsyncPipeline.__mro__), name
    assert any(
        "_pipeline" in kind.__annotations__ or "_pipeline" in kind.__init__.__code__.co_names
        for kind in AsyncConnection.__mro__[:-1]
        if hasattr(kind.__init__, "__code__")
    )


async def test_nothing_is_sent_before_the_end(connection: BatchingConnection) -> None:
    async with connection.pipeline() as pipeline:
        cursors = [await connection.execute(DOUBLE, (number,)) for number in range(20)]
        waiting = len(pipeline.command_queue)

    assert waiting >= len(cursors)
    assert [await cursor.fetchone() for cursor in cursors] == [
        {"double": 2 * number} for number in range(20)
    ]


async def test_an_answer_that_is_wanted_at_once_is_fetched(connection: BatchingConnection) -> None:
    async with connection.pipeline():
        first = await connection.execute(DOUBLE, (4,))
        assert await first.fetchone() == {"double": 8}
        second = await connection.execute(DOUBLE, (5,))
    assert await second.fetchone() == {"double": 10}


async def test_a_statement_that_fails_fails_the_pipeline_and_not_the_connection(
    connection: BatchingConnection,
) -> None:
    async def divided_by(number: int) -> None:
        async with connection.pipeline():
            await connection.execute(b"insert into kept values (1)")
            await connection.execute(b"select 1 / %s::int", (number,))
            await connection.execute(b"insert into kept values (2)")

    await connection.execute(b"create temporary table kept (a int)")
    with pytest.raises(DivisionByZero):
        await divided_by(0)

    # One pipeline is one transaction.
    kept = await connection.execute(b"select count(*) as rows from kept")
    assert await kept.fetchone() == {"rows": 0}


async def test_more_than_buffers_hold_goes_through(connection: BatchingConnection) -> None:
    text = "새" * LARGE
    async with connection.pipeline():
        cursors = [await connection.execute(b"select %s::text as said", (text,)) for _ in range(3)]
    assert [await cursor.fetchone() for cursor in cursors] == [{"said": text}] * 3
