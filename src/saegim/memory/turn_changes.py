"""Changes of memory that a turn makes: staged while it runs, applied where it settles, undone."""

import re
from collections.abc import AsyncGenerator, Collection, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any
from uuid import UUID

from saegim.conversations import turn_rows
from saegim.conversations.turn_rows import OwnedRows
from saegim.conversations.types import Turn
from saegim.db.cells import Cells, Connection, Row
from saegim.domain.errors import NotFound
from saegim.domain.ids import LAST_ID, derived_id, first_id
from saegim.domain.scope import Scope
from saegim.encryption.cipher import Cipher
from saegim.encryption.keyring import Keyring
from saegim.memory import record_rows
from saegim.memory.candidate import QUOTE_CHARACTERS, ContactMasking, masked
from saegim.memory.embedding import MemoryEmbedder
from saegim.memory.extraction.changes import same_in
from saegim.memory.extraction.retraction import EarlierVersion, TurnRetraction
from saegim.memory.record_writer import RecordWriter
from saegim.memory.redaction_repository import Redactor
from saegim.memory.repository import PostgresRecords
from saegim.memory.types import (
    Action,
    Actor,
    AuditEvent,
    ChangeReason,
    Confirm,
    NewRecord,
    Origin,
    Statement,
)

_UUID = r"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"
_REASON = re.compile(rf"asked in turn {_UUID}(?:(, undone)(?: in turn {_UUID})?)?")


def asked_in(turn: UUID) -> str:
    """Return the reason of what a turn changes."""
    return f"asked in turn {turn}"


def undone(turn: UUID, by: UUID | None) -> str:
    """Return the reason of taking back the changes of a turn."""
    return f"{asked_in(turn)}, undone{f' in turn {by}' if by else ''}"


class TurnTrail:
    """Changes of turns that are in force. `without`: turns to regard as taken back."""

    def __init__(self, events: Iterable[AuditEvent], without: Collection[UUID] = ()) -> None:
        self._taken_back = set(without)
        self._changes: dict[UUID, dict[UUID, Action]] = {}
        self._own: dict[UUID, None] = {}
        by_id = {event.id: event for event in events}
        changed_later: dict[UUID, UUID | None] = {}
        # The newest first: what takes a change back is read before it.
        for event in sorted(by_id.values(), key=lambda event: event.id, reverse=True):
            found = _REASON.fullmatch(event.reason)
            if found is None:
                changed_later.setdefault(event.subject, None)
                continue
            asked, by = UUID(found[1]), UUID(found[3]) if found[3] else None
            turn = by if found[2] else asked
            if turn is None:
                self._taken_back.add(asked)
            elif event.action is Action.CONFIRM and turn not in self._taken_back:
                # Goes with the turn, but is no change that the user sees and undoes.
                self._changes.setdefault(turn, {}).setdefault(event.subject, event.action)
            elif turn not in self._taken_back:
                self._read(event, turn, asked, changed_later)

    def _read(
        self, event: AuditEvent, turn: UUID, asked: UUID, changed_later: dict[UUID, UUID | None]
    ) -> None:
        # The oldest event of a turn tells how it found the subject.
        if turn != asked:
            self._taken_back.add(asked)
            self._changes.setdefault(turn, {})[event.subject] = event.action
        elif changed_later.setdefault(event.subject, turn) == turn:
            self._changes.setdefault(turn, {})[event.subject] = event.action
            self._own.setdefault(turn)

    def changes_of(self, turn: UUID) -> Mapping[UUID, Action]:
        """Return what a turn did first to each record, or turn, that it changed."""
        return self._changes.get(turn, {})

    @property
    def undoable(self) -> list[UUID]:
        """Return the turns with changes in force that are not only an undo, the last first."""
        return list(self._own)


# Events of the audit trail in which the last change is looked for.
_RECENT = 1_000
# The clocks of the processes that stored and settled a turn may differ.
_CLOCKS_DIFFER = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Remember:
    """Store a record under a derived id; it replaces others. `known`: if there still is a record
    that says the same, only add the turn to its sources."""

    record: UUID
    new: NewRecord
    replaces: tuple[UUID, ...] = ()
    known: Confirm | None = None


@dataclass(frozen=True, slots=True)
class Forget:
    """Forget records, and those that they replaced; redact their words."""

    records: tuple[UUID, ...]


@dataclass(frozen=True, slots=True)
class LeaveOut:
    """Take back what was remembered of a turn, and exclude it; `redact` the words of its records.

    `earlier` are the versions of records before the turn revised them.
    """

    turn: UUID
    redact: bool = True
    earlier: Mapping[UUID, EarlierVersion] = field(default_factory=dict[UUID, EarlierVersion])


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back the changes of a turn. `variant`: those of the other variants of this turn."""

    of: UUID
    variant: bool = False


type TurnChange = Remember | Forget | LeaveOut | Undo


def record_id(turn: UUID, call: int) -> UUID:
    """Derive the id of the record that a call of a turn remembers."""
    return derived_id(turn, call)


@dataclass(frozen=True, eq=False)
class TurnChanges:
    cells: Cells
    keyring: Keyring
    records: PostgresRecords
    embedder: MemoryEmbedder
    retraction: TurnRetraction
    masking: ContactMasking

    # Staging ---------------------------------------------------------------------------------

    async def remember(
        self,
        turn: Turn,
        call: int,
        statement: Statement,
        quote: str,
        replaces: Sequence[UUID] = (),
        *,
        origin: Origin = Origin.MODEL,
    ) -> Remember:
        """Mask and embed a statement, and look for a record that says the same word for word.

        Raises ModelUnavailable."""
        scope = turn.scope
        contacts = self.masking.contacts(scope.tenant)
        content, kinds = masked(statement.content, contacts)
        topic, _ = masked(statement.topic, contacts)
        quote, _ = masked(quote[:QUOTE_CHARACTERS], contacts)
        statement = replace(statement, content=content, topic=topic, pii=statement.pii | kinds)
        [searchable] = await self.embedder.searchables_of(scope.tenant, [statement])
        new = NewRecord(statement, turn.created_at, (turn.id,), quote, origin, searchable)
        async with self._reading(scope) as rows:
            # Their records go when this turn settles.
            variants = [(each,) for each in await self._variants_in_force(rows, turn)]
        days = statement.valid_from, statement.valid_to
        near = await self.records.similar(scope, searchable, count=12)
        staying = (each for each in near if each.sources not in variants)
        same = same_in(new, [each for each in staying if (each.valid_from, each.valid_to) == days])
        if same is None or {*replaces} - {same.id}:
            return Remember(record_id(turn.id, call), new, tuple(replaces))
        known = Confirm(same.id, turn.id, statement.importance)
        return Remember(record_id(turn.id, call), new, known=known)

    async def leave_out(self, scope: Scope, turn: UUID, *, redact: bool = True) -> LeaveOut:
        """Prepare to leave a turn out of memory. Raises ModelUnavailable."""
        return LeaveOut(turn, redact, await self.retraction.earlier(scope, turn))

    async def undoable(
        self, by: Turn, session: UUID | None, without: Collection[UUID] = ()
    ) -> tuple[Undo, list[str]] | None:
        """Find what an undo in the turn `by` takes back: the last turn of a session, or of any,
        whose changes are in force, besides those of the variants that `by` replaces.

        Returns the statements that would come back or go. `without` are turns that `by` already
        takes back.
        """
        async with self._reading(by.scope) as rows:
            without = [*without, *await self._variants_in_force(rows, by)]
            turns = (await self._trail(rows, (), without)).undoable
            if session is not None and turns:
                found = await rows.all("turns_of_session_among", session=session, turns=turns)
                of_session = {row["turn_id"] for row in found}
                turns = [turn for turn in turns if turn in of_session]
            if not turns:
                return None
            trail = await self._trail(rows, turns[:1], without)
            return Undo(turns[0]), await self._statements(rows, trail.changes_of(turns[0]))

    async def of_variant(self, turn: Turn) -> Undo | None:
        """Return the changes of the variant that this turn replaces, if it is one."""
        async with self._reading(turn.scope) as rows:
            variants = await self._variants_in_force(rows, turn)
        return Undo(variants[-1], variant=True) if variants else None

    # Applying --------------------------------------------------------------------------------

    def applying(self, turn: Turn, changes: Sequence[TurnChange]) -> "StagedChanges":
        """Return a function that applies the changes of a turn in order, in a transaction."""
        return StagedChanges(self, turn, list(changes))

    async def undo_turn(self, scope: Scope, turn: UUID) -> list[str]:
        """Take back the changes of a turn, at any time later; return what came back or went."""
        async with self.records.redacting(scope, _by_user(undone(turn, None))) as opened:
            writer, redactor = opened
            changes = (await self._trail(writer, [turn])).changes_of(turn)
            statements = await self._statements(writer, changes)
            await self._undo(writer, redactor, turn, changes)
        return statements

    async def apply(
        self, writer: RecordWriter, redactor: Redactor, turn: Turn, change: TurnChange
    ) -> list[UUID]:
        """Apply one change of a turn; return the records to redact."""
        writer.because = _by_user(asked_in(turn.id))
        match change:
            case Remember():
                writer.because = replace(writer.because, actor=Actor(change.new.origin.value))
                if change.known is None or await writer.confirm(change.known) is None:
                    await writer.remember(change.record, change.new, change.replaces)
            case Forget():
                return await _forget(writer, change.records)
            case LeaveOut():
                dependents = len(writer.dependents)
                left = await self.retraction.take_back_on(writer, change.turn, change.earlier)
                await writer.note(Action.FORGET, change.turn)
                return [*left, *writer.dependents[dependents:]] if change.redact else []
            case Undo():
                variants = change.variant
                turns = await self._variants_in_force(writer, turn) if variants else [change.of]
                for of in turns:
                    writer.because = _by_user(undone(of, None if variants else turn.id))
                    changes = dict((await self._trail(writer, [of])).changes_of(of))
                    if variants:
                        # What other turns said again stays.
                        added = [each for each in changes if changes[each] is Action.ADD]
                        changes |= dict.fromkeys(added, Action.CONFIRM)
                    await self._undo(writer, redactor, of, changes)
        return []

    async def _undo(
        self,
        writer: RecordWriter,
        redactor: Redactor,
        of: UUID,
        changes: Mapping[UUID, Action],
    ) -> None:
        if changes:
            await writer.run("mark_effects", turn=of)
        rows = await writer.all("memories_by_id", memories=list(changes))
        records = {row["memory_id"] for row in rows}
        shared = {row["memory_id"] for row in rows if row["sources"] != [of]}
        staying = {each for each in shared if changes[each] is Action.CONFIRM}
        if staying:
            await writer.remove_source(of)
        forgotten = {each for each, action in changes.items() if action is Action.FORGET}
        going = [each for each in changes if each not in staying | forgotten]
        await writer.run("pass_on_replaced", memories=going)
        await writer.forget([subject for subject in going if subject in records])
        left_out = [subject for subject in going if subject not in records]
        if {Action.ADD, Action.CONFIRM} & {*changes.values()}:
            # Otherwise what was taken back is extracted from the message again.
            left_out.append(of)
        for turn in left_out:
            await self._leave_out_again(writer, turn)
        # The oldest first: one that replaced another closes it again.
        for subject in sorted(forgotten):
            try:
                await redactor.undo(writer, subject)
            except NotFound:
                if await self.retraction.sources.read_again(writer, subject):
                    await writer.note(Action.UNDO, subject)

    async def _leave_out_again(self, writer: RecordWriter, turn: UUID) -> None:
        state = await writer.one("find_extraction", turn=turn)
        known = state is not None and state["origin"] == Origin.PERSON
        if not known and await self.retraction.sources.leave_out(writer, turn):
            await writer.note(Action.FORGET, turn)

    # Reading ---------------------------------------------------------------------------------

    async def _variants_in_force(self, rows: OwnedRows, turn: Turn) -> list[UUID]:
        """Return the other variants of a turn with changes that are not taken back, in order."""
        if turn.variant_of is None:
            return []
        found = await rows.all("turn_variants", session=turn.session, first=[turn.variant_of])
        variants = [row["turn_id"] for row in found if row["turn_id"] != turn.id]
        trail = await self._trail(rows, variants)
        return [variant for variant in variants if trail.changes_of(variant)]

    async def _trail(
        self, rows: OwnedRows, turns: Iterable[UUID], without: Collection[UUID] = ()
    ) -> TurnTrail:
        """Read the trail: its newest part, and that of turns before it."""
        cipher = await self._cipher(rows.scope)
        span = {"since": UUID(int=0), "until": LAST_ID, "count": _RECENT}
        found = await rows.all("list_taken_changes", **span)
        if len(found) == _RECENT:
            oldest: UUID = found[-1]["event_id"]
            for turn in turns:
                found += await self._older_events(rows, turn, oldest)
        return TurnTrail((record_rows.read_event(row, cipher) for row in found), without)

    async def _older_events(self, rows: OwnedRows, turn: UUID, oldest: UUID) -> list[Row]:
        """Return the events of the time of a turn before `oldest`, and those of their subjects."""
        stored = await rows.one("find_settled_turn", turn=turn)
        if stored is None:
            return []
        since = first_id(stored["created_at"] - _CLOCKS_DIFFER)
        until = first_id(stored["settled_at"] + _CLOCKS_DIFFER)
        if since >= oldest:
            return []
        span = {"since": since, "until": until, "count": _RECENT}
        found = await rows.all("list_taken_changes", **span)
        return await rows.all("taken_changes_of", subjects=[row["subject_id"] for row in found])

    async def _statements(self, rows: OwnedRows, changes: Mapping[UUID, Action]) -> list[str]:
        """Return the statements of the changes, and the messages that were left out."""
        cipher = await self._cipher(rows.scope)
        changed = [each for each in changes if changes[each] is not Action.CONFIRM]
        found = await rows.all("memories_by_id", memories=changed)
        records = [
            record_rows.read(row, cipher) for row in found if row["superseded_by"] not in changes
        ]
        messages: list[str] = []
        for turn in sorted({*changed} - {row["memory_id"] for row in found}):
            row = await rows.one("find_settled_turn", turn=turn)
            if row is not None:
                messages.append(_message(row, changes, cipher))
        contents = [record.content for record in reversed(records)]
        return contents or messages

    @asynccontextmanager
    async def _reading(self, scope: Scope) -> AsyncGenerator[OwnedRows]:
        async with self.cells.transaction(scope.tenant) as connection:
            yield OwnedRows(connection, scope)

    async def _cipher(self, scope: Scope) -> Cipher:
        return await self.keyring.user(scope.tenant, scope.user)


@dataclass(eq=False)
class StagedChanges:
    """Changes of a turn. Await it in the transaction that settles the turn; it may run again.

    It raises ModelUnavailable if the tenant switched to another embedder: call `embed_again`, and
    settle again. After the commit call `settled`.
    """

    service: TurnChanges
    turn: Turn
    changes: list[TurnChange]
    _redacted: set[UUID] = field(default_factory=set[UUID])

    async def __call__(self, connection: Connection) -> None:
        records, scope = self.service.records, self.turn.scope
        cipher = await self.service.keyring.user(scope.tenant, scope.user)
        because = _by_user(asked_in(self.turn.id))
        async with records.writing_on(connection, scope, cipher, because) as writer:
            redactor = records.redactor(writer)
            to_redact: list[UUID] = []
            for change in self.changes:
                to_redact += await self.service.apply(writer, redactor, self.turn, change)
            # After all changes: what the turn remembers stays in its message.
            await redactor.redact(to_redact)
        self._redacted = redactor.sessions

    async def settled(self) -> None:
        """Drop the cached states of redacted sessions."""
        await self.service.records.drop_states(self.turn.scope, self._redacted)

    async def embed_again(self) -> None:
        """Embed the statements for the embedder that the tenant switched to."""
        scope = self.turn.scope
        for number, change in enumerate(self.changes):
            if isinstance(change, Remember):
                statement = change.new.statement
                embedder = self.service.embedder
                [searchable] = await embedder.searchables_of(scope.tenant, [statement])
                new = replace(change.new, searchable=searchable)
                self.changes[number] = replace(change, new=new)
            elif isinstance(change, LeaveOut):
                again = await self.service.leave_out(scope, change.turn, redact=change.redact)
                self.changes[number] = again


async def _forget(writer: RecordWriter, records: Sequence[UUID]) -> list[UUID]:
    """Forget records, and those that they replaced; return all."""
    rows = await writer.all("memories_going_with", memories=list(records))
    rows = await writer.all("find_memories", memories=[row["memory_id"] for row in rows])
    valid = {
        row["memory_id"] for row in rows if row["ended_at"] is None or row["ended_at"] > writer.now
    }
    dependents, forgotten = len(writer.dependents), list[UUID]()
    going = list(records)
    while going:
        forgotten += going
        reopened = len(writer.reopened)
        await writer.forget(going)
        # A record that one of these replaced is valid again, and not what the user wants.
        again = set(writer.reopened[reopened:])
        going = sorted(again - valid - set(forgotten))
    return [*forgotten, *writer.dependents[dependents:]]


def _message(row: Row, changes: Mapping[UUID, Action], cipher: Cipher) -> str:
    """Return the message of a turn without the words of records that stay forgotten."""
    stored: Mapping[str, Mapping[str, Any]] = row["redactions"] or {}
    forgotten = stored.get("forgotten", {})
    kept_back = {record: forgotten[record] for record in forgotten if UUID(record) not in changes}
    redactions = {**stored, "forgotten": kept_back}
    return turn_rows.read(row | {"redactions": redactions}, cipher).exchange().message


def _by_user(reason: str) -> ChangeReason:
    return ChangeReason(Actor.PERSON, reason)
