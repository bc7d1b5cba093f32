"""Backups in an S3-compatible bucket, and a check that finds one that is not whole."""

import zipfile
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pydantic import SecretStr

from saegim.adapters.postgres.backup import check
from saegim.domain.errors import Conflict, NotFound, StoreUnavailable
from saegim.entrypoints.cli import stewards
from tests.integration.library.sources.site import ACCESS, REGION, SECRET, Store, running
from tests.stack import Databases, Stack, new_stack

pytestmark = pytest.mark.requirement("OP5")


@pytest.fixture
async def bucket() -> AsyncIterator[Store]:
    async with running(Store()) as store:
        yield store


@pytest.fixture
async def house(databases: Databases, bucket: Store) -> AsyncIterator[Stack]:
    settings = {
        "backup_endpoint": bucket.url,
        "backup_access_key": SecretStr(ACCESS),
        "backup_secret_key": SecretStr(SECRET),
        "backup_region": REGION,
    }
    async with new_stack(databases, settings=settings) as running_stack:
        yield running_stack


async def test_a_backup_goes_to_a_bucket_and_comes_back(
    house: Stack, bucket: Store, tmp_path: Path
) -> None:
    await house.say("버킷에 남을 말")

    await stewards.back_up(house.services, "s3://docs/nightly/오늘.zip")

    assert bucket.refused == 0
    await stewards.check_backup(house.services, "s3://docs/nightly/오늘.zip")
    file = tmp_path / "back.zip"
    await house.services.backup_bucket().get("docs/nightly/오늘.zip", file)
    assert check(file).rows["turn"] >= 1
    with pytest.raises(NotFound):
        await house.services.backup_bucket().get("docs/nothing", file)
    bucket.down = True
    with pytest.raises(StoreUnavailable):
        await house.services.backup_bucket().put("docs/nightly/again.zip", file)


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


async def test_backups_of_a_schedule_are_named_checked_and_kept_for_their_days(
    house: Stack, bucket: Store, tmp_path: Path
) -> None:
    await house.say("밤마다 남을 말")
    days = house.services.settings.backup_days
    for age in (days - 1, days + 1):
        made = datetime.now(UTC) - timedelta(days=age)
        (tmp_path / made.strftime(stewards.NAMED)).touch()
    (tmp_path / "saegim-by-hand.zip").touch()

    await stewards.back_up(house.services, f"{tmp_path}/")

    *kept, new, by_hand = names_in(tmp_path)
    assert by_hand == "saegim-by-hand.zip"
    assert len(kept) == 1
    assert check(tmp_path / new).rows["turn"] >= 1
    await stewards.back_up(house.services, "s3://docs/nightly/")
    [key] = [key for key in bucket.objects if key.startswith("nightly/saegim-")]
    assert key.endswith("Z.zip")


async def test_a_backup_that_is_not_whole_is_found(house: Stack, tmp_path: Path) -> None:
    await house.say("온전해야 하는 말")
    whole = tmp_path / "whole.zip"
    await stewards.back_up(house.services, str(whole))
    content = whole.read_bytes()

    cut = tmp_path / "cut.zip"
    cut.write_bytes(content[: len(content) // 2])
    with pytest.raises(Conflict):
        check(cut)

    poorer = tmp_path / "poorer.zip"
    with zipfile.ZipFile(whole) as old, zipfile.ZipFile(poorer, "w") as new:
        for name in old.namelist():
            new.writestr(name, b"" if name == "tables/turn.copy" else old.read(name))
    with pytest.raises(Conflict):
        check(poorer)
    with pytest.raises(Conflict):
        check(tmp_path / "nothing.zip")
