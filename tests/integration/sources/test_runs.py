"""A sync can be interrupted anywhere and run twice, and has its own schedule."""

import asyncio
from collections.abc import Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from saegim.library.ingest_repository import PostgresIngests
from saegim.library.repository import PostgresLibrary
from saegim.net.guard import networks
from saegim.sources.readers import Readers
from saegim.sources.repository import PostgresSources
from saegim.sources.sync import Sync
from saegim.sources.types import Content, Entry, SourceListing
from tests.integration.sources.conftest import (
    add,
    counts,
    documents,
    look,
    look_again,
    status,
)
from tests.integration.sources.site import Reply, Site
from tests.stack import Stack

pytestmark = pytest.mark.requirement("LB10")

JOBS = b"""
    select scheduled_at from procrastinate_jobs
    where task_name = 'sync_source' and status = 'todo' and args ->> 'subject' = %s
    order by id
"""


async def waiting(stack: Stack, source: str) -> list[datetime | None]:
    async with stack.services.db.cells.home.connection() as connection:
        rows = await (await connection.execute(JOBS, (source,))).fetchall()
    return [row["scheduled_at"] for row in rows]


class Dies(Exception):
    """As a worker that is killed: nothing after this runs."""


def documents_of(stack: Stack) -> PostgresLibrary:
    services = stack.services
    return PostgresLibrary(services.db.cells, services.jobs.queue, services.clock)


def sync_of(stack: Stack, readers: Any = None, seconds: float = 120.0) -> Sync:
    services = stack.services
    parts = (services.db.cells, services.jobs.queue, services.clock)
    store = PostgresSources(
        services.db.cells, services.encryption.keyring, services.jobs.queue, services.clock
    )
    own = Readers(None, networks(["127.0.0.0/8"]), services.clock)
    return Sync(store, PostgresIngests(*parts), documents_of(stack), readers or own, seconds)


async def test_a_run_is_on_a_schedule_and_asking_twice_is_asking_once(
    stack: Stack, site: Site
) -> None:
    what = {"kind": "urls", "urls": [site.put("/a", "하나", "첫 문서입니다.")]}
    source = await add(stack, what, every_hours=6)
    assert await waiting(stack, source) == [None]
    await look(stack, source)
    [due] = await waiting(stack, source)
    assert due is not None
    assert abs(due - datetime.now(UTC) - timedelta(hours=6)) < timedelta(minutes=30)
    for _ in range(3):
        await stack.http.post(f"/v1/sources/{source}/sync", headers=stack.headers())
    assert await waiting(stack, source) == [None]
    site.asked.clear()
    await look(stack, source)
    assert site.paths() == ["/a"]
    assert len(await waiting(stack, source)) == 1


async def test_a_run_that_is_out_of_time_goes_on_in_the_next_job(stack: Stack, site: Site) -> None:
    urls = [site.put(f"/{n}", f"제목 {n}", f"내용 {n}입니다.") for n in range(4)]
    source = await add(stack, {"kind": "urls", "urls": urls})
    sync, tenant = sync_of(stack, seconds=0.0), stack.tenant.tenant.id
    for done in range(1, 4):
        await sync.sync(tenant, UUID(source))
        shown = await status(stack, source)
        assert (shown["running"], shown["listed"]) == (True, done)
    shown = await look(stack, source)
    assert (shown["running"], counts(shown), shown["documents"]) == (False, (4, 4, 0, 0, 0), 4)
    assert sorted(site.paths()) == [f"/{n}" for n in range(4)], "no page was asked for twice"


async def test_wherever_a_run_dies_nothing_is_lost_or_doubled(stack: Stack, site: Site) -> None:
    urls = [site.put(f"/{n}", f"제목 {n}", f"내용 {n}입니다.") for n in range(3)]
    source = await add(stack, {"kind": "urls", "urls": urls})
    tenant, left = stack.tenant.tenant.id, 1
    while True:
        try:
            await dying(stack, left).sync(tenant, UUID(source))
            break
        except Dies:
            left += 1
    assert left > 10, "it died in many places"
    shown = await look(stack, source)
    assert (shown["documents"], shown["failing"], shown["error"]) == (3, [], None)
    before = await documents(stack)
    assert counts(await look_again(stack, source)) == (3, 0, 3, 0, 0)
    assert await documents(stack) == before


def dying(stack: Stack, after: int) -> Sync:
    """A sync whose worker is killed before its call number `after` to a store."""
    left = [after]

    class Mortal:
        def __init__(self, inner: object) -> None:
            self._inner = inner

        def __getattr__(self, name: str) -> Any:
            left[0] -= 1
            if left[0] <= 0:
                raise Dies
            return getattr(self._inner, name)

    services = stack.services
    parts = (services.db.cells, services.jobs.queue, services.clock)
    return Sync(
        Mortal(
            PostgresSources(
                services.db.cells, services.encryption.keyring, services.jobs.queue, services.clock
            )
        ),  # pyright: ignore[reportArgumentType] - passes calls on
        Mortal(PostgresIngests(*parts)),  # pyright: ignore[reportArgumentType] - passes calls on
        Mortal(documents_of(stack)),  # pyright: ignore[reportArgumentType] - passes calls on
        Readers(None, networks(["127.0.0.0/8"]), services.clock),
    )


class Shelf:
    """A source in memory, whose items can change between the listing and the import."""

    def __init__(self, items: dict[str, str]) -> None:
        self.items = items

    def check(self, origin: object) -> None:
        pass

    @asynccontextmanager
    async def open(self, source: object):
        yield self

    async def entries(self) -> SourceListing:
        return SourceListing(tuple(Entry(key) for key in self.items))

    async def fetch(self, entry: Entry, known: object) -> Content:
        return Content(self.items[entry.key].encode())


async def files(stack: Stack) -> Sequence[UUID]:
    async with stack.services.db.cells.home.transaction(stack.tenant.tenant.id) as connection:
        rows = await (
            await connection.execute(b"select file_id from ingest_file order by created_at")
        ).fetchall()
    return [row["file_id"] for row in rows]


async def test_an_older_file_of_an_item_never_wins_over_a_newer_one(
    stack: Stack, site: Site
) -> None:
    source = await add(stack, {"kind": "urls", "urls": [f"{site.url}/a"]})
    tenant, shelf = (
        stack.tenant.tenant.id,
        Shelf({"a.md": "# 하나\n\n옛 글.", "b.md": "# 둘\n\n둘."}),
    )
    sync = sync_of(stack, shelf)
    await sync.sync(tenant, UUID(source))
    shelf.items = {"a.md": "# 하나\n\n새 글."}
    await sync.sync(tenant, UUID(source))
    old, removed, new = await files(stack)
    ingestion = stack.services.library.ingestion
    for file in (new, old, removed):
        await ingestion.ingest(tenant, file)
    assert set(await documents(stack)) == {"a.md"}
    caller = await stack.caller()
    _, places = await stack.services.library.search.lookup(caller, "a.md")
    assert "새 글" in places[0].passage.text


async def test_a_file_that_could_not_be_read_is_tried_again(stack: Stack, site: Site) -> None:
    site.pages["/x.pdf"] = Reply(
        200, b"%PDF-1.7 broken", {"Content-Type": "application/pdf", "ETag": '"1"'}
    )
    source = await add(
        stack, {"kind": "urls", "urls": [f"{site.url}/x.pdf", site.put("/a", "하나", "글.")]}
    )
    shown = await look(stack, source)
    assert [one["key"] for one in shown["failing"]] == [f"{site.url}/x.pdf"]
    assert counts(await look_again(stack, source)) == (2, 1, 1, 0, 0)


async def test_a_server_that_never_answers_is_given_up_on(stack: Stack, site: Site) -> None:
    from saegim.sources.web import WebTimes

    source = await add(stack, {"kind": "urls", "urls": [f"{site.url}/{n}" for n in range(9)]})
    site.hang = True
    times = WebTimes(connect_seconds=60, read_seconds=0.5, whole_seconds=60)
    readers = Readers(None, networks(["127.0.0.0/8"]), stack.services.clock, times)
    async with asyncio.timeout(180):
        await sync_of(stack, readers).sync(stack.tenant.tenant.id, UUID(source))
    assert (await status(stack, source))["error"] == "timeout"
    assert len(site.asked) == 5
