"""Versions of assistants, and collections, in Postgres."""

import contextlib
from collections.abc import Generator, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any
from uuid import UUID

from psycopg.errors import ForeignKeyViolation, UniqueViolation
from psycopg.types.json import Jsonb
from pydantic import TypeAdapter
from pydantic_core import to_jsonable_python

from saegim.assistants.types import (
    AssistantContent,
    AssistantVersion,
    Collection,
    Edit,
    VersionState,
)
from saegim.db.cells import Cells, Connection, Row, execute, fetch_all, fetch_one
from saegim.domain.errors import Conflict, InUse, NameTaken, NotFound
from saegim.domain.etags import ExpectedVersion
from saegim.domain.ids import Clock
from saegim.domain.tenancy import Assistant
from saegim.quotas.repository import Quota, Quotas, require_room

TEXTS = ("name", "persona", "policy", "locale")
CONTENT = TypeAdapter(AssistantContent)


class PostgresAssistants:
    def __init__(self, cells: Cells, clock: Clock, quotas: Quotas) -> None:
        self._cells = cells
        self._quotas = quotas
        self._clock = clock

    async def published(self, tenant: UUID) -> list[Assistant]:
        cell = await self._cells.for_tenant(tenant)
        return [assistant_of(tenant, row) for row in await cell.read(tenant, "list_published")]

    async def add_assistant(self, assistant: Assistant, made_by: UUID) -> None:
        """Store an assistant with its first version.

        Raises Conflict for a taken name or a missing collection."""
        named = {"tenant": assistant.tenant, "assistant": assistant.id}
        at, content = self._clock.now(), AssistantContent.of(assistant)
        cell = await self._cells.for_tenant(assistant.tenant)
        with _conflicts():
            async with cell.transaction(assistant.tenant) as connection:
                await execute(connection, "add_assistant", **named, **_texts(content), now=at)
                row = await _add_version(connection, named, content, Edit(made_by, at))
                await _set_published(connection, named, row["version"], content)

    async def remove(self, tenant: UUID, assistant: UUID) -> None:
        """Remove an assistant; its conversations stay. Raises NotFound, and InUse for the last one
        or one that a key or an issuer names."""
        named = {"tenant": tenant, "assistant": assistant}
        async with self._cells.transaction(tenant) as connection:
            await _lock(connection, named)
            now = self._clock.now()
            if len(await fetch_all(connection, "list_published", tenant=tenant)) == 1:
                raise InUse("a tenant has at least one assistant")
            if await fetch_one(connection, "credentials_of_assistant", **named, now=now):
                raise InUse("a key or a sign-in provider uses this assistant")
            await execute(connection, "drop_assistant_collections", **named)
            await execute(connection, "remove_assistant", **named, now=now)

    async def versions(self, tenant: UUID, assistant: UUID) -> list[AssistantVersion]:
        """Return the versions of an assistant, newest first. Raises NotFound."""
        named = {"tenant": tenant, "assistant": assistant}
        async with self._cells.transaction(tenant) as connection:
            await _lock(connection, named)
            rows = await fetch_all(connection, "list_versions", **named)
        return [_version(assistant, row) for row in rows]

    async def draft(self, tenant: UUID, assistant: UUID) -> AssistantContent | None:
        """Return the content of the draft, if there is one."""
        row = await self._cells.read_one(tenant, "find_draft", assistant=assistant)
        return None if row is None else CONTENT.validate_python(row["content"])

    async def put_draft(
        self, tenant: UUID, assistant: UUID, content: AssistantContent, edit: Edit
    ) -> AssistantVersion:
        """Replace the draft. Raises VersionConflict."""
        named = {"tenant": tenant, "assistant": assistant}
        async with self._cells.transaction(tenant) as connection:
            published = await _lock(connection, named)
            await _require_versions(connection, named, edit.seen)
            if published is None:
                await _keep_first(connection, named, edit)
            await execute(connection, "drop_draft", **named)
            row = await _add_version(connection, named, content, edit, VersionState.DRAFT)
        return _version(assistant, row)

    async def publish(
        self, tenant: UUID, assistant: UUID, version: int, edit: Edit
    ) -> AssistantVersion:
        """Publish a version. Raises Conflict for a missing collection, VersionConflict."""
        named = {"tenant": tenant, "assistant": assistant}
        cell = await self._cells.for_tenant(tenant)
        with _conflicts():
            async with cell.transaction(tenant) as connection:
                await _lock(connection, named)
                await _require_versions(connection, named, edit.seen)
                row = await fetch_one(connection, "find_version", **named, version=version)
                if row is None:
                    raise NotFound("version")
                content = CONTENT.validate_python(row["content"])
                await execute(connection, "retire_published", **named)
                await execute(connection, "mark_published", **named, version=version, now=edit.at)
                await _set_published(connection, named, version, content)
        state = VersionState.PUBLISHED
        return replace(_version(assistant, row), state=state, published_at=edit.at)

    async def configure(
        self, tenant: UUID, assistant: UUID, config: Mapping[str, Any], edit: Edit
    ) -> AssistantVersion:
        """Publish the current version with another configuration; a draft stays.

        Raises VersionConflict."""
        named = {"tenant": tenant, "assistant": assistant}
        async with self._cells.transaction(tenant) as connection:
            published = await _lock(connection, named)
            current = await _current(connection, named)
            if edit.seen is not None:
                edit.seen.require(current.config)
            if published is None:
                await _keep_first(connection, named, edit)
            content = replace(current, config=config)
            await execute(connection, "retire_published", **named)
            row = await _add_version(connection, named, content, edit)
            await _set_published(connection, named, row["version"], content)
        return _version(assistant, row)

    async def collections(self, tenant: UUID) -> list[Collection]:
        cell = await self._cells.for_tenant(tenant)
        return [_collection(row) for row in await cell.read(tenant, "list_audiences")]

    async def add(self, tenant: UUID, collection: Collection, readers: Sequence[UUID]) -> None:
        """Store a collection that these assistants may read. Raises Conflict for a taken name."""
        named = {"tenant": tenant, "collection": collection.id}
        cell = await self._cells.for_tenant(tenant)
        try:
            async with cell.transaction(tenant) as connection:
                now = self._clock.now()
                await require_room(connection, tenant, self._quotas, Quota.COLLECTIONS)
                await execute(connection, "add_collection", **named, name=collection.name, now=now)
                audience = sorted(collection.audience)
                await execute(connection, "set_audience", **named, audience=audience)
                for reader in readers:
                    await execute(connection, "add_assistant_collection", **named, assistant=reader)
        except UniqueViolation as taken:
            raise NameTaken("a collection with this name already exists") from taken

    async def change(
        self,
        tenant: UUID,
        collection: UUID,
        name: str | None,
        audience: Set[str] | None,
        seen: ExpectedVersion | None,
    ) -> Collection:
        """Rename a collection, or set who may read it; None keeps what is there.

        Raises NotFound, NameTaken, VersionConflict."""
        named = {"tenant": tenant, "collection": collection}
        try:
            async with self._cells.transaction(tenant) as connection:
                row = await fetch_one(connection, "lock_audience", **named)
                if row is None:
                    raise NotFound("collection")
                before = _collection(row)
                if seen is not None:
                    seen.require(before)
                groups = before.audience if audience is None else audience
                after = Collection(collection, name or before.name, groups)
                await execute(connection, "rename_collection", **named, name=after.name)
                await execute(connection, "set_audience", **named, audience=sorted(groups))
        except UniqueViolation as taken:
            raise NameTaken("a collection with this name already exists") from taken
        return after

    async def remove_collection(self, tenant: UUID, collection: UUID) -> None:
        """Delete a collection without documents, and its finished imports.

        Raises NotFound, InUse for one with documents or sources."""
        named = {"tenant": tenant, "collection": collection}
        try:
            async with self._cells.transaction(tenant) as connection:
                if await fetch_one(connection, "lock_audience", **named) is None:
                    raise NotFound("collection")
                await execute(connection, "drop_ingests_of_collection", **named)
                await execute(connection, "drop_collection", **named)
        except ForeignKeyViolation as used:
            raise InUse("a document, source or import uses this collection") from used


async def _keep_first(connection: Connection, named: Mapping[str, UUID], edit: Edit) -> None:
    """Store the current content as version 1, so that it can be rolled back to."""
    content = await _current(connection, named)
    await _add_version(connection, named, content, edit)
    await _set_published(connection, named, 1, content)


async def _add_version(
    connection: Connection,
    named: Mapping[str, UUID],
    content: AssistantContent,
    edit: Edit,
    state: VersionState = VersionState.PUBLISHED,
) -> Row:
    row = await fetch_one(
        connection,
        "add_version",
        **named,
        content=Jsonb(to_jsonable_python(content)),
        made_by=edit.by,
        now=edit.at,
        state=state.value,
        published_at=edit.at if state is VersionState.PUBLISHED else None,
    )
    assert row is not None, "an insert returns its version"
    return row


async def _require_versions(
    connection: Connection, named: Mapping[str, UUID], seen: ExpectedVersion | None
) -> None:
    """Raise VersionConflict if the caller saw other versions."""
    if seen is not None:
        rows = await fetch_all(connection, "list_versions", **named)
        seen.require([_version(named["assistant"], row) for row in rows])


@contextlib.contextmanager
def _conflicts() -> Generator[None]:
    try:
        yield
    except ForeignKeyViolation as unknown:
        raise Conflict("collection not found") from unknown
    except UniqueViolation as taken:
        raise NameTaken("an assistant with this name already exists") from taken


async def _lock(connection: Connection, named: Mapping[str, UUID]) -> int | None:
    """Lock an assistant, and return its published version. Raises NotFound."""
    row = await fetch_one(connection, "lock_assistant", **named)
    if row is None:
        raise NotFound("assistant")
    return row["published"]


async def _current(connection: Connection, named: Mapping[str, UUID]) -> AssistantContent:
    row = await fetch_one(connection, "find_assistant", **named)
    assert row is not None, "the row is locked"
    return AssistantContent.of(assistant_of(named["tenant"], row))


def _texts(content: AssistantContent) -> dict[str, str]:
    return {name: getattr(content, name) for name in TEXTS}


async def _set_published(
    connection: Connection, named: Mapping[str, UUID], version: int, content: AssistantContent
) -> None:
    values = {"config": Jsonb(dict(content.config)), "version": version}
    await execute(connection, "set_published", **named, **_texts(content), **values)
    await execute(connection, "drop_assistant_collections", **named)
    for collection in content.collections:
        await execute(connection, "add_assistant_collection", **named, collection=collection)


def assistant_of(tenant: UUID, row: Row) -> Assistant:
    return Assistant(
        id=row["assistant_id"],
        tenant=tenant,
        **{name: row[name] for name in TEXTS},
        collections=tuple(row["collections"]),
        config=row["config"],
    )


def _collection(row: Row) -> Collection:
    return Collection(row["collection_id"], row["name"], frozenset(row["audience"]))


def _version(assistant: UUID, row: Row) -> AssistantVersion:
    return AssistantVersion(
        assistant=assistant,
        version=row["version"],
        state=VersionState(row["state"]),
        content=CONTENT.validate_python(row["content"]),
        made_by=row["made_by"],
        created_at=row["created_at"],
        published_at=row["published_at"],
    )
