"""Write changes to the memory of a user in one transaction, with their audit trail."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, assert_never
from uuid import UUID

from psycopg.types.json import Jsonb

from saegim.auth.repository import MEMORY_INDEX
from saegim.conversations import turn_rows
from saegim.conversations.types import StatementFate
from saegim.db.cells import Row
from saegim.domain.errors import ModelUnavailable, NotFound
from saegim.domain.ids import new_id
from saegim.encryption.cipher import Cipher, FieldLocation
from saegim.jobs.queue import JobQueue
from saegim.memory import record_rows
from saegim.memory.jobs import synthesise_job
from saegim.memory.redaction import quoted_in
from saegim.memory.types import (
    Action,
    Actor,
    Add,
    Change,
    ChangeReason,
    Confirm,
    NewRecord,
    Origin,
    Record,
    Revise,
    Searchable,
    Statement,
    Supersede,
)
from saegim.text.rank_fusion import TermHasher, dense_literal, document_vector


@dataclass(slots=True)
class Consequences(turn_rows.OwnedRows):
    """Finds and marks the records of one user that rest on others."""

    async def doubt(self, changed: UUID, new: UUID, now: datetime) -> list[UUID]:
        """Mark the records as unsure that rest on a changed one; `new` is its new value."""
        return _ids(await self.all("doubt_memories", memories=[changed], new=new, now=now))

    async def trust(self, valid_again: Sequence[UUID], now: datetime) -> None:
        """Make the records sure again that rest on records that are valid again."""
        if valid_again:
            await self.run("trust_memories", memories=list(valid_again), now=now)

    async def resting_on(self, forgotten: Sequence[UUID]) -> list[UUID]:
        """Return the records that rest on forgotten ones alone."""
        if not forgotten:
            return []
        return _ids(await self.all("memories_resting_on", memories=list(forgotten)))

    async def forgotten_with(self, row: Row) -> list[UUID]:
        """Return the records that were forgotten together with one that they rest on."""
        values = {"memory": row["memory_id"], "at": row["forgotten_at"]}
        return _ids(await self.all("memories_forgotten_with", **values))


def _ids(rows: Sequence[Row]) -> list[UUID]:
    return [row["memory_id"] for row in rows]


_ENDS = " .!?~…。！？"


@dataclass(slots=True)
class OutdatedStatements(turn_rows.OwnedRows):
    """Marks the turns of one user whose statements were corrected or replaced."""

    cipher: Cipher

    async def follow(self, rows: Iterable[Row]) -> None:
        """Update the marks on the source turns of records."""
        for row in rows:
            record = record_rows.read(row, self.cipher)
            fate = None if row["forgotten_at"] is not None else await self._fate(row, record)
            for turn_row in await self._source_turns(row, record):
                await self._mark(turn_row, record, fate)

    async def _fate(self, row: Row, record: Record) -> StatementFate | None:
        if row["ended_at"] is not None:
            return StatementFate.REPLACED
        if record.origin is not Origin.PERSON or record.version == 1:
            return None
        versions = await self.all("list_memory_versions", memory=record.id)
        first = record_rows.read_version(versions[-1], self.cipher)
        return StatementFate.CORRECTED if first.statement.content != record.content else None

    async def _source_turns(self, row: Row, record: Record) -> Sequence[Row]:
        """Return the source turns of a record that are not sources of its successor."""
        sources = set(record.sources)
        successor: UUID | None = row["superseded_by"]
        if successor is not None:
            later = await self.one("find_memory", memory=successor)
            sources -= set(later["sources"]) if later else set()
        return await self.all("lock_turns", turns=sorted(sources)) if sources else []

    async def _mark(self, row: Row, record: Record, fate: StatementFate | None) -> None:
        turn = turn_rows.read(row, self.cipher)
        notes: dict[str, Any] = dict(row["outdated"] or {})
        notes.pop(str(record.id), None)
        if fate is not None:
            # Before the final punctuation, so that the note stays in its sentence.
            quoted = quoted_in(record.quote.rstrip(_ENDS), turn).message
            notes[str(record.id)] = [quoted[0][1] if quoted else len(turn.message), fate]
        if notes != (row["outdated"] or {}):
            outdated = Jsonb(notes) if notes else None
            await self.run("mark_outdated", turn=turn.id, outdated=outdated)


@dataclass(slots=True)
class RecordWriter(turn_rows.OwnedRows):
    """Writer of the memory of one user; `open` locks it, `close` updates the term counts."""

    cipher: Cipher
    now: datetime
    because: ChangeReason
    index_version: int = 0
    embedder: str = ""
    dependents: list[UUID] = field(default_factory=list[UUID])
    """Records that were forgotten, or are to be restored, with one that they rest on."""
    reopened: list[UUID] = field(default_factory=list[UUID])
    """Records that forgotten ones had replaced."""
    _changed: bool = False
    _last_event: int = 0
    _added: int = 0
    _counts: Counter[int] = field(default_factory=Counter[int])

    async def open(self) -> None:
        """Lock the memory. Raises NotFound for an unknown profile."""
        if await self.one("lock_memory") is None:
            raise NotFound("profile")
        state = await self.one("lock_index_state", subject=MEMORY_INDEX)
        assert state is not None, "a tenant is made with its index state"
        self.index_version, self.embedder = state["index_version"], state["embedder"]

    async def close(self, jobs: JobQueue) -> None:
        """Update the term counts in one statement; a job derives from what was written."""
        if self._changed:
            job = synthesise_job(self.scope.tenant, self.scope.profile)
            await jobs.defer_now(self.connection, job)
        changed = {term: more for term, more in self._counts.items() if more}
        if changed:
            await self.run(
                "count_record_terms",
                index_version=self.index_version,
                terms=list(changed),
                more=list(changed.values()),
            )

    async def apply_all(self, changes: Sequence[Change]) -> list[Record]:
        """Apply the changes of a turn; a consequence rests on the statement before it."""
        records: list[Record] = []
        replaced: dict[UUID, UUID] = {}
        for change in changes:
            if isinstance(change, Add | Supersede):
                grounds = [replaced.get(each, each) for each in change.new.rests_on]
                if change.new.follows and records:
                    grounds.append(records[-1].id)
                new = replace(change.new, rests_on=tuple(dict.fromkeys(grounds)))
                record = await self.apply(replace(change, new=new))
            else:
                record = await self.apply(change)
            if record is None:
                continue
            records.append(record)
            if isinstance(change, Supersede):
                replaced[change.old] = record.id
        return records

    async def apply(self, change: Change) -> Record | None:
        """Apply a change and return its record; None if the record was forgotten."""
        match change:
            case Add(new):
                return await self.add(new)
            case Supersede():
                return await self.supersede(change)
            case Revise():
                missing = await self.find(change.record) is None
                return None if missing else await self.revise(change)
            case Confirm():
                return await self.confirm(change)
            case _:
                assert_never(change)

    async def add(
        self, new: NewRecord, action: Action = Action.ADD, record_id: UUID | None = None
    ) -> Record:
        """Add a record, or return the existing one with its natural key."""
        record, added = await self._add(new, record_id)
        if added:
            await self.note(action, record.id)
        return record

    async def supersede(self, change: Supersede) -> Record:
        record, added = await self._add(change.new)
        if added:
            action = Action.CONTRADICT if change.contradicts else Action.SUPERSEDE
            await self._replace(change.old, record.id, change.ends_at, action)
            await self.note(Action.ADD, record.id)
        return record

    async def remember(self, record: UUID, new: NewRecord, replaces: Sequence[UUID]) -> Record:
        """Add a record under an id; those of `replaces` that are still valid end when it was said,
        on whatever day the new one happens."""
        added, is_new = await self._add(new, record)
        if is_new:
            for old in replaces:
                row = await self.find(old)
                if row is not None and (row["ended_at"] is None or row["ended_at"] > new.said_at):
                    await self._replace(old, added.id, new.said_at, Action.SUPERSEDE)
            await self.note(Action.ADD, added.id)
        return added

    async def _replace(self, old: UUID, new: UUID, ends_at: datetime, action: Action) -> None:
        if old == new or await self.find(old) is None:
            return
        ended = await self._one("supersede_memory", old, successor=new, ended_at=ends_at)
        await self._follow([old])
        await self._drop_derived([old])
        await self._outdated.follow([ended])
        await self.note(action, old)
        await self._doubt(old, new)

    async def revise(self, change: Revise, action: Action = Action.REVISE) -> Record:
        """Add a version, unless nothing differs but an importance that no person has set.

        A person who saves a record of rules unchanged keeps it as their own.

        Raises Changed, NotFound.
        """
        row = await self.must_find(change.record)
        known = record_rows.read(row, self.cipher)
        if change.seen is not None:
            change.seen.require(known)
        compared = change.statement
        if change.origin is not Origin.PERSON:
            compared = replace(compared, importance=known.importance)
        keeps = change.origin is Origin.PERSON and known.origin is Origin.FALLBACK
        if known.statement == compared and not keeps:
            return known
        version = known.version + 1
        columns = record_rows.columns(
            change.statement, known.quote, change.origin, known.id, self.cipher
        )
        changed = await self._one(
            "revise_memory",
            known.id,
            **columns,
            version=version,
            sources=_with(known.sources, change.source),
            core=record_rows.is_core(change.statement),
        )
        await self._add_version(known.id, version, columns)
        await self._index(changed, change.statement, change.searchable)
        await self._drop_derived([known.id])
        if Origin.PERSON in (known.origin, change.origin):
            await self._outdated.follow([changed])
        await self.note(action, known.id)
        if change.origin is Origin.PERSON and change.statement.content != known.content:
            await self._doubt(known.id, known.id)
        return record_rows.read(changed, self.cipher)

    async def confirm(self, change: Confirm) -> Record | None:
        row = await self.find(change.record)
        if row is None:
            return None
        known = record_rows.read(row, self.cipher)
        if change.source in known.sources and known.unsure_since is None:
            return known
        changed = await self._one(
            "confirm_memory",
            known.id,
            sources=_with(known.sources, change.source),
            importance=record_rows.weighed(max(known.importance, change.importance)),
        )
        await self._follow([known.id])
        await self.note(Action.CONFIRM, known.id)
        return record_rows.read(changed, self.cipher)

    async def trust(self, record: UUID) -> Record:
        """Make an unsure record sure again, as the user says that it still holds."""
        row = await self.must_find(record)
        if row["unsure_since"] is not None:
            row = await self._one("trust_memory", record)
            await self.note(Action.CONFIRM, record)
        return record_rows.read(row, self.cipher)

    async def pin(self, record: UUID, pinned: bool) -> Record:
        row = await self.must_find(record)
        if row["pinned"] != pinned:
            row = await self._one("pin_memory", record, pinned=pinned)
            await self.note(Action.PIN if pinned else Action.UNPIN, record)
        return record_rows.read(row, self.cipher)

    async def forget(self, records: Sequence[UUID], action: Action = Action.FORGET) -> int:
        """Forget records; the records that they replaced become valid again.

        What rests on them alone is forgotten too if the user forgets them. Returns the number
        without these, which are in `dependents`.
        """
        forgotten = await self.all("forget_memories", memories=list(records), now=self.now)
        ids = [row["memory_id"] for row in forgotten]
        rows = await self.all("reopen_memories", memories=ids, now=self.now)
        valid_again = [row["memory_id"] for row in rows]
        self.reopened += valid_again
        await self._follow([*ids, *valid_again])
        await self._consequences.trust(valid_again, self.now)
        await self._drop_derived(ids, digests=action is not Action.EXPIRE)
        await self._outdated.follow([*filter(_may_be_outdated, forgotten), *rows])
        for record in ids:
            await self.note(action, record)
        if self.because.actor is Actor.PERSON:
            resting = await self._consequences.resting_on(ids)
            self.dependents += resting
            if resting:
                await self.forget(resting, action)
        return len(ids)

    async def undo(self, record: UUID) -> Record:
        row = await self.one("find_memory", memory=record)
        if row is None:
            raise NotFound("memory")
        if record_rows.read(row, self.cipher).is_digest and not await self.all(
            "find_digests", memories=[record]
        ):
            # A source of the digest was forgotten or changed.
            raise NotFound("memory")
        if row["forgotten_at"] is not None:
            self.dependents += await self._consequences.forgotten_with(row)
            row = await self._one("remember_memory", record)
            ended = record_rows.ends(record_rows.read(row, self.cipher))
            rows = await self.all("close_memories", successor=record, ended_at=ended, now=self.now)
            closed = [each["memory_id"] for each in rows]
            await self._follow([record, *closed])
            for each in closed:
                await self._doubt(each, record)
            await self._drop_derived(closed, digests=False)
            await self._outdated.follow([*filter(_may_be_outdated, [row]), *rows])
            await self.note(Action.UNDO, record)
        return record_rows.read(row, self.cipher)

    async def remove_source(self, turn: UUID) -> None:
        """Remove a turn from the sources of records that have others."""
        rows = await self.all("remove_source_turn", turn=turn, now=self.now)
        if rows:
            self._changed = True
            await self._drop_derived([row["memory_id"] for row in rows], digests=False)

    async def find(self, record: UUID) -> Row | None:
        """Find a record that is not forgotten."""
        row = await self.one("find_memory", memory=record)
        return None if row is None or row["forgotten_at"] is not None else row

    async def must_find(self, record: UUID) -> Row:
        row = await self.find(record)
        if row is None:
            raise NotFound("memory")
        return row

    async def note(self, action: Action, subject: UUID) -> None:
        """Add an entry to the audit trail."""
        self._changed = True
        # In the order of the changes, also within a millisecond.
        event = max(new_id(self.now), UUID(int=self._last_event + 1))
        self._last_event, reason = event.int, self.because.reason
        location = FieldLocation(record_rows.REASON, event)
        await self.run(
            "add_audit_event",
            event=event,
            subject=subject,
            action=action,
            actor=self.because.actor,
            reason=self.cipher.seal(reason, location) if reason else None,
            now=self.now,
        )

    async def retain(self, record: UUID, label: str | None) -> Record:
        row = await self.must_find(record)
        if row["retention"] != label:
            row = await self._one("retain_memory", record, retention=label)
            await self.note(Action.RETAIN, record)
        return record_rows.read(row, self.cipher)

    async def _drop_derived(self, records: Sequence[UUID], *, digests: bool = True) -> None:
        """Delete what was derived from changed or forgotten records, and their digests."""
        await self.run("drop_derived_of", memories=list(records))
        if digests:
            await self.run("drop_digests", memories=list(records))

    async def _add(self, new: NewRecord, record_id: UUID | None = None) -> tuple[Record, bool]:
        key = record_rows.natural_hash(new, self.scope.profile, self.cipher)
        self._added += 1
        record = record_id or new_id(new.said_at, self._added)
        columns = record_rows.columns(new.statement, new.quote, new.origin, record, self.cipher)
        row = await self.one(
            "add_memory",
            **columns,
            memory=record,
            natural_hash=key,
            said_at=new.said_at,
            sources=list(new.sources),
            core=record_rows.is_core(new.statement),
            pinned=new.pinned,
            retention=new.retention,
            rests_on=list(new.rests_on),
            now=self.now,
        )
        if row is None:
            known = await self.one("find_memory_by_key", natural_hash=key)
            assert known is not None, "the natural key exists"
            return record_rows.read(known, self.cipher), False
        await self._add_version(record, 1, columns)
        await self._index(row, new.statement, new.searchable)
        return record_rows.read(row, self.cipher), True

    async def _add_version(self, record: UUID, version: int, columns: dict[str, Any]) -> None:
        await self.run(
            "add_memory_version",
            memory=record,
            version=version,
            now=self.now,
            **columns,
        )

    async def _index(self, row: Row, statement: Statement, searchable: Searchable) -> None:
        if searchable.embedder != self.embedder:
            # The tenant switched to another embedder; the caller retries.
            raise ModelUnavailable(f"{searchable.embedder} is not in use any more")
        record = row["memory_id"]
        index = {"memory": record, "index_version": self.index_version}
        before = await self.one("find_memory_terms", **index)
        if before is not None:
            self._counts.subtract([record_rows.EVERY, *record_rows.indices_of(before["terms"])])
        vector = document_vector(searchable.terms, TermHasher(self.cipher.derive("terms")))
        self._counts.update(record_rows.counted(vector))
        await self.run(
            "save_memory_vector",
            **index,
            said_at=row["said_at"],
            valid_from=statement.valid_from or row["said_at"],
            type=statement.type,
            importance=row["importance"],
            embedding=dense_literal(searchable.embedding),
            terms=vector.literal(),
        )
        await self.run("clear_moved_memory", **index)

    async def _follow(self, records: Sequence[UUID]) -> None:
        await self.run("follow_memories", memories=list(records))

    async def _one(self, name: str, record: UUID, **values: Any) -> Row:
        row = await self.one(name, memory=record, now=self.now, **values)
        assert row is not None, "the record is held by this transaction"
        return row

    async def _doubt(self, changed: UUID, new: UUID) -> None:
        for record in await self._consequences.doubt(changed, new, self.now):
            await self.note(Action.DOUBT, record)

    @property
    def _consequences(self) -> Consequences:
        return Consequences(self.connection, self.scope)

    @property
    def _outdated(self) -> OutdatedStatements:
        return OutdatedStatements(self.connection, self.scope, self.cipher)


def actor_of(origin: Origin) -> ChangeReason:
    """Return the actor of extracted records."""
    return ChangeReason(Actor(origin.value))


def _may_be_outdated(row: Row) -> bool:
    """Return whether turns may have a note of the record, which must have changed."""
    return row["version"] > 1 or row["superseded_by"] is not None


def _with(sources: tuple[UUID, ...], source: UUID | None) -> list[UUID]:
    return list(dict.fromkeys([*sources, *([source] if source else [])]))
