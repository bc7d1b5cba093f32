"""Feedback on answers, and questions that had none."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from saegim.domain.scope import Scope

Thumb = Literal["up", "down"]


@dataclass(frozen=True, slots=True)
class Feedback:
    """A thumb, and what the answer should have been.

    `for_evaluation` is the user's consent to use the turn and the conversation before it as an
    evaluation case. New feedback replaces it.
    """

    thumb: Thumb
    correction: str | None = None
    for_evaluation: bool = False


@dataclass(frozen=True, slots=True)
class SharedFeedback:
    scope: Scope
    turn: UUID
    feedback: Feedback


@dataclass(frozen=True, slots=True)
class UnansweredQuestion:
    """A question; `shared` is the person's consent that others read it."""

    turn: UUID
    member: UUID
    at: datetime
    question: str
    outcome: str
    thumb: Thumb | None
    correction: str | None
    shared: bool = False


@dataclass(frozen=True, slots=True)
class QuestionCluster:
    """Questions of several people, told by the terms that enough of them used."""

    terms: tuple[str, ...]
    people: int
    turns: tuple[UUID, ...]
    last_at: datetime

    @property
    def questions(self) -> int:
        return len(self.turns)


@dataclass(frozen=True, slots=True)
class UnansweredReport:
    """What was not answered: shared questions in words, others as clusters; `total` counts all."""

    questions: tuple[UnansweredQuestion, ...]
    clusters: tuple[QuestionCluster, ...]
    total: int
