"""Entity pages: people, projects and things that several records name. By rules."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from saegim.memory.rules.attributes import ATTRIBUTES
from saegim.memory.synthesis.statement_groups import StatementGroup
from saegim.memory.synthesis.types import DerivedKind, DerivedStatement
from saegim.memory.types import Record
from saegim.text import analysis, function_words, stemming
from saegim.text.tokens import cut

LEAST_RECORDS = 2
_MOST_PAGES, _MOST_SOURCES, _MOST_LINES, _LINE_TOKENS = 40, 40, 8, 60

_KIN_WORDS = """
아내 남편 딸 아들 엄마 아빠 어머니 아버지 동생 누나 언니 오빠 형 할머니 할아버지 강아지 고양이
wife husband daughter son mother father sister brother mom dad dog cat
"""
_KIN = frozenset(_KIN_WORDS.split())
_PARTICLES = "이가은는을를도의와과랑"
_TITLES = "씨|님|선배|후배|팀장|대리|과장|차장|부장|이사|대표|교수|선생님|매니저"
_THINGS = "프로젝트|서비스|앱|제품|과제|논문|사업|project|app|team|paper"
# 민수 씨, 김 팀장: a person; 모바일 프로젝트, Apollo project: a project.
_TITLED = re.compile(
    rf"(?<![가-힣])([가-힣]{{1,4}})\s?(?:{_TITLES})(?=[^가-힣]|[은는이가을를와과의도랑께])"
)
_NAMED_THING = re.compile(rf"([^\W\d_][\w-]*)\s?(?:{_THINGS})(?![a-z])", re.IGNORECASE)
_INTRODUCED = re.compile(
    r"이름[은이]\s+([가-힣]{2,4}|[A-Z][\w-]+)|([가-힣]{2,4})(?:이?라는|이?라고 하는)"
    r"|\bnamed\s+([A-Z][\w-]+)"
)
_CAPITALISED = re.compile(r"(?<![.!?\w])(?<!^)\b([A-Z][\w-]{1,30})\b")
# "Priya will manage it": the subject of a sentence about somebody.
_SUBJECT = re.compile(
    r"(?:^|(?<=[.!?] ))([A-Z][a-z]{1,20})(?='s\b| (?:is|was|has|had|will|can|says|said|wants|got"
    r"|took|left|works|lives|plays|likes|thinks|moved|passed|started|[a-z]{2,}ed)\b)"
)
_NO_NAMES = """
monday tuesday wednesday thursday friday saturday sunday january february march april may june july
august september october november december ok pm am 우리 저희 이번 다음 새 내 제 그 이 our this next
new my user 사용자
"""
_NOT_NAMES = frozenset(_NO_NAMES.split()) | function_words.KOREAN | function_words.ENGLISH
_GENERAL = frozenset(
    analysis.fold(name) for each in ATTRIBUTES.values() for name in each.names.values()
)
_THING_WORDS = frozenset(_THINGS.split("|"))
_WORD = re.compile(r"[^\W_][\w-]*")


def entities_of(groups: Sequence[StatementGroup]) -> list[DerivedStatement]:
    """Return a page for each name that enough living records mention, most mentioned first."""
    records = [record for group in groups for record in group.records]
    written: dict[str, str] = {}
    for record in records:
        for name, title in _names(record):
            written.setdefault(analysis.fold(name), title)
    mentions = _mentions(records, set(written))
    pages = [(name, found) for name, found in mentions.items() if len(found) >= LEAST_RECORDS]
    pages.sort(key=lambda page: (-len(page[1]), page[0]))
    return [_page(written[name], name, found) for name, found in pages[:_MOST_PAGES]]


def _names(record: Record) -> Iterator[tuple[str, str]]:
    """Yield what may be names in a record, each with the title of its page."""
    text = record.content
    for match in _NAMED_THING.finditer(text):
        if _is_name(match[1]):
            yield match[1], match[0]
    for pattern in (_TITLED, _INTRODUCED, _CAPITALISED, _SUBJECT):
        for match in pattern.finditer(text):
            yield from ((name, name) for name in match.groups() if name and _is_name(name))
    for word in _WORD.findall(text):
        stem = _stem(word)
        if stem in _KIN:
            yield stem, stem
    topic = record.topic.strip()
    if topic and analysis.fold(topic) not in _GENERAL and " " not in topic and _is_name(topic):
        yield topic, topic


def named_in(title: str, text: str) -> bool:
    """Return whether a text names what a page is about."""
    words = {_stem(word) for word in _WORD.findall(title)} - _THING_WORDS
    return bool(words) and words <= {_stem(word) for word in _WORD.findall(text)}


def _is_name(word: str) -> bool:
    folded = analysis.fold(word)
    return folded not in _GENERAL and folded not in _NOT_NAMES


def _mentions(records: Sequence[Record], names: set[str]) -> dict[str, list[Record]]:
    mentions = defaultdict[str, list[Record]](list)
    for record in sorted(records, key=lambda each: (each.said_at, each.id)):
        words = {_stem(word) for word in _WORD.findall(f"{record.content} {record.topic}")}
        for name in sorted(words & names):
            mentions[name].append(record)
    return mentions


def _stem(word: str) -> str:
    folded = analysis.fold(word)
    if folded[:-1] in _KIN and folded[-1] in _PARTICLES:
        return folded[:-1]
    return stemming.korean(folded).written if "가" <= folded[0] <= "힣" else folded


def _page(written: str, name: str, found: Sequence[Record]) -> DerivedStatement:
    records = found[-_MOST_SOURCES:]
    lines = [cut(record.content, _LINE_TOKENS) for record in reversed(records)]
    turns = {turn for record in records for turn in record.sources}
    proofs = len(turns) + sum(not record.sources for record in records)
    return DerivedStatement(
        kind=DerivedKind.ENTITY,
        key=name,
        title=written,
        text="\n".join(list(dict.fromkeys(lines))[:_MOST_LINES]),
        sources=tuple(record.id for record in records),
        against=(),
        proofs=proofs,
        confidence=round((proofs + 1) / (proofs + 2), 2),
        first_seen=records[0].said_at,
        last_seen=records[-1].said_at,
    )
