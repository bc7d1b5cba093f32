"""The chat of OpenAI's protocol, as pydantic models, and how it becomes a message of ours."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from saegim.api.schemas.chat import CitationView, Text, reply_view
from saegim.chat.types import ChatRequest, Reply
from saegim.conversations.stored_turns import HistoryEntry
from saegim.conversations.types import RECENT_TURNS, TurnState
from saegim.domain.errors import Invalid, UnsupportedFeature
from saegim.domain.tenancy import Assistant

FinishReason = Literal["stop", "length"]
SPEAKERS = ("user", "assistant")
INSTRUCTORS = ("system", "developer")


class TextPart(BaseModel, extra="forbid"):
    """A part of a message; anything but text is refused."""

    type: Annotated[str, Field(max_length=50)]
    text: Text | None = None
    image_url: Any = None
    input_audio: Any = None
    file: Any = None
    refusal: Any = None


class CompletionMessage(BaseModel, extra="forbid"):
    """One message of the client's history."""

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: Text | Annotated[list[TextPart], Field(max_length=200)] | None = None
    # Clients send these back with the answers they were given.
    name: Any = None
    refusal: Any = None
    annotations: Any = None
    audio: Any = None
    tool_calls: Any = None
    tool_call_id: Any = None
    function_call: Any = None

    def said(self) -> str:
        if self.content is None or isinstance(self.content, str):
            return self.content or ""
        if other := next((part.type for part in self.content if part.type != "text"), None):
            raise UnsupportedFeature(f"content of type {other}")
        return "\n".join(part.text or "" for part in self.content)


class StreamOptions(BaseModel, extra="forbid"):
    """Whether the last piece of a stream tells what was used."""

    include_usage: bool = False
    include_obfuscation: bool | None = None


class ResponseFormat(BaseModel, extra="forbid"):
    """Only plain text is written."""

    type: Annotated[str, Field(max_length=50)] = "text"
    json_schema: Any = None


class CompletionBody(BaseModel, extra="forbid"):
    """A chat of OpenAI's protocol. What an assistant decides itself (temperature, the length of an
    answer, …) is named below and passed over; what would change the meaning of an answer, and any
    other parameter, is refused."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "model": "saegim",
                    "messages": [{"role": "user", "content": "EC2 비용 줄이는 방법?"}],
                }
            ]
        }
    )

    model: Annotated[str, Field(max_length=200)] = "saegim"
    messages: Annotated[list[CompletionMessage], Field(min_length=1, max_length=2_000)]
    stream: bool | None = False
    stream_options: StreamOptions | None = None
    n: int | None = 1
    tools: list[dict[str, Any]] | None = None
    functions: list[dict[str, Any]] | None = None
    response_format: ResponseFormat | None = None
    modalities: list[str] | None = None
    logprobs: bool | None = None
    # Passed over: the assistant decides them, or they concern the provider's own service.
    temperature: Any = None
    top_p: Any = None
    max_tokens: Any = None
    max_completion_tokens: Any = None
    presence_penalty: Any = None
    frequency_penalty: Any = None
    logit_bias: Any = None
    top_logprobs: Any = None
    stop: Any = None
    seed: Any = None
    user: Any = None
    safety_identifier: Any = None
    metadata: Any = None
    store: Any = None
    service_tier: Any = None
    reasoning_effort: Any = None
    verbosity: Any = None
    prediction: Any = None
    prompt_cache_key: Any = None
    prompt_cache_retention: Any = None
    parallel_tool_calls: Any = None
    tool_choice: Any = None
    function_call: Any = None

    def request(self, session: str | None, idempotency_key: str | None) -> ChatRequest:
        """The last message as one of ours. Without a session the ones before are its history;
        with one the session remembers itself. Raises Unsupported and Invalid."""
        self._refuse_the_rest()
        said = [each for each in self.messages if each.role not in INSTRUCTORS]
        if not said or said[-1].role != "user":
            raise Invalid("the last message must have the role user")
        *before, last = said
        system_texts = [each.said() for each in self.messages if each.role in INSTRUCTORS]
        return ChatRequest(
            message=last.said(),
            session=session,
            idempotency_key=idempotency_key,
            history=None if session is not None else history_of(before),
            instructions="\n\n".join(system_texts),
        )

    def _refuse_the_rest(self) -> None:
        if self.tools or self.functions:
            raise UnsupportedFeature("tools")
        if self.logprobs:
            raise UnsupportedFeature("logprobs")
        if (self.n or 1) != 1:
            raise UnsupportedFeature("n")
        if self.response_format is not None and self.response_format.type != "text":
            raise UnsupportedFeature("response_format")
        if self.modalities and self.modalities != ["text"]:
            raise UnsupportedFeature("modalities")
        if other := {message.role for message in self.messages} - {*SPEAKERS, *INSTRUCTORS}:
            raise UnsupportedFeature(f"messages of role {', '.join(sorted(other))}")


class Usage(BaseModel):
    """Tokens of all model calls of the turn; none where no model is configured."""

    prompt_tokens: int
    completion_tokens: int
    total_tokens: int


class AnswerMessage(BaseModel):
    """What the assistant answered."""

    role: Literal["assistant"] = "assistant"
    content: str
    refusal: str | None = None


class CompletionChoice(BaseModel):
    """The one answer there is; `length` where it broke off."""

    index: int = 0
    message: AnswerMessage
    finish_reason: FinishReason
    logprobs: None = None


class Completion(BaseModel):
    """A whole answer. `citations` and what follows are ours, beyond OpenAI's protocol."""

    id: str
    object: Literal["chat.completion"] = "chat.completion"
    created: int
    model: str
    choices: list[CompletionChoice]
    usage: Usage
    citations: list[CitationView]
    trace_id: UUID
    session_id: UUID
    outcome: str
    degraded: list[str]


class Model(BaseModel):
    """An assistant, as a model of OpenAI's protocol."""

    id: str
    object: Literal["model"] = "model"
    created: int = 0
    owned_by: Literal["saegim"] = "saegim"
    name: str


class ModelList(BaseModel):
    """The assistants that the credential speaks to."""

    object: Literal["list"] = "list"
    data: list[Model]


def history_of(messages: list[CompletionMessage]) -> tuple[HistoryEntry, ...]:
    """Messages with the answers that followed them, as many as a turn looks back."""
    turns: list[HistoryEntry] = []
    for message in messages[-4 * RECENT_TURNS :]:
        said = message.said()
        if message.role == "user":
            turns.append(HistoryEntry(said, ""))
        elif turns and not turns[-1].summary:
            turns[-1] = HistoryEntry(turns[-1].message, said)
        else:
            turns.append(HistoryEntry("", said))
    return tuple(turns[-RECENT_TURNS:])


def usage_of(trace: Mapping[str, Any]) -> Usage:
    calls = trace.get("calls", ())
    read, written = (
        sum(int(call.get(name, 0)) for call in calls) for name in ("input_tokens", "output_tokens")
    )
    return Usage(prompt_tokens=read, completion_tokens=written, total_tokens=read + written)


def finish_reason(reply: Reply) -> FinishReason:
    return "stop" if reply.state is TurnState.DONE else "length"


def extras_of(reply: Reply) -> dict[str, Any]:
    """What we add to OpenAI's protocol."""
    view = reply_view(reply)
    return {
        "citations": view.citations,
        "trace_id": view.turn_id,
        "session_id": view.session_id,
        "outcome": view.outcome,
        "degraded": view.degraded,
    }


def completion(reply: Reply, model: str, at: datetime, usage: Usage) -> Completion:
    answer = AnswerMessage(content=reply.answer)
    return Completion(
        id=completion_id(reply.turn),
        created=int(at.timestamp()),
        model=model,
        choices=[CompletionChoice(message=answer, finish_reason=finish_reason(reply))],
        usage=usage,
        **extras_of(reply),
    )


def completion_id(turn: UUID) -> str:
    return f"chatcmpl-{turn}"


def model_of(assistant: Assistant) -> Model:
    return Model(id=str(assistant.id), name=assistant.name)
