"""Recognise questions and requests by their form, in Korean and English."""

import re

from saegim.text.analysis import fold, language

# What is read of a message as a question: beyond are pages that stand behind it.
LONGEST_QUESTION = 2_000

_EDGES = re.compile(r"^[\s\W_]+|[\s\W_]+$")
# "가족은?ㅋㅋ" asks too.
_MARK = re.compile(r"[?？][\s.~!^ㅋㅎㅠㅜ)]*$")
_REQUEST = re.compile(
    r"(?:알려|말해|보여|찾아|가르쳐|[설추정요비계번][명천리약교산역]해)\s?(?:[줘주줄봐달]|$)|궁금|모르겠"
    r"|^(?:please |can you )?(?:tell|show|list|give|explain|find|compare|summari[sz]e|describe"
    r"|translate|remind)\b|\bi(?:['’]d like| want| need) to know\b|\bwondering\b"
)
_ENGLISH = re.compile(
    r"^(?:(?:and|so|but|ok|okay|then) )?(?:(?:wh(?:at|ich|o|om|ose|ere|en|y)|how|is|are|do(?:es)?"
    r"|did|can(?! only\b)|could|should|would|will|may|am(?! (?:an?|on|in|not)\b)|any)\b(?!['’])"
    # "have to go", "was born": statements without their subject.
    r"|(?:was|were|has|have) (?:i|you|s?he|it|we|my|your|th(?:e|ey|is|at|ere))\b)"
)
# 인가요, 큰가요; but not 출장 가요.
_ENDS_IN_N = "".join(chr(code) for code in range(0xAC04, 0xD7A4, 28))
_KOREAN = re.compile(
    r"(?:^|\s)(?:얼마|[몇뭐뭘뭔왜]|무[엇슨]|어[떤디느떻]|언제|누[구가]|며칠|머(?:[야였지죠하임]|[예에]요|라고))"
    rf"|(?:나요|까요?|[{_ENDS_IN_N}]가요|[니냐]|[은는]지|던가)[.~!]*$"
)
_TELLS = re.compile(
    r"(?:[뭐뭔]|무슨|어[떤디]|언제|누구)(?:[든나가]|라도)|왜냐|왜인지|어떻게든|얼마\s?전"
    r"|몇\s?[년달주번개]\s?(?:[전째간]|동안)"
)


def is_question(sentence: str) -> bool:
    """Return whether a sentence asks something or requests an answer."""
    if _MARK.search(sentence):
        return True
    folded = _EDGES.sub("", fold(sentence))
    if _REQUEST.search(folded):
        return True
    if language(sentence) == "ko":
        return _KOREAN.search(_TELLS.sub("", folded)) is not None
    return _ENGLISH.search(folded) is not None
