"""Whether memory helps with a query, judged."""

from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from saegim.api.caller import CallerDep, ServicesDep
from saegim.evaluation.types import ExpectedFact, Judgement

router = APIRouter(prefix="/v1/sessions", tags=["evaluation"])

Word = Annotated[str, Field(min_length=1, max_length=200)]


class FactBody(BaseModel, extra="forbid"):
    """A value that memory should have, and the words that say what it is the value of."""

    about: Annotated[list[Word], Field(min_length=1, max_length=10)]
    value: Word
    stale: Annotated[list[Word], Field(max_length=10)] = []

    def fact(self) -> ExpectedFact:
        return ExpectedFact(tuple((word,) for word in self.about), (self.value,), tuple(self.stale))


class EvaluationBody(BaseModel, extra="forbid"):
    """A query, and what memory should know for it, where somebody knows."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"query": "아까 말한 예산 초과 상황 다시 설명해줘"}]}
    )

    query: Annotated[str, Field(min_length=1, max_length=10_000)]
    facts: Annotated[list[FactBody], Field(max_length=20)] = []


class EvaluationView(BaseModel):
    """The judgement; `judged_by` is `twin` where no judge is set."""

    judgement: Judgement
    judged_by: Literal["model", "fallback"]
    tokens: int


@router.post("/{session_id}/eval")
async def evaluate(
    session_id: UUID, body: EvaluationBody, services: ServicesDep, caller: CallerDep
) -> EvaluationView:
    """Scores what memory has for a query of a session of the caller's."""
    facts = [fact.fact() for fact in body.facts]
    found = await services.evaluation.judge.judge(caller, session_id, body.query, facts)
    return EvaluationView(judgement=found.judgement, judged_by=found.by.value, tokens=found.tokens)
