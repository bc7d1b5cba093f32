"""Recognise messages that seem to ask memory to forget something or to leave it out.

A match only leads to a proposal, so no exceptions are needed: the user decides.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from uuid import UUID

from saegim.text.analysis import word_keys

_LONGEST_REQUEST = 200


class RequestKind(StrEnum):
    """What a message seems to ask for. It only leads to a proposal."""

    FORGET = "forget"
    LEAVE_OUT = "leave_out"


_FILLER = (
    r"(?:please|pls|just|and|so|but|now|actually|you"
    r"|(?:can|could|would|will) you|you (?:can|may|should|to))\s+(?:please |just |now )?"
)
_START = rf"(?:^\W*|[.!?,;:]\s+|\b{_FILLER})"
_FORGET_KO = (
    r"(?:잊어|잊으|잊|까먹어|지워|지우|삭제|없애|제거|빼)\S{0,2}?\s?"
    r"(?:줘|줄래|줄 수|줬으면|주라|주세|주셔|주시|주실|세요|셔도|달라|바라|바랍|부탁|도 ?[돼되]"
    r"|버려(?=\W*$|라|줘|주)|라(?=\W|$))"
    r"|(?:더\s?이상|더는|이제|그만)\s?기억\S*\s?(?:하지|안|마|말)"
    r"|(?:못|안)\s?들은\s?걸로|없던\s?(?:걸|일|얘기)로"
    r"|(?:말|얘기)\S*\s?[거것건걸]\S?\s?취소"
)
_FORGET_EN = (
    r"(?:forget|delete|erase|remove|wipe|clear|discard|unlearn|get rid of"
    r"|stop remembering|no longer remember)\b"
)
_LEAVE_OUT_KO = (
    r"(?:기억|저장|기록|메모|보관)(?:은|는|을|를|에|에도)?\s?(?:하지|남기지)(?:는|도)?\s?(?:마|말|않았으면)"
    r"|(?:적어|써|남겨)\s?[두놓놔]지\s?(?:마|말)|(?:기억|저장|기록|메모)\s?안\s?(?:해도|했으면)"
    r"|비밀로 ?해|오프 더 레코드"
)
_LEAVE_OUT_EN = (
    r"(?:do(?:n['’]?t| not)|never|no need to)\s(?:have to |need to )?"
    r"(?:remember|save|store|record|keep|note|memori[sz]e)\s"
    r"(?:this|that|it|any|what|my|the|down)\b"
)
_OFF_RECORD_EN = (
    r"\boff the record\b|\b(?:keep|leave) (?:this|that|it) (?:out of|off|between us|private)\b"
)
_FORGET = re.compile(rf"(?i){_FORGET_KO}|{_START}{_FORGET_EN}")
_LEAVE_OUT = re.compile(rf"(?i){_LEAVE_OUT_KO}|{_START}{_LEAVE_OUT_EN}|{_OFF_RECORD_EN}")
# What a request is told apart by from what else a message says.
_BREAK = re.compile(
    r"(?i)(?<=[.!?,;:])\s+|(?<=니까|지만|는데|은데|인데|거든|어서|아서|해서|라서)\s+"
    r"|(?<=[^다라냐자]고)\s+(?!있|싶)"
    r"|\s+(?=(?:and|but|so|because|since)\s+(?:please\s+)?(?:i|we|remember|note)\b)"
)
_REQUEST = re.compile(
    rf"(?i)\W*(?:{_FILLER})*(?:(?:{_FORGET_EN}|{_LEAVE_OUT_EN}).*|(?:{_OFF_RECORD_EN})\W*)"
    rf"|.*(?:{_FORGET_KO}|{_LEAVE_OUT_KO})[가-힣]*(?:\s?[줘주줄줬][가-힣]*)?\W*"
)
_QUOTED = re.compile(r"\"[^\"\n]*\"|“[^”\n]*”|「[^」\n]*」|『[^』\n]*』|`[^`\n]*`")
# A text that was pasted, or a quotation that is not closed.
_PASTED = re.compile(r"[\"“”「」『』`\n]")
# Words of a request to memory itself.
_OF_MEMORY = re.compile(
    r"(?i)잊|기억|들은\s?걸로|없던|forget|remember|memor|unlearn|\bi (?:told|said)|말한"
)
_UNDO = re.compile(
    r"(?i)(?:아니|아냐)?\s?(?:방금 ?(?:지운 ?|잊은 ?)?[거건것]?|그거)?\s?"
    r"(?:되돌려|복구해|다시 기억해)\s?(?:줘|줘요|주세요|줄래|라)?"
    r"|실행 ?취소"
    r"|(?:please )?(?:undo|undo (?:that|it|this|the last one)|restore (?:it|that)"
    r"|bring (?:it|that) back)(?: please)?"
)
# What a part of a message that asks to undo may consist of, besides words of what is undone.
_UNDO_WORDS = re.compile(
    r"(?i)되돌\S*|복구\S*|(?:실행\s?)?취소\S*|원래대로(?:\s?(?:해|돌려)\S*)?"
    r"|다시 (?:기억|저장|넣)\S*"
    r"|\b(?:undo|revert|restore|recover)\b|\b(?:bring|take|put|get)\b(?=.*\bback\b)|\bback\b"
)
_CHANGE_WORDS = re.compile(
    r"(?i)(?<!\S)(?:방금|아까|마지막|직전|그거|그것|다시|기억|저장|변경|수정|삭제|지운|잊은|말한|아니"
    r"|아냐|줘|줄래|주세|주실|해)\S*"
    r"|\b(?:please|last|latest|previous|just|change|edit|thing|one|mem\w+|remember\w*|forg\w+"
    r"|delet\w+|saved?|stored?)\b"
)
_PARTS = re.compile(r"[.!,;\n]+(?:\s+|$)")
_BEHIND_COLON = re.compile(r"[:：]\s.*")
_YES = re.compile(
    r"(?i)(?:(?:응+|어|네+|넵|예|그래요?|좋아요?|맞아요?|ㅇㅇ|ㅇ|오케이|yes|yep|yeah|yup|sure|ok|okay"
    r"|do it|go ahead|please do)\b(?:\W+(?:please|do(?: it| that)?|go ahead|forget|delete|erase"
    r"|remove|it|that|them|all|sure|yes|네|응|그거|그것|다|전부|모두|그렇게|부탁\S*|잊어\S*|지워\S*"
    r"|삭제\S*|빼\S*|해|줘|줘요|주세요|버려|기억하지 (?:마|말아)\S*))*"
    r"|(?:잊어|지워|삭제해|빼)\s?(?:줘|줘요|주세요))"
)


def request_in(message: str) -> RequestKind | None:
    """Return what a short message seems to ask of memory, in words that it does not quote."""
    if len(message) > _LONGEST_REQUEST:
        return None
    own = _QUOTED.sub("…", message.strip())
    if _PASTED.search(own):
        return None
    if _FORGET.search(own):
        return RequestKind.FORGET
    return RequestKind.LEAVE_OUT if _LEAVE_OUT.search(own) else None


def asks_memory(message: str) -> bool:
    """Return whether a message asks memory, by its words, to forget or not to remember."""
    return request_in(message) is not None and _OF_MEMORY.search(message) is not None


def besides_request(message: str) -> str:
    """Return what a message says besides its requests to memory: "" if it is nothing else.

    A long message is no request.
    """
    if len(message) > _LONGEST_REQUEST:
        return message
    parts = (part for part in _BREAK.split(message) if not _REQUEST.fullmatch(part))
    rest = " ".join(parts)
    return rest if re.search(r"\w", rest) else ""


def asks_to_forget(message: str) -> bool:
    """Return whether a message asks memory to forget or not to remember, and says nothing else."""
    return asks_memory(message) and not besides_request(message)


def asks_to_undo(message: str) -> bool:
    """Return whether the whole message asks to undo the last change of memory."""
    return _UNDO.fullmatch(message.strip(" \t\n.!~,")) is not None


def asks_to_undo_change(own_words: str, changed: Iterable[str]) -> bool:
    """Return whether a short text asks, in a part of its own, to undo a change of memory: besides
    words for undoing and for changes it only names what was changed."""
    if len(own_words) > _LONGEST_REQUEST:
        return False
    known = word_keys(" ".join(changed))
    return any(
        _UNDO_WORDS.search(part)
        and word_keys(_CHANGE_WORDS.sub(" ", _UNDO_WORDS.sub(" ", part))) <= known
        for part in _PARTS.split(own_words)
    )


def plainly_leaves_out(own_words: str) -> bool:
    """Return whether own words, before a colon if there is one, ask not to remember the message."""
    return request_in(_BEHIND_COLON.sub("", own_words)) is RequestKind.LEAVE_OUT


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
