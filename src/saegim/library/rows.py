"""Converts between rows and the values of the library; the vocabulary of a tenant."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from saegim.db.cells import Cells, Row, fetch_all
from saegim.library.index_ports import Build, IndexPointer, PassageLocation
from saegim.library.ports import NewPassage
from saegim.library.ranking import RankingWeights
from saegim.library.types import Document, Passage, RankingSettings, ResultCounts, Section, Tags
from saegim.text.analysis import fold

# Another release may have stored weights that this one does not have.
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
    """Return a vector in pgvector's text format."""
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
    """Build a passage with its document and section from one joined row."""
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
    """Apply a tenant's settings to the defaults."""
    weights: dict[str, Any] = row["weights"] or {}
    counts = {name: row[name] for name in ("faq", "other") if row[name] is not None}
    return RankingSettings(
        RankingWeights(**{name: value for name, value in weights.items() if name in WEIGHTS}),
        ResultCounts(**counts),
    )


def pointer(row: Row) -> IndexPointer:
    return IndexPointer(row["index_version"], row["embedder"], row["dimensions"])


def ranking_columns(ranking: RankingSettings) -> dict[str, Any]:
    """Return the settings that differ from the defaults, None for the others."""
    weights, counts, default = ranking.weights, ranking.counts, ResultCounts()
    return {
        "weights": None if weights == RankingWeights() else Jsonb(asdict(weights)),
        "faq": None if counts.faq == default.faq else counts.faq,
        "other": None if counts.other == default.other else counts.other,
    }


def build(row: Row) -> Build:
    return Build(pointer(row), row["after"], row["passages"])


def build_columns(build: Build) -> dict[str, Any]:
    return asdict(build.pointer) | {"after": build.after, "passages": build.passages}


class PostgresTags:
    def __init__(self, cells: Cells) -> None:
        self._cells = cells

    async def tags(self, tenant: UUID, most: int) -> tuple[list[str], list[str]]:
        """Return the names that passages are tagged with, and the types of documents."""
        async with self._cells.transaction(tenant) as connection:
            names = await fetch_all(connection, "passage_names", tenant=tenant, most=most)
            types = await fetch_all(connection, "document_types", tenant=tenant)
        return [row["name"] for row in names], [row["type"] for row in types]


CACHE_SECONDS = 120.0
MOST_NAMES = 5_000
MOST_TENANTS = 1_000


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Names of equipment and products by folded spelling, and the types of documents."""

    names: Mapping[str, str] = field(default_factory=dict[str, str])
    types: frozenset[str] = frozenset()


class Vocabularies:
    def __init__(self, store: PostgresTags, now: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._now = now
        self._cache: dict[UUID, tuple[float, Vocabulary]] = {}

    async def of(self, tenant: UUID) -> Vocabulary:
        """Return a tenant's vocabulary, cached for two minutes."""
        cached = self._cache.get(tenant)
        if cached is not None and self._now() < cached[0]:
            return cached[1]
        names, types = await self._store.tags(tenant, MOST_NAMES)
        vocabulary = Vocabulary({fold(name): name for name in names}, frozenset(types))
        if len(self._cache) >= MOST_TENANTS:
            self._cache.clear()
        self._cache[tenant] = (self._now() + CACHE_SECONDS, vocabulary)
        return vocabulary
