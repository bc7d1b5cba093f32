"""Builds components from the settings."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from pydantic import SecretStr

from saegim.app.model_settings import compatible_embedder, provider_name, secret, time_limits
from saegim.app.setting_groups import ConsolidationSettings, RecallSettings
from saegim.app.settings import Settings
from saegim.chat.types import TurnTimes
from saegim.conversations.state_cache import RedisStateCache
from saegim.conversations.types import Bounds, SummaryRule
from saegim.db.cells import HOME_CELL, Cell, CellLimits, Cells
from saegim.db.redis_client import RedisClient, RedisOfCells, connect
from saegim.domain.ids import Clock
from saegim.encryption.keyring import Keyring, parse_master_key
from saegim.encryption.kms import TransitMaster
from saegim.encryption.master_key import EnvironmentMaster, MasterKey
from saegim.governance.memory_expiry import RetentionPeriods
from saegim.llm.bundled_embedders import BundledEmbedder, build_embedder, installed_models
from saegim.llm.model_config import ModelsConfig
from saegim.llm.presets import provider_url
from saegim.llm.rerankers import HttpReranker
from saegim.memory.consolidation import ConsolidationRule
from saegim.memory.recall.scoring import RecordWeights
from saegim.memory.recall.types import RecallBudget
from saegim.memory.types import MemoryType
from saegim.net.guard import Network, networks
from saegim.quotas.counters import Limit
from saegim.quotas.repository import Quota, Quotas
from saegim.quotas.service import parse_limits
from saegim.sources.readers import Readers
from saegim.tools.service import ToolSource
from saegim.webhooks.service import HttpSender

if TYPE_CHECKING:
    from saegim.llm.openai_embedder import CompatibleEmbedder


class MissingSetting(Exception):
    """A required setting is missing or invalid; the message names it."""


Close = Callable[[], Awaitable[None]]
"""Closes a component of the container."""


def required(value: SecretStr | None, name: str) -> str:
    """Returns the value of a setting. Raises MissingSetting."""
    if value is None or not value.get_secret_value():
        raise MissingSetting(f"{name} is not set")
    return value.get_secret_value()


def owners(settings: Settings) -> dict[str, str]:
    """Returns the owner's login of every cell that has one. Raises MissingSetting."""
    home = required(settings.postgres_admin_url, "SAEGIM_POSTGRES_ADMIN_URL")
    return {HOME_CELL: home} | {
        name: cell.postgres_admin_url.get_secret_value()
        for name, cell in settings.cells.items()
        if cell.postgres_admin_url is not None
    }


def cells(settings: Settings, clock: Clock, limits: CellLimits) -> Cells:
    home = required(settings.postgres_url, "SAEGIM_POSTGRES_URL")
    urls = {HOME_CELL: home} | {
        name: cell.postgres_url.get_secret_value() for name, cell in settings.cells.items()
    }
    limits = replace(limits, connections=settings.postgres_connections)
    return Cells({name: Cell(name, url, limits) for name, url in urls.items()}, clock)


def redis(settings: Settings, cells: Cells, seconds: float) -> RedisClient:
    """Builds the Redis client of every cell, or the one that all share."""
    url = required(settings.redis_url, "SAEGIM_REDIS_URL")
    home = connect(url, settings.redis_cluster, seconds)
    others = {
        name: connect(cell.redis_url.get_secret_value(), cell.redis_cluster, seconds)
        for name, cell in settings.cells.items()
        if cell.redis_url is not None
    }
    if others:
        return RedisOfCells(home, others, cells.name_for_tenant, seconds)
    return RedisClient(home, seconds)


def master_key(settings: Settings) -> MasterKey:
    """Builds the master key, from the environment or a KMS. Raises MissingSetting."""
    if settings.kms_url is not None:
        token = required(settings.kms_token, "SAEGIM_KMS_TOKEN")
        return TransitMaster(settings.kms_url, token, settings.kms_key, settings.store_ca)
    earlier = secret(settings.previous_master_keys) or ""
    try:
        current = parse_master_key(required(settings.master_key, "SAEGIM_MASTER_KEY"))
        previous = [parse_master_key(each.strip()) for each in earlier.split(",") if each.strip()]
    except ValueError as error:
        raise MissingSetting(f"SAEGIM_MASTER_KEY: {error}") from error
    return EnvironmentMaster(current, previous)


def limits(settings: Settings) -> list[Limit]:
    """Parses the default limits. Raises MissingSetting."""
    try:
        return parse_limits(settings.limits)
    except (ValueError, ArithmeticError) as error:
        raise MissingSetting(f"SAEGIM_LIMITS: {error}") from error


def quotas(settings: Settings) -> Quotas:
    """Returns the storage quotas; 0 in the settings is unlimited."""
    return Quotas(**{each: getattr(settings.quotas, each) or None for each in Quota})


def embedders(
    settings: Settings, config: ModelsConfig
) -> list["BundledEmbedder | CompatibleEmbedder"]:
    """Builds the embedder of new tenants, the further ones of the settings, and all bundled ones,
    so that indexes made with them stay searchable."""
    threads = settings.embedder_threads
    built: list[BundledEmbedder | CompatibleEmbedder] = [build_embedder(config.embedder, threads)]
    for further in settings.embedders or ():
        # The provider's key is sent only to the provider.
        own = further.base_url is None
        key = further.api_key or (settings.provider_api_key if own else None)
        url = (
            further.base_url or settings.provider_base_url or provider_url(provider_name(settings))
        )
        embedder = compatible_embedder(further.model, further.dimensions, url, key)
        built.append(build_embedder(embedder))
    known = {each.name for each in built}
    bundled = [BundledEmbedder(model, threads) for model in installed_models()]
    return [*built, *(each for each in bundled if each.name not in known)]


def turn_times(settings: Settings) -> TurnTimes:
    """Returns the time limits of a turn, by the provider of the environment."""
    return TurnTimes.of(time_limits(settings))


def model_networks(settings: Settings) -> tuple[Network, ...]:
    """Returns the private networks that tenants' models may be in. Raises MissingSetting."""
    try:
        return networks(settings.model_private_networks)
    except ValueError as error:
        raise MissingSetting(f"SAEGIM_MODEL_PRIVATE_NETWORKS: {error}") from error


def reranker(settings: Settings) -> HttpReranker | None:
    if settings.reranker_url is None:
        return None
    return HttpReranker(
        settings.reranker_url,
        settings.reranker_model,
        secret(settings.reranker_api_key),
        settings.reranker_timeout_seconds,
    )


def state_cache(settings: Settings, redis: RedisClient, keyring: Keyring) -> RedisStateCache:
    return RedisStateCache(redis, keyring, settings.summary.ttl_hours * 3_600)


def sender(settings: Settings) -> HttpSender:
    """Builds the sender of webhooks. Raises MissingSetting for invalid networks."""
    try:
        return HttpSender(networks(settings.webhooks_private_networks))
    except ValueError as error:
        raise MissingSetting(f"SAEGIM_WEBHOOKS_PRIVATE_NETWORKS: {error}") from error


def readers(settings: Settings, clock: Clock) -> Readers:
    """Builds the readers of sources. Raises MissingSetting for invalid networks."""
    try:
        private = networks(settings.sources_private_networks)
    except ValueError as error:
        raise MissingSetting(f"SAEGIM_SOURCES_PRIVATE_NETWORKS: {error}") from error
    return Readers(settings.sources_folder, private, clock)


def retention_periods(settings: Settings) -> RetentionPeriods:
    def days(count: int | None) -> timedelta | None:
        return None if count is None else timedelta(days=count)

    by_type = {
        MemoryType(name): timedelta(days=count)
        for name, count in settings.memory_retention_days.items()
    }
    return RetentionPeriods(
        transcripts=days(settings.transcript_retention_days),
        by_type=by_type,
        unimportant=days(settings.unimportant_retention_days),
        forgotten=timedelta(days=settings.forgotten_retention_days),
        labels={label: days(count) for label, count in settings.label_retention_days.items()},
        ingests=timedelta(days=settings.ingest_retention_days),
        usage=days(settings.usage_retention_days or None),
    )


def recall_budget(group: RecallSettings) -> RecallBudget:
    names = ("tokens", "each", "candidates", "episodes_share", "diversity")
    return RecallBudget(**{name: getattr(group, name) for name in names})


def record_weights(group: RecallSettings) -> RecordWeights:
    names = ("similarity", "recency", "importance", "decay_per_day", "in_digest")
    return RecordWeights(**{name: getattr(group, name) for name in names})


def consolidation_rule(group: ConsolidationSettings) -> ConsolidationRule:
    rest = group.model_dump(exclude={"after_days"})
    return ConsolidationRule(after=timedelta(days=group.after_days), **rest)


def summary_rule(settings: Settings) -> SummaryRule:
    group = settings.summary
    bounds = Bounds(group.sentences, group.tokens, group.entities)
    return SummaryRule(group.turns, settings.context.recent, group.batch, bounds)


def mcp_servers(settings: Settings) -> list[ToolSource]:
    """Builds the tools of MCP servers; imports the extra only if there are any."""
    if not settings.mcp_servers:
        return []
    from saegim.tools.mcp import (  # noqa: PLC0415 - an extra
        McpAddress,
        McpTools,
    )

    return [
        McpTools(McpAddress(each.name, each.url, frozenset(each.tools), secret(each.token)))
        for each in settings.mcp_servers
    ]
