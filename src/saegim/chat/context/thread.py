"""The conversation before a turn, as its prompt shows it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from uuid import UUID

from saegim.conversations.stored_turns import HistoryEntry, TurnInputs
from saegim.conversations.types import (
    RECENT_TURNS,
    Entity,
    Exchange,
    Turn,
    WorkingState,
    push_entity,
)
from saegim.memory.proposals import agrees

# Turns leave the beginning of the conversation together, once in so many: the prompts in between
# begin with the same text.
TURNS_LEFT_OUT = 10


@dataclass(frozen=True, slots=True)
class Thread:
    """The conversation before a turn: the session's memory, or the client's history."""

    summary: str = ""
    entities: tuple[Entity, ...] = ()
    recent: tuple[Exchange, ...] = ()
    tags: str | None = None
    """Suffix of the prompt's tags: one for the whole conversation, so that its prompts begin with
    the same text."""
    key: bytes = b""
    """Makes placeholders for names the same in the whole conversation."""


def thread_of(
    state: WorkingState, turn: Turn, inputs: TurnInputs, window: int = RECENT_TURNS
) -> Thread:
    """Return the conversation before the turn; a client's history replaces the stored one.

    Turns that are not summarised yet stay verbatim, and the last `window` turns. Summarised ones
    are left out ten at a time, so that the prompts in between begin with the same turns.
    """
    if inputs.history is not None:
        return _client_thread(inputs.history, turn)
    before = [_unquoted(each) for each in state.recent if each.number < turn.number]
    steps = max(0, turn.number - 1 - window) // TURNS_LEFT_OUT
    first = min(steps * TURNS_LEFT_OUT, state.summarised_through) + 1
    kept = [each for each in before if each.number >= first]
    recent = kept if len(kept) > window else before[-window:]
    session = turn.session
    recent = tuple(recent)
    return Thread(state.summary, state.entities, recent, _tags(session), _key(session))


def _unquoted(turn: Exchange) -> Exchange:
    """Return a turn without the reply that quotes what it forgot."""
    return replace(turn, reply="") if turn.by_rule and agrees(turn.message) else turn


def _tags(session: UUID) -> str:
    return sha256(b"tags of " + session.bytes).hexdigest()[:8]


def _key(session: UUID) -> bytes:
    return sha256(b"names of " + session.bytes).digest()


def _client_thread(history: Sequence[HistoryEntry], turn: Turn) -> Thread:
    last = history[-RECENT_TURNS:]
    recent = tuple(
        Exchange(number, entry.message, entry.summary, turn.created_at, entry.doc_ids, entry.refs)
        for number, entry in enumerate(last, start=turn.number - len(last))
    )
    entities = [entity for entry in last for entity in entry.entities]
    tags, key = _tags(turn.session), _key(turn.session)
    return Thread(entities=push_entity((), entities), recent=recent, tags=tags, key=key)
