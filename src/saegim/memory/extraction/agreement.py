"""Detect whether a message agrees to the reply: only then may the reply be extracted.

A reply may repeat a document, a memory or the result of a tool, whose authors must not be able to
write memory.
"""

import re

_AGREES = re.compile(
    r"그걸로|그것으로|그렇게|그대로|이대로|그\s?(?:안|방법|계획|제안|걸|거)|추천(?:해\s?준|대로)"
    r"|제안(?:한|대로)|말한\s?대로|기억해|저장해|메모해|적어\s?(?:둬|두|줘|놔)|받아들|동의"
    r"|로\s?(?:하자|할게|할래|해\s?줘|정하|정할|결정|가자|진행)"
    r"|^\s*(?:응|네|예|좋아요?|그래요?|오케이|ㅇㅇ|ㅇㅋ)(?!\w)"
    r"|\b(?:yes|yeah|ok|okay|sure|agreed?|accept(?:ed)?|go with|let'?s|remember"
    r"|(?:save|note) (?:that|this|it)|sounds good|do (?:that|it)|that one"
    r"|as you (?:said|suggest))\b",
    re.IGNORECASE,
)


def takes_up(message: str) -> bool:
    """Return whether the message agrees to something, or asks to remember it."""
    return _AGREES.search(message) is not None
