"""A tenant's background work: what waits, what failed, and another try."""

from typing import Any

import pytest

from saegim.db.cells import HOME_CELL
from tests.stack import Databases, Stack, new_stack

pytestmark = pytest.mark.requirement("CH1")


async def _backlog(stack: Stack, key: str | None = None) -> dict[str, Any]:
    headers = stack.headers("admin")
    if key is not None:
        headers["Authorization"] = f"Bearer {key}"
    response = await stack.http.get("/v1/jobs", headers=headers)
    assert response.status_code == 200, response.text
    return response.json()


async def test_what_failed_is_named_and_tried_again(databases: Databases) -> None:
    async with new_stack(databases) as stack:
        waits, failed = stack.job("todo"), stack.job("failed")
        before = await _backlog(stack)
        replayed = await stack.http.post(
            f"/v1/jobs/{failed}/replay", headers=stack.headers("admin")
        )
        twice = await stack.http.post(f"/v1/jobs/{failed}/replay", headers=stack.headers("admin"))
        after = await _backlog(stack)

    assert waits != failed
    assert (before["waiting"], before["running"]) == (1, 0)
    [shown] = before["failed"]
    assert (shown["job_id"], shown["kind"]) == (failed, "index_episode")
    assert (shown["failures"], shown["error"]) == (5, "StoreUnavailable")
    assert (replayed.status_code, twice.status_code) == (204, 404)
    assert (after["waiting"], after["failed"]) == (2, [])


async def test_another_tenants_jobs_are_neither_seen_nor_tried_again(databases: Databases) -> None:
    async with new_stack(databases) as stack:
        failed = stack.job("failed")
        other = await stack.services.auth.tenants.create("남", "ko", HOME_CELL)
        seen = await _backlog(stack, other.key)
        response = await stack.http.post(
            f"/v1/jobs/{failed}/replay",
            headers=stack.headers("admin") | {"Authorization": f"Bearer {other.key}"},
        )
        own = await _backlog(stack)

    assert (seen["waiting"], seen["failed"]) == (0, [])
    assert response.status_code == 404
    assert len(own["failed"]) == 1
