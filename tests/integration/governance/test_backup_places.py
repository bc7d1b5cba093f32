"""Backups in folders and buckets: private, authenticated, restorable with their keyring."""

import stat
import zipfile
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest
from pydantic import SecretStr

from benchmarks.doubles.embedders import HashEmbedder
from saegim.app.container import build
from saegim.app.infrastructure import Fakes
from saegim.audit.types import AuditAction
from saegim.auth.types import ActAs
from saegim.cli.operators import backup_commands
from saegim.db.revision import newest_revision
from saegim.domain.errors import Conflict, NameTaken, NotFound, StoreUnavailable
from saegim.encryption.cipher import new_key
from saegim.encryption.key_store import KeyRow, PostgresKeys
from saegim.encryption.master_key import EnvironmentMaster
from saegim.encryption.sealed_file import MAGIC, MasterLock, SealedWriter
from saegim.encryption.types import NOBODY, KeyDestroyed
from saegim.governance.backup.backups import FORM, Backups, check
from saegim.governance.backup.bucket import BackupBucket
from saegim.localservers.servers import LocalServers
from saegim.sources.signing import SigningCredentials
from tests.conftest import copied
from tests.integration.sources.site import ACCESS, REGION, SECRET, Store, running
from tests.stack import Databases, Stack, new_stack, patient, seal_audit

pytestmark = pytest.mark.requirement("OP5")


@pytest.fixture
async def bucket() -> AsyncIterator[Store]:
    async with running(Store()) as store:
        yield store


@pytest.fixture
async def backup_stack(databases: Databases, bucket: Store) -> AsyncIterator[Stack]:
    settings = {
        "backup_endpoint": bucket.url,
        "backup_access_key": SecretStr(ACCESS),
        "backup_secret_key": SecretStr(SECRET),
        "backup_region": REGION,
    }
    async with new_stack(databases, settings=settings) as running_stack:
        yield running_stack


async def test_a_backup_goes_to_a_bucket_and_comes_back(
    backup_stack: Stack, bucket: Store, tmp_path: Path
) -> None:
    await backup_stack.say("버킷에 남을 말")

    await backup_commands.back_up(backup_stack.services, "s3://docs/nightly/오늘.backup")

    assert bucket.refused == 0
    await backup_commands.check_backup(backup_stack.services, "s3://docs/nightly/오늘.backup")
    file, master = tmp_path / "back.backup", backup_stack.services.encryption.keyring.master
    with pytest.raises(NameTaken, match="exists"):
        await backup_commands.back_up(backup_stack.services, "s3://docs/nightly/오늘.backup")
    await backup_stack.services.backup_bucket().get("docs/nightly/오늘.backup", file)
    assert (await check(file, master)).rows["turn"] >= 1
    with pytest.raises(NotFound):
        await backup_stack.services.backup_bucket().get("docs/nothing", file)
    bucket.down = True
    with pytest.raises(StoreUnavailable):
        await backup_stack.services.backup_bucket().put("docs/nightly/again.backup", file)


async def test_a_large_backup_goes_to_a_bucket_in_parts(bucket: Store, tmp_path: Path) -> None:
    """An object of one request ends at 5 GB; here a part has 5 MB, the least that S3 takes."""
    large, back = tmp_path / "large", tmp_path / "back"
    large.write_bytes(bytes(range(256)) * (11 << 12))
    who = SigningCredentials(ACCESS, SECRET, REGION)
    to = BackupBucket(bucket.url, who, part_bytes=5 << 20)

    await to.put("docs/large", large)

    assert len({one.target for one in bucket.asked if "partNumber" in one.target}) == 3
    assert bucket.refused == 0
    await to.get("docs/large", back)
    assert back.read_bytes() == large.read_bytes()


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


async def test_backups_of_a_schedule_are_named_checked_and_kept_for_their_days(
    backup_stack: Stack, bucket: Store, tmp_path: Path
) -> None:
    await backup_stack.say("밤마다 남을 말")
    days = backup_stack.services.settings.backup_days
    for age in (days - 1, days + 1):
        made = datetime.now(UTC) - timedelta(days=age)
        (tmp_path / made.strftime(backup_commands.NAMED)).touch()
    (tmp_path / "saegim-by-hand.backup").touch()

    await backup_commands.back_up(backup_stack.services, f"{tmp_path}/")

    *kept, new, by_hand = names_in(tmp_path)
    assert by_hand == "saegim-by-hand.backup"
    assert len(kept) == 1
    master = backup_stack.services.encryption.keyring.master
    assert (await check(tmp_path / new, master)).rows["turn"] >= 1
    await backup_commands.back_up(backup_stack.services, "s3://docs/nightly/")
    [key] = [key for key in bucket.objects if key.startswith("nightly/saegim-")]
    assert key.endswith("Z.backup")


async def refused(backup_stack: Stack, file: Path) -> bool:
    """Whether both the check and a restore refuse a file."""
    with pytest.raises(Conflict):
        await check(file, backup_stack.services.encryption.keyring.master)
    with pytest.raises(Conflict):
        await backup_stack.services.backups().restore(file)
    return True


@pytest.fixture(scope="module")
async def quiet(databases: Databases) -> AsyncIterator[Stack]:
    async with new_stack(databases) as running_stack:
        await running_stack.say("온전해야 하는 말")
        yield running_stack


async def test_a_backup_is_private_and_no_part_of_it_can_be_changed(
    quiet: Stack, tmp_path: Path
) -> None:
    whole = tmp_path / "whole.backup"
    await backup_commands.back_up(quiet.services, str(whole))
    content = whole.read_bytes()
    master = quiet.services.encryption.keyring.master
    assert (await check(whole, master)).rows["turn"] >= 1

    assert stat.S_IMODE(whole.stat().st_mode) == 0o600
    changed = tmp_path / "changed.backup"
    places = [0, 20, len(MAGIC) + 10, len(content) // 3, len(content) // 2, len(content) - 1]
    for place in places:
        changed.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        assert await refused(quiet, changed)
    for other in (content[: len(content) // 2], content[:-1], content + b"x", b""):
        changed.write_bytes(other)
        assert await refused(quiet, changed)
    assert await refused(quiet, tmp_path / "nothing.backup")


async def test_a_backup_of_another_master_key_or_the_old_form_is_refused(
    quiet: Stack, tmp_path: Path
) -> None:
    """An attacker with access to the bucket, but without the master key, cannot plant a row."""
    forged, lock = tmp_path / "forged.backup", MasterLock(EnvironmentMaster(new_key()))
    about = {"form": FORM, "revision": newest_revision(), "made_at": "2026-11-16T00:00:00+00:00"}
    async with SealedWriter.create(forged, about, lock) as out:
        out.finish(rows={})
    assert await refused(quiet, forged)
    with zipfile.ZipFile(forged, "w") as archive:
        archive.writestr("manifest.json", '{"form": "saegim-backup-1"}')
    assert await refused(quiet, forged)


async def test_a_backup_overwrites_nothing_unless_forced(quiet: Stack, tmp_path: Path) -> None:
    file = tmp_path / "mine.backup"
    file.write_text("mine")
    with pytest.raises(NameTaken, match="exists"):
        await backup_commands.back_up(quiet.services, str(file))
    assert file.read_text() == "mine"
    await backup_commands.back_up(quiet.services, str(file), force=True)
    assert (await check(file, quiet.services.encryption.keyring.master)).rows["turn"] >= 1


class KeysDuringBackup(PostgresKeys):
    """A user sends a first message right after the keys were read."""

    def __init__(self, url: str, spoken: Callable[[], Awaitable[object]]) -> None:
        super().__init__(url)
        self._spoken = spoken

    async def rows(self, after: KeyRow | None, most: int) -> list[KeyRow]:
        found = await super().rows(after, most)
        if not found:
            await self._spoken()
        return found


async def test_a_backup_has_the_keys_of_everybody_in_it(
    quiet: Stack, databases: Databases, tmp_path: Path
) -> None:
    settings, file = databases.settings(), tmp_path / "busy.backup"
    assert settings.keyring_url is not None
    assert settings.postgres_admin_url is not None
    admin = settings.postgres_admin_url.get_secret_value()

    async def count() -> int:
        async with await psycopg.AsyncConnection.connect(admin) as connection:
            found = await connection.execute("select count(*) from saegim.member")
            [members] = await found.fetchone() or [0]
        return members

    before = await count()
    keys = KeysDuringBackup(
        settings.keyring_url.get_secret_value(), lambda: quiet.say("늦게 온 말", user="late")
    )
    await keys.open()
    made = await Backups(admin, quiet.services.encryption.keyring, keys).back_up(
        file, datetime.now(UTC), with_keyring=True
    )
    await keys.close()
    assert (made["member"], await count()) == (before, before + 1)


async def test_a_backup_with_its_keyring_restores_into_an_empty_installation(
    quiet: Stack, templates: LocalServers, tmp_path: Path
) -> None:
    await quiet.say("고양이 이름은 나비야", user="erased")
    gone = (await quiet.caller("erased")).scope.user
    alice = (await quiet.caller("alice")).scope.user
    tenant, file = quiet.tenant.tenant.id, tmp_path / "all.backup"
    await quiet.services.audit.trail.done(tenant, NOBODY, AuditAction.EXPORTED, tenant)
    await seal_audit(quiet)
    head = await quiet.services.encryption.keys.audit_head(tenant)
    await backup_commands.back_up(quiet.services, str(file), with_keyring=True)
    with copied(templates, "restored", tmp_path / "index") as empty:
        services = build(empty.settings(), patient(Fakes()))
        await services.open()
        try:
            # Erased since: the key in the backup does not bring them back.
            await services.encryption.keys.destroy(tenant, gone)
            await backup_commands.restore(services, str(file))
            caller = await services.auth.authentication.authenticate(
                quiet.tenant.key, ActAs("alice", None)
            )
            assert caller.scope.user == alice
            for owner in (NOBODY, alice):
                known = await quiet.services.encryption.keys.find(tenant, owner)
                assert await services.encryption.keys.find(tenant, owner) == known
            with pytest.raises(KeyDestroyed):
                await services.encryption.keyring.user(tenant, gone)
            assert head is not None
            assert await services.encryption.keys.audit_head(tenant) == head
            assert (await services.audit.trail.verify(tenant)).broken == ()
            assert await services.db.health.embedders_in_use() == (HashEmbedder().name,)
        finally:
            await services.close()
