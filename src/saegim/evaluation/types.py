"""What is judged and what a judge says: values alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Self

from pydantic import BaseModel, Field, computed_field

WEIGHTS = {"relevance": 0.35, "completeness": 0.30, "accuracy": 0.25, "noise": 0.10}
MOST = 10
# From this score on a criterion is in one of its two upper bands: usable without asking back.
USABLE = 7
# Up to here what matters can still be told from what does not.
DISCERNIBLE = 6


class Criterion(StrEnum):
    RELEVANCE = "relevance"
    COMPLETENESS = "completeness"
    ACCURACY = "accuracy"
    NOISE = "noise"
    """The only one of which less is better."""


class CriterionScore(BaseModel):
    """One criterion: why, and then how much, in the order in which a model thinks it out."""

    reason: str
    score: Annotated[int, Field(ge=0, le=MOST)]


class Scores(BaseModel):
    relevance: CriterionScore
    completeness: CriterionScore
    accuracy: CriterionScore
    noise: CriterionScore

    def of(self, criterion: Criterion) -> int:
        scored: CriterionScore = getattr(self, criterion.value)
        return scored.score

    def overall(self) -> float:
        """0 to 100: 35 % relevance, 30 % completeness, 25 % accuracy, 10 % freedom from noise."""
        good = sum(
            WEIGHTS[criterion.value] * self.of(criterion)
            for criterion in Criterion
            if criterion is not Criterion.NOISE
        )
        return round(MOST * (good + WEIGHTS["noise"] * (MOST - self.noise.score)), 1)


class JudgeForm(BaseModel):
    """What a judge fills in. The overall score is none of its business."""

    scores: Scores
    helpful_info: list[str] = []
    missing_info: list[str] = []
    summary: str


class Judgement(JudgeForm):
    """A verdict with its overall score, computed here and never by the model."""

    @computed_field
    @property
    def overall_score(self) -> float:
        return self.scores.overall()

    @classmethod
    def of(cls, verdict: JudgeForm) -> Self:
        return cls.model_validate(verdict.model_dump(exclude={"overall_score"}))

    @property
    def usable(self) -> bool:
        """Whether an answer can be built on it: related, sufficient and right."""
        good = (Criterion.RELEVANCE, Criterion.COMPLETENESS, Criterion.ACCURACY)
        return all(self.scores.of(criterion) >= USABLE for criterion in good)

    @property
    def accepted(self) -> bool:
        """Usable, and not buried under what has nothing to do with it."""
        return self.usable and self.scores.noise.score <= DISCERNIBLE


@dataclass(frozen=True, slots=True)
class ExpectedFact:
    """What a helpful memory says: a value, and the words that tell what it is the value of.

    A word or a value may have several spellings, any of which counts. `stale` are values that held
    before or are wrong; `rivals` are what it is easily mistaken for, such as another provider.
    """

    about: tuple[tuple[str, ...], ...]
    value: tuple[str, ...]
    stale: tuple[str, ...] = ()
    rivals: tuple[str, ...] = ()

    def written(self) -> str:
        """As a judge reads it."""
        subject = " ".join(spellings[0] for spellings in self.about)
        before = f" (≠ {', '.join(self.stale)})" if self.stale else ""
        return f"{subject}: {self.value[0]}{before}"


@dataclass(frozen=True, slots=True)
class MemoryStatement:
    """One statement of a memory; `at` is when it was said, where the memory tells."""

    text: str
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class JudgedMemory:
    """What is judged: whether this memory helps with this query.

    `facts` are what it should say, where somebody knows; `related` are words of the same field.
    """

    query: str
    memory: Sequence[MemoryStatement]
    entities: Sequence[tuple[str, str]] = ()
    facts: Sequence[ExpectedFact] = ()
    related: Sequence[str] = ()

    @property
    def empty(self) -> bool:
        return not self.entities and not any(each.text.strip() for each in self.memory)

    def statements(self) -> list[MemoryStatement]:
        """Everything the memory says, entities too."""
        keyed = [MemoryStatement(f"{key}: {value}") for key, value in self.entities]
        return [*(each for each in self.memory if each.text.strip()), *keyed]
