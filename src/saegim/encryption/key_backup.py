"""The keyring in a backup: wrapped keys, tombstones and heads of audit trails."""

import base64
import json
from collections.abc import AsyncGenerator, Iterable, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from saegim.encryption.key_store import KeyRow, PostgresKeys
from saegim.encryption.types import Head, KeyDestroyed, StoredKey

PAGE = 5_000


async def written(keys: PostgresKeys) -> AsyncGenerator[bytes]:
    """Yield all rows as JSON, page by page."""
    after: KeyRow | None = None
    while rows := await keys.rows(after, PAGE):
        yield json.dumps([_to_json(row) for row in rows]).encode()
        after = rows[-1]


async def bring_back(keys: PostgresKeys, pieces: Iterable[bytes]) -> None:
    """Add missing keys. Owners erased on either side stay erased."""
    erased = set[tuple[UUID, UUID]]()
    live = list[tuple[UUID, UUID, StoredKey]]()
    for piece in pieces:
        for row in json.loads(piece):
            tenant, owner = UUID(row["tenant"]), UUID(row["owner"])
            if row["wrapped"] is None:
                erased.add((tenant, owner))
                await keys.destroy(tenant, owner)
            else:
                live.append((tenant, owner, _key(row)))
    for tenant, owner, key in live:
        if (tenant, owner) not in erased:
            await add_unless_erased(keys, tenant, owner, key)


async def add_unless_erased(keys: PostgresKeys, tenant: UUID, owner: UUID, key: StoredKey) -> None:
    try:
        await keys.find(tenant, owner)
    except KeyDestroyed:
        return
    await keys.put_if_absent(tenant, owner, key)


def heads_text(heads: Mapping[UUID, Head]) -> bytes:
    """Return the heads of audit trails as JSON."""
    rows = [[str(tenant), head.number, head.digest.hex()] for tenant, head in heads.items()]
    return json.dumps(rows).encode()


async def add_heads(keys: PostgresKeys, content: bytes) -> None:
    """Record the heads of trails that the keyring does not have yet."""
    for tenant, number, digest in json.loads(content):
        head = Head(number, bytes.fromhex(digest))
        await keys.move_audit_head(UUID(tenant), None, head)


def _to_json(row: KeyRow) -> dict[str, Any]:
    active = row.key.active_at if row.key else None
    return {
        "tenant": str(row.tenant),
        "owner": str(row.owner),
        "version": row.version,
        "wrapped": base64.b64encode(row.key.wrapped).decode() if row.key else None,
        "outer": row.key.outer if row.key else None,
        "active_at": active.isoformat() if active else None,
    }


def _key(row: dict[str, Any]) -> StoredKey:
    active = datetime.fromisoformat(row["active_at"]) if row["active_at"] else None
    return StoredKey(row["version"], base64.b64decode(row["wrapped"]), row["outer"], active)
