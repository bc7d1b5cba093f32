"""Rules of Korean time expressions."""

import re
from datetime import date, timedelta

from saegim.memory.dates.expressions import (
    DateRule,
    Grain,
    Resolved,
    Resolver,
    Tense,
    any_of,
    day_of_month,
    in_tense,
    last_weekday,
    later,
    monday,
    month_end,
    months_from,
    next_weekday,
    quarter_of,
    weekday_of_month,
    words,
)

YEARLY = re.compile(r"생일|생신|기념일|기일|매년|해마다|태어")
REPEATED = re.compile(r"매주|매달|매월|마다|격주|항상|보통|주로|평소|요일(?:은|엔|에는|씩)")
_ENDS_IN_SS = "".join(chr(code) for code in range(0xAC00 + 20, 0xD7A4, 28))
_PAST = re.compile(
    rf"(?:(?![있겠])[{_ENDS_IN_SS}])(?!으면|을)|[가-힣](?:던|본|간|온)\s(?:거|것|날|게|건)"
)
_AHEAD = re.compile(
    r"까지|예정|(?:할|갈|올|볼|살|낼|될|을|릴|질|킬)\s?(?:거|건|겁|게|래|예|계획)|야\s?(?:해|돼|하|되|함|됨|겠)|겠"
)

# What a plan was moved to lies ahead, although the moving is over: 12월 10일로 바뀌었어.
MOVED_TO = re.compile(
    r"\s?(?:으로|로)\s?(?:바뀌|바꾸|바꿨|변경|미뤄|미루|미룬|연기|당겨|당기|옮|확정|정해|정했|잡|조정|수정|늦)"
)
# What was arranged lies ahead, although the arranging is over: 금요일에 만나기로 했어.
_ARRANGED = re.compile(
    r"기로\s?(?:했(?!는데|지만|었|던)|함|정했|결정했)|예약(?:했|해\s?(?:놨|뒀)|됐)|예매(?:했|해\s?(?:놨|뒀))"
    r"|잡(?:았|혔|아\s?(?:놨|뒀))|끊(?:었|어\s?(?:놨|뒀))|신청했|취소(?:했|됐|되었)"
)
_MOVED_FROM = re.compile(rf"에서\s.{{1,20}}?{MOVED_TO.pattern}")
# 미팅 3일 전, 입사 1년 후: counted from the event, unless that is what happened then.
_FROM_EVENT = re.compile(
    r"(?:면접|시험|회의|미팅|발표|수술|검진|진료|출장|여행|마감|출시|출국|출발|입사|퇴사|계약|만료|만기|종료|시작|신청|접수|결제|구매"
    r"|가입|등록|배송|발송|졸업|결혼|출산|개강|행사|대회|공연|납기|납품|오픈|배포|이벤트|잔금|제출|예정|치료|입원|퇴원)(?:일|날)?\s$"
)
_HAPPENED = re.compile(
    r"(?:쯤)?(?:에)?\s?(?:했|함|해서|받았|봤|갔|왔|다녀|마쳤|끝냈|끝났|치렀|시작했|있었|냈)"
)


def tense_of(match: re.Match[str]) -> Tense:
    """Return the tense of what follows an expression, or of the whole text."""
    rest = match.string[match.end() :]
    if rest.lstrip().startswith(("까지", "전까지")) or MOVED_TO.match(rest):
        return Tense.FUTURE
    if _ARRANGED.search(rest) or _MOVED_FROM.match(rest):
        return Tense.UNKNOWN
    for text in (rest, match.string):
        past, ahead = _PAST.search(text), _AHEAD.search(text)
        if past and ahead:
            return Tense.PAST if past.start() < ahead.start() else Tense.FUTURE
        if past or ahead:
            return Tense.PAST if past else Tense.FUTURE
    return Tense.UNKNOWN


def counts_from_event(match: re.Match[str]) -> bool:
    """Return whether days are counted from an event, not from today: 미팅 3일 전."""
    after = match.string[match.end() :]
    if _FROM_EVENT.search(match.string[: match.start()]) is None:
        return False
    return _HAPPENED.match(after) is None


def is_until(match: re.Match[str]) -> bool:
    """Return whether something is due by an expression: 금요일까지."""
    return match.string[match.end() :].lstrip().startswith(("까지", "전까지", "안으로", "이전"))


_WORDS = words("ko")
_WEEKDAYS = "월화수목금토일"
_DAYS_FROM_NOW: dict[str, int] = _WORDS["days"]
_COUNTED_DAYS: dict[str, int] = _WORDS["counted_days"]
_NUMBERS: dict[str, int] = _WORDS["numbers"]
_YEARS_FROM_NOW: dict[str, int] = _WORDS["years"]
_NEAR: dict[str, int] = _WORDS["near"]
_ORDINALS: dict[str, int] = _WORDS["ordinals"]
_SEASON_MONTH: dict[str, int] = _WORDS["seasons"]
_HOLIDAYS: dict[str, list[int]] = _WORDS["holidays"]
_LUNAR: dict[str, list[list[int]]] = _WORDS["lunar"]
_LUNAR_NAMES: dict[str, str] = _WORDS["lunar_names"]

_HANGUL = re.compile(r"[가-힣]")
_EVENT = re.compile(
    r"(?:면접|시험|회의|미팅|발표|수술|검진|진료|예약|예식|결혼식|모임|회식|마감|출국|출발|이사|계약|잔금|제출|총회|약속|예정일"
    r"|개강|개학|공연|콘서트|대회|행사|오픈|개업|잔치|상견례|날짜|일정|(?:아니고|아니라|말고))[은는이가도]?\s?(?:\S+\s)?$"
)


def _named_day(match: re.Match[str], today: date) -> Resolved:
    word = re.sub(r"\s+", " ", match[1])
    return today + timedelta(days=_DAYS_FROM_NOW[word]), Grain.DAY


def _week(match: re.Match[str], today: date) -> Resolved:
    first = monday(today, _NEAR[match[1]])
    if match[2]:
        return first + timedelta(days=_WEEKDAYS.index(match[2])), Grain.DAY
    if match[3]:
        return first + timedelta(days=5), Grain.WEEKEND
    return first, Grain.WEEK


def _near_weekday(match: re.Match[str], today: date) -> Resolved:
    """지난 금요일 is the last before today, 오는 금요일 the next, 다음 금요일 that of next week."""
    near, weekday = _NEAR[match[1]], _WEEKDAYS.index(match[2])
    if near == -1:
        return last_weekday(today, weekday), Grain.DAY
    if match[1] in ("오는", "돌아오는"):
        return next_weekday(today, weekday), Grain.DAY
    return monday(today, near) + timedelta(days=weekday), Grain.DAY


def _weekday_alone(match: re.Match[str], today: date) -> Resolved:
    """금요일까지: the last one if the text is in the past tense, else the next."""
    if REPEATED.search(match.string) or YEARLY.search(match.string):
        return None
    if _WEEKLY_RANGE.search(match.string) and _HABIT.search(match.string):
        return None
    begins = _RANGE_BEGINS.search(match.string[: match.start()])
    if begins is not None:
        first = _range_begin(begins, match, today)
        return next_weekday(first, _WEEKDAYS.index(match[1])), Grain.DAY
    resolve = last_weekday if tense_of(match) is Tense.PAST else next_weekday
    return resolve(today, _WEEKDAYS.index(match[1])), Grain.DAY


def _range_begin(begins: re.Match[str], match: re.Match[str], today: date) -> date:
    """Return the Monday of 다음 주 월요일부터 금요일까지."""
    weekday = _WEEKDAYS.index(begins[2])
    if begins[1]:
        return monday(today, _NEAR[begins[1]]) + timedelta(days=weekday)
    resolve = last_weekday if tense_of(match) is Tense.PAST else next_weekday
    return resolve(today, weekday)


def _weekend_alone(match: re.Match[str], today: date) -> Resolved:
    if REPEATED.search(match.string):
        return None
    weeks = -1 if tense_of(match) is Tense.PAST and today.weekday() < 5 else 0
    return monday(today, weeks) + timedelta(days=5), Grain.WEEKEND


def _near_month(match: re.Match[str], today: date) -> Resolved:
    first = months_from(today, _NEAR.get(match[1], 0))
    if match[2]:
        return first.replace(day=int(match[2])), Grain.DAY
    return first, Grain.MONTH


def _near_named_month(match: re.Match[str], today: date) -> Resolved:
    """지난 3월 is the last one that began, 오는 3월 the next."""
    tense = Tense.PAST if _NEAR[match[1]] < 0 else Tense.FUTURE
    if match[3]:
        return in_tense(today, int(match[2]), int(match[3]), tense), Grain.DAY
    day = 1 if tense is Tense.PAST else 28
    return in_tense(today, int(match[2]), day, tense).replace(day=1), Grain.MONTH


def _near_month_end(match: re.Match[str], today: date) -> Resolved:
    if not is_until(match) and not match[2].endswith("일"):
        return None
    return month_end(months_from(today, _NEAR.get(match[1], 0))), Grain.DAY


def _this_month_end(match: re.Match[str], today: date) -> Resolved:
    return None if REPEATED.search(match.string) else (month_end(today), Grain.DAY)


def _year_end(match: re.Match[str], today: date) -> Resolved:
    return (date(today.year, 12, 31), Grain.DAY) if is_until(match) else None


def _named_month_end(match: re.Match[str], today: date) -> Resolved:
    """6월 말까지: the last day of June."""
    if not is_until(match) or YEARLY.search(match.string):
        return None
    return month_end(in_tense(today, int(match[1]), 28, Tense.FUTURE)), Grain.DAY


# The first and last day of a part of a month.
_PARTS = {"초": (1, 10), "중순": (11, 20), "말": (21, 28)}


def _part_of_month(match: re.Match[str], today: date) -> Resolved:
    """6월 of 6월 초, 6월 첫째 주: the month of the nearest year."""
    if YEARLY.search(match.string) or REPEATED.search(match.string):
        return None
    tense, part = tense_of(match), match.string[match.end() :].lstrip()
    first, last = next((days for name, days in _PARTS.items() if part.startswith(name)), (15, 15))
    day = {Tense.PAST: first, Tense.FUTURE: last}.get(tense, 15)
    return in_tense(today, int(match[1]), day, tense).replace(day=1), Grain.MONTH


def _quarter(match: re.Match[str], today: date) -> Resolved:
    first = quarter_of(today, _NEAR[match[1]])
    if match[2] and is_until(match):
        return months_from(first, 3) - timedelta(days=1), Grain.DAY
    return None if match[2] else (first, Grain.QUARTER)


def _quarter_end(match: re.Match[str], today: date) -> Resolved:
    if not is_until(match):
        return None
    return quarter_of(today, 1) - timedelta(days=1), Grain.DAY


def _numbered_weekday(match: re.Match[str], today: date) -> Resolved:
    """11월 셋째 주 토요일, 다음 달 마지막 금요일."""
    if YEARLY.search(match.string):
        return None
    number, weekday = _ORDINALS[match[3]], _WEEKDAYS.index(match[4])
    if match[1]:
        first = months_from(today, _NEAR[match[1]])
    else:
        first = in_tense(today, int(match[2]), 15, tense_of(match)).replace(day=1)
    return weekday_of_month(first, number, weekday), Grain.DAY


def _in_year(year: int, month: str | None, day: str | None, season: str | None) -> Resolved:
    if season:
        return date(year, _SEASON_MONTH[season], 1), Grain.SEASON
    if month and day:
        return date(year, int(month), int(day)), Grain.DAY
    if month:
        return date(year, int(month), 1), Grain.MONTH
    return date(year, 1, 1), Grain.YEAR


def _written(match: re.Match[str], _today: date) -> Resolved:
    return _in_year(int(match[1]), match[2], match[3], match[4])


def _year(match: re.Match[str], today: date) -> Resolved:
    if match[1] == "올" and not (match[2] or match[4]):
        return None
    return _in_year(today.year + _YEARS_FROM_NOW[match[1]], match[2], match[3], match[4])


def _season(match: re.Match[str], today: date) -> Resolved:
    """지난 여름 is the last one that began; 이번 and 다음 the next that is not over."""
    first = date(today.year, _SEASON_MONTH[match[2]], 1)
    if _NEAR[match[1]] < 0:
        return (first if first <= today else first.replace(year=first.year - 1)), Grain.SEASON
    over = months_from(first, 3) <= today
    return (first.replace(year=first.year + 1) if over else first), Grain.SEASON


_UNITS = {"일": "day", "주일": "week", "주": "week", "개월": "month", "달": "month"}


def _count(match: re.Match[str], today: date) -> Resolved:
    if counts_from_event(match):
        return None
    number = int(match[1]) if match[1].isdigit() else _NUMBERS[match[1]]
    sign = -1 if match[3] == "전" else 1
    return later(today, sign * number, _UNITS.get(match[2], "year"))


def _years_and_months(match: re.Match[str], today: date) -> Resolved:
    """1년 6개월 전."""
    if counts_from_event(match):
        return None
    months = 12 * int(match[1]) + int(match[2])
    return months_from(today, -months if match[3] == "전" else months), Grain.MONTH


def _weekday_of_week(match: re.Match[str], today: date) -> Resolved:
    """2주 뒤 금요일: the Friday of that week."""
    number = int(match[1]) if match[1].isdigit() else _NUMBERS[match[1]]
    first = monday(today, -number if match[2] == "전" else number)
    return first + timedelta(days=_WEEKDAYS.index(match[3])), Grain.DAY


def _days_left(match: re.Match[str], today: date) -> Resolved:
    """D-10."""
    return today + timedelta(days=int(match[1])), Grain.DAY


def _counted_days(match: re.Match[str], today: date) -> Resolved:
    if counts_from_event(match):
        return None
    sign = -1 if match[2] == "전" else 1
    return today + timedelta(days=sign * _COUNTED_DAYS[match[1]]), Grain.DAY


def _half_year(match: re.Match[str], today: date) -> Resolved:
    if counts_from_event(match):
        return None
    return months_from(today, -6 if match[1] == "전" else 6), Grain.MONTH


def _day_of_year(match: re.Match[str], today: date) -> Resolved:
    """A day without a year is the nearest that the tense allows, unless it comes every year."""
    if YEARLY.search(match.string):
        return None
    return in_tense(today, int(match[1]), int(match[2]), tense_of(match)), Grain.DAY


def _slashed(match: re.Match[str], today: date) -> Resolved:
    """6/22 of a Korean text."""
    return _day_of_year(match, today) if _HANGUL.search(match.string) else None


def _day_alone(match: re.Match[str], today: date) -> Resolved:
    """12일까지: of this month, or of the next one that the tense means."""
    if REPEATED.search(match.string):
        return None
    return day_of_month(today, int(match[1]), tense_of(match)), Grain.DAY


def _event_day(match: re.Match[str], today: date) -> Resolved:
    """면접은 20일이야, 10일 말고 17일: a day if it is that of an event, else a number of days."""
    before = match.string[: match.start()]
    moved = MOVED_TO.match(match.string[match.end() :])
    if not moved and not _EVENT.search(before):
        return None
    return _day_alone(match, today)


def _holiday(match: re.Match[str], today: date) -> Resolved:
    if YEARLY.search(match.string) or REPEATED.search(match.string):
        return None
    if match[1] in _HOLIDAYS:
        month, day = _HOLIDAYS[match[1]]
        return in_tense(today, month, day, tense_of(match)), Grain.DAY
    past = tense_of(match) is Tense.PAST
    days = [date(*day) for day in _LUNAR[_LUNAR_NAMES[match[1]]]]
    choices = [day for day in days if (day <= today if past else day >= today)]
    return ((max if past else min)(choices), Grain.DAY) if choices else None


_IN_YEAR = r"(?:\s?(\d{1,2})월(?:\s?(\d{1,2})일)?|\s?(봄|여름|가을|겨울))?"
_NOT_WORD = r"(?<![가-힣])"
_WHICH = rf"({any_of(_NEAR)})"
_WHICH_MONTH = rf"({any_of(_NEAR)}|이(?=달))"
_WEEKDAY = rf"([{_WEEKDAYS}])(?:요일|욜)"
_ORDINAL = rf"({any_of(_ORDINALS)})"
_RANGE_BEGINS = re.compile(rf"(?:{_WHICH}\s?주\s?)?{_WEEKDAY}\s?(?:부터|~|-)\s?$")
_WEEKLY_RANGE = re.compile(rf"(?<!주)(?<!주 ){_WEEKDAY}\s?(?:부터|~|-)\s?{_WEEKDAY}")
_HABIT = re.compile(
    r"출근|근무|일(?:해|하|함)|수업|재택|영업|운영|진료|휴무|쉬(?:어|는|고)|쉽니다|열(?:어|려)"
)
_DAY_ENDS = r"(?=에(?!서)|까지|부터|로|날|이야|이에요|예요|입니다|인데|이고|\s|[,.!~(]|$)"


def _rule(
    pattern: str, resolve: Resolver, *, relative: bool = True, holiday: bool = False
) -> DateRule:
    return DateRule(re.compile(pattern), resolve, relative, holiday)


_AGO = r"(전|뒤|후|있다가|있으면|지나면)"
_COUNT = rf"(\d{{1,3}}|{any_of(_NUMBERS)})"

KOREAN: tuple[DateRule, ...] = (
    _rule(r"(?<!\d)((?:19|20)\d\d)[./]\s?(\d{1,2})[./]\s?(\d{1,2})()(?!\d)", _written),
    _rule(
        rf"{_NOT_WORD}(?:올해|올|이번)\s?({any_of((*_HOLIDAYS, *_LUNAR_NAMES))})"
        r"(?=에|은|는|까지|날|때|\s|$)",
        _holiday,
        holiday=True,
    ),
    _rule(rf"(?<![가-힣\d]){_COUNT}\s?주\s?(전|뒤|후)\s?{_WEEKDAY}", _weekday_of_week),
    _rule(r"(?<![A-Za-z0-9])[Dd]\s?-\s?(\d{1,3})(?![A-Za-z\d.-])", _days_left),
    _rule(rf"(?<!\d)((?:19|20)\d\d)년{_IN_YEAR}", _written, relative=False),
    _rule(rf"{_NOT_WORD}({any_of(_YEARS_FROM_NOW)}){_IN_YEAR}(?!바|라|려|리|림|린)", _year),
    _rule(
        rf"{_NOT_WORD}{_WHICH}\s?주(?:\s?(?:{_WEEKDAY}|(?:주\s?)?(말)))?(?![가-힣]{{0,1}}년)", _week
    ),
    _rule(rf"{_NOT_WORD}{_WHICH}\s?{_WEEKDAY}", _near_weekday),
    _rule(
        rf"{_NOT_WORD}(?:{_WHICH}\s?달|(?<!\d)(\d{{1,2}})월)\s?{_ORDINAL}\s?(?:주\s?)?{_WEEKDAY}",
        _numbered_weekday,
    ),
    _rule(rf"{_NOT_WORD}{_WHICH_MONTH}\s?달(?:\s?(\d{{1,2}})일)?", _near_month),
    _rule(rf"{_NOT_WORD}{_WHICH}\s?(\d{{1,2}})월(?:\s?(\d{{1,2}})일)?", _near_named_month),
    _rule(rf"{_NOT_WORD}{_WHICH_MONTH}\s?달\s?(말일|말)", _near_month_end),
    _rule(rf"{_NOT_WORD}{_WHICH}\s?분기(\s?말)?", _quarter),
    _rule(rf"{_NOT_WORD}분기\s?말", _quarter_end),
    _rule(rf"{_NOT_WORD}(?:월말|말일)(?=까지|에|\s|$)", _this_month_end),
    _rule(rf"{_NOT_WORD}(?:(?:올해\s?)?연말|올해\s?말)", _year_end),
    _rule(rf"{_NOT_WORD}{_WHICH}\s?(봄|여름|가을|겨울)", _season),
    _rule(
        rf"{_NOT_WORD}({any_of(_DAYS_FROM_NOW)})"
        r"(?![가-힣]*(?:의\s?집|부터\s?매))(?!름)",
        _named_day,
    ),
    _rule(rf"(?<![\d~,-])(\d{{1,2}})년\s?(\d{{1,2}})(?:개월|달)\s?{_AGO}", _years_and_months),
    _rule(
        rf"(?<![\d~,-])(?<!\d, )(?<!박 )(\d{{1,3}})\s?(일|주일|주|개월|달|년)\s?{_AGO}"
        r"(?![가-힣]?기)",
        _count,
    ),
    _rule(rf"{_NOT_WORD}({any_of(_NUMBERS)})\s?(달|주|해|개월|년)\s?{_AGO}(?![가-힣]?기)", _count),
    _rule(rf"{_NOT_WORD}({any_of(_COUNTED_DAYS)})\s?{_AGO}", _counted_days),
    _rule(rf"{_NOT_WORD}반년\s?(전|뒤|후)", _half_year),
    _rule(r"(?<![\d년(])(?<!년 )(?<!달 )(\d{1,2})월\s?(\d{1,2})일", _day_of_year),
    _rule(r"(?<![\d년])(?<!년 )(\d{1,2})월\s?말(?![가-힣]*고)", _named_month_end),
    _rule(
        rf"(?<![\d년])(?<!년 )(\d{{1,2}})월(?=\s?(?:초|중순|말|{any_of(_ORDINALS)}))",
        _part_of_month,
    ),
    _rule(
        r"(?<![\d/.])(\d{1,2})/(\d{1,2})(?![\d/.%])(?=에|까지|부터|로(?!\s?[줄나늘])|일|날|이[야고]|\s?[~\-–(]|"
        r"\s(?!컵|확률|정도)|[,.!]|$)",
        _slashed,
    ),
    _rule(
        r"(?<![\d월.,/:년개])(?<!월 )(?<!달 )(?<!달)(\d{1,2})일(?=까지|부터|에(?!서)|날|"
        r"\s?(?:오전|오후|아침|저녁|밤|새벽|\d{1,2}시|~|-|\())(?!에\s?(?:한|\d|두)\s?(?:번|회|알|잔))",
        _day_alone,
    ),
    _rule(
        r"(?<![\d월.,/:년개])(?<!월 )(?<!달 )(?<!달)(\d{1,2})일"
        r"(?=(?:로|이[야에고]|입니다|인데|임|\s|[.!~,]|$))(?!\s?(?:동안|간|씩|만|내내|이상|이내|정도|째|전|뒤|후))",
        _event_day,
    ),
    _rule(rf"(?<![가-힣\d]){_WEEKDAY}{_DAY_ENDS}(?!마다)", _weekday_alone),
    _rule(rf"{_NOT_WORD}주말(?=에(?!는)|까지|\s)", _weekend_alone),
    _rule(
        rf"{_NOT_WORD}(?<!년 )({any_of((*_HOLIDAYS, *_LUNAR_NAMES))})(?=에|까지|날|때|\s|$)",
        _holiday,
        holiday=True,
    ),
)
