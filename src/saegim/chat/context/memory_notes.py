"""Notes on the memories of a prompt: what they do not answer, and what is no longer sure."""

from saegim.chat.context.evidence import RetrievedContext
from saegim.llm.egress_policy import EgressPolicy
from saegim.memory.recall.types import RecallCandidate
from saegim.text.questions import is_question

NOTHING_KNOWN = (
    "(The memories probably do not answer this. If it asks for something that the user has not "
    "told you, say that you do not know it.)"
)


STILL_TRUE = (
    "(Something has changed that this memory rested on, so it may no longer hold: “{statement}”. "
    "Do not rely on it. If it fits here, end your reply with one short question whether it still "
    "holds.)"
)


def to_ask_about(gathered: RetrievedContext, egress: EgressPolicy) -> RecallCandidate | None:
    """Return the unsure memory to ask about, if it may leave to the model."""
    unsure = gathered.memory.to_ask
    if unsure is None or not egress.allows(unsure.record_type, pinned=unsure.is_pinned):
        return None
    return unsure


def note_on_memories(
    gathered: RetrievedContext, message: str, to_ask: RecallCandidate | None
) -> str:
    """Return what the prompt says of the memories: that they probably do not answer, and which one
    to ask about."""
    unknown = gathered.memory.is_unknown and is_question(message)
    notes = [NOTHING_KNOWN] if unknown else []
    if to_ask is not None:
        notes.append(STILL_TRUE.format(statement=to_ask.text))
    return "\n".join(notes)
