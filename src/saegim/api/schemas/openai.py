"""Requests and responses of the OpenAI-compatible routes."""

from collections.abc import Mapping, Sequence, Set
from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, Field

from saegim.api.schemas.chat import CitationView, EffectView, Text, reply_view
from saegim.api.views import example
from saegim.chat.types import ChatRequest, Reply
from saegim.conversations.types import RECENT_TURNS, ClientTools, HistoryEntry, TurnState
from saegim.domain.errors import Invalid, UnsupportedFeature
from saegim.llm.types import FunctionCall, FunctionTool, Message, SamplingParameters

FinishReason = Literal["stop", "length", "tool_calls"]
NO_PARAMETERS: Mapping[str, Any] = {"type": "object", "properties": {}}
INSTRUCTORS = ("system", "developer")
StopText = Annotated[str, Field(min_length=1, max_length=200)]
IGNORED = frozenset({
    "safety_identifier", "metadata", "store", "service_tier", "reasoning_effort", "verbosity",
    "prediction", "prompt_cache_key", "prompt_cache_retention",
})  # fmt: skip
OF_MODELS = frozenset({
    "temperature", "top_p", "max_tokens", "max_completion_tokens", "presence_penalty",
    "frequency_penalty", "stop", "seed", "tools", "parallel_tool_calls",
})  # fmt: skip


class TextPart(BaseModel, extra="forbid"):
    """A part of a message. Only text is accepted."""

    type: Annotated[str, Field(max_length=50)]
    text: Text | None = None
    image_url: Any = None
    input_audio: Any = None
    file: Any = None
    refusal: Any = None


class FunctionBody(BaseModel, extra="forbid"):
    """A function of the client, with the JSON schema of its arguments."""

    name: Annotated[str, Field(min_length=1, max_length=100)]
    description: Annotated[str | None, Field(max_length=4_000)] = None
    parameters: dict[str, Any] | None = None
    strict: Any = None


class ToolBody(BaseModel, extra="forbid"):
    """A tool that the client runs itself. Only functions are accepted."""

    type: Annotated[str, Field(max_length=50)] = "function"
    function: FunctionBody | None = None


class CalledFunction(BaseModel, extra="forbid"):
    """A call of a function; `arguments` is JSON."""

    name: Annotated[str, Field(max_length=100)]
    arguments: Annotated[str, Field(max_length=100_000)] = "{}"


class ToolCall(BaseModel, extra="forbid"):
    """A call that the client is to run, or has run."""

    id: Annotated[str, Field(max_length=200)]
    type: Literal["function"] = "function"
    function: CalledFunction
    index: Any = None


class CompletionMessage(BaseModel, extra="forbid"):
    """One message of the client's history. One of the role `tool` has the result of a call."""

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: Text | Annotated[list[TextPart], Field(max_length=200)] | None = None
    # Clients send these back with earlier answers.
    name: Any = None
    refusal: Any = None
    annotations: Any = None
    audio: Any = None
    function_call: Any = None
    tool_calls: Annotated[list[ToolCall], Field(max_length=100)] | None = None
    tool_call_id: Annotated[str, Field(max_length=200)] | None = None

    def plain_text(self) -> str:
        if self.content is None or isinstance(self.content, str):
            return self.content or ""
        if other := next((part.type for part in self.content if part.type != "text"), None):
            raise UnsupportedFeature(f"Message content must be text, not {other}.")
        return "\n".join(part.text or "" for part in self.content)


class StreamOptions(BaseModel, extra="forbid"):
    """Whether the last chunk of a stream contains the usage."""

    include_usage: bool = False
    include_obfuscation: bool | None = None


class ResponseFormat(BaseModel, extra="forbid"):
    """The response format. Only `text` is accepted."""

    type: Annotated[str, Field(max_length=50)] = "text"
    json_schema: Any = None


class CompletionBody(BaseModel, extra="forbid"):
    """An OpenAI chat completion request. Sampling and length parameters reach the answering model.
    Parameters that concern OpenAI's own service, such as `metadata`, are accepted and named in the
    header `Saegim-Ignored-Parameters`. Others are refused by name."""

    model_config = example(
        model="saegim", messages=[{"role": "user", "content": "EC2 비용 줄이는 방법?"}]
    )

    model: Annotated[str, Field(max_length=200)] = "saegim"
    messages: Annotated[list[CompletionMessage], Field(min_length=1, max_length=2_000)]
    stream: bool | None = False
    stream_options: StreamOptions | None = None
    n: int | None = 1
    tools: Annotated[list[ToolBody], Field(max_length=128)] | None = None
    tool_choice: str | dict[str, Any] | None = None
    parallel_tool_calls: bool | None = None
    user: Annotated[
        str | None,
        Field(max_length=200, description="The user, for a key that acts for users."),
    ] = None
    functions: list[dict[str, Any]] | None = None
    response_format: ResponseFormat | None = None
    modalities: list[str] | None = None
    logprobs: bool | None = None
    temperature: Annotated[float | None, Field(ge=0, le=2)] = None
    top_p: Annotated[float | None, Field(ge=0, le=1)] = None
    max_tokens: Annotated[int | None, Field(ge=1, le=1_000_000)] = None
    max_completion_tokens: Annotated[int | None, Field(ge=1, le=1_000_000)] = None
    presence_penalty: Annotated[float | None, Field(ge=-2, le=2)] = None
    frequency_penalty: Annotated[float | None, Field(ge=-2, le=2)] = None
    stop: StopText | Annotated[list[StopText], Field(max_length=4)] | None = None
    seed: Annotated[int | None, Field(ge=-(2**63), lt=2**63)] = None
    logit_bias: Any = None
    top_logprobs: Any = None
    function_call: Any = None
    # Ignored, and named in a header.
    safety_identifier: Any = None
    metadata: Any = None
    store: Any = None
    service_tier: Any = None
    reasoning_effort: Any = None
    verbosity: Any = None
    prediction: Any = None
    prompt_cache_key: Any = None
    prompt_cache_retention: Any = None

    def request(self, session: str | None, idempotency_key: str | None) -> ChatRequest:
        """Returns the last message of the user as a chat request, with the results of the tools
        called for it. Without a session, the messages before it are its history. Raises
        UnsupportedFeature and Invalid."""
        self._refuse_unsupported()
        messages = [each for each in self.messages if each.role not in INSTRUCTORS]
        asked = [n for n, each in enumerate(messages) if each.role == "user"]
        if not asked or messages[-1].role == "assistant":
            raise Invalid("the last message must have the role user or tool")
        before, last, after = messages[: asked[-1]], messages[asked[-1]], messages[asked[-1] + 1 :]
        system_texts = [each.plain_text() for each in self.messages if each.role in INSTRUCTORS]
        return ChatRequest(
            message=last.plain_text(),
            session=session,
            idempotency_key=idempotency_key,
            history=None if session is not None else history_of(before),
            instructions="\n\n".join(system_texts),
            client_tools=ClientTools(
                offered=self.offered_tools(),
                required=self.requires_tool,
                parallel=self.parallel_tool_calls is not False,
                rounds=rounds_of(after),
            ),
            sampling=self._sampling(),
        )

    def ignored(self, unsupported: Set[str] | None, *, names_user: bool) -> list[str]:
        """Returns the parameters of the request that change nothing. `unsupported` are those that
        the model does not take; without a model (None), there is none to sample from or to choose
        tools."""
        without = IGNORED | (OF_MODELS if unsupported is None else OF_MODELS & unsupported)
        if not names_user:
            without |= {"user"}
        names = {name for name in without if getattr(self, name) not in (None, [], {})}
        if any(tool.function and tool.function.strict is not None for tool in self.tools or ()):
            names.add("tools.function.strict")
        if self.stream_options and self.stream_options.include_obfuscation is not None:
            names.add("stream_options.include_obfuscation")
        return sorted(names)

    def _sampling(self) -> SamplingParameters:
        stop = [self.stop] if isinstance(self.stop, str) else self.stop or []
        return SamplingParameters(
            temperature=self.temperature,
            top_p=self.top_p,
            max_tokens=self.max_completion_tokens or self.max_tokens,
            stop=tuple(stop),
            seed=self.seed,
            presence_penalty=self.presence_penalty,
            frequency_penalty=self.frequency_penalty,
        )

    def offered_tools(self) -> tuple[FunctionTool, ...]:
        """Returns the tools that `tool_choice` leaves to choose from."""
        functions = [tool.function for tool in self.tools or () if tool.function is not None]
        only: object = None
        if isinstance(self.tool_choice, dict):
            only = self.tool_choice.get("function", {}).get("name")
        offered = [each for each in functions if only in (None, each.name)]
        if self.tool_choice == "none":
            return ()
        return tuple(
            FunctionTool(e.name, e.description or "", e.parameters or NO_PARAMETERS)
            for e in offered
        )

    @property
    def requires_tool(self) -> bool:
        return self.tool_choice == "required" or isinstance(self.tool_choice, dict)

    def _refuse_unsupported(self) -> None:
        if self.functions or self.function_call not in (None, "none"):
            raise UnsupportedFeature("Use `tools` instead of `functions` and `function_call`.")
        if other := next((each.type for each in self.tools or () if each.function is None), None):
            raise UnsupportedFeature(f"`tools` takes functions only, not {other}.")
        if (self.n or 1) != 1:
            raise UnsupportedFeature("`n` must be 1: there is one answer.")
        if self.response_format is not None and self.response_format.type != "text":
            raise UnsupportedFeature("`response_format` must be text.")
        if self.modalities and self.modalities != ["text"]:
            raise UnsupportedFeature("`modalities` must be text.")
        for name in ("logprobs", "top_logprobs", "logit_bias"):
            if getattr(self, name):
                raise UnsupportedFeature(f"`{name}` is not available.")
        kind = self.tool_choice.get("type") if isinstance(self.tool_choice, dict) else None
        if (kind or self.tool_choice) not in (None, "none", "auto", "required", "function"):
            raise UnsupportedFeature("`tool_choice` must be none, auto, required or a function.")
        if self.requires_tool and not self.offered_tools():
            raise UnsupportedFeature("`tool_choice` must name one of `tools`.")
        if any(message.role == "function" for message in self.messages):
            raise UnsupportedFeature("Messages of the role function are not read; use tool.")


class Usage(BaseModel):
    """Tokens of all model calls of the turn; 0 if no model is configured."""

    prompt_tokens: int
    completion_tokens: int
    total_tokens: int


class AnswerMessage(BaseModel):
    """The answer of the assistant."""

    role: Literal["assistant"] = "assistant"
    content: str | None
    refusal: str | None = None
    tool_calls: list[ToolCall] | None = None


class CompletionChoice(BaseModel):
    """The only choice. `finish_reason` is `length` if the answer is incomplete, and `tool_calls` if
    the client is to run tools before it."""

    index: int = 0
    message: AnswerMessage
    finish_reason: FinishReason
    logprobs: None = None


class Completion(BaseModel):
    """A complete answer. `citations` and the fields after it extend OpenAI's protocol; without a
    turn, as for tool calls, they are empty."""

    id: str
    object: Literal["chat.completion"] = "chat.completion"
    created: int
    model: str
    choices: list[CompletionChoice]
    usage: Usage
    citations: list[CitationView] = []
    trace_id: UUID | None = None
    session_id: UUID | None = None
    outcome: str = "tool_calls"
    degraded: list[str] = []
    effects: list[EffectView] = []


class Model(BaseModel):
    """An assistant as an OpenAI model. `id` is its name in lower case with hyphens."""

    id: str
    assistant_id: UUID
    object: Literal["model"] = "model"
    created: int = 0
    owned_by: Literal["saegim"] = "saegim"
    name: str


class ModelList(BaseModel):
    """The assistants of the credential."""

    object: Literal["list"] = "list"
    data: list[Model]


def history_of(messages: list[CompletionMessage]) -> tuple[HistoryEntry, ...]:
    """Pairs messages with the answers that followed; returns the last `RECENT_TURNS`. Tool calls
    and their results are left out: the answers contain what came of them."""
    turns: list[HistoryEntry] = []
    spoken = [each for each in messages if each.role != "tool" and not each.tool_calls]
    for message in spoken[-4 * RECENT_TURNS :]:
        text = message.plain_text()
        if message.role == "user":
            turns.append(HistoryEntry(text, ""))
        elif turns and not turns[-1].summary:
            turns[-1] = HistoryEntry(turns[-1].message, text)
        else:
            turns.append(HistoryEntry("", text))
    return tuple(turns[-RECENT_TURNS:])


def rounds_of(messages: list[CompletionMessage]) -> tuple[Message, ...]:
    """Returns the calls of tools for the last message of the user, and their results."""
    rounds: list[Message] = []
    calls: dict[str, FunctionCall] = {}
    for message in messages:
        if message.role == "tool":
            called = message.tool_call_id or ""
            call = calls.get(called)
            if call is None:
                # A client may send a result alone.
                call = FunctionCall(called, "tool", "{}")
                rounds.append(Message("assistant", "", (call,)))
            rounds.append(Message("tool", message.plain_text(), answers=call))
        elif message.tool_calls:
            new = [
                FunctionCall(e.id, e.function.name, e.function.arguments)
                for e in message.tool_calls
            ]
            calls |= {each.id: each for each in new}
            rounds.append(Message("assistant", message.plain_text(), tuple(new)))
    answered = {each.answers.id for each in rounds if each.answers is not None}
    if missing := calls.keys() - answered:
        raise Invalid(f"these calls have no result: {', '.join(sorted(missing))}")
    return tuple(rounds)


def usage_of(trace: Mapping[str, Any]) -> Usage:
    calls = trace.get("calls", ())
    sent, generated = (
        sum(int(call.get(name, 0)) for call in calls) for name in ("input_tokens", "output_tokens")
    )
    return Usage(prompt_tokens=sent, completion_tokens=generated, total_tokens=sent + generated)


def finish_reason(reply: Reply) -> FinishReason:
    if reply.calls:
        return "tool_calls"
    return "stop" if reply.state is TurnState.DONE else "length"


def extras_of(reply: Reply) -> dict[str, Any]:
    """Returns the fields that extend OpenAI's protocol."""
    view = reply_view(reply)
    if reply.calls:
        # Nothing is stored of a turn before its last answer.
        return {"outcome": "tool_calls"}
    fields = {"citations": view.citations, "trace_id": view.turn_id, "session_id": view.session_id}
    fields |= {"outcome": view.outcome, "degraded": view.degraded}
    return fields | {"effects": view.effects}


def completion(reply: Reply, model: str, at: datetime, usage: Usage) -> Completion:
    answer = AnswerMessage(content=reply.answer)
    if reply.calls:
        answer = AnswerMessage(content=reply.answer or None, tool_calls=tool_calls(reply.calls))
    return Completion(
        id=completion_id(reply.turn),
        created=int(at.timestamp()),
        model=model,
        choices=[CompletionChoice(message=answer, finish_reason=finish_reason(reply))],
        usage=usage,
        **extras_of(reply),
    )


def tool_calls(calls: Sequence[FunctionCall]) -> list[ToolCall]:
    """Returns the calls that the client is to run."""
    return [
        ToolCall(id=call.id, function=CalledFunction(name=call.name, arguments=call.arguments))
        for call in calls
    ]


def completion_id(turn: UUID) -> str:
    return f"chatcmpl-{turn}"
