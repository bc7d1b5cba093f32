"""What everything stands on, and what tests put in place of the outside world."""

from collections.abc import Callable
from dataclasses import dataclass

from saegim.app import from_settings
from saegim.app.from_settings import Close, master_key, models_config, required
from saegim.app.settings import Settings
from saegim.auth.grants import GRANTS, Grants
from saegim.auth.ports import KeySets
from saegim.chat.lease import LeaseTimes
from saegim.chat.types import TurnTimes
from saegim.db.cells import Cells
from saegim.db.health import PostgresHealth
from saegim.db.redis_client import RedisPart
from saegim.domain.clock import Clock, SystemClock
from saegim.encryption.key_store import PostgresKeys
from saegim.encryption.keyring import REMEMBER_SECONDS, Keyring
from saegim.encryption.rotation import MARGIN_SECONDS
from saegim.governance.reencryption import LAST_LOOK_SECONDS
from saegim.jobs.queue import JobQueue
from saegim.llm.configured_models import ConfiguredModels
from saegim.llm.embedders import Embedders
from saegim.llm.ports import Embedder, Models
from saegim.llm.steps import Steps
from saegim.quotas.local_counters import LocalCounters
from saegim.quotas.provider_limits import ProviderLimits
from saegim.quotas.redis_counters import RedisCounters, RedisReservations
from saegim.quotas.repository import PostgresLimits
from saegim.quotas.service import LimitParts, Limits
from saegim.quotas.storage_limits import Quotas
from saegim.text.masking_pool import MaskWorkers
from saegim.usage.metrics import Metrics


@dataclass(frozen=True, slots=True)
class KeyTimes:
    """How long processes remember keys, how far clocks may differ, when old versions go."""

    remember: float = REMEMBER_SECONDS
    margin: float = MARGIN_SECONDS
    last_look: float = LAST_LOOK_SECONDS


@dataclass(frozen=True, slots=True)
class Fakes:
    """What tests put in place of the outside world."""

    models: Models | None = None
    embedder: Embedder | None = None
    embedders: tuple[Embedder, ...] = ()
    clock: Clock | None = None
    lease_times: LeaseTimes | None = None
    turn_times: TurnTimes | None = None
    key_sets: KeySets | None = None
    key_times: KeyTimes | None = None
    keyring: Callable[[PostgresKeys], Keyring] | None = None
    grants: Grants | None = None


@dataclass(frozen=True, kw_only=True)
class Ground:
    """What everything stands on: stores, keys, models, the clock and the line of jobs."""

    settings: Settings
    clock: Clock
    cells: Cells
    keys: PostgresKeys
    keyring: Keyring
    redis: RedisPart
    models: Models
    embedder: Embedder
    embedders: Embedders
    steps: Steps
    limits: Limits
    queue: JobQueue
    health: PostgresHealth
    metrics: Metrics
    masking: MaskWorkers
    grants: Grants
    quotas: Quotas


def build_ground(settings: Settings, fakes: Fakes, closing: list[Close]) -> Ground:
    """The ground, by the settings; what we made that must be closed joins `closing`."""
    clock = fakes.clock or SystemClock()
    cells = from_settings.cells(settings, clock)
    keys = PostgresKeys(required(settings.keyring_url, "SAEGIM_KEYRING_URL"))
    remember = (fakes.key_times or KeyTimes()).remember
    keyring = (
        fakes.keyring(keys)
        if fakes.keyring
        else Keyring(master_key(settings), keys, remember_seconds=remember)
    )
    redis = from_settings.redis(settings, cells)
    config = models_config(settings)
    own_models, own_embedders = ConfiguredModels(config), from_settings.embedders(settings, config)
    masking = MaskWorkers()
    closing += [each.close for each in (own_models, *own_embedders, masking)]
    models, embedder = fakes.models or own_models, fakes.embedder or own_embedders[0]
    usual = from_settings.limits(settings)
    shared, local = RedisCounters(redis), LocalCounters(settings.api_processes)
    metrics, gate = Metrics(), ProviderLimits(shared, local, usual)
    limits = Limits(
        LimitParts(shared, local, RedisReservations(redis), PostgresLimits(cells), usual)
    )
    return Ground(
        settings=settings,
        clock=clock,
        cells=cells,
        keys=keys,
        keyring=keyring,
        redis=redis,
        models=models,
        embedder=embedder,
        embedders=Embedders(embedder, (*own_embedders, *fakes.embedders)),
        steps=Steps(models, gate=gate, note=metrics.model_call, budget=limits),
        limits=limits,
        queue=JobQueue(clock),
        health=PostgresHealth(cells),
        metrics=metrics,
        masking=masking,
        grants=fakes.grants or GRANTS,
        quotas=from_settings.quotas(settings),
    )
