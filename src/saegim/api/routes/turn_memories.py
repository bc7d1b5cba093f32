"""What a turn was remembered by, and the ways to say no: take it back, switch memory off, delete
a conversation (LM11)."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict

from saegim.api.caller import CallerDep, ServicesDep
from saegim.domain.errors import PermissionDenied
from saegim.domain.scope import Role
from saegim.memory.turn_memories import ExtractionStatus, TurnMemories
from saegim.memory.types import ConsentSubject, MemoryType

router = APIRouter(prefix="/v1", tags=["memory"])

MAY_SWITCH_TENANT = (Role.OWNER, Role.ADMIN)


class TurnMemoryView(BaseModel):
    """A record that a turn made, with the words of the turn that say it."""

    memory_id: UUID
    type: MemoryType
    content: str
    topic: str
    quote: str


class TurnMemoriesView(BaseModel):
    """How far a turn is on its way to memory, and what it was remembered by."""

    turn_id: UUID
    reading: ExtractionStatus
    remembered: list[TurnMemoryView]


class ForgottenMemories(BaseModel):
    """How many records were forgotten."""

    forgotten: int


class DeletedTurns(BaseModel):
    """How many turns were deleted."""

    turns: int


class ConsentBody(BaseModel, extra="forbid"):
    """Whether memory is on."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"memory": True}]})

    memory: bool


@router.get("/turns/{turn_id}/memories")
async def read_remembered(
    turn_id: UUID, services: ServicesDep, caller: CallerDep
) -> TurnMemoriesView:
    """What a turn of the caller's was remembered by; `waiting` until it was read."""
    turn = await services.conversations.turns.find(caller.scope, turn_id)
    found = await services.memory.turn_memories.of_turn(caller.scope, turn_id, turn.session)
    return _view(turn_id, found)


@router.delete("/turns/{turn_id}/memories")
async def take_back(turn_id: UUID, services: ServicesDep, caller: CallerDep) -> ForgottenMemories:
    """Forgets what a turn alone told; what it replaced holds again, and it is not read again."""
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
        bool, Query(description="Also forgets what was derived from this conversation alone.")
    ] = False,
) -> DeletedTurns:
    """Deletes a conversation of the caller's."""
    await services.conversations.turns.session(caller.scope, session_id)
    turns = await services.memory.turn_memories.delete_session(
        caller.scope, session_id, derived=derived
    )
    return DeletedTurns(turns=turns)


@router.get("/consent")
async def read_consent(services: ServicesDep, caller: CallerDep) -> ConsentBody:
    """Whether memory is on for the caller."""
    return ConsentBody(memory=await services.memory.turn_memories.consent(caller.scope))


@router.put("/consent")
async def set_consent(body: ConsentBody, services: ServicesDep, caller: CallerDep) -> ConsentBody:
    """Turns memory on or off for the caller. What is known stays until it is deleted."""
    await services.memory.turn_memories.switch(caller.scope, ConsentSubject.USER, on=body.memory)
    return ConsentBody(memory=await services.memory.turn_memories.consent(caller.scope))


@router.put("/consent/tenant")
async def set_tenant_consent(
    body: ConsentBody, services: ServicesDep, caller: CallerDep
) -> ConsentBody:
    """Turns memory on or off for everyone of the tenant; owners and administrators may."""
    if caller.role not in MAY_SWITCH_TENANT:
        raise PermissionDenied
    await services.memory.turn_memories.switch(caller.scope, ConsentSubject.TENANT, on=body.memory)
    return ConsentBody(memory=await services.memory.turn_memories.consent(caller.scope))


def _view(turn: UUID, found: TurnMemories) -> TurnMemoriesView:
    return TurnMemoriesView(
        turn_id=turn,
        reading=found.reading,
        remembered=[
            TurnMemoryView(
                memory_id=record.id,
                type=record.type,
                content=record.content,
                topic=record.topic,
                quote=record.quote,
            )
            for record in found.records
        ],
    )
