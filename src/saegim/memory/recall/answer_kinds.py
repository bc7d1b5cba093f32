"""What a question asks for, and whether a sentence can tell it."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

_MONTH = (
    r"jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
_WEEKDAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?s?"
_TIME = re.compile(
    rf"\b(?:{_MONTH}|{_WEEKDAY}|today|yesterday|tomorrow|tonight|(?:last|next|this) \w+|ago|weeks?"
    r"|months?|years?|\d{4}|\d{1,2}(?:st|nd|rd|th)|\d{1,2}[:/]\d\d)\b"
    r"|\d\s?(?:년|월|일|시|주|개월|달)|[월화수목금토일]요일|오늘|어제|그제|내일|모레|지난|다음|이번|작년|올해"
    r"|내년|주말|아침|저녁",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand"
    r"|million|half|twice|once)\b"
    r"|(?:한|두|세|네|다섯|여섯|일곱|여덟|아홉|열|스무)\s?"
    r"(?:개|명|마리|번|살|대|권|잔|곳|가지|달|주|시간|층|평|점)"
    r"|[일이삼사오육칠팔구십백천만억]+\s?원",
    re.IGNORECASE,
)
# A capital within a sentence, or a word before a title.
_NAME = re.compile(
    r"(?<=[a-z,;:'’\"(] )[A-Z][\w'’]+"
    r"|[가-힣]{1,4}(?:님|씨|쌤|샘|선생|교수|팀장|과장|대리|부장|원장|이라고|라고|이라는|라는)|이름[은이]"
)
_PLACE = re.compile(
    r"\b(?:in|at|near|on|to|from|via)\s+(?:the )?[A-Z]|/\w"
    r"|[가-힣](?:시|군|구|동|읍|면|역|로|길|대|학교|병원|호텔|의원|점|관|실|집|층|공원|마을|해변|카페|식당)"
    r"(?:에|으로|로|이|가|은|는|을|를|\s|$|,)"
    r"|[가-힣](?:에서|으로|로|에)\s"
)


def _names_someone(sentence: str, question: str) -> bool:
    """Return whether a sentence has a name that the question does not have."""
    folded = question.casefold()
    return any(name.casefold() not in folded for name in _NAME.findall(sentence))


def _having(pattern: re.Pattern[str]) -> Callable[[str, str], bool]:
    return lambda sentence, _: pattern.search(sentence) is not None


@dataclass(frozen=True, slots=True)
class AskedDetail:
    """A pattern of questions, and a check of a sentence and a question."""

    asked: re.Pattern[str]
    is_in: Callable[[str, str], bool]


_KINDS = (
    AskedDetail(
        re.compile(
            r"\bwho(?:se|m)?\b|\bnames?\b|\bsurname\b|\bcalled\b|누구|누가|이름|성함", re.IGNORECASE
        ),
        _names_someone,
    ),
    AskedDetail(
        re.compile(
            r"\bwhen\b|\b(?:what|which) (?:date|day|month|year|time)\b|\bbirthday\b"
            r"|언제|며칠|몇\s?(?:년|월|일|시|주|달)|생일|날짜|날\b|시각",
            re.IGNORECASE,
        ),
        _having(_TIME),
    ),
    AskedDetail(
        re.compile(
            r"\bhow (?:many|much|often|old|long|far|big|large)\b"
            r"|\b(?:number|price|cost|fee|rent|salary|wage|budget|score|rate|pay|charge|target)s?\b"
            r"|얼마|몇|연봉|월급|점수|비용|시급|가격|금액|예산|목표|번호|키가|크기",
            re.IGNORECASE,
        ),
        _having(_NUMBER),
    ),
    AskedDetail(
        re.compile(
            r"\bwhere\b|\bwhich (?:city|town|country|place|street|hotel|school|university|hospital)"
            r"|어디|어느\s?(?:도시|동네|나라|호텔|학교|대학|병원|역|동)",
            re.IGNORECASE,
        ),
        _having(_PLACE),
    ),
)


def kinds_asked(question: str) -> list[AskedDetail]:
    """Return what a question asks for: a name, a time, a number, a place; empty if none of them."""
    return [kind for kind in _KINDS if kind.asked.search(question) is not None]


def can_tell(kinds: Sequence[AskedDetail], sentence: str, question: str) -> bool:
    """Return whether a sentence has one of the kinds, or none is asked for."""
    return not kinds or any(kind.is_in(sentence, question) for kind in kinds)
