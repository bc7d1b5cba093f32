"""Names of people and pets: those that a text introduces, and the part they are asked by."""

import re
from collections.abc import Iterator

_KOREAN_KIN = (
    *("아내", "와이프", "남편", "여자친구", "남자친구", "여친", "남친", "아들", "딸", "첫째"),
    *("둘째", "막내", "아이", "엄마", "아빠", "동생", "형", "누나", "언니", "오빠", "조카"),
    *("친구", "동료", "룸메이트", "강아지", "고양이"),
)
_ENGLISH_KIN = (
    *("wife", "husband", "partner", "girlfriend", "boyfriend", "son", "daughter", "kid", "baby"),
    *("mother", "mom", "mum", "father", "dad", "brother", "sister", "uncle", "aunt", "cousin"),
    *("niece", "nephew", "friend", "roommate", "colleague", "boss", "dog", "cat", "puppy"),
)
_HANGUL_NAME = r"([가-힣]{2,4}?)"
_AFTER_NAME = r"(?=이?(?:에요|예요|라고|[야고다가는랑])|입니다|[은을를의와과도]|한테|[\s.,!'\"]|$)"
_TITLE = (
    r"님|씨|대리|[과차부팀]장|사원|선생님|교수|원장"
    r"|대표(?!\s?(?:이미지|사진|전화|번호|메뉴|상품|제품|[적작팀]))"
    r"|이사(?!\s?(?:[했해한할하왔와온올오갔갈간를짐비]|가[서고는려자야요]))"
)
_KOREAN = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?:이름|성함|닉네임|별명)[은이]?\s?['\"‘“]?{_HANGUL_NAME}{_AFTER_NAME}",
        rf"(?:^|\s)(?:우리|울|저희|[내제])?\s?(?:{'|'.join(_KOREAN_KIN)})\s{_HANGUL_NAME}{_AFTER_NAME}",
        rf"(?:^|[\s(]){_HANGUL_NAME}\s?(?:{_TITLE})(?=[가-힣]{{0,3}}(?:[\s.,!]|$))",
        rf"(?:[저나]는|[제내]가|난|전)\s{_HANGUL_NAME}이?라고\s?(?:해|합니다|불러)",
    )
)
_CAPITAL = r"([A-Z][a-z]+(?:\s[A-Z][a-z]+)?)"
_ENGLISH = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?i:\b(?:(?:nick)?named|called|name is|name['’]s|call me|i go by))\s{_CAPITAL}",
        rf"(?i:\b(?:my|our)\s(?:\w+\s)?(?:{'|'.join(_ENGLISH_KIN)})(?:-in-law)?),?\s(?i:is\s)?{_CAPITAL}",
        rf"\b{_CAPITAL}\s(?:is|was)\s(?:my|our)\b",
        rf"\b(?:M[rs]|Mrs|Dr|Prof)\.?\s{_CAPITAL}",
        r"\b(?:I['’]m|I am)\s([A-Z][a-z]+\s[A-Z][a-z]+)",
    )
)
# Words that stand where a name could stand: subjects of their own, times, and titles alone.
_NOT_NAMES = (
    *("이름", "생일", "생신", "나이", "직업", "회사", "학교", "전화", "취미", "고향", "전공"),
    *("혼자", "같이", "지금", "오늘", "내일", "어제", "매일", "요즘", "우리", "저희", "사람"),
    *("친구", "선물", "건강", "수술", "결혼", "이번", "다음", "지난", "생각", "때문", "사진"),
    *("병원", "고객", "회원", "선생", "부모", "아저", "담당", "담당자", "관리자", "제품"),
    *("어머", "아버", "할머", "사모", "장모", "기사"),
)
_NO_NAME = re.compile(rf"[사실본부]{{1,2}}장|{_TITLE}|[가-힣]+(?:에서|으로|[로에는를날])")


def names_in(text: str) -> Iterator[str]:
    """Yield the names that a text introduces: 딸 이름은 서윤이야, my wife Anna."""
    for pattern in (*_KOREAN, *_ENGLISH):
        for match in pattern.finditer(text):
            name = match[1]
            if name not in _NOT_NAMES and _NO_NAME.fullmatch(name) is None:
                yield name


_KOREAN_NAME = 3


def given_name(label: str) -> str:
    """Return the word of a label by which people are asked for: the first name, without titles, or
    the two last syllables of a Korean name."""
    words = [word for word in label.split() if len(word) > 1 and not word.endswith(".")]
    first = words[0] if words else label
    is_full = len(first) == _KOREAN_NAME and all("가" <= letter <= "힣" for letter in first)
    return first[1:] if is_full else first
