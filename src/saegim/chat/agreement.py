"""A clear yes to what the turn before proposed: it does just that, with and without a model."""

from dataclasses import dataclass

from saegim.chat.context.assembly import Thread
from saegim.chat.types import Effect, EffectKind
from saegim.conversations.repository import PostgresTurns
from saegim.conversations.types import OpenTurn
from saegim.domain.errors import NotFound
from saegim.memory.proposals import RequestKind, agrees
from saegim.memory.requests import MemoryRequests
from saegim.memory.turn_changes import TurnChange


@dataclass(frozen=True, slots=True)
class AgreedChange:
    """What a yes changes, as the reply shows it."""

    request: RequestKind
    statements: tuple[str, ...]
    effects: tuple[Effect, ...]
    changes: tuple[TurnChange, ...]


async def agreed(
    requests: MemoryRequests, turns: PostgresTurns, opened: OpenTurn, thread: Thread
) -> AgreedChange | None:
    """Prepare what the turn before proposed if the message is a clear yes."""
    turn = opened.turn
    if not agrees(turn.message):
        return None
    asked_in = turn.parent
    if asked_in is None and opened.inputs.history and thread.recent:
        # A client that sends its own history starts a session with each message.
        last = await turns.last_before(turn)
        if last is not None and last.message == thread.recent[-1].message:
            asked_in = last.id
    if asked_in is None:
        return None
    try:
        proposed = (await turns.trace(turn.scope, asked_in)).get("proposal")
    except NotFound:
        return None
    if not proposed:
        return None
    changes, gone = await requests.proposed(turn.scope, asked_in, proposed)
    left_out = proposed["turn"] is not None
    kind = EffectKind.LEFT_OUT if left_out else EffectKind.FORGOTTEN
    return AgreedChange(
        RequestKind.LEAVE_OUT if left_out else RequestKind.FORGET,
        tuple(dict.fromkeys(gone.values())),
        tuple(Effect(kind, each, None, "" if left_out else gone[each]) for each in gone),
        tuple(changes),
    )
