"""Find the key of a value in a Korean sentence: 예산 in 예산은 1.5억."""

import re

from saegim.conversations.summary.word_lists import any_of, words

MOST_WORDS = 3

# Topic and subject particles, and whether they follow a final consonant: 예산이, but not 나이.
_PARTICLES = {"은": True, "는": False, "이": True, "가": False, "을": True, "를": False}
_ALSO = any_of("에서는 | 에는 | 으로는 | 로는 | 이란 | 란 | 이라는 | 께서는 | 께서")
_LONG_PARTICLE = re.compile(rf"^(.{{1,20}}?){_ALSO}$")
_ENDS_IN_I = words(
    """
    고양이 나이 차이 아이 어린이 길이 높이 깊이 넓이 종이 놀이 호랑이 원숭이 쌍둥이 거북이 오이
    사이 페이 디스플레이 게이트웨이 데이 웨이 플레이
    """
)
_SHORT_NOUNS = words("키 값 돈 수 팀 집 방 층 폭 빚 짐 책 차 개 역 문 양 색 암 병 약 앱 웹 홈")
_PREFIXES = words("총 월 연 평균 최대 최소 누적 전체")
_FILLERS = words(
    """
    약 대략 지금 지금은 이제 이제는 현재 현재는 다시 새로 정확히 매월 매달 매년 딱 그냥 한 아니라
    아니고 말고 아마 일단 우선 이미 벌써 거의 더 또 각각 모두 전부 정도 네 예 음 아 그럼 그러면
    그리고 그런데 근데 참 아니 사실 오늘 어제 내일 이번에 이번에는 다음에 최종 이렇게 그렇게 결국
    무려 겨우 약간 정확하게 혹시
    따라 대해 관해 의해 위해 대한 관한 통해 맞춰
    """
)
_TIMES = words("다음 이번 지난 주 달 해 주말 월말 연말 올해 작년 내년 월 화 수 목 금 토 일")
_POINTERS = words(
    """
    그 이 저 그것 이것 저것 그거 이거 저거 그게 이게 그건 이건 거기 여기 저기 제 저희 우리 나 너
    내 당신 사용자 것 거 수 때 점 건 전체 나머지 각각 지금 이제 현재 오늘 어제 내일 올해 작년
    내년 이번
    """
)
_DETERMINERS = words(
    "우리 저희 제 내 나의 저의 그 이 저 현재 지금 새 새로운 바뀐 변경된 최신 이번 해당"
)
_ASIDE = any_of(
    """
    에서 | 에게 | 한테 | 까지 | 부터 | 으로 | 로 | 에 | 보다 | 처럼 | 만큼 | 마다 | 와 | 과 | 랑 |
    하고
    """
)
_ADVERBIAL = re.compile(rf".{_ASIDE}$")
_VERBAL = re.compile(
    any_of(
        """
        하고 | 이고 | 했고 | 됐고 | 되고 | 지만 | 는데 | 은데 | 인데 | 해서 | 아서 | 어서 |
        라서 | 려고 | 니까 | 면서 | 으며 | 이며 | 하며 | 습니다 | 이야 | 예요 | 에요 | 어요 |
        아요 | 입니다 | 합니다 | 세요 | 해줘 | 줘 | 거든 | 잖아 | 네요 | 군요 | 다 | 면 | 해 |
        된 | 한 | 할 | 될 | 하는 | 되는 | 있는 | 없는 | 같은 | 라는
        """
    )
    + "$"
)
_TENSE = 20  # the final consonant ㅆ: only in the past tense
# The noun of a verb in 하다 or 되다: 분석해줘, 배포했어.
_DONE = re.compile(r"^([가-힣]{2,6}?)(?:해|하|했|합|할|한|됐|되|된|될|됩)(?:[가-힣]{0,5})$")
_FOLLOWED = re.compile(any_of("에 | 부터 | 까지 | 으로 | 로 | 에는 | 날") + r"\s")
_WORD = re.compile(r"[^\s,;·()\[\]{}|\"'“”‘’「」『』<>*#]+")
_EDGE = re.compile(r"[,;·()\[\]|\"“”‘’「」『』<>]")
_SEPARATED = re.compile(r"[:=：|]\s*[\"'“‘*_`]*\s*$")


def key_before(left: str) -> tuple[str, bool] | None:
    """Find the key in the text before a value, and whether it is stated explicitly.

    `예산은 …` and `예산: …` are explicit; a noun beside the value is a guess.
    """
    separated = _SEPARATED.search(left)
    if separated:
        phrase = _words(_EDGE.split(left[: separated.start()])[-1])
        key = _joined([_head(word) or word for word in phrase[-MOST_WORDS:]])
        return (key, True) if key else None
    return _walk_back(_words(_EDGE.split(left)[-1])) or _walk_back(_words(left))


def key_after(right: str) -> str | None:
    """Find the key after a value: 3월 5일에 점검이 있어요."""
    if not _FOLLOWED.match(right):
        return None
    bare: list[str] = []
    for word in _words(_EDGE.split(right)[0])[1:5]:
        head = _head(word)
        if head:
            return _joined([*bare, head])
        if word == "따라" or is_verbal(word):
            return _joined(bare) or None
        bare = [] if _is_aside(word) else [*bare, word]
    return None


def topic(sentence: str) -> str | None:
    """Return the topic of a sentence, often a question: the last noun with a topic particle."""
    phrase = _words(sentence.rstrip("?？.! "))
    for index in range(len(phrase) - 1, -1, -1):
        head = _head(phrase[index])
        if head and head not in _POINTERS:
            return _joined([*_modifiers(phrase[:index]), head])
    bare = [word for word in phrase if not _is_aside(word) and not is_verbal(word)]
    return _joined(bare[:MOST_WORDS]) if bare else None


def named(phrase: str) -> str:
    """Strip leading words of a noun phrase: 참고로 우리 계약 담당자 is 계약 담당자."""
    *before, head = _words(phrase)
    return _joined([*_modifiers(before), head])


def stem(word: str) -> str:
    """Return a noun without its particle; "" if the word is no noun."""
    if word in _FILLERS or word in _POINTERS:
        return ""
    head = _head(word)
    if head is not None:
        return "" if head in _POINTERS else head
    adverbial = _ADVERBIAL.search(word)
    if adverbial and len(word) > 2:
        return word[: adverbial.start() + 1]
    done = _DONE.match(word)
    if done:
        return done[1]
    if is_verbal(word):
        return ""
    return word.removesuffix("의") if len(word) > 2 else word


def _walk_back(phrase: list[str]) -> tuple[str, bool] | None:
    """Search backwards from the value for a noun with a topic particle, else nouns beside it."""
    beside: list[str] = []
    for index in range(len(phrase) - 1, max(-1, len(phrase) - 8), -1):
        word = phrase[index]
        head = _head(word)
        if head in _POINTERS:
            continue
        if head is not None:
            beside = [word for word in beside if word not in _PREFIXES | _TIMES]
            key = _joined([*_modifiers(phrase[:index]), head, *beside])
            return (key, True) if key else None
        if _is_aside(word) or is_verbal(word) or word.endswith("의"):
            if beside:
                break
            continue
        if len(beside) == MOST_WORDS:
            break
        beside.insert(0, word)
    key = _joined([word for word in beside if word not in _PREFIXES])
    if not key or set(key.split()) <= _TIMES:
        return None
    return (key, False)


def _modifiers(before: list[str]) -> list[str]:
    """Return the nouns right before a head that modify it: 11월 AWS 총 비용."""
    taken: list[str] = []
    for word in reversed(before):
        apart = _is_aside(word) or is_verbal(word) or _is_marked(word)
        if (apart and word not in _PREFIXES) or len(taken) == MOST_WORDS:
            break
        taken.insert(0, word)
    return taken


def _is_aside(word: str) -> bool:
    return word in _FILLERS or (len(word) > 1 and bool(_ADVERBIAL.search(word)))


def is_verbal(word: str) -> bool:
    if _VERBAL.search(word):
        return True
    return any("가" <= each <= "힣" and (ord(each) - 0xAC00) % 28 == _TENSE for each in word)


def _is_marked(word: str) -> bool:
    """Return whether a word ends in a topic or subject particle."""
    return word[-1:] in _PARTICLES and _head(word) is not None


def _head(word: str) -> str | None:
    """Return the noun before a topic or subject particle; None without one."""
    long = _LONG_PARTICLE.match(word)
    if long:
        return long[1]
    noun, particle = word[:-1], word[-1:]
    if not noun or particle not in _PARTICLES or word in _ENDS_IN_I:
        return None
    if not "가" <= noun[-1] <= "힣":
        return noun
    if _has_final(noun[-1]) != _PARTICLES[particle]:
        return None
    if len(noun) == 1 and noun not in _SHORT_NOUNS and particle in "이가":
        return None
    return noun


def _has_final(syllable: str) -> bool:
    return (ord(syllable) - 0xAC00) % 28 != 0


def _words(text: str) -> list[str]:
    return _WORD.findall(text)


def _joined(parts: list[str]) -> str:
    parts = list(parts)
    while parts and parts[0] in _DETERMINERS:
        parts.pop(0)
    return " ".join(parts[-MOST_WORDS - 1 :]).strip(" .:-–")
