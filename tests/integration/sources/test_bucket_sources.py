"""An S3-compatible bucket stays in sync; only a whole listing deletes."""

import pytest

from tests.integration.library.conftest import search
from tests.integration.sources.conftest import (
    add,
    counts,
    documents,
    in_bucket,
    look,
    look_again,
    status,
)
from tests.integration.sources.site import Store
from tests.stack import Stack

pytestmark = pytest.mark.requirement("LB10")


def fill(bucket: Store) -> None:
    bucket.objects = {
        f"guides/요금 표+{n}.md": f"# 요금 {n}\n\n요금 안내 {n}번입니다.".encode() for n in range(5)
    }
    bucket.objects |= {"guides/": b"", "guides/logo.png": b"\x89PNG", "other/x.md": b"# X\n\nx"}


async def test_objects_come_in_change_and_go_over_several_pages(
    stack: Stack, bucket: Store
) -> None:
    fill(bucket)
    source = await add(stack, in_bucket(bucket, "guides/"))
    assert counts(await look(stack, source)) == (5, 5, 0, 0, 0)
    assert bucket.refused == 0
    assert set(await documents(stack)) == {f"요금 표+{n}.md" for n in range(5)}

    bucket.asked.clear()
    assert counts(await look_again(stack, source)) == (5, 0, 5, 0, 0)
    assert {one.path for one in bucket.asked} == {"/docs"}, "nothing unchanged is fetched"

    bucket.objects["guides/요금 표+1.md"] = "# 요금 1\n\n바뀐 요금입니다.".encode()
    del bucket.objects["guides/요금 표+4.md"]
    assert counts(await look_again(stack, source)) == (4, 1, 3, 0, 1)
    assert "바뀐" in (await search(stack, "바뀐 요금"))["found"][0]["text"]
    assert "요금 표+4.md" not in await documents(stack)


async def test_a_listing_that_breaks_off_deletes_nothing(stack: Stack, bucket: Store) -> None:
    fill(bucket)
    source = await add(stack, in_bucket(bucket, "guides/"))
    await look(stack, source)
    before = await documents(stack)
    bucket.broken_listing = True
    del bucket.objects["guides/요금 표+0.md"]
    shown = await look_again(stack, source)
    assert shown["error"] == "http_error 500 listing"
    assert await documents(stack) == before


async def test_a_wrong_key_is_told_and_no_secret_is_shown_or_stored_in_the_open(
    stack: Stack, bucket: Store
) -> None:
    fill(bucket)
    wrong = in_bucket(bucket) | {"secret_key": "not-the-secret"}
    source = await add(stack, wrong)
    shown = await look(stack, source)
    assert shown["error"] == "http_error 403 listing"
    assert bucket.refused == 1
    assert "not-the-secret" not in str(await status(stack, source))
    async with stack.services.db.cells.home.transaction(stack.tenant.tenant.id) as connection:
        [row] = await (await connection.execute(b"select s::text from source s")).fetchall()
    assert "not-the-secret" not in row["s"]
    assert b"not-the-secret".hex() not in row["s"]
