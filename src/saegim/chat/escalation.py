"""Chooses the model that answers, and checks drafts against their evidence."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from itertools import combinations
from typing import Any

from pydantic import BaseModel, Field

from saegim.chat.review import is_high_risk
from saegim.chat.types import MARKER, AssistantConfig, Evidence, Thresholds
from saegim.llm.ports import ModelRole
from saegim.llm.types import StepPath, StructuredStep
from saegim.text.analysis import fold, index_terms, query_terms, sentences

LEAST_COVERAGE = 0.5
# A sentence is supported if the evidence has at least this share of its words.
_SUPPORTED_SHARE = 0.5
_SHORT = 4
_SAME_SUBJECT = 0.6
_READ_SENTENCES = 60

_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?")
# Small counts need no source: "2 ways", "first of 3".
_SMALLEST = 10


@dataclass(frozen=True, slots=True)
class Check:
    """The result of checking a text against its evidence."""

    coverage: float
    unsupported_numbers: tuple[str, ...]
    unknown_markers: tuple[str, ...]
    conflict: bool
    cites: bool

    @property
    def passed(self) -> bool:
        return (
            self.coverage >= LEAST_COVERAGE
            and not self.unsupported_numbers
            and not self.unknown_markers
            and not self.conflict
        )

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"passed": self.passed}


def check(text: str, evidence: Mapping[str, Evidence], message: str) -> Check:
    """Check coverage, numbers, markers, and conflicts between the cited evidence."""
    sources = [*(each.text for each in evidence.values()), message]
    markers, plain = set(MARKER.findall(text)), MARKER.sub("", text)
    cited = sorted(markers & set(evidence))
    return Check(
        coverage=coverage(plain, sources),
        unsupported_numbers=tuple(unsupported(plain, sources)),
        unknown_markers=tuple(sorted(markers - set(evidence))),
        conflict=conflicts([evidence[marker] for marker in cited], message),
        cites=bool(cited),
    )


def coverage(text: str, sources: Iterable[str]) -> float:
    """Return the share of the text's sentences that the sources support."""
    known = {term for source in sources for term in index_terms(source)}
    judged = [terms for terms in map(query_terms, sentences(text)) if len(terms) >= _SHORT]
    if not judged:
        return 1.0
    shares = [sum(term in known for term in terms) / len(terms) for terms in judged]
    return sum(share >= _SUPPORTED_SHARE for share in shares) / len(shares)


def unsupported(text: str, sources: Iterable[str]) -> list[str]:
    """Return the numbers of the text that no source has."""
    known = {_plain(number) for source in sources for number in _NUMBER.findall(fold(source))}
    return [
        number
        for number in dict.fromkeys(_NUMBER.findall(fold(text)))
        if _plain(number) not in known and not _is_small(number)
    ]


def conflicts(passages: Sequence[Evidence], message: str) -> bool:
    """Return whether two documents make the same statement with different numbers."""
    wanted = set(query_terms(message))
    claims: list[tuple[str, frozenset[str], frozenset[str]]] = []
    for passage in passages:
        for sentence in sentences(passage.text):
            numbers = frozenset(map(_plain, _NUMBER.findall(fold(sentence))))
            words = frozenset(t for t in index_terms(sentence) if not t[0].isdigit())
            if numbers and words & wanted:
                claims.append((passage.document or passage.id, words, numbers))
    return any(
        a[0] != b[0] and not a[2] & b[2] and len(a[1] & b[1]) >= _SAME_SUBJECT * len(a[1] | b[1])
        for a, b in combinations(claims[:_READ_SENTENCES], 2)
    )


def _plain(number: str) -> str:
    plain = number.replace(",", "")
    return plain.rstrip("0").rstrip(".") if "." in plain else plain


def _is_small(number: str) -> bool:
    plain = _plain(number)
    return plain.isdigit() and int(plain) <= _SMALLEST


_BASE_TOKENS = 250
_PER_QUESTION = 150
_LENGTH = re.compile(r"(?P<number>\d{3,5})\s?(?P<unit>자|단어|words)")
_TOKENS_PER = {"자": 0.7, "단어": 2.0, "words": 1.4}


class ModelChoice(StrEnum):
    LITE = "lite"
    STRONG = "strong"
    DRAFT = "draft"


@dataclass(frozen=True, slots=True)
class EscalationSignals:
    message: str
    confidence: float
    is_sufficient: bool
    has_evidence: bool
    conflict: bool = False
    has_doubts: bool = True
    """Whether rules doubt the search."""


@dataclass(frozen=True, slots=True)
class Decision:
    choice: ModelChoice
    reasons: tuple[str, ...] = ()


class SelfScore(BaseModel):
    """What the lite model thinks of its draft, each from 0 to 1."""

    accuracy: float = Field(default=0.0, ge=0, le=1)
    completeness: float = Field(default=0.0, ge=0, le=1)
    risk: float = Field(default=1.0, ge=0, le=1)
    overall: float = Field(default=0.0, ge=0, le=1)


class DraftAnswer(BaseModel):
    """The lite model's answer and its own scores.

    A draft that needs a tool is never shown: the strong model calls it."""

    analysis: str = Field(default="", max_length=4_000)
    needs_tool: bool = False
    draft: str = Field(max_length=20_000)
    self_score: SelfScore
    needs_strong_model: bool = False


DRAFT = StructuredStep("draft", ModelRole.LITE, StepPath.REPLY, DraftAnswer)


def decide(signals: EscalationSignals, config: AssistantConfig, has_strong: bool) -> Decision:
    """Choose the model: strong for risky, long or conflicting questions, lite for clear ones, and
    a draft by the lite model for the rest."""
    if not has_strong:
        return Decision(ModelChoice.LITE, ("no_strong_model",))
    limits = config.thresholds
    reasons: list[str] = []
    if is_high_risk(signals.message, config):
        reasons.append("high_risk")
    if signals.conflict:
        reasons.append("conflict")
    if expected_tokens(signals.message) > limits.answer_tokens:
        reasons.append("long_answer")
    if reasons:
        return Decision(ModelChoice.STRONG, tuple(reasons))
    if not signals.has_evidence:
        return Decision(ModelChoice.LITE, ("conversation",))
    if not signals.has_doubts:
        return Decision(ModelChoice.LITE, ("confident",))
    if signals.is_sufficient and signals.confidence >= limits.sure:
        return Decision(ModelChoice.LITE, ("sure",))
    return Decision(ModelChoice.DRAFT, ("undecided",))


def rejection_reasons(draft: DraftAnswer, checked: Check, limits: Thresholds) -> tuple[str, ...]:
    """Return why a draft is not shown; empty if it is."""
    reasons = {
        "needs_strong_model": draft.needs_strong_model,
        "wants_tools": draft.needs_tool,
        "low_score": draft.self_score.overall < limits.overall,
        "risky": draft.self_score.risk > limits.risk,
        "empty": not draft.draft.strip(),
        "not_covered": checked.coverage < LEAST_COVERAGE,
        "unsupported_numbers": bool(checked.unsupported_numbers),
        "unknown_markers": bool(checked.unknown_markers),
        "conflict": checked.conflict,
    }
    return tuple(name for name, applies in reasons.items() if applies)


def expected_tokens(message: str) -> int:
    """Estimate the length of the answer from the length that is asked for, or the questions."""
    folded = fold(message)
    if length := _LENGTH.search(folded):
        return round(int(length["number"]) * _TOKENS_PER[length["unit"]])
    return _BASE_TOKENS + _PER_QUESTION * max(0, folded.count("?") - 1)
