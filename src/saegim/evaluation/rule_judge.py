"""The judge's twin: facts looked for by their words, everything else counted.

It knows what it is told: with the expected facts it tells right from wrong, without them it can
only tell whether a memory speaks of what is asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from saegim.conversations.summary.values import ValueKind, find_values
from saegim.evaluation import rule_reasons
from saegim.evaluation.fact_matching import about, holds, plain, states
from saegim.evaluation.types import (
    CriterionScore,
    ExpectedFact,
    JudgedMemory,
    JudgeForm,
    MemoryStatement,
    Scores,
)
from saegim.text import analysis

# So many statements that have nothing to do with the query hide one that has.
HIDING = 6


class FactMatch(StrEnum):
    """What a memory has of a fact."""

    PRESENT = "present"
    SUPERSEDED = "superseded"
    """Present, besides older statements of what held before."""
    MIXED = "mixed"
    """Present, but so is another value, and nothing tells which holds."""
    STALE = "stale"
    WRONG = "wrong"
    SUBJECT = "subject"
    """The subject is there, no value of it."""
    ABSENT = "absent"


PRESENT = frozenset({FactMatch.PRESENT, FactMatch.SUPERSEDED, FactMatch.MIXED})
ACCURACY = {
    FactMatch.PRESENT: 10,
    FactMatch.SUPERSEDED: 8,
    FactMatch.MIXED: 5,
    FactMatch.SUBJECT: 6,
    FactMatch.STALE: 2,
    FactMatch.WRONG: 1,
    FactMatch.ABSENT: 0,
}


@dataclass(frozen=True, slots=True)
class _FactFinding:
    """What a memory has of one fact, and the statements that say so."""

    fact: ExpectedFact
    found: FactMatch
    by: tuple[MemoryStatement, ...]


def judged(subject: JudgedMemory) -> JudgeForm:
    """The verdict on a memory that is not empty."""
    said = subject.statements()
    terms = frozenset(analysis.query_terms(subject.query))
    looks = [_look(fact, said, subject.facts) for fact in subject.facts]
    scores = _by_facts(subject, looks) if looks else _by_words(subject, said, terms)
    relevance, completeness, accuracy = scores
    used = {each.text: None for look in looks for each in look.by if look.found in PRESENT}
    helpful = used or {each.text: None for each in said if _shares(each, terms)}
    noise = _noise(subject, said, terms)
    words = rule_reasons.of(analysis.language(subject.query))
    return JudgeForm(
        scores=Scores(
            relevance=CriterionScore(reason=words.relevance(relevance), score=relevance),
            completeness=CriterionScore(
                reason=words.completeness(completeness), score=completeness
            ),
            accuracy=CriterionScore(reason=words.accuracy(accuracy), score=accuracy),
            noise=CriterionScore(reason=words.noise(noise), score=noise),
        ),
        helpful_info=list(helpful)[:10],
        missing_info=[look.fact.written() for look in looks if look.found not in PRESENT],
        summary=words.summary(relevance, completeness, accuracy, noise),
    )


def _look(
    fact: ExpectedFact, said: Sequence[MemoryStatement], facts: Sequence[ExpectedFact]
) -> _FactFinding:
    others = [other for other in facts if other is not fact]
    stating = [each for each in said if states(plain(each.text), fact, fact.value, others)]
    against = [
        each
        for each in said
        if each not in stating and states(plain(each.text), fact, fact.stale, others)
    ]
    if stating and not against:
        return _FactFinding(fact, FactMatch.PRESENT, tuple(stating))
    if stating:
        superseded = _all_older(against, stating) or _takes_back(fact, stating, others)
        return _FactFinding(
            fact, FactMatch.SUPERSEDED if superseded else FactMatch.MIXED, tuple(stating)
        )
    if against:
        return _FactFinding(fact, FactMatch.STALE, tuple(against))
    mistaken = tuple(each for each in said if _mistakes(plain(each.text), fact, others))
    if mistaken:
        return _FactFinding(fact, FactMatch.WRONG, mistaken)
    named = tuple(each for each in said if about(plain(each.text), fact))
    return _FactFinding(fact, FactMatch.SUBJECT if named else FactMatch.ABSENT, named)


def _all_older(those: Sequence[MemoryStatement], than: Sequence[MemoryStatement]) -> bool:
    dated = [each.at for each in than if each.at is not None]
    return bool(dated) and all(each.at is not None and each.at < max(dated) for each in those)


def _takes_back(
    fact: ExpectedFact, stating: Sequence[MemoryStatement], others: Sequence[ExpectedFact]
) -> bool:
    """Whether what says the value names the older one as what holds no more: shrimp, not nuts."""
    texts = [plain(each.text) for each in stating]
    return any(
        holds(text, fact.stale) and not states(text, fact, fact.stale, others) for text in texts
    )


def _mistakes(text: str, fact: ExpectedFact, others: Sequence[ExpectedFact]) -> bool:
    """Whether a plain text gives the subject a value of the same kind that is not its own."""
    kinds = {value.kind for value in find_values(fact.value[0])} - {ValueKind.LOOSE}
    values = [each.text for each in find_values(text) if each.kind in kinds]
    own = [value for other in (fact, *others) for value in other.value]
    strange = [value for value in values if not holds(value, own)]
    return bool(strange) and states(text, fact, strange, others)


def _by_facts(subject: JudgedMemory, looks: Sequence[_FactFinding]) -> tuple[int, int, int]:
    """Relevance, completeness and accuracy against what should be known."""
    present = sum(look.found in PRESENT for look in looks)
    found = {look.found for look in looks}
    if not present and found <= {FactMatch.SUBJECT, FactMatch.ABSENT}:
        return _vague(subject, found)
    accuracy = min(ACCURACY[look.found] for look in looks if look.found is not FactMatch.ABSENT)
    if not present:
        return 8, 3, accuracy
    share = present / len(looks)
    return (10, 10, accuracy) if share == 1 else (9, max(4, min(8, int(10 * share))), accuracy)


def _vague(subject: JudgedMemory, found: set[FactMatch]) -> tuple[int, int, int]:
    """A memory without any of the values: how near it comes to what is asked."""
    if FactMatch.SUBJECT in found:
        return 6, 4, ACCURACY[FactMatch.SUBJECT]
    texts = [plain(each.text) for each in subject.statements()]
    words = [spelling for fact in subject.facts for part in fact.about for spelling in part]
    if any(holds(text, words) for text in texts):
        return 5, 4, 5
    if any(holds(text, subject.related) for text in texts):
        return 2, 1, 4
    return 0, 0, 0


def _by_words(
    subject: JudgedMemory, said: Sequence[MemoryStatement], terms: frozenset[str]
) -> tuple[int, int, int]:
    """The same where nobody knows the facts: how much of the query the best statement shares."""
    shared = max((_shared(each, terms) for each in said), default=0.0)
    if shared == 0:
        return (2, 1, 4) if _in_field(subject, said) else (0, 0, 0)
    relevance = max(1, round(10 * min(1.0, shared * 1.5)))
    most = max(said, key=lambda each: _shared(each, terms))
    tells = find_values(most.text) or len(frozenset(analysis.index_terms(most.text)) - terms) > 2
    return relevance, min(8, relevance) if tells else min(4, relevance), min(7, relevance)


def _in_field(subject: JudgedMemory, said: Sequence[MemoryStatement]) -> bool:
    return any(holds(plain(each.text), subject.related) for each in said)


def _shared(said: MemoryStatement, terms: frozenset[str]) -> float:
    """The share of the query's terms that a statement has."""
    return len(terms & frozenset(analysis.index_terms(said.text))) / len(terms) if terms else 0.0


def _shares(said: MemoryStatement, terms: frozenset[str]) -> bool:
    return _shared(said, terms) > 0


def _noise(subject: JudgedMemory, said: Sequence[MemoryStatement], terms: frozenset[str]) -> int:
    """The share of statements that have nothing to do with the query, less where they are few."""
    words = [
        *subject.related,
        *(value for fact in subject.facts for value in (*fact.value, *fact.stale)),
        *(spelling for fact in subject.facts for part in fact.about for spelling in part),
    ]
    related = sum(_shares(each, terms) or holds(plain(each.text), words) for each in said)
    unrelated = len(said) - related
    return round(10 * unrelated / len(said) * min(1.0, unrelated / HIDING))
