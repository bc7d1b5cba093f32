"""Evaluates what memory contributes to a query."""

from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter
from pydantic import BaseModel, Field

from saegim.api.caller import CallDep
from saegim.api.views import View, example
from saegim.evaluation.types import ExpectedFact, Judgement

router = APIRouter(prefix="/v1/sessions", tags=["evaluation"])

Word = Annotated[str, Field(min_length=1, max_length=200)]


class FactBody(BaseModel, extra="forbid"):
    """A fact that memory should contain: its value, and the words that identify it."""

    about: Annotated[list[Word], Field(min_length=1, max_length=10)]
    value: Word
    stale: Annotated[list[Word], Field(max_length=10)] = []

    def fact(self) -> ExpectedFact:
        return ExpectedFact(tuple((word,) for word in self.about), (self.value,), tuple(self.stale))


class EvaluationBody(BaseModel, extra="forbid"):
    """A query and, if known, the facts that memory should contain for it."""

    model_config = example(query="아까 말한 예산 초과 상황 다시 설명해줘")

    query: Annotated[str, Field(min_length=1, max_length=10_000)]
    facts: Annotated[list[FactBody], Field(max_length=20)] = []


class EvaluationView(View):
    """The judgement. `judged_by` is `fallback` if no judge model is configured."""

    judgement: Judgement
    judged_by: Literal["model", "fallback"]
    tokens: int


@router.post("/{session_id}/eval")
async def evaluate(session_id: UUID, body: EvaluationBody, call: CallDep) -> EvaluationView:
    """Scores the memories that a query in one of the caller's sessions would retrieve."""
    facts = [fact.fact() for fact in body.facts]
    result = await call.services.evaluation.judge.judge(call.caller, session_id, body.query, facts)
    return EvaluationView.of(result, judged_by=result.by.value)
