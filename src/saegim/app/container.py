"""The service container."""

import asyncio
import contextlib
from dataclasses import dataclass, fields

from saegim.app import from_settings
from saegim.app.auth import AssistantServices, AuditServices, AuthServices
from saegim.app.chat import (
    ChatServices,
    ConversationServices,
    EvaluationServices,
    ReadingServices,
    build_tools,
)
from saegim.app.from_settings import Close, MissingSetting, owners, required
from saegim.app.governance import GovernanceServices
from saegim.app.infrastructure import Fakes, Infrastructure, build_infrastructure
from saegim.app.library import LibraryServices, SourceServices
from saegim.app.memory import MemoryServices, build_team_memory
from saegim.app.settings import Settings
from saegim.chat.retrieval import Finders
from saegim.community.repository import PostgresCommunity
from saegim.community.service import Community
from saegim.db.cells import HOME_CELL
from saegim.domain.errors import OptionalServiceDown, StoreUnavailable
from saegim.governance.backup.backups import Backups
from saegim.governance.backup.bucket import BackupBucket
from saegim.governance.backup.tenant_file import TenantFiles
from saegim.governance.tenant_move.moves import Moves
from saegim.jobs.instrumentation import observed
from saegim.jobs.types import JobKind, WorkerTimes
from saegim.jobs.worker import Handler, Handlers, Worker
from saegim.llm.bundled_embedders import BundledEmbedder
from saegim.research.loop import Research
from saegim.sources.signing import SigningCredentials as BucketCredentials
from saegim.team_memory.service import TeamMemory
from saegim.text import tokens
from saegim.tools.service import Tools
from saegim.usage.repository import PostgresUsage
from saegim.webhooks.repository import PostgresWebhooks
from saegim.webhooks.service import Webhooks


@dataclass(frozen=True, kw_only=True)
class Services(Infrastructure):
    """All services, grouped by feature. `closing` closes what the container created, not fakes."""

    auth: AuthServices
    audit: AuditServices
    assistants: AssistantServices
    conversations: ConversationServices
    memory: MemoryServices
    team_memory: TeamMemory
    library: LibraryServices
    sources: SourceServices
    tools: Tools
    community: Community
    chat: ChatServices
    reading: ReadingServices
    evaluation: EvaluationServices
    governance: GovernanceServices
    usage: PostgresUsage
    webhooks: Webhooks
    closing: tuple[Close, ...] = ()

    async def open(self) -> None:
        """Starts connecting; a service that is down raises on first use."""
        await self.db.cells.open()
        await self.encryption.keys.open()

    async def close(self) -> None:
        """Hands over running turns and closes every connection."""
        await self.chat.turns.close()
        for close in self.closing:
            await close()
        await self.db.redis.close()
        await self.encryption.keys.close()
        await self.db.cells.close()

    async def warm_up(self) -> None:
        """Loads the tokenizer, index and embedders, so that no request waits for them."""
        await asyncio.to_thread(tokens.count, "")
        with contextlib.suppress(OptionalServiceDown):
            await self.library.index.warm_up()
        with contextlib.suppress(StoreUnavailable):
            for name in {self.llm.embedder.name, *await self.db.health.embedders_in_use()}:
                if isinstance(embedder := self.llm.embedders.find(name), BundledEmbedder):
                    await embedder.warm_up()

    def backups(self) -> Backups:
        """Builds backup and restore. Raises MissingSetting without the owner's login."""
        url = required(self.settings.postgres_admin_url, "SAEGIM_POSTGRES_ADMIN_URL")
        return Backups(url, self.encryption.keyring, self.encryption.keys)

    def backup_bucket(self) -> BackupBucket:
        """Builds the S3 store of backups. Raises MissingSetting."""
        settings = self.settings
        if settings.backup_endpoint is None:
            raise MissingSetting("SAEGIM_BACKUP_ENDPOINT is not set")
        credentials = BucketCredentials(
            required(settings.backup_access_key, "SAEGIM_BACKUP_ACCESS_KEY"),
            required(settings.backup_secret_key, "SAEGIM_BACKUP_SECRET_KEY"),
            settings.backup_region,
        )
        return BackupBucket(settings.backup_endpoint, credentials, ca=settings.store_ca)

    def moves(self) -> Moves:
        """Builds moves of tenants between cells. Raises MissingSetting without the owners'
        logins."""
        return Moves(owners(self.settings), self.jobs.queue, self.clock)

    def tenant_files(self) -> TenantFiles:
        """Builds tenant export and import. Raises MissingSetting without the owners' logins."""
        return TenantFiles(
            owners(self.settings), self.encryption.keyring, self.encryption.keys, self.clock
        )

    def worker(self, times: WorkerTimes | None = None, cell: str = HOME_CELL) -> Worker:
        """Builds a worker for a cell. Raises NotFound."""
        of_cell = self.db.cells.named(cell)
        jobs = observed(self._handlers(), self.metrics)
        by_rule: dict[JobKind, Handler] = {
            JobKind.SUMMARISE: self.conversations.summaries.summarise_by_rule
        }
        given_up: dict[JobKind, Handler] = {JobKind.INGEST_FILE: self.library.ingestion.give_up}
        handlers = Handlers(jobs, by_rule, given_up)
        return Worker(
            url=of_cell.url,
            cell=of_cell,
            queue=self.jobs.queue,
            handlers=handlers,
            concurrency=self.settings.worker_concurrency,
            times=times,
        )

    def _handlers(self) -> dict[JobKind, Handler]:
        return {
            JobKind.CLEAN_UP: self.governance.retention.clean_up,
            JobKind.CONSOLIDATE: self.memory.consolidation.consolidate,
            JobKind.SYNTHESISE: self.memory.synthesis.synthesise,
            JobKind.EXTRACT: self.memory.extraction.extract,
            JobKind.SUMMARISE: self.conversations.summaries.summarise,
            JobKind.TITLE_SESSION: self.conversations.titles.write,
            JobKind.DELETE_SESSION: self.governance.retention.delete_hidden,
            JobKind.INDEX_TURNS: self.conversations.search.index,
            JobKind.INDEX_EPISODE: self.memory.episodes.index,
            JobKind.WATCH_TURN: self.chat.turns.watch,
            JobKind.INGEST_FILE: self.library.ingestion.ingest,
            JobKind.SYNC_INDEX: self.library.index_sync.sync_job,
            JobKind.REBUILD_INDEX: self.library.index_sync.rebuild_job,
            JobKind.RESEAL: self.governance.reencryption.reseal,
            JobKind.ERASE: self.governance.erasures.erase,
            JobKind.SEAL_AUDIT: self.audit.trail.seal,
            JobKind.REEMBED: self.governance.reembedding.job,
            JobKind.DROP_INDEX: self.governance.reembedding.drop_job,
            JobKind.MAINTAIN_INDEX: self.library.index_maintenance.maintain,
            JobKind.SYNC_SOURCE: self.sources.sync.sync,
            JobKind.DELIVER: self.webhooks.deliver,
            JobKind.SWEEP_UPLOADS: self.library.ingests.sweep,
            JobKind.IMPORT_MEMORIES: self.memory.imports.run,
            JobKind.EVALUATE: self.evaluation.questions.run,
        }


def build(settings: Settings, fakes: Fakes | None = None) -> Services:
    """Builds all services without connecting. Raises MissingSetting."""
    fakes, closing = fakes or Fakes(), list[Close]()
    on = build_infrastructure(settings, fakes, closing)
    cells, keyring, queue = on.db.cells, on.encryption.keyring, on.jobs.queue
    auth, audit = AuthServices(on, fakes), AuditServices(on)
    memory, library = MemoryServices(on, closing), LibraryServices(on, fakes, closing)
    tools, conversations = build_tools(on, fakes, closing), ConversationServices(on)
    team_memory = build_team_memory(on, memory, library.repository)
    research = Research(library.search)
    finders = Finders(memory.recall, library.search, research, tools, team_memory)
    chat = ChatServices(on, auth, conversations, finders, library.documents, memory, fakes)
    sender = from_settings.sender(settings)
    closing.append(sender.close)
    return Services(
        **{each.name: getattr(on, each.name) for each in fields(on)},
        auth=auth,
        audit=audit,
        assistants=AssistantServices(on),
        conversations=conversations,
        memory=memory,
        team_memory=team_memory,
        library=library,
        sources=SourceServices(on, library),
        tools=tools,
        community=Community(PostgresCommunity(cells, keyring, on.clock), tools, on.clock),
        chat=chat,
        reading=ReadingServices(auth, conversations, library.cited),
        evaluation=EvaluationServices(on, conversations, chat, finders),
        governance=GovernanceServices(
            on, auth, audit, memory, library, conversations.search, fakes
        ),
        usage=PostgresUsage(cells),
        webhooks=Webhooks(PostgresWebhooks(cells, keyring, queue, on.clock), sender, on.clock),
        closing=tuple(closing),
    )
