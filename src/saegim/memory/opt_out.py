"""Detect requests not to remember: 기억하지 마, don't remember this."""

import re
from collections.abc import Sequence
from enum import StrEnum

from saegim.conversations.types import Exchange


class Refusal(StrEnum):
    """What is not to be remembered: this message, or also the turn before it."""

    THIS = "this"
    BEFORE = "before"


_REQUEST = re.compile(
    r"(?i)(?:기억|저장|기록|메모|보관|입력|등록)(?:은|는|을|를|에|에도|도)?\s?"
    r"(?:하지(?:는|도)?\s?(?:마|말|않)|남기지(?:는|도)?\s?(?:마|말|않)|금지|ㄴㄴ|노노|안\s?(?:해도|했으면|하면|하게|남)|하면\s?안\s?[돼되]"
    r"|할\s?필요(?:는|가|도)?\s?없|에서\s?제외)"
    r"|\b(?:save|store|record)\s?하지\s?(?:마|말)|(?:적|적어|써|외우|담아|남기|남겨|새겨)\s?(?:두|놓|놔)?지(?:는|도)?\s?(?:마|말|않)"
    r"|잊어\s?(?:줘|버려|주세요|버리)|(?:못|안)\s?들은\s?(?:걸로|셈|척)|흘려\s?들|없던\s?(?:걸로|일로|얘기로)"
    r"|비밀(?:로\s?해|로\s?하|이야|이에요|입니다|인데|이니까|이거든)|우리끼리|오프\s?더\s?레코드"
    r"|\b(?:do\s?n['’]?o?t|do not|never|no need to|needn['’]t|don['’]t (?:have|need) to"
    r"|rather you (?:not|didn['’]t)|without)\s"
    r"(?:remember|sav(?:e|ing)|stor(?:e|ing)|record|memori[sz]e|keep|log|note|retain"
    r"|write (?:this|that|it|any of this) down)"
    r"|\boff the record\b|\bbetween (?:us|you and me)\b"
    r"|\bforget (?:that|this|it|what i (?:just )?(?:said|told))\b"
    r"|\b(?:keep|leave) (?:this|that|it|the next \w+)"
    r" (?:out of|off|out|secret|private|to yourself)\b"
)
_NO_REQUEST = re.compile(
    r"(?i)기억하지\s?(?:못|않(?:아|는|네|나))|기억\s?안\s?나|저장하지\s?않은|저장하지\s?않고\s?(?:종료|닫)"
    r"|\bi (?:do\s?n['’]t|can['’]t|cannot) remember\b|\byou (?:do\s?n['’]t|never) remember\b"
    r"|잊지\s?말|\b(?:not|never|(?:do|did|wo|ca|should)n['’]?t)\s(?:\w+\s)?forget\b"
    r"|\b(?:did|does)\b.{1,30}\bforget\b"
)
_ABOUT_BEFORE = re.compile(
    r"(?i)방금|아까|지금까지|앞에서|직전|위에|조금\s?전|just (?:said|told|mentioned)|earlier"
    r"|previous"
    r"|last message|what i (?:said|told)|^\W*forget (?:that|it)\W*$"
)
# A request that names nothing refers to the turn before.
_NAMES_NOTHING = re.compile(
    r"(?i)(?:그거|그건|그것|그\s?말|그\s?얘기|그냥|좀|제발|아니|아|음|이제|내가|제가|한|했던|말한|말|거|것|건|얘기|주세요|줘|요"
    r"|please|just|that|it|ok|okay|oh|can|could|you|\W)*"
)


def refusal_of(message: str) -> Refusal | None:
    """Return what a message asks not to be remembered, if anything."""
    request = _REQUEST.search(message)
    if request is None or _NO_REQUEST.search(message):
        return None
    rest = f"{message[: request.start()]} {message[request.end() :]}".strip()
    bare = _NAMES_NOTHING.fullmatch(rest) is not None
    return Refusal.BEFORE if _ABOUT_BEFORE.search(message) or bare else Refusal.THIS


def may_remember(turns: Sequence[Exchange]) -> tuple[Exchange, ...]:
    """Return the turns that may be remembered."""
    refused: set[int] = set()
    for index, turn in enumerate(turns):
        refusal = refusal_of(turn.message)
        if refusal is not None:
            refused.add(index)
        if refusal is Refusal.BEFORE:
            refused.add(index - 1)
    return tuple(turn for index, turn in enumerate(turns) if index not in refused)
