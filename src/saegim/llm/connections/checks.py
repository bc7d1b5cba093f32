"""Test calls: one short request in the form that a role sends."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING

from pydantic import BaseModel

from saegim.domain.errors import Invalid
from saegim.llm.connections.types import ModelCheck
from saegim.llm.metering import CallMeter, TimeLimit, import_clients, price
from saegim.llm.model_config import ModelConfig
from saegim.llm.ports import ModelRole, RoleModel
from saegim.llm.types import Message, StepPath, StepPrompt, StructuredStep, TextStep
from saegim.net.guard import Network

if TYPE_CHECKING:
    from saegim.llm.openai_chat import Clients

MOST_SECONDS = 120.0
MOST_MODELS = 500
PROMPT = StepPrompt(
    "This is a connection test.", (Message("user", "Answer with the word OK."),), "check/1"
)
THOUSAND = 1_000
# Of a response that is no list of models.
READ_ERRORS = (AttributeError, LookupError, TypeError, ValueError)


class CheckOutput(BaseModel):
    """The structured output of a test call."""

    answer: str


async def check_models(
    roles: Mapping[ModelRole, ModelConfig], allowed: Sequence[Network] | None
) -> list[ModelCheck]:
    """Call the model of each role, equal ones once. Errors of providers are in the results."""
    calls: dict[tuple[ModelConfig, bool], list[ModelRole]] = {}
    for role, config in roles.items():
        same = ModelConfig(config.model, config.base_url, config.api_key)
        calls.setdefault((same, role is ModelRole.STRONG), []).append(role)
    firsts = [same[0] for same in calls.values()]
    made = await asyncio.gather(*(check_model(role, roles[role], allowed) for role in firsts))
    pairs = zip(made, calls.values(), strict=True)
    return [replace(check, role=role) for check, same in pairs for role in same]


async def check_model(
    role: ModelRole, config: ModelConfig, allowed: Sequence[Network] | None
) -> ModelCheck:
    """Call a model: the strong one streams text, the others return structured output."""
    await import_clients()
    from saegim.llm import faults, openai_chat  # noqa: PLC0415 - slow to import, unused offline

    clients: Clients = {}
    built = openai_chat.build_model(config, clients, allowed)
    started = time.monotonic()
    try:
        await _ask(role, built, min(MOST_SECONDS, config.timeout_seconds))
    except faults.PROVIDER_ERRORS as error:
        seconds, detail = time.monotonic() - started, faults.describe(error, config.api_key)
        return ModelCheck(
            role, config.model, False, seconds, detail.fault, detail.status, detail.message or None
        )
    finally:
        for client in clients.values():
            await client.close()
    seconds = time.monotonic() - started
    costs = prices(config.model, config.base_url)
    return ModelCheck(
        role, config.model, True, seconds, input_price=costs[0], output_price=costs[1]
    )


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
    """Return the list prices of a million input and output tokens in US dollars, if known."""
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
