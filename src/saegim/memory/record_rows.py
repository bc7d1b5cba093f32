"""Records as rows: what is sealed, under which key and place, and how it is read back."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from saegim.db.cells import Row
from saegim.domain.scope import Scope
from saegim.encryption.cipher import Cipher, FieldLocation
from saegim.memory.types import (
    CORE,
    Action,
    Actor,
    AuditEvent,
    Digest,
    MemoryType,
    NewRecord,
    Origin,
    Record,
    Statement,
    Version,
)
from saegim.text.rank_fusion import SparseVector

BODY, DIGEST_BODY = "memory.body", "digest.body"
REASON, OUTPUT = "audit_event.reason", "extraction.output"
# Stands for every record in the counts of terms, whose own numbers begin with 1.
EVERY = 0


@dataclass(frozen=True, slots=True)
class Body:
    """What is sealed of a record."""

    content: str
    quote: str
    topic: str
    tags: tuple[str, ...]

    def seal(self, record: UUID, cipher: Cipher) -> bytes:
        values = [self.content, self.quote, self.topic, list(self.tags)]
        return cipher.seal(json.dumps(values, ensure_ascii=False), FieldLocation(BODY, record))

    @staticmethod
    def open(sealed: bytes, record: UUID, cipher: Cipher) -> "Body":
        content, quote, topic, tags = json.loads(cipher.open(sealed, FieldLocation(BODY, record)))
        return Body(content, quote, topic, tuple(tags))


def natural_hash(new: NewRecord, profile: UUID, cipher: Cipher) -> bytes:
    """A keyed hash of the first source and the content, of one profile."""
    source = new.sources[0] if new.sources else f"said {new.said_at.isoformat()}"
    return cipher.fingerprint(f"memory:{profile}:{source}:{new.statement.content}")


def weighed(importance: float) -> float:
    """How much a record matters, as a column holds it: one of four bytes refuses 1e-300."""
    return round(importance, 6)


def columns(
    statement: Statement, quote: str, origin: Origin, record: UUID, cipher: Cipher
) -> dict[str, Any]:
    """What a version of a record has in its columns."""
    body = Body(statement.content, quote, statement.topic, tuple(sorted(statement.tags)))
    return {
        "type": statement.type,
        "body": body.seal(record, cipher),
        "importance": weighed(statement.importance),
        "valid_from": statement.valid_from,
        "valid_to": statement.valid_to,
        "origin": origin,
        "pii": sorted(statement.pii),
    }


def read(row: Row, cipher: Cipher) -> Record:
    """The record of a row."""
    body = Body.open(row["body"], row["memory_id"], cipher)
    return Record(
        id=row["memory_id"],
        scope=Scope(row["tenant_id"], row["member_id"], row["profile_id"]),
        type=MemoryType(row["type"]),
        content=body.content,
        importance=row["importance"],
        said_at=row["said_at"],
        valid_from=row["valid_from"],
        valid_to=row["valid_to"],
        sources=tuple(row["sources"]),
        quote=body.quote,
        topic=body.topic,
        tags=frozenset(body.tags),
        version=row["version"],
        origin=Origin(row["origin"]),
        pii=frozenset(row["pii"]),
        pinned=row["pinned"],
        retention=row["retention"],
        superseded_by=row["superseded_by"] if row["ended_at"] else None,
    )


def statement_of(record: Record) -> Statement:
    """What a record says now."""
    return Statement(
        type=record.type,
        content=record.content,
        importance=record.importance,
        valid_from=record.valid_from,
        valid_to=record.valid_to,
        topic=record.topic,
        tags=record.tags,
        pii=record.pii,
    )


def read_version(row: Row, cipher: Cipher) -> Version:
    """A version of a record."""
    body = Body.open(row["body"], row["memory_id"], cipher)
    statement = Statement(
        type=MemoryType(row["type"]),
        content=body.content,
        importance=row["importance"],
        valid_from=row["valid_from"],
        valid_to=row["valid_to"],
        topic=body.topic,
        tags=frozenset(body.tags),
        pii=frozenset(row["pii"]),
    )
    return Version(row["version"], statement, Origin(row["origin"]), row["changed_at"])


def read_event(row: Row, cipher: Cipher) -> AuditEvent:
    """An entry of the trail."""
    event: UUID = row["event_id"]
    reason = cipher.open(row["reason"], FieldLocation(REASON, event)) if row["reason"] else ""
    return AuditEvent(
        event, Action(row["action"]), row["subject_id"], Actor(row["actor"]), row["at"], reason
    )


def seal_digest(digest: Digest, cipher: Cipher) -> bytes:
    values = [list(digest.topics), digest.summary]
    return cipher.seal(
        json.dumps(values, ensure_ascii=False), FieldLocation(DIGEST_BODY, digest.id)
    )


def read_digest(row: Row, cipher: Cipher) -> Digest:
    """A digest of a row."""
    digest: UUID = row["digest_id"]
    topics, summary = json.loads(cipher.open(row["body"], FieldLocation(DIGEST_BODY, digest)))
    return Digest(
        id=digest,
        scope=Scope(row["tenant_id"], row["member_id"], row["profile_id"]),
        first=row["first_said_at"],
        last=row["last_said_at"],
        topics=tuple(topics),
        summary=summary,
        sources=tuple(row["sources"]),
    )


def dense_literal(embedding: Sequence[float]) -> str:
    """The text form of pgvector's `halfvec`."""
    return "[" + ",".join(f"{value:.6g}" for value in embedding) + "]"


def indices_of(literal: str) -> list[int]:
    """The dimensions that are not zero in the text form of a `sparsevec`."""
    pairs = literal.partition("/")[0].strip("{}")
    return [int(pair.partition(":")[0]) for pair in pairs.split(",")] if pairs else []


def is_core(statement: Statement) -> bool:
    """Whether a statement stands in every context by itself."""
    return CORE in statement.tags


def counted(vector: SparseVector) -> list[int]:
    """The terms that a new row counts for, among them the one that stands for every row."""
    return [EVERY, *vector.indices]


def ends(record: Record) -> datetime:
    """When what a record took the place of ceased to hold."""
    return record.valid_from or record.said_at
