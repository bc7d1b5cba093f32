from uuid import UUID, uuid4

import pytest
from hypothesis import given, strategies as st

from saegim.encryption.cipher import Cipher, FieldLocation, SealBroken, new_key, version_of
from saegim.encryption.keyring import Keyring, format_master_key, parse_master_key
from tests.unit.encryption.memory_keys import MemoryKeys

PLACE = FieldLocation("turn.message", uuid4())


@given(st.text())
def test_what_is_sealed_opens_again_and_shows_nothing(text: str) -> None:
    cipher = Cipher(new_key(), 1)
    sealed = cipher.seal(text, PLACE)
    assert cipher.open(sealed, PLACE) == text
    assert len(text) < 4 or text.encode() not in sealed
    assert version_of(sealed) == 1


@given(st.integers(0, 60), st.integers(1, 255))
def test_one_changed_byte_breaks_the_seal(position: int, flip: int) -> None:
    cipher = Cipher(new_key(), 1)
    sealed = bytearray(cipher.seal("비밀스러운 이야기", PLACE))
    sealed[position % len(sealed)] ^= flip
    with pytest.raises(SealBroken):
        cipher.open(bytes(sealed), PLACE)


@pytest.mark.parametrize(
    "place", [FieldLocation("turn.reply", PLACE.row), FieldLocation(PLACE.field, uuid4())]
)
def test_bytes_moved_to_another_place_do_not_open(place: FieldLocation) -> None:
    cipher = Cipher(new_key(), 1)
    with pytest.raises(SealBroken):
        cipher.open(cipher.seal("글", PLACE), place)


def test_derived_keys_and_fingerprints_are_the_owners_own() -> None:
    one, other = Cipher(new_key(), 1), Cipher(new_key(), 1)
    assert one.fingerprint("alice") == one.fingerprint("alice") != other.fingerprint("alice")
    assert one.derive("terms") != one.derive("lookup")


async def test_a_user_key_is_wrapped_twice_and_never_stored_plain() -> None:
    store, master = MemoryKeys(), new_key()
    tenant, user = uuid4(), uuid4()
    sealed = (await Keyring(master, store).user(tenant, user)).seal("글", PLACE)

    assert set(store.stored) == {(tenant, user, 1), (tenant, UUID(int=0), 1)}
    assert (await Keyring(master, store).user(tenant, user)).open(sealed, PLACE) == "글"
    with pytest.raises(SealBroken):
        await Keyring(new_key(), store).user(tenant, user)


async def test_a_wrapped_key_put_under_another_user_does_not_open() -> None:
    store, master = MemoryKeys(), new_key()
    tenant, alice, mallory = uuid4(), uuid4(), uuid4()
    await Keyring(master, store).user(tenant, alice)
    store.stored[tenant, mallory, 1] = store.stored[tenant, alice, 1]
    with pytest.raises(SealBroken):
        await Keyring(master, store).user(tenant, mallory)


def test_a_master_key_must_be_32_bytes_of_base64() -> None:
    key = new_key()
    assert parse_master_key(format_master_key(key)) == key
    for wrong in ("", "짧다", "c2hvcnQ=", format_master_key(key)[:-8]):
        with pytest.raises(ValueError, match="master key"):
            parse_master_key(wrong)
