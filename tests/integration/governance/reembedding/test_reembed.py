"""Re-embedding: search continues, then everything switches at once."""

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
import typer
from psycopg.rows import dict_row

from benchmarks.doubles.embedders import HashEmbedder
from saegim.app.container import build
from saegim.app.infrastructure import Fakes
from saegim.cli.library import reembed
from saegim.cli.server.preflight import require_embedders
from saegim.domain.errors import Conflict, Invalid
from tests.integration.governance.reembedding.embedders import (
    NEW,
    OLD,
    Ahead,
    Failing,
    Interrupted,
    documents,
)
from tests.integration.governance.reembedding.killed_worker import STOPS_AT
from tests.integration.library.conftest import bring_in, idle, search
from tests.stack import MASTER_KEY, Databases, Stack, new_stack, patient

ROOT = Path(__file__).parents[4]
QUESTIONS = ("17번 창구 안내", "접수 시간은 아홉 시부터")


@pytest.fixture
def warm() -> None:
    """Each test here has its own stack."""


@asynccontextmanager
async def moving(databases: Databases, **fakes: Any) -> AsyncIterator[Stack]:
    fakes = {"embedder": HashEmbedder(), "embedders": (HashEmbedder(32),)} | fakes
    async with new_stack(databases, Fakes(**fakes)) as stack:
        await stack.services.warm_up()
        yield stack


def library(count: int = 200) -> dict[str, str]:
    sections = "\n\n".join(
        f"## {n}번 창구\n\n{n}번 창구는 {n % 7}층에서 {n}번 서류를 접수합니다."
        for n in range(count)
    )
    return {"desks.md": f"# 창구 안내\n\n접수 시간은 아홉 시부터입니다.\n\n{sections}"}


def rows(stack: Stack, statement: str) -> list[dict[str, Any]]:
    with (
        psycopg.connect(stack.databases.admin_url) as admin,
        admin.cursor(row_factory=dict_row) as cursor,
    ):
        cursor.execute("set search_path to saegim, public")
        return cursor.execute(statement.encode(), (stack.tenant.tenant.id,)).fetchall()


def vectors(stack: Stack) -> dict[str, int]:
    counted = "select embedder, count(*) as n from passage_vector where tenant_id = %s group by 1"
    return {row["embedder"]: row["n"] for row in rows(stack, counted)}


def pointers(stack: Stack) -> set[tuple[str, str]]:
    found = rows(stack, "select subject, embedder from index_state where tenant_id = %s")
    return {(row["subject"], row["embedder"]) for row in found}


async def answers(stack: Stack) -> list[Any]:
    return [(await search(stack, question)) for question in QUESTIONS]


async def moved(stack: Stack, seconds: float = 180) -> None:
    """Waits until the move is over and nothing is left to do."""
    tenant = stack.tenant.tenant.id
    async with asyncio.timeout(seconds):
        while True:
            progress = await stack.services.governance.reembedding.progress(tenant)
            if progress is not None and progress.over and await idle(stack):
                return
            await asyncio.sleep(0.05)


async def test_search_goes_on_with_the_old_results_until_all_switches(
    databases: Databases,
) -> None:
    target = Failing(texts=64)
    async with moving(databases, embedders=(target,)) as stack:
        tenant = stack.tenant.tenant.id
        await bring_in(stack, library())
        before = await answers(stack)
        await stack.services.governance.reembedding.begin(tenant, NEW)
        # The provider goes down in the middle; meanwhile people search, and bring documents in.
        async with stack.working():
            await done(stack)
        half_way = await stack.services.governance.reembedding.progress(tenant)
        assert half_way is not None
        assert (half_way.embedded, half_way.over) == (64, False)
        assert await answers(stack) == before
        await bring_in(stack, {"new.md": "# 새 문서\n\n보라색 기린은 춤을 춥니다."})
        meanwhile = await search(stack, "보라색 기린")
        assert meanwhile["found"][0]["document"]["title"] == "새 문서"
        assert pointers(stack) == {("library", OLD), ("memory", OLD)}

        target.left = None
        async with stack.working():
            await moved(stack)
        [passages] = rows(stack, "select count(*) as n from passage where tenant_id = %s")
        after = await answers(stack)
        assert vectors(stack) == {OLD: passages["n"], NEW: passages["n"]}, "in both"
        assert len(documents(target)) == passages["n"], "each once"
        assert pointers(stack) == {("library", NEW), ("memory", NEW)}
        assert [found["degraded"] for found in after] == [[], []]
        assert first(after) == first(before)
        assert (await search(stack, "보라색 기린"))["found"][0]["document"]["title"] == "새 문서"
        assert target.embedded[-1] == ("보라색 기린", "query")


def first(found: list[Any]) -> list[str]:
    """Returns the first result of each question; lower ranks may differ between embedders."""
    return [one["found"][0]["passage_id"] for one in found]


async def test_killed_half_way_the_old_one_serves_and_nothing_committed_is_embedded_again(
    databases: Databases,
) -> None:
    target = HashEmbedder(32)
    async with moving(databases, embedders=(target,)) as stack:
        tenant = stack.tenant.tenant.id
        await bring_in(stack, library(260))
        before = await answers(stack)
        await stack.services.governance.reembedding.begin(tenant, NEW)
        mover = await asyncio.create_subprocess_exec(
            *(
                sys.executable,
                "-m",
                "tests.integration.governance.reembedding.killed_worker",
                str(tenant),
            ),
            cwd=ROOT,
            env=os.environ | environment(databases),
            stdout=asyncio.subprocess.PIPE,
        )
        assert mover.stdout is not None
        # It is about to embed the fourth batch: three are committed.
        while int(await mover.stdout.readline()) < STOPS_AT:
            pass
        mover.kill()
        await mover.wait()

        committed = vectors(stack)[NEW]
        assert committed == STOPS_AT
        assert await answers(stack) == before
        assert pointers(stack) == {("library", OLD), ("memory", OLD)}
        async with stack.working():
            await moved(stack)
        total = vectors(stack)[OLD]
        assert vectors(stack) == {OLD: total, NEW: total}
        assert len(documents(target)) == total - committed
        assert first(await answers(stack)) == first(before)


def environment(databases: Databases) -> dict[str, str]:
    settings = databases.settings()
    assert settings.postgres_url
    assert settings.keyring_url
    assert settings.redis_url
    return {
        "PYTHONPATH": str(ROOT),
        "SAEGIM_POSTGRES_URL": settings.postgres_url.get_secret_value(),
        "SAEGIM_KEYRING_URL": settings.keyring_url.get_secret_value(),
        "SAEGIM_REDIS_URL": settings.redis_url.get_secret_value(),
        "SAEGIM_MASTER_KEY": MASTER_KEY,
        "SAEGIM_INDEX_URL": str(settings.index_url),
    }


async def test_episodes_move_along_with_their_terms(databases: Databases) -> None:
    async with moving(databases) as stack:
        async with stack.working():
            for number in range(3):
                await stack.say(
                    f"제 고양이 {number}번은 연어를 좋아해요", **{"Saegim-Session": "s"}
                )
            await done(stack)
        await stack.services.governance.reembedding.begin(stack.tenant.tenant.id, NEW)
        async with stack.working():
            await moved(stack)
            await stack.say("네 번째도요", **{"Saegim-Session": "s"})
            await done(stack)
        by_version = """
            select index_version as version, vector_dims(embedding) as dimensions, count(*) as n
            from episode_vector where tenant_id = %s group by 1, 2 order by 1
        """
        shown = [tuple(row.values()) for row in rows(stack, by_version)]
        assert shown == [(1, 64, 3), (2, 32, 4)]
        terms = "select term, episodes from term_count where tenant_id = %s and index_version = "
        old = {row["term"]: row["episodes"] for row in rows(stack, terms + "1")}
        new = {row["term"]: row["episodes"] for row in rows(stack, terms + "2")}
        assert old
        assert all(new[term] >= episodes for term, episodes in old.items())


async def done(stack: Stack) -> None:
    async with asyncio.timeout(180):
        while not await idle(stack):
            await asyncio.sleep(0.05)


async def test_what_is_embedded_while_all_switches_is_embedded_again(databases: Databases) -> None:
    old, new = Interrupted(), HashEmbedder(32)
    async with moving(databases, embedder=old, embedders=(new,)) as stack:
        tenant = stack.tenant.tenant.id
        await bring_in(stack, library(5))
        reembedding = stack.services.governance.reembedding

        async def switch() -> None:
            await reembedding.begin(tenant, NEW)
            assert await reembedding.advance(tenant, time.monotonic() + 600)

        old.meanwhile = switch
        await bring_in(stack, {"late.md": "# 늦은 문서\n\n보라색 기린은 춤을 춥니다."})
        assert documents(old)[-1] == documents(new)[-1]
        found = await search(stack, "보라색 기린")
        assert (found["found"][0]["document"]["title"], found["degraded"]) == ("늦은 문서", [])
        assert vectors(stack)[NEW] == vectors(stack)[OLD] + 1


async def test_the_old_one_is_dropped_after_its_time_and_not_before(databases: Databases) -> None:
    clock = Ahead()
    async with moving(databases, clock=clock) as stack:
        tenant = stack.tenant.tenant.id
        await bring_in(stack, library(5))
        await stack.services.governance.reembedding.begin(tenant, NEW)
        async with stack.working():
            await moved(stack)
        folders = generations(stack)
        await stack.services.governance.reembedding.drop_job(tenant, tenant)
        assert generations(stack) == folders
        assert set(vectors(stack)) == {OLD, NEW}

        clock.by = timedelta(minutes=stack.services.settings.old_index_retention_minutes + 1)
        for _ in range(2):
            await stack.services.governance.reembedding.drop_job(tenant, tenant)
            assert len(generations(stack)) == 1
            assert set(vectors(stack)) == {NEW}
            assert rows(stack, "select 1 from retired_index where tenant_id = %s") == []
        assert (await search(stack, "3번 서류"))["found"]


def generations(stack: Stack) -> set[str]:
    assert stack.databases.index is not None
    return {
        each.name
        for folder in stack.databases.index.rglob(stack.tenant.tenant.id.hex)
        for each in folder.iterdir()
    }


async def test_a_move_can_be_given_up_and_another_begun(databases: Databases) -> None:
    down, other = Failing(32, texts=64), HashEmbedder(16)
    async with moving(databases, embedders=(down, other)) as stack:
        tenant, reembedding = stack.tenant.tenant.id, stack.services.governance.reembedding
        await bring_in(stack, library())
        before = await answers(stack)
        await reembedding.begin(tenant, NEW)
        async with stack.working():
            await done(stack)
        with pytest.raises(Conflict, match=NEW):
            await reembedding.begin(tenant, other.name)
        assert (await reembedding.begin(tenant, OLD)).over
        progress = await reembedding.progress(tenant)
        assert progress is not None
        assert progress.over
        assert await answers(stack) == before
        await reembedding.begin(tenant, other.name)
        async with stack.working():
            await moved(stack)
        assert pointers(stack) == {("library", other.name), ("memory", other.name)}


async def test_an_embedder_that_is_not_there_is_refused_with_those_that_are(
    databases: Databases,
) -> None:
    async with moving(databases) as stack:
        with pytest.raises(Invalid, match=f"nothing/9.*{OLD}"):
            await stack.services.governance.reembedding.begin(stack.tenant.tenant.id, "nothing/9")


async def test_a_start_without_the_active_embedder_stops_and_names_it(
    databases: Databases, capsys: pytest.CaptureFixture[str]
) -> None:
    everyones = (HashEmbedder(32), HashEmbedder(16))
    async with moving(databases, embedders=everyones) as stack:
        await require_embedders(stack.services)
        lacking = build(databases.settings(), patient(Fakes(embedder=HashEmbedder(8))))
        await lacking.open()
        try:
            with pytest.raises(typer.Exit):
                await require_embedders(lacking)
        finally:
            await lacking.close()
        assert OLD in capsys.readouterr().err


async def test_the_command_moves_every_tenant_of_the_cell(
    databases: Databases, capsys: pytest.CaptureFixture[str]
) -> None:
    async with moving(databases) as stack:
        await bring_in(stack, library(5))
        async with stack.working():
            await reembed.reembed(stack.services, NEW)
        assert NEW in capsys.readouterr().out
        uses = rows(
            stack, "select 1 from index_state where tenant_id = %s and embedder = 'hash/64'"
        )
        assert uses == []
        left = rows(
            stack, "select indexes from embedder_use where %s is not null and embedder = 'hash/64'"
        )
        assert [row["indexes"] for row in left] == [0]
