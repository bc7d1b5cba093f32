"""Find exact values in a sentence: amounts, percentages, dates, ids, versions."""

import re
from dataclasses import dataclass
from enum import StrEnum


class ValueKind(StrEnum):
    AMOUNT = "amount"
    PERCENT = "percent"
    DATE = "date"
    ID = "id"
    VERSION = "version"
    NAME = "name"
    LOOSE = "loose"
    """A count, a time, a month or a bare number: kept only with an explicit key."""


@dataclass(frozen=True, slots=True)
class Value:
    kind: ValueKind
    text: str
    start: int
    end: int


NAME_CHARACTERS = 40

# Not `\b`: Hangul is a word character, and particles follow numbers and units directly.
_END = r"(?![A-Za-z0-9_])"
_NUM = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
_SIGN = r"[-+−±]?"
_TO = r"\s?[~–∼-]\s?"
_WON = r"(?:원|달러|유로|엔|위안)"
_LARGE = r"(?:조|억|천만|백만|십만|만|천|백)"
_COUNTER = (
    r"(?:명|개월|개|건|대|권|장|마리|살|세|시간|분|초|일|주|달|년|회|번|배|층|평|점|위|팀|곳|호"
    r"|채|잔|병|박|포인트|킬로|미터|리터|도)"
)
_SCALE = rf"(?:thousand|million|billion|trillion){_END}"
_SHORT_SCALE = rf"(?:[kKmMbB]n?){_END}"
_CODE = r"(?:USD|KRW|EUR|JPY|GBP|CNY)"
_UNIT = (
    r"(?:km|kg|cm|mm|ml|ms|kWh|[KMGT]B|[MG]Hz|[MG]bps|℃|°[CF]|vCPUs?|cores?|[TRQ]PS|users?|people"
    r"|employees?|engineers?|customers?|servers?|seats?|licen[cs]es?|items?|orders?|tickets?|pages?"
    rf"|minutes?|hours?|days?|weeks?|months?|years?|times?|points?){_END}"
)
_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?"
    rf"|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?){_END}\.?"
)
_DAY = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
_TIME = (
    r"(?:(?:오전|오후|새벽|아침|저녁|밤|낮)\s?)?\d{1,2}시(?!간)(?:\s?\d{1,2}분|\s?반)?"
    rf"|\d{{1,2}}:\d{{2}}(?:\s?[ap]\.?m{_END}\.?)?|\d{{1,2}}\s?[ap]\.?m{_END}\.?"
)
_ORDINAL = r"\d{1,2}(?:st|nd|rd|th)?"
_DATE = (
    r"\d{4}[-/]\d{1,2}[-/]\d{1,2}|\d{4}\.\s?\d{1,2}\.\s?\d{1,2}"
    r"|(?:\d{4}년\s?)?\d{1,2}월(?:\s?\d{1,2}일)?(?:\s?\([월화수목금토일]\)|\s[월화수목금토일]요일)?"
    r"|(?:\d{4}년\s?)?[1-4]분기|\d{4}년(?:도|\s?[상하]반기)?|Q[1-4](?:\s\d{4})?"
    rf"|{_MONTH}\s{_ORDINAL}{_END}(?:,?\s\d{{4}})?|{_MONTH}\s\d{{4}}"
    rf"|{_ORDINAL}\s(?:of\s)?{_MONTH}(?:,?\s\d{{4}})?|{_MONTH}"
)
_PATTERNS = {
    ValueKind.ID: (
        r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
        r"|제\s?\d+조(?:의\s?\d+)?(?:\s?제?\d+항)?"
        r"|[A-Z][A-Za-z0-9]*(?:[-_#][A-Za-z0-9]+)*?[-_#]\d[A-Za-z0-9]*(?:[-_][A-Za-z0-9]+)*"
        r"|[A-Z]{1,6}\d{3,}[A-Z0-9]*|[A-Z]{3,}\d{2,}"
        r"|[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*?[-_][a-z]*\d[A-Za-z0-9]*(?:[-_.][a-z0-9]+)*"
        r"|[a-z]\d[a-z]*\.(?:\d*x?large|medium|small|micro|nano|metal)"
        r"|#\d{2,}|\d{1,3}(?:\.\d{1,3}){3}"
    ),
    ValueKind.VERSION: (
        r"[vV]\d+(?:\.\d+){0,3}(?:-[a-z]+(?:\.?\d+)?)?|\d+\.\d+\.\d+(?:-[a-z]+(?:\.?\d+)?)?"
        r"|(?<=버전 )\d+(?:\.\d+)*|(?<=ersion )\d+(?:\.\d+)*"
    ),
    ValueKind.DATE: rf"(?i:(?:{_DATE})(?:,?\s(?:at\s)?(?:{_TIME}))?)",
    ValueKind.PERCENT: (
        rf"{_SIGN}{_NUM}(?:{_TO}{_NUM})?\s?(?:%[pP]?|퍼센트(?:포인트)?|(?i:percent|bps?){_END})"
    ),
    ValueKind.AMOUNT: (
        rf"{_SIGN}(?:(?:US|HK|NT|[ACS])?[$€£¥₩]|{_CODE}\s?){_NUM}"
        rf"(?:\s?(?:{_SCALE}|{_SHORT_SCALE}|억|만|천))?"
        rf"(?:{_TO}[$€£¥₩]?{_NUM}(?:\s?(?:{_SCALE}|{_SHORT_SCALE}))?)?"
        rf"|{_SIGN}{_NUM}(?:{_TO}{_NUM})?\s?{_LARGE}(?:\s?{_NUM}\s?{_LARGE})*"
        rf"(?:\s?{_NUM}(?=원))?(?:\s?(?:{_WON}|{_COUNTER}))?(?:{_TO}{_NUM}\s?{_LARGE}{_WON}?)?"
        rf"|{_SIGN}{_NUM}(?:{_TO}{_NUM})?\s?{_WON}"
        rf"|{_SIGN}{_NUM}\s?(?:{_SCALE}\s?)?(?:{_CODE}|dollars?|won|euros?|yen|pounds?){_END}"
        rf"|{_SIGN}{_NUM}\s?{_SCALE}"
    ),
    ValueKind.LOOSE: (
        rf"(?i:{_TIME})|(?i:{_DAY})(?:\s(?:at\s)?(?i:{_TIME}))?"
        rf"|[월화수목금토일]요일(?:\s(?:{_TIME}))?"
        rf"|{_SIGN}{_NUM}(?:{_TO}{_NUM})?\s?(?:{_UNIT}|{_COUNTER})|{_SIGN}{_NUM}"
    ),
}
_VALUE = re.compile(
    r"(?<![A-Za-z0-9_.,/@#$-])(?:"
    + "|".join(f"(?P<{kind}>{pattern})" for kind, pattern in _PATTERNS.items())
    + r")(?![A-Za-z0-9_@])"
)
# A month or quarter alone is rarely a value.
_DATED = re.compile(r"\d일|\d{4}년\s?\d|\d{4}[-./]|\s\d{1,2}\b|\d{1,2}(?:st|nd|rd|th)?\s|\d{4}")
_PRODUCT = re.compile(r"(?:^|[\s(])[A-Z][A-Za-z+#]+\s$")
_RELEASE = re.compile(r"\d+\.\d+|\d{1,2}")


def find_values(sentence: str) -> list[Value]:
    """Return the values of a sentence in order, without overlaps."""
    values: list[Value] = []
    for match in _VALUE.finditer(sentence):
        kind = ValueKind(match.lastgroup or ValueKind.LOOSE)
        text = match.group().rstrip(" .,")
        if kind is ValueKind.DATE and not _DATED.search(text):
            kind = ValueKind.LOOSE
        elif _RELEASE.fullmatch(text) and _PRODUCT.search(
            sentence[max(0, match.start() - NAME_CHARACTERS) : match.start()]
        ):
            kind = ValueKind.VERSION
        values.append(Value(kind, text, match.start(), match.start() + len(text)))
    return values
