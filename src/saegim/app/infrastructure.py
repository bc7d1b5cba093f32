"""Infrastructure that every feature uses, and fakes for tests."""

from collections.abc import Callable
from dataclasses import dataclass

from saegim.app import from_settings
from saegim.app.from_settings import Close, master_key, required
from saegim.app.model_settings import models_config
from saegim.app.settings import Settings
from saegim.auth.grants import GRANTS, Grants
from saegim.auth.issuer_documents import KeySets
from saegim.chat.relay import LeaseTimes
from saegim.chat.types import TurnTimes
from saegim.db.cells import Cells
from saegim.db.health import PostgresHealth
from saegim.db.pool import CellLimits
from saegim.db.redis_client import WHOLE_SECONDS, RedisClient
from saegim.domain.ids import Clock, SystemClock
from saegim.encryption.key_store import ANSWER_SECONDS, PostgresKeys
from saegim.encryption.keyring import REMEMBER_SECONDS, Keyring
from saegim.encryption.rotation import MARGIN_SECONDS, KeyRotation
from saegim.governance.reencryption import LAST_LOOK_SECONDS
from saegim.jobs.queue import JobQueue, PostgresBackground
from saegim.library.index.lance.handles import LanceLimits
from saegim.llm.configured_models import ConfiguredModels
from saegim.llm.connections.repository import PostgresModelConnections
from saegim.llm.connections.service import ModelConnections
from saegim.llm.connections.tenant_models import CachedTenantModels
from saegim.llm.ports import Embedder, Models, TenantModels
from saegim.llm.steps import Steps
from saegim.llm.types import Embedders
from saegim.offline.heads import heads
from saegim.quotas.counters import LocalCounters, RedisCounters, RedisReservations
from saegim.quotas.repository import PostgresLimits, Quotas
from saegim.quotas.service import ProviderLimits, RateLimiter
from saegim.text.masking_pool import MaskWorkers
from saegim.text.names import names_in
from saegim.usage.metrics import Metrics


@dataclass(frozen=True, slots=True)
class KeyTimes:
    """Cache time of keys, tolerated clock difference, and delay before old versions are deleted."""

    remember: float = REMEMBER_SECONDS
    margin: float = MARGIN_SECONDS
    last_look: float = LAST_LOOK_SECONDS


@dataclass(frozen=True, slots=True)
class Fakes:
    """Replacements for external services, for tests."""

    models: Models | None = None
    embedder: Embedder | None = None
    embedders: tuple[Embedder, ...] = ()
    heads_embedder: Embedder | None = None
    clock: Clock | None = None
    lease_times: LeaseTimes | None = None
    turn_times: TurnTimes | None = None
    key_sets: KeySets | None = None
    key_times: KeyTimes | None = None
    keyring: Callable[[PostgresKeys], Keyring] | None = None
    grants: Grants | None = None
    cell_limits: CellLimits | None = None
    index_limits: LanceLimits | None = None
    redis_seconds: float | None = None
    keyring_seconds: float | None = None
    tool_seconds: float | None = None
    tool_provider_seconds: float | None = None


@dataclass(frozen=True, slots=True)
class DbServices:
    """Postgres cells, Redis and health checks."""

    cells: Cells
    redis: RedisClient
    health: PostgresHealth


class EncryptionServices:
    """Encryption keys of tenants and users."""

    def __init__(self, settings: Settings, fakes: Fakes) -> None:
        times = fakes.key_times or KeyTimes()
        url = required(settings.keyring_url, "SAEGIM_KEYRING_URL")
        self.keys = PostgresKeys(url, fakes.keyring_seconds or ANSWER_SECONDS)
        self.keyring = (
            fakes.keyring(self.keys)
            if fakes.keyring
            else Keyring(master_key(settings), self.keys, remember_seconds=times.remember)
        )
        self.rotation = KeyRotation(self.keyring, margin=times.margin)


@dataclass(frozen=True, slots=True)
class JobServices:
    """Background jobs."""

    queue: JobQueue
    backlog: PostgresBackground


class LlmServices:
    """Models and embedders. `embedder` is the one of new tenants, `heads_embedder` the one with
    which the fallback reads messages; `connections` are the models that tenants connect, and
    `tenants` what is known of them."""

    def __init__(
        self,
        settings: Settings,
        fakes: Fakes,
        store: PostgresModelConnections,
        steps: Callable[[Models, TenantModels], Steps],
        closing: list[Close],
    ) -> None:
        config, allowed = models_config(settings), from_settings.model_networks(settings)
        models, embedders = ConfiguredModels(config), from_settings.embedders(settings, config)
        closing += [each.close for each in (models, *embedders)]
        self.models = fakes.models or models
        self.tenants = CachedTenantModels(store, self.models, allowed)
        closing.append(self.tenants.close)
        self.connections = ModelConnections(store, self.tenants, config, allowed)
        self.steps = steps(self.models, self.tenants)
        self.embedder = fakes.embedder or embedders[0]
        of_heads = (each for each in embedders if each.name == heads().embedder)
        self.heads_embedder = (
            fakes.heads_embedder or fakes.embedder or next(of_heads, self.embedder)
        )
        self.embedders = Embedders(self.embedder, (*embedders, *fakes.embedders))


@dataclass(frozen=True, slots=True)
class QuotaServices:
    """Rate limits, budgets and storage quotas; counters in Redis, and of this process."""

    limits: RateLimiter
    storage: Quotas
    shared: RedisCounters
    local: LocalCounters


@dataclass(frozen=True, kw_only=True)
class Infrastructure:
    """Services that every feature uses."""

    settings: Settings
    clock: Clock
    metrics: Metrics
    masking: MaskWorkers
    grants: Grants
    db: DbServices
    encryption: EncryptionServices
    jobs: JobServices
    llm: LlmServices
    quotas: QuotaServices


def build_infrastructure(settings: Settings, fakes: Fakes, closing: list[Close]) -> Infrastructure:
    """Builds from the settings; adds what must be closed to `closing`."""
    clock, metrics, masking = fakes.clock or SystemClock(), Metrics(), MaskWorkers()
    closing.append(masking.close)
    cells = from_settings.cells(settings, clock, fakes.cell_limits or CellLimits())
    redis = from_settings.redis(settings, cells, fakes.redis_seconds or WHOLE_SECONDS)
    defaults = from_settings.limits(settings)
    shared, local = RedisCounters(redis), LocalCounters(settings.api_processes)
    limits = RateLimiter(shared, local, RedisReservations(redis), PostgresLimits(cells), defaults)
    gate = ProviderLimits(shared, local, defaults)

    def steps(models: Models, tenants: TenantModels) -> Steps:
        return Steps(
            models,
            gate=gate,
            note=metrics.model_call,
            budget=limits,
            tenants=tenants,
            find_names=names_in,
        )

    encryption = EncryptionServices(settings, fakes)
    connections = PostgresModelConnections(cells, encryption.keyring, clock)

    return Infrastructure(
        settings=settings,
        clock=clock,
        metrics=metrics,
        masking=masking,
        grants=fakes.grants or GRANTS,
        db=DbServices(cells, redis, PostgresHealth(cells)),
        encryption=encryption,
        jobs=JobServices(JobQueue(clock), PostgresBackground(cells)),
        llm=LlmServices(settings, fakes, connections, steps, closing),
        quotas=QuotaServices(limits, from_settings.quotas(settings), shared, local),
    )
