"""Assesses search results: which passages help, whether they suffice, and what to do next."""

import re
from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, Field

from saegim.library.service import title_of
from saegim.library.types import FoundPassage
from saegim.research.confidence import SCALE, features
from saegim.research.types import ResearchQuestion
from saegim.text.tokens import cut, delimited

READ = 12
PASSAGE_TOKENS = 220
# The rule takes passages with a score near the best, or of the same document: often an overview
# scores highest, and the details follow it.
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


def passage_blocks(pool: Sequence[FoundPassage]) -> list[str]:
    """Return the first passages as a prompt shows them, numbered from 0."""
    blocks: list[str] = []
    for number, each in enumerate(pool[:READ]):
        head = " › ".join([title_of(each.document, each.passage.text), *each.path])
        text = f"{number}. ({each.document.type}) {head}\n{cut(each.passage.text, PASSAGE_TOKENS)}"
        blocks.append(delimited("passage", text))
    return blocks


def chosen_passages(
    assessment: Assessment, pool: Sequence[FoundPassage]
) -> tuple[FoundPassage, ...]:
    """Return the ranked passages, without invalid and repeated numbers."""
    numbers = dict.fromkeys(assessment.ranked_indices)
    return tuple(pool[number] for number in numbers if 0 <= number < min(len(pool), READ))


def assess_by_rule(question: ResearchQuestion, pool: Sequence[FoundPassage]) -> Assessment:
    """Assess by scores; asks for another search if steps or a table are missing."""
    if not pool:
        return Assessment(ranked_indices=[], is_sufficient=False, confidence=0.0)
    text = question.standalone or question.message
    confidence = SCALE.confidence(features(question.message, pool))
    best, document = pool[0].signals.score, pool[0].document.id
    near = [
        number
        for number, each in enumerate(pool[:READ])
        if best <= 0 or each.signals.score >= _NEAR * best or each.document.id == document
    ]
    ranked = near[:_MOST]
    missing = _missing(text, [pool[number] for number in ranked])
    return Assessment(
        ranked_indices=ranked,
        is_sufficient=confidence >= _SURE and not missing,
        missing=missing,
        next_action="search_again" if missing else None,
        refined_query=text[:1_000] if missing else None,
        confidence=confidence,
    )


def _missing(text: str, ranked: Sequence[FoundPassage]) -> list[str]:
    missing: list[str] = []
    if _WANTS_STEPS.search(text) and not any(each.passage.tags.has_steps for each in ranked):
        missing.append("steps")
    if _WANTS_TABLE.search(text) and not any(each.passage.tags.has_table for each in ranked):
        missing.append("table")
    return missing
