"""Recognise messages that seem to ask memory to forget something or to leave it out.

A match only leads to a proposal, so no exceptions are needed: the user decides.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from uuid import UUID

_LONGEST_REQUEST = 200


class RequestKind(StrEnum):
    """What a message seems to ask for. It only leads to a proposal."""

    FORGET = "forget"
    LEAVE_OUT = "leave_out"


_START = (
    r"(?:^\W*|[.!?,;:]\s+|\b(?:please|pls|just|and|so|but|now|actually|you"
    r"|(?:can|could|would|will) you|you (?:can|may|should|to))\s+(?:please |just |now )?)"
)
_FORGET = re.compile(
    r"(?i)(?:잊어|잊으|잊|까먹어|지워|지우|삭제|없애|제거|빼)\S{0,2}?\s?"
    r"(?:줘|줄래|줄 수|줬으면|주라|주세|주셔|주시|주실|세요|셔도|달라|바라|바랍|부탁|도 ?[돼되]"
    r"|버려(?=\W*$|라|줘|주)|라(?=\W|$))"
    r"|(?:더\s?이상|더는|이제|그만)\s?기억\S*\s?(?:하지|안|마|말)"
    r"|(?:못|안)\s?들은\s?걸로|없던\s?(?:걸|일|얘기)로"
    r"|(?:말|얘기)\S*\s?[거것건걸]\S?\s?취소"
    rf"|{_START}(?:forget|delete|erase|remove|wipe|clear|discard|unlearn|get rid of"
    r"|stop remembering|no longer remember)\b"
)
_LEAVE_OUT = re.compile(
    r"(?i)(?:기억|저장|기록|메모|보관)(?:은|는|을|를|에|에도)?\s?(?:하지|남기지)(?:는|도)?\s?(?:마|말|않았으면)"
    r"|(?:적어|써|남겨)\s?[두놓놔]지\s?(?:마|말)|(?:기억|저장|기록|메모)\s?안\s?(?:해도|했으면)"
    r"|비밀로 ?해|오프 더 레코드"
    rf"|{_START}(?:do(?:n['’]?t| not)|never|no need to)\s(?:have to |need to )?"
    r"(?:remember|save|store|record|keep|note|memori[sz]e)\s"
    r"(?:this|that|it|any|what|my|the|down)\b"
    r"|\boff the record\b|\b(?:keep|leave) (?:this|that|it) (?:out of|off|between us|private)\b"
)
_QUOTATION = re.compile(r"[\"“”「」『』`\n]")
_ENDS = re.compile(r"[.!?]\s+\S")
# Words of a request to memory itself, and of a request in the form of a question.
_OF_MEMORY = re.compile(
    r"(?i)잊|기억|들은\s?걸로|없던|forget|remember|memor|unlearn|\bi (?:told|said)|말한"
)
_ASKS_YOU = re.compile(r"(?i)\b(?:can|could|would|will) you\b|줄래|주실|주시|[돼되]")
_UNDO = re.compile(
    r"(?i)(?:아니|아냐)?\s?(?:방금 ?[거건것]?|그거)?\s?(?:되돌려|복구해|다시 기억해)\s?"
    r"(?:줘|줘요|주세요|줄래|라)?"
    r"|(?:please )?(?:undo|undo (?:that|it|this)|restore (?:it|that)|bring (?:it|that) back)"
    r"(?: please)?"
)
_YES = re.compile(
    r"(?i)(?:(?:응+|어|네+|넵|예|그래요?|좋아요?|맞아요?|ㅇㅇ|ㅇ|오케이|yes|yep|yeah|yup|sure|ok|okay"
    r"|do it|go ahead|please do)\b(?:\W+(?:please|do(?: it| that)?|go ahead|forget|delete|erase"
    r"|remove|it|that|them|all|sure|yes|네|응|그거|그것|다|전부|모두|그렇게|부탁\S*|잊어\S*|지워\S*"
    r"|삭제\S*|빼\S*|해|줘|줘요|주세요|버려|기억하지 (?:마|말아)\S*))*"
    r"|(?:잊어|지워|삭제해|빼)\s?(?:줘|줘요|주세요))"
)


def request_in(message: str) -> RequestKind | None:
    """Return what a short message without quotations seems to ask of memory."""
    if len(message) > _LONGEST_REQUEST or _QUOTATION.search(message.strip()):
        return None
    if _FORGET.search(message):
        return RequestKind.FORGET
    return RequestKind.LEAVE_OUT if _LEAVE_OUT.search(message) else None


def asks_memory(message: str) -> bool:
    """Return whether a message asks memory, by its words, to forget or not to remember."""
    request = request_in(message)
    if request is RequestKind.FORGET:
        return _OF_MEMORY.search(message) is not None
    return request is not None


def is_plain(message: str) -> bool:
    """Return whether a request is the whole message: one sentence that asks nothing."""
    return not _ENDS.search(message) and (
        "?" not in message or _ASKS_YOU.search(message) is not None
    )


def asks_to_forget(message: str) -> bool:
    """Return whether the whole message asks memory, by its words, to forget something, or not to
    remember what was just said."""
    if re.search(r"\w", _LEAVE_OUT.sub("", message)) is None:
        return True
    is_request = request_in(message) is RequestKind.FORGET and is_plain(message)
    return is_request and asks_memory(message)


def asks_to_undo(message: str) -> bool:
    """Return whether the whole message asks to undo the last change of memory."""
    return _UNDO.fullmatch(message.strip(" \t\n.!~,")) is not None


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
