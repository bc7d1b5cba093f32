"""Recognise questions and requests by their form, in Korean and English."""

import re

from saegim.text.analysis import fold, language

# What is read of a message as a question: beyond are pages that stand behind it.
LONGEST_QUESTION = 2_000

_EDGES = re.compile(r"^[\s\W_]+|[\s\W_]+$")
# "가족은?ㅋㅋ" asks too.
_MARK = re.compile(r"[?？][\s.~!^ㅋㅎㅠㅜ)]*$")
_REQUEST = re.compile(
    r"(?:알려|말해|설명해|보여|찾아|추천해|정리해|요약해|비교해|가르쳐|계산해|번역해)\s?(?:줘|주|줄|봐|달|$)"
    r"|궁금|모르겠"
    r"|^(?:please |can you )?(?:tell|show|list|give|explain|find|compare|summari[sz]e|describe"
    r"|translate|remind)\b"
    r"|\b(?:i want to know|i need to know|wondering|i'd like to know)\b"
)
_ENGLISH = re.compile(
    r"^(?:and |so |but |ok |okay |then )?(?:what|which|who|whom|whose|where|when|why|how|is|are|was"
    r"|were|do|does|did|can(?! only\b)|could|should|would|will|may"
    r"|am(?! (?:an?|on|in|not)\b)|has|have|any)\b(?!['’])"
    # "have to go", "was born": statements without their subject.
    r"(?<!have)(?<!has)(?<!was)(?<!were)"
    r"|^(?:and |so |but |ok |okay |then )?(?:have|has|was|were)\s(?!to\b|been\b|had\b|got\b|\w+ed\b"
    r"|born\b|told\b|\w+ing\b|a\b|an\b|no\b)"
)
# 인가요, 큰가요; but not 출장 가요.
_ENDS_IN_N = "".join(chr(code) for code in range(0xAC04, 0xD7A4, 28))
_KOREAN = re.compile(
    r"(?:^|\s)(?:얼마|몇|뭐|뭘|뭔|무엇|무슨|어떤|어디|언제|누구|누가|왜|어떻게|어느|며칠)"
    r"|(?:^|\s)머(?:야|였|지|죠|예요|에요|라고|하|임)"
    rf"|(?:나요|까요?|[{_ENDS_IN_N}]가요|니|냐|은지|는지|을까|던가)[.~!]*$"
)
_TELLS = re.compile(
    r"(?:뭐|뭔|무슨|어떤|어디|언제|누구)(?:든|나|가|라도)|왜냐|몇\s?(?:년|달|주|번|개)\s?(?:전|째|동안|간)|얼마\s?전"
    r"|어떻게든|왜인지|(?:어디|누구|뭐)\s?(?:다녀|가느라)"
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
