"""A person's rows in plain text, by the list of personal tables."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from saegim.db.cells import Cells, Row, fetch_slices
from saegim.domain.errors import NotFound
from saegim.encryption.cipher import Cipher, FieldLocation
from saegim.encryption.keyring import Keyring
from saegim.governance.personal_data import PERSONAL, PersonalTable

AT_ONCE = 500

# The column by which a sealed value is bound to its row.
ROW_OF = {
    "audit_event": "event_id",
    "digest": "digest_id",
    "feedback": "turn_id",
    "identity": "identity_id",
    "member": "member_id",
    "memory": "memory_id",
    "memory_version": "memory_id",
    "profile": "profile_id",
    "session_summary": "session_id",
    "turn": "turn_id",
}
# Rows without a profile of their own, by what they belong to.
OF_ANOTHER = (
    ("feedback", "turn_id", "turn"),
    ("memory_version", "memory_id", "memory"),
    ("session_summary", "session_id", "session"),
)
# Sealed as JSON: these come out as what they are.
NOTHING: Mapping[str, str] = {}
STRUCTURED = frozenset({"inputs", "entities", "body", "doc_ids"})


class PostgresExport:
    def __init__(self, cells: Cells, keyring: Keyring) -> None:
        self._cells = cells
        self._keyring = keyring

    async def person(
        self, tenant: UUID, member: UUID, profile: UUID | None
    ) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        """The rows by table, of all profiles or of one, with what was sealed in plain text."""
        whose = {"tenant": tenant, "member": member}
        found: dict[str, list[Row]] = {}
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            for table in PERSONAL:
                if table.export is not None:
                    slices = fetch_slices(connection, table.export, AT_ONCE, **whose)
                    found[table.name] = [row async for rows in slices for row in rows]
        if not found["member"]:
            raise NotFound("member")
        if profile is not None:
            found = _of_profile(found, profile)
        cipher = await self._keyring.user(tenant, member)
        # In a thread: years of somebody's turns are opened while others are answered.
        return await asyncio.to_thread(_all_opened, found, cipher)


def _all_opened(found: Mapping[str, list[Row]], cipher: Cipher) -> dict[str, list[dict[str, Any]]]:
    return {
        table.name: [_opened(table, row, cipher) for row in found[table.name]]
        for table in PERSONAL
        if table.name in found
    }


def _of_profile(found: Mapping[str, list[Row]], profile: UUID) -> dict[str, list[Row]]:
    """The rows that stand in one profile, and those that belong to one of them."""
    kept = {
        table: [row for row in rows if row.get("profile_id") == profile]
        for table, rows in found.items()
    }
    for table, column, of in OF_ANOTHER:
        ids = {row[column] for row in kept[of]}
        kept[table] = [row for row in found[table] if row[column] in ids]
    return kept


def _opened(table: PersonalTable, row: Row, cipher: Cipher) -> dict[str, Any]:
    """A row as plain JSON: sealed columns opened, hashes and the tenant's id left out."""
    shown: dict[str, Any] = {}
    fields: Mapping[str, str] = table.sealed.fields if table.sealed else NOTHING
    for column, value in row.items():
        if column in fields and value is not None:
            place = FieldLocation(fields[column], row[ROW_OF[table.name]])
            text = cipher.open(value, place)
            shown[column] = json.loads(text) if column in STRUCTURED else text
        elif not isinstance(value, bytes) and column != "tenant_id":
            shown[column] = _plain(value)
    return shown


def _plain(value: Any) -> Any:
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, list):
        return [_plain(each) for each in value]  # pyright: ignore[reportUnknownVariableType] - a row's own list
    return value
