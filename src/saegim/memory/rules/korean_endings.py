"""Close a Korean clause that ends in a connective: 판교에 사는데 becomes 판교에 살아요."""

import re

_CONNECTIVE = r"(?:는데|고|지만|으니까|니까|어서|거든요?|으며|며)"
_CLOSED = {
    "살": "살아",
    "사": "살아",
    "하": "해",
    "쓰": "써",
    "먹": "먹어",
    "다니": "다녀",
    "키우": "키워",
    "배우": "배워",
    "마시": "마셔",
    "지내": "지내",
    "받": "받아",
    "맡": "맡아",
    "가르치": "가르쳐",
    "챙기": "챙겨",
    "즐기": "즐겨",
}
_STEM = re.compile(rf"({'|'.join(sorted(_CLOSED, key=len, reverse=True))}){_CONNECTIVE}$")
_LIVES = re.compile(r"살아서$")
# 있는데, 없고, and the past: 했는데, 갔고.
_ENDS_IN_SS = "".join(chr(code) for code in range(0xAC00 + 20, 0xD7A4, 28))
_PAST = re.compile(rf"(?<=[{_ENDS_IN_SS}없]){_CONNECTIVE}$")
_IS = re.compile(r"(?<=[가-힣])(?:인데|이고|이지만|이라서|이라|이니까|이거든요?|이며)$")
_POLITE = re.compile(r"(?:요|니다|죠)[\s.!~ㅋㅎㅠㅜ^]*$")


def closed(clause: str, sentence: str) -> str:
    """Return a clause with a final ending, polite if its sentence is."""
    polite = _POLITE.search(sentence) is not None
    if (past := _PAST.sub("어", clause)) != clause:
        return past + "요" * polite
    if (lives := _LIVES.sub("살아", clause)) != clause:
        return lives + "요" * polite
    if (verb := _STEM.search(clause)) is not None:
        return clause[: verb.start()] + _CLOSED[verb[1]] + "요" * polite
    if (noun := _IS.search(clause)) is not None:
        before = clause[: noun.start()]
        return before + _copula(before[-1], polite=polite)
    return clause


def _copula(last: str, *, polite: bool) -> str:
    if (ord(last) - 0xAC00) % 28:
        return "이에요" if polite else "이야"
    return "예요" if polite else "야"
