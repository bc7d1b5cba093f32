"""What an answer may rest on, and how it points at it."""

import re
from dataclasses import dataclass
from enum import StrEnum


class EvidenceKind(StrEnum):
    PASSAGE = "passage"
    MEMORY = "memory"
    TURN = "turn"
    TOOL = "tool"


PREFIX: dict[EvidenceKind, str] = {
    EvidenceKind.PASSAGE: "",
    EvidenceKind.MEMORY: "M",
    EvidenceKind.TURN: "T",
    EvidenceKind.TOOL: "F",
}
"""What a marker begins with: [1] a passage, [M1] a memory, [T3] turn 3, [F1] a fact of a tool."""

MARKER = re.compile(r"\[([MTF]?\d{1,4})\]")


@dataclass(frozen=True, slots=True)
class Evidence:
    """One thing in the context that an answer may cite, by `marker`.

    `id` is the passage's, the memory's, the turn's number or the tool's name; `document` is the
    outside id of a passage's document; `url` is where a tool found it; `turn` is the id of the
    turn that a memory of a conversation repeats.
    """

    kind: EvidenceKind
    id: str
    marker: str
    title: str
    text: str
    document: str | None = None
    url: str | None = None
    turn: str | None = None


def marker(kind: EvidenceKind, number: int) -> str:
    """How the number-th piece of evidence of a kind is cited, without its brackets."""
    return f"{PREFIX[kind]}{number}"
