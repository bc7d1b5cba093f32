"""A LangGraph store in long-term memory. Requires the extra `langchain`.

Each item is a memory record, which the user can see, correct, export and erase. Secrets and
personal numbers in a value are masked before they are stored.
"""

import asyncio
import hashlib
import json
import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, cast
from uuid import UUID

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
)

from saegim.client import SaegimClient
from saegim.client.blocking import BlockingClient
from saegim.client.memory_types import Memory

OPERATORS: Mapping[str, Callable[[Any, Any], bool]] = {
    "$eq": operator.eq,
    "$ne": operator.ne,
    "$gt": lambda left, right: float(left) > float(right),
    "$gte": lambda left, right: float(left) >= float(right),
    "$lt": lambda left, right: float(left) < float(right),
    "$lte": lambda left, right: float(left) <= float(right),
}


def passes(value: Mapping[str, Any], conditions: Mapping[str, Any] | None) -> bool:
    """Return whether all fields of a value meet their conditions."""
    return all(_meets(value.get(name), want) for name, want in (conditions or {}).items())


def matches(condition: MatchCondition, namespace: tuple[str, ...]) -> bool:
    """Return whether a namespace has the prefix or suffix; `*` matches any one part."""
    path = tuple(condition.path)
    if len(namespace) < len(path):
        return False
    start = 0 if condition.match_type == "prefix" else len(namespace) - len(path)
    part = namespace[start : start + len(path)]
    return all(want in ("*", have) for have, want in zip(part, path, strict=True))


def _meets(have: Any, want: Any) -> bool:
    if isinstance(want, dict):
        conditions = cast("dict[str, Any]", want)
        if any(name.startswith("$") for name in conditions):
            return all(_compare(have, name, value) for name, value in conditions.items())
    return have == want


def _compare(have: Any, name: str, want: Any) -> bool:
    if name not in OPERATORS:
        raise ValueError(f"unknown operator: {name}")
    ordered = name not in ("$eq", "$ne")
    return not (ordered and have is None) and OPERATORS[name](have, want)


TOPIC = "langgraph:"
TYPE = "note"
MOST_RECALLED = 50
LETTERS = str.maketrans("0123456789", "ghijklmnop")


@dataclass(frozen=True, slots=True)
class StoredItem:
    """An item and its memory record."""

    record: UUID
    item: Item


class SaegimStore(BaseStore):
    """Stores items in the memory of one user, with semantic search.

    Ignores `ttl` and `index`: memory has its own retention, and all of a value is searched.
    """

    def __init__(self, client: BlockingClient) -> None:
        super().__init__()
        self._client = client

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        listed = list(ops)
        return self._client.run(lambda client: _run_all(client, listed))

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        listed = list(ops)
        future = self._client.submit(lambda client: _run_all(client, listed))
        return await asyncio.wrap_future(future)


async def _run_all(client: SaegimClient, ops: list[Op]) -> list[Result]:
    return [await _run(client, op) for op in ops]


async def _run(client: SaegimClient, op: Op) -> Result:
    match op:
        case GetOp(namespace=namespace, key=key):
            stored = await _find(client, namespace, key)
            return None if stored is None else stored.item
        case PutOp():
            await _put(client, op)
            return None
        case SearchOp():
            return await _search(client, op)
        case ListNamespacesOp():
            return await _namespaces(client, op)


async def _put(client: SaegimClient, op: PutOp) -> None:
    existing = await _find(client, op.namespace, op.key)
    if op.value is None:
        if existing is not None:
            await client.memories.forget(existing.record)
        return
    content = _content(op.namespace, op.key, op.value)
    if existing is not None:
        memory = await client.memories.correct(existing.record, content=content)
    else:
        memory = await client.memories.add(content, TYPE, _topic(op.namespace, op.key))
    if _read(memory) is None:
        # Masking of a personal number made the JSON invalid.
        await client.memories.forget(memory.memory_id)
        raise ValueError("the value holds personal data that may not be stored as it is")


async def _search(client: SaegimClient, op: SearchOp) -> list[SearchItem]:
    prefix = op.namespace_prefix
    items = [
        each
        for each in await _list_items(client)
        if each.item.namespace[: len(prefix)] == prefix and passes(each.item.value, op.filter)
    ]
    scores: dict[UUID, float] = {}
    if op.query:
        recalled = await client.memories.recall(op.query, count=MOST_RECALLED, types=[TYPE])
        scores = {each.id: each.score for each in (*recalled.pinned, *recalled.records)}
        items = [each for each in items if each.record in scores]
        items.sort(key=lambda each: scores[each.record], reverse=True)
    return [
        SearchItem(
            namespace=each.item.namespace,
            key=each.item.key,
            value=each.item.value,
            created_at=each.item.created_at,
            updated_at=each.item.updated_at,
            score=scores.get(each.record),
        )
        for each in items[op.offset : op.offset + op.limit]
    ]


async def _namespaces(client: SaegimClient, op: ListNamespacesOp) -> list[tuple[str, ...]]:
    conditions = op.match_conditions or ()
    namespaces = {
        namespace[: op.max_depth]
        for namespace in {each.item.namespace for each in await _list_items(client)}
        if all(matches(condition, namespace) for condition in conditions)
    }
    return sorted(namespaces)[op.offset : op.offset + op.limit]


async def _find(client: SaegimClient, namespace: tuple[str, ...], key: str) -> StoredItem | None:
    """Find an item by its topic, a hash of its namespace and key."""
    async for memory in client.memories.browse(_topic(namespace, key), types=[TYPE]):
        stored = _read(memory)
        if stored is not None and (stored.item.namespace, stored.item.key) == (namespace, key):
            return stored
    return None


async def _list_items(client: SaegimClient) -> list[StoredItem]:
    items = [_read(each) async for each in client.memories.browse(TOPIC, types=[TYPE])]
    return [each for each in items if each is not None]


def _topic(namespace: tuple[str, ...], key: str) -> str:
    """Return a hash in letters: digits might be masked as a personal number."""
    path = json.dumps([*namespace, key], ensure_ascii=False)
    return TOPIC + hashlib.sha256(path.encode()).hexdigest()[:32].translate(LETTERS)


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
