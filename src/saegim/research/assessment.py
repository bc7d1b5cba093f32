"""One call that reranks and judges at once, and its twin by scores and coverage (TN3)."""

import re
from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, Field

from saegim.library.service import title_of
from saegim.library.types import FoundPassage
from saegim.llm.ports import ModelRole
from saegim.llm.steps import load
from saegim.llm.types import Message, StepPath, StepPrompt, StructuredStep
from saegim.research.confidence import SCALE, features
from saegim.research.types import ResearchQuestion
from saegim.text.tokens import cut, delimited

READ = 12
PASSAGE_TOKENS = 220
# The twin takes passages that are near the best in score, or stand in the same document: an
# overview often scores highest, and what it is an overview of stands right behind it.
_NEAR = 0.45
_MOST = 6
_SURE = 0.6

_WANTS_STEPS = re.compile(
    r"방법|어떻게|절차|순서|단계|하려면|how (?:to|do|can)|steps?\b|procedure", re.IGNORECASE
)
_WANTS_TABLE = re.compile(
    r"요금표|가격표|비교|목록|표로|price list|pricing|compare|table", re.IGNORECASE
)


class Assessment(BaseModel):
    """Which passages help, whether they suffice, and what to do if they do not."""

    ranked_indices: list[int] = Field(max_length=50)
    is_sufficient: bool
    missing: list[str] = Field(default=[], max_length=20)
    next_action: Literal["get_section", "search_again"] | None = None
    refined_query: str | None = Field(default=None, max_length=1_000)
    confidence: float = Field(ge=0.0, le=1.0)


ASSESS = StructuredStep("assess", ModelRole.ASSESSOR, StepPath.REPLY, Assessment, 600)


def assessment_prompt(question: ResearchQuestion, pool: Sequence[FoundPassage]) -> StepPrompt:
    """The question and the first passages, as data."""
    shown = [delimited("question", question.message)]
    if question.standalone:
        shown.append(delimited("question_in_conversation", question.standalone))
    for number, one in enumerate(pool[:READ]):
        head = " › ".join([title_of(one.document, one.passage.text), *one.path])
        text = f"{number}. ({one.document.type}) {head}\n{cut(one.passage.text, PASSAGE_TOKENS)}"
        shown.append(delimited("passage", text))
    return load("saegim.research", "assess").step((Message("user", "\n\n".join(shown)),))


def chosen_passages(
    assessment: Assessment, pool: Sequence[FoundPassage]
) -> tuple[FoundPassage, ...]:
    """The ranked passages; numbers that name none are dropped, and so is a second mention."""
    numbers = dict.fromkeys(assessment.ranked_indices)
    return tuple(pool[number] for number in numbers if 0 <= number < min(len(pool), READ))


def assess_by_rule(question: ResearchQuestion, pool: Sequence[FoundPassage]) -> Assessment:
    """Passages near the best score; confidence by arithmetic; steps are searched if asked for."""
    if not pool:
        return Assessment(ranked_indices=[], is_sufficient=False, confidence=0.0)
    asked = question.standalone or question.message
    confidence = SCALE.confidence(features(question.message, pool))
    best, document = pool[0].signals.score, pool[0].document.id
    near = [
        number
        for number, one in enumerate(pool[:READ])
        if best <= 0 or one.signals.score >= _NEAR * best or one.document.id == document
    ]
    ranked = near[:_MOST]
    missing = _missing(asked, [pool[number] for number in ranked])
    return Assessment(
        ranked_indices=ranked,
        is_sufficient=confidence >= _SURE and not missing,
        missing=missing,
        next_action="search_again" if missing else None,
        refined_query=asked[:1_000] if missing else None,
        confidence=confidence,
    )


def _missing(asked: str, ranked: Sequence[FoundPassage]) -> list[str]:
    missing: list[str] = []
    if _WANTS_STEPS.search(asked) and not any(one.passage.tags.has_steps for one in ranked):
        missing.append("steps")
    if _WANTS_TABLE.search(asked) and not any(one.passage.tags.has_table for one in ranked):
        missing.append("table")
    return missing
