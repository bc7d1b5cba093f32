"""Memories that came from a turn, consent to memory, and deletion of sessions."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import BaseModel

from saegim.api.caller import CallDep
from saegim.api.views import View, example
from saegim.domain.errors import Invalid, PermissionDenied
from saegim.domain.scope import Role
from saegim.memory.turn_memories import ExtractionStatus
from saegim.memory.types import Consent, ConsentSubject, MemoryType

router = APIRouter(prefix="/v1", tags=["memory"])

MAY_SWITCH_TENANT = (Role.OWNER, Role.ADMIN)


class TurnMemoryView(View):
    """A record extracted from a turn, with the words of the turn that support it."""

    memory_id: UUID
    type: MemoryType
    content: str
    topic: str
    quote: str


class TurnMemoriesView(View):
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


class ConsentBody(View, extra="forbid"):
    """Whether memories are made of what the user says (`learning`), and used for answers
    (`using`)."""

    model_config = example(learning=True, using=True)

    learning: bool
    using: bool

    def consent(self) -> Consent:
        return Consent(self.learning, self.using)


@router.get("/turns/{turn_id}/memories")
async def read_remembered(turn_id: UUID, call: CallDep) -> TurnMemoriesView:
    """Lists the memories extracted from a turn; `reading` is `waiting` until extraction is done."""
    turn = await call.services.conversations.turns.find(call.scope, turn_id)
    memories = await call.services.memory.turn_memories.of_turn(call.scope, turn_id, turn.session)
    return TurnMemoriesView.of(memories, turn_id=turn_id, remembered=memories.records)


@router.delete("/turns/{turn_id}/memories")
async def take_back(turn_id: UUID, call: CallDep) -> ForgottenMemories:
    """Takes back what the turn did to memory, also later: what it remembered is forgotten, what it
    forgot is remembered again, and the turn is not extracted again. Taking it back once more does
    nothing."""
    memory, scope = call.services.memory, call.scope
    turn = await call.services.conversations.turns.find(scope, turn_id)
    undone = await memory.turn_changes.undo_turn(scope, turn_id) if turn.effects else []
    # Afterwards: what was extracted meanwhile goes, too.
    extracted = await memory.turn_memories.take_back(scope, turn_id)
    return ForgottenMemories(forgotten=len(undone) + extracted)


@router.delete("/sessions/{session_id}")
async def delete_session(
    session_id: UUID,
    call: CallDep,
    derived: Annotated[
        bool, Query(description="Also delete memories that only this session supports.")
    ] = False,
    undoable: Annotated[
        bool, Query(description="Hide the session; it is deleted after five minutes.")
    ] = False,
) -> DeletedTurns:
    """Deletes a session of the caller. With `undoable` it can be restored for five minutes."""
    if undoable and derived:
        raise Invalid("memories cannot be restored: derived and undoable exclude each other")
    if undoable:
        hidden = await call.services.conversations.sessions.hide(call.scope, session_id)
        return DeletedTurns(turns=hidden)
    await call.services.conversations.turns.session(call.scope, session_id)
    turns = await call.services.memory.turn_memories.delete_session(
        call.scope, session_id, derived=derived
    )
    return DeletedTurns(turns=turns)


@router.get("/consent")
async def read_consent(call: CallDep) -> ConsentBody:
    """Returns whether memory learns and is used for the caller."""
    return ConsentBody.of(await call.services.memory.turn_memories.consent(call.scope))


@router.put("/consent")
async def set_consent(body: ConsentBody, call: CallDep) -> ConsentBody:
    """Enables or disables learning and using for the caller. Existing memories stay until they are
    deleted."""
    memories = call.services.memory.turn_memories
    await memories.switch(call.scope, ConsentSubject.USER, body.consent())
    return ConsentBody.of(await memories.consent(call.scope))


@router.put("/consent/tenant")
async def set_tenant_consent(body: ConsentBody, call: CallDep) -> ConsentBody:
    """Enables or disables learning and using for the whole tenant. Requires an owner or admin."""
    if call.caller.role not in MAY_SWITCH_TENANT:
        raise PermissionDenied
    memories = call.services.memory.turn_memories
    await memories.switch(call.scope, ConsentSubject.TENANT, body.consent())
    return ConsentBody.of(await memories.consent(call.scope))
