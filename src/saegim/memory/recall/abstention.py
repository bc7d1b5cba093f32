"""The chance that what was recalled answers a question."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from uuid import UUID

from saegim.memory.recall.types import RecallCandidate
from saegim.text import analysis

type Terms = frozenset[str]

# Turns of which one must have the words of the question.
_BEST = 3
# Words of a question that count: longer messages are no questions.
_MOST_WORDS = 20
# The share of the known words of a question that a sentence about its subject has.
_SUBJECT = 0.4

# A question for what came of something: how did the talk go, what did they answer, 결과가 어땠지?
_ASKS_OUTCOME = re.compile(
    r"\bhow (?:did|was|were|has|have)\b(?!.*\byou say).*\b(?:go|gone|went|sell|sold|turn|work"
    r"|end|do|react|like)\b"
    r"|\bwhat (?:did|has|have) (?!you\b|i\b).*\b(?:say|said|answer|answered|write|wrote|written"
    r"|reply|replied|think|decide|offer)\b"
    r"|\bdid (?!you\b|i\b)[\w']+(?: \w+)? (?:agree|reply|answer|accept|call|like|say|win|pass)"
    r"|\bdid i (?:tell|mention|say)"
    r"|결과|어땠|어떻게\s?됐|연락\s?(?:왔|옴)|(?:다고|라고)\s?(?:제가|내가)?\s?(?:말)?했나"
    r"|(?:제가|내가)\s?(?:알려|말)|반응|뭐래|답장",
    re.IGNORECASE,
)
_TELLS_OUTCOME = re.compile(
    r"\b(?:said|says|replied|answered|wrote|agreed|accepted|refused|declined|rejected|passed|failed"
    r"|sold|went|came|got|won|lost|turned out|results?|finished|done|happy|liked|loved|hated"
    r"|ok with|approved|worked)\b"
    r"|(?:래|대)(?:요)?(?=[\s.,!?~ㅋㅎㅠ]|$)|하심|하셨|나왔|나옴|됐|됨|왔|옴|줄었|늘었|올랐|떨어졌|합격"
    r"|성공|실패|끝남|끝났|결과|통과|받았|받음|했어|했음",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class KnownSignals:
    """Signs that a question is answered.

    The best similarity of a turn; the share of the question's words that one of the best turns has;
    the number of its words; and whether it asks for an outcome that no sentence on its subject
    tells.
    """

    similarity: float
    coverage: float
    words: int
    untold: bool


# Fitted to questions with and without an answer, with the embedder `accurate`.
_WEIGHTS = (4.44, 1.45, 0.27, -2.8)
_BIAS = -4.66


def chance_known(signals: KnownSignals) -> float:
    """Return the chance that a turn answers a question, if half of the questions have an answer.

    A question about a detail that was never told is short, and its turns lack one of its words.
    """
    value = sum(map(math.prod, zip(_WEIGHTS, astuple(signals), strict=True))) + _BIAS
    return 1 / (1 + math.exp(-value))


def signals_of(
    question: str,
    episodes: Sequence[RecallCandidate],
    terms: Mapping[UUID, Terms],
    similarity: float,
) -> KnownSignals:
    """Return the signs of a question; `similarity` is that of the best turn."""
    words = frozenset(analysis.terms(question))
    return KnownSignals(
        similarity,
        coverage=_coverage(words, [terms[each.id] for each in episodes]),
        words=min(len(words), _MOST_WORDS),
        untold=_ASKS_OUTCOME.search(question) is not None and not _tells(question, episodes),
    )


def _coverage(words: Terms, texts: Sequence[Terms]) -> float:
    counts = Counter(term for text in texts for term in text & words)
    rarity = {term: math.log((len(texts) + 1) / (counts[term] + 0.5)) for term in words}
    found = (sum(rarity[term] for term in text & words) for text in texts[:_BEST])
    return max(found, default=0.0) / (sum(rarity.values()) or 1.0)


def _tells(question: str, episodes: Sequence[RecallCandidate]) -> bool:
    """Return whether the user tells an outcome in a sentence that has the question's subject."""
    words = analysis.word_keys(question)
    messages = [each.said for each in episodes]
    counts = Counter(word for text in messages for word in analysis.word_keys(text) & words)
    rarity = {word: math.log((len(messages) + 1) / (count + 0.5)) for word, count in counts.items()}
    least = _SUBJECT * sum(rarity.values())
    return least > 0 and any(
        _TELLS_OUTCOME.search(sentence) is not None
        and sum(rarity[word] for word in analysis.word_keys(sentence) & rarity.keys()) >= least
        for text in messages
        for sentence in analysis.sentences(text)
    )
