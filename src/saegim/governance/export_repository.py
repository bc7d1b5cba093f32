"""Read and decrypt a user's rows, driven by the list of personal tables."""

import asyncio
import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from saegim.db.cells import Cells, Row, fetch_slices
from saegim.domain.errors import NotFound
from saegim.encryption.cipher import Cipher
from saegim.encryption.keyring import Keyring
from saegim.governance.personal_data import PERSONAL, PersonalTable

BATCH = 500

# Rows without their own profile: table, column, and the table they belong to.
CHILD_TABLES = (
    ("feedback", "turn_id", "turn"),
    ("memory_version", "memory_id", "memory"),
    ("session_summary", "session_id", "session"),
)
# Columns encrypted as JSON.
STRUCTURED = frozenset({"inputs", "entities", "body", "doc_ids"})


class PostgresExport:
    def __init__(self, cells: Cells, keyring: Keyring) -> None:
        self._cells = cells
        self._keyring = keyring

    async def person(
        self, tenant: UUID, member: UUID, profile: UUID | None
    ) -> dict[str, list[dict[str, Any]]]:
        """Return the decrypted rows by table, of all profiles or of one."""
        ids = {"tenant": tenant, "member": member}
        tables: dict[str, list[Row]] = {}
        async with self._cells.transaction(tenant) as connection:
            for table in PERSONAL:
                if table.exported:
                    slices = fetch_slices(connection, f"export_{table.name}", BATCH, **ids)
                    tables[table.name] = [row async for rows in slices for row in rows]
        if not tables["member"]:
            raise NotFound("member")
        if profile is not None:
            tables = _of_profile(tables, profile)
        cipher = await self._keyring.user(tenant, member)
        # In a thread: decrypting years of turns would block the event loop.
        return await asyncio.to_thread(_decrypt_tables, tables, cipher)


def _decrypt_tables(
    tables: Mapping[str, list[Row]], cipher: Cipher
) -> dict[str, list[dict[str, Any]]]:
    return {
        table.name: [_decrypt(table, row, cipher) for row in tables[table.name]]
        for table in PERSONAL
        if table.name in tables
    }


def _of_profile(tables: Mapping[str, list[Row]], profile: UUID) -> dict[str, list[Row]]:
    """Return the rows of one profile, and those that belong to them."""
    selected = {
        table: [row for row in rows if row.get("profile_id") == profile]
        for table, rows in tables.items()
    }
    for table, column, parent in CHILD_TABLES:
        ids = {row[column] for row in selected[parent]}
        selected[table] = [row for row in tables[table] if row[column] in ids]
    return selected


def _decrypt(table: PersonalTable, row: Row, cipher: Cipher) -> dict[str, Any]:
    """Return a row as JSON: columns decrypted, hashes and the tenant id left out."""
    plain: dict[str, Any] = {}
    for column, value in row.items():
        if column in table.sealed and value is not None:
            text = cipher.open(value, table.location(column, row[table.row_id]))
            plain[column] = json.loads(text) if column in STRUCTURED else text
        elif not isinstance(value, bytes) and column != "tenant_id":
            plain[column] = _json_value(value)
    return plain


def _json_value(value: Any) -> Any:
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, list):
        return [_json_value(each) for each in value]  # pyright: ignore[reportUnknownVariableType] - a row's own list
    return value
