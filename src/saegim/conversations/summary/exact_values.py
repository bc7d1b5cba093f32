"""Exact values with what they are said of, found by rule in what was said."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from saegim.conversations.summary import english, korean
from saegim.conversations.summary.proper_names import find_names
from saegim.conversations.summary.values import Value, ValueKind, find_values
from saegim.conversations.summary.word_lists import any_of
from saegim.conversations.types import Exchange, same_key
from saegim.llm.search_mode import is_search_mode
from saegim.text import analysis
from saegim.text.quotations import own_words

# A reply full of numbers must not push out what the user said.
MOST_OF_REPLY = 5
# What has more values than this is a table or a log, and what stands farther away says nothing.
MOST_OF_SENTENCE = 30
MOST_OF_TEXT = 200
AROUND = 120

_GLUED = re.compile(r"[가-힣]*")
_HANGUL = re.compile(r"[가-힣]")
_MARKUP = re.compile(r"\*\*|__|`|^\s*(?:[-*+•>]|\d{1,2}[.)]|#{1,6})\s+|^\s*\|\s*|\s*\|\s*$")
_ASKING = re.compile(
    r"[?？]\s*$|"
    + any_of(
        """
        맞나요 | 되나요 | 있나요 | 없나요 | 하나요 | 인가요 | 까요 | 을까 | ㄹ까 | 얼마야 | 얼마지 |
        얼마였지 | 뭐야 | 뭐지 | 뭐였지 | 언제야 | 언제지 | 누구야
        """
    )
    + r"[.!~\s]*$"
)
_SUPPOSING = re.compile(
    any_of("만약 | 만일 | 예를 들 | 가정하 | 한다면") + r"|(?:라|이|하|되|리)면\s|\be\.g\."
    r"|\b(?:if|would|could|for example|suppose|let's say|might)\b",
    re.IGNORECASE,
)
_DENIED = re.compile(r"^(?:이|가)?\s?(?:아니라|아니고|아니야|아니에요|아닙니다|말고)")
_DENIED_BEFORE = re.compile(r"\b(?:not|instead of|rather than|isn't|wasn't|from)\s$", re.IGNORECASE)
_CORRECTING = re.compile(r"아니|정정|\b(?:no|sorry|actually|rather|to|wait)\b|->|→", re.IGNORECASE)
_ENDING = re.compile(r"^(?:이?야|입니다|이에요|예요|임|이고|으로|로)?\s*(?:[,.!]|$)")
_CHANGING = re.compile(
    r"^(?:으로|로)\s?"
    + any_of(
        """
        변경 | 수정 | 증액 | 감액 | 조정 | 확정 | 결정 | 상향 | 하향 | 바꿔 | 바꾸 | 바뀌 |
        올려 | 올리 | 늘려 | 줄여 | 맞춰 | 잡 | 해줘 | 하자 | 할게 | 정
        """
    )
)
_GIVEN_UP = re.compile(r"^에서\s(?!의)|^\s?(?:->|→)")
_KIND_KEY = {
    ValueKind.AMOUNT: ("금액", "amount"),
    ValueKind.PERCENT: ("비율", "percentage"),
    ValueKind.DATE: ("날짜", "date"),
    ValueKind.ID: ("번호", "id"),
    ValueKind.VERSION: ("버전", "version"),
}


@dataclass(frozen=True, slots=True)
class KeyedValue:
    """A value and its key; `outright` where the text says that the one is the other's."""

    key: str
    value: str
    outright: bool
    start: int


def exact_values(turn: Exchange, before: str = "") -> list[KeyedValue]:
    """The keyed values of a turn in order; what the user said counts over what was answered.

    `before` is what was said last before the turn: a question there names the value that follows.
    """
    said = list(islice(find_exact(own_words(turn.message), before), MOST_OF_TEXT))
    keys = {same_key(found.key) for found in said}
    values = {found.value for found in said}
    reply = "" if is_search_mode(turn.reply) else turn.reply
    answered = [
        found
        for found in islice(find_exact(reply, turn.message), MOST_OF_TEXT)
        if found.outright and same_key(found.key) not in keys and found.value not in values
    ]
    return [*said, *answered[:MOST_OF_REPLY]]


def find_exact(text: str, before: str = "") -> Iterator[KeyedValue]:
    """The values that a text states, with their keys. Questions and suppositions state nothing."""
    topic = _asked_about(before)
    for whole in analysis.sentences(text):
        sentence = _MARKUP.sub("", whole).strip()
        if _ASKING.search(sentence) or _SUPPOSING.search(sentence):
            continue
        stated = _stated(sentence, topic)
        for found in stated:
            if not any(found.value in other.key for other in stated):
                yield found
        outright = [found.key for found in stated if found.outright]
        topic = outright[-1] if outright else topic


def _stated(sentence: str, topic: str | None) -> list[KeyedValue]:
    names = find_names(sentence)
    found = [KeyedValue(each.key, each.value, True, each.start) for each in names]
    spans = [(each.start, each.end) for each in names]
    for value in find_values(sentence)[:MOST_OF_SENTENCE]:
        if any(start <= value.start < end for start, end in spans):
            continue
        left = _without(sentence, value.start, spans)
        right = sentence[value.end : value.end + AROUND]
        keyed = _keyed(left, value, right, topic)
        if keyed is not None and _is_another(keyed, found, sentence):
            keyed = None
        if keyed is not None:
            found.append(keyed)
            topic = keyed.key if keyed.outright else topic
        # A date may be part of what the next value is said of: 11월 비용, revenue for Q3 2026.
        dated = value.kind is ValueKind.DATE and not (keyed is not None and keyed.outright)
        if (keyed is not None and not dated) or _is_replaced(right):
            spans.append((value.start, value.end))
    return sorted(found, key=lambda each: each.start)


def _without(sentence: str, place: int, spans: list[tuple[int, int]]) -> str:
    """The text before a place without the values before it: they are no part of its key."""
    first = max(0, place - AROUND)
    left = sentence[first:place]
    for start, end in sorted(spans, reverse=True):
        if first <= start and end <= place:
            # A particle sticks to a Korean value; what follows it up to the space goes along.
            tail = _GLUED.match(left, end - first)
            left = left[: start - first] + left[tail.end() if tail else end - first :]
    return left


def _keyed(left: str, value: Value, right: str, topic: str | None) -> KeyedValue | None:
    """The value under its key; None for one that is denied, given up, or said of nothing."""
    if _is_replaced(right) or _DENIED_BEFORE.search(left):
        return None
    in_korean = bool(_HANGUL.search(left + right))
    before = korean.key_before(left) if in_korean else english.key_before(left)
    found = KeyedValue("", value.text, True, value.start)
    if before is not None and before[1]:
        return replace(found, key=before[0])
    loose = value.kind is ValueKind.LOOSE
    if before is not None and not loose:
        return replace(found, key=before[0], outright=_is_terse(left, before[0], right))
    after = korean.key_after(right) if in_korean else english.key_after(right)
    if after is not None and not loose:
        return replace(found, key=after)
    if topic is not None and not left.strip():
        return replace(found, key=topic)
    if loose:
        return None
    return replace(found, key=topic or _KIND_KEY[value.kind][not in_korean], outright=False)


def _is_another(keyed: KeyedValue, found: list[KeyedValue], sentence: str) -> bool:
    """Whether a value only seems to be of what an earlier one in its sentence is of; not so where
    it corrects that one: 비행기는 KE085이고 오후 7시 출발, but 1억, 아니 1.5억."""
    same = [each for each in found if same_key(each.key) == same_key(keyed.key)]
    return any(not _CORRECTING.search(sentence[each.start : keyed.start]) for each in same)


def _is_terse(left: str, key: str, right: str) -> bool:
    """Whether key and value are all there is (예산 1.5억), or the value is what it changes to."""
    alone = left.rpartition(",")[2].strip() == key and _ENDING.match(right)
    return bool(alone or _CHANGING.match(right))


def _is_replaced(right: str) -> bool:
    """Whether a value is named only to be followed by the one that holds: 1억에서, 2억이 아니라."""
    return bool(_DENIED.match(right) or _GIVEN_UP.match(right))


def _asked_about(text: str) -> str | None:
    """What the last sentence of a text asks for; None if it asks nothing."""
    sentences = analysis.sentences(text)
    if not sentences or not _ASKING.search(sentences[-1]):
        return None
    last = sentences[-1]
    return korean.topic(last) if _HANGUL.search(last) else english.topic(last)
