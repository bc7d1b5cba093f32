"""What everything stands on, and what tests put in place of the outside world."""

from collections.abc import Callable
from dataclasses import dataclass

from saegim.access.grants import GRANTS, Grants
from saegim.access.limits import LimitParts, Limits
from saegim.access.ports import KeySets
from saegim.access.providers import ProviderLimits
from saegim.access.windows import LocalCounters
from saegim.adapters.keyring.keyring import REMEMBER_SECONDS, Keyring, WrappedKeys
from saegim.adapters.keyring.rotation import MARGIN_SECONDS
from saegim.adapters.keyring.store import PostgresKeys
from saegim.adapters.mask_workers import MaskWorkers
from saegim.adapters.models.roles import ConfiguredModels
from saegim.adapters.postgres.cells import Cells
from saegim.adapters.postgres.health import PostgresHealth
from saegim.adapters.postgres.jobs import JobQueue
from saegim.adapters.postgres.limits import PostgresLimits
from saegim.adapters.postgres.reseal import LAST_LOOK_SECONDS
from saegim.adapters.prometheus import Metrics
from saegim.adapters.redis.limits import RedisCounters, RedisReservations
from saegim.adapters.redis.part import RedisPart
from saegim.bootstrap import configured
from saegim.bootstrap.configured import (
    Engine,
    master_key,
    models_config,
    required,
)
from saegim.chat.lease import LeaseTimes
from saegim.chat.types import TurnTimes
from saegim.domain.clock import Clock, SystemClock
from saegim.domain.quotas import Quotas
from saegim.search.masking import Masking
from saegim.settings import Settings
from saegim.steps.embedders import Embedders
from saegim.steps.ports import Embedder, Models
from saegim.steps.run import Steps


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
    keyring: Callable[[WrappedKeys], Keyring] | None = None
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
    masking: Masking
    grants: Grants
    quotas: Quotas


def build_ground(settings: Settings, fakes: Fakes, engines: list[Engine]) -> Ground:
    """The ground, by the settings; what we made that must be closed joins `engines`."""
    clock = fakes.clock or SystemClock()
    cells = configured.cells(settings, clock)
    keys = PostgresKeys(required(settings.keyring_url, "SAEGIM_KEYRING_URL"))
    remember = (fakes.key_times or KeyTimes()).remember
    keyring = (
        fakes.keyring(keys)
        if fakes.keyring
        else Keyring(master_key(settings), keys, remember_seconds=remember)
    )
    redis = configured.redis(settings, cells)
    config = models_config(settings)
    own_models, own_embedders = ConfiguredModels(config), configured.embedders(settings, config)
    masking = MaskWorkers()
    engines += [own_models, *own_embedders, masking]
    models, embedder = fakes.models or own_models, fakes.embedder or own_embedders[0]
    usual = configured.limits(settings)
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
        quotas=configured.quotas(settings),
    )
