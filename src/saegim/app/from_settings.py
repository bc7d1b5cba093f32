"""Parts that the settings alone decide."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from pydantic import SecretStr

from saegim.app.setting_groups import ConsolidationSettings, RecallSettings
from saegim.app.settings import Settings
from saegim.chat.context.assembly import Budgets
from saegim.conversations.state_cache import RedisStateCache
from saegim.conversations.types import Bounds, SummaryRule
from saegim.db.cells import HOME_CELL, Cell, CellLimits, Cells
from saegim.db.redis_cells import RedisOfCells
from saegim.db.redis_client import RedisClient, connect
from saegim.domain.ids import Clock
from saegim.encryption.keyring import Keyring, parse_master_key
from saegim.encryption.kms import TransitMaster
from saegim.encryption.master_key import EnvironmentMaster, MasterKey
from saegim.governance.retention import RetentionPeriods
from saegim.jobs.queue import JobQueue
from saegim.library.active_index import ActiveIndex
from saegim.llm.bundled_embedder import OfflineEmbedder, build_embedder
from saegim.llm.model_config import EmbedderConfig, ModelsConfig
from saegim.llm.ports import ModelRole
from saegim.llm.presets import preset, provider_url
from saegim.llm.rerankers import HttpReranker
from saegim.memory.consolidation import ConsolidationRule
from saegim.memory.recall.scoring import RecordWeights
from saegim.memory.recall.types import RecallBudget
from saegim.memory.types import MemoryType
from saegim.net.guard import networks
from saegim.quotas.counters import Limit
from saegim.quotas.repository import Quota, Quotas
from saegim.quotas.service import parse_limits
from saegim.sources.readers import Readers
from saegim.tools.service import ToolSource
from saegim.webhooks.sender import HttpSender

if TYPE_CHECKING:
    from saegim.llm.openai_embedder import CompatibleEmbedder


class MissingSetting(Exception):
    """A setting without which nothing may start; the message names it."""


Close = Callable[[], Awaitable[None]]
"""Ends something that we made: a thread with a model, connections to a provider."""


def required(value: SecretStr | None, name: str) -> str:
    """A setting that must be there."""
    if value is None or not value.get_secret_value():
        raise MissingSetting(f"{name} is not set")
    return value.get_secret_value()


def owners(settings: Settings) -> dict[str, str]:
    """The owner's login of every cell that the settings give one for. Raises MissingSetting."""
    home = required(settings.postgres_admin_url, "SAEGIM_POSTGRES_ADMIN_URL")
    return {HOME_CELL: home} | {
        name: place.postgres_admin_url.get_secret_value()
        for name, place in settings.cells.items()
        if place.postgres_admin_url is not None
    }


def cells(settings: Settings, clock: Clock) -> Cells:
    """Postgres of every cell."""
    url = required(settings.postgres_url, "SAEGIM_POSTGRES_URL")
    urls = {HOME_CELL: url} | {
        name: place.postgres_url.get_secret_value() for name, place in settings.cells.items()
    }
    limits = CellLimits(connections=settings.postgres_connections)
    return Cells({name: Cell(name, place, limits) for name, place in urls.items()}, clock)


def redis(settings: Settings, cells: Cells) -> RedisClient:
    """Redis of every cell, or the one that all share."""
    home = connect(required(settings.redis_url, "SAEGIM_REDIS_URL"), settings.redis_cluster)
    others = {
        name: connect(place.redis_url.get_secret_value(), place.redis_cluster)
        for name, place in settings.cells.items()
        if place.redis_url is not None
    }
    return RedisOfCells(home, others, cells.name_for_tenant) if others else RedisClient(home)


def master_key(settings: Settings) -> MasterKey:
    """What wraps all other keys, by the settings. Raises MissingSetting."""
    if settings.kms_url is not None:
        token = required(settings.kms_token, "SAEGIM_KMS_TOKEN")
        return TransitMaster(settings.kms_url, token, settings.kms_key, settings.store_ca)
    before = _secret(settings.previous_master_keys) or ""
    try:
        current = parse_master_key(required(settings.master_key, "SAEGIM_MASTER_KEY"))
        previous = [parse_master_key(each.strip()) for each in before.split(",") if each.strip()]
    except ValueError as error:
        raise MissingSetting(f"SAEGIM_MASTER_KEY: {error}") from error
    return EnvironmentMaster(current, previous)


def limits(settings: Settings) -> list[Limit]:
    """The usual limits. Raises MissingSetting for a list that cannot be read."""
    try:
        return parse_limits(settings.limits)
    except (ValueError, ArithmeticError) as error:
        raise MissingSetting(f"SAEGIM_LIMITS: {error}") from error


def quotas(settings: Settings) -> Quotas:
    """How much a tenant may store; 0 in the settings is without bound."""
    return Quotas(**{each: getattr(settings.quotas, each) or None for each in Quota})


def models_config(settings: Settings) -> ModelsConfig:
    """Which model plays which role, by the settings."""
    named = {role: getattr(settings, f"model_{role.value}") for role in ModelRole}
    make = partial(
        preset,
        settings.provider,
        base_url=settings.provider_base_url,
        api_key=_secret(settings.provider_api_key),
        model=settings.model,
        models={role: name for role, name in named.items() if name},
    )
    return make(embedder=_embedder(settings)) if settings.embedder_model else make()


def _embedder(settings: Settings) -> EmbedderConfig:
    assert settings.embedder_model is not None
    return EmbedderConfig(
        kind="compatible",
        model=settings.embedder_model,
        dimensions=settings.embedder_dimensions,
        base_url=settings.provider_base_url,
        api_key=_secret(settings.provider_api_key),
        shorten=True,
    )


def embedders(
    settings: Settings, config: ModelsConfig
) -> list["OfflineEmbedder | CompatibleEmbedder"]:
    """The one that new tenants begin with, those that are named beside it, and the bundled one:
    it needs nothing, so indexes that were made with it can always be searched."""
    built: list[OfflineEmbedder | CompatibleEmbedder] = [build_embedder(config.embedder)]
    for further in settings.embedders or ():
        # The provider's key goes to the provider alone.
        own = further.base_url is None
        key = further.api_key or (settings.provider_api_key if own else None)
        url = further.base_url or settings.provider_base_url or provider_url(settings.provider)
        built.append(
            build_embedder(
                EmbedderConfig(
                    kind="compatible",
                    model=further.model,
                    dimensions=further.dimensions,
                    base_url=url,
                    api_key=_secret(key),
                    shorten=True,
                )
            )
        )
    return [*built, OfflineEmbedder()] if config.embedder.kind != "bundled" else built


def reranker(settings: Settings) -> HttpReranker | None:
    """The reranker, where one is set."""
    if settings.reranker_url is None:
        return None
    return HttpReranker(
        settings.reranker_url,
        settings.reranker_model,
        _secret(settings.reranker_api_key),
        settings.reranker_timeout_seconds,
    )


def active_index(settings: Settings, queue: JobQueue, clock: Clock) -> ActiveIndex:
    """Which build of an index serves, and for how long an old one stays."""
    return ActiveIndex(queue, clock, timedelta(minutes=settings.old_index_retention_minutes))


def state_cache(settings: Settings, redis: RedisClient, keyring: Keyring) -> RedisStateCache:
    """Working memory in Redis."""
    return RedisStateCache(redis, keyring, settings.summary.ttl_hours * 3_600)


def sender(settings: Settings) -> HttpSender:
    """What delivers webhooks. Raises MissingSetting for networks that cannot be read."""
    try:
        return HttpSender(networks(settings.webhooks_private_networks))
    except ValueError as error:
        raise MissingSetting(f"SAEGIM_WEBHOOKS_PRIVATE_NETWORKS: {error}") from error


def readers(settings: Settings, clock: Clock) -> Readers:
    """What reads sources. Raises MissingSetting for networks that cannot be read."""
    try:
        private = networks(settings.sources_private_networks)
    except ValueError as error:
        raise MissingSetting(f"SAEGIM_SOURCES_PRIVATE_NETWORKS: {error}") from error
    return Readers(settings.sources_folder, private, clock)


def kept(settings: Settings) -> RetentionPeriods:
    """How long what is kept."""

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
    """How much recall returns."""
    names = ("tokens", "each", "candidates", "episodes_share", "diversity")
    return RecallBudget(**{name: getattr(group, name) for name in names})


def record_weights(group: RecallSettings) -> RecordWeights:
    """What each signal of a record counts."""
    names = ("similarity", "recency", "importance", "decay_per_day", "in_digest")
    return RecordWeights(**{name: getattr(group, name) for name in names})


def consolidation_rule(group: ConsolidationSettings) -> ConsolidationRule:
    """Which records become a digest."""
    rest = group.model_dump(exclude={"after_days"})
    return ConsolidationRule(after=timedelta(days=group.after_days), **rest)


def budgets(settings: Settings) -> Budgets:
    """Tokens of each block of a context."""
    return Budgets(turns=settings.recent_turns, **settings.context.model_dump())


def summary_rule(settings: Settings) -> SummaryRule:
    """When turns are summarised, and the bounds of what they come to."""
    group = settings.summary
    bounds = Bounds(group.sentences, group.tokens, group.entities)
    return SummaryRule(group.turns, settings.context.recent, group.batch, bounds)


def mcp_servers(settings: Settings) -> list[ToolSource]:
    """Tools of MCP servers; without any, their package is not needed."""
    if not settings.mcp_servers:
        return []
    from saegim.tools.mcp import (  # noqa: PLC0415 - an extra
        McpAddress,
        McpTools,
    )

    return [
        McpTools(McpAddress(one.name, one.url, frozenset(one.tools), _secret(one.token)))
        for one in settings.mcp_servers
    ]


def tool_keys(settings: Settings) -> dict[str, str]:
    """The key of each tool that has one."""
    return {name: key.get_secret_value() for name, key in settings.tool_keys.items()}


def _secret(value: SecretStr | None) -> str | None:
    return None if value is None else value.get_secret_value()
