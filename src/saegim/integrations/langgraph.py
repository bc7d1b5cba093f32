"""Long-term memory as a LangGraph store. Needs the extra `langchain`.

An item is one record of the user's memory: they see it, correct it, export it and erase it like
any other. Secrets and personal numbers in a value are masked before they are stored.
"""

import asyncio
import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
)

from saegim.client import SaegimClient
from saegim.client.blocking import BlockingClient
from saegim.client.memory_types import Memory
from saegim.integrations.matching import matches, passes

TOPIC = "langgraph:"
TYPE = "note"
MOST_RECALLED = 50
LETTERS = str.maketrans("0123456789", "ghijklmnop")


@dataclass(frozen=True, slots=True)
class StoredItem:
    """An item and the record that holds it."""

    record: UUID
    item: Item


class SaegimStore(BaseStore):
    """Namespaces, keys and values in one user's memory; search by meaning where there is a query.

    `ttl` and `index` are passed over: memory has its own retention, and all of a value is searched.
    """

    def __init__(self, client: BlockingClient) -> None:
        super().__init__()
        self._client = client

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        asked = list(ops)
        return self._client.run(lambda client: _all(client, asked))

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        asked = list(ops)
        return await asyncio.wrap_future(self._client.submit(lambda client: _all(client, asked)))


async def _all(client: SaegimClient, ops: list[Op]) -> list[Result]:
    return [await _one(client, op) for op in ops]


async def _one(client: SaegimClient, op: Op) -> Result:
    match op:
        case GetOp(namespace=namespace, key=key):
            kept = await _find(client, namespace, key)
            return None if kept is None else kept.item
        case PutOp():
            await _put(client, op)
            return None
        case SearchOp():
            return await _search(client, op)
        case ListNamespacesOp():
            return await _namespaces(client, op)


async def _put(client: SaegimClient, op: PutOp) -> None:
    kept = await _find(client, op.namespace, op.key)
    if op.value is None:
        if kept is not None:
            await client.memories.forget(kept.record)
        return
    content = _content(op.namespace, op.key, op.value)
    if kept is not None:
        stored = await client.memories.correct(kept.record, content=content)
    else:
        stored = await client.memories.add(content, TYPE, _topic(op.namespace, op.key))
    if _read(stored) is None:
        # A number that looked like somebody's: what masking left is no value any more.
        await client.memories.forget(stored.memory_id)
        raise ValueError("the value holds personal data that may not be stored as it is")


async def _search(client: SaegimClient, op: SearchOp) -> list[SearchItem]:
    prefix = op.namespace_prefix
    kept = [
        each
        for each in await _every(client)
        if each.item.namespace[: len(prefix)] == prefix and passes(each.item.value, op.filter)
    ]
    scores: dict[UUID, float] = {}
    if op.query:
        found = await client.memories.recall(op.query, count=MOST_RECALLED, types=[TYPE])
        scores = {each.id: each.score for each in (*found.pinned, *found.records)}
        kept = sorted(
            (each for each in kept if each.record in scores),
            key=lambda each: scores[each.record],
            reverse=True,
        )
    chosen = kept[op.offset : op.offset + op.limit]
    return [
        SearchItem(
            namespace=each.item.namespace,
            key=each.item.key,
            value=each.item.value,
            created_at=each.item.created_at,
            updated_at=each.item.updated_at,
            score=scores.get(each.record),
        )
        for each in chosen
    ]


async def _namespaces(client: SaegimClient, op: ListNamespacesOp) -> list[tuple[str, ...]]:
    found = {each.item.namespace for each in await _every(client)}
    wanted = op.match_conditions or ()
    chosen = {
        namespace[: op.max_depth]
        for namespace in found
        if all(matches(condition, namespace) for condition in wanted)
    }
    return sorted(chosen)[op.offset : op.offset + op.limit]


async def _find(client: SaegimClient, namespace: tuple[str, ...], key: str) -> StoredItem | None:
    """The item; its topic is a hash of its place, so that one look finds it."""
    async for memory in client.memories.browse(_topic(namespace, key), types=[TYPE]):
        kept = _read(memory)
        if kept is not None and (kept.item.namespace, kept.item.key) == (namespace, key):
            return kept
    return None


async def _every(client: SaegimClient) -> list[StoredItem]:
    found = [_read(each) async for each in client.memories.browse(TOPIC, types=[TYPE])]
    return [each for each in found if each is not None]


def _topic(namespace: tuple[str, ...], key: str) -> str:
    """Letters alone: digits might be taken for somebody's number."""
    place = json.dumps([*namespace, key], ensure_ascii=False)
    return TOPIC + hashlib.sha256(place.encode()).hexdigest()[:32].translate(LETTERS)


def _content(namespace: tuple[str, ...], key: str, value: Mapping[str, Any]) -> str:
    now = datetime.now(UTC).isoformat(timespec="seconds")
    item = {"namespace": namespace, "key": key, "value": dict(value), "at": now}
    return json.dumps(item, ensure_ascii=False)


def _read(memory: Memory) -> StoredItem | None:
    if not memory.topic.startswith(TOPIC):
        return None
    try:
        stored = json.loads(memory.content)
        item = Item(
            value=stored["value"],
            key=stored["key"],
            namespace=tuple(stored["namespace"]),
            created_at=memory.said_at,
            updated_at=datetime.fromisoformat(stored["at"]),
        )
    except (ValueError, KeyError, TypeError):
        return None
    return StoredItem(memory.memory_id, item)
