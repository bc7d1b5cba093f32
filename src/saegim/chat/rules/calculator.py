"""Arithmetic and calendar questions, answered by computing."""

import ast
import operator
import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from decimal import Decimal, DivisionByZero, InvalidOperation, Overflow

from saegim.domain.scope import Locale
from saegim.locales import N_, translate
from saegim.text.analysis import fold, language

# --- arithmetic ---

_NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?"
_WORDS: tuple[tuple[str, str], ...] = (
    (r"곱하기|×|✕|\btimes\b|\bmultiplied by\b|(?<=\d)\s*x\s*(?=\d)", "*"),
    (r"나누기|÷|\bdivided by\b|\bover\b", "/"),
    (r"더하기|플러스|\bplus\b", "+"),
    (r"빼기|마이너스|\bminus\b|−", "-"),
    (r"제곱", "**2"),
)
_PERCENT_OF = re.compile(rf"({_NUMBER})\s*(?:%|퍼센트|프로|percent)\s*(?:of|의)\s*({_NUMBER})")
_OF_PERCENT = re.compile(
    rf"({_NUMBER})\s*(?:원|달러|명|개|만원)?\s*의\s*({_NUMBER})\s*(?:%|퍼센트|프로)(?:은|는|이면|면)?"
)
_UNITS = {"백": 100, "천": 1_000, "만": 10_000, "백만": 1_000_000, "천만": 10**7, "억": 10**8}
_LARGE = re.compile(
    rf"({_NUMBER})\s*(백만|천만|억|만|천|백)(?=\s?(?:원|명|개|달러|[^가-힣]|$|을|를|에))"
)
_VERBS = {"더하": "+", "빼": "-", "곱하": "*", "나누": "/", "나눠": "/"}
_VERB_LAST = re.compile(
    rf"({_NUMBER})\s*(?:원|명|개|달러)?(?:\s*(?:에서|에다가?|에|을|를|의)\s*|\s+)({_NUMBER})\s*(?:원|명|개|달러|사람)?\s*(?:을|를|으로|로|이서|이|에게)?\s*(더하|빼|곱하|나누|나눠)(?:면|서)"
)
_ASIDE = re.compile(
    r"(?:은|는|이|가)?\s*(?:얼마|몇|뭐|무엇)\S*|계산\S*|(?:해|알려)\s?(?:줘|주세요|줄래)\S*|(?<=\d)\s*(?:은|는|을|를|이|가|에|에다|에서|하면|원|달러|명|개)(?=\s|$|\W)"
    r"|\b(?:what(?:'s| is| are)?|how much is|calculate|compute|equals?|the|please|result of|can you|could you|me|tell)\b|[?=!]|그럼|하면|답\S*|좀|정답\S*"
)
_EXPRESSION = re.compile(r"[\d.\s()+*/%-]+")
_OPERATORS: dict[type[ast.operator], Callable[[Decimal, Decimal], Decimal]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Mod: operator.mod,
}


def calculate(message: str) -> str | None:
    """Return "expression = result" for a message that asks only for arithmetic."""
    expression = _expression(fold(message))
    if expression is None:
        return None
    try:
        value = _value(ast.parse(expression.strip(), mode="eval").body)
    except (SyntaxError, ValueError, ArithmeticError, DivisionByZero, InvalidOperation, Overflow):
        return None
    shown = expression.replace("**2", "²").replace("*", "×").replace("/", "÷")
    return f"{' '.join(_spaced(shown).split())} = **{_written(value)}**"


def _expression(text: str) -> str | None:
    for pattern, form in ((_PERCENT_OF, "{1} * {0} / 100"), (_OF_PERCENT, "{0} * {1} / 100")):
        match = pattern.search(text)
        rest = _ASIDE.sub(" ", pattern.sub(" ", text, count=1))
        if match is not None and not re.search(r"[\w가-힣]", rest):
            return form.format(*(each.replace(",", "") for each in match.groups()))
    text = _LARGE.sub(_in_digits, text)
    text = _VERB_LAST.sub(lambda match: f"{match[1]} {_VERBS[match[3]]} {match[2]}", text)
    for words, sign in _WORDS:
        text = re.sub(words, f" {sign} ", text)
    text = re.sub(r"(?<=\d),(?=\d{3})", "", text)
    text = _ASIDE.sub(" ", text)
    binary = re.search(r"\d\s*(?:[*/+%-]|\*\*2)\s*(?:\(?\s*\d|$)", text)
    if not _EXPRESSION.fullmatch(text) or binary is None or _is_date(text):
        return None
    return text


def _in_digits(match: re.Match[str]) -> str:
    return f"{Decimal(match[1].replace(',', '')) * _UNITS[match[2]]:f}"


def _is_date(text: str) -> bool:
    """Return whether it is a date or a phone number, not a subtraction: 2026-11-17."""
    return re.fullmatch(r"\s*\d{2,4}-\d{1,4}-\d{1,4}\s*", text) is not None


def _value(node: ast.expr) -> Decimal:
    match node:
        case ast.Constant(value=int() | float() as number):
            return Decimal(str(number))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand)
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=2)):
            return _value(left) ** 2
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            return _OPERATORS[type(op)](_value(left), _value(right))
        case _:
            raise ValueError(ast.dump(node))


def _spaced(expression: str) -> str:
    return re.sub(r"([×÷+-])", r" \1 ", expression)


def _written(value: Decimal) -> str:
    if value == value.to_integral_value():
        return f"{int(value):,}"
    return f"{round(value, 4).normalize():,f}"


# --- calendar ---

_DAYS_KO = ("월요일", "화요일", "수요일", "목요일", "금요일", "토요일", "일요일")
_TODAY = re.compile(
    r"(?:오늘|내일|모레|글피|어제|그저께|그제)\S{0,3}\s?(?:은|는|이|가)?\s?(?:며칠|몇\s?일|몇\s?월|무슨\s?요일|요일|날짜|무슨\s?날)|(?:지금|현재)\s?(?:며칠|날짜)|(?:무슨\s?요일|며칠)\s?(?:이야|이지|이에요|인가요|이죠|야|지|예요)?\s?(?:오늘|내일|모레|어제)"
    r"|\bwhat(?:'s| is)? (?:day|date|the date|today'?s date|the day)\b.{0,14}?\b(?:today|tomorrow|yesterday|now|it)\b|\b(?:what|which) day is (?:it|today|tomorrow)\b|\btoday'?s date\b|\bwhat(?:'s| is) the date\b"
)
_AFTER = re.compile(
    r"(?:(?:오늘|지금)(?:부터|로부터|에서)?\s?)?(?P<n>\d{1,4}|하루|이틀|사흘|나흘|닷새|엿새|이레|여드레|아흐레|열흘|일|이|삼|사|한|두|세|네)\s?(?P<unit>일|주일?|개월|달|년|(?<=[루틀흘새레]))\s?(?P<way>뒤|후|전|이후)(?:는|은|이|가|면|이면)?\s?(?:며칠|몇\s?월|무슨\s?요일|언제|날짜|요일|몇\s?일)"
    r"|\bwhat (?:day|date)\b.{0,24}?(?P<en_n>\d{1,4}) (?P<en_unit>days?|weeks?|months?|years?) (?P<en_way>from now|from today|ago|later|after today)"
    r"|\b(?P<in_n>\d{1,4}) (?P<in_unit>days?|weeks?) (?P<in_way>from now|from today|ago)\b.{0,16}(?:what|which) (?:day|date)|\bwhat (?:day|date)\b.{0,30}\bin (?P<to_n>\d{1,4}|one|two|three|four|five|six|seven|ten) (?P<to_unit>days?|weeks?)\b"
)
_UNTIL = re.compile(
    r"(?P<month>\d{1,2})월\s?(?P<day>\d{1,2})일(?:까지)?\s?(?:은|는|이|가)?\s?(?P<what>며칠\s?남|무슨\s?요일|얼마나\s?남|d-?day|디데이)"
)
_CLOCK = re.compile(
    r"(?:지금|현재)\s?(?:은|는|이)?\s?(?:몇\s?시|시간|시각)|몇\s?시(?:야|예요|에요|지|인가요|죠)?\s?(?:지금)|^몇\s?시(?:야|예요|에요|지|인가요|죠)?\??$|\bwhat(?:'s| is) the time\b|\bwhat time is it\b"
)
_SHIFT = {
    "내일": 1, "모레": 2, "글피": 3, "어제": -1, "그저께": -2, "그제": -2,
    "tomorrow": 1, "yesterday": -1,
}  # fmt: skip
_COUNTED = {
    "하루": 1, "이틀": 2, "사흘": 3, "나흘": 4, "닷새": 5, "엿새": 6, "이레": 7, "여드레": 8, "아흐레": 9, "열흘": 10,
    "일": 1, "이": 2, "삼": 3, "사": 4, "한": 1, "두": 2, "세": 3, "네": 4,
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "ten": 10,
}  # fmt: skip
_DATE = N_("{date} is a {weekday}.")
_LEFT = N_("{date} is a {weekday}, {days} days from today.")
_TIME = N_("It is {time}.")


def on_calendar(message: str, now: datetime) -> str | None:
    """Return the date, weekday or time that a message asks for; `now` is in the user's zone."""
    text, locale, today = fold(message), language(message), now.date()
    if _CLOCK.search(text):
        return translate(_TIME, locale, time=f"{now:%H:%M}")
    after = _AFTER.search(text)
    if after is not None:
        return _shown(_moved(today, after), locale)
    until = _UNTIL.search(text)
    if until is not None:
        return _countdown(until, today, locale)
    if _TODAY.search(text) is None:
        return None
    shift = next((days for word, days in _SHIFT.items() if word in text), 0)
    return _shown(today + timedelta(days=shift), locale)


def _moved(today: date, match: re.Match[str]) -> date:
    groups = {name: value for name, value in match.groupdict().items() if value}
    named = next(value for name, value in groups.items() if name.endswith("n"))
    amount = int(named) if named.isdigit() else _COUNTED[named]
    unit = next((value for name, value in groups.items() if name.endswith("unit")), "일")
    back = any(value in ("전", "ago") for name, value in groups.items() if name.endswith("way"))
    amount = -amount if back else amount
    if unit.startswith(("개월", "달", "month", "년", "year")):
        months = amount * (12 if unit.startswith(("년", "year")) else 1)
        year, month = divmod(today.year * 12 + today.month - 1 + months, 12)
        return date(year, month + 1, min(today.day, 28)) if 1 <= year <= 9999 else today
    days = amount * (7 if unit.startswith(("주", "week")) else 1)
    return today + timedelta(days=days)


def _countdown(match: re.Match[str], today: date, locale: Locale) -> str | None:
    try:
        day = date(today.year, int(match["month"]), int(match["day"]))
    except ValueError:
        return None
    if "요일" in match["what"]:
        return _shown(day, locale)
    if day < today:
        day = day.replace(year=today.year + 1)
    return translate(_LEFT, locale, days=(day - today).days, **_named(day, locale))


def _shown(day: date, locale: Locale) -> str:
    return translate(_DATE, locale, **_named(day, locale))


def _named(day: date, locale: Locale) -> dict[str, str]:
    if locale == "ko":
        named = f"{day.year}년 {day.month}월 {day.day}일"
        return {"date": named, "weekday": _DAYS_KO[day.weekday()]}
    return {"date": f"{day:%B} {day.day}, {day.year}", "weekday": f"{day:%A}"}
