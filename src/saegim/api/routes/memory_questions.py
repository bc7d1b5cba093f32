"""Questions about the caller, answered from their memory."""

from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter
from pydantic import AwareDatetime, BaseModel, Field

from saegim.api.caller import CallDep
from saegim.api.views import View, example
from saegim.chat.memory_questions.types import AskOutcome, CitedMemory, MemoryAnswer
from saegim.llm.model_call import CallSource

router = APIRouter(prefix="/v1", tags=["memory"])


class MemoryQuestionBody(BaseModel, extra="forbid"):
    """A question about yourself."""

    model_config = example(question="3월 이후 뭐가 바뀌었어?")

    question: Annotated[str, Field(min_length=1, max_length=2_000)]


class MemoryCitationView(BaseModel):
    """What an answer cites: a memory, or a turn. `quote` is what was said, if it is known; a memory
    that another one replaced has `valid_to` and `superseded_by`, and one that rests on something
    that changed has `unsure_since`."""

    marker: str
    kind: Literal["record", "turn"]
    memory_id: UUID | None
    turn_id: UUID | None
    text: str
    quote: str
    said_at: AwareDatetime
    valid_to: AwareDatetime | None
    superseded_by: UUID | None
    unsure_since: AwareDatetime | None

    @classmethod
    def of(cls, cited: CitedMemory) -> "MemoryCitationView":
        source = cited.source
        return cls(
            marker=cited.marker,
            kind=source.kind,
            memory_id=source.id if source.kind == "record" else None,
            turn_id=source.turn,
            text=source.text,
            quote=source.quote,
            said_at=source.said_at,
            valid_to=source.valid_to,
            superseded_by=source.superseded_by,
            unsure_since=source.unsure_since,
        )


class MemoryAnswerView(View):
    """An answer from memory in Markdown, with markers such as [M1]. `outcome` is `unknown` if
    memory has no answer, with a list of memories if no model wrote it, and `off` if it may not be
    used; `confidence` is from 0 to 1; `by` is `fallback` if the answer only quotes or lists
    memories."""

    text: str
    outcome: AskOutcome
    confidence: float
    citations: list[MemoryCitationView]
    by: CallSource

    @classmethod
    def from_answer(cls, answer: MemoryAnswer) -> "MemoryAnswerView":
        return cls.of(answer, citations=[MemoryCitationView.of(each) for each in answer.citations])


@router.post("/memory/ask")
async def ask_memory(body: MemoryQuestionBody, call: CallDep) -> MemoryAnswerView:
    """Answers a question about the caller from their memory, with citations and confidence. Without
    a model the answer quotes what was said."""
    answer = await call.services.chat.memory_questions.ask(call.caller, body.question)
    return MemoryAnswerView.from_answer(answer)
