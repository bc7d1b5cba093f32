"""The thread of a turn: the session's working memory, or the history that a client brings (WM7)."""

from collections.abc import Sequence

from saegim.chat.context.assembly import Thread
from saegim.conversations import entities
from saegim.conversations.stored_turns import HistoryEntry, TurnInputs
from saegim.conversations.types import RECENT_TURNS, Exchange, Turn, WorkingState


def thread_of(
    state: WorkingState, turn: Turn, inputs: TurnInputs, window: int = RECENT_TURNS
) -> Thread:
    """What was said before the turn. A client's own history takes the place of all we remember.
    Of folded turns the last ones of the `window` stay as they were."""
    if inputs.history is not None:
        return brought_by_client(inputs.history, turn)
    hidden = inputs.instead_of
    before = [said for said in state.recent if said.number < turn.number and said.number != hidden]
    waiting = [said for said in before[:-window] if said.number > state.folded_through]
    return Thread(state.summary, state.entities, (*waiting, *before[-window:]))


def brought_by_client(history: Sequence[HistoryEntry], turn: Turn) -> Thread:
    """The client's last five turns, and the entities that came with them."""
    last = history[-RECENT_TURNS:]
    first = turn.number - len(last)
    recent = [
        Exchange(
            first + index,
            entry.message,
            entry.summary,
            turn.created_at,
            entry.doc_ids,
            entry.refs,
        )
        for index, entry in enumerate(last)
    ]
    brought = [entity for entry in last for entity in entry.entities]
    return Thread(entities=entities.push((), brought), recent=tuple(recent))
