"""Which model answers, decided before it says anything wherever signals suffice (TN6)."""

import re
from dataclasses import dataclass
from enum import StrEnum

from pydantic import BaseModel, Field

from saegim.chat.check import Check
from saegim.chat.config import AssistantConfig, Thresholds
from saegim.chat.understanding import PlannedTool
from saegim.llm.ports import ModelRole
from saegim.llm.types import StepPath, StructuredStep
from saegim.text.analysis import fold

_BASE_TOKENS = 250
_PER_QUESTION = 150
_AT_LENGTH = 500
_LONG = re.compile(
    r"자세히|상세히|전부|모두|전체|하나하나|단계별|보고서|종합|비교표|문서로|in detail"
    r"|comprehensive|step by step|full report|everything|exhaustive"
)
_LENGTH = re.compile(r"(?P<number>\d{3,5})\s?(?P<unit>자|글자|단어|words|characters|tokens)")
_TOKENS_PER = {"단어": 2.0, "words": 1.4, "tokens": 1.0}


class Choice(StrEnum):
    LITE = "lite"
    STRONG = "strong"
    DRAFT = "draft"


@dataclass(frozen=True, slots=True)
class Signals:
    """What is known before an answer is written."""

    message: str
    confidence: float
    is_sufficient: bool
    has_evidence: bool
    conflict: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    choice: Choice
    reasons: tuple[str, ...] = ()


class SelfScore(BaseModel):
    """What the lite model thinks of its draft, each from 0 to 1."""

    accuracy: float = Field(default=0.0, ge=0, le=1)
    completeness: float = Field(default=0.0, ge=0, le=1)
    risk: float = Field(default=1.0, ge=0, le=1)
    overall: float = Field(default=0.0, ge=0, le=1)


class Draft(BaseModel):
    """The lite model's answer and its own scores.

    A draft with a tool plan is never shown: the tools that `tool_plan.allowed_requests` lets
    through run, and the answer is composed again with what they bring."""

    analysis: str = Field(default="", max_length=4_000)
    tool_plan: list[PlannedTool] = Field(default=[], max_length=8)
    draft: str = Field(max_length=20_000)
    self_score: SelfScore
    needs_strong_model: bool = False


DRAFT = StructuredStep("draft", ModelRole.LITE, StepPath.REPLY, Draft)


def decide(signals: Signals, config: AssistantConfig, has_strong: bool) -> Decision:
    """The strong model for what is dear, long or contradictory; the lite one for what is plain;
    a draft for what cannot be told yet."""
    if not has_strong:
        return Decision(Choice.LITE, ("no_strong_model",))
    limits, folded = config.thresholds, fold(signals.message)
    reasons: list[str] = []
    if any(fold(word) in folded for word in config.high_risk):
        reasons.append("high_risk")
    if signals.conflict:
        reasons.append("conflict")
    if expected_tokens(signals.message) > limits.answer_tokens:
        reasons.append("long_answer")
    if reasons:
        return Decision(Choice.STRONG, tuple(reasons))
    if not signals.has_evidence:
        return Decision(Choice.LITE, ("conversation",))
    if signals.is_sufficient and signals.confidence >= limits.sure:
        return Decision(Choice.LITE, ("sure",))
    return Decision(Choice.DRAFT, ("undecided",))


def against(draft: Draft, checked: Check, limits: Thresholds) -> tuple[str, ...]:
    """Why a draft is not shown; empty if it is."""
    reasons: list[str] = []
    if draft.needs_strong_model:
        reasons.append("needs_strong_model")
    if draft.tool_plan:
        reasons.append("wants_tools")
    if draft.self_score.overall < limits.overall:
        reasons.append("low_score")
    if draft.self_score.risk > limits.risk:
        reasons.append("risky")
    if not draft.draft.strip():
        reasons.append("empty")
    return (*reasons, *faults(checked))


def faults(checked: Check) -> tuple[str, ...]:
    """What the check found wrong, by name."""
    found = {
        "not_covered": not checked.passed and checked.coverage < 0.5,
        "unsupported_numbers": bool(checked.unsupported_numbers),
        "unknown_markers": bool(checked.unknown_markers),
        "conflict": checked.conflict,
    }
    return tuple(name for name, wrong in found.items() if wrong)


def expected_tokens(message: str) -> int:
    """How long an answer the message asks for, by its wording."""
    folded = fold(message)
    asked = _LENGTH.search(folded)
    if asked:
        return round(int(asked["number"]) * _TOKENS_PER.get(asked["unit"], 0.7))
    questions = max(1, folded.count("?"))
    long = len(_LONG.findall(folded)) * _AT_LENGTH
    return _BASE_TOKENS + _PER_QUESTION * (questions - 1) + long
