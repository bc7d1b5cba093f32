"""Sessions and turns in Postgres."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.errors import UniqueViolation
from psycopg.types.json import Jsonb

from saegim.conversations import turn_rows
from saegim.conversations.summary.job import summary_job
from saegim.conversations.types import (
    Lease,
    NewTurn,
    OpenSession,
    OpenTurn,
    Outcome,
    SessionVersion,
    Turn,
    TurnEffects,
    TurnInputs,
    TurnState,
)
from saegim.db.cells import Cells, Connection, Row, ask, execute, fetch_one
from saegim.domain.errors import Conflict, NotFound
from saegim.domain.ids import Clock, new_id
from saegim.domain.scope import Caller, Scope
from saegim.encryption.cipher import Cipher
from saegim.encryption.keyring import Keyring
from saegim.jobs.queue import JobQueue, clean_up_job
from saegim.jobs.types import Job, JobKind
from saegim.usage.trace import AI_INTERACTION
from saegim.webhooks.outbox import Outbox


class PostgresTurns:
    def __init__(self, cells: Cells, keyring: Keyring, jobs: JobQueue, clock: Clock) -> None:
        self._cells = cells
        self._keyring = keyring
        self._jobs = jobs
        self._clock = clock
        self._outbox = Outbox(jobs, clock)

    async def receive(self, caller: Caller, new: NewTurn) -> OpenTurn:
        """Store the message as the next turn of its session, leased, with its watchdog job.

        A repeated idempotency key returns the existing turn: leased again if it failed, else
        without a lease. Raises NotFound for an unknown session, and Conflict if the key was used
        for another message.
        """
        scope = caller.scope
        cipher = await self._keyring.user(scope.tenant, scope.user)
        sealed = turn_rows.seal_new(new, scope.profile, cipher)
        cell = await self._cells.for_tenant(scope.tenant)
        try:
            async with cell.transaction(scope.tenant) as connection:
                existing = await self._existing(connection, scope, new, sealed, cipher)
                return existing or await self._add(connection, caller, new, sealed, cipher)
        except UniqueViolation:
            # A concurrent request stored the same idempotency key.
            async with cell.transaction(scope.tenant) as connection:
                existing = await self._existing(connection, scope, new, sealed, cipher)
            if existing is None:
                raise
            return existing

    async def known(self, caller: Caller, new: NewTurn) -> OpenTurn | None:
        """Find the turn of the idempotency key, without a lease. Raises Conflict like `receive`."""
        if new.idempotency_key is None:
            return None
        scope = caller.scope
        cipher = await self._keyring.user(scope.tenant, scope.user)
        sealed = turn_rows.seal_new(new, scope.profile, cipher)
        async with self._cells.transaction(scope.tenant) as connection:
            row = await self._by_key(connection, scope, sealed)
        return None if row is None else turn_rows.open_turn(row, cipher, None)

    async def take(self, tenant: UUID, turn: UUID, lease: Lease, seconds: float) -> OpenTurn | None:
        """Lease an unsettled turn whose lease expired; None if there is none."""
        async with self._cells.transaction(tenant) as connection:
            taken = await fetch_one(
                connection,
                "take_turn",
                tenant=tenant,
                turn=turn,
                lease_owner=lease.owner,
                lease_seconds=seconds,
            )
            row = await fetch_one(connection, "find_open_turn", tenant=tenant, turn=turn)
        if row is None or taken is None:
            return None
        cipher = await self._keyring.user(tenant, row["member_id"])
        return turn_rows.open_turn(row, cipher, Lease(lease.owner, taken["attempt"]))

    async def watch_again(self, tenant: UUID, turn: UUID, delay_seconds: float) -> None:
        """Queue the watchdog of a turn again, unless it is settled."""
        async with self._cells.transaction(tenant) as connection:
            row = await fetch_one(connection, "lock_unsettled_turn", tenant=tenant, turn=turn)
            if row is not None:
                job = Job(JobKind.WATCH_TURN, tenant, turn, delay_seconds=delay_seconds)
                watch = await self._jobs.defer(connection, job)
                await execute(connection, "set_watch", tenant=tenant, turn=turn, watch_job=watch)

    async def renew(self, turn: Turn, lease: Lease, seconds: float) -> bool | None:
        """Renew a lease. Returns whether cancellation is requested; None if the lease is lost."""
        async with self._cells.transaction(turn.scope.tenant) as connection:
            values = turn_rows.lease_values(turn, lease) | {"lease_seconds": seconds}
            row = await fetch_one(connection, "renew_lease", **values)
        return None if row is None else bool(row["cancel_requested"])

    async def hand_back(self, turn: Turn, lease: Lease) -> None:
        """Release a lease, so that a worker takes the turn at once."""
        tenant = turn.scope.tenant
        async with self._cells.transaction(tenant) as connection:
            row = await fetch_one(
                connection, "hand_back_turn", **turn_rows.lease_values(turn, lease)
            )
            if row is not None:
                await self._jobs.run_now(connection, tenant, row["watch_job"])

    async def withdraw(self, turn: Turn, lease: Lease) -> bool:
        """Delete a turn that waits for its client, and its session if nothing else is in it.

        False if the lease was lost."""
        tenant = turn.scope.tenant
        async with self._cells.transaction(tenant) as connection:
            values = turn_rows.lease_values(turn, lease)
            row = await fetch_one(connection, "withdraw_turn", session=turn.session, **values)
            if row is None:
                return False
            await self._jobs.drop(connection, tenant, row["watch_job"])
            session = {"tenant": tenant, "session": turn.session}
            await execute(connection, "drop_empty_session", **session)
        return True

    async def note_shown(self, turn: Turn, lease: Lease) -> None:
        """Record that readers saw text that is not in the stream buffer."""
        async with self._cells.transaction(turn.scope.tenant) as connection:
            await execute(connection, "note_shown", **turn_rows.lease_values(turn, lease))

    async def settle(
        self, turn: Turn, lease: Lease, outcome: Outcome, effects: TurnEffects
    ) -> SessionVersion | None:
        """Record the outcome, its trace and its effects in one transaction.

        Returns the new version of the session; None if the lease was lost.
        """
        scope, now = turn.scope, self._clock.now()
        cipher = await self._keyring.user(scope.tenant, scope.user)
        values = turn_rows.lease_values(turn, lease) | turn_rows.seal_outcome(turn, outcome, cipher)
        session = {"tenant": scope.tenant, "session": turn.session}
        failed = outcome.state is TurnState.FAILED
        apply = None if failed else effects.apply
        async with self._cells.transaction(scope.tenant) as connection:
            if apply is not None:
                # As redaction does: the memory is locked before sessions.
                await fetch_one(connection, "lock_memory", **turn_rows.owned(scope))
            row = await fetch_one(connection, "settle_turn", now=now, **(session | values))
            if row is None:
                return None
            if apply is not None:
                await apply(connection)
            # One round trip: the statements are independent.
            async with connection.pipeline():
                await self._jobs.drop(connection, scope.tenant, row["watch_job"])
                owner = {"tenant": scope.tenant, "turn": turn.id, "member": scope.user}
                await execute(connection, "save_trace", **owner, trace=values["trace"], now=now)
                await self._save_usage(connection, turn, outcome, now)
                await self._jobs.defer_all(connection, effects.jobs)
                subscriptions = [
                    (event, await self._outbox.ask(connection, scope.tenant, event))
                    for event in effects.events
                ]
                if outcome.refs and not failed:
                    refs = Jsonb(dict(outcome.refs))
                    await execute(connection, "add_refs", refs=refs, **session)
                # Locks the session before the count, so that concurrent turns count each other.
                version_query = "read_mark" if failed else "count_completed"
                version_cursor = await ask(connection, version_query, **session)
                backlog_cursor = await ask(connection, "count_unsummarised", **session)
            version, backlog = await version_cursor.fetchone(), await backlog_cursor.fetchone()
            for event, subscribed in subscriptions:
                await self._outbox.queue_all(connection, scope.tenant, subscribed, (event, turn.id))
            assert backlog is not None, "counting returns a row"
            summary = effects.summary_if_due(backlog["turns"], backlog["tokens"])
            if summary is not None:
                await self._jobs.defer_once(connection, summary)
        assert version is not None, "the session of a settled turn exists"
        return turn_rows.session_version(version)

    async def _save_usage(
        self, connection: Connection, turn: Turn, outcome: Outcome, now: datetime
    ) -> None:
        interaction = outcome.interaction
        if interaction is None:
            return
        cost = None if interaction.cost_usd is None else str(interaction.cost_usd)
        await execute(
            connection,
            "save_usage_event",
            tenant=turn.scope.tenant,
            turn=turn.id,
            member=turn.scope.user,
            assistant=turn.assistant,
            kind=AI_INTERACTION,
            outcome=interaction.outcome,
            event=Jsonb(asdict(interaction) | {"cost_usd": cost}),
            now=now,
        )

    async def ask_cancel(self, scope: Scope, turn: UUID) -> None:
        """Request cancellation of a turn, in whatever process it runs. Raises NotFound."""
        await self._one(scope, "turn", "ask_cancel", turn=turn)

    async def find(self, scope: Scope, turn: UUID) -> Turn:
        """Find a turn of the caller. Raises NotFound."""
        row = await self._one(scope, "turn", "find_turn", turn=turn)
        return turn_rows.read(row, await self._keyring.user(scope.tenant, scope.user))

    async def turns(self, scope: Scope, session: UUID, after: int, count: int) -> list[Turn]:
        """List turns of the branch in use of a session of the caller. Raises NotFound."""
        await self.session(scope, session)
        values = {"session": session, "after": after, "count": count}
        rows = await self._cells.fetch_all(scope.tenant, "list_turns", **values)
        cipher = await self._keyring.user(scope.tenant, scope.user)
        return [turn_rows.read(row, cipher) for row in rows]

    async def inputs(self, scope: Scope, turn: UUID) -> TurnInputs:
        """Read the parameters of a turn of the caller. Raises NotFound."""
        row = await self._one(scope, "turn", "find_turn", turn=turn)
        cipher = await self._keyring.user(scope.tenant, scope.user)
        return turn_rows.inputs_of(row["inputs"], turn, cipher)

    async def turns_before(
        self, scope: Scope, session: UUID, before: int, count: int
    ) -> list[Turn]:
        """List the last turns of the branch in use before a number, oldest first. Raises
        NotFound."""
        await self.session(scope, session)
        values = {"session": session, "before": before, "count": count}
        rows = await self._cells.fetch_all(scope.tenant, "list_turns_before", **values)
        cipher = await self._keyring.user(scope.tenant, scope.user)
        return [turn_rows.read(row, cipher) for row in reversed(rows)]

    async def last_before(self, turn: Turn) -> Turn | None:
        """Find the user's last turn in another session than that of a turn."""
        values = turn_rows.owner(turn.scope) | {"session": turn.session}
        row = await self._cells.fetch_one(turn.scope.tenant, "find_last_turn_before", **values)
        if row is None:
            return None
        return turn_rows.read(row, await self._keyring.user(turn.scope.tenant, turn.scope.user))

    async def session(self, scope: Scope, session: UUID) -> OpenSession:
        """Find a session of the caller. Raises NotFound."""
        row = await self._one(scope, "session", "find_session", session=session)
        return OpenSession(row["assistant_id"], turn_rows.session_version(row))

    async def trace(self, scope: Scope, turn: UUID) -> Mapping[str, Any]:
        """Find the trace of a settled turn. Raises NotFound."""
        row = await self._one(scope, "trace", "find_trace", turn=turn)
        cipher = await self._keyring.user(scope.tenant, scope.user)
        return turn_rows.trace_of(row["trace"], turn, cipher)

    async def _one(self, scope: Scope, kind: str, name: str, **values: object) -> Row:
        owner = turn_rows.owner(scope)
        row = await self._cells.fetch_one(scope.tenant, name, **owner, **values)
        if row is None:
            raise NotFound(kind)
        return row

    async def _existing(
        self,
        connection: Connection,
        scope: Scope,
        new: NewTurn,
        sealed: turn_rows.SealedTurn,
        cipher: Cipher,
    ) -> OpenTurn | None:
        """Find the turn of the idempotency key; a failed one is restarted."""
        row = await self._by_key(connection, scope, sealed)
        if row is None:
            return None
        if row["state"] != TurnState.FAILED:
            return turn_rows.open_turn(row, cipher, None)
        retried = await fetch_one(
            connection,
            "retry_turn",
            tenant=scope.tenant,
            turn=row["turn_id"],
            lease_owner=new.lease.owner,
            lease_seconds=new.times.lasts_seconds,
            watch_job=await self._watch(connection, scope.tenant, row["turn_id"], new),
        )
        lease = Lease(new.lease.owner, retried["attempt"]) if retried else None
        return turn_rows.open_turn(row, cipher, lease)

    async def _by_key(
        self, connection: Connection, scope: Scope, sealed: turn_rows.SealedTurn
    ) -> Row | None:
        """Find the row of the idempotency key. Raises Conflict for the key of another message."""
        if sealed.idempotency_hash is None:
            return None
        row = await fetch_one(
            connection,
            "find_turn_by_key",
            tenant=scope.tenant,
            member=scope.user,
            idempotency_hash=sealed.idempotency_hash,
        )
        if row is not None and row["request_hash"] != sealed.request_hash:
            raise Conflict("this Idempotency-Key was already used with a different message")
        return row

    async def _add(
        self,
        connection: Connection,
        caller: Caller,
        new: NewTurn,
        sealed: turn_rows.SealedTurn,
        cipher: Cipher,
    ) -> OpenTurn:
        scope = caller.scope
        session = await self._open_session(connection, caller, new, sealed)
        if new.temporary:
            await execute(
                connection,
                "set_consent",
                tenant=scope.tenant,
                subject_id=session["session_id"],
                subject="session",
                learning=False,
                recall=False,
                now=new.now,
            )
        place, session = await turn_rows.place_turn(connection, scope, new, session)
        if place.parent is not None:
            parent = {"tenant": scope.tenant, "turn": place.parent}
            row = await fetch_one(connection, "turn_inputs", **parent)
            before = turn_rows.inputs_of(row["inputs"] if row else None, place.parent, cipher)
            sealed, new = turn_rows.keep_attached(sealed, new, before, cipher)
        await execute(
            connection,
            "add_turn",
            **turn_rows.owned(scope),
            **turn_rows.columns(new, sealed),
            **asdict(place),
            assistant=caller.assistant,
            session=session["session_id"],
            number=session["last_turn"],
            watch_job=await self._watch(connection, scope.tenant, new.id, new),
        )
        turn = Turn(
            id=new.id,
            scope=scope,
            session=session["session_id"],
            assistant=caller.assistant,
            number=session["last_turn"],
            state=TurnState.RUNNING,
            message=new.message,
            reply=None,
            attempt=new.lease.attempt,
            created_at=new.now,
            parent=place.parent,
            variant_of=place.variant_of,
            continues=place.continues,
        )
        version = turn_rows.session_version(session)
        return OpenTurn(turn, new.inputs, version, new.lease, refs=session["refs"])

    async def use_branch(self, scope: Scope, session: UUID, turn: UUID) -> None:
        """Put the branch through a turn in use, down to its newest descendant.

        Raises NotFound, and Conflict while a turn of the session runs."""
        ids = {"tenant": scope.tenant, "session": session}
        async with self._cells.transaction(scope.tenant) as connection:
            owned = turn_rows.owned(scope)
            if await fetch_one(connection, "lock_session", **owned, session=session) is None:
                raise NotFound("session")
            tree = await turn_rows.read_tree(connection, ids)
            target = tree.find(turn)
            if target is None:
                raise NotFound("turn")
            if tree.running:
                raise Conflict("a turn of this conversation is still in progress")
            await turn_rows.use_branch(connection, ids, tree, tree.newest_branch(target))
            # The job finds out whether a summary is due.
            await self._jobs.defer_once(connection, summary_job(scope.tenant, session))

    async def _open_session(
        self, connection: Connection, caller: Caller, new: NewTurn, sealed: turn_rows.SealedTurn
    ) -> Row:
        values = turn_rows.owned(caller.scope) | {"now": new.now}
        existing = turn_rows.as_uuid(new.session)
        if existing is not None:
            row = await fetch_one(connection, "open_session", session=existing, **values)
        else:
            row = await fetch_one(
                connection,
                "open_named_session",
                session=new_id(new.now),
                assistant=caller.assistant,
                name_hash=sealed.session_hash,
                **values,
            )
        if row is None:
            raise NotFound("session")
        if caller.own_assistant is not None and row["assistant_id"] != caller.assistant:
            raise Conflict("this conversation belongs to another assistant")
        if row["last_turn"] == 1:
            await self._jobs.defer_once(connection, clean_up_job(caller.scope.tenant))
        return row

    async def _watch(self, connection: Connection, tenant: UUID, turn: UUID, new: NewTurn) -> int:
        job = Job(JobKind.WATCH_TURN, tenant, turn, delay_seconds=new.times.watch_seconds)
        return await self._jobs.defer(connection, job)
