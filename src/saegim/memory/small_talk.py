"""Detect greetings, thanks and the like, in which nothing is told."""

import re

_SMALL_TALK = re.compile(
    r"(?:안녕(?:하세요|하십니까|히\S*)?|하이|헬로|반가(?:워|워요|웠어요|습니다)|네+|넵+|넹|예|응+"
    r"|어|음+|아+|오+|와+"
    r"|아하|오케이|오키|알겠(?:어|어요|습니다)|알았(?:어|어요|습니다)|그래(?:요)?|그렇(?:구나|군요|네요)"
    r"|맞아(?:요)?|맞습니다|좋아(?:요)?|좋습니다|고마워(?:요)?|고맙습니다|땡큐"
    r"|감사(?:해요?|합니다|드려요|드립니다)?|수고(?:해요?|하세요|했어요?|하셨습니다)?|잘\s?자(?:요)?"
    r"|아니(?:요|야|에요)?|됐어(?:요)?|괜찮아(?:요)?|계속(?:해줘|해)?|다음|더|정말(?:요)?|진짜(?:요)?"
    r"|대박|테스트|굿|너무|많이|[ㄱ-ㅎㅏ-ㅣ]+"
    r"|hi|hello|hey|yo|good (?:morning|afternoon|evening|night)|thanks?|thank you|thx|ty|ok(?:ay)?"
    r"|yes|yeah|yep|yup|no|nope|sure|great|nice|cool|good|perfect|awesome|got it|i see|right|please"
    r"|continue|go on|more|next|bye|see you|lol|haha\w*|so much|a lot|very much|again|there|then"
    r"|test|hmm+|wow|alright|sounds good|done|fine)",
    re.IGNORECASE,
)
_MARKS = re.compile(r"[^\w가-힣ㄱ-ㅎㅏ-ㅣ]+")


def is_small_talk(message: str) -> bool:
    """Return whether a message is only a greeting, thanks, a yes, or the like."""
    words = [word for word in _MARKS.split(message) if word]
    position = 0
    while position < len(words):
        for taken in (2, 1):
            if _SMALL_TALK.fullmatch(" ".join(words[position : position + taken])):
                break
        else:
            return False
        position += taken
    return True
