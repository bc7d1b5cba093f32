"""The composition root: the only place where parts meet."""

import asyncio
import contextlib
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Protocol
from uuid import uuid4

from pydantic import SecretStr

from saegim.access.service import Access
from saegim.access.tenants import Tenants
from saegim.access.types import ActAs
from saegim.adapters.keyring.keyring import Keyring, parse_master_key
from saegim.adapters.keyring.store import PostgresKeys
from saegim.adapters.lance.index import LanceIndex
from saegim.adapters.models.config import EmbedderConfig, ModelsConfig
from saegim.adapters.models.embedders import OfflineEmbedder, build_embedder
from saegim.adapters.models.presets import preset
from saegim.adapters.models.roles import ConfiguredModels
from saegim.adapters.parsers.sandbox import SandboxedParser
from saegim.adapters.postgres.access import PostgresAccess
from saegim.adapters.postgres.cells import HOME_CELL, Cell, CellLimits, Cells
from saegim.adapters.postgres.consents import PostgresConsents
from saegim.adapters.postgres.episodes import PostgresEpisodes
from saegim.adapters.postgres.expiry import PostgresExpiry
from saegim.adapters.postgres.folds import PostgresFolds
from saegim.adapters.postgres.health import PostgresHealth
from saegim.adapters.postgres.ingests import PostgresIngests
from saegim.adapters.postgres.jobs import JobQueue
from saegim.adapters.postgres.library import PostgresLibrary
from saegim.adapters.postgres.memories import PostgresRecords
from saegim.adapters.postgres.recall import PostgresRecall
from saegim.adapters.postgres.retention import PostgresTranscripts
from saegim.adapters.postgres.said import PostgresSaid
from saegim.adapters.postgres.turns import PostgresTurns
from saegim.adapters.postgres.worker import Worker
from saegim.adapters.postgres.worker_times import WorkerTimes
from saegim.adapters.redis.part import RedisPart, connect
from saegim.adapters.redis.streams import RedisStreamBuffer
from saegim.adapters.redis.working_memory import RedisStateCache
from saegim.chat.lease import LeaseKeeper, LeaseTimes
from saegim.chat.preview import Preview
from saegim.chat.relay import Relay
from saegim.chat.room import Budgets
from saegim.chat.service import Chat, ChatParts
from saegim.chat.turn import TurnParts, TurnRunner
from saegim.domain.clock import Clock, SystemClock
from saegim.domain.errors import Degraded
from saegim.domain.jobs import JobKind
from saegim.domain.scope import Caller
from saegim.evaluation.play import Stage, StageClock
from saegim.evaluation.service import Evaluation
from saegim.evaluation.view import MemoryViews
from saegim.governance.retention import Keep, Retention
from saegim.library.indexing import Indexing
from saegim.library.ingest import Ingestion
from saegim.library.ingests import Ingests
from saegim.library.service import Library
from saegim.memory.consolidation import Consolidation, ConsolidationParts
from saegim.memory.episodes import Episodes
from saegim.memory.memories import Memories
from saegim.memory.recall import Recall
from saegim.memory.remembered import Remembering, RememberingParts
from saegim.memory.types import MemoryType
from saegim.memory.writing import Writing, WritingParts
from saegim.search import tokens
from saegim.settings import Settings
from saegim.steps.ports import Embedder, ModelRole, Models
from saegim.steps.run import Steps
from saegim.working_memory.folding import Folding
from saegim.working_memory.service import WorkingMemory
from saegim.working_memory.types import FoldRule


class MissingSetting(Exception):
    """A setting without which nothing may start; the message names it."""


@dataclass(frozen=True, slots=True)
class Fakes:
    """What tests put in place of the outside world."""

    models: Models | None = None
    embedder: Embedder | None = None
    clock: Clock | None = None
    lease_times: LeaseTimes | None = None


class Engine(Protocol):
    """Holds something of the machine's: a thread with a model, connections to a provider."""

    async def close(self) -> None:
        """Lets go of it."""
        ...


@dataclass(frozen=True, slots=True)
class Services:
    """Everything a door needs."""

    settings: Settings
    cells: Cells
    keys: PostgresKeys
    keyring: Keyring
    redis: RedisPart
    models: Models
    embedder: Embedder
    clock: Clock
    queue: JobQueue
    access: Access
    tenants: Tenants
    turns: PostgresTurns
    chat: Chat
    preview: Preview
    working_memory: WorkingMemory
    folding: Folding
    retention: Retention
    episodes: Episodes
    records: PostgresRecords
    recall: Recall
    memories: Memories
    writing: Writing
    remembering: Remembering
    consolidation: Consolidation
    consents: PostgresConsents
    index: LanceIndex
    library: Library
    ingests: Ingests
    ingestion: Ingestion
    indexing: Indexing
    evaluation: Evaluation
    health: PostgresHealth
    engines: tuple[Engine, ...] = ()

    async def open(self) -> None:
        """Starts connecting; parts that are down are met when they are used."""
        await self.cells.open()
        await self.keys.open()

    async def close(self) -> None:
        """Hands running turns over and lets go of every connection; fakes stay their owner's."""
        await self.chat.close()
        for engine in self.engines:
            await engine.close()
        await self.redis.close()
        await self.keys.close()
        await self.cells.close()

    async def warm_up(self) -> None:
        """Loads what takes seconds, so that no first turn or search waits for it."""
        await asyncio.to_thread(tokens.count, "")
        with contextlib.suppress(Degraded):
            await self.index.warm_up()
        if isinstance(self.embedder, OfflineEmbedder):
            await self.embedder.warm_up()

    def worker(self, times: WorkerTimes | None = None) -> Worker:
        """A worker for the home cell, with every job there is."""
        return Worker(
            url=required(self.settings.postgres_url, "SAEGIM_POSTGRES_URL"),
            cell=self.cells.home,
            queue=self.queue,
            handlers={
                JobKind.CLEAN_UP: self.retention.clean_up,
                JobKind.CONSOLIDATE: self.consolidation.consolidate,
                JobKind.EXTRACT: self.writing.extract,
                JobKind.FOLD: self.folding.fold,
                JobKind.INDEX_EPISODE: self.episodes.index,
                JobKind.WATCH_TURN: self.chat.watch,
                JobKind.INGEST_FILE: self.ingestion.ingest,
                JobKind.FOLLOW_INDEX: self.indexing.follow_job,
                JobKind.REBUILD_INDEX: self.indexing.rebuild_job,
            },
            concurrency=self.settings.worker_concurrency,
            times=times,
        )


def build(settings: Settings, fakes: Fakes | None = None) -> Services:
    """Everything, connected to nothing yet. Raises MissingSetting where a secret is unset."""
    fakes = fakes or Fakes()
    clock = fakes.clock or SystemClock()
    cells = _cells(settings, clock)
    keys = PostgresKeys(required(settings.keyring_url, "SAEGIM_KEYRING_URL"))
    keyring = Keyring(_master_key(settings), keys)
    redis = RedisPart(
        connect(required(settings.redis_url, "SAEGIM_REDIS_URL"), settings.redis_cluster)
    )
    config = models_config(settings)
    own_models, own_embedder = ConfiguredModels(config), build_embedder(config.embedder)
    models, embedder = fakes.models or own_models, fakes.embedder or own_embedder
    queue = JobQueue(clock)
    budgets = Budgets()
    fold_rule = FoldRule(tokens=budgets.recent)
    turns = PostgresTurns(cells, keyring, queue, clock, fold_rule)
    folds, cache = PostgresFolds(cells, keyring, clock), RedisStateCache(redis, keyring)
    working_memory, steps = WorkingMemory(cache, folds), Steps(models)
    store = PostgresAccess(cells, keyring, embedder, clock)
    buffer = RedisStreamBuffer(redis, keyring)
    relay = Relay(buffer)
    times = fakes.lease_times or LeaseTimes()
    runner = TurnRunner(
        TurnParts(
            store=turns,
            access=store,
            working_memory=working_memory,
            steps=steps,
            relay=relay,
            leases=LeaseKeeper(turns, clock, times),
            budgets=budgets,
        )
    )
    records, consents = (
        PostgresRecords(cells, keyring, clock),
        PostgresConsents(cells, keyring, clock),
    )
    episodes, transcripts = (
        PostgresEpisodes(cells, keyring, clock),
        PostgresTranscripts(cells, queue),
    )
    said = PostgresSaid(cells, keyring, queue, episodes)
    index = LanceIndex(settings.index_url or str(settings.data / "index"), settings.index_options)
    documents = PostgresLibrary(cells, queue, clock)
    files = PostgresIngests(cells, queue, clock)
    preview = Preview(turns, store, working_memory, budgets)
    recall = Recall(PostgresRecall(cells, keyring), embedder, consents)
    return Services(
        settings=settings,
        cells=cells,
        keys=keys,
        keyring=keyring,
        redis=redis,
        models=models,
        embedder=embedder,
        clock=clock,
        queue=queue,
        access=Access(store, clock),
        tenants=Tenants(store, store, clock),
        turns=turns,
        chat=Chat(ChatParts(turns, buffer, relay, runner, times, clock, uuid4())),
        preview=preview,
        working_memory=working_memory,
        folding=Folding(folds, cache, steps, fold_rule),
        retention=Retention(
            transcripts, PostgresExpiry(cells, keyring, records, clock), clock, _kept(settings)
        ),
        episodes=Episodes(episodes, embedder, consents),
        records=records,
        memories=Memories(records, embedder, clock),
        recall=recall,
        consents=consents,
        writing=Writing(WritingParts(said, records, consents, steps, models, embedder)),
        remembering=Remembering(RememberingParts(said, records, consents, transcripts, cache)),
        consolidation=Consolidation(ConsolidationParts(said, records, consents, steps, clock)),
        index=index,
        library=Library(documents, index, store, embedder),
        ingests=Ingests(files, documents, clock),
        ingestion=Ingestion(files, documents, SandboxedParser(), embedder, clock),
        indexing=Indexing(documents, documents, index),
        evaluation=Evaluation(MemoryViews(preview, recall, clock), steps),
        health=PostgresHealth(cells),
        engines=(own_models, own_embedder, index),
    )


def stage_of(services: Services, key: str, clock: StageClock) -> Stage:
    """Services as a stage for scenarios, on the clock that they were built with."""

    async def caller(user: str, profile: str | None) -> Caller:
        return await services.access.authenticate(key, ActAs(user, profile))

    return Stage(
        chat=services.chat,
        writing=services.writing,
        episodes=services.episodes,
        folding=services.folding,
        remembering=services.remembering,
        views=MemoryViews(services.preview, services.recall, services.clock),
        steps=Steps(services.models),
        clock=clock,
        caller=caller,
    )


def models_config(settings: Settings) -> ModelsConfig:
    """Which model plays which role, by the settings."""
    named = {role: getattr(settings, f"model_{role.value}") for role in ModelRole}
    make = partial(
        preset,
        settings.models,
        base_url=settings.models_base_url,
        api_key=_secret(settings.models_api_key),
        model=settings.model,
        models={role: name for role, name in named.items() if name},
    )
    return make(embedder=_embedder(settings)) if settings.embedder_model else make()


def required(value: SecretStr | None, name: str) -> str:
    """A setting that must be there."""
    if value is None or not value.get_secret_value():
        raise MissingSetting(f"{name} is not set")
    return value.get_secret_value()


def _cells(settings: Settings, clock: Clock) -> Cells:
    url = required(settings.postgres_url, "SAEGIM_POSTGRES_URL")
    limits = CellLimits(connections=settings.postgres_connections)
    return Cells({HOME_CELL: Cell(HOME_CELL, url, limits)}, clock)


def _master_key(settings: Settings) -> bytes:
    try:
        return parse_master_key(required(settings.master_key, "SAEGIM_MASTER_KEY"))
    except ValueError as error:
        raise MissingSetting(f"SAEGIM_MASTER_KEY: {error}") from error


def _embedder(settings: Settings) -> EmbedderConfig:
    assert settings.embedder_model is not None
    return EmbedderConfig(
        kind="compatible",
        model=settings.embedder_model,
        dimensions=settings.embedder_dimensions,
        base_url=settings.models_base_url,
        api_key=_secret(settings.models_api_key),
        shorten=True,
    )


def _kept(settings: Settings) -> Keep:
    def days(count: int | None) -> timedelta | None:
        return None if count is None else timedelta(days=count)

    by_type = {
        MemoryType(name): timedelta(days=count)
        for name, count in settings.keep_memories_days.items()
    }
    return Keep(
        transcripts=days(settings.keep_transcripts_days),
        by_type=by_type,
        unimportant=days(settings.keep_unimportant_days),
        forgotten=timedelta(days=settings.keep_forgotten_days),
    )


def _secret(value: SecretStr | None) -> str | None:
    return None if value is None else value.get_secret_value()
