"""Title of a session by rule."""

import re

from saegim.text.cut import cut_at_space

LONGEST_TITLE = 60

# Greetings and phrases that say only that a question follows.
_FILLER = re.compile(
    r"""(?:
    안녕(?:하세요|하십니까|하신가요)?(?![가-힣]) | 반갑습니다 | 반가워요? | 수고\s?(?:많으)?십니다
    | 수고하세요 | 저기요? | 혹시 | 있잖아요? | 음+ | 아+ | 저 | 그런데 | 근데 | 그럼 | 그러면
    | (?:하나\s|한\s?가지\s)?(?:질문이?|궁금한\s(?:게|점이|것이)|여쭤볼\s(?:게|것이))
        \s?(?:하나\s)?(?:있습니다|있어요|있는데요?|있는데)
    | (?:뭐\s?)?(?:좀|하나만?|한\s?가지만?)\s?
        (?:물어볼게요?|여쭤볼게요?|물어봐도\s?(?:될까요|돼요?))
    | (?:hi|hello|hey|good\s(?:morning|afternoon|evening)|greetings)(?:\s(?:there|all|everyone))?
    | (?:i\shave\s)?(?:just\s)?an?\s(?:quick\s)?question | quick\squestion
    | (?:can|could|would|will)\syou\s(?:please\s|maybe\s|kindly\s)?
        (?:tell\sme|explain(?:\sto\sme)?|show\sme|help\sme(?:\s(?:with|to))?|let\sme\sknow)
    | (?:can|could|would|will)\syou(?:\splease)? | (?:please\s)?tell\sme(?:\splease)?
    | i(?:\swould|'d|’d)\s(?:like|love)\sto\sknow | i\s(?:want|need)\sto\sknow
    | i(?:\sam|'m|’m|\swas)\swondering(?:\sif|\swhether)? | do\syou\s(?:happen\sto\s)?know
    | please | well | so | ok(?:ay)? | um+ | uh+
    )(?=[\s,.!?~:;…-]|$)[\s,.!?~:;…-]*""",
    re.IGNORECASE | re.VERBOSE,
)
END = " \t.,;:!?~…·-。！？"


def title_by_rule(message: str) -> str:
    """Return a title of at most 60 characters: the message without greetings and filler."""
    text = " ".join(message.split())
    rest = text
    while (match := _FILLER.match(rest)) is not None and rest[match.end() :].strip(END):
        rest = rest[match.end() :]
    title = cut_at_space(rest, LONGEST_TITLE).rstrip(END) or text[:LONGEST_TITLE]
    return title[0].upper() + title[1:] if rest != text and title[0].isascii() else title
