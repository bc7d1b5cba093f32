"""Decides which evidence supports a sentence of an answer.

Works on words, names and numbers alone, so that a sentence takes a millisecond while the answer
streams. Figures: `make verify-grounding`.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from itertools import combinations

from saegim.chat.context.assembly import Context
from saegim.chat.grounding.sentence_kinds import gives_advice, states_something
from saegim.chat.grounding.words import (
    ContentWord,
    Quantity,
    WordSet,
    content_words,
    is_computed,
    quantities_of,
)
from saegim.chat.output.markdown_patterns import PROMPT_TAG
from saegim.chat.types import MARKER, Evidence, EvidenceKind
from saegim.domain.scope import Locale
from saegim.text.analysis import language, sentences
from saegim.text.questions import is_question

# A model's own marker counts as support from this score on.
KEEPS = 0.35
# A marker is added from this score on.
SUPPORTS = 0.6
# Below this score a short statement is marked as unsupported, below the lower one a long one, which
# has more words of its own.
UNSUPPORTED = 0.5
LONG_UNSUPPORTED = 0.35
_LONG = 3.5
# The score of evidence that lacks a number of the sentence.
_LACKS_NUMBER = 0.2
# Words of the question are in the answer whether it is right or not.
_QUESTION_WEIGHT = 0.2
# With less than this beside the question's words a sentence says nothing that could be checked.
_LEAST_WEIGHT = 0.6
_RESTATED = 0.85
_LEAST_RESTATED = 2.0
# Each of two pieces must add this much to what the other one supports.
_PAIR_GAIN = 0.25
_MOST_TRIED = 3
_WINDOW = 2
# The best two sentences count for this much: words from all over a passage prove less.
_WINDOW_SHARE = 0.3
_LEAST_WORDS = 3
_ABOUT_EQUAL = 0.1


class Verdict(StrEnum):
    """What the evidence says of a sentence; `FREE` ones state nothing that needs support."""

    FREE = "free"
    SUPPORTED = "supported"
    UNSURE = "unsure"
    UNSUPPORTED = "unsupported"


@dataclass(frozen=True, slots=True)
class SentenceJudgement:
    """The markers that a sentence gets, and why; `invents` if a number is in no evidence.

    `refuted`: own markers to remove, whose evidence says nothing of the sentence.
    """

    verdict: Verdict
    markers: tuple[str, ...] = ()
    invents: bool = False
    refuted: tuple[str, ...] = ()


@dataclass(frozen=True)
class EvidenceText:
    """A piece of evidence by its marker. `supports` is what it says by itself, of an earlier turn
    what the user said in it; `text` may add the assistant's reply, which only keeps a marker."""

    marker: str
    supports: str
    text: str

    @classmethod
    def of(cls, evidence: Evidence) -> "EvidenceText":
        # The title of a turn is its number.
        titles = () if evidence.kind is EvidenceKind.TURN else (evidence.title, evidence.section)
        about = " ".join(each for each in titles if each)
        return cls(evidence.marker, f"{about}\n{evidence.said}", f"{about}\n{evidence.text}")

    @cached_property
    def language(self) -> Locale:
        return language(self.supports)

    @cached_property
    def parts(self) -> list[WordSet]:
        """The words of each sentence."""
        return [WordSet.of(each) for each in sentences(self.supports)]

    @cached_property
    def words(self) -> WordSet:
        return WordSet.union(self.parts)

    @cached_property
    def everything(self) -> WordSet:
        """The words with those of the assistant's reply."""
        return self.words if self.text == self.supports else WordSet.of(self.text)


@dataclass(frozen=True)
class _Claim:
    """A sentence: its words with their weights, and its numbers that the question does not have."""

    words: list[tuple[ContentWord, float]]
    quantities: frozenset[Quantity]
    language: Locale
    new_weight: float
    """The weight of what the question does not say."""

    @cached_property
    def numbers(self) -> frozenset[float]:
        """The numbers that evidence must have."""
        return frozenset(each.number for each in self.quantities if each.must_be_found)

    def score(self, evidence: EvidenceText) -> float:
        """Return from 0 to 1 how much of the sentence a piece of evidence says."""
        whole = self.score_in(evidence.words)
        if whole < KEEPS:
            return whole
        return whole - _WINDOW_SHARE * max(0.0, whole - self.best_window(evidence))

    def score_in(self, *known: WordSet) -> float:
        """Return how much of the sentence texts say together."""
        score = self.coverage(known)
        missing = self.numbers.difference(*(each.numbers for each in known))
        return min(score, _LACKS_NUMBER) if missing else score

    def best_window(self, evidence: EvidenceText, asked: Sequence[ContentWord] = ()) -> float:
        """Return the best coverage by two sentences in a row; words of the question add to it."""
        parts = evidence.parts
        return max(
            (
                self.coverage(window) + _share(asked, window)
                for window in (parts[at : at + _WINDOW] for at in range(max(1, len(parts) - 1)))
            ),
            default=0.0,
        )

    def coverage(self, known: Sequence[WordSet]) -> float:
        """Return the weighted share of the words and numbers that texts have."""
        total = sum(weight for _, weight in self.words) + len(self.quantities)
        found = sum(weight * _match(word, known) for word, weight in self.words)
        found += sum(max(each.match_quantity(of) for each in known) for of in self.quantities)
        return found / total if total else 0.0


def _match(word: ContentWord, known: Sequence[WordSet]) -> float:
    return max(each.match(word) for each in known)


def _share(words: Sequence[ContentWord], known: Sequence[WordSet]) -> float:
    return sum(_match(word, known) for word in words) / max(1, len(words))


@dataclass(frozen=True)
class EvidenceSupport:
    """The evidence of a turn. `background` is text that excuses a sentence from support without
    giving it: the message, the summary, and what was said before with a source."""

    evidence: Sequence[EvidenceText]
    question: str = ""
    background: Sequence[str] = field(default=())

    @classmethod
    def of(cls, context: Context) -> "EvidenceSupport":
        """Return the support that the context of a turn gives."""
        pieces = list(context.evidence.values())
        replies = [
            sentence
            for piece in pieces
            if piece.message is not None
            for sentence in sentences(piece.text.removeprefix(piece.message))
            if MARKER.search(sentence)
        ]
        texts = [EvidenceText.of(each) for each in pieces]
        return cls(texts, context.message, [context.thread.summary, *replies])

    def judge(
        self, sentence: str, own: Sequence[str] = (), said: Collection[float] = ()
    ) -> SentenceJudgement:
        """Judge a sentence with its `own` markers, after the numbers that were `said` before it.

        Own markers hold, except against a number that is in no evidence and cannot be computed from
        what they cite, or if they share no word with the sentence while other evidence supports it.
        """
        # The sanitizer takes tags of the prompt out, and they state nothing.
        sentence = PROMPT_TAG.sub(" ", sentence)
        claim = self._claim(sentence)
        invents = self._invents_number(claim, own, said)
        if not states_something(sentence) and not invents:
            return SentenceJudgement(Verdict.FREE, tuple(own))
        if own and invents:
            return SentenceJudgement(Verdict.UNSUPPORTED, tuple(own), invents)
        scores = {each.marker: claim.score(each) for each in self.evidence}
        if own:
            return self._judge_own(claim, own, scores)
        if claim.new_weight < _LEAST_WEIGHT:
            return self._restated(claim, scores)
        markers = self._supporting(claim, scores) or self._by_numbers(claim)
        if markers:
            return SentenceJudgement(Verdict.SUPPORTED, markers)
        if not invents and (
            gives_advice(sentence) or claim.numbers - self._numbers or not self._comparable(claim)
        ):
            return SentenceJudgement(Verdict.UNSURE)
        least = LONG_UNSUPPORTED if claim.new_weight > _LONG else UNSUPPORTED
        if self._best(claim) >= least or self._is_background(claim):
            return SentenceJudgement(Verdict.UNSURE)
        return SentenceJudgement(Verdict.UNSUPPORTED, invents=invents)

    def has(self, marker: str) -> bool:
        return marker in self._by_marker

    def _claim(self, sentence: str) -> _Claim:
        found = content_words(sentence)
        asked = self._question_words
        weighed = [
            (word, word.weight * (_QUESTION_WEIGHT if asked.match(word) == 1.0 else 1.0))
            for word in found
        ]
        quantities = frozenset(
            each for each in quantities_of(sentence) if each.number not in asked.numbers
        )
        new = sum(weight for word, weight in weighed if asked.match(word) < 1.0)
        own_language = language(sentence if len(found) >= _LEAST_WORDS else self.question)
        return _Claim(weighed, quantities, own_language, new + len(quantities))

    def _judge_own(
        self, claim: _Claim, own: Sequence[str], scores: Mapping[str, float]
    ) -> SentenceJudgement:
        if self._supports_own(claim, own, scores):
            return SentenceJudgement(Verdict.SUPPORTED, tuple(own))
        texts = self._by_marker
        refuted = tuple(
            marker
            for marker in own
            if marker in texts
            and texts[marker].language == claim.language
            and claim.score_in(texts[marker].everything) == 0.0
        )
        better = self._supporting(claim, scores) if refuted else ()
        if not better:
            return SentenceJudgement(Verdict.UNSURE, tuple(own))
        left = tuple(marker for marker in own if marker not in refuted)
        return SentenceJudgement(Verdict.SUPPORTED, left + better, refuted=refuted)

    def _supports_own(self, claim: _Claim, own: Sequence[str], scores: Mapping[str, float]) -> bool:
        """Return whether cited evidence holds, also by what the assistant said in it."""
        texts = self._by_marker
        return any(
            scores[marker] >= KEEPS or claim.score_in(texts[marker].everything) >= KEEPS
            for marker in own
            if marker in texts
        )

    def _restated(self, claim: _Claim, scores: Mapping[str, float]) -> SentenceJudgement:
        """Judge a sentence of the question's own words: "yes, it is so" is worth a marker."""
        best = max(scores, key=scores.__getitem__, default="")
        weight = sum(word.weight for word, _ in claim.words)
        asks = is_question(self.question)
        if asks and best and scores[best] >= _RESTATED and weight >= _LEAST_RESTATED:
            return SentenceJudgement(Verdict.SUPPORTED, (best,))
        return SentenceJudgement(Verdict.FREE)

    def _supporting(self, claim: _Claim, scores: Mapping[str, float]) -> tuple[str, ...]:
        """Return the best evidence, and a second one that adds what the first does not say."""
        best = sorted(scores, key=scores.__getitem__, reverse=True)[:_MOST_TRIED]
        if not best:
            return ()
        enough = scores[best[0]] >= SUPPORTS
        if enough:
            equal = [each for each in best if scores[each] >= scores[best[0]] - _ABOUT_EQUAL]
            if len(equal) > 1:
                equal.sort(key=lambda each: self._relevance(claim, each), reverse=True)
                best = equal + [each for each in best if each not in equal]
        words = {marker: self._by_marker[marker].words for marker in best}
        for first, second in combinations(best, 2):
            together = claim.score_in(words[first], words[second])
            alone = max(claim.score_in(words[first]), claim.score_in(words[second]))
            if together >= SUPPORTS and together - alone >= _PAIR_GAIN:
                return (first, second)
            if enough:
                break
        return (best[0],) if enough else ()

    def _by_numbers(self, claim: _Claim) -> tuple[str, ...]:
        """Return the only evidence in another language that has all numbers of the sentence."""
        if not claim.numbers or self._comparable(claim):
            return ()
        found = [each.marker for each in self.evidence if not claim.numbers - each.words.numbers]
        return tuple(found) if len(found) == 1 else ()

    def _relevance(self, claim: _Claim, marker: str) -> float:
        """Return how well the question fits where a piece of evidence has the answer."""
        asked = [word for word in content_words(self.question) if word.weight == 1.0]
        return claim.best_window(self._by_marker[marker], asked)

    def _best(self, claim: _Claim) -> float:
        return max((claim.score_in(each.words) for each in self.evidence), default=0.0)

    def _invents_number(self, claim: _Claim, own: Sequence[str], said: Collection[float]) -> bool:
        """Return whether a number is in no evidence and is no result of what is known."""
        cited = [each for each in self.evidence if each.marker in own]
        unknown = claim.numbers - self._numbers.union(*(each.everything.numbers for each in cited))
        if not unknown:
            return False
        shown = {each.number for each in claim.quantities} & self._numbers
        known = shown.union(said, self._question_words.numbers)
        sources = cited or [each for each in self.evidence if known & each.words.numbers]
        operands = {each.number for source in sources for each in source.words.quantities}
        return not all(is_computed(each, known, operands) for each in unknown)

    def _comparable(self, claim: _Claim) -> bool:
        """Return whether some evidence is in the language of the sentence."""
        return any(each.language == claim.language for each in self.evidence)

    def _is_background(self, claim: _Claim) -> bool:
        return any(claim.score_in(each) >= SUPPORTS for each in self._background_words)

    @cached_property
    def _by_marker(self) -> dict[str, EvidenceText]:
        return {each.marker: each for each in self.evidence}

    @cached_property
    def _question_words(self) -> WordSet:
        return WordSet.of(self.question)

    @cached_property
    def _background_words(self) -> list[WordSet]:
        return [WordSet.of(each) for each in self.background if each]

    @cached_property
    def _numbers(self) -> frozenset[float]:
        known = [each.words.numbers for each in self.evidence]
        said = [each.numbers for each in self._background_words]
        return frozenset[float]().union(self._question_words.numbers, *known, *said)
