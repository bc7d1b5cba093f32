"""Notes of a prompt: the time and the names, what was not found, and what is no longer sure."""

from datetime import datetime

from saegim.chat.context.evidence import RetrievedContext
from saegim.llm.egress_policy import EgressPolicy
from saegim.memory.recall.types import RecallCandidate
from saegim.text.questions import is_question
from saegim.text.tokens import delimited

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


NOTHING_FOUND = "(The search of the documents found nothing for this message.)"
PROBABLY_OTHER = (
    "(The documents that were found are probably not about this message. Use only what fits it.)"
)
TOOLS_FAILED = "(These tools are unavailable at the moment: {tools}. Say so if you need them.)"
LAST_SEARCH = (
    "(You searched for “{query}”. That was the last search: answer now, with what there is.)"
)


def note_on_search(gathered: RetrievedContext, least_confidence: float, searched_for: str) -> str:
    """Return what the prompt says of the search and the tools: what failed or found nothing."""
    findings, notes = gathered.findings, list[str]()
    if findings.consulted and not findings.ranked:
        notes.append(NOTHING_FOUND)
    elif findings.consulted and findings.confidence < least_confidence:
        notes.append(PROBABLY_OTHER)
    if failed := [each.tool for each in gathered.tools if each.state == "failed"]:
        notes.append(TOOLS_FAILED.format(tools=", ".join(failed)))
    if searched_for:
        notes.append(LAST_SEARCH.format(query=searched_for))
    return "\n".join(notes)


def situation(now: datetime, zone: str, assistant: str, user: str) -> str:
    """Return the date and time of the user, and the names of assistant and user."""
    lines = [f"{now:%A}, {now.day} {now:%B %Y}, {now:%H:%M} ({zone})", f"You are {assistant}."]
    if user:
        lines.append(f"The user's name is {user}.")
    return delimited("now", "\n".join(lines))
