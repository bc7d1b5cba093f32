"""Keys rotate while processes remember old ones: whatever one seals, every other opens."""

from dataclasses import dataclass
from uuid import uuid4

import pytest

from saegim.domain.errors import StoreUnavailable
from saegim.encryption.cipher import FieldLocation, SealBroken, new_key, version_of
from saegim.encryption.keyring import Keyring
from saegim.encryption.master_key import EnvironmentMaster
from saegim.encryption.rotation import KeyRotation
from saegim.encryption.types import KeyDestroyed
from tests.unit.encryption.memory_keys import NOBODY, MemoryKeys

pytestmark = pytest.mark.requirement("OP5")

PLACE = FieldLocation("turn.message", uuid4())
TENANT, USER = uuid4(), uuid4()


@dataclass
class Time:
    at: float = 1_000_000.0

    def __call__(self) -> float:
        return self.at


@dataclass
class Rings:
    """Two processes with one keyring, and the time."""

    store: MemoryKeys
    time: Time
    master: bytes

    def ring(self) -> Keyring:
        return Keyring(self.master, self.store, remember_seconds=30, now=self.time)


@pytest.fixture
def rings() -> Rings:
    return Rings(MemoryKeys(), Time(), new_key())


async def test_a_new_version_is_known_everywhere_before_it_seals(rings: Rings) -> None:
    one, two = rings.ring(), rings.ring()
    old = (await two.user(TENANT, USER)).seal("옛 글", PLACE)
    rotation = KeyRotation(one, rings.time)
    assert await rotation.begin(TENANT, USER) == 2
    seen: set[int] = set()
    for _ in range(100):
        rings.time.at += 1
        for sealing, opening in ((one, two), (two, one)):
            sealed = (await sealing.user(TENANT, USER)).seal("글", PLACE)
            seen.add(version_of(sealed))
            assert (await opening.user(TENANT, USER)).open(sealed, PLACE) == "글"
            assert (await opening.user(TENANT, USER)).open(old, PLACE) == "옛 글"

    assert seen == {1, 2}


async def test_what_is_looked_up_stays_the_same_when_keys_rotate(rings: Rings) -> None:
    ring = rings.ring()
    before = await ring.user(TENANT, USER)
    marks = before.fingerprint("alice"), before.derive("terms")
    rotation = KeyRotation(ring, rings.time)
    for version in (2, 3):
        await rotation.begin(TENANT, USER)
        rings.time.at += 100
        await rotation.retire(TENANT, USER, version)
        after = await rings.ring().user(TENANT, USER)
        assert (after.fingerprint("alice"), after.derive("terms")) == marks

    assert (await rings.ring().user(TENANT, USER)).version == 3


async def test_a_retired_version_opens_nothing_more(rings: Rings) -> None:
    ring = rings.ring()
    sealed = (await ring.user(TENANT, USER)).seal("글", PLACE)
    rotation = KeyRotation(ring, rings.time)
    await rotation.begin(TENANT, USER)
    rings.time.at += 100
    assert await rotation.retire(TENANT, USER, 2) == 1

    with pytest.raises(SealBroken):
        (await ring.user(TENANT, USER)).open(sealed, PLACE)


async def test_two_who_begin_a_rotation_make_one_version(rings: Rings) -> None:
    rotations = [KeyRotation(rings.ring(), rings.time) for _ in range(2)]
    await rings.ring().user(TENANT, USER)

    assert [await each.begin(TENANT, USER) for each in rotations] == [2, 2]
    assert await rotations[0].versions(TENANT, USER) == (1, 2)


async def test_a_tenants_key_rotates_and_wraps_its_users_keys_anew(rings: Rings) -> None:
    ring, other = rings.ring(), rings.ring()
    users = [uuid4() for _ in range(5)]
    sealed = {user: (await other.user(TENANT, user)).seal("글", PLACE) for user in users}
    rotation = KeyRotation(ring, rings.time)
    await rotation.begin(TENANT, NOBODY)
    rings.time.at += 100
    assert await rotation.rewrap_users(TENANT) == 5
    assert await rotation.rewrap_users(TENANT) == 0
    await rotation.retire(TENANT, NOBODY, 2)

    for ring in (other, rings.ring()):
        for user, text in sealed.items():
            assert (await ring.user(TENANT, user)).open(text, PLACE) == "글"
    outers = {key.outer for name, key in rings.store.stored.items() if name[1] != NOBODY}
    assert outers == {"tenant:2"}


async def test_the_master_key_rotates(rings: Rings) -> None:
    tenants = [uuid4() for _ in range(3)]
    sealed = {each: (await rings.ring().user(each, USER)).seal("글", PLACE) for each in tenants}
    newer = new_key()
    both = EnvironmentMaster(newer, [rings.master])
    rotation = KeyRotation(Keyring(both, rings.store), rings.time)
    assert await rotation.rewrap_tenants() == 3
    assert await rotation.rewrap_tenants() == 0

    alone = Keyring(newer, rings.store)
    for tenant, text in sealed.items():
        assert (await alone.user(tenant, USER)).open(text, PLACE) == "글"
    with pytest.raises(SealBroken):
        await Keyring(rings.master, rings.store).user(tenants[0], USER)


async def test_a_destroyed_key_is_gone_from_every_process_within_a_moment(rings: Rings) -> None:
    one, two = rings.ring(), rings.ring()
    for ring in (one, two):
        await ring.user(TENANT, USER)
    await rings.store.destroy(TENANT, USER)
    rings.time.at += 31

    for ring in (one, two, rings.ring()):
        with pytest.raises(KeyDestroyed):
            await ring.user(TENANT, USER)


async def test_while_the_keyring_is_away_known_keys_go_on(rings: Rings) -> None:
    ring = rings.ring()
    sealed = (await ring.user(TENANT, USER)).seal("글", PLACE)
    rings.store.away = True
    rings.time.at += 3600

    assert (await ring.user(TENANT, USER)).open(sealed, PLACE) == "글"
    with pytest.raises(StoreUnavailable):
        await ring.user(TENANT, uuid4())
