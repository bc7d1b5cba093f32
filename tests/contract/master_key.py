"""Contract of a master key, in the environment or in a KMS."""

from uuid import uuid4

import pytest

from saegim.encryption.cipher import FieldLocation, SealBroken, new_key
from saegim.encryption.master_key import MasterKey

HERE = FieldLocation("key:here", uuid4())


class MasterKeyContract:
    """Inherit, and give a fixture `master`."""

    async def test_what_is_wrapped_comes_back(self, master: MasterKey) -> None:
        key = new_key()
        wrapped = await master.wrap(key, HERE)

        assert await master.unwrap(wrapped.content, wrapped.outer, HERE) == key
        assert key not in wrapped.content

    async def test_it_says_what_wrapped_it(self, master: MasterKey) -> None:
        assert (await master.wrap(new_key(), HERE)).outer == master.id

    async def test_another_place_does_not_open_it(self, master: MasterKey) -> None:
        wrapped = await master.wrap(new_key(), HERE)
        with pytest.raises(SealBroken):
            await master.unwrap(wrapped.content, wrapped.outer, FieldLocation(HERE.field, uuid4()))

    async def test_what_another_wrapped_does_not_open(self, master: MasterKey) -> None:
        wrapped = await master.wrap(new_key(), HERE)
        with pytest.raises(SealBroken):
            await master.unwrap(wrapped.content, "somebody:else", HERE)

    async def test_changed_bytes_do_not_open(self, master: MasterKey) -> None:
        wrapped = await master.wrap(new_key(), HERE)
        changed = bytearray(wrapped.content)
        changed[-5] ^= 1
        with pytest.raises(SealBroken):
            await master.unwrap(bytes(changed), wrapped.outer, HERE)
