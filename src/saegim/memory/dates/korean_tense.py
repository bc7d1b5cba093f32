"""The tense of Korean texts around time expressions, and what else they show of a date."""

import re

from saegim.memory.dates.expressions import Tense

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
