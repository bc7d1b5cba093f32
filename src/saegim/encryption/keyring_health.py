"""Whether the keyring is there and belongs to our master key: for operators."""

from dataclasses import dataclass

from psycopg import AsyncConnection, InterfaceError, OperationalError
from psycopg.errors import UndefinedColumn, UndefinedTable

from saegim.domain.errors import StoreUnavailable
from saegim.encryption.cipher import FieldLocation, SealBroken
from saegim.encryption.keyring import place_of
from saegim.encryption.master_key import MasterKey
from saegim.encryption.types import NOBODY, KeyName

CONNECT_SECONDS = 2
IDENTITY = b"select system_identifier from pg_control_system()"
COUNT = b"select count(wrapped) from wrapped_key"
ONE_TENANT = b"""
select tenant_id, version, wrapped, outer_name from wrapped_key
where owner_id = %s and wrapped is not null limit 1
"""


@dataclass(frozen=True, slots=True)
class KeyringHealth:
    """What a look at the keyring shows; `opens` is None while it is empty."""

    server: int
    keys: int
    opens: bool | None


async def look(url: str, master: MasterKey) -> KeyringHealth:
    """One look, which makes no key. Raises StoreUnavailable."""
    try:
        async with await AsyncConnection.connect(url, connect_timeout=CONNECT_SECONDS) as keyring:
            server = await _one(keyring, IDENTITY)
            keys = await _one(keyring, COUNT)
            found = await (await keyring.execute(ONE_TENANT, (NOBODY,))).fetchone()
    except (UndefinedTable, UndefinedColumn) as missing:
        raise StoreUnavailable("the keyring has no table yet: run `saegim migrate`") from missing
    except (OperationalError, InterfaceError) as outage:
        raise StoreUnavailable from outage
    opens = None
    if found is not None:
        tenant, version, wrapped, outer = found
        place = place_of(KeyName(tenant, NOBODY, version))
        opens = await _opens(master, bytes(wrapped), outer, place)
    return KeyringHealth(server, keys, opens)


async def _one(connection: AsyncConnection, statement: bytes) -> int:
    row = await (await connection.execute(statement)).fetchone()
    assert row is not None, "it returns one row"
    return int(row[0])


async def _opens(
    master: MasterKey, wrapped: bytes, outer: str | None, place: FieldLocation
) -> bool:
    try:
        await master.unwrap(wrapped, outer, place)
    except SealBroken:
        return False
    return True
