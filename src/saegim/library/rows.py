"""Passages as rows, and back."""

from collections.abc import Sequence
from dataclasses import asdict, fields
from typing import Any

from psycopg.types.json import Jsonb

from saegim.db.cells import Row
from saegim.library.index_ports import Build, IndexPointer, PassageLocation, SearchSetup
from saegim.library.ports import NewPassage
from saegim.library.ranking import RankingWeights
from saegim.library.types import Document, Passage, RankingSettings, ResultCounts, Section, Tags

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
