"""Which sources answer a question to memory: by topic, by attribute and by words."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from saegim.chat.memory_questions.types import MemoryFindings, MemoryQuestion, MemorySource
from saegim.chat.rules.about_user import LIKELY, SURE, UserStatement, answering
from saegim.chat.rules.intents import is_phrase
from saegim.chat.rules.patterns import pattern
from saegim.chat.rules.quotes import best_quotes
from saegim.memory.types import MemoryType
from saegim.text.analysis import fold, index_terms, query_terms, sentences
from saegim.text.questions import is_question

_DECISION = pattern("ask_memory", "decision")
_BECAUSE = pattern("ask_memory", "because")
# Share of the topic's terms that a source about it has.
_ABOUT = 0.5
_LEAST_QUOTE, _SURE_QUOTE = 0.25, 0.6
_SURE_FIT, _LIKELY_FIT = 0.8, 0.6


@dataclass(frozen=True, slots=True)
class AnsweringSource:
    """A source, the sentence of it that answers, and how well that fits, from 0 to 1."""

    source: MemorySource
    sentence: str
    fit: float


def coverage(topic: str, source: MemorySource) -> float:
    """Return the share of the topic's terms that a source has; 1 without a topic."""
    terms = set(query_terms(topic)) if topic else set[str]()
    if not terms:
        return 1.0
    present = set(index_terms(f"{source.topic} {source.text} {source.quote}"))
    return len(terms & present) / len(terms)


def about[T: MemorySource](topic: str, sources: Iterable[T]) -> list[T]:
    """Return the sources about a topic, in their order."""
    return [each for each in sources if coverage(topic, each) >= _ABOUT]


def decides(source: MemorySource) -> bool:
    """Return whether a source tells a decision."""
    if source.type is MemoryType.DECISION:
        return True
    return _DECISION.search(fold(source.text)) is not None and not is_question(source.text)


def gives_reason(sentence: str) -> bool:
    return _BECAUSE.search(fold(sentence)) is not None


def user_sentences(source: MemorySource) -> list[str]:
    """Return the sentences that the user said in a turn, without questions."""
    said = source.text.strip().split("\n", 1)[0]
    return [each for each in sentences(said) if not is_question(each) and not is_phrase(each)]


def best_sources(question: MemoryQuestion, findings: MemoryFindings) -> list[AnsweringSource]:
    """Return the sources that answer a question, the best first; empty if none does.

    Where recall doubts that the answer was told, a source must fit surely.
    """
    least = SURE if findings.is_unknown else LIKELY
    by_attribute = _statements(question.text, findings, least)
    if by_attribute:
        return by_attribute
    least_share = _SURE_QUOTE if findings.is_unknown else _LEAST_QUOTE
    return [each for each in _quotes(question.text, findings) if each.fit >= least_share]


def is_sure(question: MemoryQuestion, findings: MemoryFindings) -> bool:
    """Return whether no further look is needed."""
    if _statements(question.text, findings, SURE):
        return True
    return any(each.fit >= _SURE_QUOTE for each in _quotes(question.text, findings))


def _statements(text: str, findings: MemoryFindings, least: float) -> list[AnsweringSource]:
    records = {
        str(each.id): each
        for each in findings.sources
        if each.kind == "record" and each.superseded_by is None
    }
    known = [
        UserStatement(each.text, each.said_at, each.topic, name) for name, each in records.items()
    ]
    sure = answering(text, known, least=SURE)
    fit = _SURE_FIT if sure else _LIKELY_FIT
    found = sure or (answering(text, known, least=least) if least < SURE else [])
    return [
        AnsweringSource(records[each.id], each.text, fit) for each in found if each.id is not None
    ]


def _quotes(text: str, findings: MemoryFindings) -> list[AnsweringSource]:
    said = [
        (source, sentence)
        for source in reversed(findings.sources)
        for sentence in (user_sentences(source) if source.kind == "turn" else [source.text])
    ]
    by_number = {str(number): each for number, each in enumerate(said)}
    candidates: Sequence[tuple[str, str]] = [
        (number, sentence) for number, (_, sentence) in by_number.items()
    ]
    return [
        AnsweringSource(by_number[each.marker][0], each.sentence, each.share)
        for each in best_quotes(text, candidates)
    ]
