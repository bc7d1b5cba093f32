"""Converts between rows and the values of the library; the vocabulary of a tenant."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from psycopg.types.json import Jsonb

from saegim.db.cells import Cells, Row, fetch_all, from_row
from saegim.library.index_ports import IndexPointer
from saegim.library.ports import NewPassage
from saegim.library.ranking import RankingWeights
from saegim.library.types import (
    STALE_MONTHS,
    Document,
    DocumentCopy,
    DocumentOrigin,
    DocumentState,
    FileState,
    ListedDocument,
    Locator,
    Passage,
    PassageLocation,
    RankingSettings,
    ResultCounts,
    Tags,
)
from saegim.text.analysis import fold

# Another release may have stored weights that this one does not have.
WEIGHTS = frozenset(field.name for field in fields(RankingWeights))


def passage_columns(passage: NewPassage) -> dict[str, Any]:
    draft = passage.draft
    return {
        "document": passage.document,
        "section": passage.section,
        "ordinal": passage.ordinal,
        "text": draft.text,
        "content_hash": passage.content_hash,
        "tokens": draft.tokens,
        "locator": locator_column(draft.locator),
        **asdict(draft.tags),
        "names": list(draft.tags.names),
    }


def locator_column(locator: Locator | None) -> Jsonb | None:
    """Return the parts of a locator that are set."""
    if locator is None:
        return None
    breaks = {"breaks": locator.breaks} if locator.breaks else {}
    return Jsonb({**locator.parts(), **breaks})


def _locator(column: dict[str, Any] | None) -> Locator | None:
    if column is None:
        return None
    breaks = tuple((start, number) for start, number in column.get("breaks", ()))
    return replace(Locator(**column), breaks=breaks)


def vector_literal(vector: Sequence[float]) -> str:
    """Return a vector in pgvector's text format."""
    return "[" + ",".join(f"{value:.6g}" for value in vector) + "]"


def document(row: Row) -> Document:
    ids = {"id": row["document_id"], "tenant": row["tenant_id"]}
    kept = row.get("original_id") is not None
    return from_row(Document, row, **ids, collection=row["collection_id"], has_original=kept)


def place(row: Row) -> PassageLocation:
    """Build a passage with its document and headings from one joined row."""
    ids = {name: row[f"{name}_id"] for name in ("document", "section")}
    tags = from_row(Tags, row, names=tuple(row["names"]))
    own = {"tags": tags, "locator": _locator(row["locator"])}
    passage = from_row(Passage, row, id=row["passage_id"], **ids, **own)
    return PassageLocation(passage, document(row), tuple(row["path"]))


def listed(row: Row) -> ListedDocument:
    """Build a document with its collection and source from one joined row."""
    return ListedDocument(
        document(row),
        passages=row["passages"],
        bytes=row["file_size"] or row["bytes"] or None,
        error=row["sync_error"],
        last_seen_at=row["seen_at"] or row["updated_at"],
        **_origin(row),
    )


def document_copy(row: Row) -> DocumentCopy:
    collection = "own" if row["owner_id"] is not None else row["collection"]
    return DocumentCopy(document(row), collection, row["is_exact"])


def listed_file(row: Row) -> ListedDocument:
    """Build the entry of a file that is not stored yet."""
    state = FileState(row["state"])
    failed = state is FileState.FAILED
    file = Document(
        id=row["file_id"],
        tenant=row["tenant_id"],
        collection=row["collection_id"],
        outside_id=row["name"],
        type=row["type"],
        title=None,
        version="",
        metadata={},
        updated_at=row["updated_at"],
    )
    return ListedDocument(
        file,
        passages=row["passages"],
        bytes=row["size"] or None,
        state=DocumentState.FAILED if failed else DocumentState.IMPORTING,
        error=row["error"] if failed else None,
        last_seen_at=row["updated_at"],
        **_origin(row),
    )


def _origin(row: Row) -> dict[str, Any]:
    private = row["owner_id"] is not None
    return {
        "collection": "own" if private else row["collection"],
        "audience": frozenset[str]() if private else frozenset(row["audience"]),
        "owner": row["owner_id"],
        "source": short_name(row["source"]),
        "origin": DocumentOrigin(row["source_kind"] or DocumentOrigin.UPLOAD),
        "added_by": row["added_by"],
        "first_seen_at": row["created_at"],
    }


def short_name(address: str | None) -> str | None:
    """Return the host of a web address, else the last part of a path: readers see no more."""
    if address is None:
        return None
    return urlsplit(address).hostname or address.rstrip("/").rsplit("/", 1)[-1]


def ranking(row: Row) -> RankingSettings:
    """Apply a tenant's settings to the defaults."""
    weights: dict[str, Any] = row["weights"] or {}
    counts = {name: row[name] for name in ("faq", "other") if row[name] is not None}
    return RankingSettings(
        RankingWeights(**{name: value for name, value in weights.items() if name in WEIGHTS}),
        ResultCounts(**counts),
        STALE_MONTHS if row["stale_months"] is None else row["stale_months"],
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
        "stale_months": None if ranking.stale_months == STALE_MONTHS else ranking.stale_months,
    }


CACHE_SECONDS = 120.0
MOST_NAMES = 5_000
MOST_TENANTS = 1_000


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Names of equipment and products by folded spelling, and the types of documents."""

    names: Mapping[str, str] = field(default_factory=dict[str, str])
    types: frozenset[str] = frozenset()


class Vocabularies:
    def __init__(self, cells: Cells, now: Callable[[], float] = time.monotonic) -> None:
        self._cells = cells
        self._now = now
        self._cache: dict[UUID, tuple[float, Vocabulary]] = {}

    async def of(self, tenant: UUID) -> Vocabulary:
        """Return a tenant's vocabulary, cached for two minutes."""
        cached = self._cache.get(tenant)
        if cached is not None and self._now() < cached[0]:
            return cached[1]
        async with self._cells.transaction(tenant) as connection:
            names = await fetch_all(connection, "passage_names", tenant=tenant, most=MOST_NAMES)
            types = await fetch_all(connection, "document_types", tenant=tenant)
        vocabulary = Vocabulary(
            {fold(row["name"]): row["name"] for row in names},
            frozenset(row["type"] for row in types),
        )
        if len(self._cache) >= MOST_TENANTS:
            self._cache.clear()
        self._cache[tenant] = (self._now() + CACHE_SECONDS, vocabulary)
        return vocabulary
