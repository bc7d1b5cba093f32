"""Rule-based fallback of the judge.

With expected facts it tells right values from wrong ones; without them it can only tell whether a
memory shares terms with the query.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from saegim.domain.scope import Locale
from saegim.evaluation.fact_matching import about, holds, numbers_in, plain, states, unit
from saegim.evaluation.types import (
    Criterion,
    CriterionScore,
    ExpectedFact,
    JudgedMemory,
    JudgeForm,
    MemoryStatement,
    Scores,
)
from saegim.locales import N_, translate
from saegim.text import analysis

# The lowest score of each band, highest first.
_BANDS = {
    Criterion.RELEVANCE: (
        (9, N_("has information directly about the query")),
        (7, N_("has information indirectly related to the query")),
        (4, N_("partly related to the query")),
        (1, N_("hardly related to the query")),
        (0, N_("unrelated to the query")),
    ),
    Criterion.COMPLETENESS: (
        (9, N_("has all the context an answer needs")),
        (7, N_("has most of the context an answer needs")),
        (4, N_("has only basic context")),
        (1, N_("has hardly any context")),
        (0, N_("has no context")),
    ),
    Criterion.ACCURACY: (
        (9, N_("accurate and reliable")),
        (7, N_("mostly accurate, with minor errors")),
        (4, N_("partly inaccurate")),
        (1, N_("mostly inaccurate")),
        (0, N_("entirely inaccurate")),
    ),
    Criterion.NOISE: (
        (9, N_("noise prevents an answer to the query")),
        (7, N_("so noisy that the key information is hard to find")),
        (4, N_("noisy, but the key information can be identified")),
        (2, N_("a little unrelated information")),
        (0, N_("hardly any noise")),
    ),
}


def reason(criterion: Criterion, score: int, locale: Locale) -> str:
    """Return the description of a score in the language."""
    return translate(next(text for low, text in _BANDS[criterion] if score >= low), locale)


# This many unrelated statements make a memory fully noisy.
NOISY_STATEMENTS = 6


class FactMatch(StrEnum):
    """How a memory covers a fact."""

    PRESENT = "present"
    SUPERSEDED = "superseded"
    """Present, beside older statements of a previous value."""
    MIXED = "mixed"
    """Present beside another value, with no sign of which is current."""
    STALE = "stale"
    WRONG = "wrong"
    SUBJECT = "subject"
    """The subject is there without a value."""
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
    """How a memory covers one fact, and the statements that show it."""

    fact: ExpectedFact
    match: FactMatch
    statements: Sequence[MemoryStatement]


def judged(subject: JudgedMemory) -> JudgeForm:
    """Judge a memory that is not empty."""
    statements = subject.statements()
    terms = frozenset(analysis.query_terms(subject.query))
    findings = [_find(fact, statements, subject.facts) for fact in subject.facts]
    present = [each for each in findings if each.match in PRESENT]
    used = {each.text: None for finding in present for each in finding.statements}
    helpful = used or {each.text: None for each in statements if _overlap(each, terms)}
    good = _by_facts(subject, findings) if findings else _by_terms(subject, statements, terms)
    scores = dict(zip(Criterion, (*good, _noise(subject, statements, terms)), strict=True))
    locale = analysis.language(subject.query)
    scored = {
        criterion.value: CriterionScore(reason=reason(criterion, score, locale), score=score)
        for criterion, score in scores.items()
    }
    return JudgeForm(
        scores=Scores(**scored),
        helpful_info=list(helpful)[:10],
        missing_info=[each.fact.written() for each in findings if each not in present],
        summary="; ".join(each.reason for each in scored.values()),
    )


def _find(
    fact: ExpectedFact, statements: Sequence[MemoryStatement], facts: Sequence[ExpectedFact]
) -> _FactFinding:
    others = [other for other in facts if other is not fact]
    stating = [each for each in statements if states(plain(each.text), fact, fact.value, others)]
    stale = [
        each
        for each in statements
        if each not in stating and states(plain(each.text), fact, fact.stale, others)
    ]
    if stating and not stale:
        return _FactFinding(fact, FactMatch.PRESENT, stating)
    if stating:
        superseded = _all_older(stale, stating) or _retracts(fact, stating, others)
        return _FactFinding(fact, FactMatch.SUPERSEDED if superseded else FactMatch.MIXED, stating)
    if stale:
        return _FactFinding(fact, FactMatch.STALE, stale)
    wrong = [each for each in statements if _is_wrong(plain(each.text), fact, others)]
    if wrong:
        return _FactFinding(fact, FactMatch.WRONG, wrong)
    named = [each for each in statements if about(plain(each.text), fact)]
    return _FactFinding(fact, FactMatch.SUBJECT if named else FactMatch.ABSENT, named)


def _all_older(stale: Sequence[MemoryStatement], current: Sequence[MemoryStatement]) -> bool:
    dates = [each.at for each in current if each.at is not None]
    return bool(dates) and all(each.at is not None and each.at < max(dates) for each in stale)


def _retracts(
    fact: ExpectedFact, stating: Sequence[MemoryStatement], others: Sequence[ExpectedFact]
) -> bool:
    """Whether a statement of the value denies the stale one: "shrimp, not nuts"."""
    texts = [plain(each.text) for each in stating]
    return any(
        holds(text, fact.stale) and not states(text, fact, fact.stale, others) for text in texts
    )


def _is_wrong(text: str, fact: ExpectedFact, others: Sequence[ExpectedFact]) -> bool:
    """Whether a plain text gives the subject another number of the same unit."""
    units = set(map(unit, numbers_in(fact.value[0])))
    values = [number for number in numbers_in(text) if unit(number) in units]
    expected = [value for other in (fact, *others) for value in other.value]
    unexpected = [value for value in values if not holds(value, expected)]
    return bool(unexpected) and states(text, fact, unexpected, others)


def _by_facts(subject: JudgedMemory, findings: Sequence[_FactFinding]) -> tuple[int, int, int]:
    """Score relevance, completeness and accuracy against the expected facts."""
    present = sum(each.match in PRESENT for each in findings)
    matches = {each.match for each in findings}
    if not present and matches <= {FactMatch.SUBJECT, FactMatch.ABSENT}:
        return _without_values(subject, matches)
    accuracy = min(ACCURACY[match] for match in matches - {FactMatch.ABSENT})
    if not present:
        return 8, 3, accuracy
    share = present / len(findings)
    return (10, 10, accuracy) if share == 1 else (9, max(4, min(8, int(10 * share))), accuracy)


def _without_values(subject: JudgedMemory, matches: set[FactMatch]) -> tuple[int, int, int]:
    """Score a memory with none of the values by how close it comes to the subject."""
    if FactMatch.SUBJECT in matches:
        return 6, 4, ACCURACY[FactMatch.SUBJECT]
    texts = [plain(each.text) for each in subject.statements()]
    words = [spelling for fact in subject.facts for part in fact.about for spelling in part]
    if any(holds(text, words) for text in texts):
        return 5, 4, 5
    if any(holds(text, subject.related) for text in texts):
        return 2, 1, 4
    return 0, 0, 0


def _by_terms(
    subject: JudgedMemory, statements: Sequence[MemoryStatement], terms: frozenset[str]
) -> tuple[int, int, int]:
    """Score without facts: by the share of the query's terms in the best statement."""
    best = max(statements, key=lambda each: _overlap(each, terms), default=None)
    if best is None or not (overlap := _overlap(best, terms)):
        related = any(holds(plain(each.text), subject.related) for each in statements)
        return (2, 1, 4) if related else (0, 0, 0)
    relevance = max(1, round(10 * min(1.0, overlap * 1.5)))
    new_terms = frozenset(analysis.index_terms(best.text)) - terms
    informative = numbers_in(best.text) or len(new_terms) > 2
    return relevance, min(8 if informative else 4, relevance), min(7, relevance)


def _overlap(statement: MemoryStatement, terms: frozenset[str]) -> float:
    """Return the share of the query's terms that a statement has."""
    own = frozenset(analysis.index_terms(statement.text))
    return len(terms & own) / len(terms) if terms else 0.0


def _noise(
    subject: JudgedMemory, statements: Sequence[MemoryStatement], terms: frozenset[str]
) -> int:
    """Score the share of unrelated statements; a few of them count less."""
    words = [
        *subject.related,
        *(value for fact in subject.facts for value in (*fact.value, *fact.stale)),
        *(spelling for fact in subject.facts for part in fact.about for spelling in part),
    ]
    unrelated = sum(
        not _overlap(each, terms) and not holds(plain(each.text), words) for each in statements
    )
    return round(10 * unrelated / len(statements) * min(1.0, unrelated / NOISY_STATEMENTS))
