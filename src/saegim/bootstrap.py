"""The composition root: the only place where parts meet."""

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass, fields
from datetime import timedelta
from functools import partial
from typing import Protocol
from uuid import uuid4

from pydantic import SecretStr

from saegim.access.assistants import Assistants, Collections
from saegim.access.code_flow import CodeFlow
from saegim.access.credentials import CredentialParts, Credentials
from saegim.access.identities import Identities
from saegim.access.issuers import Issuers
from saegim.access.limits import Limit, LimitParts, Limits, parse_limits
from saegim.access.members import Members
from saegim.access.ports import KeySets
from saegim.access.providers import ProviderLimits
from saegim.access.service import Access
from saegim.access.sign_in import SignIns
from saegim.access.tenants import Tenants
from saegim.access.windows import LocalCounters
from saegim.adapters.backup_bucket import BackupBucket
from saegim.adapters.keyring.keyring import REMEMBER_SECONDS, Keyring, WrappedKeys, parse_master_key
from saegim.adapters.keyring.kms import TransitMaster
from saegim.adapters.keyring.master import EnvironmentMaster, MasterKey
from saegim.adapters.keyring.rotation import MARGIN_SECONDS, Rotation
from saegim.adapters.keyring.store import PostgresKeys
from saegim.adapters.keyring.tokens import KeyringTokenSeal
from saegim.adapters.lance.index import LanceIndex
from saegim.adapters.models.config import EmbedderConfig, ModelsConfig
from saegim.adapters.models.embedders import OfflineEmbedder, build_embedder
from saegim.adapters.models.presets import preset, provider_url
from saegim.adapters.models.rerankers import HttpReranker
from saegim.adapters.models.roles import ConfiguredModels
from saegim.adapters.oidc.key_sets import HttpKeySets
from saegim.adapters.parsers.sandbox import SandboxedParser
from saegim.adapters.postgres.access import PostgresAccess
from saegim.adapters.postgres.assistants import PostgresAssistants
from saegim.adapters.postgres.audit import PostgresAudit
from saegim.adapters.postgres.background import PostgresBackground
from saegim.adapters.postgres.backup import Backups
from saegim.adapters.postgres.cells import HOME_CELL, Cell, CellLimits, Cells
from saegim.adapters.postgres.community import PostgresCommunity
from saegim.adapters.postgres.consents import MemoryOff, PostgresConsents
from saegim.adapters.postgres.credentials import PostgresKeyStore, PostgresMembers
from saegim.adapters.postgres.episodes import PostgresEpisodes
from saegim.adapters.postgres.erasure import PostgresErasure
from saegim.adapters.postgres.expiry import PostgresExpiry
from saegim.adapters.postgres.export import PostgresExport
from saegim.adapters.postgres.feedback import PostgresFeedback
from saegim.adapters.postgres.folds import PostgresFolds
from saegim.adapters.postgres.health import PostgresHealth
from saegim.adapters.postgres.ingests import PostgresIngests
from saegim.adapters.postgres.issuers import PostgresIssuers
from saegim.adapters.postgres.jobs import JobQueue
from saegim.adapters.postgres.library import PostgresLibrary
from saegim.adapters.postgres.limits import PostgresLimits
from saegim.adapters.postgres.memories import PostgresRecords
from saegim.adapters.postgres.moving import Moves
from saegim.adapters.postgres.observed_jobs import observed
from saegim.adapters.postgres.outbox import Outbox
from saegim.adapters.postgres.pointing import Pointing
from saegim.adapters.postgres.ranking import PostgresRankings
from saegim.adapters.postgres.recall import PostgresRecall
from saegim.adapters.postgres.record_vectors import RecordVectors
from saegim.adapters.postgres.reembeds import PostgresReembeds
from saegim.adapters.postgres.reseal import LAST_LOOK_SECONDS, Resealing
from saegim.adapters.postgres.retention import PostgresTranscripts
from saegim.adapters.postgres.said import PostgresSaid
from saegim.adapters.postgres.sources import PostgresSources
from saegim.adapters.postgres.turns import PostgresTurns
from saegim.adapters.postgres.usage import PostgresUsage
from saegim.adapters.postgres.vector_tables import EpisodeVectors, PassageVectors
from saegim.adapters.postgres.vocabulary import PostgresTags
from saegim.adapters.postgres.webhooks import PostgresWebhooks
from saegim.adapters.postgres.worker import Handler, Worker
from saegim.adapters.postgres.worker_times import WorkerTimes
from saegim.adapters.prometheus import Metrics
from saegim.adapters.redis.cells import RedisOfCells
from saegim.adapters.redis.erasure import RedisErasure
from saegim.adapters.redis.limits import RedisCounters, RedisReservations
from saegim.adapters.redis.part import RedisPart, connect
from saegim.adapters.redis.streams import RedisStreamBuffer
from saegim.adapters.redis.working_memory import RedisStateCache
from saegim.adapters.sources.guard import networks
from saegim.adapters.sources.readers import Readers
from saegim.adapters.sources.signing import Credentials as BucketCredentials
from saegim.adapters.tools import ToolClients
from saegim.adapters.weather import ToolWeather
from saegim.adapters.webhooks import HttpSender
from saegim.chat.feedback import Opinions
from saegim.chat.gather import Finders
from saegim.chat.lease import LeaseKeeper, LeaseTimes
from saegim.chat.preview import Preview, PreviewParts
from saegim.chat.relay import Relay
from saegim.chat.room import Budgets
from saegim.chat.service import Chat, ChatParts
from saegim.chat.turn import TurnParts, TurnRunner
from saegim.chat.types import TurnTimes
from saegim.community.service import Community
from saegim.domain.clock import Clock, SystemClock
from saegim.domain.errors import Degraded, StoreUnavailable
from saegim.domain.jobs import JobKind
from saegim.evaluation.reported import Reports
from saegim.evaluation.service import Evaluation
from saegim.evaluation.view import MemoryViews
from saegim.governance.audit import AuditTrail
from saegim.governance.erasure import Erasures
from saegim.governance.export import Exports
from saegim.governance.reembedding import Reembedding
from saegim.governance.retention import Keep, Retention
from saegim.library.arms import Arms
from saegim.library.indexing import Indexing
from saegim.library.ingest import Ingestion
from saegim.library.ingests import Ingests
from saegim.library.rankings import Rankings
from saegim.library.service import Library
from saegim.library.sources.service import Sources
from saegim.library.sources.sync import Sync
from saegim.library.tuning import Tuning
from saegim.library.upkeep import Upkeep
from saegim.library.vocabulary import Vocabularies
from saegim.memory.consolidation import Consolidation, ConsolidationParts
from saegim.memory.embedding import MemoryEmbedder
from saegim.memory.episodes import Episodes
from saegim.memory.memories import Memories
from saegim.memory.ports import ConsentStore
from saegim.memory.recall import Recall
from saegim.memory.remembered import Remembering, RememberingParts
from saegim.memory.types import MemoryType
from saegim.memory.writing import Writing, WritingParts
from saegim.research.loop import Research
from saegim.search import tokens
from saegim.settings import Settings
from saegim.steps.embedders import Embedders
from saegim.steps.ports import Embedder, ModelRole, Models
from saegim.steps.run import Steps
from saegim.tools.service import Tools, ToolSource
from saegim.usage.background import BackgroundStore
from saegim.usage.by_day import UsageStore
from saegim.webhooks.service import Webhooks
from saegim.working_memory.folding import Folding
from saegim.working_memory.service import WorkingMemory
from saegim.working_memory.types import FoldRule


class MissingSetting(Exception):
    """A setting without which nothing may start; the message names it."""


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


class Engine(Protocol):
    """Holds something of the machine's: a thread with a model, connections to a provider."""

    async def close(self) -> None:
        """Lets go of it."""
        ...


class OwnEmbedder(Embedder, Engine, Protocol):
    """An embedder that we made, and so close."""


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


@dataclass(frozen=True, kw_only=True)
class AccessServices:
    """Who may do what, and who did."""

    assistant_store: PostgresAccess
    access: Access
    sign_ins: SignIns
    tenants: Tenants
    credentials: Credentials
    members: Members
    identities: Identities
    issuers: Issuers
    code_flow: CodeFlow
    versions: Assistants
    collections: Collections
    trail: AuditTrail


@dataclass(frozen=True, kw_only=True)
class MemoryServices:
    """What is known of a person."""

    episodes: Episodes
    records: PostgresRecords
    recall: Recall
    remembered: MemoryEmbedder
    memories: Memories
    writing: Writing
    remembering: Remembering
    consolidation: Consolidation
    consents: ConsentStore


@dataclass(frozen=True, kw_only=True)
class LibraryServices:
    """Documents in, passages out."""

    index: LanceIndex
    library: Library
    rankings: Rankings
    tuning: Tuning
    ingests: Ingests
    ingestion: Ingestion
    indexing: Indexing
    reembedding: Reembedding
    upkeep: Upkeep
    sources: Sources
    sync: Sync


@dataclass(frozen=True, kw_only=True)
class ChatServices:
    """Conversations: their turns, what they carry along, what is said of answers."""

    turns: PostgresTurns
    chat: Chat
    preview: Preview
    working_memory: WorkingMemory
    folding: Folding
    tools: Tools
    opinions: Opinions
    usage: UsageStore
    background: BackgroundStore
    reports: Reports
    evaluation: Evaluation
    community: Community


@dataclass(frozen=True, kw_only=True)
class KeepingServices:
    """What is kept, for how long, under which keys; and what is given back or erased."""

    rotation: Rotation
    resealing: Resealing
    erasures: Erasures
    exports: Exports
    retention: Retention
    webhooks: Webhooks


@dataclass(frozen=True, kw_only=True)
class Services(
    Ground, AccessServices, MemoryServices, LibraryServices, ChatServices, KeepingServices
):
    """Everything a door needs. `engines` are closed with it: fakes stay their owner's."""

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
        with contextlib.suppress(StoreUnavailable):
            for name in {self.embedder.name, *await self.health.embedders_in_use()}:
                if isinstance(embedder := self.embedders.find(name), OfflineEmbedder):
                    await embedder.warm_up()

    def backups(self) -> Backups:
        """Backup and restore, for operators: it takes the owner's login."""
        url = required(self.settings.postgres_admin_url, "SAEGIM_POSTGRES_ADMIN_URL")
        return Backups(url, self.keyring)

    def backup_bucket(self) -> BackupBucket:
        """Where backups of `s3://` go. Raises MissingSetting."""
        settings = self.settings
        if settings.backup_endpoint is None:
            raise MissingSetting("SAEGIM_BACKUP_ENDPOINT is not set")
        who = BucketCredentials(
            required(settings.backup_access_key, "SAEGIM_BACKUP_ACCESS_KEY"),
            required(settings.backup_secret_key, "SAEGIM_BACKUP_SECRET_KEY"),
            settings.backup_region,
        )
        return BackupBucket(settings.backup_endpoint, who, self.clock)

    def moves(self) -> Moves:
        """Moves of tenants between cells, for operators: it takes the owners' logins."""
        return Moves(owners(self.settings), self.queue, self.clock)

    def worker(self, times: WorkerTimes | None = None, cell: str = HOME_CELL) -> Worker:
        """A worker for a cell, with every job there is. Raises NotFound."""
        of_cell = self.cells.named(cell)
        handlers = observed(self._handlers(), self.metrics)
        return Worker(
            url=of_cell.url,
            cell=of_cell,
            queue=self.queue,
            handlers=handlers,
            concurrency=self.settings.worker_concurrency,
            times=times,
        )

    def _handlers(self) -> dict[JobKind, Handler]:
        return {
            JobKind.CLEAN_UP: self.retention.clean_up,
            JobKind.CONSOLIDATE: self.consolidation.consolidate,
            JobKind.EXTRACT: self.writing.extract,
            JobKind.FOLD: self.folding.fold,
            JobKind.INDEX_EPISODE: self.episodes.index,
            JobKind.WATCH_TURN: self.chat.watch,
            JobKind.INGEST_FILE: self.ingestion.ingest,
            JobKind.FOLLOW_INDEX: self.indexing.follow_job,
            JobKind.REBUILD_INDEX: self.indexing.rebuild_job,
            JobKind.RESEAL: self.resealing.reseal,
            JobKind.ERASE: self.erasures.erase,
            JobKind.SEAL_AUDIT: self.trail.seal,
            JobKind.REEMBED: self.reembedding.job,
            JobKind.DROP_INDEX: self.reembedding.drop_job,
            JobKind.TEND_INDEX: self.upkeep.tend,
            JobKind.SYNC_SOURCE: self.sync.sync,
            JobKind.DELIVER: self.webhooks.deliver,
        }


def build(settings: Settings, fakes: Fakes | None = None) -> Services:
    """Everything, connected to nothing yet. Raises MissingSetting where a secret is unset."""
    fakes, engines = fakes or Fakes(), list[Engine]()
    ground = _ground(settings, fakes, engines)
    access = _access(ground, fakes)
    memory = _memory(ground)
    library = _library(ground, access, engines)
    chat = _chat(ground, access, _finders(ground, memory, library, engines), fakes)
    keeping = _keeping(ground, access, memory, fakes, engines)
    groups = (ground, access, memory, library, chat, keeping)
    parts = {each.name: getattr(group, each.name) for group in groups for each in fields(group)}
    return Services(**parts, engines=tuple(engines))


def _ground(settings: Settings, fakes: Fakes, engines: list[Engine]) -> Ground:
    clock = fakes.clock or SystemClock()
    cells = _cells(settings, clock)
    keys = PostgresKeys(required(settings.keyring_url, "SAEGIM_KEYRING_URL"))
    remember = (fakes.key_times or KeyTimes()).remember
    keyring = (
        fakes.keyring(keys)
        if fakes.keyring
        else Keyring(master_key(settings), keys, remember_seconds=remember)
    )
    redis = _redis(settings, cells)
    config = models_config(settings)
    own_models, own_embedders = ConfiguredModels(config), _embedders(settings, config)
    engines += [own_models, *own_embedders]
    models, embedder = fakes.models or own_models, fakes.embedder or own_embedders[0]
    usual = _limits(settings)
    shared, local = RedisCounters(redis), LocalCounters(settings.api_processes)
    metrics, gate = Metrics(), ProviderLimits(shared, local, usual)
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
        steps=Steps(models, gate=gate, note=metrics.model_call),
        limits=Limits(
            LimitParts(shared, local, RedisReservations(redis), PostgresLimits(cells), usual)
        ),
        queue=JobQueue(clock),
        health=PostgresHealth(cells),
        metrics=metrics,
    )


def _access(on: Ground, fakes: Fakes) -> AccessServices:
    clock, cells, keyring = on.clock, on.cells, on.keyring
    store = PostgresAccess(cells, keyring, on.embedder, clock)
    seal, people = KeyringTokenSeal(keyring), PostgresMembers(cells, keyring, clock)
    bots = PostgresAssistants(cells, clock)
    key_sets = fakes.key_sets or HttpKeySets(private=on.settings.issuers_private)
    issuer_store = PostgresIssuers(cells, clock)
    issuers = Issuers(issuer_store, key_sets)
    access = Access(store, seal, issuers, clock)
    return AccessServices(
        assistant_store=store,
        access=access,
        sign_ins=SignIns(access, seal, clock),
        tenants=Tenants(store, store, clock),
        credentials=Credentials(
            CredentialParts(store, store, PostgresKeyStore(cells, clock), seal, clock)
        ),
        members=Members(people, clock),
        identities=Identities(people, clock),
        issuers=issuers,
        code_flow=CodeFlow(issuer_store, key_sets, seal, clock),
        versions=Assistants(bots, clock),
        collections=Collections(bots, clock),
        trail=AuditTrail(PostgresAudit(cells, keyring, on.queue, clock), clock),
    )


def _memory(on: Ground) -> MemoryServices:
    cells, keyring, clock, steps = on.cells, on.keyring, on.clock, on.steps
    records = PostgresRecords(cells, keyring, clock)
    kept = PostgresConsents(cells, keyring, clock)
    consents = kept if on.settings.long_term_memory else MemoryOff(kept)
    episodes = PostgresEpisodes(cells, keyring, clock)
    said = PostgresSaid(cells, keyring, on.queue, episodes)
    remembered = MemoryEmbedder(episodes, on.embedders)
    transcripts, cache = PostgresTranscripts(cells, on.queue), RedisStateCache(on.redis, keyring)
    return MemoryServices(
        episodes=Episodes(episodes, on.embedders, consents),
        records=records,
        recall=Recall(PostgresRecall(cells, keyring), remembered, consents),
        remembered=remembered,
        memories=Memories(records, remembered, clock),
        writing=Writing(WritingParts(said, records, consents, steps, on.models, remembered)),
        remembering=Remembering(RememberingParts(said, records, consents, transcripts, cache)),
        consolidation=Consolidation(ConsolidationParts(said, records, consents, steps, clock)),
        consents=consents,
    )


def _library(on: Ground, access: AccessServices, engines: list[Engine]) -> LibraryServices:
    settings, cells, queue, clock = on.settings, on.cells, on.queue, on.clock
    index = LanceIndex(settings.index_url or str(settings.data / "index"), settings.index_options)
    pointing = Pointing(queue, clock, timedelta(minutes=settings.keep_old_index_minutes))
    documents = PostgresLibrary(cells, queue, clock, pointing)
    indexing = Indexing(documents, documents, index)
    tables = (
        PassageVectors(cells, queue),
        EpisodeVectors(cells, on.keyring),
        RecordVectors(cells, on.keyring),
    )
    moves = PostgresReembeds(cells, queue, clock, pointing, tables)
    files = PostgresIngests(cells, queue, clock)
    arms, rankings = Arms(index, on.embedders), PostgresRankings(cells, clock)
    reranker = _reranker(settings)
    sources, readers = PostgresSources(cells, on.keyring, queue, clock), _readers(settings, clock)
    engines += [index, *([reranker] if reranker else [])]
    return LibraryServices(
        index=index,
        library=Library(documents, arms, access.assistant_store, reranker),
        rankings=Rankings(rankings),
        tuning=Tuning(documents, documents, arms, rankings),
        ingests=Ingests(files, documents, clock),
        ingestion=Ingestion(files, documents, SandboxedParser(), on.embedders, clock),
        indexing=indexing,
        reembedding=Reembedding(moves, indexing, index, on.embedders),
        upkeep=Upkeep(documents, index, indexing, documents),
        sources=Sources(sources, documents, readers, clock),
        sync=Sync(sources, files, documents, readers),
    )


def _finders(
    on: Ground, memory: MemoryServices, library: LibraryServices, engines: list[Engine]
) -> Finders:
    clients = ToolClients(_tool_keys(on.settings), on.settings.tool_urls)
    engines.append(clients)
    tools = Tools(clients.functions(), _mcp_servers(on.settings))
    return Finders(memory.recall, library.library, Research(library.library), tools)


def _chat(on: Ground, access: AccessServices, finders: Finders, fakes: Fakes) -> ChatServices:
    cells, keyring, clock, store = on.cells, on.keyring, on.clock, access.assistant_store
    budgets, times = Budgets(turns=on.settings.recent_turns), fakes.lease_times or LeaseTimes()
    fold_rule = FoldRule(tokens=budgets.recent)
    turns = PostgresTurns(cells, keyring, on.queue, clock, fold_rule)
    folds, cache = PostgresFolds(cells, keyring, clock), RedisStateCache(on.redis, keyring)
    working_memory = WorkingMemory(cache, folds)
    buffer = RedisStreamBuffer(on.redis, keyring)
    relay = Relay(buffer)
    runner = TurnRunner(
        TurnParts(
            store=turns,
            access=store,
            working_memory=working_memory,
            finders=finders,
            vocabularies=Vocabularies(PostgresTags(cells)),
            steps=on.steps,
            relay=relay,
            leases=LeaseKeeper(turns, clock, times),
            budgets=budgets,
            clock=clock,
            spending=on.limits,
            times=fakes.turn_times or TurnTimes(),
            observer=on.metrics,
        )
    )
    preview = Preview(PreviewParts(turns, store, working_memory, finders, budgets, clock))
    feedback = PostgresFeedback(cells, keyring, clock)
    return ChatServices(
        turns=turns,
        chat=Chat(ChatParts(turns, buffer, relay, runner, on.limits, times, clock, uuid4())),
        preview=preview,
        working_memory=working_memory,
        folding=Folding(folds, cache, on.steps, fold_rule),
        tools=finders.tools,
        opinions=Opinions(feedback, clock),
        usage=PostgresUsage(cells),
        background=PostgresBackground(cells),
        reports=Reports(feedback, turns, clock),
        evaluation=Evaluation(MemoryViews(preview, finders.memory, clock), on.steps),
        community=Community(
            PostgresCommunity(cells, keyring, clock), ToolWeather(finders.tools), clock
        ),
    )


def _keeping(
    on: Ground,
    access: AccessServices,
    memory: MemoryServices,
    fakes: Fakes,
    engines: list[Engine],
) -> KeepingServices:
    cells, keyring, queue, clock = on.cells, on.keyring, on.queue, on.clock
    times = fakes.key_times or KeyTimes()
    rotation = Rotation(keyring, margin=times.margin)
    erasure = PostgresErasure(
        cells, keyring, rotation, queue, RedisErasure(on.redis), Outbox(queue, clock)
    )
    expiry = PostgresExpiry(cells, keyring, memory.records, clock)
    backups = timedelta(days=on.settings.backup_days)
    sender = _sender(on.settings)
    engines.append(sender)
    return KeepingServices(
        rotation=rotation,
        resealing=Resealing(cells, keyring, rotation, queue, times.last_look),
        erasures=Erasures(erasure, access.trail, clock, backups),
        exports=Exports(PostgresExport(cells, keyring), access.trail, clock),
        retention=Retention(PostgresTranscripts(cells, queue), expiry, clock, _kept(on.settings)),
        webhooks=Webhooks(PostgresWebhooks(cells, keyring, queue, clock), sender, clock),
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
    urls = {HOME_CELL: url} | {
        name: place.postgres_url.get_secret_value() for name, place in settings.cells.items()
    }
    limits = CellLimits(connections=settings.postgres_connections)
    return Cells({name: Cell(name, place, limits) for name, place in urls.items()}, clock)


def _redis(settings: Settings, cells: Cells) -> RedisPart:
    home = connect(required(settings.redis_url, "SAEGIM_REDIS_URL"), settings.redis_cluster)
    others = {
        name: connect(place.redis_url.get_secret_value(), place.redis_cluster)
        for name, place in settings.cells.items()
        if place.redis_url is not None
    }
    return RedisOfCells(home, others, cells.name_for_tenant) if others else RedisPart(home)


def owners(settings: Settings) -> dict[str, str]:
    """The owner's login of every cell that the settings give one for. Raises MissingSetting."""
    home = required(settings.postgres_admin_url, "SAEGIM_POSTGRES_ADMIN_URL")
    return {HOME_CELL: home} | {
        name: place.postgres_admin_url.get_secret_value()
        for name, place in settings.cells.items()
        if place.postgres_admin_url is not None
    }


def master_key(settings: Settings) -> MasterKey:
    """What wraps all other keys, by the settings. Raises MissingSetting."""
    if settings.kms_url is not None:
        token = required(settings.kms_token, "SAEGIM_KMS_TOKEN")
        return TransitMaster(settings.kms_url, token, settings.kms_key)
    before = _secret(settings.previous_master_keys) or ""
    try:
        current = parse_master_key(required(settings.master_key, "SAEGIM_MASTER_KEY"))
        previous = [parse_master_key(each.strip()) for each in before.split(",") if each.strip()]
    except ValueError as error:
        raise MissingSetting(f"SAEGIM_MASTER_KEY: {error}") from error
    return EnvironmentMaster(current, previous)


def _limits(settings: Settings) -> list[Limit]:
    try:
        return parse_limits(settings.limits)
    except (ValueError, ArithmeticError) as error:
        raise MissingSetting(f"SAEGIM_LIMITS: {error}") from error


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


def _embedders(settings: Settings, config: ModelsConfig) -> list[OwnEmbedder]:
    """The one that new tenants begin with, those that are named beside it, and the bundled one:
    it needs nothing, so indexes that were made with it can always be searched."""
    built: list[OwnEmbedder] = [build_embedder(config.embedder)]
    for further in settings.embedders or ():
        # The provider's key goes to the provider alone.
        own = further.base_url is None
        key = further.api_key or (settings.models_api_key if own else None)
        url = further.base_url or settings.models_base_url or provider_url(settings.models)
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


def _reranker(settings: Settings) -> HttpReranker | None:
    if settings.reranker_url is None:
        return None
    return HttpReranker(
        settings.reranker_url,
        settings.reranker_model,
        _secret(settings.reranker_api_key),
        settings.reranker_seconds,
    )


def _sender(settings: Settings) -> HttpSender:
    try:
        return HttpSender(networks(settings.webhooks_private_networks))
    except ValueError as error:
        raise MissingSetting(f"SAEGIM_WEBHOOKS_PRIVATE_NETWORKS: {error}") from error


def _readers(settings: Settings, clock: Clock) -> Readers:
    try:
        private = networks(settings.sources_private_networks)
    except ValueError as error:
        raise MissingSetting(f"SAEGIM_SOURCES_PRIVATE_NETWORKS: {error}") from error
    return Readers(settings.sources_folder, private, clock)


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


def _mcp_servers(settings: Settings) -> list[ToolSource]:
    if not settings.mcp_servers:
        return []
    from saegim.adapters.mcp import McpAddress, McpTools  # noqa: PLC0415 - an extra

    return [
        McpTools(McpAddress(one.name, one.url, frozenset(one.tools), _secret(one.token)))
        for one in settings.mcp_servers
    ]


def _tool_keys(settings: Settings) -> dict[str, str]:
    return {name: key.get_secret_value() for name, key in settings.tool_keys.items()}


def _secret(value: SecretStr | None) -> str | None:
    return None if value is None else value.get_secret_value()
