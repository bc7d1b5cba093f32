"""Understands a message by rules: its route, queries and tools."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from saegim.chat.types import FALLBACK_ROUTE, AssistantConfig, RouteConfig
from saegim.conversations.types import Entity, Exchange
from saegim.research.loop import in_thread
from saegim.text.analysis import fold, language, sentences
from saegim.tools.service import planned
from saegim.tools.types import ToolRequest, ToolSpec

_GREETINGS = """
안녕|안녕하세요|안녕하십니까|반가워|반가워요|반갑습니다|좋은 아침|좋은 아침이에요|하이|헬로|고마워
고마워요|고맙습니다|감사|감사해요|감사합니다|땡큐|수고|수고해|수고하세요|수고했어|잘 가|잘가
잘 자|잘자|안녕히 계세요|안녕히 가세요|바이|네|넵|응|그래|알겠어|알겠습니다|오케이|ㅇㅇ|ㅇㅋ|ㅋ+|ㅎ+
hi|hello|hey|hi there|hello there|good (?:morning|afternoon|evening|night)|thanks|thank you|thx|ty
thank you so much|thanks a lot|ok|okay|got it|bye|goodbye|see you|cheers
"""
_GREETING = re.compile("|".join(_GREETINGS.split("\n")[1:-1]))
_EDGES = re.compile(r"^[\s\W_]+|[\s\W_]+$")

_REFERENCE = re.compile(
    r"(?:그|이|저|위|해당|방금|아까|앞|이전|지난)\s?(?:에서\s?)?(?:말한|본|알려\s?준|언급한|찾은|나온|준)?\s?"
    r"(?:문서|글|자료|가이드|매뉴얼|설명서|안내서|절차서|내용|답변|링크)"
    r"|(?:더|좀\s?더|조금\s?더)\s?(?:자세히|상세히|구체적으로|알려|설명)|자세히\s?(?:좀\s?)?(?:알려|설명)"
    r"|(?:위|앞)에서\s?(?:말|언급|설명)|아까\s?(?:그|말한|알려)"
    r"|\b(?:that|this|the (?:same|above|previous|last))"
    r" (?:document|doc|guide|manual|article|page|file)\b"
    r"|\b(?:more|further) details?\b|\btell me more\b|\bin more detail\b|\belaborate\b"
)

_DEPENDS = re.compile(
    r"^(?:그럼|그러면|그런데|근데|그리고|또|아니면|혹시 그|이건|이거|이것|그쪽|걔|그"
    r"|then|and|but|so|what about|how about|or|why is that|is it|are they|does it|do they|can it)\b"
    r"|(?:그거|그것|그건|그게|거기|그중|그 중|그때|아까|방금|위에서|앞에서|이전에)"
    r"|\b(?:it|its|they|them|their|those|these|that one|this one|he|she|his|her|the same|there)\b"
)
_ELLIPSIS = re.compile(r"(?:은|는|도|랑|이랑|만)\s*\?*$")
_SHORT = 12
_SHORT_WORDS = 4


def is_greeting(message: str) -> bool:
    """Return whether a message only greets, thanks or agrees."""
    bare = _EDGES.sub("", fold(message))
    return bool(message.strip()) and (not bare or _GREETING.fullmatch(bare) is not None)


def refers_back(message: str) -> bool:
    """Return whether a message refers to an earlier document."""
    return _REFERENCE.search(fold(message)) is not None


def depends_on_thread(message: str) -> bool:
    """Return whether a message omits its subject: "1월은?", "그럼 그건?", "is it free?"."""
    folded = _EDGES.sub("", fold(message))
    if _DEPENDS.search(folded) or refers_back(message):
        return True
    short = len(folded) <= _SHORT and len(folded.split()) < _SHORT_WORDS
    return short and _ELLIPSIS.search(folded) is not None


_OWN = re.compile(
    r"(?:^|\s)(?:나|난|나는|내|저|저는|제|우리|저희|울)(?=[\s가-힣])|\b(?:i|i'm|my|we|our)\b"
)
_ASKS = re.compile(
    r"[?？]|뭐|뭘|무엇|무슨|어떤|어떻게|어디|언제|누구|누가|왜|얼마|몇|맞아|맞나|알려|설명|찾아|보여"
    r"|추천|비교|분석|정리|요약|해줘|해 줘|주세요"
    r"|(?:니|냐|까|나요|가요|을까|지)$"
    r"|\b(?:what|which|how|where|when|who|why)\b|^(?:can|could|is|are|does|do|should)\b"
)
_REMEMBER = re.compile(r"기억해|기억해\s?줘|잊지\s?마|remember (?:that|this|my)|note that")


def is_statement_about_self(message: str) -> bool:
    """Return whether a message states something about its author and asks nothing."""
    folded = fold(message).strip(" .!~")
    if _REMEMBER.search(folded):
        return True
    return _OWN.search(folded) is not None and _ASKS.search(folded) is None


_MONTHS = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
)
# Kinds of values that a follow-up replaces: "and in March?" after a question about February.
_KINDS = tuple(
    re.compile(kind, re.IGNORECASE)
    for kind in (
        r"(?<!\d)\d{1,2}월(?!\s?\d)",
        r"(?<!\d)\d{4}년(?!\s?\d)",
        r"(?<!\d)\d{1,2}분기",
        r"[월화수목금토일]요일",
        r"(?:지난|이번|다음)\s?(?:주|달|분기)|작년|올해|내년|어제|오늘|내일",
        rf"\b{_MONTHS}\b",
        r"\bq[1-4]\b",
        r"(?<!\d)(?:19|20)\d\d(?![\d년])",
    )
)
_LEAD = r"(?:그럼|그러면|그리고|그렇다면|혹시|and|then|so|but|(?:what|how) about)?[\s,]*"
_TAIL = r"\s*(?:은|는|도|에는|에도|(?:은|는)\s?어때|(?:은|는)\s?어땠어)?요?\s*[?？]*\s*"


def whole_question(message: str, earlier: Sequence[str], summary: str = "") -> str | None:
    """Complete a follow-up from earlier messages, else from the summary, the latest first.

    Returns None if no earlier text has a value of the same kind.
    """
    messages = [text for text in reversed(earlier) if text.strip()]
    for kind in _KINDS:
        follow_up = _follow_up(message, kind)
        if follow_up is None:
            continue
        for text in (*messages, *reversed(sentences(summary))):
            before = kind.search(text)
            if before is not None and not any(_follow_up(text, each) for each in _KINDS):
                return f"{text[: before.start()]}{follow_up[1]}{text[before.end() :]}".strip()
    return None


def _follow_up(text: str, kind: re.Pattern[str]) -> re.Match[str] | None:
    return re.fullmatch(rf"{_LEAD}({kind.pattern}){_TAIL}", text.strip(), re.IGNORECASE)


MOST_VARIANTS = 2
MOST_STANDALONE = 4_000


@dataclass(frozen=True, slots=True)
class Understanding:
    """What a message needs."""

    refers_to_document: bool = False
    route: str = FALLBACK_ROUTE
    standalone: str | None = None
    variants: tuple[str, ...] = ()
    tools: tuple[ToolRequest, ...] = ()


@dataclass(frozen=True, slots=True)
class UnderstandingInput:
    message: str
    said: tuple[Exchange, ...]
    config: AssistantConfig
    tools: tuple[ToolSpec, ...]
    summary: str = ""
    entities: tuple[Entity, ...] = ()


def understand(reading: UnderstandingInput) -> Understanding:
    """Understand a message by rules."""
    route = route_by_words(reading.message, reading.config)
    depends = depends_on_thread(reading.message)
    messages = [turn.message for turn in reading.said]
    standalone = whole_question(reading.message, messages, reading.summary)
    standalone = standalone or in_thread(reading.message, messages)
    forms = route.query_forms if language(reading.message) == "ko" and not depends else []
    variants = (form.replace("{message}", reading.message)[:1_000] for form in forms)
    return Understanding(
        refers_to_document=refers_back(reading.message) and bool(reading.said),
        route=route.name,
        # Cut from the front: the end is the message itself.
        standalone=standalone and standalone[-MOST_STANDALONE:],
        variants=tuple(text for text in variants if text.strip())[:MOST_VARIANTS],
        tools=tuple(planned(reading.message, {tool.name for tool in reading.tools})),
    )


def route_by_words(message: str, config: AssistantConfig) -> RouteConfig:
    """Return the first route with a word of the message, else the general one."""
    folded = fold(message)
    for route in config.routes:
        if any(fold(word) in folded for word in route.words):
            return route
    return config.route(FALLBACK_ROUTE) or RouteConfig(name=FALLBACK_ROUTE, about="")
