"""Names of people and pets: those that a text introduces, and the part they are asked by."""

import re
from collections.abc import Iterator

from saegim.memory.rules.loader import load

_HANGUL_NAME = r"([가-힣]{2,4}?)"
_AFTER_NAME = (
    r"(?=이에요|예요|에요|이야|야|입니다|이고|고|이다|다|라고|이라고|이가|이는|이랑|가|는|은|을|를|의|랑|한테|와|과|도"
    r"|[\s.,!'\"]|$)"
)
_TITLE = (
    r"님|씨|대리|과장|차장|부장|팀장|사원|선생님|교수|원장|대표(?!\s?(?:이미지|사진|전화|번호|메뉴|상품|제품|적|작|팀))"
    r"|이사(?!\s?(?:했|해|한|할|하|왔|와|온|올|오|갔|가[서고는려자야요]|간|갈|를|짐|비))"
)
_KOREAN = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?:이름|성함|닉네임|별명)(?:은|이)?\s?['\"‘“]?{_HANGUL_NAME}{_AFTER_NAME}",
        rf"(?:^|\s)(?:우리|울|저희|내|제)?\s?(?:{load('ko').kin})\s{_HANGUL_NAME}{_AFTER_NAME}",
        rf"(?:^|[\s(]){_HANGUL_NAME}\s?(?:{_TITLE})(?=[가-힣]{{0,3}}(?:[\s.,!]|$))",
        rf"(?:저는|나는|제가|내가|난|전)\s{_HANGUL_NAME}(?:이?라고)\s?(?:해|합니다|불러)",
    )
)
_CAPITAL = r"([A-Z][a-z]+(?:\s[A-Z][a-z]+)?)"
_ENGLISH = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?i:\b(?:named|called|name is|name['’]s|call me|i go by))\s{_CAPITAL}",
        rf"(?i:\b(?:my|our)\s(?:\w+\s)?(?:{load('en').kin})),?\s(?i:is\s)?{_CAPITAL}",
        rf"\b{_CAPITAL}\s(?:is|was)\s(?:my|our)\b",
        rf"\b(?:Mr|Mrs|Ms|Dr|Prof)\.?\s{_CAPITAL}",
        r"\b(?:I['’]m|I am)\s([A-Z][a-z]+\s[A-Z][a-z]+)",
    )
)
# Words that stand where a name could stand.
_NOT_NAME = re.compile(
    r"이름|생일|생신|나이|직업|회사|학교|전화|취미|고향|전공|혼자|같이|지금|오늘|내일|어제|매일|요즘|담당|우리|저희|사람|친구|알레르기|그리고"
    r"|그런데|하나|둘이|선물|건강|수술|결혼|이번|다음|지난|생각|때문|이야기|사진|방학|입원|병원"
    # Whom a title alone means, and what only ends like a name with one.
    r"|고객|회원|선생|부모|어머|아버|할머|할아버|사모|장모|사장|팀장|과장|부장|차장|대리|교수|원장|대표|이사|실장|본부장|담당자"
    r"|작가|기사|감독|관리자|운영자|개발자|아저|아가|손글|제품|상품|[봄여름가을겨울]+날|[가-힣]+(?:에서|으로|로|에|는|를)"
)


def names_in(text: str) -> Iterator[str]:
    """Yield the names that a text introduces: 딸 이름은 서윤이야, my wife Anna."""
    for pattern in (*_KOREAN, *_ENGLISH):
        for match in pattern.finditer(text):
            if _NOT_NAME.fullmatch(match[1]) is None:
                yield match[1]


_KOREAN_NAME = 3


def given_name(label: str) -> str:
    """Return the word of a label by which people are asked for: the first name, without titles, or
    the two last syllables of a Korean name."""
    words = [word for word in label.split() if len(word) > 1 and not word.endswith(".")]
    first = words[0] if words else label
    is_full = len(first) == _KOREAN_NAME and all("가" <= letter <= "힣" for letter in first)
    return first[1:] if is_full else first
