"""The chance that what was recalled answers a question."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import astuple, dataclass

from saegim.memory.recall.answer_kinds import AskedDetail, can_tell, kinds_asked
from saegim.memory.recall.types import RecallCandidate
from saegim.text import analysis

# Words of a question that count: longer messages are no questions.
_MOST_WORDS = 20
# The share of the words of a question that a sentence about its subject has.
_SUBJECT = 0.28
# What a sentence without the kind of answer counts: a turn may tell "when" by its own date.
_WITHOUT_ANSWER = 0.5

# A question for what came of something: how did the talk go, what did they answer, 결과가 어땠지?
_ASKS_OUTCOME = re.compile(
    r"\bhow (?:did|was|were|has|have)\b(?!.*\byou say).*\b(?:go|gone|went|sell|sold|turn|work"
    r"|end|do|react|like)\b"
    r"|\bwhat (?:did|has|have) (?!you\b|i\b).*\b(?:say|said|answer|answered|write|wrote|written"
    r"|reply|replied|think|decide|offer)\b"
    r"|\bdid (?!you\b|i\b|we\b)[\w']+(?: \w+)? (?:agree|reply|answer|accept|call|like|say|win|pass)"
    r"|\bdid i (?:ever )?(?:tell|mention|say)"
    r"|(?:결과|어떻게\s?됐)(?!.*(?:줘|주세요))|어땠|연락\s?(?:왔|옴)"
    r"|(?<!하)(?<!으)(?:다고|라고)\s?(?:제가|내가)?\s?(?:말)?했나|(?:제가|내가)\s?(?:알려|말)|반응|뭐래|답장",
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

    The best similarity of a turn; the number of the question's words; whether it asks for an
    outcome that no sentence on its subject tells; the largest share of its words in a sentence of
    the user, by half if it asks for a name, a time, a number or a place that the sentence lacks;
    and whether it asks for one of these.
    """

    similarity: float
    words: int
    untold: bool
    evidence: float
    asks_detail: bool


# Fitted to questions with and without an answer, with the embedder `accurate`.
_WEIGHTS = (4.59, 0.39, -4.21, 3.18, -0.96)
_BIAS = -5.33


def chance_known(signals: KnownSignals) -> float:
    """Return the chance that a turn answers a question, if half of the questions have an answer.

    A question about a detail that was never told is short, and no sentence that could tell it has
    its words.
    """
    value = sum(map(math.prod, zip(_WEIGHTS, astuple(signals), strict=True))) + _BIAS
    return 1 / (1 + math.exp(-value))


def signals_of(
    question: str, episodes: Sequence[RecallCandidate], similarity: float
) -> KnownSignals:
    """Return the signs of a question; `similarity` is that of the best turn."""
    said = _SaidSentences.of(question, episodes)
    kinds = kinds_asked(question)
    asks_outcome = _ASKS_OUTCOME.search(question) is not None
    return KnownSignals(
        similarity,
        words=min(len(frozenset(analysis.terms(question))), _MOST_WORDS),
        untold=asks_outcome and not said.tells_outcome(),
        evidence=said.evidence(question, kinds),
        asks_detail=bool(kinds),
    )


@dataclass(frozen=True, slots=True)
class _SaidSentences:
    """Sentences of the user, with the share of a question's words that each has.

    Words that few sentences have weigh more, and those that none has most.
    """

    shares: Sequence[tuple[str, float]]

    @staticmethod
    def of(question: str, episodes: Sequence[RecallCandidate]) -> "_SaidSentences":
        asked = analysis.word_keys(question)
        sentences = [
            sentence
            for each in episodes
            for sentence in analysis.sentences(each.text.split("\n", 1)[0])
        ]
        words = [analysis.word_keys(sentence) & asked for sentence in sentences]
        counts = Counter(word for each in words for word in each)
        rarity = {word: math.log((len(words) + 1) / (counts[word] + 0.5)) for word in asked}
        every = sum(rarity.values()) or 1.0
        shares = (sum(rarity[word] for word in each) / every for each in words)
        return _SaidSentences(list(zip(sentences, shares, strict=True)))

    def evidence(self, question: str, kinds: Sequence[AskedDetail]) -> float:
        """Return the largest share; that of a sentence without what is asked for counts by half."""
        best = 0.0
        for sentence, share in self.shares:
            if share > best:
                fits = can_tell(kinds, sentence, question)
                best = max(best, share if fits else _WITHOUT_ANSWER * share)
        return best

    def tells_outcome(self) -> bool:
        """Return whether an outcome is told in a sentence that has the question's subject."""
        return any(
            share >= _SUBJECT and _TELLS_OUTCOME.search(sentence) is not None
            for sentence, share in self.shares
        )
