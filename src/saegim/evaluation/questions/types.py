"""Questions, runs and results."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

RunState = Literal["running", "done", "stopped", "failed"]


@dataclass(frozen=True, slots=True)
class TestQuestion:
    """A question; `expected` is the id of a document, or words of the answer between commas."""

    __test__ = False

    question: str
    expected: str


@dataclass(frozen=True, slots=True)
class EvaluationRun:
    """A run over the questions; `error` says why it stopped, `right_answers` counts so far."""

    id: UUID
    assistant: UUID
    version: int | None
    state: RunState
    error: str | None
    total: int
    done: int
    right_answers: int
    created_at: datetime
    finished_at: datetime | None

    @property
    def score(self) -> float | None:
        """The share of right answers; None without answers."""
        return self.right_answers / self.done if self.done else None


@dataclass(frozen=True, slots=True)
class RunInputs:
    """The questions of a run, and what its searches may read."""

    questions: tuple[TestQuestion, ...]
    key: UUID
    groups: tuple[str, ...]
    locale: Literal["ko", "en"]
    time_zone: str


@dataclass(frozen=True, slots=True)
class QuestionResult:
    """The answer to a question; `rank` is the first passage of the search with what is expected."""

    question: str
    expected: str
    answer: str
    rank: int | None
    right: bool
    abstained: bool

    @property
    def found(self) -> bool:
        return self.rank is not None


@dataclass(frozen=True, slots=True)
class RunComparison:
    """Right answers of a run and the one before it, to the questions that both have."""

    before: UUID
    questions: int
    right: int
    right_before: int


@dataclass(frozen=True, slots=True)
class RunReport:
    """A run with its results; `right_before` has the questions of the run before it."""

    run: EvaluationRun
    results: Sequence[QuestionResult]
    comparison: RunComparison | None
    right_before: dict[tuple[str, str], bool]


def key_of(result: QuestionResult) -> tuple[str, str]:
    """Return what makes a question the same one in two runs."""
    return result.question, result.expected
