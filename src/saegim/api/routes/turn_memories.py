"""Memories that came from a turn, consent to memory, and deletion of sessions."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import BaseModel

from saegim.api.caller import CallerDep, ServicesDep
from saegim.api.views import example, view_of
from saegim.domain.errors import PermissionDenied
from saegim.domain.scope import Role
from saegim.memory.turn_memories import ExtractionStatus
from saegim.memory.types import ConsentSubject, MemoryType

router = APIRouter(prefix="/v1", tags=["memory"])

MAY_SWITCH_TENANT = (Role.OWNER, Role.ADMIN)


class TurnMemoryView(BaseModel):
    """A record extracted from a turn, with the words of the turn that support it."""

    memory_id: UUID
    type: MemoryType
    content: str
    topic: str
    quote: str


class TurnMemoriesView(BaseModel):
    """State of the extraction of a turn, and the records extracted from it."""

    turn_id: UUID
    reading: ExtractionStatus
    remembered: list[TurnMemoryView]


class ForgottenMemories(BaseModel):
    """Number of deleted records."""

    forgotten: int


class DeletedTurns(BaseModel):
    """Number of deleted turns."""

    turns: int


class ConsentBody(BaseModel, extra="forbid"):
    """Whether memory is enabled."""

    model_config = example(memory=True)

    memory: bool


@router.get("/turns/{turn_id}/memories")
async def read_remembered(
    turn_id: UUID, services: ServicesDep, caller: CallerDep
) -> TurnMemoriesView:
    """Lists the memories extracted from a turn; `reading` is `waiting` until extraction is done."""
    turn = await services.conversations.turns.find(caller.scope, turn_id)
    memories = await services.memory.turn_memories.of_turn(caller.scope, turn_id, turn.session)
    records = [view_of(TurnMemoryView, record, memory_id=record.id) for record in memories.records]
    return TurnMemoriesView(turn_id=turn_id, reading=memories.reading, remembered=records)


@router.delete("/turns/{turn_id}/memories")
async def take_back(turn_id: UUID, services: ServicesDep, caller: CallerDep) -> ForgottenMemories:
    """Deletes the memories that only this turn supports, and restores those that they replaced. The
    turn is not extracted again."""
    await services.conversations.turns.find(caller.scope, turn_id)
    return ForgottenMemories(
        forgotten=await services.memory.turn_memories.take_back(caller.scope, turn_id)
    )


@router.delete("/sessions/{session_id}")
async def delete_session(
    session_id: UUID,
    services: ServicesDep,
    caller: CallerDep,
    derived: Annotated[
        bool, Query(description="Also delete memories that only this session supports.")
    ] = False,
) -> DeletedTurns:
    """Deletes a session of the caller."""
    await services.conversations.turns.session(caller.scope, session_id)
    turns = await services.memory.turn_memories.delete_session(
        caller.scope, session_id, derived=derived
    )
    return DeletedTurns(turns=turns)


@router.get("/consent")
async def read_consent(services: ServicesDep, caller: CallerDep) -> ConsentBody:
    """Returns whether memory is enabled for the caller."""
    return ConsentBody(memory=await services.memory.turn_memories.consent(caller.scope))


@router.put("/consent")
async def set_consent(body: ConsentBody, services: ServicesDep, caller: CallerDep) -> ConsentBody:
    """Enables or disables memory for the caller. Existing memories stay until they are deleted."""
    await services.memory.turn_memories.switch(caller.scope, ConsentSubject.USER, on=body.memory)
    return ConsentBody(memory=await services.memory.turn_memories.consent(caller.scope))


@router.put("/consent/tenant")
async def set_tenant_consent(
    body: ConsentBody, services: ServicesDep, caller: CallerDep
) -> ConsentBody:
    """Enables or disables memory for the whole tenant. Requires an owner or admin."""
    if caller.role not in MAY_SWITCH_TENANT:
        raise PermissionDenied
    await services.memory.turn_memories.switch(caller.scope, ConsentSubject.TENANT, on=body.memory)
    return ConsentBody(memory=await services.memory.turn_memories.consent(caller.scope))
