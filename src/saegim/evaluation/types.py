"""Judged memories, expected facts and judgements."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, computed_field

WEIGHTS = {"relevance": 0.35, "completeness": 0.30, "accuracy": 0.25, "noise": 0.10}
MOST = 10
# A criterion from this score on is in one of its two upper bands.
USABLE = 7
# Up to this noise the key information can be identified.
DISCERNIBLE = 6


def _spellings(word: object) -> object:
    return word.split("|") if isinstance(word, str) else word


Spellings = Annotated[tuple[str, ...], BeforeValidator(_spellings)]


class Criterion(StrEnum):
    RELEVANCE = "relevance"
    COMPLETENESS = "completeness"
    ACCURACY = "accuracy"
    NOISE = "noise"
    """Lower is better, unlike the others."""


class CriterionScore(BaseModel):
    """Reason before score, so that a model reasons first."""

    reason: str
    score: Annotated[int, Field(ge=0, le=MOST)]


class Scores(BaseModel):
    relevance: CriterionScore
    completeness: CriterionScore
    accuracy: CriterionScore
    noise: CriterionScore

    def of(self, criterion: Criterion) -> int:
        return getattr(self, criterion.value).score

    def overall(self) -> float:
        """Return 0 to 100: 35 % relevance, 30 % completeness, 25 % accuracy, 10 % lack of noise."""
        good = sum(
            WEIGHTS[criterion.value] * self.of(criterion)
            for criterion in Criterion
            if criterion is not Criterion.NOISE
        )
        return round(MOST * (good + WEIGHTS["noise"] * (MOST - self.noise.score)), 1)


class JudgeForm(BaseModel):
    """The form that a judge fills in, without the overall score."""

    scores: Scores
    helpful_info: list[str] = []
    missing_info: list[str] = []
    summary: str


class Judgement(JudgeForm):
    """A judgement with its overall score, which the model never computes."""

    @computed_field
    @property
    def overall_score(self) -> float:
        return self.scores.overall()

    @classmethod
    def of(cls, verdict: JudgeForm) -> Self:
        return cls.model_validate(verdict.model_dump(exclude={"overall_score"}))

    @property
    def usable(self) -> bool:
        """Whether it is relevant, complete and accurate enough for an answer."""
        good = (Criterion.RELEVANCE, Criterion.COMPLETENESS, Criterion.ACCURACY)
        return all(self.scores.of(criterion) >= USABLE for criterion in good)

    @property
    def accepted(self) -> bool:
        """Whether it is usable and not too noisy."""
        return self.usable and self.scores.noise.score <= DISCERNIBLE


@dataclass(frozen=True, slots=True)
class ExpectedFact:
    """A value that a helpful memory has, and the words of its subject.

    A word or a value may have several spellings. `stale` are previous or wrong values; `rivals`
    are subjects that are easily confused with this one. In data files, `|` separates the spellings
    of a word."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    about: Annotated[tuple[Spellings, ...], Field(min_length=1)]
    value: Annotated[tuple[str, ...], Field(min_length=1)]
    stale: tuple[str, ...] = ()
    rivals: tuple[str, ...] = ()

    def written(self) -> str:
        """Render the fact for the judge."""
        subject = " ".join(spellings[0] for spellings in self.about)
        before = f" (≠ {', '.join(self.stale)})" if self.stale else ""
        return f"{subject}: {self.value[0]}{before}"


@dataclass(frozen=True, slots=True)
class MemoryStatement:
    """A statement of a memory; `at` is when it was said, if known."""

    text: str
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class JudgedMemory:
    """A memory and the query it should help with.

    `facts` are the expected facts, if known; `related` are words of the same field."""

    query: str
    memory: Sequence[MemoryStatement]
    entities: Sequence[tuple[str, str]] = ()
    facts: Sequence[ExpectedFact] = ()
    related: Sequence[str] = ()

    @property
    def empty(self) -> bool:
        return not self.entities and not any(each.text.strip() for each in self.memory)

    def statements(self) -> list[MemoryStatement]:
        """Return all statements, entities included."""
        keyed = [MemoryStatement(f"{key}: {value}") for key, value in self.entities]
        return [*(each for each in self.memory if each.text.strip()), *keyed]
