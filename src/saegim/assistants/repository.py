"""Assistants' versions and collections in Postgres."""

import contextlib
from collections.abc import Generator, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any
from uuid import UUID

from psycopg.errors import ForeignKeyViolation, UniqueViolation
from psycopg.types.json import Jsonb

from saegim.assistants.types import (
    AssistantContent,
    AssistantVersion,
    Collection,
    Edit,
    VersionState,
)
from saegim.db.cells import Cells, Connection, Row, execute, fetch_all, fetch_one
from saegim.domain.errors import Conflict, NotFound
from saegim.domain.etags import ExpectedVersion
from saegim.domain.ids import Clock
from saegim.domain.tenancy import Assistant
from saegim.quotas.repository import Quota, Quotas, require_room


class PostgresAssistants:
    def __init__(self, cells: Cells, clock: Clock, quotas: Quotas) -> None:
        self._cells = cells
        self._quotas = quotas
        self._clock = clock

    async def published(self, tenant: UUID) -> list[Assistant]:
        """All assistants as they are now."""
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            rows = await fetch_all(connection, "list_published", tenant=tenant)
        return [assistant_of(tenant, row) for row in rows]

    async def add_assistant(self, assistant: Assistant, made_by: UUID) -> None:
        """Stores one more, with what it answers with as its first version. Raises Conflict where
        its name is taken or it names collections that are not there.
        """
        named = {"tenant": assistant.tenant, "assistant": assistant.id}
        texts = {
            "name": assistant.name,
            "persona": assistant.persona,
            "policy": assistant.policy,
            "locale": assistant.locale,
        }
        at = self._clock.now()
        cell = await self._cells.for_tenant(assistant.tenant)
        with _conflicts():
            async with cell.transaction(assistant.tenant) as connection:
                await execute(connection, "add_assistant", **named, **texts, now=at)
                content = _content_of(assistant)
                row = await _add_published(connection, named, content, Edit(made_by, at))
                await _set_published(connection, named, row["version"], content)

    async def versions(self, tenant: UUID, assistant: UUID) -> list[AssistantVersion]:
        """The versions of one, newest first."""
        named = {"tenant": tenant, "assistant": assistant}
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            await _hold(connection, named)
            rows = await fetch_all(connection, "list_versions", **named)
        return [_version(assistant, row) for row in rows]

    async def put_draft(
        self, tenant: UUID, assistant: UUID, content: AssistantContent, edit: Edit
    ) -> AssistantVersion:
        """Writes the draft; there is one at a time. Raises Changed where other versions were
        seen.
        """
        named = {"tenant": tenant, "assistant": assistant}
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            published = await _hold(connection, named)
            await _require_versions(connection, named, edit.seen)
            if published is None:
                await _keep_first(connection, named, edit)
            await execute(connection, "drop_draft", **named)
            added = _added(content, edit)
            row = await fetch_one(
                connection, "add_version", **named, **added, state="draft", published_at=None
            )
            assert row is not None, "an insert returns its version"
        return _version(assistant, row)

    async def publish(
        self, tenant: UUID, assistant: UUID, version: int, edit: Edit
    ) -> AssistantVersion:
        """Makes a version the one that answers. Raises Conflict where it names collections that
        are not there, Changed where other versions were seen.
        """
        named = {"tenant": tenant, "assistant": assistant}
        cell = await self._cells.for_tenant(tenant)
        with _conflicts():
            async with cell.transaction(tenant) as connection:
                await _hold(connection, named)
                await _require_versions(connection, named, edit.seen)
                row = await fetch_one(connection, "find_version", **named, version=version)
                if row is None:
                    raise NotFound("version")
                content = _content(row["content"])
                await execute(connection, "retire_published", **named)
                await execute(connection, "mark_published", **named, version=version, now=edit.at)
                await _set_published(connection, named, version, content)
        state = VersionState.PUBLISHED
        return replace(_version(assistant, row), state=state, published_at=edit.at)

    async def configure(
        self, tenant: UUID, assistant: UUID, config: Mapping[str, Any], edit: Edit
    ) -> AssistantVersion:
        """What answers now, with another configuration, as a version that answers at once; a
        draft stays as it is. Raises Changed where another configuration was seen.
        """
        named = {"tenant": tenant, "assistant": assistant}
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            published = await _hold(connection, named)
            answering = await _answering(connection, named)
            if edit.seen is not None:
                edit.seen.require(answering.config)
            if published is None:
                await _keep_first(connection, named, edit)
            content = replace(answering, config=config)
            await execute(connection, "retire_published", **named)
            row = await _add_published(connection, named, content, edit)
            await _set_published(connection, named, row["version"], content)
        return _version(assistant, row)

    async def collections(self, tenant: UUID) -> list[Collection]:
        """All of the tenant's, by name."""
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            rows = await fetch_all(connection, "list_audiences", tenant=tenant)
        return [_collection(row) for row in rows]

    async def add(self, tenant: UUID, collection: Collection, readers: Sequence[UUID]) -> None:
        """Stores a collection that these assistants may read. Raises Conflict for a name that is
        taken.
        """
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
            raise Conflict("a collection with this name already exists") from taken

    async def set_audience(
        self, tenant: UUID, collection: UUID, audience: Set[str], seen: ExpectedVersion | None
    ) -> Collection:
        """Says who may read a collection. Raises NotFound, and Changed where another was seen."""
        named = {"tenant": tenant, "collection": collection}
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            row = await fetch_one(connection, "lock_audience", **named)
            if row is None:
                raise NotFound("collection")
            before = _collection(row)
            if seen is not None:
                seen.require(before)
            await execute(connection, "set_audience", **named, audience=sorted(audience))
        return replace(before, audience=frozenset(audience))


async def _keep_first(connection: Connection, named: Mapping[str, UUID], edit: Edit) -> None:
    """What answers before the first draft becomes version 1, so that it can be gone back to."""
    content = await _answering(connection, named)
    await _add_published(connection, named, content, edit)
    await _set_published(connection, named, 1, content)


async def _add_published(
    connection: Connection, named: Mapping[str, UUID], content: AssistantContent, edit: Edit
) -> Row:
    added = _added(content, edit)
    row = await fetch_one(
        connection, "add_version", **named, **added, state="published", published_at=edit.at
    )
    assert row is not None, "an insert returns its version"
    return row


async def _require_versions(
    connection: Connection, named: Mapping[str, UUID], seen: ExpectedVersion | None
) -> None:
    """Raises Changed where other versions were seen than an assistant that is held has."""
    if seen is not None:
        rows = await fetch_all(connection, "list_versions", **named)
        seen.require([_version(named["assistant"], row) for row in rows])


@contextlib.contextmanager
def _conflicts() -> Generator[None]:
    """What stands in the way of an assistant, told as a Conflict."""
    try:
        yield
    except ForeignKeyViolation as unknown:
        raise Conflict("collection not found") from unknown
    except UniqueViolation as taken:
        raise Conflict("an assistant with this name already exists") from taken


async def _hold(connection: Connection, named: Mapping[str, UUID]) -> int | None:
    """Holds an assistant; tells which version is published. Raises NotFound."""
    row = await fetch_one(connection, "lock_assistant", **named)
    if row is None:
        raise NotFound("assistant")
    return row["published"]


async def _answering(connection: Connection, named: Mapping[str, UUID]) -> AssistantContent:
    """What an assistant that is held answers with now."""
    row = await fetch_one(connection, "find_assistant", **named)
    assert row is not None, "it is held"
    return _content_of(assistant_of(named["tenant"], row))


def _content_of(found: Assistant) -> AssistantContent:
    return AssistantContent(
        found.name,
        found.persona,
        found.policy,
        found.locale,
        found.collections,
        found.config,
    )


async def _set_published(
    connection: Connection, named: Mapping[str, UUID], version: int, content: AssistantContent
) -> None:
    values = {
        "name": content.name,
        "persona": content.persona,
        "policy": content.policy,
        "locale": content.locale,
        "config": Jsonb(dict(content.config)),
        "version": version,
    }
    await execute(connection, "set_published", **named, **values)
    await execute(connection, "drop_assistant_collections", **named)
    for collection in content.collections:
        await execute(connection, "add_assistant_collection", **named, collection=collection)


def assistant_of(tenant: UUID, row: Row) -> Assistant:
    """An assistant from its row."""
    return Assistant(
        id=row["assistant_id"],
        tenant=tenant,
        name=row["name"],
        persona=row["persona"],
        policy=row["policy"],
        locale=row["locale"],
        collections=tuple(row["collections"]),
        config=row["config"],
    )


def _added(content: AssistantContent, edit: Edit) -> dict[str, Any]:
    return {"content": _json(content), "made_by": edit.by, "now": edit.at}


def _collection(row: Row) -> Collection:
    return Collection(row["collection_id"], row["name"], frozenset(row["audience"]))


def _json(content: AssistantContent) -> Jsonb:
    return Jsonb(
        {
            "name": content.name,
            "persona": content.persona,
            "policy": content.policy,
            "locale": content.locale,
            "collections": [str(each) for each in content.collections],
            "config": dict(content.config),
        }
    )


def _content(stored: dict[str, Any]) -> AssistantContent:
    return AssistantContent(
        name=stored["name"],
        persona=stored["persona"],
        policy=stored["policy"],
        locale=stored["locale"],
        collections=tuple(UUID(each) for each in stored["collections"]),
        config=stored["config"],
    )


def _version(assistant: UUID, row: Row) -> AssistantVersion:
    return AssistantVersion(
        assistant=assistant,
        version=row["version"],
        state=VersionState(row["state"]),
        content=_content(row["content"]),
        made_by=row["made_by"],
        created_at=row["created_at"],
        published_at=row["published_at"],
    )
