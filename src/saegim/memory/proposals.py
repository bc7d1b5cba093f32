"""What a turn proposes to forget, and the yes that does it."""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from uuid import UUID


class RequestKind(StrEnum):
    """What a message asks of memory."""

    FORGET = "forget"
    LEAVE_OUT = "leave_out"


_YES = re.compile(
    r"(?i)(?:응+|어|네+|넵|예|그래요?|좋아요?|맞아요?|ㅇㅇ|ㅇㅋ|오케이|yes|yep|yeah|yup|sure|ok|okay)"
    r"(?:\W+(?:응|네|yes|please|(?:do|forget|delete) (?:it|that|them)|go ahead"
    r"|(?:(?:다|전부|그거|그것)\s)?(?:그렇게|잊어|지워|삭제)?\s?(?:해\s?)?(?:줘요?|주세요)))?"
)


def agrees(message: str) -> bool:
    """Return whether the whole message is a clear yes to a proposal."""
    return _YES.fullmatch(message.strip(" \t\n.!~,")) is not None


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a yes would forget: records, or a turn that is not to be remembered.

    `text` asks the user, and quotes it. `alone`: nothing else is in the message that asked.
    """

    request: RequestKind
    text: str
    records: tuple[UUID, ...] = ()
    turn: UUID | None = None
    alone: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return what is stored with the turn, without words of the user."""
        return {
            "request": self.request.value,
            "records": [str(each) for each in self.records],
            "turn": str(self.turn) if self.turn else None,
            "alone": self.alone,
        }
