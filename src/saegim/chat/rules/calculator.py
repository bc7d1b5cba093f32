"""Arithmetic and calendar questions, answered by computing."""

import ast
import operator
import re
from calendar import monthrange
from collections.abc import Callable
from datetime import date, datetime, timedelta
from decimal import Decimal, DivisionByZero, InvalidOperation, Overflow

from saegim.chat.rules.patterns import pattern
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
    rf"({_NUMBER})\s*(?:원|달러|명|개)?\s*의\s*({_NUMBER})\s*(?:%|퍼센트|프로)(?:은|는|이면|면)?"
)
_UNITS = {"백": 100, "천": 1_000, "만": 10_000, "백만": 1_000_000, "천만": 10**7, "억": 10**8}
_LARGE = rf"({_NUMBER})\s?(천만|백만|억|만|천|백)"
_LARGE_PART = re.compile(_LARGE)
# 3만5천원, 1억 2천만, 1만 5000원
_LARGE_SUM = re.compile(
    rf"{_LARGE}(?:\s?{_LARGE})*(?:\s?(?P<rest>\d{{1,4}})(?=\s?(?:원|명|개|달러)))?"
    r"(?=\s?(?:원|명|개|달러|[^가-힣]|$|을|를|에|의|은|는))"
)
_VERBS = {"더하": "+", "빼": "-", "곱하": "*", "나누": "/", "나눠": "/"}
_VERB_LAST = re.compile(
    rf"({_NUMBER})\s*(?:원|명|개|달러)?(?:\s*(?:에서|에다가?|에|을|를|의)\s*|\s+)({_NUMBER})\s*(?:원|명|개|달러|사람)?\s*(?:을|를|으로|로|이서|이|에게)?\s*(더하|빼|곱하|나누|나눠)(?:면|서)"
)
_ASIDE = pattern("arithmetic", "aside")
_LONGEST = 100
# Of more digits, only the first are exact.
_MOST_DIGITS = 28
_EXPRESSION = re.compile(r"[\d.\s()+*/%-]+")
# 11/25, 24/7, 2026-11: rarely a sum.
_DATE_ALONE = re.compile(r"\s*(?:\d{1,2}/\d{1,2}|(?:19|20)\d\d-(?:0?[1-9]|1[0-2]))(?:은|는)?\W*")
_OPERATORS: dict[type[ast.operator], Callable[[Decimal, Decimal], Decimal]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: lambda left, right: left / right,
    ast.Mod: operator.mod,
}


def calculate(message: str) -> str | None:
    """Return "expression = result" for a message that asks only for arithmetic."""
    if len(message) > _LONGEST or _DATE_ALONE.fullmatch(text := fold(message)):
        return None
    expression = _expression(text)
    if expression is None:
        return None
    try:
        value = _value(ast.parse(expression.strip(), mode="eval").body)
    except (SyntaxError, ValueError, ArithmeticError, DivisionByZero, InvalidOperation, Overflow):
        return None
    if value.adjusted() >= _MOST_DIGITS:
        return None
    shown = expression.replace("**2", "²").replace("*", "×").replace("/", "÷")
    return f"{' '.join(_spaced(shown).split())} = **{_written(value)}**"


def _expression(text: str) -> str | None:
    text = _LARGE_SUM.sub(_in_digits, text)
    for percent, form in ((_PERCENT_OF, "{1} * {0} / 100"), (_OF_PERCENT, "{0} * {1} / 100")):
        match = percent.search(text)
        rest = _ASIDE.sub(" ", percent.sub(" ", text, count=1))
        if match is not None and not re.search(r"[\w가-힣]", rest):
            return form.format(*(each.replace(",", "") for each in match.groups()))
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
    parts = _LARGE_PART.findall(match[0])
    total = sum(Decimal(number.replace(",", "")) * _UNITS[unit] for number, unit in parts)
    return f"{total + int(match['rest'] or 0):f}"


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
_TODAY = pattern("calendar", "today")
_AFTER = pattern("calendar", "after")
_UNTIL = pattern("calendar", "until")
_CLOCK = pattern("calendar", "clock")
_ANOTHER_DAY = re.compile(
    r"\b(?:from (?:now|today)|ago|later)\b|\bin \w+ (?:day|week|month|year)s?\b"
)
_YEARS = {"재작년": -2, "작년": -1, "올해": 0, "내년": 1, "내후년": 2}
_SHIFT = {
    "내일모레": 2, "내일 모레": 2, "낼모레": 2, "내일": 1, "모레": 2,
    "글피": 3, "어제": -1, "그저께": -2, "그제": -2,
    "tomorrow": 1, "yesterday": -1,
}  # fmt: skip
_COUNTED = {
    "하루": 1, "이틀": 2, "사흘": 3, "나흘": 4, "닷새": 5, "엿새": 6,
    "이레": 7, "여드레": 8, "아흐레": 9, "열흘": 10,
    "일": 1, "이": 2, "삼": 3, "사": 4, "한": 1, "두": 2, "세": 3, "네": 4,
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5,
    "six": 6, "seven": 7, "ten": 10,
}  # fmt: skip
_TODAY_IS = N_("Today is {weekday}, {date}.")
_DATE = N_("{date} is a {weekday}.")
_LEFT = N_("{date} is a {weekday}, {days} days from today.")
_TIME = N_("It is {time}.")


def on_calendar(message: str, now: datetime) -> str | None:
    """Return the date, weekday or time that a message asks for; `now` is in the user's zone."""
    if len(message) > _LONGEST:
        return None
    text, locale, today = fold(message), language(message), now.date()
    if _CLOCK.search(text):
        return translate(_TIME, locale, time=f"{now:%H:%M}")
    after = _AFTER.search(text)
    if after is not None:
        day = _moved(today, after)
        return None if day is None else _shown(day, locale)
    until = _UNTIL.search(text)
    if until is not None:
        return _countdown(until, today, locale)
    if _TODAY.search(text) is None or _ANOTHER_DAY.search(text):
        return None
    shift = next((days for word, days in _SHIFT.items() if word in text), 0)
    return _shown(today + timedelta(days=shift), locale, _DATE if shift else _TODAY_IS)


def _moved(today: date, match: re.Match[str]) -> date | None:
    groups = {name: value for name, value in match.groupdict().items() if value}
    named = next(value for name, value in groups.items() if name.endswith("n"))
    amount = int(named) if named.isdigit() else _COUNTED[named]
    unit = next((value for name, value in groups.items() if name.endswith("unit")), "일")
    back = any(value in ("전", "ago") for name, value in groups.items() if name.endswith("way"))
    amount = -amount if back else amount
    if unit.startswith(("개월", "달", "month", "년", "year")):
        months = amount * (12 if unit.startswith(("년", "year")) else 1)
        year, month = divmod(today.year * 12 + today.month - 1 + months, 12)
        if not 1 <= year <= 9999:
            return None
        return date(year, month + 1, min(today.day, monthrange(year, month + 1)[1]))
    days = amount * (7 if unit.startswith(("주", "week")) else 1)
    return today + timedelta(days=days)


def _countdown(match: re.Match[str], today: date, locale: Locale) -> str | None:
    year = int(match["year"] or today.year + _YEARS.get(match["near"], 0))
    named = bool(match["year"] or match["near"])
    try:
        day = date(year, int(match["month"]), int(match["day"]))
        if "요일" not in match["what"] and day < today and not named:
            day = day.replace(year=year + 1)
    except ValueError:
        return None
    if "요일" in match["what"] or day < today:
        return _shown(day, locale)
    return translate(_LEFT, locale, days=(day - today).days, **_named(day, locale))


def _shown(day: date, locale: Locale, text: str = _DATE) -> str:
    return translate(text, locale, **_named(day, locale))


def _named(day: date, locale: Locale) -> dict[str, str]:
    if locale == "ko":
        named = f"{day.year}년 {day.month}월 {day.day}일"
        return {"date": named, "weekday": _DAYS_KO[day.weekday()]}
    return {"date": f"{day:%B} {day.day}, {day.year}", "weekday": f"{day:%A}"}
