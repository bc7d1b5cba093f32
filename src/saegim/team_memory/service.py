"""Share records with a team, change them, and recall them in the turns of its members."""

from collections import Counter, OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import log
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from saegim.domain.errors import (
    CollectionNotEmpty,
    Invalid,
    ModelUnavailable,
    NotFound,
    PermissionDenied,
)
from saegim.domain.etags import ExpectedVersion
from saegim.domain.ids import Clock
from saegim.domain.policy import Permission, allows, require
from saegim.domain.scope import Caller
from saegim.library.repository import PostgresLibrary
from saegim.llm.ports import Embedder
from saegim.memory.candidate import ContactMasking, masked
from saegim.memory.recall.service import shorten
from saegim.memory.recall.types import CandidateKind, RecallCandidate, RecallSignals
from saegim.memory.repository import PostgresRecords
from saegim.memory.types import MemoryType
from saegim.team_memory.repository import PostgresTeamMemory
from saegim.team_memory.types import (
    Contribution,
    NewTeamRecord,
    TeamRecord,
    TeamStatement,
    TeamVersion,
)
from saegim.text.analysis import fold, index_terms, query_terms

MOST_CACHED = 5_000
# Vectors that one question waits for; others are compared by words until a later one.
MOST_NEW = 12

Vector = NDArray[np.float32]


class TeamVectors:
    """In-process cache of vectors by record and version. The oldest are dropped."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._vectors = OrderedDict[tuple[UUID, int], Vector]()

    async def similarities(self, message: str, records: Sequence[TeamRecord]) -> dict[UUID, float]:
        """Return the similarity of records to a message, from 0 (unrelated) to 1 (matching).

        {} if the embedder fails.
        """
        try:
            await self.add([each for each in records if _key(each) not in self._vectors][:MOST_NEW])
            [question] = await self._embedder.embed([message], "query")
        except ModelUnavailable:
            return {}
        asked, scale = np.asarray(question, np.float32), self._embedder.scale
        return {
            each.id: scale.similarity(float(asked @ vector))
            for each in records
            if (vector := self._vectors.get(_key(each))) is not None
        }

    async def add(self, records: Sequence[TeamRecord]) -> None:
        """Embed records. Raises ModelUnavailable."""
        if not records:
            return
        vectors = await self._embedder.embed(list(map(text_of, records)), "document")
        for record, vector in zip(records, vectors, strict=True):
            self._vectors[_key(record)] = np.asarray(vector, np.float32)
        while len(self._vectors) > MOST_CACHED:
            self._vectors.popitem(last=False)

    def drop(self, record: UUID) -> None:
        """Forget the vectors of a deleted record."""
        for key in [key for key in self._vectors if key[0] == record]:
            del self._vectors[key]


def text_of(record: TeamRecord) -> str:
    return f"{record.statement.topic} {record.statement.content}".strip()


def _key(record: TeamRecord) -> tuple[UUID, int]:
    return record.id, record.version


# Records that one recall compares, the newest.
MOST_COMPARED = 500
MOST_RECALLED = 5
_EACH_TOKENS = 120
# Share of the question's words, weighted by rarity, that a recalled record has.
_LEAST_SHARE = 0.34
# Similarity in meaning of a record that has fewer of them: unrelated ones stay below.
_LEAST_SIMILARITY = 0.4
_PAGE = 200


@dataclass(frozen=True, slots=True)
class TeamCorrection:
    """Changes to a shared record; None leaves a field unchanged."""

    content: str | None = None
    type: MemoryType | None = None
    topic: str | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class TeamMemory:
    """Shared records belong to a collection; those who may read it see, confirm and recall them."""

    store: PostgresTeamMemory
    library: PostgresLibrary
    records: PostgresRecords
    clock: Clock
    masking: ContactMasking
    vectors: TeamVectors

    async def spaces(self, caller: Caller) -> dict[UUID, str]:
        """Return the collections whose records the caller sees, by name."""
        readable = await self.library.readable_collections(caller)
        return await self.store.spaces(caller.scope.tenant, readable)

    async def share(
        self, caller: Caller, memory: UUID, collection: UUID | None = None
    ) -> TeamRecord:
        """Share one of the caller's own memories. Raises NotFound."""
        record = await self.records.get(caller.scope, memory)
        if record.is_digest or record.superseded_by is not None:
            raise Invalid("only a current memory can be shared")
        now = self.clock.now()
        contribution = Contribution(
            member=caller.scope.user,
            name=caller.known_as or "",
            quote=record.quote,
            said_at=record.said_at,
            shared_at=now,
            memory=record.id,
            turn=record.sources[0] if record.sources else None,
        )
        statement = TeamStatement(record.type, record.content, record.topic)
        space = await self._space(caller, collection)
        return await self.store.add(
            caller.scope.tenant, NewTeamRecord(space, statement, contribution)
        )

    async def add(
        self, caller: Caller, statement: TeamStatement, collection: UUID | None = None
    ) -> TeamRecord:
        """Share what the caller writes, masked. Raises NotFound."""
        now = self.clock.now()
        contribution = Contribution(caller.scope.user, caller.known_as or "", "", now, now)
        space = await self._space(caller, collection)
        new = NewTeamRecord(space, self._masked(caller, statement), contribution)
        return await self.store.add(caller.scope.tenant, new)

    async def browse(
        self, caller: Caller, words: str = "", count: int = 50, before: UUID | None = None
    ) -> list[TeamRecord]:
        """List the records that the caller sees and that contain all words, newest first."""
        spaces = await self.spaces(caller)
        wanted = fold(words).split()
        matching: list[TeamRecord] = []
        size = _PAGE if wanted else count
        while len(matching) < count:
            page = await self.store.browse(caller.scope.tenant, spaces, size, before)
            matching += [each for each in page if _contains(each, wanted)]
            if len(page) < size:
                break
            before = page[-1].id
        return matching[:count]

    async def require_none(self, caller: Caller, collection: UUID) -> None:
        """Raises CollectionNotEmpty for a collection with shared records."""
        require(caller, Permission.MANAGE_COLLECTIONS)
        if await self.store.browse(caller.scope.tenant, [collection], 1):
            raise CollectionNotEmpty

    async def read(self, caller: Caller, record: UUID) -> TeamRecord:
        """Return a record that the caller sees. Raises NotFound."""
        return await self.store.find(caller.scope.tenant, await self.spaces(caller), record)

    async def versions(self, caller: Caller, record: UUID) -> Sequence[TeamVersion]:
        """List the versions of a record, newest first. Raises NotFound."""
        found = await self.read(caller, record)
        return await self.store.versions(caller.scope.tenant, found.id)

    async def confirm(self, caller: Caller, record: UUID) -> TeamRecord:
        """Say that a record is right, so that it stays if its author is erased. Raises NotFound."""
        now = self.clock.now()
        by = Contribution(caller.scope.user, caller.known_as or "", "", now, now)
        spaces = await self.spaces(caller)
        return await self.store.confirm(caller.scope.tenant, spaces, record, by)

    async def change(
        self,
        caller: Caller,
        record: UUID,
        correction: TeamCorrection,
        seen: ExpectedVersion | None = None,
    ) -> TeamRecord:
        """Store a new version, which nobody but the caller has confirmed. Raises NotFound,
        VersionConflict, Conflict, and PermissionDenied unless the caller wrote the current version
        or may edit the library."""
        found = await self.read(caller, record)
        if not may_edit(caller, found):
            raise PermissionDenied("only its author and editors may change this record")
        given = {
            name: value
            for name in ("content", "type", "topic")
            if (value := getattr(correction, name)) is not None
        }
        statement = self._masked(caller, replace(found.statement, **given))
        now = self.clock.now()
        by = Contribution(caller.scope.user, caller.known_as or "", "", now, now)
        return await self.store.revise(found, caller.scope.tenant, statement, by, seen)

    async def remove(self, caller: Caller, record: UUID) -> None:
        """Delete a record; what others confirmed stays for them, unless an editor deletes it.

        Raises NotFound and PermissionDenied.
        """
        found = await self.read(caller, record)
        is_editor = allows(caller, Permission.EDIT_LIBRARY)
        if not may_withdraw(caller, found):
            raise PermissionDenied("only its authors and editors may delete this record")
        await self.store.remove(caller.scope, found, of_others=is_editor)
        self.vectors.drop(found.id)

    async def recall(self, caller: Caller, message: str) -> list[RecallCandidate]:
        """Return the shared records that have the words of a message, or its meaning, best
        first."""
        asked = frozenset(query_terms(message))
        if not asked:
            return []
        records = await self.store.readable(caller, MOST_COMPARED)
        if not records:
            return []
        return ranked(records, asked, await self.vectors.similarities(message, records))

    async def _space(self, caller: Caller, collection: UUID | None) -> UUID:
        spaces = await self.spaces(caller)
        if collection is None:
            collection = next(iter(spaces), None)
        if collection is None or collection not in spaces:
            raise NotFound("collection")
        return collection

    def _masked(self, caller: Caller, statement: TeamStatement) -> TeamStatement:
        contacts = self.masking.contacts(caller.scope.tenant)
        content, _ = masked(statement.content, contacts)
        topic, _ = masked(statement.topic, contacts)
        return replace(statement, content=content, topic=topic)


def ranked(
    records: Sequence[TeamRecord],
    asked: frozenset[str],
    similar: Mapping[UUID, float] | None = None,
) -> list[RecallCandidate]:
    """Return the records with enough of the asked terms, rare ones weigh more; then those that are
    similar in meaning."""
    similar = similar or {}
    matches = {each.id: asked & set(index_terms(text_of(each))) for each in records}
    counts = Counter(term for terms in matches.values() for term in terms)
    weights = {term: log((len(records) + 1) / (counts[term] + 0.5)) + 0.1 for term in asked}
    # Terms that no record has are mostly endings and question words.
    total = sum(weight for term, weight in weights.items() if counts[term]) + 0.1 * sum(
        1 for term in asked if not counts[term]
    )
    scored: list[RecallCandidate] = []
    for each in records:
        share = sum(weights[term] for term in matches[each.id]) / total
        near = similar.get(each.id, 0.0)
        if share >= _LEAST_SHARE or near >= _LEAST_SIMILARITY:
            scored.append(_candidate(each, share, near))
    scored.sort(key=lambda each: (-each.signals.score, -each.said_at.timestamp()))
    return scored[:MOST_RECALLED]


def _candidate(record: TeamRecord, share: float, similarity: float) -> RecallCandidate:
    text, size = shorten(record.statement.content, _EACH_TOKENS)
    # By meaning alone a record is a guess: it comes after those with the words.
    score = share if share >= _LEAST_SHARE else _LEAST_SHARE * min(similarity, 1.0)
    signals = RecallSignals(score=score, lexical=share, dense=similarity)
    return RecallCandidate(
        CandidateKind.TEAM,
        record.id,
        text,
        record.said_at,
        signals,
        tokens=size,
        record_type=record.statement.type.value,
    )


def _contains(record: TeamRecord, words: Sequence[str]) -> bool:
    text = fold(text_of(record))
    return all(word in text for word in words)


def may_edit(caller: Caller, record: TeamRecord) -> bool:
    """Return whether the caller wrote the current version, or may edit the library."""
    return record.is_written_by(caller.scope.user) or allows(caller, Permission.EDIT_LIBRARY)


def may_withdraw(caller: Caller, record: TeamRecord) -> bool:
    """Return whether the caller said or confirmed a record, or may edit the library."""
    return record.is_of(caller.scope.user) or allows(caller, Permission.EDIT_LIBRARY)
