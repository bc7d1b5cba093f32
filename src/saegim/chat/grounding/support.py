"""What a sentence of an answer has its statement from, and which of its values have no source.

Works on words and values alone, so that a sentence takes a millisecond while the answer streams.
Figures: `make verify-grounding`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from saegim.chat.context.assembly import Context
from saegim.chat.grounding.arithmetic import is_computed
from saegim.chat.grounding.values import (
    KnownValues,
    StatedValue,
    numbers_of,
    values_of,
    without_numbers,
)
from saegim.chat.grounding.words import ContentWord, content_words
from saegim.chat.output.markdown_patterns import PROMPT_TAG
from saegim.chat.types import Evidence, EvidenceKind
from saegim.domain.scope import Locale
from saegim.llm.types import Message
from saegim.locales import N_, translate
from saegim.text.analysis import index_terms, sentences
from saegim.text.quotations import own_prose

NO_SOURCE = N_("No source for: {values}")
_LINE = re.compile(
    "(?:{})(.*)".format(
        "|".join(re.escape(translate(NO_SOURCE, each, values="")) for each in ("ko", "en"))
    )
)
_MOST_NAMED = 5
# A source says at least this much of a sentence, and is so far ahead of every other one.
_SURE, _AHEAD = 0.6, 0.15
# Words of the question are in the answer whether it is right or not.
_QUESTION_WEIGHT = 0.2
_WINDOW = 2
# A sentence of less says hardly anything that the question does not.
_LEAST_WEIGHT = 2.0
# From this part of pasted text on, the answer is about that text.
_PASTED = 0.5
# Computations that are tried for one answer.
_MOST_TRIED = 40
_COLUMNS = 4


@dataclass(frozen=True)
class EvidenceText:
    """A piece of evidence by its marker. `text` is what it says by itself; of an earlier turn what
    the user said in it."""

    marker: str
    text: str

    @classmethod
    def of(cls, evidence: Evidence) -> "EvidenceText":
        # The title of a turn is its number.
        titles = () if evidence.kind is EvidenceKind.TURN else (evidence.title, evidence.section)
        return cls(evidence.marker, "\n".join((*filter(None, titles), evidence.said)))

    @cached_property
    def whole(self) -> "_Terms":
        return _Terms.of([self.text])

    @cached_property
    def windows(self) -> list["_Terms"]:
        """The terms of each two sentences in a row."""
        parts = sentences(self.text)
        return [_Terms.of(parts[at : at + _WINDOW]) for at in range(max(1, len(parts) - 1))]

    @cached_property
    def rows(self) -> list[list[float]]:
        return _rows(values_of(self.text))


@dataclass(frozen=True, slots=True)
class _Terms:
    words: frozenset[str]
    numbers: set[float]

    @classmethod
    def of(cls, parts: Sequence[str]) -> "_Terms":
        text = "\n".join(parts)
        return cls(frozenset(index_terms(text)), numbers_of(text))


@dataclass(frozen=True)
class _Claim:
    """A sentence: its words with their weights, and its numbers that the question does not have."""

    words: Mapping[ContentWord, float]
    numbers: Sequence[StatedValue]

    def lacks_number(self, terms: _Terms) -> bool:
        needed = (each.numbers for each in self.numbers if not each.counts)
        return any(each.isdisjoint(terms.numbers) for each in needed)

    def share_in(self, terms: _Terms) -> float:
        """Return the weighted share of the words and numbers that a text has."""
        found = sum(weight * word.found_in(terms.words) for word, weight in self.words.items())
        found += sum(not each.numbers.isdisjoint(terms.numbers) for each in self.numbers)
        total = sum(self.words.values()) + len(self.numbers)
        return found / total if total else 0.0


@dataclass
class EvidenceSupport:
    """The evidence of a turn, which grows when tools find more, and the values that are known from
    it and from all else that the model was given."""

    evidence: Sequence[EvidenceText]
    question: str = ""
    given: Sequence[str] = ()
    """The conversation, the day. What had no source in an earlier reply still has none."""
    _said: list[StatedValue] = field(default_factory=list[StatedValue])
    """Known numbers of the answer so far."""
    _tried: int = 0

    @classmethod
    def of(
        cls, context: Context, evidence: Iterable[Evidence], rounds: Iterable[Message] = ()
    ) -> "EvidenceSupport":
        """Return the support of a turn's evidence and prompt, and of the calls made before."""
        messages = (*context.prompt.messages, *rounds)
        given = [context.prompt.system, *(each.text for each in messages)]
        return cls([EvidenceText.of(each) for each in evidence], context.message, given)

    def add(self, evidence: Iterable[Evidence], text: str = "") -> None:
        """Add what a tool found, and the text of its result."""
        new = {each.marker: EvidenceText.of(each) for each in evidence}
        self.evidence = [*(each for each in self.evidence if each.marker not in new), *new.values()]
        for each in (text, *(each.text for each in new.values())):
            self._known.add(each)

    def has(self, marker: str) -> bool:
        return any(each.marker == marker for each in self.evidence)

    @cached_property
    def is_about_text(self) -> bool:
        """Whether the message gives a text to work on: the answer is from that."""
        return len(own_prose(self.question)) < _PASTED * len(self.question.strip())

    def unknown(self, sentence: str, own: Sequence[str] = ()) -> list[str]:
        """Return the values of a sentence, as written, that nothing known contains or yields.

        `own` are its markers. Its other numbers are known in the sentences that follow.
        """
        sentence, known = PROMPT_TAG.sub(" ", sentence), self._known
        found = values_of(sentence)
        self.note(*filter(known.has, found))
        unknown: list[str] = []
        for value in found:
            if known.has(value):
                continue
            if value.numbers and self._is_computed(value, own):
                self.note(value)
            else:
                unknown.append(value.written)
        return unknown + [each.written for each in known.names(sentence) if not known.has(each)]

    def note(self, *values: StatedValue) -> None:
        """Note numbers of the answer, from which others may be computed."""
        self._said += (each for each in values if each.numbers)

    def states(self, sentence: str) -> bool:
        """Return whether a sentence says enough beside the question to have a source."""
        return sum(self._claim(sentence).words.values()) >= _LEAST_WEIGHT

    def source(self, sentence: str) -> str | None:
        """Return the marker of the evidence that surely says a sentence, and clearly more of it
        than every other one; None also if the sentence says nothing beside the question."""
        claim = self._claim(PROMPT_TAG.sub(" ", sentence))
        if not claim.numbers and max(claim.words.values(), default=0.0) <= _QUESTION_WEIGHT:
            return None
        scores = sorted((self._score(claim, each), each.marker) for each in self.evidence)
        *others, (best, marker) = scores or [(0.0, "")]
        second = others[-1][0] if others else 0.0
        return marker if best and best - second >= _AHEAD else None

    def _claim(self, sentence: str) -> _Claim:
        words = {
            word: word.weight * (_QUESTION_WEIGHT if word.found_in(self._asked.words) == 1.0 else 1)
            for word in content_words(without_numbers(sentence))
        }
        numbers = [part for each in values_of(sentence) for part in each.parts]
        new = [each for each in numbers if each.numbers.isdisjoint(self._asked.numbers)]
        return _Claim(words, new)

    def _score(self, claim: _Claim, evidence: EvidenceText) -> float:
        """Return how much of a sentence evidence says, and how near to words of the question."""
        whole = claim.share_in(evidence.whole)
        if whole < _SURE or claim.lacks_number(evidence.whole):
            return 0.0
        return whole + max(
            claim.share_in(each) + self._question.share_in(each) for each in evidence.windows
        )

    def _is_computed(self, value: StatedValue, own: Sequence[str]) -> bool:
        self._tried += 1
        said = {number for each in self._said for number in each.numbers}
        shown = said | self._asked.numbers | self._known.days_apart()
        sources = [
            each
            for each in self.evidence
            if each.marker in own or not each.whole.numbers.isdisjoint(shown)
        ]
        cited = [number for each in sources for number in each.whole.numbers]
        rows = [*_rows(self._said), *(row for each in sources for row in each.rows)]
        if self._tried > _MOST_TRIED:
            return True
        return is_computed(max(value.numbers), shown, cited, rows)

    @cached_property
    def _asked(self) -> _Terms:
        return _Terms.of([self.question])

    @cached_property
    def _question(self) -> _Claim:
        return _Claim(dict.fromkeys(content_words(without_numbers(self.question)), 1.0), [])

    @cached_property
    def _known(self) -> KnownValues:
        known = KnownValues()
        for text in self.given:
            known.add(_with_source(text))
        for text in (self.question, *(each.text for each in self.evidence)):
            known.add(text)
        return known


def no_source(values: Iterable[str], locale: Locale) -> str:
    """Return the line below an answer that names its values without a source."""
    named = list(dict.fromkeys(values))
    more = ["…"] if len(named) > _MOST_NAMED else []
    return translate(NO_SOURCE, locale, values=", ".join(named[:_MOST_NAMED] + more))


def _with_source(text: str) -> str:
    """Return a text without the values that lines below earlier answers name."""
    for line in _LINE.findall(text):
        for value in filter(str.strip, line.split(", ")):
            text = text.replace(value, " ")
    return text


def _rows(values: Iterable[StatedValue]) -> list[list[float]]:
    """Return numbers in a row, and those of the columns that they may be from."""
    numbers = [max(each.numbers) for each in values if each.numbers]
    return [numbers[at::step] for step in range(1, _COLUMNS + 1) for at in range(step)]
