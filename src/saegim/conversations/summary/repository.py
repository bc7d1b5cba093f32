"""Summaries of sessions in Postgres."""

import json
from dataclasses import dataclass
from itertools import takewhile
from typing import Any
from uuid import UUID

from saegim.conversations import turn_rows
from saegim.conversations.types import (
    CONTEXT_TURNS,
    KEPT_TURNS,
    Exchange,
    Memory,
    WorkingState,
    context_turns,
    entities_as_json,
    entities_from_json,
)
from saegim.db.cells import Cells, Row, execute, fetch_all, fetch_one
from saegim.domain.errors import NotFound
from saegim.domain.ids import Clock
from saegim.domain.scope import Scope
from saegim.encryption.cipher import Cipher, FieldLocation
from saegim.encryption.keyring import Keyring
from saegim.llm.model_call import CallSource


@dataclass(frozen=True, slots=True)
class SummaryInput:
    """Input of a summary: the memory so far and the turns after it, oldest first."""

    scope: Scope
    session: UUID
    summary_version: int
    memory: Memory
    turns: tuple[Exchange, ...]


@dataclass(frozen=True, slots=True)
class NewSummary:
    """A memory of the turns up to `through`."""

    memory: Memory
    through: int
    made_by: CallSource


SUMMARY, ENTITIES = "session_summary.summary", "session_summary.entities"


class PostgresSummaries:
    def __init__(self, cells: Cells, keyring: Keyring, clock: Clock) -> None:
        self._cells = cells
        self._keyring = keyring
        self._clock = clock

    async def rebuild(self, scope: Scope, session: UUID) -> WorkingState:
        """Build the state from the stored turns. Raises NotFound."""
        async with self._cells.transaction(scope.tenant) as connection:
            row = await fetch_one(
                connection, "read_session_state", session=session, **turn_rows.owned(scope)
            )
            if row is None:
                raise NotFound("session")
            rows = await fetch_all(
                connection,
                "context_turns",
                tenant=scope.tenant,
                session=session,
                summarised_through=row["summarised_through"],
                most=CONTEXT_TURNS,
                recent=KEPT_TURNS,
            )
        cipher = await self._keyring.user(scope.tenant, scope.user)
        memory = memory_of(row, session, cipher)
        turns = [turn_rows.read(turn, cipher).exchange() for turn in rows]
        return WorkingState(
            completed_turns=row["completed_turns"],
            summary_version=row["summary_version"],
            summarised_through=row["summarised_through"],
            summary=memory.summary,
            entities=memory.entities,
            recent=context_turns(turns, row["summarised_through"]),
        )

    async def backlog(self, tenant: UUID, session: UUID, most: int) -> SummaryInput | None:
        """Return the oldest unsummarised turns, up to the first unsettled one.

        None if the session does not exist.
        """
        async with self._cells.transaction(tenant) as connection:
            row = await fetch_one(connection, "find_backlog", tenant=tenant, session=session)
            if row is None:
                return None
            rows = await fetch_all(
                connection,
                "unsummarised_turns",
                tenant=tenant,
                session=session,
                summarised_through=row["summarised_through"],
                most=most,
            )
        cipher = await self._keyring.user(tenant, row["member_id"])
        turns = (turn_rows.read(turn, cipher) for turn in rows)
        return SummaryInput(
            scope=Scope(tenant, row["member_id"], row["profile_id"]),
            session=session,
            summary_version=row["summary_version"],
            memory=memory_of(row, session, cipher),
            turns=tuple(t.exchange() for t in takewhile(lambda turn: turn.state.settled, turns)),
        )

    async def save_summary(self, backlog: SummaryInput, new: NewSummary) -> bool:
        """Replace the memory of `backlog`; False if it was changed since."""
        tenant, session = backlog.scope.tenant, backlog.session
        cipher = await self._keyring.user(tenant, backlog.scope.user)
        values = sealed(new.memory, session, cipher)
        async with self._cells.transaction(tenant) as connection:
            row = await fetch_one(
                connection,
                "advance_summary",
                tenant=tenant,
                session=session,
                summary_version=backlog.summary_version,
            )
            if row is None:
                return False
            await execute(
                connection,
                "save_summary",
                **values,
                tenant=tenant,
                session=session,
                member=backlog.scope.user,
                summary_version=row["summary_version"],
                summarised_through=new.through,
                made_by=new.made_by,
                now=self._clock.now(),
            )
        return True


def memory_of(row: Row, session: UUID, cipher: Cipher) -> Memory:
    """Decrypt the summary of a session; empty if there is none."""
    if row["summary"] is None:
        return Memory()
    entities = json.loads(cipher.open(row["entities"], FieldLocation(ENTITIES, session)))
    return Memory(
        cipher.open(row["summary"], FieldLocation(SUMMARY, session)), entities_from_json(entities)
    )


def sealed(memory: Memory, session: UUID, cipher: Cipher) -> dict[str, Any]:
    entities = json.dumps(entities_as_json(memory.entities), ensure_ascii=False)
    return {
        "summary": cipher.seal(memory.summary, FieldLocation(SUMMARY, session)),
        "entities": cipher.seal(entities, FieldLocation(ENTITIES, session)),
    }
