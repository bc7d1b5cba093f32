"""The keyring's rows in a backup: wrapped keys, tombstones and the ends of audit trails."""

import base64
import json
from collections.abc import AsyncGenerator, Iterable, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from saegim.encryption.key_store import KeyRow, PostgresKeys
from saegim.encryption.types import Head, KeyDestroyed, StoredKey

AT_ONCE = 5_000


async def written(keys: PostgresKeys) -> AsyncGenerator[bytes]:
    """All rows, some thousand at a time."""
    after: KeyRow | None = None
    while rows := await keys.rows(after, AT_ONCE):
        yield json.dumps([_said(row) for row in rows]).encode()
        after = rows[-1]


async def bring_back(keys: PostgresKeys, pieces: Iterable[bytes]) -> None:
    """Adds what the keyring does not have. Whoever was erased, here or there, stays erased."""
    erased = set[tuple[UUID, UUID]]()
    waiting = list[tuple[UUID, UUID, StoredKey]]()
    for piece in pieces:
        for said in json.loads(piece):
            tenant, owner = UUID(said["tenant"]), UUID(said["owner"])
            if said["wrapped"] is None:
                erased.add((tenant, owner))
                await keys.destroy(tenant, owner)
            else:
                waiting.append((tenant, owner, _key(said)))
    for tenant, owner, key in waiting:
        if (tenant, owner) not in erased:
            await add_unless_erased(keys, tenant, owner, key)


async def add_unless_erased(keys: PostgresKeys, tenant: UUID, owner: UUID, key: StoredKey) -> None:
    try:
        await keys.find(tenant, owner)
    except KeyDestroyed:
        return
    await keys.put_if_absent(tenant, owner, key)


def heads_text(heads: Mapping[UUID, Head]) -> bytes:
    """The ends of audit trails as JSON."""
    said = [[str(tenant), head.number, head.digest.hex()] for tenant, head in heads.items()]
    return json.dumps(said).encode()


async def add_heads(keys: PostgresKeys, content: bytes) -> None:
    """Records the ends of trails that the keyring knows none of; one that it knows stays."""
    for tenant, number, digest in json.loads(content):
        head = Head(number, bytes.fromhex(digest))
        await keys.move_audit_head(UUID(tenant), None, head)


def _said(row: KeyRow) -> dict[str, Any]:
    active = row.key.active_at if row.key else None
    return {
        "tenant": str(row.tenant),
        "owner": str(row.owner),
        "version": row.version,
        "wrapped": base64.b64encode(row.key.wrapped).decode() if row.key else None,
        "outer": row.key.outer if row.key else None,
        "active_at": active.isoformat() if active else None,
    }


def _key(said: dict[str, Any]) -> StoredKey:
    active = datetime.fromisoformat(said["active_at"]) if said["active_at"] else None
    return StoredKey(said["version"], base64.b64decode(said["wrapped"]), said["outer"], active)
