"""기억하지 마, don't remember this: what a person asks to leave out of memory (LM11)."""

import re
from collections.abc import Sequence
from enum import StrEnum

from saegim.conversations.types import Exchange


class Refusal(StrEnum):
    """What is not to be remembered."""

    THIS = "this"
    """The message that asks for it."""
    BEFORE = "before"
    """That message, and the turn before it, which it speaks of."""


_ASKED = re.compile(
    r"(?i)(?:기억|저장|기록|메모)(?:은|는|을|를)?\s?"
    r"(?:하지\s?(?:마|말)|안\s?(?:해도|했으면|하면|하게)|하지\s?않|하면\s?안\s?[돼되])"
    r"|(?:잊어\s?(?:줘|버려|주세요|버리)|못\s?들은\s?(?:걸로|셈)|비밀로\s?해|오프\s?더\s?레코드)"
    r"|\b(?:do\s?n['’]?o?t|please don['’]t|never)\s"
    r"(?:remember|save|store|record|memori[sz]e|keep)\b"
    r"|\boff the record\b|\bforget (?:that|this|it|what i (?:just )?(?:said|told))\b"
    r"|\bkeep (?:this|that) out of (?:your )?memory\b"
)
_NOT_ASKED = re.compile(
    r"(?i)기억하지\s?(?:못|않(?:아|는|네|나))|기억\s?안\s?나|저장하지\s?않은|저장하지\s?않고\s?(?:종료|닫)"
    r"|\bi (?:do\s?n['’]t|can['’]t|cannot) remember\b|\byou (?:do\s?n['’]t|never) remember\b"
    r"|잊지\s?말|don['’]t forget"
)
_OF_BEFORE = re.compile(
    r"(?i)방금|아까|지금까지|앞에서|직전|위에|조금\s?전|just (?:said|told|mentioned)|earlier"
    r"|previous"
    r"|last message|what i (?:said|told)|^\W*forget (?:that|it)\W*$"
)
# A request with nothing else in it can only speak of what was said before.
_LITTLE = 18


def refusal_of(message: str) -> Refusal | None:
    """What a message asks not to be remembered; None if it asks nothing of the kind."""
    asked = _ASKED.search(message)
    if asked is None or _NOT_ASKED.search(message):
        return None
    alone = len(message.strip()) - (asked.end() - asked.start()) <= _LITTLE
    bare = alone and not re.search(r"이건|이거|이\s?말|this", message)
    return Refusal.BEFORE if _OF_BEFORE.search(message) or bare else Refusal.THIS


def may_remember(turns: Sequence[Exchange]) -> tuple[Exchange, ...]:
    """The turns without those that were asked, then or right after, not to be remembered."""
    refused: set[int] = set()
    for place, turn in enumerate(turns):
        refusal = refusal_of(turn.message)
        if refusal is not None:
            refused.add(place)
        if refusal is Refusal.BEFORE:
            refused.add(place - 1)
    return tuple(turn for place, turn in enumerate(turns) if place not in refused)
