"""What a question asks of documents: the kind of value, and its words by weight."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from saegim.chat.rules.patterns import compiled, pattern, section
from saegim.text.analysis import fold, index_terms, query_terms, word_keys

# Weight of a question word that no passage has: most are endings and question words.
_UNMATCHED_WEIGHT = 0.15
# Of the sentences that answer one question of an FAQ, the most similar one is first.
_FAQ_WEIGHT = 0.1


@dataclass(frozen=True, slots=True)
class SourcePassage:
    """A passage to answer from; `rank` is its score, 1 for the best."""

    marker: str
    title: str
    headings: str
    text: str
    rank: float = 1.0


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """A line that answers, with its source; `quote` is what it was taken from."""

    text: str
    passage: SourcePassage
    score: float
    quote: str


# --- what kind of value a question asks for ---


@dataclass(frozen=True, slots=True)
class AnswerKind:
    """A kind of value: words that ask for it, names of columns that have it, and its form."""

    asked: re.Pattern[str]
    named: re.Pattern[str]
    form: re.Pattern[str]


_KINDS = {
    each["name"]: AnswerKind(*(compiled(each[key]) for key in ("asked", "named", "form")))
    for each in section("document_answer")["kinds"]
}
PERSON = _KINDS["person"]
PLACE = _KINDS["place"]
_LIST = pattern("document_answer", "list")
_COUNT = pattern("document_answer", "count")


def asked_kinds(question: str) -> list[AnswerKind]:
    """Return the kinds of value that a question asks for."""
    folded = fold(question)
    return [kind for kind in _KINDS.values() if kind.asked.search(folded)]


def wants_list(question: str) -> bool:
    return _LIST.search(fold(question)) is not None


def wants_count(question: str) -> bool:
    return _COUNT.search(fold(question)) is not None


# --- the words of a question, weighted ---

# A code or number of a question names one thing: L15.
_CODE = re.compile(r"(?=.*\d)[a-z0-9.-]{2,}")
_NEEDS = pattern("document_answer", "needs")


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the weights of its terms; words of the question before it weigh less."""

    text: str
    weights: Mapping[str, float]
    words: frozenset[str]
    own_words: frozenset[str]
    kinds: tuple[AnswerKind, ...]
    lists: bool
    counts: bool
    needs_kind: bool

    def share(self, terms: set[str] | frozenset[str]) -> float:
        """Return the share of the question's weight that the terms have."""
        total = sum(self.weights.values()) or 1.0
        return sum(weight for term, weight in self.weights.items() if term in terms) / total


def understand(
    text: str, earlier: str, passages: Sequence[SourcePassage], earlier_share: float = 0.0
) -> Question:
    """Weigh the words of a question: rare ones among the passages weigh more."""
    own = set(query_terms(text))
    before = set(query_terms(earlier)) - own if earlier_share else set[str]()
    present = Counter(
        term
        for passage in passages
        for term in terms_of(f"{passage.title} {passage.headings} {passage.text}")
        if term in own or term in before
    )
    size = len(passages) or 1

    def weight(term: str) -> float:
        if not present[term]:
            return _UNMATCHED_WEIGHT
        if _CODE.fullmatch(term):
            return 3.0
        return 0.4 + math.log(1 + size / present[term])

    weights = {term: weight(term) for term in own}
    weights |= {term: earlier_share * weight(term) for term in before if present[term]}
    kinds = asked_kinds(text) or (asked_kinds(earlier) if earlier_share else [])
    return Question(
        text,
        weights,
        word_keys(f"{text} {earlier}" if earlier_share else text),
        word_keys(text),
        tuple(kinds),
        wants_list(text),
        wants_count(text),
        bool(kinds) and _NEEDS.search(fold(text)) is not None,
    )


@lru_cache(maxsize=4_000)
def terms_of(text: str) -> frozenset[str]:
    return frozenset(index_terms(text))


@dataclass(frozen=True, slots=True)
class Candidate:
    """A line that may answer: its score without meaning, and the text whose meaning is compared.

    `asked` is the question that it answers, in an FAQ. `covered` is the share of the question's
    words that the line and its headings have. `is_named`: the question names the row and the column
    of a cell.
    """

    line: AnswerLine
    meaning: str
    covered: float
    fits_kind: bool = True
    is_named: bool = False
    asked: str = ""

    def similarity(self, similar: Mapping[str, float]) -> float:
        """Return the similarity of the line to the question, or of the FAQ's question to it."""
        own = similar.get(self.meaning, 0.0)
        return max(own, similar.get(self.asked, 0.0) + _FAQ_WEIGHT * own)
