"""Passages as rows, and back."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from saegim.db.cells import Cells, Row, fetch_all
from saegim.library.index_ports import Build, IndexPointer, PassageLocation, SearchSetup
from saegim.library.ports import NewPassage
from saegim.library.ranking import RankingWeights
from saegim.library.types import Document, Passage, RankingSettings, ResultCounts, Section, Tags
from saegim.text.analysis import fold

# Another release may have stored weights that this one does not know.
WEIGHTS = frozenset(field.name for field in fields(RankingWeights))


def passage_columns(passage: NewPassage) -> dict[str, Any]:
    tags = passage.tags
    return {
        "passage": passage.id,
        "section": passage.section,
        "ordinal": passage.ordinal,
        "text": passage.text,
        "content_hash": passage.content_hash,
        "tokens": passage.tokens,
        "has_steps": tags.has_steps,
        "has_conditions": tags.has_conditions,
        "has_table": tags.has_table,
        "language": tags.language,
        "names": list(tags.names),
    }


def vector_literal(vector: Sequence[float]) -> str:
    """A vector in pgvector's text format."""
    return "[" + ",".join(f"{value:.6g}" for value in vector) + "]"


def document(row: Row) -> Document:
    return Document(
        id=row["document_id"],
        tenant=row["tenant_id"],
        collection=row["collection_id"],
        outside_id=row["outside_id"],
        type=row["type"],
        title=row["title"],
        version=row["version"],
        metadata=row["metadata"],
        updated_at=row["updated_at"],
    )


def place(row: Row) -> PassageLocation:
    """A passage with its document and section, from one joined row."""
    tags = Tags(
        has_steps=row["has_steps"],
        has_conditions=row["has_conditions"],
        has_table=row["has_table"],
        language=row["language"],
        names=tuple(row["names"]),
    )
    passage = Passage(
        id=row["passage_id"],
        document=row["document_id"],
        section=row["section_id"],
        ordinal=row["ordinal"],
        text=row["text"],
        tokens=row["tokens"],
        tags=tags,
    )
    section = Section(
        row["section_id"], row["document_id"], row["section_ordinal"], tuple(row["path"])
    )
    return PassageLocation(passage, document(row), section)


def ranking(row: Row) -> RankingSettings:
    """What a tenant set, over the defaults."""
    usual = ResultCounts()
    kept: dict[str, Any] = row["weights"] or {}
    return RankingSettings(
        RankingWeights(**{name: value for name, value in kept.items() if name in WEIGHTS}),
        ResultCounts(
            usual.faq if row["faq"] is None else row["faq"],
            usual.other if row["other"] is None else row["other"],
        ),
    )


def serving(row: Row) -> SearchSetup:
    """The index that serves, and how its tenant ranks."""
    pointer = IndexPointer(row["index_version"], row["embedder"], row["dimensions"])
    return SearchSetup(pointer, ranking(row))


def ranking_columns(ranking: RankingSettings) -> dict[str, Any]:
    """What differs from the defaults; the rest follows them into later releases."""
    weights, counts, usual = ranking.weights, ranking.counts, ResultCounts()
    return {
        "weights": None if weights == RankingWeights() else Jsonb(asdict(weights)),
        "faq": None if counts.faq == usual.faq else counts.faq,
        "other": None if counts.other == usual.other else counts.other,
    }


def build(row: Row) -> Build:
    pointer = IndexPointer(row["index_version"], row["embedder"], row["dimensions"])
    return Build(pointer, row["after"], row["passages"])


def build_columns(build: Build) -> dict[str, Any]:
    pointer = build.pointer
    return {
        "generation": pointer.generation,
        "embedder": pointer.embedder,
        "dimensions": pointer.dimensions,
        "after": build.after,
        "passages": build.passages,
    }


class PostgresTags:
    def __init__(self, cells: Cells) -> None:
        self._cells = cells

    async def tags(self, tenant: UUID, most: int) -> tuple[list[str], list[str]]:
        """Names that passages are tagged with, and the types of documents."""
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            names = await fetch_all(connection, "passage_names", tenant=tenant, most=most)
            types = await fetch_all(connection, "document_types", tenant=tenant)
        return [row["name"] for row in names], [row["type"] for row in types]


KEPT_SECONDS = 120.0
MOST_NAMES = 5_000
MOST_TENANTS = 1_000


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Names of equipment and products by their folded spelling, and the types of documents."""

    names: Mapping[str, str] = field(default_factory=dict[str, str])
    types: frozenset[str] = frozenset()


class Vocabularies:
    def __init__(self, store: PostgresTags, now: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._now = now
        self._known: dict[UUID, tuple[float, Vocabulary]] = {}

    async def of(self, tenant: UUID) -> Vocabulary:
        """A tenant's vocabulary, at most two minutes old."""
        known = self._known.get(tenant)
        if known is not None and self._now() < known[0]:
            return known[1]
        names, types = await self._store.tags(tenant, MOST_NAMES)
        found = Vocabulary({fold(name): name for name in names}, frozenset(types))
        if len(self._known) >= MOST_TENANTS:
            self._known.clear()
        self._known[tenant] = (self._now() + KEPT_SECONDS, found)
        return found
