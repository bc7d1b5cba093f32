"""Rule-based fallback of the summariser for Korean and English.

It selects and shortens sentences of the current topic; an earlier topic is one line.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from saegim.conversations.summary.values import ValueKind, find_values
from saegim.conversations.types import Exchange
from saegim.domain.scope import Locale
from saegim.text import analysis
from saegim.text.quotations import own_words
from saegim.text.tokens import count, cut


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def any_of(text: str) -> str:
    """Build a pattern that matches any of the phrases between bars, the longest first."""
    parts = [" ".join(part.split()) for part in text.split("|")]
    longest_first = sorted(filter(None, parts), key=len, reverse=True)
    return f"(?:{'|'.join(map(re.escape, longest_first))})"


MOST_SENTENCES = 20
MOST_TOKENS = 500
MOST_EARLIER = 6
LINE_TOKENS = 45
# A token has fewer characters, except in runs of one.
_TOKEN_CHARACTERS = 20
HALF_TOKENS = 28
OF_REPLY = 2
OF_MESSAGE = 3
# The topic changed if the turns share a smaller part of the words; turns with fewer words than
# LEAST_WORDS are follow-ups.
SAME_TOPIC = 0.07
LEAST_WORDS = 12
USER_BONUS = 0.4
OLD, OLDEST = 0.2, 0.3
CUT_MARK = "…"

_EARLIER: dict[Locale, str] = {"ko": "이전 주제: ", "en": "Earlier topic: "}
_USER: dict[Locale, str] = {"ko": "사용자: ", "en": "User: "}
_REPLY: dict[Locale, str] = {"ko": "답변: ", "en": "Reply: "}
_IS_EARLIER = re.compile("|".join(map(re.escape, _EARLIER.values())))
_SPEAKER = re.compile("|".join(map(re.escape, [*_USER.values(), *_REPLY.values()])))
_ARROW = " → "

_TOPIC_CHANGE = re.compile(
    any_of(
        "다른 얘기 | 다른 이야기 | 다른 질문 | 다른 주제 | 그건 그렇고 | 화제를 바꿔 | 주제를 바꿔"
    )
    + r"|\b(?:by the way|on another note|switch(?:ing)? gears)\b"
    r"|\b(?:new|different|another|unrelated) (?:topic|subject|question)\b",
    re.IGNORECASE,
)
_OPENER = any_of(
    """
    네 | 넵 | 예 | 아 | 음 | 어 | 그럼 | 그러면 | 그리고 | 그런데 | 근데 | 일단 | 혹시 |
    안녕하세요 | 안녕 | 저기 | 참 | 자 | 좋아 | 좋아요 | ok | okay | yes | yeah | well | so |
    hi | hello | hey | sure | thanks | thank you | right | also | and | please
    """
)
_FILLER = re.compile(rf"^(?:{_OPENER}(?![가-힣\w])[\s,.!~]*)+", re.IGNORECASE)
_MARKUP = re.compile(r"\*\*|__|`|^\s*(?:[-*+•>|]|\d{1,2}[.)]|#{1,6})\s+|\s\|\s*$")
_ASIDE = re.compile(r"\s?[(（][^()（）\d]{0,60}[)）]")
_SMALL_TALK = re.compile(
    any_of(
        """
        감사 | 고마워 | 고맙 | 수고 | 알겠 | 알았어 | 좋아 | 그렇군 | 도움이 되 | 궁금한 점 |
        천만에 | 말씀해 주세 | 기록했 | 기록해 | 확인했 | thank | you're welcome | got it |
        let me know | need anything | sounds good | happy to help | anything else | noted |
        great | cool
        """
    ),
    re.IGNORECASE,
)
_IMPORTANT = re.compile(
    any_of(
        """
        결정 | 하기로 | 정했 | 목표 | 반드시 | 꼭 | 문제 | 오류 | 실패 | 해결 | 계획 | 필요 |
        원해 | 싶 | 좋아하 | 싫어 | 못 먹 | 알레르기 | 마감 | 변경 | 바꿨 | 바뀌 | 늘었 | 줄었 |
        요청 | 분석 | 비교 | 추천 | 정리 | 해줘 | 해 줘 | 주세요 | 알려
        """
    )
    + r"|\b(?:decid|agreed|goal|must|never|always|problem|error|fail|fixed|plan|need|want|prefer"
    r"|allerg|deadline|chang|moved to|analy[sz]|compar|please|show me|help)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class SummaryLine:
    """One line of a summary, with a label for the speaker in `text`."""

    text: str
    by_user: bool
    new: bool = False

    @property
    def unlabelled(self) -> str:
        return unlabelled(self.text)


def summarise(previous: str, turns: Sequence[Exchange], most_lines: int, most_tokens: int) -> str:
    """Update the summary with newer turns, within its bounds."""
    old = [line.strip() for line in previous.splitlines() if line.strip()]
    earlier = [line for line in old if _IS_EARLIER.match(line)]
    topic = [_line_of(text) for text in old if not _IS_EARLIER.match(text)]
    change = _topic_change(topic, turns)
    for index, turn in enumerate(turns):
        if index == change and topic:
            earlier.append(in_one_line(topic))
            topic = []
        topic += lines_of(turn)
    earlier = [line for line in earlier if line][-MOST_EARLIER:]
    budget = most_tokens - sum(count(line) + 1 for line in earlier)
    return "\n".join([*earlier, *choose(topic, most_lines - len(earlier), budget)])


def bounded(summary: str, sentences: int = MOST_SENTENCES, tokens: int = MOST_TOKENS) -> str:
    """Return the summary, or the most important sentences that fit, in order."""
    text = summary.strip()
    parts = analysis.sentences(text)
    if len(parts) <= sentences and count(text) <= tokens:
        return text
    lines = [SummaryLine(cut(part, tokens), by_user=False) for part in parts]
    chosen = choose(lines, sentences, tokens)
    return "\n".join(chosen) or cut(text, tokens)


def unlabelled(line: str) -> str:
    """Strip the label of the speaker."""
    return _SPEAKER.sub("", line, count=1) if _SPEAKER.match(line) else line


def lines_of(turn: Exchange) -> Iterator[SummaryLine]:
    """Yield the candidate lines of a turn: sentences of the user, and the best of the reply."""
    locale = analysis.language(turn.message)
    for sentence in _informative(own_words(turn.message))[:OF_MESSAGE]:
        yield SummaryLine(_USER[locale] + sentence, by_user=True, new=True)
    if turn.by_rule:
        return
    message_words = Counter(analysis.word_keys(turn.message))
    sentences = _informative(turn.reply)
    best = sorted(sentences, key=lambda each: -_weight(each, message_words))[:OF_REPLY]
    locale = analysis.language(turn.reply)
    for sentence in [each for each in sentences if each in best][:OF_REPLY]:
        yield SummaryLine(_REPLY[locale] + sentence, by_user=False, new=True)


def choose(lines: Sequence[SummaryLine], most_lines: int, most_tokens: int) -> list[str]:
    """Select the most important lines that fit, in order; newer ones first, without repeats."""
    words = {line: analysis.word_keys(line.unlabelled) for line in lines}
    frequency = Counter(word for line_words in words.values() for word in line_words)
    scored = {
        line: _weight(line.unlabelled, frequency) + USER_BONUS * line.by_user - _age(index, lines)
        for index, line in enumerate(lines)
    }
    taken: list[SummaryLine] = []
    used = 0
    for line in sorted(scored, key=lambda each: -scored[each]):
        tokens = count(line.text) + 1
        rivals = [words[each] for each in taken if each.by_user is line.by_user]
        repeats = any(_repeats(words[line], rival) for rival in rivals)
        if len(taken) < most_lines and used + tokens <= most_tokens and not repeats:
            taken.append(line)
            used += tokens
    return [line.text for line in scored if line in set(taken)]


def in_one_line(topic: Sequence[SummaryLine]) -> str:
    """Shorten a topic to its first request and the reply."""
    of_user = [line for line in topic if line.by_user]
    important = (line for line in of_user if _IMPORTANT.search(line.unlabelled))
    request = next(important, *of_user[:1] or [None])
    after = topic[topic.index(request) :] if request else topic
    answer = next((line for line in after if not line.by_user), None)
    parts = [_cut(line.unlabelled, HALF_TOKENS) for line in (request, answer) if line is not None]
    return _EARLIER[analysis.language(parts[0])] + _ARROW.join(parts) if parts else ""


def _line_of(text: str) -> SummaryLine:
    return SummaryLine(text, by_user=text.startswith(tuple(_USER.values())))


def _topic_change(topic: Sequence[SummaryLine], turns: Sequence[Exchange]) -> int | None:
    """Return the index of the turn that starts another topic.

    It is where the user says so, or the first turn if the turns share few words with the topic.
    """
    for index, turn in enumerate(turns):
        if _TOPIC_CHANGE.search(turn.message):
            return index
    replies = (" ".join(_informative(turn.reply)[:OF_REPLY]) for turn in turns)
    texts = [f"{turn.message} {reply}" for turn, reply in zip(turns, replies, strict=True)]
    new = analysis.word_keys(" ".join(texts))
    old = {word for line in topic for word in analysis.word_keys(line.unlabelled)}
    moved_on = len(new) >= LEAST_WORDS and len(new & old) < SAME_TOPIC * min(len(new), len(old))
    return 0 if moved_on else None


def _age(index: int, lines: Sequence[SummaryLine]) -> float:
    """Return the penalty of an old line, larger for earlier ones."""
    return 0.0 if lines[index].new else OLD + OLDEST * (1 - index / len(lines))


def _informative(text: str) -> list[str]:
    """Return the shortened sentences of a text without small talk."""
    sentences = [shorten(sentence) for sentence in analysis.sentences(text)]
    return [
        each
        for each in sentences
        if each and not (_SMALL_TALK.search(each) and len(analysis.word_keys(each)) < 5)
    ]


def shorten(sentence: str) -> str:
    """Strip markup, filler words and brackets, and cut to one short line."""
    plain = _ASIDE.sub("", _MARKUP.sub("", sentence))
    return _cut(_FILLER.sub("", " ".join(plain.split())), LINE_TOKENS)


def _cut(text: str, limit: int) -> str:
    longest = limit * _TOKEN_CHARACTERS
    if len(text) <= longest and count(text) <= limit:
        return text
    return cut(text[:longest], limit - 1).rstrip(" ,.") + CUT_MARK


def _weight(sentence: str, frequency: Counter[str]) -> float:
    """Score a sentence by words of the topic, exact values, decisions and wishes."""
    words = analysis.word_keys(sentence)
    if not words:
        return 0.0
    shared = sum(min(frequency[word], 3) for word in words) / (len(words) + 3)
    exact = any(value.kind is not ValueKind.LOOSE for value in find_values(sentence))
    return shared + 0.5 * exact + 0.3 * bool(_IMPORTANT.search(sentence))


def _repeats(words: frozenset[str], others: Iterable[str]) -> bool:
    return bool(words) and len(words & set(others)) >= 0.85 * len(words)
