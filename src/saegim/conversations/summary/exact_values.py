"""Find exact values and their keys in turns by rule."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from saegim.conversations.summary import english, korean
from saegim.conversations.summary.proper_names import find_names
from saegim.conversations.summary.values import Value, ValueKind, find_values
from saegim.conversations.summary.word_lists import any_of
from saegim.conversations.types import Exchange, same_key
from saegim.text import analysis
from saegim.text.quotations import own_words

# A reply full of numbers must not displace the values of the user.
MOST_OF_REPLY = 5
# Texts with more values are tables or logs; text farther away than AROUND is not read.
MOST_OF_SENTENCE = 30
MOST_OF_TEXT = 200
LONGEST_TEXT = 20_000
AROUND = 120

_PARTICLE = re.compile(r"[가-힣]*")
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
_REPLACED = re.compile(r"^에서\s(?!의)|^\s?(?:->|→)")
_KIND_KEY = {
    ValueKind.AMOUNT: ("금액", "amount"),
    ValueKind.PERCENT: ("비율", "percentage"),
    ValueKind.DATE: ("날짜", "date"),
    ValueKind.ID: ("번호", "id"),
    ValueKind.VERSION: ("버전", "version"),
}


@dataclass(frozen=True, slots=True)
class KeyedValue:
    """A value and its key; `outright` if the text states it explicitly."""

    key: str
    value: str
    outright: bool
    start: int


def exact_values(turn: Exchange, before: str = "") -> list[KeyedValue]:
    """Return the keyed values of a turn in order; the message takes precedence over the reply.

    `before` is the text before the turn: a question there gives the key of the value that follows.
    """
    message = own_words(turn.message)[:LONGEST_TEXT]
    of_message = list(islice(find_exact(message, before), MOST_OF_TEXT))
    keys = {same_key(each.key) for each in of_message}
    values = {each.value for each in of_message}
    reply = "" if turn.by_rule else turn.reply[:LONGEST_TEXT]
    of_reply = [
        each
        for each in islice(find_exact(reply, turn.message), MOST_OF_TEXT)
        if each.outright and same_key(each.key) not in keys and each.value not in values
    ]
    return [*of_message, *of_reply[:MOST_OF_REPLY]]


def find_exact(text: str, before: str = "") -> Iterator[KeyedValue]:
    """Yield the values that a text states, with keys; questions and suppositions are skipped."""
    topic = _question_topic(before)
    for whole in analysis.sentences(text):
        sentence = _MARKUP.sub("", whole).strip()
        if _ASKING.search(sentence) or _SUPPOSING.search(sentence):
            continue
        stated = _stated(sentence, topic)
        for keyed in stated:
            if not any(keyed.value in other.key for other in stated):
                yield keyed
        outright = [keyed.key for keyed in stated if keyed.outright]
        topic = outright[-1] if outright else topic


def _stated(sentence: str, topic: str | None) -> list[KeyedValue]:
    names = find_names(sentence)
    stated = [KeyedValue(each.key, each.value, True, each.start) for each in names]
    spans = [(each.start, each.end) for each in names]
    for value in find_values(sentence)[:MOST_OF_SENTENCE]:
        if any(start <= value.start < end for start, end in spans):
            continue
        left = _without(sentence, value.start, spans)
        right = sentence[value.end : value.end + AROUND]
        keyed = _keyed(left, value, right, topic)
        if keyed is not None and _is_another(keyed, stated, sentence):
            keyed = None
        if keyed is not None:
            stated.append(keyed)
            topic = keyed.key if keyed.outright else topic
        # A date may belong to the key of the next value: 11월 비용, revenue for Q3 2026.
        dated = value.kind is ValueKind.DATE and not (keyed is not None and keyed.outright)
        if (keyed is not None and not dated) or _is_replaced(right):
            spans.append((value.start, value.end))
    return sorted(stated, key=lambda each: each.start)


def _without(sentence: str, offset: int, spans: list[tuple[int, int]]) -> str:
    """Return the text before an offset without other values, which are not part of a key."""
    first = max(0, offset - AROUND)
    left = sentence[first:offset]
    for start, end in sorted(spans, reverse=True):
        if first <= start and end <= offset:
            # Also without the particle of a Korean value.
            tail = _PARTICLE.match(left, end - first)
            left = left[: start - first] + left[tail.end() if tail else end - first :]
    return left


def _keyed(left: str, value: Value, right: str, topic: str | None) -> KeyedValue | None:
    """Return the value with its key; None if it is denied, replaced, or has no key."""
    if _is_replaced(right) or _DENIED_BEFORE.search(left):
        return None
    in_korean = bool(_HANGUL.search(left + right))
    before = korean.key_before(left) if in_korean else english.key_before(left)
    keyed = KeyedValue("", value.text, True, value.start)
    if before is not None and before[1]:
        return replace(keyed, key=before[0])
    loose = value.kind is ValueKind.LOOSE
    if before is not None and not loose:
        return replace(keyed, key=before[0], outright=_is_terse(left, before[0], right))
    after = korean.key_after(right) if in_korean else english.key_after(right)
    if after is not None and not loose:
        return replace(keyed, key=after)
    if topic is not None and not left.strip():
        return replace(keyed, key=topic)
    if loose:
        return None
    return replace(keyed, key=topic or _KIND_KEY[value.kind][not in_korean], outright=False)


def _is_another(keyed: KeyedValue, stated: list[KeyedValue], sentence: str) -> bool:
    """Return whether an earlier value has the key and is not corrected by this one.

    비행기는 KE085이고 오후 7시 출발, but not 1억, 아니 1.5억.
    """
    same = [each for each in stated if same_key(each.key) == same_key(keyed.key)]
    return any(not _CORRECTING.search(sentence[each.start : keyed.start]) for each in same)


def _is_terse(left: str, key: str, right: str) -> bool:
    """Return whether the text is only key and value (예산 1.5억) or a change to the value."""
    alone = left.rpartition(",")[2].strip() == key and _ENDING.match(right)
    return bool(alone or _CHANGING.match(right))


def _is_replaced(right: str) -> bool:
    """Return whether another value replaces this one: 1억에서, 2억이 아니라."""
    return bool(_DENIED.match(right) or _REPLACED.match(right))


def _question_topic(text: str) -> str | None:
    """Return the topic of the last sentence; None if it is no question."""
    sentences = analysis.sentences(text)
    if not sentences or not _ASKING.search(sentences[-1]):
        return None
    last = sentences[-1]
    return korean.topic(last) if _HANGUL.search(last) else english.topic(last)
