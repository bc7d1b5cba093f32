"""Tools of the client: a model decides before a turn whether the client has to run some."""

import json
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, cast

from pydantic import BaseModel

from saegim.conversations.stored_turns import HistoryEntry, ToolOutput
from saegim.domain.errors import TooLarge, UnsupportedFeature
from saegim.domain.ids import Clock, new_id
from saegim.domain.scope import Caller
from saegim.llm.model_call import ModelCall
from saegim.llm.ports import ChosenModel, ModelRole
from saegim.llm.prompts import load
from saegim.llm.steps import Steps
from saegim.llm.types import Message, StepPath, StepPrompt, StructuredStep
from saegim.quotas.service import RateLimiter
from saegim.text.masking_pool import MaskWorkers
from saegim.text.tokens import delimited

LONGEST_TOOLS = 40_000
LONGEST_TEXT = 8_000
REQUIRED = "- The application requires at least one call."


class PlannedClientCall(BaseModel):
    name: str
    arguments: str = "{}"


class ClientToolPlan(BaseModel):
    """The calls that a model asks the client for."""

    calls: list[PlannedClientCall] = []


PLAN = StructuredStep("client_tools", ModelRole.LITE, StepPath.REPLY, ClientToolPlan, 1_000)


@dataclass(frozen=True, slots=True)
class ClientTool:
    """A tool that the client runs, with the JSON schema of its arguments."""

    name: str
    about: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ClientToolRequest:
    """A message with the client's tools and the results so far."""

    message: str
    tools: Sequence[ClientTool]
    history: Sequence[HistoryEntry] = ()
    results: Sequence[ToolOutput] = ()
    required: bool = False


@dataclass(frozen=True, slots=True)
class ClientToolCall:
    """A call for the client to run; `arguments` is a JSON object."""

    name: str
    arguments: str


@dataclass(frozen=True, eq=False)
class ClientTools:
    """Chooses calls. Stores nothing: the turn begins when no call is left."""

    steps: Steps
    spending: RateLimiter
    masking: MaskWorkers
    clock: Clock

    async def choose(
        self, caller: Caller, request: ClientToolRequest
    ) -> tuple[list[ClientToolCall], ModelCall | None]:
        """Return the calls, and the model call that chose them; none without a model.

        Raises UnsupportedFeature if a call is required without a model, TooLarge and LimitReached.
        """
        if not request.tools:
            return [], None
        steps = await self.steps.for_tenant(caller.scope.tenant)
        if not steps.has(PLAN.role):
            if request.required:
                raise UnsupportedFeature("`tool_choice` can require a call only with a model.")
            return [], None
        prompt = prompt_of(await self._masked(request))
        reserved, used = new_id(self.clock.now()), list[ModelCall]()
        await self.spending.reserve(caller, reserved)
        try:
            chosen = await steps.structured(PLAN, prompt, ClientToolPlan, None, used.append)
            used.append(chosen.call)
        finally:
            await self.spending.settle(caller.scope, reserved, used)
        return _valid(chosen.value, request.tools), chosen.call

    async def unsupported(self, caller: Caller, answers: ChosenModel | None) -> Set[str] | None:
        """Return the settings that the answering models do not take; None without a model.

        Raises StoreUnavailable.
        """
        steps = await self.steps.for_tenant(caller.scope.tenant, answers)
        return steps.unsupported((ModelRole.LITE, ModelRole.STRONG))

    async def _masked(self, request: ClientToolRequest) -> ClientToolRequest:
        texts = [request.message]
        texts += [text for each in request.history for text in (each.message, each.summary)]
        texts += [each.text for each in request.results]
        masked = iter(
            each.text for each in await self.masking.mask([t[:LONGEST_TEXT] for t in texts])
        )
        return ClientToolRequest(
            next(masked),
            request.tools,
            [HistoryEntry(next(masked), next(masked)) for _ in request.history],
            [ToolOutput(each.tool, next(masked)) for each in request.results],
            request.required,
        )


def prompt_of(request: ClientToolRequest) -> StepPrompt:
    """Return the prompt. Raises TooLarge if the tools are too long."""
    tools = "\n".join(
        f"- {tool.name}: {tool.about}\n  {json.dumps(tool.parameters, ensure_ascii=False)}"
        for tool in request.tools
    )
    if len(tools) > LONGEST_TOOLS:
        raise TooLarge(f"the tools may have {LONGEST_TOOLS} characters")
    history = "\n".join(f"user: {e.message}\nassistant: {e.summary}" for e in request.history)
    results = [delimited("result", f"{each.tool}: {each.text}") for each in request.results]
    blocks = [
        *([delimited("conversation", history)] if history else []),
        delimited("message", request.message),
        *results,
    ]
    required = REQUIRED if request.required and not request.results else ""
    return load("saegim.chat", "client_tools").step(
        (Message("user", "\n\n".join(blocks)),), tools=tools, required=required
    )


def _valid(plan: ClientToolPlan, tools: Sequence[ClientTool]) -> list[ClientToolCall]:
    """Return the planned calls of offered tools whose arguments are a JSON object."""
    names = {tool.name for tool in tools}
    calls: list[ClientToolCall] = []
    for call in plan.calls:
        arguments = _object(call.arguments)
        if call.name in names and arguments is not None:
            calls.append(ClientToolCall(call.name, json.dumps(arguments, ensure_ascii=False)))
    return calls


def _object(text: str) -> dict[str, Any] | None:
    try:
        value: object = json.loads(text or "{}")
    except ValueError:
        return None
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None
