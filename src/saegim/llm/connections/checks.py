"""Test calls: one short request in the form that a role sends, and whether a model takes tools."""

import asyncio
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING

from pydantic import BaseModel

from saegim.domain.errors import Invalid
from saegim.llm.connections.types import ModelCheck
from saegim.llm.metering import CallMeter, TimeLimit, import_clients, price
from saegim.llm.model_call import ModelFault
from saegim.llm.model_config import ModelConfig
from saegim.llm.ports import ANSWER_ROLES, ModelRole, RoleModel
from saegim.llm.providers import is_private
from saegim.llm.types import Message, StepPath, StepPrompt, StructuredStep, TextStep
from saegim.net.guard import Network

if TYPE_CHECKING:
    from saegim.llm.openai_chat import Clients

MOST_SECONDS = 120.0
MOST_MODELS = 500
PROMPT = StepPrompt(
    "This is a connection test.", (Message("user", "Answer with the word OK."),), "check/1"
)
TOOL_PROMPT = StepPrompt(
    "This is a connection test.", (Message("user", "Call the tool `ping`."),), "check_tools/1"
)
REFUSAL_SECONDS = 5.0
"""A server refuses tools before the model runs."""
THOUSAND = 1_000
# Of a response that is no list of models.
READ_ERRORS = (AttributeError, LookupError, TypeError, ValueError)


class CheckOutput(BaseModel):
    """The structured output of a test call."""

    answer: str


async def check_models(
    roles: Mapping[ModelRole, ModelConfig], allowed: Sequence[Network] | None
) -> list[ModelCheck]:
    """Call the model of each role, equal ones once. Errors of providers are in the results.

    The models of the answering roles that work are then asked to call a tool.
    """
    calls: dict[tuple[ModelConfig, bool], list[ModelRole]] = {}
    for role, config in roles.items():
        calls.setdefault((_same(config), role is ModelRole.STRONG), []).append(role)
    firsts = [same[0] for same in calls.values()]
    made = await asyncio.gather(*(check_model(role, roles[role], allowed) for role in firsts))
    pairs = zip(made, calls.values(), strict=True)
    checks = [replace(check, role=role) for check, same in pairs for role in same]
    # Afterwards: an error tells something about tools only if there is none without them.
    answering = [each for each in checks if each.ok and each.role in ANSWER_ROLES]
    configs = {_same(roles[each.role]): roles[each.role] for each in answering}
    found = await asyncio.gather(*(takes_tools(each, allowed) for each in configs.values()))
    tools = dict(zip(configs, found, strict=True))
    return [
        replace(each, takes_tools=tools[_same(roles[each.role])]) if each in answering else each
        for each in checks
    ]


def _same(config: ModelConfig) -> ModelConfig:
    """Return what tells models apart."""
    return ModelConfig(config.model, config.base_url, config.api_key)


async def check_model(
    role: ModelRole, config: ModelConfig, allowed: Sequence[Network] | None
) -> ModelCheck:
    """Call a model: the strong one streams text, the others return structured output."""
    await import_clients()
    from saegim.llm import faults  # noqa: PLC0415 - slow to import, unused offline

    started = time.monotonic()
    try:
        async with _built(config, allowed) as built:
            await _ask(role, built, min(MOST_SECONDS, config.timeout_seconds))
    except faults.PROVIDER_ERRORS as error:
        seconds, detail = time.monotonic() - started, faults.describe(error, config.api_key)
        return ModelCheck(
            role, config.model, False, seconds, detail.fault, detail.status, detail.message or None
        )
    seconds = time.monotonic() - started
    costs = prices(config.model, config.base_url)
    return ModelCheck(
        role, config.model, True, seconds, input_price=costs[0], output_price=costs[1]
    )


async def takes_tools(config: ModelConfig, allowed: Sequence[Network] | None) -> bool | None:
    """Return whether a model that works calls a tool; None if it does not answer for now."""
    from saegim.llm import faults  # noqa: PLC0415 - as above

    seconds = min(MOST_SECONDS, config.timeout_seconds)
    async with _built(config, allowed) as built:
        try:
            async with asyncio.timeout(seconds):
                return await _calls_tool(built)
        except faults.PROVIDER_ERRORS as error:
            return None if faults.is_transient(error) else False


async def refuses_tools(model: RoleModel) -> bool:
    """Return whether a model's server refuses a request with a tool, but not one without."""
    await import_clients()
    from saegim.llm import faults  # noqa: PLC0415 - as above

    try:
        async with asyncio.timeout(REFUSAL_SECONDS):
            await _calls_tool(model, until_first=True)
            return False
    except faults.PROVIDER_ERRORS as error:
        if faults.is_transient(error):
            return False
    try:
        async with asyncio.timeout(REFUSAL_SECONDS):
            await _calls_tool(model, offered=False, until_first=True)
    except faults.PROVIDER_ERRORS as error:
        # A slow model has accepted the request.
        return faults.fault_of(error) is ModelFault.TIMEOUT
    return True


async def _calls_tool(model: RoleModel, *, offered: bool = True, until_first: bool = False) -> bool:
    """Stream a request with a tool, like a turn; `until_first` stops when the model begins."""
    from pydantic_ai.direct import model_request_stream  # noqa: PLC0415 - as above
    from pydantic_ai.messages import ToolCallPart  # noqa: PLC0415 - as above
    from pydantic_ai.models import ModelRequestParameters  # noqa: PLC0415 - as above
    from pydantic_ai.tools import ToolDefinition  # noqa: PLC0415 - as above

    from saegim.llm import calls  # noqa: PLC0415 - as above

    ping = ToolDefinition(name="ping", description="Tests the connection.")
    request = model_request_stream(
        model.model,
        calls.chat_messages(TOOL_PROMPT),
        model_request_parameters=ModelRequestParameters(function_tools=[ping] if offered else []),
    )
    with calls.reading_answer():
        async with request as response:
            async for _ in response:
                if until_first:
                    return False
            return any(isinstance(part, ToolCallPart) for part in response.get().parts)


@asynccontextmanager
async def _built(
    config: ModelConfig, allowed: Sequence[Network] | None
) -> AsyncGenerator[RoleModel]:
    """Create a model whose connections are closed afterwards."""
    from saegim.llm import openai_chat  # noqa: PLC0415 - as above

    clients: Clients = {}
    try:
        yield openai_chat.build_model(config, clients, allowed)
    finally:
        for client in clients.values():
            await client.close()


async def _ask(role: ModelRole, model: RoleModel, seconds: float) -> None:
    from saegim.llm import calls  # noqa: PLC0415 - as above

    limit = TimeLimit(time.monotonic, time.monotonic() + seconds)
    meter = CallMeter("check", role, PROMPT, time.monotonic)
    once = replace(model, retries=0)
    if role is ModelRole.STRONG:
        text = TextStep("check", role, StepPath.REPLY, first_token_seconds=seconds)
        async with aclosing(calls.ask_text(once, text, PROMPT, limit, meter)) as pieces:
            async for _ in pieces:
                pass
        return
    step = StructuredStep("check", role, StepPath.REPLY, CheckOutput)
    await calls.ask_structured(once, step, PROMPT, limit, meter)


def prices(model: str, base_url: str | None) -> tuple[Decimal | None, Decimal | None]:
    """Return the list prices of a million input and output tokens in US dollars, if known.

    A model on this machine or a private network costs nothing.
    """
    if base_url is not None and is_private(base_url):
        return Decimal(0), Decimal(0)
    # Of a thousand: some prices rise with the length of a request.
    costs = (price(model, THOUSAND, 0, base_url), price(model, 0, THOUSAND, base_url))
    reading, writing = (None if cost is None else cost * THOUSAND for cost in costs)
    return reading, writing


async def available_models(config: ModelConfig, allowed: Sequence[Network]) -> list[str]:
    """Return the models that a server lists. Raises Invalid with the server's message."""
    from openai import OpenAIError  # noqa: PLC0415 - slow to import, unused offline

    from saegim.llm import faults  # noqa: PLC0415 - as above
    from saegim.llm.openai_client import openai_client  # noqa: PLC0415 - as above

    seconds = min(MOST_SECONDS, config.timeout_seconds)
    client = openai_client(config.base_url, config.api_key, seconds, allowed)
    try:
        # The client's timeout is per read, which a slowly dripping server never reaches.
        async with asyncio.timeout(seconds):
            names = [model.id async for model in client.models.list()]
    except TimeoutError as error:
        reason = f"no answer within {seconds:g} s"
        raise Invalid(f"the provider does not list its models: {reason}") from error
    except (OpenAIError, *READ_ERRORS) as error:
        reason = faults.describe_client_error(error, config.api_key)
        raise Invalid(f"the provider does not list its models: {reason}") from error
    finally:
        await client.close()
    return sorted(names)[:MOST_MODELS]
