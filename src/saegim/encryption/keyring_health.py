"""Check the keyring against the master key, for operators."""

from dataclasses import dataclass

from psycopg import AsyncConnection, InterfaceError, OperationalError
from psycopg.errors import UndefinedColumn, UndefinedTable

from saegim.domain.errors import StoreUnavailable
from saegim.encryption.cipher import SealBroken
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
    """The state of the keyring; `opens` is None while it is empty."""

    server: int
    keys: int
    opens: bool | None


async def look(url: str, master: MasterKey) -> KeyringHealth:
    """Check the keyring without creating a key. Raises StoreUnavailable."""
    try:
        async with await AsyncConnection.connect(url, connect_timeout=CONNECT_SECONDS) as keyring:
            server = await _number(keyring, IDENTITY)
            keys = await _number(keyring, COUNT)
            row = await (await keyring.execute(ONE_TENANT, (NOBODY,))).fetchone()
    except (UndefinedTable, UndefinedColumn) as missing:
        raise StoreUnavailable("the keyring has no table yet: run `saegim migrate`") from missing
    except (OperationalError, InterfaceError) as outage:
        raise StoreUnavailable from outage
    if row is None:
        return KeyringHealth(server, keys, None)
    tenant, version, wrapped, outer = row
    try:
        await master.unwrap(bytes(wrapped), outer, place_of(KeyName(tenant, NOBODY, version)))
    except SealBroken:
        return KeyringHealth(server, keys, opens=False)
    return KeyringHealth(server, keys, opens=True)


async def _number(connection: AsyncConnection, statement: bytes) -> int:
    row = await (await connection.execute(statement)).fetchone()
    assert row is not None, "the query returns one row"
    return int(row[0])
