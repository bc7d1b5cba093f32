"""Rotate data, tenant and master keys under load, and count failed reads.

Users get many turns each, encrypted with their first key. Then all data keys, the tenant's key and
the master key are rotated while a worker runs and readers read, until the first keys are gone.
`make verify-rotation` runs it with 10,000 records; a test runs a small one.
"""

import asyncio
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID

import psycopg

from benchmarks import results
from benchmarks.erasure import Person, Town, town
from benchmarks.page import everything, publish
from saegim.domain.ids import new_id
from saegim.encryption.cipher import FieldLocation, SealBroken
from saegim.encryption.keyring import Keyring, parse_master_key
from saegim.encryption.master_key import EnvironmentMaster
from saegim.encryption.rotation import KeyRotation
from saegim.encryption.types import NOBODY

TURN = b"""
insert into saegim.turn (
    tenant_id, turn_id, session_id, member_id, profile_id, assistant_id, number, state, message,
    inputs, reply, request_hash, attempt, created_at
)
select tenant_id, %(turn)s, session_id, member_id, profile_id, assistant_id, %(number)s, 'done',
    %(message)s, %(inputs)s, %(reply)s, '\\x00', 1, now()
from saegim.session where session_id = %(session)s
"""
LAST = b"update saegim.session set last_turn = %s, completed_turns = %s where session_id = %s"
READS_MEANWHILE = 20
OLD = b"""
select count(*) from saegim.turn
where get_byte(message, 1) * 256 + get_byte(message, 2) < 2 and member_id = any(%s)
"""


@dataclass
class Counted:
    """Counts during the rotation."""

    reads: int = 0
    failed: list[str] = field(default_factory=list[str])
    again: int = 0
    wrong: int = 0
    resealed: int = 0
    left: int = 0
    versions: set[tuple[int, ...]] = field(default_factory=set[tuple[int, ...]])
    rewrapped: int = 0
    seconds: float = 0.0

    @property
    def clean(self) -> bool:
        return not self.failed and not self.wrong and not self.left and self.versions == {(2,)}


async def run(records: int, people: int) -> Counted:
    """Rotates everything once, under load."""
    counted = Counted()
    with TemporaryDirectory(prefix="saegim-rotation-") as folder:
        async with town(Path(folder)) as place:
            here: Town = place
            crowd = [Person(number) for number in range(people)]
            for person in crowd:
                await here.say(person, 0)
            members = [await here.member(person) for person in crowd]
            each = records // people
            for person, member in zip(crowd, members, strict=True):
                await _fill(here, person, member, each)
            began = time.monotonic()
            over = asyncio.Event()
            readers = [
                asyncio.create_task(_read(here, person, each, counted, over)) for person in crowd
            ]
            try:
                await _rotate(here, members, counted)
            finally:
                over.set()
                await asyncio.gather(*readers)
            counted.seconds = round(time.monotonic() - began, 1)
            counted.left = _old(here, members)
            counted.resealed = each * people - counted.left
    return counted


async def _fill(here: Town, person: Person, member: UUID, count: int) -> None:
    """Inserts turns, encrypted as the store encrypts them."""
    cipher = await here.services.encryption.keyring.user(here.tenant.tenant.id, member)
    now = here.services.clock.now()
    rows = []
    for number in range(2, count + 2):
        turn = new_id(now)
        rows.append(
            {
                "turn": turn,
                "session": person.session,
                "number": number,
                "message": cipher.seal(
                    f"{person.name} {number}", FieldLocation("turn.message", turn)
                ),
                "inputs": cipher.seal("{}", FieldLocation("turn.inputs", turn)),
                "reply": cipher.seal("답", FieldLocation("turn.reply", turn)),
            }
        )
    with psycopg.connect(here.servers.postgres.url("saegim")) as connection:
        with connection.cursor() as cursor:
            cursor.executemany(TURN, rows)
        connection.execute(LAST, (count + 1, count + 1, person.session))


async def _read(
    here: Town, person: Person, count: int, counted: Counted, over: asyncio.Event
) -> None:
    """Reads a user's turns page by page and compares them."""
    after = 1
    while not over.is_set():
        path = f"/v1/sessions/{person.session}/turns?after={after}"
        response = await here.http.get(path, headers=here.headers(person.name))
        counted.reads += 1
        if response.status_code == 503:
            # Retry while the server is busy, as every client does, and count it.
            counted.again += 1
            await asyncio.sleep(0.3)
            response = await here.http.get(path, headers=here.headers(person.name))
        if response.status_code != 200:
            counted.failed.append(f"{response.status_code} {response.text[:80]}")
            await asyncio.sleep(0.05)
            continue
        turns = response.json()["turns"]
        counted.wrong += sum(
            turn["message"] != f"{person.name} {turn['number']}"
            for turn in turns
            if 1 < turn["number"] <= count + 1
        )
        after = turns[-1]["number"] if turns and turns[-1]["number"] < count else 1
        await asyncio.sleep(0.2)


async def _rotate(here: Town, members: list[UUID], counted: Counted) -> None:
    services, tenant = here.services, here.tenant.tenant.id
    for member in members:
        await services.governance.reencryption.begin(tenant, member)
    await services.encryption.rotation.begin(tenant, NOBODY)
    await asyncio.sleep(services.encryption.rotation.settle_seconds + 0.5)
    await _read_meanwhile(counted)
    counted.rewrapped += await services.encryption.rotation.rewrap_users(tenant)
    counted.rewrapped += await _new_master(here)
    await _read_meanwhile(counted)
    async with asyncio.timeout(600):
        while True:
            counted.versions = {
                await services.encryption.rotation.versions(tenant, member) for member in members
            }
            if counted.versions == {(2,)}:
                return
            await asyncio.sleep(0.5)


async def _read_meanwhile(counted: Counted) -> None:
    """Waits for some more reads: on a busy machine a small rotation ends before them."""
    wanted = counted.reads + READS_MEANWHILE
    async with asyncio.timeout(300):
        while counted.reads <= wanted:  # noqa: ASYNC110 - readers count them
            await asyncio.sleep(0.1)


async def _new_master(here: Town) -> int:
    """Rewraps everything with the previous master key, then with the new one, and checks that
    the previous one no longer opens anything."""
    assert here.settings.master_key is not None
    assert here.settings.previous_master_keys is not None
    new, old = (
        parse_master_key(each.get_secret_value())
        for each in (here.settings.master_key, here.settings.previous_master_keys)
    )
    store = here.services.encryption.keyring.store
    await KeyRotation(Keyring(EnvironmentMaster(old, [new]), store)).rewrap_tenants()
    count = await here.services.encryption.rotation.rewrap_tenants()
    try:
        await Keyring(old, store).tenant(here.tenant.tenant.id)
        raise AssertionError("the old master key still opens")
    except SealBroken:
        return count


def _old(here: Town, members: list[UUID]) -> int:
    with psycopg.connect(here.servers.postgres.url("saegim")) as connection:
        row = connection.execute(OLD, (members,)).fetchone()
    return row[0] if row else -1


def main() -> int:
    found = asyncio.run(run(records=10_000, people=20))
    figures: dict[str, float] = {
        "records": 10_000,
        "people": 20,
        "reads": found.reads,
        "failed_reads": len(found.failed),
        "reads_asked_again": found.again,
        "wrong_reads": found.wrong,
        "records_under_the_old_key": found.left,
        "keys_wrapped_anew": found.rewrapped,
        "seconds": found.seconds,
    }
    results.write("rotation", figures, {"models": "offline"})
    publish("rotation", everything(figures))
    print(found)
    return 0 if found.clean else 1


if __name__ == "__main__":
    sys.exit(main())
