"""Redact turns and summaries in the transaction that forgets a record."""

import itertools
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import asdict, dataclass, field
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from saegim.conversations import turn_rows
from saegim.conversations.summary.job import summary_job
from saegim.conversations.summary.repository import memory_of, sealed
from saegim.conversations.types import Entity, Memory, Redactions, Turn, TurnState
from saegim.db.cells import Row
from saegim.encryption.cipher import Cipher
from saegim.jobs.queue import JobQueue
from saegim.memory import record_rows
from saegim.memory.jobs import index_job
from saegim.memory.record_writer import RecordWriter
from saegim.memory.redaction import (
    ForgottenRecord,
    quoted_in,
    repeats,
    said_in,
    text_without,
)
from saegim.memory.types import Record
from saegim.text import analysis
from saegim.text.rank_fusion import SparseVector, TermHasher

# How many turns are searched for a record: the nearest by words, and the last of its sessions.
_NEAREST, _LAST = 50, 20
# How many turns of a session may support its summary.
_SUMMARISED = 200
_SUMMARISED_STATES = (TurnState.DONE, TurnState.INCOMPLETE)


@dataclass(slots=True)
class _MarkedTurn:
    """A turn with the spans to redact and to retain, by record."""

    turn: Turn
    forgotten: dict[str, Redactions]
    kept: dict[str, Redactions]

    def column(self) -> Jsonb | None:
        if not self.forgotten:
            return None
        return Jsonb({"forgotten": _as_json(self.forgotten), "kept": _as_json(self.kept)})


@dataclass(slots=True)
class Redactor(turn_rows.OwnedRows):
    """Redacts the turns of one user, whose memory the caller has locked."""

    cipher: Cipher
    index_version: int
    jobs: JobQueue
    sessions: set[UUID] = field(default_factory=set[UUID])
    """Sessions whose cached states are stale."""

    async def redact(self, records: Sequence[UUID]) -> None:
        """Remove the words of forgotten records from everything that prompts contain.

        Turns, summaries and entities change at once, without a model; a job indexes episodes again.
        """
        rows = await self.all("forgotten_memories", memories=list(records))
        forgotten = [record_rows.read(row, self.cipher) for row in rows]
        # A digest does not occur in turns.
        forgotten = [record for record in forgotten if not record.is_digest]
        nearby = {each.id: await self._near(each) for each in forgotten}
        marked = await self._lock({turn for near in nearby.values() for turn in near})
        redacted: set[UUID] = set()
        for record in forgotten:
            spans = {
                turn: said_in(_forgotten(record), marked[turn].turn, source=turn in record.sources)
                for turn in nearby[record.id]
                if turn in marked
            }
            redacted_turns = [turn for turn, of_turn in spans.items() if of_turn]
            for turn in redacted_turns:
                marked[turn].forgotten[str(record.id)] = spans[turn]
                marked[turn].kept.pop(str(record.id), None)
            await self.run("note_redactions", memory=record.id, turns=redacted_turns or None)
            redacted.update(redacted_turns)
        changed = [marked[turn] for turn in sorted(redacted)]
        await self._retain_others(changed)
        await self._save(changed)
        for row in await self._summaries_of(changed):
            await self._redact_summary(row, [_forgotten(each) for each in forgotten], changed)
        # A title by a model is of a first turn, in use or not.
        titled = {each.turn.session for each in changed if each.turn.parent is None}
        await self.run("drop_auto_titles", sessions=sorted(titled))

    async def restore(self, record: Record) -> None:
        """Undo the redactions of a restored record."""
        rows = await self.all("find_memories", memories=[record.id])
        redacted: list[UUID] = rows[0]["redactions"] or []
        if not redacted:
            return
        marked = await self._lock(redacted)
        for turn, each in marked.items():
            each.forgotten.pop(str(record.id), None)
            if turn in record.sources:
                each.kept[str(record.id)] = quoted_in(record.quote, each.turn)
        await self.run("note_redactions", memory=record.id, turns=None)
        await self._save(list(marked.values()))
        # Summaries lost the words, so they are made again where all turns still exist.
        rows = await self._summaries_of(list(marked.values()))
        again = [row["session_id"] for row in rows if row["complete"]]
        await self.run("drop_summaries", sessions=again)
        for session in again:
            await self.jobs.defer_once(self.connection, summary_job(self.scope.tenant, session))

    async def undo(self, writer: RecordWriter, record: UUID) -> Record:
        """Restore a forgotten record and what was forgotten with it. Raises NotFound."""
        first = len(writer.dependents)
        restored = await writer.undo(record)
        await self.restore(restored)
        for dependent in itertools.islice(writer.dependents, first, None):
            await self.restore(await writer.undo(dependent))
        return restored

    async def _near(self, record: Record) -> list[UUID]:
        """Return the turns that may repeat a record."""
        hasher = TermHasher(self.cipher.derive("terms"))
        words = analysis.query_terms(f"{record.quote} {record.content}")
        indices = sorted({hasher.index(term) for term in words})
        terms = SparseVector(tuple(indices), (1.0,) * len(indices)).literal()
        rows = await self.all(
            "turns_saying", index_version=self.index_version, terms=terms, most=_NEAREST
        )
        sources = list(record.sources)
        for row in await self.all("sessions_quoting_turns", turns=sources):
            rows += await self.all("last_turns", session=row["session_id"], most=_LAST)
        return list(dict.fromkeys([*sources, *(row["turn_id"] for row in rows)]))

    async def _lock(self, turns: Iterable[UUID]) -> dict[UUID, _MarkedTurn]:
        ordered = sorted(turns)
        await self.all("lock_sessions_of", turns=ordered)
        rows = await self.all("lock_turns", turns=ordered)
        return {
            row["turn_id"]: _MarkedTurn(
                turn_rows.read(row, self.cipher),
                *turn_rows.places_of(row["redactions"]),
            )
            for row in rows
        }

    async def _retain_others(self, changed: Sequence[_MarkedTurn]) -> None:
        """Retain the quotes of other records of the turns."""
        rows = await self.all("memories_of_turns", turns=[each.turn.id for each in changed])
        for row in rows:
            record = record_rows.read(row, self.cipher)
            for each in changed:
                if each.turn.id in record.sources:
                    each.kept[str(record.id)] = quoted_in(record.quote, each.turn)

    async def _save(self, changed: Sequence[_MarkedTurn]) -> None:
        for each in changed:
            await self.run("redact_turn", turn=each.turn.id, redactions=each.column())
        if changed:
            await self._make_episodes_again([each.turn.id for each in changed])
            self.sessions |= {each.turn.session for each in changed}
            await self.run("age_sessions", sessions=sorted(self.sessions))

    async def _make_episodes_again(self, turns: Sequence[UUID]) -> None:
        rows = await self.all("episodes_around", turns=list(turns))
        episodes = [row["episode_id"] for row in rows]
        await self.run("drop_episode_vectors", episodes=episodes)
        tenant = self.scope.tenant
        jobs = [index_job(tenant, row["session_id"], row["turn_id"]) for row in rows]
        await self.jobs.defer_all(self.connection, jobs)

    async def _summaries_of(self, changed: Sequence[_MarkedTurn]) -> list[Row]:
        """Lock the summaries that contain a changed turn."""
        first: dict[UUID, int] = {}
        for turn in (each.turn for each in changed):
            first[turn.session] = min(turn.number, first.get(turn.session, turn.number))
        return await self.all(
            "lock_summaries_of", sessions=list(first), numbers=list(first.values())
        )

    async def _redact_summary(
        self, row: Row, forgotten: Sequence[ForgottenRecord], changed: Sequence[_MarkedTurn]
    ) -> None:
        session: UUID = row["session_id"]
        through: int = row["summarised_through"]
        numbers = {each.turn.number for each in changed if each.turn.session == session}
        memory = memory_of(row, session, self.cipher)
        rows = await self.all("last_turns", session=session, most=_SUMMARISED)
        said = "\n".join(
            f"{turn.message}\n{'' if turn.by_rule else turn.reply}"
            for row in rows
            if row["number"] <= through and row["state"] in _SUMMARISED_STATES
            for turn in [turn_rows.read(row, self.cipher).exchange()]
        )
        for each in forgotten:
            memory = memory_without(memory, each, numbers, said)
        await self.run("rewrite_summary", session=session, **sealed(memory, session, self.cipher))


def memory_without(
    memory: Memory, forgotten: ForgottenRecord, numbers: Set[int], said: str
) -> Memory:
    """Remove sentences and entities that repeat a record or have a word of it that the turns no
    longer say, entities whose value is in the record, and those of these turns with a word of it.
    """
    gone = forgotten.all_words - analysis.word_keys(said)

    def is_kept(entity: Entity) -> bool:
        words = analysis.word_keys(entity.value)
        within = bool(words) and words <= forgotten.all_words
        of_turn = entity.turn in numbers and words & forgotten.words
        text = f"{entity.key} {entity.value}"
        return not (within or of_turn or repeats(text, forgotten, gone))

    entities = tuple(filter(is_kept, memory.entities))
    return Memory(text_without(memory.summary, forgotten, gone), entities)


def _forgotten(record: Record) -> ForgottenRecord:
    return ForgottenRecord(record.quote, record.content, was_said=bool(record.sources))


def _as_json(by_record: Mapping[str, Redactions]) -> dict[str, Any]:
    return {record: asdict(redactions) for record, redactions in by_record.items()}
