"""Notes of a prompt: the time, what was not found, and what is no longer sure."""

from datetime import datetime

from saegim.chat.context.evidence import RetrievedContext
from saegim.llm.egress_policy import EgressPolicy
from saegim.memory.recall.types import RecallCandidate
from saegim.text.tokens import delimited

STILL_TRUE = (
    "(Something has changed that this memory rested on, so it may no longer hold: “{statement}”. "
    "Do not rely on it. If it fits here, end your reply with one short question whether it still "
    "holds.)"
)
NOTHING_FOUND = "(The search of the documents found nothing near this message.)"
TOOLS_FAILED = "(These tools are unavailable at the moment: {tools}. Say so if you need them.)"


def to_ask_about(gathered: RetrievedContext, egress: EgressPolicy) -> RecallCandidate | None:
    """Return the unsure memory to ask about, if it may leave to the model."""
    unsure = gathered.memory.to_ask
    if unsure is None or not egress.allows(unsure.record_type, pinned=unsure.is_pinned):
        return None
    return unsure


def notes(gathered: RetrievedContext, *, has_evidence: bool, unsure: RecallCandidate | None) -> str:
    """Return what the prompt says of the search, the tools and a memory to ask about."""
    lines: list[str] = []
    if gathered.findings.consulted and not has_evidence:
        lines.append(NOTHING_FOUND)
    if failed := [each.tool for each in gathered.tools if each.state == "failed"]:
        lines.append(TOOLS_FAILED.format(tools=", ".join(failed)))
    if unsure is not None:
        lines.append(STILL_TRUE.format(statement=unsure.text))
    return "\n".join(lines)


def now_block(now: datetime, zone: str) -> str:
    """Return the date and time where the user is."""
    return delimited("now", f"{now:%A}, {now.day} {now:%B %Y}, {now:%H:%M} ({zone})")
