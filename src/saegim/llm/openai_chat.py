"""Chat models behind any OpenAI-compatible URL."""

from collections.abc import Sequence
from typing import cast

from openai import AsyncOpenAI
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.profiles import ModelProfile
from pydantic_ai.profiles.openai import SAMPLING_PARAMS, OpenAIModelProfile
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.settings import ModelSettings

from saegim.llm.model_config import ModelConfig
from saegim.llm.openai_client import openai_client
from saegim.llm.ports import RoleModel
from saegim.net.guard import Network

Clients = dict[tuple[str | None, str | None, float], AsyncOpenAI]


def build_model(
    config: ModelConfig, clients: Clients, allowed: Sequence[Network] | None = None
) -> RoleModel:
    """Create a model; those with the same URL, key and timeout share a client.

    `allowed` are the private networks that a tenant's URL may reach; None does not restrict it.
    """
    key = (config.base_url, config.api_key, config.timeout_seconds)
    if key not in clients:
        clients[key] = openai_client(*key, allowed)
    # A truncated stream must be an error.
    profile = OpenAIModelProfile(openai_chat_streaming_requires_finish_reason=True)
    if not config.json_schema:
        profile["supports_json_schema_output"] = False
    model = OpenAIChatModel(
        config.model,
        provider=OpenAIProvider(openai_client=clients[key]),
        profile=profile,
        settings=ModelSettings(thinking=config.thinking) if config.thinking else None,
    )
    return RoleModel(
        model,
        config.timeout_seconds,
        config.retries,
        config.limits,
        config.api_key,
        config.egress,
        config.connection,
        _unsupported(model.profile, thinks=config.thinking is not None),
        config.takes_tools,
    )


def _unsupported(profile: ModelProfile, *, thinks: bool) -> frozenset[str]:
    """Return the settings that pydantic-ai drops: those of sampling for a model that reasons."""
    openai = cast("OpenAIModelProfile", profile)
    dropped = frozenset(openai.get("openai_unsupported_model_settings", ()))
    efforts = openai.get("openai_reasoning_efforts")
    can_stop = openai.get("openai_supports_reasoning_effort_none", False)
    can_stop = can_stop if efforts is None else "none" in efforts
    reasons = thinks or not can_stop or openai.get("thinking_enabled_by_default", False)
    samples = not (openai.get("openai_supports_reasoning", False) and reasons)
    return dropped if samples else dropped.union(SAMPLING_PARAMS)
