"""A summary without a model: sentences chosen and shortened by rule, Korean and English (WM3).

Lines of the topic at hand stand in full; a topic that was left behind shrinks to one line.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from saegim.conversations.summary.content_words import content_words
from saegim.conversations.summary.values import ValueKind, find_values
from saegim.conversations.summary.word_lists import any_of
from saegim.conversations.types import Exchange
from saegim.domain.scope import Locale
from saegim.llm.search_mode import is_search_mode
from saegim.text import analysis
from saegim.text.quotations import own_words
from saegim.text.tokens import count, cut

MOST_EARLIER = 6
LINE_TOKENS = 45
HALF_TOKENS = 28
OF_REPLY = 2
OF_MESSAGE = 3
# Less of the smaller side's words in common than this, and the talk has moved on; turns with
# fewer words of their own are follow-ups, whatever they are about.
SAME_TOPIC = 0.07
LEAST_WORDS = 12
# How lines are weighed against each other.
USER_BONUS = 0.4
OLD, OLDEST = 0.2, 0.3
CUT_MARK = "…"

_EARLIER: dict[Locale, str] = {"ko": "이전 주제: ", "en": "Earlier topic: "}
_USER: dict[Locale, str] = {"ko": "사용자: ", "en": "User: "}
_REPLY: dict[Locale, str] = {"ko": "답변: ", "en": "Reply: "}
_IS_EARLIER = re.compile("|".join(map(re.escape, _EARLIER.values())))
_SPEAKER = re.compile("|".join(map(re.escape, [*_USER.values(), *_REPLY.values()])))
_ARROW = " → "

_TURNING = re.compile(
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
_SAYS_NOTHING = re.compile(
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
_WEIGHTY = re.compile(
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
    """One line of a summary: its text, whether the user said it, and whether it is new."""

    text: str
    by_user: bool
    new: bool = False

    @property
    def said(self) -> str:
        """The text without who said it."""
        return unlabelled(self.text)


def summarise(previous: str, turns: Sequence[Exchange], most_lines: int, most_tokens: int) -> str:
    """The summary rewritten with newer turns, within its bounds."""
    old = [line.strip() for line in previous.splitlines() if line.strip()]
    earlier = [line for line in old if _IS_EARLIER.match(line)]
    topic = [_line_of(text) for text in old if not _IS_EARLIER.match(text)]
    begins = _new_topic(topic, turns)
    for index, turn in enumerate(turns):
        if index == begins and topic:
            earlier.append(in_one_line(topic))
            topic = []
        topic += lines_of(turn)
    earlier = [line for line in earlier if line][-MOST_EARLIER:]
    room = most_tokens - sum(count(line) + 1 for line in earlier)
    return "\n".join([*earlier, *choose(topic, most_lines - len(earlier), room)])


def unlabelled(line: str) -> str:
    """A line of a summary without who said it."""
    return _SPEAKER.sub("", line, count=1) if _SPEAKER.match(line) else line


def lines_of(turn: Exchange) -> Iterator[SummaryLine]:
    """What a turn may leave in a summary: the user's sentences, and the best of the reply's."""
    locale = analysis.language(turn.message)
    for sentence in _worth(own_words(turn.message))[:OF_MESSAGE]:
        yield SummaryLine(_USER[locale] + sentence, by_user=True, new=True)
    if is_search_mode(turn.reply):
        return
    asked = Counter(content_words(turn.message))
    worth = _worth(turn.reply)
    best = sorted(worth, key=lambda each: -_weight(each, asked))[:OF_REPLY]
    locale = analysis.language(turn.reply)
    for sentence in [each for each in worth if each in best][:OF_REPLY]:
        yield SummaryLine(_REPLY[locale] + sentence, by_user=False, new=True)


def choose(lines: Sequence[SummaryLine], most_lines: int, most_tokens: int) -> list[str]:
    """The weightiest lines that fit, newer ones favoured, each new to those before it, in order."""
    words = {line: frozenset(content_words(line.said)) for line in lines}
    often = Counter(word for said in words.values() for word in said)
    scored = {
        line: _weight(line.said, often) + USER_BONUS * line.by_user - _age(index, lines)
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
    """A topic that was left behind: what was wanted first, and what was answered to that."""
    asked = [line for line in topic if line.by_user]
    wanted = next((line for line in asked if _WEIGHTY.search(line.said)), *asked[:1] or [None])
    after = topic[topic.index(wanted) :] if wanted else topic
    answer = next((line for line in after if not line.by_user), None)
    said = [_cut(line.said, HALF_TOKENS) for line in (wanted, answer) if line is not None]
    return _EARLIER[analysis.language(said[0])] + _ARROW.join(said) if said else ""


def _line_of(text: str) -> SummaryLine:
    return SummaryLine(text, by_user=text.startswith(tuple(_USER.values())))


def _new_topic(topic: Sequence[SummaryLine], turns: Sequence[Exchange]) -> int | None:
    """Where among the turns another topic begins: where the user says so, else at their start, if
    all of them together have next to nothing to do with what was spoken of before."""
    for index, turn in enumerate(turns):
        if _TURNING.search(turn.message):
            return index
    said = " ".join([f"{turn.message} {' '.join(_worth(turn.reply)[:OF_REPLY])}" for turn in turns])
    new = set(content_words(said))
    old = {word for line in topic for word in content_words(line.said)}
    moved_on = len(new) >= LEAST_WORDS and len(new & old) < SAME_TOPIC * min(len(new), len(old))
    return 0 if moved_on else None


def _age(index: int, lines: Sequence[SummaryLine]) -> float:
    """What a line that was there before loses: the more, the earlier it stands."""
    return 0.0 if lines[index].new else OLD + OLDEST * (1 - index / len(lines))


def _worth(text: str) -> list[str]:
    """The sentences of a text that say something, shortened."""
    sentences = [shorten(sentence) for sentence in analysis.sentences(text)]
    return [
        each
        for each in sentences
        if each and not (_SAYS_NOTHING.search(each) and len(content_words(each)) < 5)
    ]


def shorten(sentence: str) -> str:
    """A sentence without what leads up to it and what stands in brackets, on one short line."""
    plain = _ASIDE.sub("", _MARKUP.sub("", sentence))
    return _cut(_FILLER.sub("", " ".join(plain.split())), LINE_TOKENS)


def _cut(text: str, limit: int) -> str:
    return text if count(text) <= limit else cut(text, limit - 1).rstrip(" ,.") + CUT_MARK


def _weight(sentence: str, often: Counter[str]) -> float:
    """How much a sentence carries: words of the topic, exact values, decisions and wishes."""
    words = set(content_words(sentence))
    if not words:
        return 0.0
    shared = sum(min(often[word], 3) for word in words) / (len(words) + 3)
    exact = any(value.kind is not ValueKind.LOOSE for value in find_values(sentence))
    return shared + 0.5 * exact + 0.3 * bool(_WEIGHTY.search(sentence))


def _repeats(words: frozenset[str], others: Iterable[str]) -> bool:
    return bool(words) and len(words & set(others)) >= 0.85 * len(words)
