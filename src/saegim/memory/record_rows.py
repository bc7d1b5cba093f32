"""Encrypt records into rows and decrypt them."""

import json
from dataclasses import dataclass, fields, replace
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
from saegim.text.masking import mask
from saegim.text.rank_fusion import SparseVector

BODY, DIGEST_BODY = "memory.body", "digest.body"
REASON, OUTPUT = "audit_event.reason", "extraction.output"
# Counts all rows; terms begin at 1.
EVERY = 0


@dataclass(frozen=True, slots=True)
class Body:
    """The encrypted part of a record."""

    content: str
    quote: str
    topic: str
    tags: tuple[str, ...]

    def seal(self, record: UUID, cipher: Cipher) -> bytes:
        values = [self.content, self.quote, self.topic, list(self.tags)]
        return cipher.seal(json.dumps(values, ensure_ascii=False), FieldLocation(BODY, record))

    @staticmethod
    def open(sealed: bytes, record: UUID, cipher: Cipher, *, masks: bool = False) -> "Body":
        """Decrypt; `masks`: with today's rules, for what was stored when they missed secrets."""
        *texts, tags = json.loads(cipher.open(sealed, FieldLocation(BODY, record)))
        content, quote, topic = (mask(text).text for text in texts) if masks else texts
        return Body(content, quote, topic, tuple(tags))


def natural_hash(new: NewRecord, profile: UUID, cipher: Cipher) -> bytes:
    """Return a keyed hash of profile, first source and content."""
    source = new.sources[0] if new.sources else f"said {new.said_at.isoformat()}"
    return cipher.fingerprint(f"memory:{profile}:{source}:{new.statement.content}")


def weighed(importance: float) -> float:
    """Round the importance: the 4-byte column rejects 1e-300."""
    return round(importance, 6)


def columns(
    statement: Statement, quote: str, origin: Origin, record: UUID, cipher: Cipher
) -> dict[str, Any]:
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
    unseen = row["under_old_rules"] and row["origin"] == Origin.FALLBACK
    body = Body.open(row["body"], row["memory_id"], cipher, masks=unseen)
    return Record(
        id=row["memory_id"],
        scope=Scope(row["tenant_id"], row["member_id"], row["profile_id"]),
        said_at=row["said_at"],
        sources=tuple(row["sources"]),
        quote=body.quote,
        version=row["version"],
        origin=Origin(row["origin"]),
        pinned=row["pinned"],
        retention=row["retention"],
        superseded_by=row["superseded_by"] if row["ended_at"] else None,
        rests_on=tuple(row["rests_on"]),
        unsure_since=row["unsure_since"],
        asked_in=row["asked_in"],
        to_review=unseen and not row["pinned"],
        **_statement(row, body),
    )


def _statement(row: Row, body: Body) -> dict[str, Any]:
    return {
        "type": MemoryType(row["type"]),
        "content": body.content,
        "importance": row["importance"],
        "valid_from": row["valid_from"],
        "valid_to": row["valid_to"],
        "topic": body.topic,
        "tags": frozenset(body.tags),
        "pii": frozenset(row["pii"]),
    }


def read_version(row: Row, cipher: Cipher) -> Version:
    by_rule = row["origin"] == Origin.FALLBACK
    body = Body.open(row["body"], row["memory_id"], cipher, masks=by_rule)
    statement = Statement(**_statement(row, body))
    return Version(row["version"], statement, Origin(row["origin"]), row["changed_at"])


def as_version(record: Record, statement: Statement) -> Record:
    """Return a record with the statement of one of its versions."""
    return replace(
        record, **{each.name: getattr(statement, each.name) for each in fields(statement)}
    )


def read_event(row: Row, cipher: Cipher) -> AuditEvent:
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


def indices_of(literal: str) -> list[int]:
    """Return the non-zero dimensions of the text form of a `sparsevec`."""
    pairs = literal.partition("/")[0].strip("{}")
    return [int(pair.partition(":")[0]) for pair in pairs.split(",")] if pairs else []


def is_core(statement: Statement) -> bool:
    """Return whether a statement belongs in every context."""
    return CORE in statement.tags


def counted(vector: SparseVector) -> list[int]:
    """Return the terms that a new row counts for, with `EVERY`."""
    return [EVERY, *vector.indices]


def ends(record: Record) -> datetime:
    """Return when the records ended that this one replaced."""
    return record.valid_from or record.said_at
