"""Find proper names and their keys: 담당자는 김민수, a cat named Nabi."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from saegim.conversations.summary import korean
from saegim.conversations.summary.word_lists import any_of


@dataclass(frozen=True, slots=True)
class NameMention:
    """A name, its key, and the span of both."""

    key: str
    value: str
    start: int
    end: int


_KOREAN_BEARER = any_of(
    """
    이름 | 성함 | 별명 | 닉네임 | 별칭 | 담당자 | 책임자 | 관리자 | 팀장 | 매니저 | 대표 | 사장 |
    부장 | 과장 | 담당 | 주치의 | 의사 | 변호사 | 회사 | 직장 | 소속 | 부서 | 학교 | 대학 |
    병원 | 프로젝트 | 프로젝트명 | 코드명 | 서비스명 | 제품명 | 모델명 | 모델 | 제품 | 장비 |
    도메인 | 리전 | 지역 | 도시 | 고향 | 거주지 | 장소 | 회의실 | 계정 | 고객사 | 거래처 |
    공급사 | 업체 | 은행 | 브랜치 | 저장소 | 데이터베이스 | DB | 언어 | 프레임워크 | 클라우드 |
    배우자 | 남편 | 아내 | 아들 | 딸 | 강아지 | 고양이 | 반려견 | 반려묘 | 품종 | 혈액형 |
    알레르기 | 목적지 | 출발지 | 호스트 | 서버
    """
)
_KOREAN_VALUE = r"[가-힣A-Za-z][가-힣\w.+&-]{0,30}?(?:\s[가-힣A-Za-z][가-힣\w.+&-]{0,30}?){0,2}?"
_CHANGED = any_of(
    "바뀌 | 바뀐 | 바꿨 | 바꿔 | 변경 | 정했 | 정해 | 하기로 | 할게 | 했어 | 이사 | 옮"
)
_COPULA = any_of(
    """
    이세요 | 이십니다 | 이시고 | 인데 | 이야 | 야 | 이에요 | 예요 | 입니다 | 이고 | 고 | 이며 | 며 |
    이라고 | 라고 | 이라는 | 라는 | 이라서 | 라서 | 님이야 | 님이에요 | 님입니다
    """
)
_KOREAN_END = rf"(?:{_COPULA}|(?:으로|로)(?=\s?{_CHANGED}))"
_KOREAN = re.compile(
    rf"(?:^|(?<=[\s,(]))(?P<key>(?:[가-힣\w·]{{1,20}}\s){{0,2}}?{_KOREAN_BEARER})"
    r"(?:은|는|이|가|을|를|\s?[:：=])\s*"
    rf"(?:['\"‘“「『](?P<quoted>[^'\"’”」』]{{1,40}})['\"’”」』]|(?P<plain>{_KOREAN_VALUE}))"
    rf"(?:{_KOREAN_END}|(?=\s*(?:[,.!~]|$)))(?=[\s,.!~]|$)"
)
_SURNAMES = "김이박최정강조윤장임한오서신권황안송류홍전고문손양배백허남심노하곽성차주우구민나지엄"
_PERSON = rf"[{_SURNAMES}][가-힣]{{1,2}}\s?(?:님|씨)"
_KOREAN_PERSON = re.compile(
    rf"(?:^|(?<=[\s,(]))(?P<key>(?:[가-힣\w·]{{1,20}}\s){{0,2}}?[가-힣\w]{{2,20}}?)(?:은|는)\s(?P<plain>{_PERSON})"
    rf"{_COPULA}(?=[\s,.!~]|$)"
)
_KOREAN_IS = re.compile(
    rf"(?:^|(?<=[\s,(]))(?P<plain>[{_SURNAMES}][가-힣]{{2}}|{_PERSON})(?:이|가)\s(?:우리\s|저희\s|제\s|내\s)?"
    rf"(?P<key>(?:[가-힣\w]{{1,20}}\s)?{_KOREAN_BEARER}){_COPULA}(?=[\s,.!~]|$)"
)
_KOREAN_HOME = re.compile(
    r"(?P<plain>[가-힣A-Za-z]{2,10}?)"
    r"(?:에서?\s(?:살아|살고|삽니다|거주)|(?:으로|로)\s이사(?:했|왔|갔|하|를))"
)
_QUESTION_WORD = re.compile(r"^(?:어디|뭐|무엇|누구|언제|얼마|어느|몇|어떤|무슨|없|있|아직|모르)")
_MODIFIER = re.compile(r"(?:은|는|한|운|던|될|할|게|히|가|이|을|를|에|의|와|과|도)$")

_CAPS = r"[A-Z][\w'’&.-]{0,30}\w(?:\s(?:of\s|de\s|van\s|the\s)?[A-Z][\w'’&.-]{0,30}\w){0,3}"
_VALUE = rf"(?:[\"'“‘](?P<quoted>[^\"'”’]{{1,40}})[\"'”’]|(?P<plain>{_CAPS}))"
_ENGLISH_BEARER = (
    r"(?:name|nickname|manager|owner|contact|lead|boss|client|customer|vendor|supplier|company|employer"
    r"|city|hometown|hospital|school|university|region|provider|project|codename|team|department"
    r"|doctor|dentist|lawyer|accountant|teacher|dog|cat|wife|husband|son|daughter|partner|brother"
    r"|sister|product|model|host|server|database|branch|repository|language|framework|destination"
    r"|venue|office|bank|brand|street|reviewer|assignee|approver|sponsor)"
)
_ENGLISH = re.compile(
    rf"\b(?P<key>(?:[\w'’-]{{1,30}}\s){{0,2}}?(?i:{_ENGLISH_BEARER}))(?:'s name)?"
    r"(?:\s(?:is|are|was|will be)\s(?:now\s|called\s|named\s)?|\s?[:=]\s?)"
    rf"(?:Dr\.\s|Mr\.\s|Ms\.\s)?{_VALUE}"
)
_ENGLISH_CALLED = re.compile(
    rf"\b(?P<key>[a-z]{{1,30}}(?:\s[a-z]{{1,30}})?)\s(?:is\s|was\s)?(?:named|called|codenamed)\s{_VALUE}"
)
_ENGLISH_HOME = re.compile(
    rf"\b(?:live|lives|living|moved|relocated|based)\s(?:in|to)\s(?P<plain>{_CAPS})"
)
_ENGLISH_IS = re.compile(
    rf"\b(?P<plain>{_CAPS})\s(?:is|was|will be|remains|becomes)\s(?:my|our|the|his|her|their)\s"
    r"(?P<key>(?:[a-z-]{1,30}\s){0,2}[a-z-]{3,30})\b"
)
_ENGLISH_DOES = re.compile(
    rf"\b(?P<plain>{_CAPS})\s(?P<key>(?:runs|leads|owns|manages|heads|handles|reviews|approves)"
    r"\s(?:the\s|our\s)?[a-z-]{3,30}(?:\s[a-z-]{3,30})?)\b"
)
_LEADING = re.compile(
    r"^(?:the|an?|my|our|your|his|her|their|its|new|current|and|but|so)\s", re.IGNORECASE
)


def find_names(sentence: str) -> list[NameMention]:
    """Return the named things of a sentence in order, without overlaps."""
    mentions: list[NameMention] = []
    for mention in sorted([*_korean(sentence), *_english(sentence)], key=lambda each: each.start):
        if not mentions or mention.start >= mentions[-1].end:
            mentions.append(mention)
    return mentions


def _korean(sentence: str) -> Iterator[NameMention]:
    for match in _KOREAN.finditer(sentence):
        group = "quoted" if match["quoted"] else "plain"
        if group == "quoted" or _is_name(match["plain"]):
            yield _mention(match, group, korean.named(match["key"]))
    for pattern in (_KOREAN_PERSON, _KOREAN_IS):
        for match in pattern.finditer(sentence):
            yield _mention(match, "plain", korean.named(match["key"]))
    for match in _KOREAN_HOME.finditer(sentence):
        if not _QUESTION_WORD.match(match["plain"]):
            yield _mention(match, "plain", "거주지")


def _is_name(value: str) -> bool:
    """Return whether the value has no question word, modifier or verb."""
    *before, last = value.split()
    return (
        not _QUESTION_WORD.match(value)
        and not any(_MODIFIER.search(word) for word in before)
        and not any(korean.is_verbal(word) for word in value.split())
        and len(last) > 1
    )


def _english(sentence: str) -> Iterator[NameMention]:
    for pattern in (_ENGLISH, _ENGLISH_CALLED):
        for match in pattern.finditer(sentence):
            key = match["key"]
            while (leading := _LEADING.match(key)) is not None:
                key = key[leading.end() :]
            yield _mention(match, "quoted" if match["quoted"] else "plain", key)
    for pattern in (_ENGLISH_IS, _ENGLISH_DOES):
        for match in pattern.finditer(sentence):
            yield _mention(match, "plain", match["key"])
    for match in _ENGLISH_HOME.finditer(sentence):
        yield _mention(match, "plain", "home")


def _mention(match: re.Match[str], group: str, key: str) -> NameMention:
    return NameMention(key.strip(), match[group].strip(), match.start(), match.end())
