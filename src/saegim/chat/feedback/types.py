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

    `for_evaluation` is the person's leave to make a case of the turn and of what was said before
    it; without it nobody does. It is taken back by giving feedback again."""

    thumb: Thumb
    correction: str | None = None
    for_evaluation: bool = False


@dataclass(frozen=True, slots=True)
class SharedFeedback:
    """Feedback that is given for evaluation, and whose turn it is about."""

    scope: Scope
    turn: UUID
    feedback: Feedback


@dataclass(frozen=True, slots=True)
class UnansweredQuestion:
    """A question that had no answer, or a bad one."""

    turn: UUID
    at: datetime
    question: str
    outcome: str
    thumb: Thumb | None
    correction: str | None
