"""Words that are struck from what was said, in the transaction that forgets their record."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from saegim.conversations import turn_rows
from saegim.conversations.summary.job import summary_job
from saegim.conversations.summary.repository import memory_of, sealed
from saegim.conversations.types import Memory, Redactions, Turn
from saegim.db.cells import Connection, Row, execute, fetch_all
from saegim.domain.scope import Scope
from saegim.encryption.cipher import Cipher
from saegim.jobs.queue import JobQueue
from saegim.memory import record_rows
from saegim.memory.jobs import index_job
from saegim.memory.redaction import (
    ForgottenRecord,
    has_word_of,
    quoted_in,
    repeats,
    said_in,
    text_without,
)
from saegim.memory.types import Record
from saegim.text import analysis
from saegim.text.rank_fusion import SparseVector, TermHasher

# How many turns are looked at for the words of a record: those nearest by words, and the last of
# the conversations it was told in.
_NEAREST, _LAST = 50, 20


@dataclass(slots=True)
class _MarkedTurn:
    """A turn with its places: what is struck for each record, and what is kept for others."""

    turn: Turn
    forgotten: dict[str, Redactions]
    kept: dict[str, Redactions]

    def column(self) -> Jsonb | None:
        if not self.forgotten:
            return None
        return Jsonb({"forgotten": _shown(self.forgotten), "kept": _shown(self.kept)})


@dataclass(frozen=True, slots=True)
class Redactor:
    """Strikes words of one person's turns; whoever forgets holds that person's memory."""

    connection: Connection
    scope: Scope
    cipher: Cipher
    index_version: int
    jobs: JobQueue

    async def redact(self, records: Sequence[UUID]) -> None:
        """Takes the words of forgotten records out of all that a model is shown: from now on for
        turns, summaries and entities; episodes are missing until they are made again."""
        rows = await self._all("forgotten_memories", memories=list(records))
        gone = [record_rows.read(row, self.cipher) for row in rows]
        # A digest was never said: to forget it is to undo it.
        gone = [record for record in gone if not record.is_digest]
        looked_at = {each.id: await self._near(each) for each in gone}
        marked = await self._hold({turn for near in looked_at.values() for turn in near})
        redacted: set[UUID] = set()
        for record in gone:
            places = {
                turn: said_in(_forgotten(record), marked[turn].turn, source=turn in record.sources)
                for turn in looked_at[record.id]
                if turn in marked
            }
            redacted_turns = [turn for turn, where in places.items() if where]
            for turn in redacted_turns:
                marked[turn].forgotten[str(record.id)] = places[turn]
                marked[turn].kept.pop(str(record.id), None)
            await self._run("note_redactions", memory=record.id, turns=redacted_turns or None)
            redacted.update(redacted_turns)
        changed = [marked[turn] for turn in sorted(redacted)]
        await self._keep_others(changed)
        await self._save(changed, [_forgotten(record) for record in gone])

    async def restore(self, record: Record) -> None:
        """Brings back what was struck for a record that is remembered again."""
        rows = await self._all("find_memories", memories=[record.id])
        redacted: list[UUID] = rows[0]["redactions"] or []
        if not redacted:
            return
        marked = await self._hold(redacted)
        for turn, each in marked.items():
            each.forgotten.pop(str(record.id), None)
            if turn in record.sources:
                each.kept[str(record.id)] = quoted_in(record.quote, each.turn)
        await self._run("note_redactions", memory=record.id, turns=None)
        await self._save(list(marked.values()), [])

    async def _near(self, record: Record) -> list[UUID]:
        """The turns that may tell a record."""
        hasher = TermHasher(self.cipher.derive("terms"))
        sought = " ".join([record.quote, record.content])
        indices = sorted({hasher.index(term) for term in analysis.query_terms(sought)})
        terms = SparseVector(tuple(indices), (1.0,) * len(indices)).literal()
        saying = await self._all(
            "turns_saying", index_version=self.index_version, terms=terms, most=_NEAREST
        )
        sources = list(record.sources)
        found = [*saying]
        for row in await self._all("sessions_of_turns", turns=sources):
            found += await self._all("last_turns", session=row["session_id"], most=_LAST)
        return list(dict.fromkeys([*sources, *(row["turn_id"] for row in found)]))

    async def _hold(self, turns: Iterable[UUID]) -> dict[UUID, _MarkedTurn]:
        ordered = sorted(turns)
        await self._all("lock_sessions_of", turns=ordered)
        rows = await self._all("lock_turns", turns=ordered)
        return {
            row["turn_id"]: _MarkedTurn(
                turn_rows.read(row, self.cipher),
                *turn_rows.places_of(row["redactions"]),
            )
            for row in rows
        }

    async def _keep_others(self, changed: Sequence[_MarkedTurn]) -> None:
        """Words that another record of a turn stands on are kept."""
        rows = await self._all("memories_of_turns", turns=[each.turn.id for each in changed])
        for row in rows:
            record = record_rows.read(row, self.cipher)
            for each in changed:
                if each.turn.id in record.sources:
                    each.kept[str(record.id)] = quoted_in(record.quote, each.turn)

    async def _save(self, changed: Sequence[_MarkedTurn], gone: Sequence[ForgottenRecord]) -> None:
        for each in changed:
            await self._run("redact_turn", turn=each.turn.id, redactions=each.column())
        if changed:
            turns = [each.turn for each in changed]
            await self._make_episodes_again([turn.id for turn in turns])
            await self._queue_summary(turns, gone)

    async def _make_episodes_again(self, turns: Sequence[UUID]) -> None:
        rows = await self._all("episodes_around", turns=list(turns))
        episodes = [row["episode_id"] for row in rows]
        await self._run("drop_episode_vectors", episodes=episodes)
        tenant = self.scope.tenant
        jobs = [index_job(tenant, row["session_id"], row["turn_id"]) for row in rows]
        await self.jobs.defer_all(self.connection, jobs)

    async def _queue_summary(self, turns: Sequence[Turn], gone: Sequence[ForgottenRecord]) -> None:
        """What is at hand of these sessions is old, and what they were folded into is made again;
        where older turns are gone, it only loses what repeats a record."""
        first: dict[UUID, int] = {}
        for turn in turns:
            first[turn.session] = min(turn.number, first.get(turn.session, turn.number))
        rows = await self._all(
            "lock_summaries_of", sessions=list(first), numbers=list(first.values())
        )
        again = [row["session_id"] for row in rows if row["complete"]]
        await self._run("drop_summaries", sessions=again)
        await self._run("age_sessions", sessions=sorted(first))
        for session in again:
            await self.jobs.defer_once(self.connection, summary_job(self.scope.tenant, session))
        for row in rows:
            if not row["complete"]:
                said_in = {turn.number for turn in turns if turn.session == row["session_id"]}
                await self._redact_summary(row, gone, said_in)

    async def _redact_summary(
        self, row: Row, gone: Sequence[ForgottenRecord], said_in: Set[int]
    ) -> None:
        session: UUID = row["session_id"]
        memory = memory_of(row, session, self.cipher)
        for each in gone:
            memory = memory_without(memory, each, said_in)
        await self._run("rewrite_summary", session=session, **sealed(memory, session, self.cipher))

    async def _all(self, name: str, **values: Any) -> list[Row]:
        return await fetch_all(self.connection, name, **turn_rows.owned(self.scope), **values)

    async def _run(self, name: str, **values: Any) -> None:
        await execute(self.connection, name, **turn_rows.owned(self.scope), **values)


def memory_without(memory: Memory, forgotten: ForgottenRecord, said_in: Set[int]) -> Memory:
    """A summary and entities without what repeats a record, or is a word of it that stands in one
    of these turns."""
    kept = [
        each
        for each in memory.entities
        if not repeats(f"{each.key} {each.value}", forgotten)
        and not (each.turn in said_in and has_word_of(each.value, forgotten))
    ]
    return Memory(text_without(memory.summary, forgotten), tuple(kept))


def _forgotten(record: Record) -> ForgottenRecord:
    return ForgottenRecord(record.quote, record.content, was_said=bool(record.sources))


def _shown(places: Mapping[str, Redactions]) -> dict[str, Any]:
    return {
        record: {"message": where.message, "reply": where.reply} for record, where in places.items()
    }
